"""What every game gives: its lines and what each pays, as pure functions of a small outcome.

Seen from one seat a finished round is an *outcome*, a frozen dataclass of a few facts with few values each.
A line's pay is a function of the rules and the outcome, never of the stake. The live settlement calls that function
once; counting engines call ``tabulate`` and look the answer up. A rule is therefore written in one place.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import product
from typing import Any, Generic, Protocol, TypeVar

from pitboss.cards import Card, Hand
from pitboss.findings import Finding
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Pay
from pitboss.games.structure import Duel
from pitboss.hands.facets import Facet
from pitboss.law.model import Chapter

O = TypeVar("O")  # noqa: E741


class Versus(StrEnum):
    """The player's hand against the dealer's."""

    LOWER = "lower"
    EQUAL = "equal"
    HIGHER = "higher"

    @classmethod
    def of(cls, player: int, dealer: int) -> "Versus":
        return cls.HIGHER if player > dealer else cls.EQUAL if player == dealer else cls.LOWER


BOTH = (False, True)
PayFunction = Callable[[Rules, O], Pay | None]


@dataclass(frozen=True)
class LineRule(Generic[O]):
    """One kind of settlement line: which facts of the outcome it reads, and what it pays."""

    name: str
    reads: tuple[str, ...]
    pay: PayFunction[O]


class Lines(Generic[O]):
    """The lines of one game, by name, with the values each fact of its outcome can take."""

    def __init__(self, outcome: type[O], domains: Mapping[str, Sequence[Any]]) -> None:
        self.outcome = outcome
        self.domains = domains
        self.rules: dict[str, LineRule[O]] = {}

    def rule(self, name: str, reads: Iterable[str]) -> Callable[[PayFunction[O]], PayFunction[O]]:
        def register(function: PayFunction[O]) -> PayFunction[O]:
            self.rules[name] = LineRule(name, tuple(reads), function)
            return function

        return register

    def pay(self, name: str, rules: Rules, outcome: O) -> Pay | None:
        return self.rules[name].pay(rules, outcome)

    def code(self, name: str, outcome: O) -> tuple[Any, ...]:
        """The facts of an outcome that one line reads: the key of its table."""
        return tuple(getattr(outcome, fact) for fact in self.rules[name].reads)

    def tabulate(self, name: str, rules: Rules) -> dict[tuple[Any, ...], Pay | None]:
        """The pay of every combination of the facts that one line reads.

        Facts that the line says it does not read are left out of the outcome, so a line that looks at more than it
        declares fails here instead of miscounting somewhere else.
        """
        rule = self.rules[name]
        blank = {field.name: None for field in fields(self.outcome)}  # type: ignore[arg-type]
        table = {}
        for values in product(*(self.domains[fact] for fact in rule.reads)):
            outcome = self.outcome(**{**blank, **dict(zip(rule.reads, values, strict=True))})
            table[values] = rule.pay(rules, outcome)
        return table


@dataclass(frozen=True)
class View:
    """What a player may look at when deciding: the own cards and the cards lying face up."""

    cards: Hand
    up: Hand
    ante: int


class Game(Protocol):
    """What the table, the counting engines, the simulator and the reports ask of a game."""

    @property
    def name(self) -> str: ...
    @property
    def chapter(self) -> Chapter: ...
    @property
    def decisions(self) -> tuple[str, ...]: ...
    @property
    def lines(self) -> Lines[Any]: ...
    @property
    def facets(self) -> Mapping[str, Facet]:
        """The cards behind each fact of the outcome that is a label."""

    @property
    def duel(self) -> Duel | None:
        """The information structure of the main wagers, where they are played against a dealer's hand."""

    def verify(self, rules: Rules, played: Round) -> Iterable[Finding]:
        """What this game alone demands of a round; the demands common to all games are checked elsewhere."""

    def outcome(self, rules: Rules, played: Round, seat: Seat) -> Any:
        """The finished round as one seat sees it."""

    def settle(self, rules: Rules, played: Round, book: Book) -> None:
        """Enter every line in the order of the law."""

    def plain_decision(self, rules: Rules, view: View) -> Decision:
        """A sensible first decision for demonstrations; the optimal one comes from counting."""

    def plain_wagers(self) -> Mapping[str, int]:
        """Wagers of a demonstration round, in cents."""

    def later_wagers(self, rules: Rules, seat: Seat) -> Mapping[str, int]:
        """What the player's decision puts on the layout, by wager, in cents."""

    def paid_at_once(self, rules: Rules, seat: Seat) -> bool:
        """Whether a hand is paid without a decision of its player."""

    def draws(self, decision: Decision) -> int:
        """How many cards a decision takes from the stub; most games have no such decision."""

    def after_draw(self, rules: Rules, seat: Seat) -> str:
        """A sensible choice for a player who has looked at the cards drawn."""

    def draw(self, rules: Rules, seat: Seat, stub: list[Card]) -> Seat:
        """Carry out a decision that takes more cards from the stub; most games have none."""
