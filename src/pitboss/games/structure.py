"""The information structure of a game's main wagers: who holds how many cards, what is seen, what may be chosen.

Counting engines know nothing else of a game: the pay of each choice comes from the game's own lines.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

from pitboss.cards import Hand
from pitboss.games.rules import Rules
from pitboss.hands.orders import RankOrder

Facts = Mapping[str, Any]
PRINTED = "printed"
"""The reading that is implemented as the law."""


TIES = (
    "Of choices worth exactly the same the one that the game lists first is taken: playing before folding, a smaller "
    "wager before a larger one; cards are drawn only where that is worth more than not drawing."
)
"""How a tie in value is resolved wherever a best choice is picked; values stay the same, shares of choices do not."""


@dataclass(frozen=True)
class Outlay:
    """One choice as counting knows it, with the stake of every line it leads to, in units."""

    name: str
    facts: Facts
    """What the choice itself makes true of the outcome."""
    stakes: Mapping[str, Fraction]
    wagered: Fraction
    """Everything finally wagered under this choice, bonuses not counted."""


@dataclass(frozen=True)
class Scope:
    """How much of a game a figure covers: what its player may not do, and which cards are drawn."""

    restriction: str = ""
    """What the law allows and the figure leaves out; empty where it leaves out nothing."""
    draws: bool = False
    """Whether cards are drawn before the last choice: more than comparing one hand with the dealer's."""
    exchanges: bool = False
    """Whether cards are given up for others."""
    readings: Mapping[str, str] = field(default_factory=dict)
    """How pay tables are read, where that is not as printed."""


WHOLE = Scope()
"""The whole game, exactly."""


class Keep(Enum):
    """The cards that an exchange keeps: those of a rank held more than once, the highest, or the longest suit."""

    SAME, ONE, TWO, SUITED = range(4)


@dataclass(frozen=True)
class Held:
    """What a person sees in many hands at once, against an up card of one rank: arrays, one entry for each hand."""

    categories: tuple[str, ...]
    category: Any
    """As places in ``categories``, the highest first."""
    lead: Any
    """The highest rank that is held most often: of a pair, of three of a kind, or the highest card."""
    second: Any
    """The highest rank held besides."""
    suited: Any
    """Cards of the longest suit."""
    straight: Any
    """How many ranks would complete a straight."""
    run: Any
    """In how many straight flushes all cards of the longest suit lie together."""
    alike: Any
    """Cards of the up card's rank."""
    up: int

    def has(self, *names: str) -> Any:
        """Whether the hand is of one of these categories."""
        return sum(self.category == self.categories.index(name) for name in names) > 0


@dataclass(frozen=True)
class Maxim:
    """One sentence of a list to learn, and the same for a computer: the first that fits is followed."""

    words: str
    choice: str
    fits: Callable[[Any], Any]
    """Of ``Held`` where cards are drawn, of ``Glimpse`` where seats share cards: whether it fits, row by row."""
    keep: Keep = Keep.SAME


@dataclass(frozen=True)
class Thresholds:
    """A list for one choice against a dealer: by what is seen of the dealer's hand, the least hand that acts."""

    choice: str
    otherwise: str
    least: Mapping[str, str]
    """The least hand, as cards, by the rank seen or by the class that a back shows; against others everybody acts."""


@dataclass(frozen=True)
class Ahead:
    """One decision of a list that compares the hands of player and dealer as they lie; cards to come count nothing."""

    choice: str
    """What a player does who is ahead."""
    otherwise: str
    level: bool = False
    """Whether a player who is level does it too."""


@dataclass(frozen=True)
class Glimpse:
    """What players who show each other their cards see at a decision, in many deals at once: one row for each."""

    held: Any
    """By rank: cards of the player's own hand, those turned up for everybody among them."""
    left: Any
    """By rank: cards that nobody has seen."""
    suited: Any
    """Whether all cards of the hand are of one suit."""
    flush: Any
    """Cards of that suit that nobody has seen; of mixed suits none."""
    straight: Any
    """Cards that nobody has seen and that would complete a straight at once."""
    ranks_short: Any
    """Ranks that would complete a straight at once, seen or not."""
    span: Any
    """The largest distance between neighbours by rank, the ace high; more than any where a rank is held twice."""


@dataclass(frozen=True)
class Learned:
    """A list to learn for a player who sees cards that ought to be hidden."""

    name: str
    sees: str
    """What is seen, as ``pitboss protect`` reads it: ``dealer=1``, ``backs=AKQ*1``, ``seats=6``."""
    play: "Thresholds | Mapping[str, Ahead] | Mapping[str, tuple[Maxim, ...]]"
    """By decision, unless there is only one."""


@dataclass(frozen=True)
class Guide:
    """How to play where cards are drawn: the first choice, and whether to bet with what has come."""

    name: str
    first: tuple[Maxim, ...]
    then: str
    bets_from: Callable[[str, int], int]
    """By category of the final hand and rank of the up card: how many cards of that rank, discards among them, must
    have been seen for a bet."""


@dataclass(frozen=True)
class Duel:
    """A player's hand against the dealer's: both ranked by one order, the better cards of each selected."""

    order: RankOrder
    player_cards: int
    dealer_cards: int
    up_card: bool
    """Whether the player sees one of the dealer's cards before choosing."""
    facts: Callable[[Rules, Hand], Facts]
    """What the player's own cards make true of the outcome."""
    options: Callable[[Rules, Facts], tuple[Outlay, ...]]
    required: Fraction
    """Wagers that everybody must make before the cards, in Antes."""
    qualifies: int | None = None
    """The least score with which the dealer plays; none if the dealer always does."""
    suit_blind: bool = True
    """Whether the player's facts are the same whatever the suits are called."""
    facts_read: tuple[str, ...] = ()
    """Pay tables that the facts depend on."""
