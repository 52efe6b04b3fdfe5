"""Facts of an outcome: each is stated once, as the annotation of its field, with the cards it looks at.

From the annotation follow the values it can take, how a settlement finds it, what counting and simulation look at,
and how the hand behind it is named in words.

    class Outcome:
        folded: Annotated[bool, Chosen(folded)]
        versus: Annotated[Versus, Compare(THREE_CARD, OWN, DEALER)]
        hand: Annotated[str, Label(THREE, OWN)]
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol, get_type_hints

from pitboss.cards import Hand, show_cards
from pitboss.games.chance import counted, spoken_of, thrown
from pitboss.games.round import FaceDownError, Round, Seat
from pitboss.games.rules import Rules
from pitboss.hands.deciding import show_against
from pitboss.hands.facets import Facet
from pitboss.hands.orders import RankOrder
from pitboss.law.model import Face

Places = tuple[str, ...]
OWN: Places = ("own",)
"""The cards first dealt to the seat."""
FINAL: Places = ("final",)
"""The seat's cards after those it bought or exchanged."""
DEALER: Places = ("dealer",)
COMMUNITY: Places = ("community",)
BOTH = (False, True)


class Versus(StrEnum):
    """The player's hand against the dealer's."""

    LOWER = "lower"
    EQUAL = "equal"
    HIGHER = "higher"

    @classmethod
    def of(cls, player: int, dealer: int) -> "Versus":
        return cls.HIGHER if player > dealer else cls.EQUAL if player == dealer else cls.LOWER


@dataclass(frozen=True)
class Position:
    """What a fact may look at: the rules, the round and the seat from which it is seen.

    Every fact reads cards through here, so this is where a card that lies face down is asked for.
    """

    rules: Rules
    played: Round
    seat: Seat

    def cards(self, places: Places) -> Hand:
        """The cards of these places; raise ``FaceDownError`` if one of them lies face down."""
        return tuple(card for place in places for card in self._at(place))

    def _at(self, place: str) -> Hand:
        if self.played.covered and (name := self.played.covered_at(place, self.seat.number)):
            raise FaceDownError(name)
        if place == "own":
            return self.seat.cards
        return self.seat.final_cards if place == "final" else self.played.place(place, self.seat.number)


class Fact(Protocol):
    """One thing that is true of an outcome: the values it can take, and which of them holds."""

    @property
    def values(self) -> tuple[Any, ...]: ...

    def of(self, at: Position) -> Any: ...

    def words(self, at: Position) -> str:
        """The cards behind it as a person would name them; empty where there are none."""


@dataclass(frozen=True)
class Label:
    """What the cards of some places are called; an empty name while not all of them lie."""

    facet: Facet
    places: Places

    @property
    def values(self) -> tuple[str, ...]:
        return self.facet.labels

    def hand(self, at: Position) -> Hand:
        cards = at.cards(self.places)[: self.facet.cards]
        return cards if len(cards) == self.facet.cards else ()

    def of(self, at: Position) -> str:
        hand = self.hand(at)
        return self.facet.label(hand) if hand else ""

    def words(self, at: Position) -> str:
        hand = self.hand(at)
        if not hand:
            return ""
        return show_cards(hand) if self.facet.order is None else self.facet.order.show_best(hand)


@dataclass(frozen=True)
class AtLeast:
    """Whether a hand reaches a score: a dealer who qualifies."""

    order: RankOrder
    score: int
    places: Places

    values = BOTH

    def of(self, at: Position) -> bool | None:
        cards = at.cards(self.places)
        return self.order.best(cards)[0] >= self.score if len(cards) >= self.order.size else None

    def words(self, at: Position) -> str:
        return self.order.show_best(at.cards(self.places))


@dataclass(frozen=True)
class Compare:
    """One hand against another, both ranked by one order."""

    order: RankOrder
    places: Places
    against: Places

    values = tuple(Versus)

    def of(self, at: Position) -> Versus | None:
        mine, theirs = at.cards(self.places), at.cards(self.against)
        if min(len(mine), len(theirs)) < self.order.size:
            return None
        return Versus.of(self.order.best(mine)[0], self.order.best(theirs)[0])

    def words(self, at: Position) -> str:
        return self.show(at)[0]

    def show(self, at: Position) -> tuple[str, str]:
        """Both hands in words, and the card that decides between two of one name."""
        return show_against(self.order, at.cards(self.places), at.cards(self.against))


@dataclass(frozen=True)
class Chosen:
    """What the player's choices have led to; ``of_choices`` reads the names of the choices by step."""

    of_choices: Callable[[Mapping[str, str]], Any]
    values: tuple[Any, ...] = BOTH

    def of(self, at: Position) -> Any:
        return self.of_choices({step: decision.choice for step, decision in at.seat.decisions.items()})

    def words(self, at: Position) -> str:  # noqa: ARG002
        return ""


def folded(choices: Mapping[str, str]) -> bool:
    """Whether one of the choices was to fold."""
    return "fold" in choices.values()


def fold_step(choices: Mapping[str, str]) -> str:
    """The step at which the player folded; empty if at none."""
    return next((step for step, choice in choices.items() if choice == "fold"), "")


