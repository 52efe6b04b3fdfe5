"""What every registered game must satisfy, whatever its rules: a new game is tested the moment it is registered."""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from importlib.util import find_spec
from itertools import product
from math import prod
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from pitboss.cards import DECK, shuffled
from pitboss.games import deal
from pitboss.games.contract import Game
from pitboss.games.course import Sight
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.settle import settle, verify
from pitboss.games.walk import play_plainly
from pitboss.hands.labels import TITLES, row_of
from pitboss.law.index import paragraphs as index
from pitboss.law.model import DEVICES, Device, PayTable, in_force
from pitboss.law.odds import Odds
from tests.strategies import AS_OF
from tests.test_properties import paragraphs

games = pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in GAMES.items()])

PUBLISHED: Mapping[str, str] = {
    "four-card-poker": "ante play aces_up four_card_progressive five_card_progressive bad_beat five_card_hand_player "
    "five_card_hand_dealer six_card_bonus ante_bonus four_card_envy five_card_envy magic_card lucky_bonus",
    "three-card-poker": "ante play pair_plus three_card_progressive five_card_progressive six_card_bonus "
    "five_card_hand_player five_card_hand_dealer five_of_six_progressive ante_bonus three_card_envy five_card_envy "
    "five_of_six_envy magic_card lucky_bonus",
    "four-card-frenzy": "ante odds raise prime four_card_bonus all_six",
    "lunar-poker": "ante bet super super_on_dealer super_on_seat options_fee instant_payout second_combination",
}
"""The names of wagers and lines that files and scripts of other people use; a new game adds its own here."""


def rules_of(game: Game, choices: Choices | None = None) -> Rules:
    rules, findings = resolve(game.chapter, AS_OF, choices)
    assert rules is not None
    assert findings == ()
    return rules


# The chapter and its names


@games
def test_the_chapter_is_the_games_own(game: Game) -> None:
    chapter = game.chapter
    assert GAMES[game.name] is game
    assert chapter.game == game.name
    assert chapter.entries()
    assert {entry.cite.chapter for entry in chapter.entries()} == {chapter.chapter}
    assert [section.cite.section for section in chapter.sections] == list(range(1, len(chapter.sections) + 1))


@games
def test_every_entry_of_the_chapter_cites_a_paragraph(game: Game) -> None:
    missing = [entry.key for entry in game.chapter.entries() if str(entry.cite) not in paragraphs()]
    assert missing == []


@games
def test_every_wager_has_limits_and_a_pay_table(game: Game) -> None:
    rules = rules_of(game)
    names = {wager.name for wager in game.chapter.wagers}
    for wager in rules.wagers.values():
        limits = rules.limits(wager.name)
        assert 0 < limits.minimum <= limits.maximum
        assert wager.paytable in rules.tables
        assert not wager.meter or wager.meter in rules.meters
        assert {*wager.needs_any, *wager.needs_all} <= names
        assert (wager.placed == "after") <= bool(wager.needs_all)


@games
def test_every_row_has_a_title(game: Game) -> None:
    printed = [tuple(table.rows) for table in game.chapter.paytables] + [
        tuple(envy.rows) for envy in game.chapter.envies
    ]
    assert {row for rows in printed for row in rows} <= set(TITLES)
    assert all(printed)


@games
def test_names_of_wagers_and_lines_are_the_published_ones(game: Game) -> None:
    chapter = game.chapter
    lines = {rule.partition(" ")[0] for rule in game.lines.rules}
    used = {wager.name for wager in chapter.wagers} | lines | {envy.line for envy in chapter.envies}
    assert used == set(PUBLISHED[game.name].split())


# The lines


class Noted(Mapping[str, Odds]):
    """The rows of a pay table, remembering which were read."""

    def __init__(self, rows: Mapping[str, Odds]) -> None:
        self.rows, self.read = rows, set[str]()

    def __getitem__(self, row: str) -> Odds:
        self.read.add(row)
        return self.rows[row]

    def __contains__(self, row: object) -> bool:
        return row in self.rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def _every_table(game: Game) -> list[PayTable]:
    return list(in_force(game.chapter.paytables, AS_OF))


