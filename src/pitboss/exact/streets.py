"""Play that is asked more than once, for people: one hand on every street, the table of all states, and rules to learn.

Nothing is counted here: values and choices are those of ``solo.Play``. A **rule list** has a few sentences for each
street. It begins with the least wager for all cards; then the sentence that gains most is put where it gains most, as
long as there is something to gain. A sentence may speak of a pair, of points, of cards of one suit or near each other;
the points of a rank follow from what a pair of it is paid. The cost of a list is exact: the game is played through by
it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import ACE, RANK_NAMES, RANKS, Hand, card_of, show_card, show_cards
from pitboss.exact.plan import ENDED, Asked, Staged
from pitboss.exact.solo import Play, Street, played
from pitboss.findings import UnreadableError
from pitboss.names import listed, shown

Bools = npt.NDArray[np.bool_]
SHORT, LONG = 4, 12
"""Sentences for each street, at most."""
_LEAST_GAIN = 1e-6


@dataclass(frozen=True)
class StreetValues:
    """One street of one hand: what was seen, what had been chosen, and what each choice is worth."""

    step: str
    seen: Hand
    made: tuple[str, ...]
    values: Mapping[str, Fraction]
    best: str
    ties: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "street": self.step,
            "seen": show_cards(self.seen),
            "made": list(self.made),
            "values": {name: str(value) for name, value in self.values.items()},
            "best": self.best,
            "ties": list(self.ties),
        }


@dataclass(frozen=True)
class StreetsAnalysis:
    """A hand with the cards turned up so far: every street up to the one that is asked now."""

    game: str
    cards: Hand
    board: Hand
    streets: tuple[StreetValues, ...]

    @property
    def now(self) -> StreetValues:
        return self.streets[-1]

    def as_dict(self) -> dict[str, Any]:
        head = {"game": self.game, "cards": show_cards(self.cards), "board": show_cards(self.board)}
        return head | self.now.as_dict() | {"streets": [asked.as_dict() for asked in self.streets]}


def analyse(play: Staged, cards: Hand, board: Hand = (), chosen: Sequence[str] = ()) -> StreetsAnalysis:
    """Every street of a hand. Where it is not said what was chosen, it was the best choice that goes on."""
    _verify(play, cards, board, chosen)
    found: list[StreetValues] = []
    made: list[str] = []
    history = 0
    for place, street in enumerate(play.asked):
        seen = (*cards, *board)[: street.choosing.seen]
        values = street.values(seen, history)
        best = max(values, key=values.__getitem__)
        ties = tuple(name for name in values if name != best and values[name] == values[best])
        found.append(StreetValues(street.step, seen, tuple(made), values, best, ties))
        goes_on = {name: value for name, value in values.items() if _asked_again(play, place, history, name)}
        if place + 1 == len(play.asked) or play.asked[place + 1].choosing.seen > len(cards) + len(board):
            break
        name = chosen[place] if place < len(chosen) else max(goes_on, key=goes_on.__getitem__)
        if name not in goes_on:
            raise UnreadableError(f"{name!r} cannot be followed by another choice here: {listed(goes_on)} can.")
        history = _next(street, history, name)
        made.append(name)
    return StreetsAnalysis(play.game.name, cards, board, tuple(found))


def _next(street: Asked, history: int, name: str) -> int:
    return int(street.follows[history, street.names.index(name)])


def _asked_again(play: Staged, place: int, history: int, name: str) -> bool:
    """Whether there is another choice after one: it does not end the seat's part, and the next street has some."""
    after = _next(play.asked[place], history, name)
    if after == ENDED or place + 1 == len(play.asked):
        return False
    later = play.asked[place + 1]
    return any(later.names[choice] for choice in np.flatnonzero(later.choosing.legal[after]))


