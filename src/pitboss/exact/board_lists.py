"""Play on a common board for people: the chart of starting cards, and the table of states.

Two cards before a board differ by their ranks and by whether they are of one suit: 169 *starts*, written as players
write them, ``AKs`` for one suit and ``AKo`` for two. What to do with each is a chart; the chart is exact.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANKS, show_cards
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_classes import PAIR, every_pair, pair_of
from pitboss.exact.board_streets import BoardStreet
from pitboss.exact.decks import SUITS, Classes, Ints, suit_classes, suit_keys
from pitboss.names import shown


@dataclass(frozen=True)
class Start:
    """Two cards before a board: what each choice is worth, in units of the main wager."""

    high: int
    low: int
    suited: bool
    places: tuple[int, int]
    weight: int
    values: Mapping[str, Fraction]
    best: str

    @property
    def name(self) -> str:
        suits = "" if self.high == self.low else "s" if self.suited else "o"
        return f"{RANKS[self.high]}{RANKS[self.low]}{suits}"

    @property
    def ties(self) -> tuple[str, ...]:
        return tuple(each for each in self.values if each != self.best and self.values[each] == self.values[self.best])


def opening_classes(play: BoardPlay) -> tuple[Classes, Ints]:
    """Two cards up to the names of suits, and the number of each pair that stands for its class."""
    classes = suit_classes(play.counts.deck, PAIR)
    return classes, np.array([pair_of(hand) for hand in classes.hands.tolist()], np.int64)


def opening_picks(play: BoardPlay, picked: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Choices by class as those of every pair, in the shape of the first street."""
    keys = suit_keys(opening_classes(play)[0].hands)
    order = np.argsort(keys)
    of_pair = order[np.searchsorted(keys[order], suit_keys(every_pair(play.counts.deck)))]
    return np.ascontiguousarray(picked[of_pair][None, None])


def starts_of(play: BoardPlay) -> tuple[Start, ...]:
    """Every start, pairs first, then by the higher card; the first decision of the course is made with it."""
    counts, step = play.counts, play.plan.steps[0]
    whole = counts.ways(0) * play.plan.unit
    found = []
    ranks = range(len(counts.deck.ranks))
    kinds = [(high, high, False) for high in ranks]
    kinds += [(high, low, suited) for high in ranks for low in range(high) for suited in (True, False)]
    for high, low, suited in sorted(kinds, key=lambda kind: (kind[0] == kind[1], kind), reverse=True):
        places = SUITS * low, SUITS * high + (0 if suited else 1)
        worth = play.opening[:, pair_of(places)]
        values = {name: Fraction(int(worth[at]), whole) for at, name in enumerate(step.names) if step.legal[0, at]}
        weight = SUITS * (SUITS - 1) // 2 if high == low else SUITS if suited else SUITS * (SUITS - 1)
        best = max(values, key=values.__getitem__)
        of_deck = counts.deck.ranks
        found.append(Start(of_deck[high], of_deck[low], suited, places, weight, values, best))
    return tuple(found)


def named(starts: list[Start]) -> str:
    """Starts as players write them: a run of lower cards up to the highest as ``K5o+``.

    >>> from pitboss.exact.board_lists import Start
    >>> def start(high, low, suited): return Start(high, low, suited, (0, 1), 4, {}, "")
    >>> named([start(12, 11, True), start(12, 10, True), start(3, 3, False), start(5, 0, False), start(5, 1, False)])
    'AQs+, 55, 72o-73o'
    """
    families: dict[tuple[int, bool], list[int]] = {}
    for each in starts:
        pair = each.high == each.low
        families.setdefault((-1 if pair else each.high, each.suited), []).append(each.low)
    words = []
    for (high, suited), lows in families.items():
        top = len(RANKS) - 1 if high < 0 else high - 1
        for run in _runs(sorted(lows)):
            first, last = (
                RANKS[low] * PAIR if high < 0 else f"{RANKS[high]}{RANKS[low]}{'s' if suited else 'o'}"
                for low in (run[0], run[-1])
            )
            words.append(first if len(run) == 1 else f"{first}+" if run[-1] == top else f"{first}-{last}")
    return ", ".join(words)


def _runs(numbers: list[int]) -> Iterator[list[int]]:
    """Neighbours together, the highest first."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    yield from reversed(runs)


def starts_sentence(play: BoardPlay) -> str:
    """The chart in words: what is not usual is listed."""
    starts = starts_of(play)
    weights: dict[str, int] = {}
    for start in starts:
        weights[start.best] = weights.get(start.best, 0) + start.weight
    usual = max(weights, key=weights.__getitem__)
    parts = [f"{choice} with {named([s for s in starts if s.best == choice])}" for choice in weights if choice != usual]
    return f"{shown(play.plan.steps[0].step.name)}: {'; '.join([*parts, f'otherwise {usual}'])}."


def board_lines(play: BoardPlay, full: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The rows of the strategy as text: every start, and with ``full`` every state whose values are kept."""
    names = board_names(play)
    step = play.plan.steps[0].step.name
    for start in starts_of(play):
        cards = show_cards(play.counts.deck.hand(start.places))
        exact = [str(start.values[n]) if n in start.values else "" for n in names]
        floats = [f"{float(start.values[n]):.9f}" if n in start.values else "" for n in names]
        line = [step, "", cards, str(start.weight), start.best, "; ".join(start.ties), *exact, *floats]
        yield start.weight * play.counts.ways(0), line
    if full:
        for street in play.streets[1:]:
            if len(street.worth):
                yield from _state_lines(play, names, street)


def board_names(play: BoardPlay) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for step in play.plan.steps for name in step.names if name))


def _state_lines(play: BoardPlay, names: tuple[str, ...], street: BoardStreet) -> Iterator[tuple[int, list[str]]]:
    counts = play.counts
    free, whole = counts.free(street.size), counts.ways(street.size) * play.plan.unit
    both = every_pair(counts.deck)
    for history in range(len(street.worth)):
        columns = [column for column in np.flatnonzero(street.choosing.legal[history]) if street.names[column]]
        if not columns:
            continue
        for row, pair in np.argwhere(free & (street.reach[history] > 0)):
            worth = {street.names[column]: int(street.worth[history, column, row, pair]) for column in columns}
            best = street.names[street.picked[history, row, pair]]
            also = "; ".join(name for name in worth if name != best and worth[name] == worth[best])
            cards = show_cards(counts.deck.hand([*both[pair], *street.level.boards[row]]))
            weight = int(street.level.classes.weights[row])
            exact = [str(Fraction(worth[n], whole)) if n in worth else "" for n in names]
            floats = [f"{worth[n] / whole:.9f}" if n in worth else "" for n in names]
            yield weight, [street.step, "", cards, str(weight), best, also, *exact, *floats]