@pytest.mark.parametrize(
    ("game", "table"),
    [pytest.param(game, t, id=f"{game.name} {t.key}") for game in GAMES.values() for t in _every_table(game)],
)
def test_every_pay_row_is_reached_by_some_outcome(game: Game, table: PayTable) -> None:
    """Every line is tabulated over its whole domain; a row that no outcome reads could never be paid."""
    rows = Noted(table.rows)
    rules = rules_of(game)
    tables = {**rules.tables, table.wager: replace(table, rows=rows)}
    noting = replace(rules, tables=MappingProxyType(tables))
    for line in game.lines.rules:
        game.lines.tabulate(line, noting)
    assert rows.read == set(table.rows)


@games
def test_every_envy_row_is_reached_by_some_hand(game: Game) -> None:
    for envy in in_force(game.chapter.envies, AS_OF):
        lines = game.lines
        labels = [label for fact in lines.rules[envy.wager].reads for label in lines.domains[fact] if label in TITLES]
        assert {row_of(envy.rows, label) for label in labels} - {None} == set(envy.rows)


@games
def test_every_line_reads_known_facts_and_pays_what_its_wager_may_pay(game: Game) -> None:
    rules = rules_of(game)
    for name, rule in game.lines.rules.items():
        assert set(rule.reads) <= set(game.lines.domains)
        pays = game.lines.tabulate(name, rules)
        assert len(pays) == prod(len(game.lines.domains[fact]) for fact in rule.reads)
        assert any(pay is not None for pay in pays.values())
        for pay in filter(None, pays.values()):
            assert pay.cite in paragraphs()
            assert (pay.odds is None) == (pay.odds_cite == "")
            assert pay.odds is None or pay.odds_cite in paragraphs()
            assert (pay.odds is not None) == (pay.result == "win")
            assert pay.why.endswith(".")


@games
def test_every_wager_has_a_line(game: Game) -> None:
    """A wager on another seat's hand is settled by the line of that hand."""
    names = {wager.name for wager in game.chapter.wagers}
    assert {name for name in names if name not in game.lines.rules} <= {"super_on_seat"}


# Rule functions


def test_every_function_named_for_a_paragraph_exists() -> None:
    for paragraph in index().values():
        for function in paragraph.functions:
            assert pkgutil.resolve_name(_importable(f"pitboss.{function}")), function


def _importable(dotted: str) -> str:
    """``module:object`` for a dotted path, the longest module first."""
    module, _, rest = dotted.partition(".")
    while (spec := find_spec(module)) and spec.submodule_search_locations and rest:
        name, _, after = rest.partition(".")
        if find_spec(f"{module}.{name}") is None:
            break
        module, rest = f"{module}.{name}", after
    return f"{module}:{rest}"


@games
def test_every_line_rule_is_named_for_a_paragraph(game: Game) -> None:
    named = {f"pitboss.{function}" for paragraph in index().values() for function in paragraph.functions}
    for rule in game.lines.rules.values():
        place = f"{rule.pay.__module__}.{rule.pay.__qualname__}"
        # Lines made inside a function that several games call are named where they are registered.
        registered = f"{rule.pay.__module__}.register" if "<locals>" in place else place
        assert registered in named, rule.name


# Dealing and playing

DEALS: Mapping[str, Mapping[Device, tuple[str, ...]]] = {
    "641a": {"manual-shoe": ("641a.8(d)",), "hand": ("641a.9(b)",), "automated-shoe": ("641a.10(b)", "641a.10(c)")},
    "649a": {"manual-shoe": ("649a.8(d)",), "hand": ("649a.9(b)",), "automated-shoe": ("649a.10(b)", "649a.10(c)")},
    "671a": {"manual-shoe": ("671a.8(c)",), "hand": ("671a.9(b)",), "automated-shoe": ("671a.10(b)",)},
    "684a": {"manual-shoe": ("684a.8(c)",), "hand": ("684a.9(b)",), "automated-shoe": ("684a.10(b)",)},
}


