"""The numbered lists of the ranking sections (.6): which paragraph defines which category, from the highest down."""

from collections.abc import Mapping

from pitboss.hands.labels import SUPER_LABELS
from pitboss.hands.orders import FIVE_CARD, FOUR_CARD, LUNAR, THREE_CARD
from pitboss.law.cite import Cite
from pitboss.law.implements import REGISTRY

_FIVE_CARD_LIST = FIVE_CARD.categories[: FIVE_CARD.categories.index("three_of_a_kind") + 1]
_SIX_CARD_LIST = ("six_card_royal", *_FIVE_CARD_LIST)

LISTS: Mapping[str, tuple[str, ...]] = {
    "641a.6(b)": FOUR_CARD.categories[:-1],
    "641a.6(d)": _FIVE_CARD_LIST,
    "641a.6(e)": _SIX_CARD_LIST,
    "649a.6(b)": THREE_CARD.categories[:-1],
    "649a.6(d)": (*_FIVE_CARD_LIST, "six_card_royal"),
    "671a.6(b)": LUNAR.categories[:-1],
    "671a.6(d)": SUPER_LABELS[: SUPER_LABELS.index("same_colored_five") + 1],
    "684a.6(b)": FOUR_CARD.categories[:-1],
    "684a.6(d)": (
        "four_of_a_kind",
        "royal_flush",
        "straight_flush",
        "three_of_a_kind",
        "flush",
        "straight",
        "two_pair",
    ),
    "684a.6(e)": _SIX_CARD_LIST,
}
"""Entry n of a list is its paragraph (n). 649a.6(d) prints the Super Royal last although it is the best."""


def paragraph_of(base: str, name: str) -> Cite:
    """The paragraph of one list that defines a category.

    >>> str(paragraph_of("641a.6(b)", "flush"))
    '641a.6(b)(4)'
    """
    return Cite.parse(f"{base}({LISTS[base].index(name) + 1})")


for _base, _names in LISTS.items():
    for _name in _names:
        REGISTRY.setdefault(paragraph_of(_base, _name), []).append("pitboss.hands.labels.TITLES")
    REGISTRY.setdefault(Cite.parse(_base), []).append("pitboss.hands.paragraphs.LISTS")
for _chapter in ("641a", "649a", "671a", "684a"):
    REGISTRY.setdefault(Cite(_chapter, 6, ("a",)), []).append("pitboss.hands.orders.Shape")
    REGISTRY.setdefault(Cite(_chapter, 6, ("c",)), []).append("pitboss.hands.orders.RankOrder.score")
