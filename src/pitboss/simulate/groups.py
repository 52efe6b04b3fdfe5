"""Groups of facts that are tallied together: how a code stands for the facts of an outcome.

A line belongs to the first group that has all facts it reads, so its pay is a function of that group's code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from pitboss.games.contract import Game
from pitboss.games.lunar_poker import Ending
from pitboss.simulate.words import Ints

THREE_CARD_POKER, FOUR_CARD_POKER, FOUR_CARD_FRENZY, LUNAR_POKER = range(4)
MAIN = "main"
CHOICE = "choice"
NOBODY = "-"
"""The choice of a seat that has nothing to decide."""
MAGIC = ("magic_player", "magic_dealer", "lucky_player", "lucky_dealer")
ENDINGS: Mapping[str, dict[str, Any]] = {
    "instant": {"ending": Ending.INSTANT, "drew": False},
    "bet": {"ending": Ending.BET, "drew": False},
    "fold": {"ending": Ending.FOLD, "drew": False},
    "draw, bet": {"ending": Ending.BET, "drew": True},
    "draw, fold": {"ending": Ending.FOLD, "drew": True},
}
"""How a hand of Lunar Poker can end, in the order of the kernel's codes."""


@dataclass(frozen=True)
class Group:
    """Facts in the order of their radix, each with the values it can take."""

    facts: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]

    @property
    def name(self) -> str:
        return MAIN if CHOICE in self.facts else " ".join(self.facts)

    @property
    def size(self) -> int:
        return prod(len(values) for values in self.values)

    def decode(self) -> list[dict[str, Any]]:
        """The facts of each code; a main group's choice tells whether the hand was folded."""
        return [implied(dict(zip(self.facts, combination, strict=True))) for combination in product(*self.values)]

    def encode(self, facts: Mapping[str, Any]) -> int:
        code = 0
        for name, values in zip(self.facts, self.values, strict=True):
            code = code * len(values) + values.index(facts[name])
        return code

    def covers(self, reads: tuple[str, ...]) -> bool:
        known = {*self.facts}
        if CHOICE in known:
            known |= {"folded", "ending", "drew", "first_hand"} if "second" in known else {"folded"}
        return set(reads) <= known


def implied(facts: dict[str, Any]) -> dict[str, Any]:
    """What a choice makes true of the outcome."""
    choice = facts.get(CHOICE)
    if choice is None:
        return facts
    if choice in ENDINGS and "second" in facts:
        return facts | ENDINGS[choice] | {"first_hand": facts["hand"]}
    return facts | {"folded": choice == "fold"}


_LISTED: Mapping[str, tuple[int, tuple[tuple[str, ...], ...]]] = {
    "three-card-poker": (
        THREE_CARD_POKER,
        (
            (CHOICE, "qualifies", "versus", "hand"),
            ("six_card",),
            ("five_of_six",),
            ("folded", "five_card"),
            ("dealer_five_card",),
            MAGIC,
        ),
    ),
    "four-card-poker": (
        FOUR_CARD_POKER,
        (
            (CHOICE, "versus", "hand"),
            ("folded", "five_card"),
            ("versus", "hand", "dealer_hand"),
            ("dealer_five_card",),
            ("six_card",),
            MAGIC,
        ),
    ),
    "four-card-frenzy": (FOUR_CARD_FRENZY, ((CHOICE, "qualifies", "versus", "hand"), ("color",), ("six_card",))),
    "lunar-poker": (
        LUNAR_POKER,
        ((CHOICE, "qualifies", "versus", "hand", "second"), ("super_hand",), ("dealer_super_hand",)),
    ),
}


class NoKernelError(ValueError):
    """A game that the simulator cannot play yet."""


def kind_of(game: Game) -> int:
    if game.name not in _LISTED:
        raise NoKernelError(f"There is no compiled round of {game.name} yet; {', '.join(_LISTED)} have one.")
    return _LISTED[game.name][0]


def groups_of(game: Game, choices: tuple[str, ...]) -> tuple[Group, ...]:
    """The groups of a game; ``choices`` as the table of decisions names them."""
    kind = kind_of(game)
    named = tuple(ENDINGS) if kind == LUNAR_POKER else (*choices, NOBODY)
    domains: dict[str, tuple[Any, ...]] = {name: tuple(values) for name, values in game.lines.domains.items()}
    domains[CHOICE] = named
    return tuple(Group(facts, tuple(domains[fact] for fact in facts)) for facts in _LISTED[game.name][1])


def offsets_of(groups: tuple[Group, ...]) -> Ints:
    """Where the codes of each group start when they are numbered through all groups."""
    return np.cumsum([0, *(group.size for group in groups)])[:-1].astype(np.int64)
