"""What must hold for every lawful round of every registered game."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pitboss.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Card, card_of, rank_of, suit_of
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import Round, Seat, own_place, owner
from pitboss.games.settlement import Line, LineResult, Pay, Settlement
from pitboss.law.loader import CHAPTERS
from pitboss.law.odds import FixedSum, MeterShare
from pitboss.meters import UNITS_PER_CENT
from tests.strategies import Scenario, between, one_of, rounds

# Derandomized: the same rounds on every machine; over its properties a game has several hundred.
quick = settings(
    max_examples=30,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
wide = settings(quick, max_examples=50)
widest = settings(quick, max_examples=100)


def every_game(**proves: tuple[str, ...]) -> pytest.MarkDecorator:
    """All registered games; ``proves`` names, by chapter as ``c641a``, the paragraphs that the property proves."""
    params = []
    for name, game in GAMES.items():
        cites = proves.get(f"c{game.chapter.chapter}", ())
        params.append(pytest.param(name, marks=[pytest.mark.law(*cites)] if cites else []))
    return pytest.mark.parametrize("name", params)


Shown = tuple[int, str, int, LineResult, int, int | None]


def amounts(settlement: Settlement) -> list[Shown]:
    """The lines without their words."""
    return [(x.seat, x.wager, x.stake, x.result, x.net, x.holder) for x in settlement.lines]


# Money


@every_game(
    c641a=("641a.12(d)(3)", "641a.12(e)(3)", "641a.12(g)(4)"),
    c649a=("649a.12(e)(3)", "649a.12(h)(3)", "649a.12(i)(4)", "649a.12(j)(3)"),
)
@widest
@given(data=st.data())
def test_money_is_conserved(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    settlement = scenario.settle()
    balance: dict[str, int] = defaultdict(int)
    for movement in settlement.movements:
        assert movement.amount >= 0
        balance[movement.source] -= movement.amount
        balance[movement.target] += movement.amount
    players = sum(line.net for line in settlement.lines) * UNITS_PER_CENT
    meters = _meter_changes(scenario, settlement)
    house = _house(scenario, settlement)
    assert players + house + sum(meters.values()) == 0
    assert balance["players"] == players
    assert balance["house"] == house
    assert {account: moved for account, moved in balance.items() if account not in ("players", "house") and moved} == {
        account: change for account, change in meters.items() if change
    }


def _meter_changes(scenario: Scenario, settlement: Settlement) -> dict[str, int]:
    """What each account of each meter gained, from the meters before and after."""
    opening = scenario.opening()
    assert set(opening) == set(settlement.meters)
    changes: dict[str, int] = {}
    for name, closing in settlement.meters.items():
        assert closing.reserve >= 0
        changes[f"meter {name} reserve"] = closing.reserve - opening[name].reserve
        for tier, amount in closing.amounts.items():
            assert amount >= 0
            changes[f"meter {name} {tier}"] = amount - opening[name].amounts[tier]
    return changes


def _house(scenario: Scenario, settlement: Settlement) -> int:
    """What the house gained, counted without the movements: stakes and prizes of the lines, increments, reseeds."""
    rules = scenario.rules
    total = 0
    for line in settlement.lines:
        from_meter = "meter" in line.odds or "jackpot" in line.odds
        total += (line.stake if from_meter else -line.net) * UNITS_PER_CENT
    for seat in scenario.played.seats:
        for wager, stake in seat.wagers.items():
            named = rules.wager_named(wager)
            assert named is not None
            if named.meter:
                spec = rules.meters[named.meter]
                increment = stake * UNITS_PER_CENT * (sum(spec.rate.values()) + spec.reserve)
                assert increment.denominator == 1
                total -= int(increment)
    return total - sum(m.amount for m in settlement.movements if (m.source, m.reason) == ("house", "reseed"))


# Suits

SUIT_ROWS = {
    "mini_royal_of_spades": SPADES,
    "royal_flush_of_spades": SPADES,
    "six_card_royal_of_diamonds": DIAMONDS,
}
COLOUR_ROWS = {"same_colored_five", "five_same_color", "four_same_color", "three_same_color"}


def _rows_in_play(scenario: Scenario) -> set[str]:
    """Rows of the tables that can decide something here: of the wagers made, and of the tables that no wager names."""
    rules = scenario.rules
    made = {w.name: w for s in scenario.played.seats for n in s.wagers if (w := rules.wager_named(n)) is not None}
    idle = {w.paytable for w in rules.wagers.values()} - {w.paytable for w in made.values()}
    rows = {row for table, printed in rules.tables.items() if table not in idle for row in printed.rows}
    return rows | {row for wager in made for envy in rules.envies.get(wager, ()) for row in envy.rows}


def _lawful_permutations(rows: set[str]) -> list[tuple[int, ...]]:
    """Changes of suit that the law cannot see: they keep the suits it names and, where it looks at colours, those."""
    kept = {suit for row, suit in SUIT_ROWS.items() if row in rows}
    colours = bool(COLOUR_ROWS & rows)
    return [
        order
        for order in permutations(range(4))
        if order != (CLUBS, DIAMONDS, HEARTS, SPADES)
        and all(order[suit] == suit for suit in kept)
        and (not colours or {order[DIAMONDS], order[HEARTS]} in ({DIAMONDS, HEARTS}, {CLUBS, SPADES}))
    ]


def _map_cards(played: Round, change: Callable[[Card], Card]) -> Round:
    def mapped(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(change(card) for card in cards)

    def of_seat(seat: Seat) -> Seat:
        made = {
            step: replace(each, discard=mapped(each.discard), drawn=mapped(each.drawn))
            for step, each in seat.decisions.items()
        }
        return replace(seat, cards=mapped(seat.cards), decisions=made)

    return replace(
        played,
        dealer=mapped(played.dealer),
        seats=tuple(of_seat(seat) for seat in played.seats),
        extras={name: mapped(cards) for name, cards in played.extras.items()},
        magic_card=None if played.magic_card is None else change(played.magic_card),
    )


@every_game(c641a=("641a.6(a)",), c649a=("649a.6(a)",), c671a=("671a.6(a)",), c684a=("684a.6(a)",))
@wide
@given(data=st.data())
def test_permuting_suits_changes_no_amount(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    order = data.draw(one_of(*_lawful_permutations(_rows_in_play(scenario))))
    permuted = scenario.with_round(_map_cards(scenario.played, lambda c: card_of(rank_of(c), order[suit_of(c)])))
    before, after = scenario.settle(), permuted.settle()
    assert amounts(after) == amounts(before)
    assert after.meters == before.meters


# Tabulated and settled


def _tabulated(scenario: Scenario, settlement: Settlement) -> Iterator[tuple[Line, Pay | None]]:
    """Each line that a rule of the game decided, with the entry of that rule's table for the outcome."""
    rules, played, lines = scenario.rules, scenario.played, scenario.game.lines
    tables: dict[str, Mapping[tuple[Any, ...], Pay | None]] = {}
    envies = {table.line for tables_of in rules.envies.values() for table in tables_of}
    last = ""
    for line in settlement.lines:
        if line.wager in envies:
            continue
        rule, seen_from = line.wager, line.seat
        if (made := rules.wager_named(rule)) and made.on_another_seat:
            rule, seen_from = "super", int(rule.rpartition("_")[2])
        elif rule not in lines.rules:
            # Additional lines stand right after the wager on the hand that earned them, and are named for it.
            whose = last.rpartition("_")[2]
            rule = f"{rule} {whose if whose == 'dealer' else 'player'}"
        else:
            last = rule
        seat = played.seat(seen_from)
        assert seat is not None
        if rule not in tables:
            tables[rule] = lines.tabulate(rule, rules)
        yield line, tables[rule][lines.code(rule, scenario.game.outcome(rules, played, seat))]


