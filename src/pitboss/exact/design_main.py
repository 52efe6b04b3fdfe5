"""Pay tables of main wagers to order. Best play follows the pays, so every table that is listed was counted itself.

Near a table that was counted, the value is almost a sum over its rows. That sum proposes tables, the engine counts
them, and the one that comes nearest gives the next sum. Paying more is never worth less to the player, so among all
tables in the bounds the one that pays the most has the smallest hold: so a wish is proved impossible. Where the bounds
leave few tables, all are counted, and a gap between their holds is proved too. Where they leave more and no proposal is
as wished, they are decided by corners of ever smaller parts (``design_gap``) until the gap is proved or time is up.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from time import monotonic
from typing import Final

from pitboss.exact.board import BoardPlay
from pitboss.exact.design import (
    DesignedTable,
    DesignRows,
    DesignSearch,
    Payout,
    checked_wishes,
    in_order,
    near_tables,
    tables_of,
)
from pitboss.exact.design_gap import Box, find_gap
from pitboss.exact.edge import Variant, conditions_of_variant, counted_result, optimal_play
from pitboss.exact.value import Result
from pitboss.exact.wishes import Taste, Wishes
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.law.odds import ForOne, ToOne

SECONDS: Final = 50.0
"""For which tables are proposed and counted."""
PROPOSING: Final = 20.0
"""Seconds to propose tables while none fits the wishes; the rest of the time goes to proving that none can."""
MOST_COUNTED: Final = 100
"""Tables of the bounds that are all counted, so that a gap between their holds is proved."""
SCALE: Final = 10**9
PROPOSED: Final = 200
"""Tables that one sum proposes."""
SLACK: Final = (Fraction(0), Fraction(1, 1000), Fraction(1, 100))
"""How far beside the range a proposal may lie by the sum, one after the other."""


@dataclass(frozen=True)
class NearRows(DesignRows):
    """The value of the main wagers near some table, in billionths of the required wagers."""

    rest: Fraction = Fraction(0)
    """What does not hang on the rows."""

    @property
    def deals(self) -> int:
        return SCALE

    def others(self, paying: Iterable[Payout]) -> tuple[Fraction, Fraction]:
        del paying  # every row pays
        return self.rest, Fraction(0)

    def figures(self, rates: Mapping[str, Fraction | None]) -> DesignedTable:
        """The hold by the sum; the other figures are the engine's to count."""
        value = self.rest + sum((row.ways * (rates[row.row] or 0) for row in self.rows), Fraction(0))
        pays = {row.row: row.paying(rates[row.row] or Fraction(0)) for row in reversed(self.rows)}
        return DesignedTable(pays, -value / SCALE, Fraction(0), Fraction(0))


