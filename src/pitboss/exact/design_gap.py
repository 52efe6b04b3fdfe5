"""Which tables of some bounds hold less than a range and which more, where a hold is costly to count.

A row that pays more never raises the hold. So among the tables between two corners, the corner that pays the most holds
the least and the corner that pays the least holds the most. Where both corners lie on one side of the range, so do all
tables between them, and the one next to the range is a corner. Otherwise the tables are cut into two parts.

Best play is the best of all ways to play, and the value of each way is a sum over the rows. So the value is a convex
function of the pays: on a box it lies nowhere above a sum that it equals at every corner, and if it also equals that
sum at the center, it is that sum in the whole box. Then the tables of the box are decided by whole numbers alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import product
from math import lcm, prod
from typing import Final

Rates = tuple[int, ...]
"""What each row pays in multiples of the unit, from the lowest hand to the highest."""
Box = tuple[Rates, Rates]
"""The tables between two corners, both included."""
MOST_FREE: Final = 5
"""Rows of a box whose corners are all counted: 33 counts with the center."""
WORTH_A_SUM: Final = 40
"""How many tables a box must have for each count that shows whether it is a sum."""
MOST_TRIED: Final = 20_000
"""Choices of all rows but one that are tried one after the other; larger boxes are cut first."""


@dataclass
class Gap:
    """What is known of the tables of some bounds."""

    inside: Rates | None = None
    """A table whose hold lies in the range; with it the search ends."""
    below: Rates | None = None
    """The table with the largest hold under the range, of those decided so far."""
    above: Rates | None = None
    """The table with the smallest hold over it."""
    tables: int = 0
    """How many tables the bounds leave."""
    undecided: int = 0
    """How many of them may still lie in the range."""
    holds: dict[Rates, Fraction] = field(default_factory=dict)
    """Of every table that was counted."""

    @property
    def proved(self) -> bool:
        return self.inside is None and self.undecided == 0


def tables_between(box: Box, gap: int | None) -> int:
    """How many tables lie between two corners, with each row by ``gap`` above the one before; ``None``: in any order.

    >>> tables_between(((1, 1), (2, 3)), None), tables_between(((1, 1), (2, 3)), 1), tables_between(((1, 1), (2, 3)), 0)
    (6, 3, 5)
    """
    low, high = box
    if gap is None:
        return prod(last - first + 1 for first, last in zip(low, high, strict=True))
    counts, start = [1] * (high[0] - low[0] + 1), low[0]
    for first, last in zip(low[1:], high[1:], strict=True):
        sums = [0]
        for count in counts:
            sums.append(sums[-1] + count)
        most = len(counts)
        counts = [sums[min(max(rate - gap - start + 1, 0), most)] for rate in range(first, last + 1)]
        start = first
    return sum(counts)


def narrowed(box: Box, gap: int | None) -> Box | None:
    """The corners that the order of the rows leaves, which are tables themselves; none where there is no table."""
    low, high = list(box[0]), list(box[1])
    if gap is not None:
        for place in range(1, len(low)):
            low[place] = max(low[place], low[place - 1] + gap)
        for place in range(len(high) - 2, -1, -1):
            high[place] = min(high[place], high[place + 1] - gap)
    if any(first > last for first, last in zip(low, high, strict=True)):
        return None
    return tuple(low), tuple(high)


def find_gap(
    hold: Callable[[tuple[Fraction | int, ...]], Fraction],
    box: Box,
    gap: int | None,
    wanted: tuple[Fraction, Fraction],
    weights: tuple[Fraction, ...],
    over: Callable[[], bool],
    convex: bool = True,
) -> Gap:
    """Look for a table whose hold lies in a range, or prove that there is none.

    ``hold`` counts a table and never rises with a pay. ``weights``: what a multiple of each row is worth about, by
    which a part is cut where it matters. ``over`` says when to stop; what is proved by then is in the answer.
    ``convex``: whether the hold is that of best play, so that sums may decide whole boxes.
    """
    found, (least, largest) = Gap(), wanted
    counted = lru_cache(None)(hold)

    def look(rates: Rates) -> Fraction:
        found.holds[rates] = counted(rates)
        return found.holds[rates]

    def take(above: Rates | None = None, below: Rates | None = None) -> None:
        if above is not None:
            hold_above = look(above)
            if found.above is None or hold_above < found.holds[found.above]:
                found.above = above
        if below is not None:
            hold_below = look(below)
            if found.below is None or hold_below > found.holds[found.below]:
                found.below = below

    parts: list[tuple[int, Box]] = []

    def add(part: Box | None) -> None:
        if part is not None:
            heappush(parts, (-tables_between(part, gap), part))

    add(narrowed(box, gap))
    found.tables = found.undecided = -sum(many for many, _ in parts)
    while parts and not over():
        many, part = heappop(parts)
        low, high = part
        smallest, greatest = look(high), look(low)
        if smallest > largest:
            take(above=high)
        elif greatest < least:
            take(below=low)
        elif convex and (sum_ := sum_of(counted, part, -many, over)) is not None:
            inside, under, above = sum_.decide(part, gap, wanted)
            if inside is not None:
                found.inside = inside
                break
            take(above=above, below=under)
        elif smallest >= least or greatest <= largest:
            found.inside = high if smallest >= least else low
            break
        else:
            for each in cut(part, weights):
                add(narrowed(each, gap))
            continue
        found.undecided += many
    return found


def cut(part: Box, weights: tuple[Fraction, ...]) -> tuple[Box, Box]:
    """Halves of a part, by the row whose pays move the hold the most."""
    low, high = part
    spans = [(last - first) * weight for first, last, weight in zip(low, high, weights, strict=True)]
    place = max(range(len(low)), key=lambda at: (high[at] > low[at], spans[at]))
    middle = (low[place] + high[place]) // 2
    return (
        (low, (*high[:place], middle, *high[place + 1 :])),
        ((*low[:place], middle + 1, *low[place + 1 :]), high),
    )


@dataclass(frozen=True)
class HoldSum:
    """The hold of every table of a box: what is left at no pays, less what each multiple of each row is worth."""

    rest: Fraction
    worth: tuple[Fraction, ...]

    def hold(self, rates: tuple[Fraction | int, ...]) -> Fraction:
        return self.rest - sum((each * rate for each, rate in zip(self.worth, rates, strict=True)), Fraction(0))

    def decide(
        self, box: Box, gap: int | None, wanted: tuple[Fraction, Fraction]
    ) -> tuple[Rates | None, Rates | None, Rates | None]:
        """A table in the range; else those with the largest hold under it and with the smallest over it."""
        scale = lcm(*(each.denominator for each in (self.rest, *self.worth, *wanted)))
        rest, *worth = (int(each * scale) for each in (self.rest, *self.worth))
        least, largest = (int(each * scale) for each in wanted)
        best: dict[int, tuple[int, Rates]] = {}

        def take(side: int, hold: int, rates: Rates) -> None:
            if side not in best or side * hold < side * best[side][0]:
                best[side] = hold, rates

        def held(rates: Rates) -> int:
            return rest - sum(each * rate for each, rate in zip(worth, rates, strict=True))

        boxes: list[Box | None] = [box]
        while boxes:
            part = boxes.pop()
            if part is None or (part := narrowed(part, gap)) is None:
                continue
            low, high = part
            if held(high) > largest:
                take(1, held(high), high)
            elif held(low) < least:
                take(-1, held(low), low)
            elif len(one_by_one := longest_last(part)) and prod(high[p] - low[p] + 1 for p in one_by_one) > MOST_TRIED:
                boxes += cut(part, tuple(map(Fraction, worth)))
            else:
                for rates, place, first, last in rows_of(part, gap):
                    step = worth[place]
                    at_none = held((*rates[:place], 0, *rates[place + 1 :]))
                    if step == 0:
                        if least <= at_none <= largest:
                            return (*rates[:place], first, *rates[place + 1 :]), None, None
                        take(1 if at_none > largest else -1, at_none, (*rates[:place], first, *rates[place + 1 :]))
                        continue
                    first_in = -((largest - at_none) // step)  # the least multiple whose hold is not over the range
                    if (many := max(first, first_in)) <= last and at_none - many * step >= least:
                        return (*rates[:place], many, *rates[place + 1 :]), None, None
                    if (many := min(last, first_in - 1)) >= first:
                        take(1, at_none - many * step, (*rates[:place], many, *rates[place + 1 :]))
                    if (many := max(first, (at_none - least) // step + 1)) <= last:
                        take(-1, at_none - many * step, (*rates[:place], many, *rates[place + 1 :]))
        under, above = (best[side][1] if side in best else None for side in (-1, 1))
        return None, under, above


def longest_last(box: Box) -> list[int]:
    """All rows but the one with the most pays."""
    low, high = box
    places = sorted(range(len(low)), key=lambda place: high[place] - low[place])
    return places[:-1]


def rows_of(box: Box, gap: int | None) -> Iterator[tuple[Rates, int, int, int]]:
    """Every choice of all rows but the one with the most pays; that row, and the pays that its neighbors leave it."""
    low, high = box
    chosen = sorted(longest_last(box))
    (free,) = set(range(len(low))) - {*chosen}
    for rates in product(*(range(low[place], high[place] + 1) for place in chosen)):
        table = (*rates[:free], 0, *rates[free:])
        first, last = low[free], high[free]
        if gap is not None:
            first = max(first, table[free - 1] + gap) if free else first
            last = min(last, table[free + 1] - gap) if free + 1 < len(table) else last
            if any(table[at + 1] < table[at] + gap for at in range(len(table) - 1) if free not in (at, at + 1)):
                continue
        if first <= last:
            yield table, free, first, last


def sum_of(
    hold: Callable[[tuple[Fraction | int, ...]], Fraction], box: Box, tables: int, over: Callable[[], bool]
) -> HoldSum | None:
    """The sum that the holds of a box are, if they are one: shown by its corners and its center."""
    low, high = box
    free = [place for place in range(len(low)) if high[place] > low[place]]
    if len(free) > MOST_FREE or tables < WORTH_A_SUM * (2 ** len(free) + 1):
        return None
    at_low, worth = hold(low), [Fraction(0)] * len(low)
    for place in free:
        corner = (*low[:place], high[place], *low[place + 1 :])
        worth[place] = (at_low - hold(corner)) / (high[place] - low[place])
    found = HoldSum(
        at_low + sum((each * rate for each, rate in zip(worth, low, strict=True)), Fraction(0)), tuple(worth)
    )
    center = tuple(Fraction(first + last, 2) for first, last in zip(low, high, strict=True))
    if hold(center) != found.hold(center):
        return None
    for corner in product(
        *((first, last) if first < last else (first,) for first, last in zip(low, high, strict=True))
    ):
        if over() or hold(corner) != found.hold(corner):
            return None
    return found
