"""The course of play: what a game does from the first wager to the last line, in the order of section .11.

A game states its course once. From it follow what a player may choose and what that costs, what has been turned up,
whose turn it is, and which lines are settled when; no other room knows it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pitboss.cards import Hand, show_cards
from pitboss.games.round import Decision, FaceDownError, Seat, cards_at
from pitboss.games.rules import Rules
from pitboss.law.model import Face
from pitboss.money import Cents
from pitboss.records import kept

FORFEITS = "forfeits"
"""The stage at which wagers of those who folded are collected."""
HANDS = "hands"
"""The stage at which each seat's hand is settled."""


@dataclass(frozen=True)
class Sight:
    """What a player may look at when deciding: their own cards, the cards turned up so far, their choices so far."""

    cards: Hand
    up: Hand = ()
    stake: Cents = 0
    """The wager of which others are multiples."""
    chosen: Mapping[str, Decision] = field(default_factory=dict)
    thrown: tuple[Face, ...] = ()
    """What the dice or the wheel have shown, for a wager that lives on in all its rounds."""
    options: tuple["Option", ...] = ()
    """What may be chosen, where that depends on what the others have chosen."""
    covered: str = ""
    """The place of the player's own cards, while they lie face down and nobody else knows them."""

    def __repr__(self) -> str:
        made = ", ".join(f"{step} {decision.choice}" for step, decision in self.chosen.items())
        up = f"up {show_cards(self.up)}" if self.up else ""
        parts = (show_cards(self.cards), up, made, " ".join(map(str, self.thrown)))
        return f"<Sight: {'; '.join(filter(None, parts)) or 'nothing'}>"


class UnseenSight(Sight):
    """What a player decides from whose own cards only they know: everything but these cards."""

    def __getattribute__(self, name: str) -> Any:
        if name == "cards":
            raise FaceDownError(self.covered)
        return super().__getattribute__(name)

    def __repr__(self) -> str:
        return f"<Sight: {cards_at(self.covered)} face down>"


@dataclass(frozen=True)
class Times:
    """How much a wager may be, in multiples of the unit."""

    least: int
    most: int
    whole: bool = True
    """Whether only whole multiples are allowed; otherwise any amount between."""
    said: bool = True
    """Whether the player says how much; there is nothing to say where the law leaves one amount."""
    cite: str = ""

    def __contains__(self, times: object) -> bool:
        return isinstance(times, int) and self.least <= times <= self.most


def exactly(rules: Rules, figure: str) -> Times:
    """The one multiple that a figure of the law gives."""
    return Times(rules.figure(figure), rules.figure(figure), said=False, cite=rules.figure_cite(figure))


@dataclass(frozen=True)
class Draws:
    """Cards that an option takes from the stub, and whether as many of the player's own are given up for them."""

    least: int
    most: int
    discards: bool


@dataclass(frozen=True)
class Option:
    """One thing a player may choose: the wagers it makes or takes back, the cards it draws."""

    name: str
    puts: Mapping[str, Times] = field(default_factory=dict)
    takes_back: tuple[str, ...] = ()
    draws: Draws | None = None
    ends: bool = False
    """Whether the seat has no further decision in this round."""
    price: Cents | None = None
    """Chips that it puts into the pot, where players bet against each other."""

    def choices(self) -> tuple["Choice", ...]:
        """The option once for each whole multiple that it can stake; what lies between is worth no more."""
        return kept(self, "choices", lambda: tuple(self._choices()))

    def _choices(self) -> Iterator["Choice"]:
        said = next((times for times in self.puts.values() if times.said), None)
        if said is None:
            yield Choice(self.name, self, {wager: times.least for wager, times in self.puts.items()})
            return
        for count in range(said.least, said.most + 1):
            put = {wager: count if times.said else times.least for wager, times in self.puts.items()}
            yield Choice(f"{self.name} {count}x", self, put)


@dataclass(frozen=True)
class Choice:
    """An option with its amount: ``raise 2x``."""

    name: str
    option: Option
    puts: Mapping[str, int]
    """Wagers made, in units."""

    def decision(self, unit: Cents) -> Decision:
        said = any(times.said for times in self.option.puts.values())
        return Decision(self.option.name, unit * max(self.puts.values()) if said else None)


FOLD, CHECK = Option("fold", ends=True), Option("check")
Options = Callable[[Rules, Sight | None], tuple[Option, ...]]
"""What may be chosen with what is seen; without a sight, whatever anybody may ever choose there."""