@dataclass
class _Counter:
    """Counts tables of the main wagers, each once."""

    game: Game
    rules: Rules
    variant: Variant
    counted: dict[tuple[Fraction, ...], DesignedTable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rows = self.rules.tables[self.variant.table].rows.items()
        self.kinds = {row: type(odds) for row, odds in reversed(list(rows)) if isinstance(odds, ToOne | ForOne)}
        self.law = {row: odds.rate for row, odds in reversed(list(rows)) if isinstance(odds, ToOne | ForOne)}

    def under(self, rates: Mapping[str, Fraction]) -> Rules:
        changes = {row: self.kinds[row](rate) for row, rate in rates.items()}
        return with_rows(self.rules, self.variant.table, changes)

    def result(self, rates: Mapping[str, Fraction]) -> Result:
        return counted_result(self.game, self.under(rates), self.variant.reading)[0]

    def figures(self, rates: Mapping[str, Fraction]) -> DesignedTable:
        key = tuple(rates.values())
        if key not in self.counted:
            result = self.result(rates)
            pays = {row: self.kinds[row](rates[row]) for row in [*rates][::-1]}
            self.counted[key] = DesignedTable(pays, result.house_edge_required, result.variance, result.hit_frequency)
        return self.counted[key]

    def near(self, rates: Mapping[str, Fraction]) -> NearRows:
        """The sum at a table: what one more unit on each row is worth there."""
        result = self.result(rates)
        plain = not self.game.scope(self.variant.reading).draws
        play = optimal_play(self.game, self.under(rates)) if plain else None
        rows = []
        for row in rates:
            more = {**rates, row: rates[row] + 1}
            then = (play.under(self.under(more)) if isinstance(play, BoardPlay) else None) or self.result(more)
            worth = round((then.expected_value - result.expected_value) / result.required * SCALE)
            if worth > 0:
                rows.append(Payout(row, self.kinds[row](self.law[row]), worth))
        own = sum((row.ways * rates[row.row] for row in rows), Fraction(0))
        rest = -result.house_edge_required * SCALE - own
        return NearRows(self.variant.table, tuple(rows), {}, rest=rest)

    def extreme(self, wishes: Wishes, *, most: bool) -> DesignedTable | None:
        """The table of the bounds that pays the most, or the least; none where the bounds leave no table."""
        step = {"below": wishes.unit, "level": Fraction(0), "any": None}[wishes.order]
        rates: dict[str, Fraction] = {}
        last: Fraction | None = None
        for row in [*self.law][:: -1 if most else 1]:
            low, high = wishes.bounds.get(row, (wishes.unit, wishes.top or Fraction(0)))
            high = min(high, wishes.top or high)
            rate = high // wishes.unit * wishes.unit if most else -(-low // wishes.unit) * wishes.unit
            if step is not None and last is not None:
                rate = min(rate, last - step) if most else max(rate, last + step)
            if not low <= rate <= high:
                return None
            rates[row] = last = rate
        return self.figures({row: rates[row] for row in self.law})


def design_main(game: Game, rules: Rules, variant: Variant, wishes: Wishes, taste: Taste, most: int) -> DesignSearch:
    """Tables of the main wagers as wished, each counted with best play under it."""
    if wishes.hits is not None:
        raise UnreadableError("A hit frequency can be wished for side wagers; here every row pays.")
    if wishes.seen is not None:
        raise UnreadableError(
            "What a known card may be worth can be wished for side wagers; pitboss protect counts it."
        )
    ends, counter = monotonic() + SECONDS, _Counter(game, rules, variant)
    now, payouts = counter.figures(counter.law), counter.near(counter.law)
    if not payouts.rows:
        raise UnreadableError(f"No row of {variant.table} that pays odds has a part in the main wagers.")
    wishes = checked_wishes(wishes, counter.law)
    found = DesignSearch(
        rules, conditions_of_variant(rules, variant), wishes, taste, now, variant.table, (), False, 0, False
    )
    least, largest = counter.extreme(wishes, most=True), counter.extreme(wishes, most=False)
    if least is None or largest is None or least.hold > wishes.high or largest.hold < wishes.low:
        return replace(
            found,
            complete=True,
            above=least if least is not None and least.hold > wishes.high else None,
            below=largest if largest is not None and largest.hold < wishes.low else None,
        )
    if (every := _every_table(counter.law, wishes)) is not None:
        return _all_counted(found, counter, every, wishes, most, ends)
    tables: dict[tuple[Fraction, ...], DesignedTable] = {}
    at, patient = (
        counter.law,
        monotonic() + (SECONDS if wishes.deviation is not None or game.scope(variant.reading).draws else PROPOSING),
    )
    while monotonic() < (ends if tables else patient) and len(tables) < most:
        nearest: tuple[Fraction, dict[str, Fraction]] | None = None
        for rates in _proposed(payouts, counter.law, wishes, taste):
            made = counter.figures(rates)
            off = max(wishes.low - made.hold, made.hold - wishes.high, Fraction(0))
            low, high = wishes.deviation or (Fraction(0), Fraction(10**9))
            if off == 0 and low**2 <= made.variance <= high**2:
                tables[tuple(rates.values())] = made
            if nearest is None or off < nearest[0]:
                nearest = off, rates
            if monotonic() > (ends if tables else patient) or len(tables) >= most:
                break
        if nearest is None or nearest[1] == at:
            break
        at = nearest[1]
        payouts = counter.near(at)
    middle = (wishes.low + wishes.high) / 2
    listed = in_order(tables.values(), counter.law, middle, "near" if taste == "all" else taste)
    if listed:
        return replace(found, tables=tuple(listed), count=len(listed))
    if wishes.deviation is None and not game.scope(variant.reading).draws:
        return _gap_proved(found, counter, payouts, wishes, ends)
    below, above = _nearest_counted(counter, wishes)
    return replace(found, below=below, above=above)


def _nearest_counted(counter: _Counter, wishes: Wishes) -> tuple[DesignedTable | None, DesignedTable | None]:
    """Of the tables that were counted and keep the bounds, those with the holds next to the range."""
    low, high = _multiples(counter.law, wishes)
    gap = {"below": 1, "level": 0, "any": None}[wishes.order]
    made = []
    for rates, each in counter.counted.items():
        many = [rate / wishes.unit for rate in rates]
        if all(
            first <= rate <= last and rate.denominator == 1 for first, rate, last in zip(low, many, high, strict=True)
        ):
            made += [each] if gap is None or all(two >= one + gap for one, two in pairwise(many)) else []
    return (
        max((each for each in made if each.hold < wishes.low), key=lambda each: each.hold, default=None),
        min((each for each in made if each.hold > wishes.high), key=lambda each: each.hold, default=None),
    )


def _gap_proved(found: DesignSearch, counter: _Counter, payouts: NearRows, wishes: Wishes, ends: float) -> DesignSearch:
    """A table that the proposals missed, or the holds next to the range, proved as far as the time goes."""
    rows, unit = [*counter.law], wishes.unit
    worth = {row.row: Fraction(row.ways) for row in payouts.rows}

    def rates_of(multiples: tuple[Fraction | int, ...]) -> dict[str, Fraction]:
        return {row: many * unit for row, many in zip(rows, multiples, strict=True)}

    gap = find_gap(
        lambda multiples: counter.figures(rates_of(multiples)).hold,
        _multiples(counter.law, wishes),
        {"below": 1, "level": 0, "any": None}[wishes.order],
        (wishes.low, wishes.high),
        tuple(worth.get(row, Fraction(0)) for row in rows),
        lambda: monotonic() > ends,
    )
    if gap.inside is not None:
        return replace(found, tables=(counter.figures(rates_of(gap.inside)),), count=1)
    if gap.proved:
        below, above = (None if each is None else counter.figures(rates_of(each)) for each in (gap.below, gap.above))
        return replace(found, complete=True, below=below, above=above, decided=(gap.tables, gap.tables))
    below, above = _nearest_counted(counter, wishes)
    return replace(found, below=below, above=above, decided=(gap.tables - gap.undecided, gap.tables))


def _multiples(law: Mapping[str, Fraction], wishes: Wishes) -> Box:
    """The least and the most that each row may pay, in multiples of the unit, from the lowest hand up."""
    low, high = [], []
    for row in law:
        least, most = wishes.bounds.get(row, (wishes.unit, wishes.top or Fraction(0)))
        low.append(int(-(-least // wishes.unit)))
        high.append(int(min(most, wishes.top or most) // wishes.unit))
    return tuple(low), tuple(high)


def _every_table(law: Mapping[str, Fraction], wishes: Wishes) -> list[dict[str, Fraction]] | None:
    """All tables of the bounds and the order, or ``None`` where they are more than are counted one by one."""
    gap = {"below": wishes.unit, "level": Fraction(0), "any": None}[wishes.order]
    found: list[dict[str, Fraction]] = [{}]
    for row, first, last in zip(law, *_multiples(law, wishes), strict=True):
        if last - first >= MOST_COUNTED:
            return None
        rates = [wishes.unit * many for many in range(first, last + 1)]
        found = [
            {**table, row: rate}
            for table in found
            for rate in rates
            if gap is None or not table or rate >= [*table.values()][-1] + gap
        ]
        if len(found) > MOST_COUNTED:
            return None
    return found


def _all_counted(
    found: DesignSearch, counter: _Counter, every: Iterable[dict[str, Fraction]], wishes: Wishes, most: int, ends: float
) -> DesignSearch:
    """What comes of all tables of the bounds: where no time runs out, a gap between their holds is proved."""
    made, complete = [], True
    for rates in every:
        if monotonic() > ends:
            complete = False
            break
        made.append(counter.figures(rates))
    low, high = wishes.deviation or (Fraction(0), Fraction(10**9))
    fits = [each for each in made if wishes.low <= each.hold <= wishes.high and low**2 <= each.variance <= high**2]
    middle = (wishes.low + wishes.high) / 2
    listed = in_order(fits, counter.law, middle, "near" if found.taste == "all" else found.taste)
    under = [each for each in made if each.hold < wishes.low and not listed]
    over = [each for each in made if each.hold > wishes.high and not listed]
    return replace(
        found,
        tables=tuple(listed[:most]),
        count=len(listed),
        complete=complete,
        best=complete,
        below=max(under, key=lambda each: each.hold, default=None),
        above=min(over, key=lambda each: each.hold, default=None),
    )


def _proposed(
    payouts: NearRows, law: Mapping[str, Fraction], wishes: Wishes, taste: Taste
) -> Iterator[dict[str, Fraction]]:
    """Tables that are as wished by the sum, then those a little beside it, in the order of the taste."""
    seen: set[tuple[Fraction, ...]] = set()
    for slack in SLACK:
        wide = replace(wishes, low=wishes.low - slack, high=wishes.high + slack, deviation=None)
        if taste == "middle":
            proposed, _, _ = tables_of(payouts, wide, "middle", PROPOSED)
        else:
            proposed, _ = near_tables(payouts, wide, PROPOSED)
        for each in proposed:
            rates = {**law, **{row: odds.rate for row, odds in each.pays.items() if odds is not None}}
            if tuple(rates.values()) not in seen:
                seen.add(tuple(rates.values()))
                yield rates
