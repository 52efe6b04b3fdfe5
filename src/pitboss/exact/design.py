"""Pay tables to order: every table that pays a wager as wished, or the best of them, or a proof that there is none.

The value of a side wager is a sum over its rows: what a row pays, times the deals that it pays. So a wished hold is a
range for a sum of whole numbers, and the tables are found by branch and bound. Rows are set from the lowest hand, which
comes most often, to the highest; the rest of a table is bounded by the least and the most that its rows can still pay.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import ceil, comb, floor, sqrt
from operator import mul
from typing import Any, Final

import numpy as np

from pitboss.exact.conditions import Conditions
from pitboss.exact.design_kernels import ALL, ANY_ORDER, LIVELY, MIDDLE, NEAR, STEADY, Ints, search
from pitboss.exact.edge import DEFAULT_STAKE, MAIN, Variant, conditions_of_variant
from pitboss.exact.figures import EdgeFigures, figures_of, outcomes_of
from pitboss.exact.seen_card import seen_card
from pitboss.exact.side import side_result
from pitboss.exact.whatif import tables_of as tables_behind
from pitboss.exact.wishes import Taste, Wishes
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.law.odds import MOST_RATE, ForOne, ToOne
from pitboss.money import Cents
from pitboss.names import all_shown, several, shown

MOST_STEPS: Final = 30_000_000
"""Rows that one search sets before it says that it stopped early."""
USUAL_TOP: Final = Fraction(1_000)
CHECKED: Final = 20
"""Tables that the engine counts again; all follow from the same counts."""
SLICES: Final = 24
"""Parts of the wished range of holds for which the frontier has the least and the largest deviation."""
KINDS: Final[Mapping[str, int]] = {"all": ALL, "near": NEAR, "steady": STEADY, "lively": LIVELY, "middle": MIDDLE}
CARD: Final = re.compile(r"[2-9TJQKA][cdhs]")
Rates = dict[str, Fraction | None]
"""What each row pays; ``None`` for nothing."""


@dataclass(frozen=True)
class DesignedTable:
    """A table with its exact figures."""

    pays: Mapping[str, ToOne | ForOne | None]
    """Every row from the highest hand; ``None`` pays nothing."""
    hold: Fraction
    variance: Fraction
    hit_frequency: Fraction
    seen: Fraction | None = None
    """What it is worth to a player who knows the best card of its hand, where that is counted."""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def as_dict(self) -> dict[str, Any]:
        seen = {} if self.seen is None else {"player_edge_with_a_known_card": float(self.seen)}
        return seen | {
            "pays": {row: None if odds is None else str(odds) for row, odds in self.pays.items()},
            "house_edge": float(self.hold),
            "house_edge_exactly": str(self.hold),
            "standard_deviation": self.standard_deviation,
            "hit_frequency": float(self.hit_frequency),
        }


@dataclass(frozen=True)
class Extremes:
    """The least and the largest deviation of the tables whose hold lies in one part of the wished range."""

    steady: DesignedTable
    lively: DesignedTable


@dataclass(frozen=True)
class DesignSearch:
    """What was found: tables in the order of the taste, or the holds that come nearest where there is none."""

    rules: Rules
    conditions: Conditions
    wishes: Wishes
    taste: Taste
    law: DesignedTable
    """The table as it is now."""
    table: str
    tables: tuple[DesignedTable, ...]
    best: bool
    """Whether no table is better by the taste than those listed; a search that stopped early can't say."""
    count: int
    """How many tables there are; of a search that stopped early, how many it found."""
    complete: bool
    below: DesignedTable | None = None
    """Where there is no table: the one with the largest hold under the range."""
    above: DesignedTable | None = None
    """The same with the smallest hold over it."""
    instead: tuple[str, ...] = ()
    """Which single wish, dropped, makes it possible."""
    frontier: tuple[Extremes, ...] = ()
    decided: tuple[int, int] | None = None
    """Of main wagers without such a table: how many tables are proved to lie beside the range, and of how many."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.rules.game,
            "table": self.table,
            "wishes": self.wishes.words,
            "house_edge_from": float(self.wishes.low),
            "house_edge_to": float(self.wishes.high),
            "taste": self.taste,
            "best": self.best,
            "count": self.count,
            "complete": self.complete,
            "now": self.law.as_dict(),
            "tables": [each.as_dict() for each in self.tables],
            "nearest_below": self.below.as_dict() if self.below else None,
            "nearest_above": self.above.as_dict() if self.above else None,
            "possible": list(self.instead),
            **({} if self.decided is None else {"proved_beside_the_range": self.decided[0], "of": self.decided[1]}),
            "frontier": [{"steady": each.steady.as_dict(), "lively": each.lively.as_dict()} for each in self.frontier],
            **self.conditions.as_dict(),
        }


@dataclass(frozen=True)
class Payout:
    """A row that can be designed: in how many deals it pays, and how."""

    row: str
    odds: ToOne | ForOne
    ways: int

    @property
    def off(self) -> int:
        """What "for 1" includes of the stake."""
        return -1 if isinstance(self.odds, ForOne) else 0

    def paying(self, rate: Fraction) -> ToOne | ForOne:
        return type(self.odds)(rate)


@dataclass(frozen=True)
class KnownCard:
    """What a wager is worth to a player who knows a card of its hand: a sum over the rows."""

    cards: int
    """Hands that hold the card."""
    rest: Fraction
    """The nets of all of them, if every row returned nothing but what its odds don't name."""
    ways: tuple[int, ...]
    """Of each row, the lowest hand first."""