@dataclass(frozen=True)
class Bets:
    """Wagers are placed before the cards."""


@dataclass(frozen=True)
class Deal:
    """Cards are dealt in the order that the chapter gives for the device in use."""

    before: str = ""
    """The round of betting before which more cards are dealt to those who are still in; none of the first cards."""


@dataclass(frozen=True)
class Roll:
    """The dice are shaken and read."""


@dataclass(frozen=True)
class Decide:
    """Each seat that is asked chooses, from the dealer's left; with no option a seat is not asked."""

    name: str
    cite: str
    names: tuple[str, ...]
    """The names of all options that there are."""
    options: Options
    together: bool = False
    """Whether all choices stay open until the dealer locks them in."""
    on: str = ""
    """The wager whose player is asked; the unit by default."""
    even: bool = False
    """Whether all options are worth the same, so that nobody counts, simulates or trains them."""

    def choices(self, rules: Rules, sight: Sight | None = None) -> tuple[Choice, ...]:
        return tuple(choice for option in self.offered(rules, sight) for choice in option.choices())

    def offered(self, rules: Rules, sight: Sight | None) -> tuple[Option, ...]:
        """What may be chosen with what is seen; where it depends on cards that nobody else knows, with any cards."""
        try:
            return self.options(rules, sight)
        except FaceDownError:
            return self.options(rules, None)

    def option(self, rules: Rules, name: str) -> Option | None:
        known = kept(rules, f"options of {self.name}", lambda: {each.name: each for each in self.options(rules, None)})
        return known.get(name)


@dataclass(frozen=True)
class Betting(Decide):
    """Players bet against each other into a pot: seats act in turn as often as an engine says, which also says what
    each may choose and at what price."""

    def turn(self, times: int) -> str:
        """Under which name a seat's choice is kept when it has chosen so many times here."""
        return f"{self.name} {times + 1}" if times else self.name


@dataclass(frozen=True)
class TurnUp:
    """Cards of a place are turned face up: so many of them, or all that are left."""

    place: str
    cards: int = 0
    cite: str = ""


@dataclass(frozen=True)
class Draw:
    """A seat is dealt the cards that its choice bought."""


@dataclass(frozen=True)
class Post:
    """One line of a settlement, posted where its wager was made."""

    line: str
    on: str = ""
    """The wager on whose stake it is paid; the one that it is named after by default."""
    needs: str = ""
    """Posted only where this wager was made too."""
    called: str = ""
    """How the book calls it, where that is not the line's own name."""
    envy: str = ""
    """The fact for which others who made the wager earn an Envy Bonus, paid after the line."""
    envy_cite: str = ""
    folded_too: bool = False
    """Whether a folded hand stays on the table for the Envy Bonus of others even if nothing else keeps it."""

    @property
    def wager(self) -> str:
        return self.on or self.line

    @property
    def bonus(self) -> bool:
        return bool(self.on)


@dataclass(frozen=True)
class Settle:
    """A part of the settlement: seats in turn, and the lines of each in order."""

    stage: str
    posts: tuple[Post, ...] = ()
    first: Literal["left", "right"] = "right"
    """At which side of the dealer it starts."""
    who: Callable[[Any], bool] | None = None
    """Whose outcome takes part; everybody's by default."""
    losing: bool | None = None
    """Only lines that lose, or only those that do not; both by default."""


@dataclass(frozen=True)
class EachSeat:
    """Steps that one seat goes through before the next seat begins."""

    steps: tuple["Step", ...]


Step = Bets | Deal | Roll | Decide | TurnUp | Draw | Settle | EachSeat


def asks(step: str, cite: str, name: str, wager: str, figure: str, other: Option = FOLD, ends: bool = False) -> Decide:
    """A wager of as many units as a figure of the law gives, or what else is left to the player."""

    def options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:  # noqa: ARG001
        return kept(
            rules, f"asked at {step}", lambda: (Option(name, {wager: exactly(rules, figure)}, ends=ends), other)
        )

    return Decide(step, cite, (name, other.name), options)


def posts(*names: str) -> tuple[Post, ...]:
    return tuple(Post(name) for name in names)


