"""Whether shuffles are fair: every card equally often in every place, judged by a chi-square over 52 × 52 counts.

The batch shuffle here is the live shuffle of ``pitboss.table.source`` for many decks at a time: the same bytes give the
same decks, so what a million batch shuffles show holds for the live one. It is for tests; no card is dealt from it.
"""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitboss.cards import DECK

if TYPE_CHECKING:
    from numpy.typing import NDArray

STREAM_BYTES = 96
"""Bytes set aside at first for each shuffle. About 57 are used; a shuffle that needs more gets more."""

_BATCH = 20_000
_SIZE = len(DECK)


@dataclass(frozen=True)
class ChiSquare:
    """A chi-square result. ``p`` is the chance of a statistic at least as large; ``z`` the same as a normal score."""

    statistic: float
    degrees: int
    z: float
    p: float


def chi_square(statistic: float, degrees: int) -> ChiSquare:
    """Judge a statistic: ``z`` by the cube root of Wilson and Hilferty, ``p`` by the incomplete gamma function.

    >>> round(chi_square(124.342, 100).p, 5)
    0.05
    """
    ninth = 2 / (9 * degrees)
    z = (math.cbrt(statistic / degrees) - (1 - ninth)) / math.sqrt(ninth)
    return ChiSquare(statistic, degrees, z, upper_gamma(degrees / 2, statistic / 2))


def upper_gamma(a: float, x: float) -> float:
    """The regularized upper incomplete gamma function Q(a, x): power series below the mean, continued fraction above.

    >>> math.isclose(upper_gamma(1, 2.5), math.exp(-2.5))
    True
    """
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - scale * total)
    # Lentz's method for the continued fraction of Legendre.
    b = x + 1 - a
    d = 1 / b
    c, fraction, step, n = math.inf, d, 0.0, 0
    while abs(step - 1) > 1e-15:
        n += 1
        factor = n * (a - n)
        b += 2
        d = 1 / (b + factor * d)
        c = b + factor / c
        step = c * d
        fraction *= step
    return scale * fraction


def position_table(shuffles: "Iterable[Sequence[int]] | NDArray[Any]") -> "NDArray[Any]":
    """How often each card (row) lay in each place (column)."""
    import numpy as np

    decks = np.asarray(shuffles if isinstance(shuffles, np.ndarray) else list(shuffles), np.intp)
    if decks.ndim != 2 or decks.shape[1] != _SIZE or not len(decks):
        raise ValueError(f"shuffles are rows of {_SIZE} cards, and at least one; got an array of shape {decks.shape}")
    if not np.array_equal(np.sort(decks, axis=1), np.broadcast_to(np.arange(_SIZE), decks.shape)):
        raise ValueError(f"every shuffle must hold each of the cards 0 to {_SIZE - 1} once")
    cells = decks * _SIZE + np.arange(_SIZE)
    return np.bincount(cells.ravel(), minlength=_SIZE * _SIZE).reshape(_SIZE, _SIZE)


def table_chi_square(table: "NDArray[Any]") -> ChiSquare:
    """Judge the sum of the tables of ``position_table``.

    Every card lies somewhere in each deck and every place holds a card, so both margins of the table are fixed and
    (52 − 1)² = 2601 of its cells are free. Within one deck the cells are not independent either: the covariance of a
    random permutation matrix is 1/51 (not 1/52) times the projection that takes out both margins. So the usual sum
    of (observed − expected)² ÷ expected has mean 52 · 51, and 51/52 of it is the chi-square with 2601 degrees.
    """
    decks = int(table[0].sum())
    expected = decks / _SIZE
    pearson = float(((table - expected) ** 2).sum()) / expected
    return chi_square(pearson * (_SIZE - 1) / _SIZE, (_SIZE - 1) ** 2)


def position_chi_square(shuffles: "Iterable[Sequence[int]] | NDArray[Any]") -> ChiSquare:
    """Judge shuffles by how often each card lay in each place. Blind to faults that leave those counts even, as a
    shuffle that only ever cuts the deck at random."""
    return table_chi_square(position_table(shuffles))


def batch_shuffle(streams: "NDArray[Any]", more: Callable[[int], bytes] = os.urandom) -> "NDArray[Any]":
    """The live shuffle of the deck for every row of bytes; ``more`` gives all rows further bytes if one runs out.

    Row ``k`` of the result is ``source.shuffle`` with a generator that reads row ``k`` of ``streams``.
    """
    import numpy as np

    rows, width = streams.shape
    columns = np.arange(rows)
    cards = np.repeat(np.arange(_SIZE, dtype=np.uint8)[:, None], rows, axis=1)
    read = np.zeros(rows, np.intp)
    drawn = np.empty(rows, np.intp)
    for place in range(_SIZE - 1, 0, -1):
        limit = 256 - 256 % (place + 1)
        waiting = columns
        while waiting.size:
            at = read[waiting]
            if at.max() >= width:
                added = np.frombuffer(more(rows * STREAM_BYTES), np.uint8).reshape(rows, STREAM_BYTES)
                streams = np.hstack((streams, added))
                width += STREAM_BYTES
            values = streams[waiting, at].astype(np.intp)
            read[waiting] = at + 1
            drawn[waiting] = values % (place + 1)
            waiting = waiting[values >= limit]
        other = cards[drawn, columns]
        cards[drawn, columns] = cards[place]
        cards[place] = other
    return cards.T


def batches(count: int, token: Callable[[int], bytes] = os.urandom) -> "Iterator[NDArray[Any]]":
    """``count`` shuffles in arrays of at most 20,000 rows; ``token`` is where the bytes come from."""
    import numpy as np

    for start in range(0, count, _BATCH):
        rows = min(_BATCH, count - start)
        yield batch_shuffle(np.frombuffer(token(rows * STREAM_BYTES), np.uint8).reshape(rows, STREAM_BYTES), token)


def batch_chi_square(count: int, token: Callable[[int], bytes] = os.urandom) -> ChiSquare:
    """``position_chi_square`` of ``count`` batch shuffles, without keeping them."""
    return table_chi_square(sum((position_table(decks) for decks in batches(count, token)), start=_no_counts()))


def _no_counts() -> "NDArray[Any]":
    import numpy as np

    return np.zeros((_SIZE, _SIZE), np.int64)