@dataclass(frozen=True)
class DesignRows:
    """What a wager's result is made of: rows to design, from the lowest hand up, and results that stay as they are."""

    table: str
    rows: tuple[Payout, ...]
    fixed: Mapping[Fraction, int]
    """Net per unit wagered, with the deals, of everything that no such row pays."""
    known: tuple[KnownCard, ...] = ()
    """By the card that a player may know, equal ones once; empty where nobody asks."""

    @cached_property
    def law(self) -> dict[str, Fraction]:
        """What the rows pay now."""
        return {row.row: row.odds.rate for row in self.rows}

    @property
    def deals(self) -> int:
        return sum(row.ways for row in self.rows) + sum(self.fixed.values())

    def others(self, paying: Iterable[Payout]) -> tuple[Fraction, Fraction]:
        """What everything else adds to the nets, and to their squares, if only these rows pay."""
        unpaid = sum(row.ways for row in self.rows) - sum(row.ways for row in paying)
        nets = sum((net * ways for net, ways in self.fixed.items()), Fraction(-unpaid))
        return nets, sum((net**2 * ways for net, ways in self.fixed.items()), Fraction(unpaid))

    def figures(self, rates: Mapping[str, Fraction | None]) -> DesignedTable:
        """The exact figures if each row pays so; ``None`` loses the stake."""
        nets = dict(self.fixed)
        for row in self.rows:
            rate = rates[row.row]
            net = Fraction(-1) if rate is None else rate + row.off
            nets[net] = nets.get(net, 0) + row.ways
        mean = sum((net * ways for net, ways in nets.items()), Fraction(0)) / self.deals
        square = sum((net**2 * ways for net, ways in nets.items()), Fraction(0)) / self.deals
        hits = Fraction(sum(ways for net, ways in nets.items() if net > 0), self.deals)
        pays = {row.row: None if (rate := rates[row.row]) is None else row.paying(rate) for row in reversed(self.rows)}
        return DesignedTable(pays, -mean, square - mean**2, hits, self.seen(rates))

    def seen(self, rates: Mapping[str, Fraction | None]) -> Fraction | None:
        """What the best card to know makes of the wager."""
        listed = [Fraction(-1 - row.off) if (rate := rates[row.row]) is None else rate for row in self.rows]
        return max(
            ((card.rest + sum(map(mul, card.ways, listed), Fraction(0))) / card.cards for card in self.known),
            default=None,
        )  # fmt: skip


