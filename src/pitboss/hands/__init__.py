"""Poker hands: the rank orders of the chapters, for one hand or for a million at once.

>>> FIVE_CARD.describe(FIVE_CARD.score(cards("As Ad 9c 4h 2d")))
'pair of aces'
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pitboss.cards import parse_cards as cards
from pitboss.findings import UnknownName, UnreadableError
from pitboss.hands.orders import FIVE_CARD, FOUR_CARD, LUNAR, ORDERS, THREE_CARD, RankOrder
from pitboss.public import public

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "FIVE_CARD", "FOUR_CARD", "LUNAR", "ORDERS", "THREE_CARD", "RankOrder", "cards", "categories", "order_named",
    "rank",
]  # fmt: skip


@public
def order_named(order: RankOrder | str) -> RankOrder:
    """A rank order by its name, such as ``three-card``."""
    found = order if isinstance(order, RankOrder) else next((each for each in ORDERS if each.name == order), None)
    if found is None:
        raise UnknownName(f"There is no rank order {order!r}; there are {', '.join(each.name for each in ORDERS)}.")
    return found


@public
def rank(hands: "npt.ArrayLike | Sequence[str]", order: RankOrder | str = FIVE_CARD) -> "npt.NDArray[np.int32]":
    """The scores of many hands, the best first to compare highest (extra ``batch``).

    ``hands`` is an array of card numbers, ``4 * rank + suit``, one hand in each row, or a list of texts. Of more cards
    than the order ranks, the best hand counts.

    >>> rank(["As Ad 9c 4h 2d", "Kh Qh Jh Th 9h"]).argmax().item()
    1
    """
    import numpy as np

    from pitboss.hands.batch import evaluate

    if isinstance(hands, str):
        hands = [hands]
    if isinstance(hands, Sequence) and hands and all(isinstance(hand, str) for hand in hands):
        hands = np.array([cards(str(hand)) for hand in hands])
    return evaluate(order_named(order), hands)


@public
def categories(scores: "npt.ArrayLike", order: RankOrder | str = FIVE_CARD) -> "npt.NDArray[np.str_]":
    """What the hands behind scores are called.

    >>> categories(rank(["As Ad 9c 4h 2d"])).tolist()
    ['pair']
    """
    import numpy as np

    found, given = order_named(order), np.asarray(scores)
    if not np.issubdtype(given.dtype, np.integer) or (given.size and not 0 <= given.min() <= given.max() < 1 << 31):
        raise UnreadableError("Scores are whole numbers as rank() gives them.")
    places = given >> found.shift
    if places.size and places.max() >= len(found.categories):
        raise UnreadableError(f"These are no scores of the order {found.name}.")
    names: npt.NDArray[np.str_] = np.array(found.categories[::-1])[places]
    return names
