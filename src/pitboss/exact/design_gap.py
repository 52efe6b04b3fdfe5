"""Which tables of some bounds hold less than a range and which more, where a hold is costly to count.

A row that pays more never raises the hold. So among the tables between two corners, the corner that pays the most holds
the least and the corner that pays the least holds the most. Where both corners lie on one side of the range, so do all
tables between them, and the one next to the range is a corner. Otherwise the tables are cut into two parts.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from math import prod

Rates = tuple[int, ...]
"""What each row pays in multiples of the unit, from the lowest hand to the highest."""
Box = tuple[Rates, Rates]
"""The tables between two corners, both included."""


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
    hold: Callable[[Rates], Fraction],
    box: Box,
    gap: int | None,
    wanted: tuple[Fraction, Fraction],
    weights: tuple[Fraction, ...],
    over: Callable[[], bool],
) -> Gap:
    """Look for a table whose hold lies in a range, or prove that there is none.

    ``hold`` counts a table and never rises with a pay. ``weights``: what a multiple of each row is worth about, by
    which a part is cut where it matters. ``over`` says when to stop; what is proved by then is in the answer.
    """
    found, (least, largest) = Gap(), wanted
    counted = lru_cache(None)(hold)

    def look(rates: Rates) -> Fraction:
        found.holds[rates] = counted(rates)
        return found.holds[rates]

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
            if found.above is None or smallest < found.holds[found.above]:
                found.above = high
        elif greatest < least:
            if found.below is None or greatest > found.holds[found.below]:
                found.below = low
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