def _verify(play: Staged, cards: Hand, board: Hand, chosen: Sequence[str]) -> None:
    title, own = play.game.chapter.title, play.plan.own
    boards = [street.choosing.seen - own for street in play.asked]
    if len(cards) != own:
        raise UnreadableError(f"A player of {title} holds {own} cards, not {len(cards)}.")
    if len(board) not in boards:
        raise UnreadableError(
            f"A player of {title} is asked when {listed(map(str, boards))} cards have been turned up, not {len(board)}."
        )
    if len(chosen) > boards.index(len(board)):
        raise UnreadableError(f"With {len(board)} cards turned up {boards.index(len(board))} choices have been made.")
    known = (*cards, *board)
    for place, card in enumerate(known):
        if card in known[:place]:
            raise UnreadableError(f"The card {show_card(card)} is named twice; there is only one in the deck.")


HEAD = ("street", "made", "cards", "weight", "best", "ties")


def names_of(play: Play) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for street in play.streets for name in street.names if name))


def table_lines(play: Play, full: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The rows of the strategy as text: every state that the best play comes to, or (``full``) that there is."""
    names = names_of(play)
    words: list[str] = [""]
    for street in play.streets:
        whole, worth = play.counts.ways(street.choosing.seen) * play.plan.unit, street.worth
        best = worth.max(axis=2)
        for row, history in np.argwhere(np.ones_like(street.reach) if full else street.reach):
            column = int(street.picked[row, history])
            value = dict(zip(street.names, worth[row, history].tolist(), strict=True))
            open_to = {n for n, legal in zip(street.names, street.choosing.legal[history], strict=True) if legal}
            ties = [n for n in street.names if n in open_to and value[n] == best[row, history]]
            exact = [str(Fraction(value[n], whole)) if n in open_to else "" for n in names]
            floats = [f"{value[n] / whole:.9f}" if n in open_to else "" for n in names]
            cards = show_cards(play.counts.deck.hand(street.level.classes.hands[row]))
            weight = int(street.level.classes.weights[row] * max(1, street.reach[row, history]))
            also = "; ".join(n for n in ties if n != street.names[column])
            line = [street.step, words[history], cards, str(weight), street.names[column], also, *exact, *floats]
            yield weight, line
        after = [""] * (int(street.follows.max()) + 1)
        for history, choice in np.argwhere(street.follows != ENDED):
            after[street.follows[history, choice]] = f"{words[history]}; {street.names[choice]}".strip("; ")
        words = after


@dataclass(frozen=True)
class Sentence:
    """What to do with the sets of cards that a few words describe."""

    words: str
    choice: str
    covers: Bools = field(repr=False)


@dataclass(frozen=True)
class StreetsList:
    """A strategy in a few sentences for each street, with its exact value and its cost against the best play."""

    name: str
    points: str
    rules: Mapping[str, tuple[Sentence, ...]]
    """By step, what comes first first; the last covers all that is left."""
    play: Play = field(repr=False)
    best: Fraction

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        said = [self.points] if self.points else []
        for step, rules in self.rules.items():
            parts: list[tuple[str, list[str]]] = []
            for rule in rules[:-1]:
                if parts and parts[-1][0] == rule.choice:
                    parts[-1][1].append(rule.words)
                else:
                    parts.append((rule.choice, [rule.words]))
            text = "".join(f"{choice} with {listed(words)}; " for choice, words in parts)
            said.append(f"{shown(step)}: {text}otherwise {rules[-1].choice}.".replace("_", " "))
        return tuple(said)

    @property
    def expected_value(self) -> Fraction:
        return self.play.result.expected_value

    @property
    def cost(self) -> Fraction:
        """What the list gives away against the best play, in units a round."""
        return self.best - self.expected_value


def street_lists(play: Play) -> tuple[StreetsList, ...]:
    """A list that is soon learned, and one that is nearly exact."""
    return tuple(_list(play, most) for most in (SHORT, LONG))


def _list(play: Play, most: int) -> StreetsList:
    """Sentences for the sets of cards alone: what was chosen before is seldom worth remembering."""
    points, said = _points(play)
    rules, picks = {}, []
    for street in play.streets:
        found = _sentences(play, street, points, most)
        rules[street.step] = found
        chosen = np.zeros(len(street.reach), np.uint8)
        for rule in reversed(found):
            chosen[rule.covers] = street.names.index(rule.choice)
        legal = street.choosing.legal[np.arange(street.reach.shape[1])[None, :], chosen[:, None]]
        picks.append(np.where(legal, chosen[:, None], street.picked).astype(np.uint8))
    through = played(play.game, play.rules, play.counts, play.plan, picks)
    name = f"{'short' if most == SHORT else 'long'} list, at most {most} rules a street"
    return StreetsList(name, said, rules, through, play.result.expected_value)


def _sentences(play: Play, street: Street, points: npt.NDArray[np.int64], most: int) -> tuple[Sentence, ...]:
    """The sentences of one street, by steps that each gain most: one more, or another in place of one."""
    weights = (street.level.classes.weights[:, None] * street.reach).astype(float)
    each = np.where(street.choosing.legal, street.worth.astype(float), 0.0) * weights[:, :, None]
    said = dict(_conditions(play, street, points))
    # Sets of cards of which the same is true are one; their choices are worth what all of them are worth together.
    alike, group = np.unique(np.array(list(said.values())), axis=1, return_inverse=True)
    worth = np.zeros((alike.shape[1], len(street.names)))
    np.add.at(worth, group.reshape(-1), each.sum(axis=1))
    wagered = street.puts[0]
    rules = ListedRules(min(wagered, key=lambda choice: wagered[choice].wagered), alike.astype(float), worth)
    listed = rules.best(most, _LEAST_GAIN * play.counts.deals * play.plan.unit)
    names, covers = list(said), list(said.values())
    found = [Sentence(names[place], street.names[choice], covers[place]) for place, choice in listed]
    return *found, Sentence("", street.names[rules.last], np.ones(len(group.reshape(-1)), np.bool_))


Pair = tuple[int, int]
"""A condition and a choice, each by its place."""


@dataclass(frozen=True)
class ListedRules:
    """Lists of conditions for one street, and what they are worth."""

    last: int
    covers: npt.NDArray[np.float64]
    worth: npt.NDArray[np.float64]

    def chosen(self, pairs: Sequence[Pair]) -> npt.NDArray[np.intp]:
        found = np.full(len(self.worth), self.last)
        for place, choice in reversed(pairs):
            found[self.covers[place] > 0] = choice
        return found

    def total(self, pairs: Sequence[Pair]) -> float:
        return float(self.worth[np.arange(len(self.worth)), self.chosen(pairs)].sum())

    def best(self, most: int, least: float = 0.0) -> list[Pair]:
        """By steps that each gain most, and at least so much: one more, or another in place of one."""
        listed: list[Pair] = []
        while True:
            shorter = [[pair for pair in listed if pair is not gone] for gone in listed]
            tried = [self.longer(pairs) for pairs in [*([listed] if len(listed) < most else []), *shorter]]
            best = max(tried, key=self.total, default=listed)
            if self.total(best) <= self.total(listed) + least:
                return listed
            listed = best

    def longer(self, pairs: Sequence[Pair]) -> list[Pair]:
        """The list with one more pair, the one that gains most, where it gains most."""
        now = self.worth[np.arange(len(self.worth)), self.chosen(pairs)]
        left = np.ones(len(self.worth))
        found: tuple[float, int, Pair] = (0.0, 0, (0, self.last))
        for before in range(len(pairs) + 1):
            # Put there, a condition speaks of what none of the earlier ones covers.
            gains = (self.covers * left) @ (self.worth - now[:, None])
            place, choice = (int(at) for at in np.unravel_index(gains.argmax(), gains.shape))
            found = max(found, (float(gains[place, choice]), before, (place, choice)))
            if before < len(pairs):
                left *= 1 - self.covers[pairs[before][0]]
        return [*pairs[: found[1]], found[2], *pairs[found[1] :]] if found[0] else list(pairs)


def _points(play: Play) -> tuple[npt.NDArray[np.int64], str]:
    """Points of each rank by what a pair of it does: wins, is returned or loses."""
    facet, kinds = play.counts.solo.facet, play.counts.kinds
    sign = {}
    for rank in play.counts.deck.ranks:
        others = [other for other in play.counts.deck.ranks if other != rank][:: max(1, len(RANKS) // 5)]
        cards = [card_of(rank, 0), card_of(rank, 1), *(card_of(r, 2 + at % 2) for at, r in enumerate(others))]
        label = facet.label(tuple(cards[: facet.cards]))
        net = next(int(play.plan.nets[0, at]) for at, kind in enumerate(kinds) if label in kind)
        sign[rank] = (net > 0) - (net < 0)
    high, middle = ([rank for rank in sign if sign[rank] == each] for each in (1, 0))
    worth = np.zeros(len(RANKS), np.int64)
    worth[middle] = 1
    worth[high] = 2 if middle else 1
    if not high:
        return worth, ""
    said = [f"{worth[high[0]]} for {RANK_NAMES[high[0]]} or higher"]
    said += [f"1 for {RANK_NAMES[middle[0]]} to {RANK_NAMES[middle[-1]]}"] if middle else []
    return worth, f"Points of a card: {', '.join(said)}."


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _conditions(play: Play, street: Street, points: npt.NDArray[np.int64]) -> Iterator[tuple[str, Bools]]:
    """What a person can see in the cards, in words, and the sets of which it is true."""
    hands = play.counts.deck.cards[street.level.classes.hands].astype(np.int64)
    ranks, suits = np.sort(hands >> 2, axis=1), hands & 3
    size = ranks.shape[1]
    same = ranks[:, 1:] == ranks[:, :-1]
    paired = np.where(same, ranks[:, 1:], -1).max(axis=1)
    once, several = same.sum(axis=1) == 1, same.sum(axis=1) > 1
    for rank in (0, *(int(r) for r in np.flatnonzero(np.diff(points, prepend=0)))):
        yield ("any pair" if not rank else f"a pair of {RANK_NAMES[rank]}s or better"), several | (paired >= rank)
        if rank:
            yield f"a pair below {RANK_NAMES[rank]}s", once & (paired < rank)
    yield "two pair or better", several
    total = points[ranks].sum(axis=1)
    flush = (suits == suits[:, :1]).all(axis=1)
    low = np.sort(np.where(ranks == ACE, -1, ranks), axis=1)
    span = np.minimum(ranks[:, -1] - ranks[:, 0], low[:, -1] - low[:, 0])
    span[same.any(axis=1)] = len(RANKS)
    for suited in (False, True):
        for gaps in (None, 0, 1, 2):
            if gaps is not None and size - 1 + gaps > 4:
                continue
            fits = (flush if suited else np.ones_like(flush)) & (True if gaps is None else span <= size - 1 + gaps)
            for least in range(int(total.max()) + 1):
                if least or suited or gaps is not None:
                    yield _words(size, suited, gaps, least), fits & (total >= least)


def _words(size: int, suited: bool, gaps: int | None, points: int) -> str:
    """What a condition says.

    >>> _words(3, True, 1, 2), _words(4, False, None, 5), _words(4, True, None, 0)
    ('three of one suit within one gap and two points or more', 'five points or more', 'four of one suit')
    """
    head = f"{_NUMBERS[size]} of one suit" if suited else ""
    near = "" if gaps is None else "in a row" if not gaps else f"within {_NUMBERS[gaps]} gap{'s' if gaps > 1 else ''}"
    cards = " ".join(part for part in (head or (_NUMBERS[size] if near else ""), near) if part)
    count = _NUMBERS[points] if points < len(_NUMBERS) else str(points)
    earned = f"{count} point{'' if points == 1 else 's'} or more" if points else ""
    return " and ".join(part for part in (cards, earned) if part)
