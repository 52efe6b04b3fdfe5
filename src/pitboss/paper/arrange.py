"""Which columns of a listing stand beside each other in a width, and which below their row."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pitboss.paper import say
from pitboss.paper.model import CellKind, Column, Listing, Row

GAP: Final = 2
"""Characters between columns."""
SHORTEST: Final = 18
READABLE: Final = 40
CITED: Final = 24
"""Columns of texts, of sentences and of paragraphs are no narrower beside others."""
_WRAPPED: Final = frozenset({CellKind.TEXT, CellKind.SENTENCE, CellKind.CITES, CellKind.CARDS})


@dataclass(frozen=True)
class Layout:
    """The columns beside each other, with their widths, and those below the row."""

    beside: tuple[tuple[int, int], ...]
    below: tuple[int, ...]


def cells_of(listing: Listing, row: Row) -> list[str]:
    """The values of a row in words, each on one line."""
    return [" ".join(say.words(value, column).split()) for value, column in zip(row, listing.columns, strict=True)]


def laid_out(listing: Listing, cells: Sequence[Sequence[str]], width: int) -> Layout:
    """Drop the columns of the highest rank, last first, until the others fit, then add back those that fit too."""
    columns = listing.columns
    shown, always_below = listing.ranked(1, 3), listing.ranked(4, 4)
    if not cells:
        return Layout(tuple((at, len(columns[at].title)) for at in shown), ())
    longest = [max(map(len, each)) for each in zip(*cells, strict=True)]
    wanted = {at: max(longest[at], len(columns[at].title)) for at in shown}
    least = {at: _least(columns[at], [row[at] for row in cells]) for at in shown}

    def room(of: Iterable[int]) -> int:
        listed = list(of)
        return sum(least[at] for at in listed) + GAP * (len(listed) - 1)

    beside = list(shown)
    while len(beside) > 1 and room(beside) > width:
        rank = max(columns[at].rank for at in beside)
        beside.remove(max(at for at in beside if columns[at].rank == rank))
    for at in sorted(set(shown) - set(beside), key=lambda each: (columns[each].rank, each)):
        if room((*beside, at)) <= width:
            beside = sorted((*beside, at))
    spare = width - room(beside)
    widths = dict(least)
    for at in sorted(beside, key=lambda each: (columns[each].kind != CellKind.SENTENCE, wanted[each] - least[each])):
        more = min(spare, wanted[at] - least[at])
        widths[at] += more
        spare -= more
    return Layout(tuple((at, widths[at]) for at in beside), (*(at for at in shown if at not in beside), *always_below))


def _least(column: Column, cells: Sequence[str]) -> int:
    """The width below which a column can't go: its longest word, and some room for a sentence."""
    if column.kind not in _WRAPPED:
        longest = max(map(len, cells))
    else:
        word = max((len(word) for cell in cells for word in cell.split()), default=0)
        room = READABLE if column.kind == CellKind.SENTENCE else CITED if column.kind == CellKind.CITES else SHORTEST
        longest = max(word, min(max(map(len, cells)), room))
    return max(longest, max(map(len, column.title.split()), default=0))


def below_row(listing: Listing, cells: Sequence[str], layout: Layout) -> list[str]:
    """What stands below a row: values behind their titles in one line, then sentences as they are."""
    below = [(at, listing.columns[at], cells[at]) for at in layout.below if cells[at]]
    short = " · ".join(f"{column.title} {text}" for _, column, text in below if column.kind != CellKind.SENTENCE)
    sentences = [
        f"{listing.label(at)}: {text}" if listing.label(at) else text
        for at, column, text in below
        if column.kind == CellKind.SENTENCE
    ]
    return [short, *sentences] if short else sentences
