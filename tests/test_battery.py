"""What every registered game must satisfy, whatever its rules: a new game is tested the moment it is registered."""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from importlib.util import find_spec
from math import prod
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from pitboss.cards import DECK, shuffled
from pitboss.games import deal
from pitboss.games.contract import Game
from pitboss.games.facts import Compare
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.settle import settle, verify
from pitboss.games.walk import chance, play_plainly, start
from pitboss.hands.labels import TITLES, row_of
from pitboss.law.index import paragraphs as index
from pitboss.law.model import Device, PayTable, in_force
from pitboss.law.odds import Odds
from tests.book import book_of
from tests.strategies import AS_OF, PLAYED
from tests.test_properties import paragraphs

games = pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in GAMES.items()])


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
    numbers = [section.cite.section for section in chapter.sections]
    assert numbers == (sorted(set(numbers)) if chapter.partly else list(range(1, len(numbers) + 1)))


@games
def test_every_entry_of_the_chapter_cites_a_paragraph(game: Game) -> None:
    printed = [
        entry for entry in game.chapter.entries() if not getattr(entry, "source", "") and entry.key[:4] != "note"
    ]
    missing = [entry.key for entry in printed if str(entry.cite) not in paragraphs()]
    assert missing == []


@games
def test_every_wager_has_limits_and_a_pay_table(game: Game) -> None:
    rules = rules_of(game)
    names = {wager.name for wager in game.chapter.wagers}
    for wager in rules.wagers.values():
        limits = rules.limits(wager.name)
        assert 0 < limits.minimum <= limits.maximum
        assert (wager.paytable in rules.tables) != game.course.contest
        assert not wager.meter or wager.meter in rules.meters
        assert {*wager.needs_any, *wager.needs_all} <= names
        assert (wager.placed == "after") <= bool(wager.needs_all)


@games
def test_every_row_has_a_title(game: Game) -> None:
    printed = [tuple(table.rows) for table in game.chapter.paytables] + [
        tuple(envy.rows) for envy in game.chapter.envies
    ]
    named = {row for _, row in game.chapter.row_names}
    assert {row for rows in printed for row in rows} <= {*TITLES, *named}
    assert all(printed)


@games
def test_names_of_wagers_and_lines_are_the_published_ones(game: Game) -> None:
    """Files and scripts of other people use them; the book beside a game's cases has them all."""
    chapter = game.chapter
    lines = {rule.partition(" ")[0] for rule in game.lines.rules}
    picked = {name for wager in chapter.wagers if wager.picks for name in wager.names(9)}
    used = {wager.name for wager in chapter.wagers} | (lines - picked) | {envy.line for envy in chapter.envies}
    assert used == set(book_of(game.name)["names"].split())


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
        paid = any(pay is not None for pay in pays.values())
        unknown = {row for table in rules.tables.values() for row in table.open_rows}
        assert paid or any(name in wager.names(1) for wager in game.chapter.wagers if wager.name in unknown)
        for pay in filter(None, pays.values()):
            assert known(game, pay.cite)
            assert (pay.odds is None) == (pay.odds_cite == "")
            assert pay.odds is None or known(game, pay.odds_cite)
            assert (pay.odds is not None) == (pay.result == "win")
            assert pay.why.endswith(".")


@games
def test_every_wager_has_a_line(game: Game) -> None:
    """A wager on another seat's hand is settled by the line of that hand; a pot by no pay table."""
    if game.course.contest:
        return
    names = {name for wager in game.chapter.wagers if not wager.on_another_seat for name in wager.names(1)}
    assert names <= set(game.lines.rules)


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
        # Lines made inside a function are named by that function, or where several games register them.
        outer = place.partition(".<locals>")[0]
        cites = {pay.cite for pay in game.lines.tabulate(rule.name, rules_of(game)).values() if pay is not None}
        assert {outer, f"{rule.pay.__module__}.register"} & named or not cites & paragraphs(), rule.name


# Dealing and playing


def _deals() -> list[Any]:
    """Every game and device that deals cards, proving the paragraphs of the deal and of its steps."""
    return [
        pytest.param(
            game,
            each.device,
            id=f"{game.name} {each.device}",
            marks=[pytest.mark.law(str(each.cite))] if each.cite in index() else [],
        )
        for game in GAMES.values()
        for each in in_force(game.chapter.deals, AS_OF)
        if any(step.cards for step in each.steps)
    ]