@dataclass(frozen=True)
class Holds:
    """Whether the card that the system selected, if it did, is among the first cards of some places."""

    places: Places
    cards: int

    values = BOTH

    def of(self, at: Position) -> bool:
        return at.played.magic_card in at.cards(self.places)[: self.cards]

    def words(self, at: Position) -> str:  # noqa: ARG002
        return ""


@dataclass(frozen=True)
class Selected:
    """Whether the system selected the dealer's place, or this seat."""

    dealer: bool

    values = BOTH

    def of(self, at: Position) -> bool:
        return at.played.lucky_position == ("dealer" if self.dealer else at.seat.number)

    def words(self, at: Position) -> str:  # noqa: ARG002
        return ""


@dataclass(frozen=True)
class Derived:
    """A name that the rules themselves help to find, from the cards of some places."""

    name: Callable[[Rules, Hand], str]
    places: Places
    values: tuple[str, ...]
    reads: tuple[str, ...] = ()
    """Pay tables that it depends on."""

    def of(self, at: Position) -> str:
        return self.name(at.rules, at.cards(self.places))

    def words(self, at: Position) -> str:
        return show_cards(at.cards(self.places))


@dataclass(frozen=True)
class Rolled:
    """What the dice or the wheel, the same for everybody, come to."""

    name: Callable[[tuple[Face, ...]], Any]
    values: tuple[Any, ...]

    def of(self, at: Position) -> Any:
        return self.name(at.played.dice)

    def words(self, at: Position) -> str:
        step = thrown(at.rules)
        read = at.played.dice[: step.dice] if step is not None else ()  # not those of later rounds
        return f"{spoken_of(at.rules).shows} {'-'.join(map(str, read))}"


State = Any
"""What has come of a wager that lives on; it is compared and kept in sets."""


@dataclass(frozen=True)
class Followed:
    """What several throws, one after the other, have come to for a wager that lives on over them."""

    wager: str
    most: int
    """Throws that it lives over at most."""
    start: State
    after: Callable[[Rules, State, Face], State | None]
    """What follows; nothing where the throw does not count for it and the next one does."""
    name: Callable[[State, Mapping[str, str]], str]
    """What that is called, given the names of the player's choices by step."""
    values: tuple[str, ...]

    def of(self, at: Position) -> str:
        state = self.start
        for face in self._thrown(at):
            after = self.after(at.rules, state, face)
            state = state if after is None else after
        return self.name(state, {step: decision.choice for step, decision in at.seat.decisions.items()})

    def words(self, at: Position) -> str:
        return f"{spoken_of(at.rules).shows} {', '.join(map(str, self._thrown(at)))}"

    def _thrown(self, at: Position) -> tuple[Face, ...]:
        return (*at.seat.earlier.get(self.wager, ()), *at.played.dice)

    def stages(self, rules: Rules) -> tuple[tuple[tuple[State, ...], tuple[Face, ...]], ...]:
        """Before each throw the states that there can be, and what can be thrown then so that it counts."""
        step = thrown(rules)
        assert step is not None
        faces, found = counted(step), []
        states: tuple[State, ...] = (self.start,)
        for _ in range(self.most):
            counts = tuple(face for face in faces if all(self.after(rules, each, face) is not None for each in states))
            found.append((states, counts))
            states = tuple(dict.fromkeys(self.after(rules, each, face) for each in states for face in counts))
        return (*found, (states, ()))


@dataclass(frozen=True)
class Look:
    """What a plain player looks at when asked: facts of the cards seen, and the choice that their values lead to."""

    facts: tuple[Fact, ...]
    choice: Callable[..., str]

    def at(self, rules: Rules, cards: Hand, up: Hand) -> str:
        """The choice with these cards and those that lie face up for everybody."""
        seat = Seat(1, cards, {})
        seen = Position(rules, Round((), (seat,), {COMMUNITY[0]: up}), seat)
        return self.choice(*(fact.of(seen) for fact in self.facts))


class Facts:
    """The facts of one outcome class, by name, as its annotations state them."""

    def __init__(self, outcome: type[Any]) -> None:
        self.outcome = outcome

    @cached_property
    def by_name(self) -> Mapping[str, Fact]:
        hints = get_type_hints(self.outcome, include_extras=True)
        return {name: hint.__metadata__[0] for name, hint in hints.items()}

    @cached_property
    def domains(self) -> Mapping[str, tuple[Any, ...]]:
        return {name: fact.values for name, fact in self.by_name.items()}

    @cached_property
    def labels(self) -> Mapping[str, Label]:
        return {name: fact for name, fact in self.by_name.items() if isinstance(fact, Label)}

    def find(self, at: Position) -> Any:
        """The outcome as one seat sees it."""
        return self.outcome(**{name: fact.of(at) for name, fact in self.by_name.items()})


class Unfolding:
    """An outcome of a round under way: each fact is found when a line reads it, and so none before its cards lie."""

    def __init__(self, facts: Facts, at: Position) -> None:
        self._facts, self._at = facts, at

    def __getattr__(self, name: str) -> Any:
        if name not in self._facts.by_name:
            raise AttributeError(name)
        value = self._facts.by_name[name].of(self._at)
        setattr(self, name, value)
        return value