def with_known_cards(payouts: DesignRows, game: Game, rules: Rules, wager: str, stake: Cents) -> DesignRows:
    """The same with the rows by each card that a player may know of the hand.

    The worth of a wager is a sum over its rows, so that one unit more on a row shows in how many hands it pays.
    """
    plain = _by_card(game, rules, wager, stake)
    ways: dict[str, list[int]] = {card: [] for card in plain}
    cards = comb(51, seen_card(game, rules, wager, stake).cards - 1)
    for row in payouts.rows:
        more = with_rows(rules, payouts.table, {row.row: row.paying(payouts.law[row.row] + 1)})
        for card, worth in _by_card(game, more, wager, stake).items():
            paid = (worth - plain[card]) * cards
            assert paid.denominator == 1, "a row pays whole hands"
            ways[card].append(int(paid))
    found: dict[KnownCard, None] = {}
    for card, worth in plain.items():
        own = sum(
            (many * payouts.law[row.row] for many, row in zip(ways[card], payouts.rows, strict=True)), Fraction(0)
        )
        found[KnownCard(cards, worth * cards - own, tuple(ways[card]))] = None
    return replace(payouts, known=tuple(found))


def _by_card(game: Game, rules: Rules, wager: str, stake: Cents) -> dict[str, Fraction]:
    """What a wager is worth by each single card; ranks whose cards are worth the same are named once."""
    found: dict[str, Fraction] = {}
    for named, worth in seen_card(game, rules, wager, stake).by_card.items():
        alike = [f"{named}{suit}" for suit in "cdhs"] if len(named) == 1 else CARD.findall(named)
        found |= dict.fromkeys(alike, worth)
    assert len(found) == 52, "every card can be the one that is known"
    return found


def payouts_of(figures: EdgeFigures) -> DesignRows:
    """The rows behind the figures of a side wager; those that no odds alone decide stay as they are."""
    ways: dict[tuple[str, str], int] = {}
    fixed: dict[Fraction, int] = {}
    for outcome in outcomes_of(figures):
        paid = outcome.paid_by
        if paid is not None and isinstance(paid.odds, ToOne | ForOne):
            ways[paid.table, paid.row] = ways.get((paid.table, paid.row), 0) + outcome.ways
        else:
            fixed[outcome.net] = fixed.get(outcome.net, 0) + outcome.ways
    tables = dict.fromkeys(table for table, _ in ways)
    if len(tables) != 1:
        raise UnreadableError(f"{figures.name} has no pay table of odds that could be designed.")
    (table,) = tables
    listed = [
        Payout(row, odds, ways[table, row])
        for row, odds in figures.rules.tables[table].rows.items()
        if isinstance(odds, ToOne | ForOne) and (table, row) in ways
    ]
    return DesignRows(table, tuple(reversed(listed)), fixed)