def known(game: Game, cite: str) -> bool:
    """Whether a paragraph is printed, or carried on another source."""
    return cite in paragraphs() or any(str(entry.cite) == cite for entry in game.chapter.entries())


@pytest.mark.parametrize(("game", "device"), _deals())
def test_every_device_deals_each_hand_its_cards(game: Game, device: Device) -> None:
    rules = rules_of(game)
    sizes = {figure.name: figure.value for figure in in_force(game.chapter.figures, AS_OF)}
    before = {name: 100 for name, wager in rules.wagers.items() if wager.placed == "before"}
    first = [step for step in deal.deal_of(rules, device).steps if not step.later]
    places = {step.to for step in first} - set(PLAYED)
    each = sum(step.cards * step.times for step in first if step.to.startswith("players") and not step.stack)
    held = each if game.course.contest else sizes["player_cards"]
    seen = {card for step in first if step.face_up and step.to == "players" for card in DECK}
    for seats in range(1, rules.seats + 1):
        deck = shuffled(Random(seats))
        played, dealing = deal.deal_round(rules, dict.fromkeys(range(1, seats + 1), before), deck, device)
        assert [seat.number for seat in played.seats] == list(range(1, seats + 1))
        assert {len(seat.cards) for seat in played.seats} == {held}
        assert len(played.dealer) == sizes.get("dealer_cards", 0)
        assert {place.partition(" ")[0] for place in played.extras} == places
        assert sorted([*(dealt.card for dealt in dealing.order), *dealing.stack, *dealing.stub]) == list(DECK)
        assert set(dealing.up()) <= {*played.dealer, *(c for cards in played.extras.values() for c in cards), *seen}


@pytest.mark.parametrize(("game", "device"), _deals())
def test_no_extra_card_is_dealt_when_nobody_wagered_on_it(game: Game, device: Device) -> None:
    rules = rules_of(game)
    steps = deal.deal_of(rules, device).steps
    needing = {wager for step in steps for wager in step.when}
    plain = {name: stake for name, stake in game.plain_wagers.items() if name not in needing}
    played, _ = deal.deal_round(rules, {1: plain, 3: plain}, list(DECK), device)
    assert set(played.extras) == {step.to for step in steps if not step.when and not step.later} - set(PLAYED)
    assert [seat.number for seat in played.seats] == [1, 3]


@games
def test_plain_decisions_are_lawful(game: Game) -> None:
    rules = rules_of(game)
    for seed in range(60):
        seats = max(1 + seed % rules.seats, rules.least_players)
        wagers = dict.fromkeys(range(1, seats + 1), game.plain_wagers)
        devices = [each.device for each in in_force(game.chapter.deals, AS_OF)]
        source = chance(rules, Random(seed))
        played = play_plainly(rules, start(rules, wagers, source, devices[seed % len(devices)])).played
        assert verify(rules, played) == ()
        settlement = settle(rules, played)
        assert {line.seat for line in settlement.lines} == set(wagers)


@games
def test_a_walk_asks_each_seat_what_its_course_asks(game: Game) -> None:
    """Every option that is offered is lawful, and the same sight gives the same plain decision."""
    rules = rules_of(game)
    for seed in range(30):
        state = start(rules, {1: game.plain_wagers, 2: game.plain_wagers}, chance(rules, Random(seed)))
        while not state.is_over:
            assert all(option.name in game.decisions for option in state.options)
            decision = game.plain_decision(rules, state.sight)
            assert state.findings(decision) == ()
            assert game.plain_decision(rules, state.sight) == decision
            state = state.apply(decision)
        assert state.settle().findings == ()


@games
def test_the_information_structure_deals_what_the_law_deals(game: Game) -> None:
    """Counting engines are told the numbers of cards by the game; the law file has them too."""
    duel = game.duel
    if duel is None:
        several = len(game.course.decides) > 1
        assert several or not any(isinstance(fact, Compare) for fact in game.lines.facts.by_name.values())
        return
    law = game.chapter
    assert (duel.player_cards, duel.dealer_cards) == tuple(
        law.figure(name, date(2024, 6, 1)).value for name in ("player_cards", "dealer_cards")
    )
    ups = [any(step.face_up for step in deal.steps) for deal in law.deals]
    assert set(ups) == {duel.up_card}