def _deals() -> list[Any]:
    params = []
    for game, device in product(GAMES.values(), DEVICES):
        cites = DEALS.get(game.chapter.chapter, {}).get(device, ())
        params.append(
            pytest.param(game, device, id=f"{game.name} {device}", marks=[pytest.mark.law(*cites)] if cites else [])
        )
    return params


@pytest.mark.parametrize(("game", "device"), _deals())
def test_every_device_deals_each_hand_its_cards(game: Game, device: Device) -> None:
    rules = rules_of(game)
    before = {name: 100 for name, wager in rules.wagers.items() if wager.placed == "before"}
    extra = {wager.extra for wager in rules.wagers.values() if wager.extra}
    for seats in range(1, rules.seats + 1):
        deck = shuffled(Random(seats))
        played, dealing = deal.deal_round(rules, dict.fromkeys(range(1, seats + 1), before), deck, device)
        assert [seat.number for seat in played.seats] == list(range(1, seats + 1))
        assert {len(seat.cards) for seat in played.seats} == {rules.figure("player_cards")}
        assert len(played.dealer) == rules.figure("dealer_cards")
        assert set(played.extras) == extra
        assert sorted([*(dealt.card for dealt in dealing.order), *dealing.stack, *dealing.stub]) == list(DECK)
        assert set(dealing.up()) <= {*played.dealer, *(card for cards in played.extras.values() for card in cards)}


@pytest.mark.parametrize(("game", "device"), _deals())
def test_no_extra_card_is_dealt_when_nobody_wagered_on_it(game: Game, device: Device) -> None:
    rules = rules_of(game)
    needing = {wager.name for wager in rules.wagers.values() if wager.extra}
    plain = {name: stake for name, stake in game.plain_wagers().items() if name not in needing}
    played, _ = deal.deal_round(rules, {1: plain, 3: plain}, list(DECK), device)
    assert played.extras == {}
    assert [seat.number for seat in played.seats] == [1, 3]


@games
def test_plain_decisions_are_lawful(game: Game) -> None:
    rules = rules_of(game)
    for seed in range(60):
        seats = 1 + seed % rules.seats
        wagers = {number: game.plain_wagers() for number in range(1, seats + 1)}
        played, dealing = deal.deal_round(rules, wagers, shuffled(Random(seed)), DEVICES[seed % len(DEVICES)])
        played = play_plainly(rules, played, dealing)
        assert verify(rules, played) == ()
        settlement = settle(rules, played)
        assert {line.seat for line in settlement.lines} == set(wagers)


@games
def test_a_plain_decision_looks_only_at_the_view(game: Game) -> None:
    """The same view gives the same decision, and it is one of the game's."""
    rules = rules_of(game)
    for seed in range(30):
        cards = shuffled(Random(seed))
        view = Sight(tuple(cards[: rules.figure("player_cards")]), tuple(cards[-1:]), 700)
        decision = game.plain_decision(rules, view)
        assert decision.choice in game.decisions
        assert game.plain_decision(rules, view) == decision


@games
def test_the_information_structure_deals_what_the_law_deals(game: Game) -> None:
    """Counting engines are told the numbers of cards by the game; the law file has them too."""
    duel = game.duel
    assert duel is not None
    law = game.chapter
    assert (duel.player_cards, duel.dealer_cards) == tuple(
        law.figure(name, date(2024, 6, 1)).value for name in ("player_cards", "dealer_cards")
    )
    ups = [any(step.face_up for step in deal.steps) for deal in law.deals]
    assert set(ups) == {duel.up_card}