@dataclass(frozen=True)
class _Task:
    """The same question for rows that all pay; those below them lose. In whole multiples of the unit."""

    payouts: DesignRows
    wishes: Wishes
    paying: tuple[Payout, ...]

    @property
    def gap(self) -> int:
        return {"below": 1, "level": 0, "any": ANY_ORDER}[self.wishes.order]

    @cached_property
    def others(self) -> tuple[Fraction, Fraction]:
        return self.payouts.others(self.paying)

    @cached_property
    def sums(self) -> tuple[int, int]:
        """Between which the sum of ways times multiples lies."""
        own = self.others[0] + sum(row.off * row.ways for row in self.paying)
        deals, unit = self.payouts.deals, self.wishes.unit
        return ceil((-self.wishes.high * deals - own) / unit), floor((-self.wishes.low * deals - own) / unit)

    @cached_property
    def bounds(self) -> tuple[list[int], list[int]]:
        """The least and the most multiples for each row, narrowed by their order."""
        wishes, gap, least, most = self.wishes, self.gap, [], []
        for row in self.paying:
            low, high = wishes.bounds.get(row.row, (wishes.unit - row.off, Fraction(MOST_RATE)))
            high = high if wishes.top is None else min(high, wishes.top)
            least.append(max(0, ceil(low / wishes.unit)))
            most.append(min(floor(high / wishes.unit), max(0, self.sums[1]) // row.ways))
        if gap != ANY_ORDER:
            for place in range(1, len(least)):
                least[place] = max(least[place], least[place - 1] + gap)
            for place in range(len(most) - 2, -1, -1):
                most[place] = min(most[place], most[place + 1] - gap)
        return least, most

    @cached_property
    def seen(self) -> tuple[Ints, Ints]:
        """By the known card: the ways of the rows that pay, and the most that their sum with the pays may be."""
        most, unpaid = self.wishes.seen, len(self.payouts.rows) - len(self.paying)
        known = self.payouts.known if most is not None else ()
        caps = []
        for card in known:
            lost = sum(map(mul, card.ways, (-1 - row.off for row in self.payouts.rows[:unpaid])), Fraction(0))
            caps.append(floor(((most or 0) * card.cards - card.rest - lost) / self.wishes.unit))
        ways = np.array([card.ways[unpaid:] for card in known], np.int64).reshape(len(known), len(self.paying))
        return ways, np.array(caps, np.int64)

    def found(
        self, taste: int, room: int, law: Mapping[str, Fraction], aim: Fraction, steps: int
    ) -> tuple[list[Rates], int, int]:
        """Tables, how many there are (of a taste: at least those listed), and the steps that it took."""
        least, most = self.bounds
        if any(low > high for low, high in zip(least, most, strict=True)) or self.sums[0] > self.sums[1]:
            return [], 0, 0
        if max(*self.sums, *(row.ways * top for row, top in zip(self.paying, most, strict=True))) > 2**56:
            raise UnreadableError("There are too many deals to design this table exactly.")
        unit, wishes = self.wishes.unit, self.wishes
        spread = wishes.deviation or (Fraction(0), Fraction(10**9))
        own = self.others[0] + sum(row.off * row.ways for row in self.paying)
        kept, scores = np.zeros((room, len(self.paying)), np.int64), np.full(room, np.inf)
        count, held, taken = search(
            np.array([row.ways for row in self.paying], np.int64),
            np.array(least, np.int64),
            np.array(most, np.int64),
            self.gap,
            *self.sums,
            np.array([*(each**2 for each in spread), self.payouts.deals, *self.others], np.float64),
            taste,
            round((-aim * self.payouts.deals - own) / unit),
            np.array([law.get(row.row, 0) / unit for row in self.paying], np.float64),
            float(unit),
            float(self.paying[0].off),
            kept,
            scores,
            steps,
            *self.seen,
        )
        unpaid: Rates = dict.fromkeys(row.row for row in self.payouts.rows)
        tables = [
            unpaid | {row.row: int(pay) * unit for row, pay in zip(self.paying, table, strict=True)}
            for table in kept[:held]
        ]
        return tables, count, taken


def _tasks(payouts: DesignRows, wishes: Wishes) -> Iterator[_Task]:
    """One for each number of low rows that pay nothing. Rows with bounds pay; without a wish for hits all do."""
    bounded = (place for place, row in enumerate(payouts.rows) if row.row in wishes.bounds)
    most_unpaid = next(bounded, len(payouts.rows) - 1) if wishes.hits is not None else 0
    for unpaid in range(most_unpaid + 1):
        paying = payouts.rows[unpaid:]
        hits = sum(row.ways for row in paying) + sum(ways for net, ways in payouts.fixed.items() if net > 0)
        if wishes.hits is None or wishes.hits[0] <= Fraction(hits, payouts.deals) <= wishes.hits[1]:
            yield _Task(payouts, wishes, paying)


def tables_of(
    payouts: DesignRows,
    wishes: Wishes,
    taste: Taste,
    room: int,
    steps: int = MOST_STEPS,
    aim: Fraction | None = None,
) -> tuple[list[DesignedTable], int, bool]:
    """The best tables by a taste, how many there are, and whether the search went to its end."""
    aim = (wishes.low + wishes.high) / 2 if aim is None else aim
    found: list[DesignedTable] = []
    count = 0
    for task in _tasks(payouts, wishes):
        tables, more, taken = task.found(KINDS[taste], room, payouts.law, aim, steps)
        found += map(payouts.figures, tables)
        count, steps = count + more, steps - taken
        if steps < 0:
            return in_order(found, payouts.law, aim, taste)[:room], count, False
    return in_order(found, payouts.law, aim, taste)[:room], count, True


def near_tables(payouts: DesignRows, wishes: Wishes, room: int) -> tuple[list[DesignedTable], bool]:
    """The tables with the fewest rows changed: first none, then each row alone, then each two rows, and so on."""
    law, steps = payouts.law, MOST_STEPS
    found: dict[tuple[Fraction | None, ...], DesignedTable] = {}
    for changed in range(len(payouts.rows) + 1):
        for task in _tasks(payouts, wishes):
            free = changed - (len(payouts.rows) - len(task.paying))
            for rows in combinations(task.paying, free) if 0 <= free <= len(task.paying) else ():
                held = {row.row: (law[row.row],) * 2 for row in task.paying if row not in rows}
                if all(low <= law[row] <= high for row, (low, high) in wishes.bounds.items() if row in held):
                    only = replace(task, wishes=replace(wishes, bounds={**wishes.bounds, **held}))
                    tables, _, taken = only.found(NEAR, room, law, wishes.low, steps)
                    found.update((tuple(rates.values()), payouts.figures(rates)) for rates in tables)
                    steps -= taken
                    if steps < 0:
                        return in_order(found.values(), law, wishes.low, "near")[:room], False
        if len(found) >= room:
            break
    return in_order(found.values(), law, wishes.low, "near")[:room], True


def in_order(
    found: Iterable[DesignedTable], law: Mapping[str, Fraction], aim: Fraction, taste: Taste
) -> list[DesignedTable]:
    """In exact order, where the compiled search has compared decimals."""

    def changed(each: DesignedTable) -> tuple[int, Fraction]:
        rates = [(odds.rate if odds else Fraction(0), law[row]) for row, odds in each.pays.items()]
        return sum(now != was for now, was in rates), sum((abs(now - was) for now, was in rates), Fraction(0))

    match taste:
        case "steady":
            return sorted(found, key=lambda each: each.variance)
        case "lively":
            return sorted(found, key=lambda each: -each.variance)
        case "middle":
            return sorted(found, key=lambda each: abs(each.hold - aim))
        case "near":
            return sorted(found, key=changed)
    return list(found)


def design(
    game: Game,
    rules: Rules,
    variant: Variant,
    wishes: Wishes,
    taste: Taste = "near",
    most: int = 20,
    stake: Cents = DEFAULT_STAKE,
    table: str | None = None,
) -> DesignSearch:
    """The tables of a wager that are as wished; the best ``most`` of them by a taste.

    ``table``: which of the pay tables behind main wagers, where there are several.
    """
    if table is not None:
        if table not in tables_behind(rules, variant):
            known = all_shown(tables_behind(rules, variant))
            raise UnreadableError(f"{shown(table)} is no pay table of {shown(variant.wager)}; those are {known}.")
        variant = replace(variant, table=table)
    if variant.wager == MAIN:
        from pitboss.exact.design_main import design_main

        return design_main(game, rules, variant, wishes, taste, most)
    payouts = payouts_of(figures_of(game, rules, variant, stake))
    if wishes.seen is not None:
        payouts = with_known_cards(payouts, game, rules, variant.wager, stake)
    wishes = checked_wishes(wishes, payouts.law)
    if taste == "near":
        tables, best = near_tables(payouts, wishes, most)
    else:
        tables, _, best = tables_of(payouts, wishes, taste, most)
    _, count, complete = tables_of(payouts, wishes, "all", 1)
    found = DesignSearch(
        rules,
        conditions_of_variant(rules, variant),
        wishes,
        taste,
        payouts.figures({**payouts.law}),
        payouts.table,
        tuple(tables),
        best,
        count,
        complete,
    )
    for each in tables[:CHECKED]:
        made = side_result(game, with_rows(rules, payouts.table, each.pays), variant.wager, stake)
        assert made.house_edge == each.hold, "the engine counts another hold for a designed table"
    if tables:
        return replace(found, frontier=tuple(_frontier(payouts, wishes)))
    if not complete:
        return found
    below, above = _nearest(payouts, wishes, wishes.low, -1), _nearest(payouts, wishes, wishes.high, 1)
    return replace(found, below=below, above=above, instead=tuple(_instead(payouts, wishes)))


def checked_wishes(wishes: Wishes, law: Mapping[str, Fraction]) -> Wishes:
    """The wishes with the usual top pay, refused where they name a row that there is not."""
    for row in wishes.bounds:
        if row not in law:
            raise UnreadableError(f"{shown(row)} is no row of this table; its rows are {all_shown([*law][::-1])}.")
    return replace(wishes, top=max(USUAL_TOP, *law.values())) if wishes.top is None else wishes


def _frontier(payouts: DesignRows, wishes: Wishes) -> Iterator[Extremes]:
    """The deviations that there are, by parts of the range of holds."""
    width = (wishes.high - wishes.low) / SLICES
    for part in range(SLICES):
        low = wishes.low + part * width
        within = replace(wishes, low=low, high=low + width)
        ends = [tables_of(payouts, within, taste, 1, MOST_STEPS // SLICES) for taste in ("steady", "lively")]
        if all(tables and complete for tables, _, complete in ends):
            yield Extremes(*(tables[0] for tables, _, _ in ends))


def _nearest(payouts: DesignRows, wishes: Wishes, aim: Fraction, side: int) -> DesignedTable | None:
    """The table with the hold next to the end of the range, on the side of -1 or 1: between them there is nothing."""
    for width in (Fraction(1, 100), Fraction(1, 10), Fraction(1), Fraction(MOST_RATE)):
        low, high = sorted((aim, aim + side * width))
        tables, _, complete = tables_of(payouts, replace(wishes, low=low, high=high), "middle", 1, aim=aim)
        if tables and complete:
            return tables[0]
    return None


def _instead(payouts: DesignRows, wishes: Wishes) -> Iterator[str]:
    for words, lighter in wishes.lighter():
        _, count, complete = tables_of(payouts, lighter, "all", 1)
        if count:
            yield f"{words}: {count:,} {'tables' if count > 1 else 'table'}{'' if complete else ' or more'}"


def table_file(found: DesignSearch, nth: int = 1) -> str:
    """A table that was found, the first unless said otherwise, as ``--table`` reads it."""
    if len(found.tables) < nth:
        raise UnreadableError(f"{several(len(found.tables), 'table')} found, so there is no table {nth} to write.")
    table = found.tables[nth - 1]
    rows = ", ".join(f'{row} = "{odds}"' for row, odds in table.pays.items() if odds is not None)
    about = f"# {found.rules.chapter.title}, {shown(found.table)}: hold {float(table.hold):.6%} ({table.hold})"
    return f'{about}\nwager = "{found.table}"\nrows = {{ {rows} }}\n'