@every_game()
@wide
@given(data=st.data())
def test_an_outcome_tabulated_equals_the_outcome_settled(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    for line, pay in _tabulated(scenario, scenario.settle()):
        assert pay is not None
        assert (pay.result, pay.cite, pay.odds_cite) == (line.result, line.cite, line.odds_cite)
        assert ("" if pay.odds is None else str(pay.odds)) == line.odds
        match pay.odds:
            case MeterShare():
                assert pay.per_unit() is None
                assert line.net >= -line.stake
            case FixedSum(amount):
                assert pay.per_unit() is None
                assert line.net == amount
            case _:
                per_unit = pay.per_unit()
                assert per_unit is not None
                owed = per_unit * line.stake
                limited = "payout limit" in line.why
                assert line.net < owed if limited else 0 <= owed - line.net < 1


@every_game(c684a=("684a.12(g)",))
@wide
@given(data=st.data())
def test_every_wager_is_settled_once_and_nobody_is_paid_beyond_the_limit(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    settlement = scenario.settle()
    for seat in scenario.played.seats:
        own = [line for line in settlement.lines if line.seat == seat.number]
        stakes = scenario.game.due(scenario.rules, scenario.played, seat)
        assert sorted((line.settles, line.stake) for line in own if line.settles) == sorted(stakes.items())
        for cap in scenario.rules.caps:
            spared = [scenario.rules.table_cite(table) for table in cap.spares]
            capped = [line for line in own if line.wager in cap.wagers and line.odds_cite not in spared]
            assert sum(max(line.net, 0) for line in capped) <= cap.most


# Order and seats


@every_game(c641a=("641a.11(c)(2)",), c671a=("671a.11(d)(2)",), c684a=("684a.11(b)",))
@quick
@given(data=st.data())
def test_the_order_of_a_players_cards_changes_nothing(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    rng = Random(data.draw(between(0, 2**32 - 1)))

    def mixed(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(rng.sample(cards, len(cards)))

    seats = []
    for seat in scenario.played.seats:
        made = {
            step: replace(each, discard=mixed(each.discard), drawn=mixed(each.drawn))
            for step, each in seat.decisions.items()
        }
        seats.append(replace(seat, cards=mixed(seat.cards), decisions=made))
    rng.shuffle(seats)
    before = scenario.settle()
    after = scenario.with_round(replace(scenario.played, seats=tuple(seats))).settle()
    assert amounts(after) == amounts(before)
    assert after.meters == before.meters


@every_game()
@wide
@given(data=st.data())
def test_moving_seats_without_changing_their_order_changes_only_their_numbers(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    played, most = scenario.played, scenario.rules.seats
    old = [seat.number for seat in played.clockwise()]
    new = sorted(data.draw(st.permutations(range(1, most + 1)))[: len(old)])
    moved = dict(zip(old, new, strict=True))

    def renamed(wager: str) -> str:
        made = scenario.rules.wager_named(wager)
        on_seat = made is not None and made.on_another_seat
        return f"{made.name}_{moved[int(wager.rpartition('_')[2])]}" if made and on_seat else wager

    position = played.lucky_position
    renumbered = replace(
        played,
        seats=tuple(
            replace(s, number=moved[s.number], wagers={renamed(w): stake for w, stake in s.wagers.items()})
            for s in played.seats
        ),
        extras={
            place if (seat := owner(place)) is None else own_place(place.partition(" ")[0], moved[seat]): cards
            for place, cards in played.extras.items()
        },
        # A position where nobody plays has no counterpart.
        lucky_position=moved.get(position) if isinstance(position, int) else position,
    )
    before, after = scenario.settle(), scenario.with_round(renumbered).settle()
    assert amounts(after) == [
        (moved[seat], renamed(wager), stake, result, net, None if holder is None else moved[holder])
        for seat, wager, stake, result, net, holder in amounts(before)
    ]
    assert after.meters == before.meters


# Purity, folds, cites


@every_game()
@quick
@given(data=st.data())
def test_settling_is_pure(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    kept = deepcopy((scenario.played, scenario.displayed, scenario.reserves))
    first = scenario.settle()
    assert (scenario.played, scenario.displayed, scenario.reserves) == kept
    assert scenario.settle() == first


@every_game(
    c641a=("641a.11(b)", "641a.11(b)(1)", "641a.11(b)(2)"),
    c649a=("649a.11(b)", "649a.11(b)(1)", "649a.11(b)(2)"),
    c671a=("671a.11(c)(4)", "671a.11(d)(4)"),
    c684a=("684a.11(b)(2)",),
)
@quick
@given(data=st.data())
def test_a_folded_seat_never_gains_from_what_it_forfeits(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    settlement = scenario.settle()
    for seat in scenario.played.seats:
        own = [line for line in settlement.lines if line.seat == seat.number]
        forfeited = {line.wager for line in own if line.result == LineResult.FORFEIT}
        if not seat.folded:
            assert forfeited == set()
            continue
        stakes = scenario.game.stakes(scenario.rules, seat)
        assert forfeited == (scenario.game.course.forfeited or {scenario.game.course.unit}) & set(stakes)
        for line in own:
            assert line.wager not in {"ante_bonus", "second_combination"}
            if line.wager in forfeited:
                assert (line.result, line.net) == (LineResult.FORFEIT, -line.stake)


@cache
def paragraphs() -> frozenset[str]:
    folder = files("pitboss.law").joinpath("paragraphs")
    texts = [folder.joinpath(f"{chapter}.tsv").read_text(encoding="utf-8") for chapter in CHAPTERS]
    return frozenset(row.split("\t")[0] for text in texts for row in text.splitlines() if row)


@every_game()
@quick
@given(data=st.data())
def test_every_cite_of_a_line_is_a_paragraph_of_the_chapter(name: str, data: st.DataObject) -> None:
    scenario = data.draw(rounds(name))
    chapter = scenario.rules.chapter.chapter
    carried = paragraphs() | {str(entry.cite) for entry in scenario.rules.chapter.entries()}
    for line in scenario.settle().lines:
        assert line.cite in carried
        assert line.cite.startswith(f"{chapter}.")
        assert bool(line.odds) == bool(line.odds_cite)
        if line.odds_cite:
            assert line.odds_cite in carried
            assert line.odds_cite.startswith(f"{chapter}.")
