"""What wagers beside the main ones read of a board: both hands by name, and who has folded with which cards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import factorial

import numpy as np

from pitboss.exact.board_classes import NAMES, every_pair
from pitboss.exact.board_counts import BoardCounts, board_of, count
from pitboss.exact.board_streets import BoardStreet, decide
from pitboss.exact.board_sums import BEST_PLAY, Last, lowered, raised, tally, weigh_whole
from pitboss.exact.cache import Arrays, kept
from pitboss.exact.decks import FULL, Ints, SmallDeck
from pitboss.exact.duel import Progress
from pitboss.exact.facets import Code, NotCountedError, Sides, labels_of
from pitboss.exact.plan import ENDED
from pitboss.games.contract import Game, Versus
from pitboss.hands.facets import Facet


def every_deal(counts: BoardCounts, progress: Progress | None = None) -> Ints:
    """Ordered deals by both hands' kinds and how they compare, when nobody folds; kept for the full deck."""

    def make() -> tuple[Arrays, Mapping[str, int]]:
        one, size = np.zeros((1, 1), np.int64), counts.board.cards - 1
        orders = np.full((1, len(counts.levels[size].boards), counts.pairs), factorial(size), np.uint8)
        lines = np.zeros((len(counts.kinds), 1, 4), np.int64)
        last = Last(np.ones((1, 1), np.bool_), one, one)
        return {"joint": tally(counts, last, lines, BEST_PLAY, orders, progress)[1][0]}, {}

    if counts.deck != FULL:
        return make()[0]["joint"]
    return kept("versus-board", counts.board.key, make)[0]["joint"]


def both_hands(game: Game, sides: Sides, deck: SmallDeck = FULL) -> tuple[dict[Code, int], int]:
    """Deals by how two hands on a board compare and what each is called; and how many deals there are."""
    board = board_of(game)
    assert board is not None, "two hands that share cards are on a board"
    counts = count(board, deck)
    orders = factorial(board.cards)
    return named_hands(counts, every_deal(counts) // orders, sides), counts.pairs * counts.ways(0) // orders


def named_hands(counts: BoardCounts, joint: Ints, sides: Sides) -> Counter[Code]:
    """The kinds of both hands by name, the player's first."""
    of_facet = {facet: name for name, facet in counts.board.labels}
    if not {sides.mine.facet, sides.theirs.facet} <= of_facet.keys():
        raise NotCountedError("Hands on a board are counted by the names that the main wagers read.")
    mine, theirs = of_facet[sides.mine.facet], of_facet[sides.theirs.facet]
    found: Counter[Code] = Counter()
    for one, other, versus in np.argwhere(joint):
        code = tuple(Versus)[versus], counts.kinds[one][mine], counts.kinds[other][theirs]
        found[code] += int(joint[one, other, versus])
    return found


def folding(streets: Sequence[BoardStreet], size: int, facet: Facet) -> Counter[tuple[int, str]]:
    """Ordered deals by whether a choice has ended the seat's part, and by the name of its cards seen so far."""
    counts, plan = streets[0].counts, streets[0].plan
    early = [street for street in streets if street.size < counts.board.cards]
    if size not in [street.size for street in early]:
        raise NotCountedError("Folding is counted with the cards seen at a decision only.")
    ends = [(street.follows == ENDED) & street.choosing.legal for street in streets]
    last = ends[-1] if len(early) < len(ends) else np.zeros(Last.of(plan, counts.board.cards).legal.shape)
    gone = np.zeros((len(counts.levels[size].boards), counts.pairs), np.int64)
    if last.any() or any(end.any() for end, street in zip(ends, early, strict=False) if street.size >= size):
        values = weigh_whole(counts, plan, None, counted=last.astype(np.int64) * counts.dealt)
        at = counts.board.cards - 1
        for street, end in reversed(list(zip(early, ends, strict=False))):
            if street.size >= size:
                while at > street.size:
                    values, at = lowered(counts, at, values), at - 1
                choosing = replace(street.choosing, ended=end.astype(np.int64))
                _, values = decide(counts, plan, choosing, values, street.picked)
                reach = street.reach
        gone += (reach * values).sum(axis=0)
    for street, end in zip(early, ends, strict=False):
        for history, choice in np.argwhere(end) if street.size < size else ():
            taken = np.where(street.picked[history] == choice, street.reach[history], 0)[None]
            gone += raised(counts, street.size, size, taken)[0].astype(np.int64) * counts.ways(size)
    return _labelled(counts, size, facet, gone)


def _labelled(counts: BoardCounts, size: int, facet: Facet, gone: Ints) -> Counter[tuple[int, str]]:
    """States of some cards of the board by name; ``gone`` has the ordered deals in which the seat has folded.

    A state stands for as many as its board; where a name depends on the suit itself, for each renaming alike.
    """
    level, free = counts.levels[size], counts.free(size)
    rows, pairs = np.nonzero(free)
    hands = np.concatenate([every_pair(counts.deck)[pairs], level.boards[rows]], axis=1)
    names, codes = labels_of(facet, counts.deck, np.sort(hands, axis=1))
    weights = level.classes.weights[rows]
    whole = weights * (counts.ways(size) * factorial(size))
    ended = weights * gone[rows, pairs]
    found: Counter[tuple[int, str]] = Counter()
    for code, name in enumerate(names):
        told = codes == code
        found[1, name] += (folded := int(ended[told].sum()))
        found[0, name] += int(whole[told].sum()) - folded
    apart: Counter[tuple[int, str]] = Counter()
    for row in np.flatnonzero(codes < 0):
        for suits in NAMES:
            places = (hands[row] & ~np.uint8(3)) | suits[hands[row] & 3]
            name = facet.label(counts.deck.hand(np.sort(places)))
            apart[1, name] += int(ended[row])
            apart[0, name] += int(whole[row] - ended[row])
    found.update({key: n // len(NAMES) for key, n in apart.items()})
    return found
