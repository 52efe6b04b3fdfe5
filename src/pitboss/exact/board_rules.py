"""Rules to learn for hands on a common board, and what they cost.

The first decision is a chart, which is exact. Later a rule speaks of what a person sees: whether the hand is better
than what lies on the table by itself, what it is called, the ranks of the player's own cards, and four of one suit. As
in ``streets`` a list begins with the least wager, and the sentence that gains most is put where it gains most. Its
value is exact: every deal is played by what the list says on every street.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import RANK_NAMES, RANKS
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_classes import PAIR, every_pair
from pitboss.exact.board_counts import BoardCounts
from pitboss.exact.board_lists import starts_sentence
from pitboss.exact.board_streets import BoardStreet, followed
from pitboss.exact.board_sums import raised, weigh_whole, whole_sums
from pitboss.exact.cache import fingerprint, kept_figures
from pitboss.exact.decks import SUITS, Ints, Places
from pitboss.exact.plan import ENDED
from pitboss.exact.streets import ListedRules
from pitboss.hands import batch
from pitboss.hands.orders import OF_FEW_CARDS
from pitboss.names import shown

Bools = npt.NDArray[np.bool_]
_R = len(RANKS)
_CHUNK = 256
LISTING_CODE = ("exact/board_lists.py", "exact/board_rules.py", "exact/streets.py")
"""What the words of a list depend on besides the play."""


@dataclass(frozen=True)
class Groups:
    """States that look alike to a person: what lies by itself, the hand, own ranks, and a card of four in one suit."""

    lying: Ints
    mine: Ints
    high: Ints
    low: Ints
    draw: Ints
    """One more than the rank of the highest own card of four in one suit; zero without."""

    @classmethod
    def of(cls, codes: Ints, categories: int) -> "Groups":
        codes, draw = np.divmod(codes, _R + 1)
        codes, low = np.divmod(codes, _R)
        codes, high = np.divmod(codes, _R)
        lying, mine = np.divmod(codes, categories)
        return cls(lying, mine, high, low, draw)

    def conditions(self, categories: tuple[str, ...]) -> Iterator[tuple[str, Bools]]:
        """What can be said of them, in words; ``categories`` from the lowest."""
        better = self.mine > self.lying
        yield "a better hand than the board", better
        for at in range(2, 5):
            yield f"{_named(categories[at])} or better, better than the board", better & (self.mine >= at)
        for rank in range(RANKS.index("T"), _R):
            name = RANK_NAMES[rank]
            yield f"four of one suit with {_a(name)} or higher of your own", self.draw > rank
        yield "four of one suit with a card of your own", self.draw > 0
        for at, board in enumerate(categories[:5]):
            on = self.lying == at
            if on.any():
                yield f"no better hand than the board's {_named(board)}", on & ~better
                for rank in range(RANKS.index("8"), _R):
                    held = on & (self.high >= rank)
                    yield f"{_a(RANK_NAMES[rank])} or higher and a board of {_named(board)}", held
                    for other in range(RANKS.index("5"), rank, 2):
                        both = f"{RANK_NAMES[rank]}-{RANK_NAMES[other]}"
                        yield f"{both} or higher and a board of {_named(board)}", held & (self.low >= other)
        pair = (self.mine == 1) & better
        for rank in range(1, _R):
            yield f"a pocket pair of {RANK_NAMES[rank]}s or better", pair & (self.high == self.low) & (self.low >= rank)


def _named(category: str) -> str:
    return category.replace("_", " ")


def _a(rank: str) -> str:
    return f"an {rank}" if rank[0] in "ae8" else f"a {rank}"


def _lying(counts: BoardCounts, boards: Places) -> Ints:
    """The category of each board by itself, from the lowest."""
    order = counts.board.order
    names = order.categories[::-1]
    if boards.shape[1] >= order.size:
        return (batch.evaluate(order, counts.deck.cards[boards]) >> 20).astype(np.int64)
    ranks = boards >> 2
    many = np.array([np.bincount(row, minlength=_R) for row in ranks])
    most, twice = many.max(axis=1), (many == PAIR).sum(axis=1)
    kind = np.where(most == 4, 4, np.where(most == 3, 3, np.where(twice == PAIR, 2, np.where(twice == 1, 1, 0))))
    return np.array([names.index(name) for name in OF_FEW_CARDS])[kind]


def _codes(counts: BoardCounts, size: int, part: slice) -> Ints:
    """The group of each pair with each of some boards that leave the hand open."""
    boards, order, pairs = counts.levels[size].boards[part], counts.board.order, every_pair(counts.deck)
    both = np.concatenate(
        [np.repeat(pairs[None], len(boards), axis=0), np.repeat(boards[:, None], len(pairs), axis=1)], axis=2
    )
    free = ~(pairs[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
    mine = np.zeros(free.shape, np.int64)
    mine[free] = batch.evaluate(order, counts.deck.cards[both[free]]) >> 20
    suits = both & 3
    draw = np.zeros(free.shape, np.int64)
    ranks = np.array(counts.deck.ranks)[pairs >> 2]
    for suit in range(SUITS):
        four = (suits == suit).sum(axis=2) == order.size - 1
        for card in range(PAIR):
            held = four & (pairs[:, card] & 3 == suit)[None]
            draw = np.maximum(draw, np.where(held, ranks[:, card] + 1, 0))
    lying = _lying(counts, boards)[:, None]
    codes = (lying * len(order.categories) + mine) * _R + ranks[:, 1]
    found: Ints = (codes * _R + ranks[:, 0]) * (_R + 1) + draw
    return found


@dataclass(frozen=True)
class BoardList:
    """A chart for the first decision and a few sentences for each later one, with the exact value of playing so."""

    name: str
    sentences: tuple[str, ...]
    expected_value: Fraction
    best: Fraction = field(repr=False)

    @property
    def cost(self) -> Fraction:
        """What the list gives away against the best play, in units a round."""
        return self.best - self.expected_value


def board_lists(play: BoardPlay) -> tuple[BoardList, ...]:
    """A list that is soon learned, and a longer one; of the full deck they are kept."""

    def make() -> dict[str, Any]:
        looked: Looks = {}
        found = (list_of(play, most, looked) for most in (3, 8))
        return {"lists": [(each.name, each.sentences, str(each.expected_value)) for each in found]}

    key = fingerprint(play.key, LISTING_CODE)
    figures = kept_figures(f"lists-{play.game.name}", key, make) if play.key else make()
    best = play.result.expected_value
    return tuple(BoardList(name, tuple(said), Fraction(value), best) for name, said, value in figures["lists"])


Looks = dict[int, tuple[Ints, Ints, Ints]]
"""By cards of the board that lie: what each choice is worth, the groups that there are, and that of each state."""


def list_of(play: BoardPlay, most: int, looked: Looks | None = None) -> BoardList:
    """The best list of at most so many sentences a street, each found by the best later play.

    ``looked`` remembers what does not depend on the list.
    """
    looked = {} if looked is None else looked
    counts, plan = play.counts, play.plan
    reach, seen, total = np.ones((1, 1, counts.pairs), np.uint8), 0, 0
    said = [starts_sentence(play)]
    plan.check_fits(counts.pairs * counts.ways(0))
    for place, street in enumerate(play.streets):
        last = place + 1 == len(play.streets)
        if street.size < counts.board.cards:
            reach, seen = raised(counts, seen, street.size, reach), street.size
            street = replace(street, reach=reach)
            if street.size not in looked:
                looked[street.size] = _look(play, street)
            worth = looked[street.size][0]
            if place:
                picked, sentence = _early(counts, street, *looked[street.size], most)
                said.append(sentence)
                street = replace(street, picked=picked)
            made, _, reach = followed(counts, street)
            if last:
                total += _played(street, worth)
            else:
                total += int((made * street.choosing.ended)[street.follows == ENDED].sum())
        else:
            reach = raised(counts, seen, counts.board.cards - 1, reach)
            won, sentence = _whole(play, street, reach, most)
            said.append(sentence)
            total += won
    value = Fraction(total, counts.pairs * counts.ways(0) * plan.unit)
    return BoardList(f"chart and at most {most} rules a street", tuple(said), value, play.result.expected_value)


def _look(play: BoardPlay, street: BoardStreet) -> tuple[Ints, Ints, Ints]:
    """What a list can speak of before the whole board lies; a chart has no groups."""
    worth = street.worth if len(street.worth) else _worth(play, street)
    if not street.size:
        return worth, np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts = range(0, len(street.level.boards), _CHUNK)
    codes = np.concatenate([_codes(play.counts, street.size, slice(start, start + _CHUNK)) for start in starts])
    known, group = np.unique(codes, return_inverse=True)
    return worth, known, group.reshape(codes.shape)


def _worth(play: BoardPlay, street: BoardStreet) -> Ints:
    """What each choice is worth at the last decision before the whole board, where it is not kept."""
    after = weigh_whole(play.counts, play.plan, None)
    ends, ways = (street.follows == ENDED)[:, :, None, None], play.counts.ways(street.size)
    return np.where(ends, street.choosing.ended[:, :, None, None] * ways, after[street.follows])


def _played(street: BoardStreet, worth: Ints) -> int:
    """What the choices taken are worth, over all deals that come to them."""
    weights = street.level.classes.weights[:, None]
    total = 0
    for history, choice in np.argwhere(street.choosing.legal):
        taken = np.where(street.picked[history] == choice, street.reach[history], 0)
        total += int((taken * weights * worth[history, choice]).sum())
    return total


def _early(
    counts: BoardCounts, street: BoardStreet, worth: Ints, known: Ints, group: Ints, most: int
) -> tuple[Places, str]:
    """The choices of a list on a street before the whole board, by state, and the list in words."""
    asked = [h for h in range(len(street.choosing.legal)) if street.choosing.legal[h].sum() > 1]
    weights = street.level.classes.weights
    sums = np.zeros((len(known), len(street.names)))
    for history in asked:
        ways = (street.reach[history] * weights[:, None]).astype(float)
        for choice in np.flatnonzero(street.choosing.legal[history]):
            sums[:, choice] += np.bincount(group.ravel(), (ways * worth[history, choice]).ravel(), len(known))
    groups = Groups.of(known, len(counts.board.order.categories))
    chosen, sentence = _found(counts, street, groups, sums, asked[0], most)
    picked = street.picked.copy()
    for history in asked:
        picked[history] = chosen[group]
    return picked, sentence


def _whole(play: BoardPlay, street: BoardStreet, reach: Places, most: int) -> tuple[int, str]:
    """What a list at the whole board wins over all deals, and the list in words."""
    counts, categories = play.counts, play.counts.board.order.categories[::-1]
    lying = _lying(counts, counts.levels[-1].boards)
    sums = whole_sums(counts, play.plan, reach, lying, len(categories))
    fact = counts.board.labels[0][0]
    of_kind = np.array([categories.index(kind[fact]) for kind in counts.kinds])
    places = np.arange(sums.shape[1] - 1)
    rest, held = np.divmod(places, _R * _R)
    board, kind = np.divmod(rest, len(counts.kinds))
    groups = Groups(board, of_kind[kind], held // _R, held % _R, np.zeros_like(held))
    (asked, *_) = [h for h in range(len(street.choosing.legal)) if street.choosing.legal[h].sum() > 1]
    chosen, sentence = _found(counts, street, groups, sums[:, :-1].T.astype(float), asked, most)
    return int(sums[chosen, places].sum() + sums[:, -1].sum()), sentence


def _found(
    counts: BoardCounts, street: BoardStreet, groups: Groups, sums: npt.NDArray[np.float64], asked: int, most: int
) -> tuple[Places, str]:
    """The list that gains most: the choice of each group, and its sentence."""
    said = dict(groups.conditions(counts.board.order.categories[::-1]))
    met = np.flatnonzero(np.abs(sums).sum(axis=1))
    puts = street.puts[asked]
    legal = np.flatnonzero(street.choosing.legal[asked]).tolist()
    last = min(legal, key=lambda choice: puts[choice].wagered)
    covers = np.array(list(said.values()))[:, met]
    rules = ListedRules(legal.index(last), covers.astype(float), sums[met][:, legal])
    pairs = [(at, legal[choice]) for at, choice in rules.best(most)]
    chosen = np.full(len(sums), last, np.uint8)
    for at, choice in reversed(pairs):
        chosen[list(said.values())[at]] = choice
    words = list(said)
    return chosen, _sentence(street, [(words[at], street.names[choice]) for at, choice in pairs], street.names[last])


def _sentence(street: BoardStreet, rules: list[tuple[str, str]], other: str) -> str:
    parts: list[tuple[str, list[str]]] = []
    for words, choice in rules:
        if parts and parts[-1][0] == choice:
            parts[-1][1].append(words)
        else:
            parts.append((choice, [words]))
    text = "".join(f"{choice} with {'; or '.join(words)}; " for choice, words in parts)
    return f"{shown(street.step)}: {text}otherwise {other}."