def forfeits(*wagers: str, at: str = "") -> Settle:
    """Wagers of those who folded, at one step if it is named, from the dealer's left, before anything else."""
    who = (lambda outcome: outcome.folded == at) if at else (lambda outcome: bool(outcome.folded))
    return Settle(FORFEITS, posts(*wagers), "left", who)


@dataclass(frozen=True)
class Course:
    """The steps of a round, and the wager that the others are multiples of."""

    unit: str
    steps: tuple[Step, ...]
    equal: tuple[str, ...] = ()
    """Wagers that must be placed with the unit, in the same amount."""

    @property
    def main(self) -> tuple[str, ...]:
        return (self.unit, *self.equal)

    @cached_property
    def flat(self) -> tuple[Step, ...]:
        return tuple(_flat(self.steps))

    def has(self, *kinds: type["Step"]) -> bool:
        """Whether the game has a step of one of these kinds."""
        return any(isinstance(step, kinds) for step in self.flat)

    @cached_property
    def contest(self) -> bool:
        """Whether players bet against each other, so that the house has no edge and nobody plays for it."""
        return self.has(Betting)

    @cached_property
    def decides(self) -> tuple[Decide, ...]:
        return tuple(step for step in self.flat if isinstance(step, Decide))

    @cached_property
    def weighed(self) -> tuple[Decide, ...]:
        """The decisions that matter to what the game is worth against the house."""
        return tuple(step for step in self.decides if not step.even and not isinstance(step, Betting))

    @cached_property
    def settles(self) -> tuple[Settle, ...]:
        return tuple(step for step in self.flat if isinstance(step, Settle))

    @cached_property
    def settle_groups(self) -> tuple[tuple[Settle, ...], ...]:
        """Parts of the settlement; those of one group follow each other at each seat before the next seat's."""
        groups = (step.steps if isinstance(step, EachSeat) else (step,) for step in self.steps)
        return tuple(found for group in groups if (found := tuple(step for step in group if isinstance(step, Settle))))

    def decided_before(self, step: "Step") -> frozenset[str]:
        """The steps at which seats have chosen when a step is reached."""
        return self._decided_before[id(step)]

    @cached_property
    def _decided_before(self) -> Mapping[int, frozenset[str]]:
        before: list[str] = []
        found = {}
        for step in self.flat:
            found[id(step)] = frozenset(before)
            if isinstance(step, Decide):
                before.append(step.name)
        return found

    @cached_property
    def forfeited(self) -> frozenset[str]:
        """Wagers that a fold gives up."""
        return frozenset(post.wager for step in self.settles if step.stage == FORFEITS for post in step.posts)

    def put_down(self, rules: Rules, seat: Seat) -> Mapping[str, Cents]:
        """What the choices of a seat put on the layout, by wager, in cents."""
        unit, put = seat.stake(self.unit), {}
        for step in self.decides:
            made = seat.decisions.get(step.name)
            option = None if made is None else step.option(rules, made.choice)
            if made is None or option is None:
                continue
            for wager, times in option.puts.items():
                said = times.said and made.amount is not None
                put[wager] = (made.amount or 0) if said else unit * times.least
        return put

    def taken_back(self, rules: Rules, seat: Seat) -> tuple[str, ...]:
        """Wagers that the choices of a seat have withdrawn."""
        made = ((step, seat.decisions[step.name].choice) for step in self.decides if step.name in seat.decisions)
        options = (step.option(rules, choice) for step, choice in made)
        return tuple(wager for option in options if option is not None for wager in option.takes_back)

    def ended(self, rules: Rules, seat: Seat, before: Decide | None = None) -> bool:
        """Whether a choice of the seat, before a step if one is given, has ended its part."""
        for step in self.decides:
            if step is before:
                return False
            made = seat.decisions.get(step.name)
            option = None if made is None else step.option(rules, made.choice)
            if option is not None and option.ends:
                return True
        return False


def _flat(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        if isinstance(step, EachSeat):
            yield from _flat(step.steps)
        else:
            yield step


def against_dealer(
    decide: Decide, forfeited: tuple[str, ...], turned_up: str, *settled: Post, equal: tuple[str, ...] = ()
) -> Course:
    """One decision against a dealer's hand: who folds forfeits some wagers, the dealer's cards are turned up as a
    paragraph says, and the rest is settled hand by hand."""
    steps = (Bets(), Deal(), decide, forfeits(*forfeited), TurnUp("dealer", cite=turned_up), Settle(HANDS, settled))
    return Course("ante", steps, equal)
