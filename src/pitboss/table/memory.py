"""A live table in memory: the commands, events, money and refusals of the real one, without a database."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, ClassVar

from pitboss.findings import Finding, PitbossError, UnknownName
from pitboss.games.course import Sight
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.meters import Meter
from pitboss.money import Cents
from pitboss.names import listed
from pitboss.public import public
from pitboss.submission import template
from pitboss.table.autoplay import automatic, plain_wagers, said, sight_of
from pitboss.table.bounds import UNBOUNDED
from pitboss.table.command import Command, carry_out, read_command, verify
from pitboss.table.desk import MemoryDesk, chips
from pitboss.table.events import Event
from pitboss.table.guide import Step, next_step
from pitboss.table.opening import next_slip
from pitboss.table.realdeck import RealDeck
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase, Table
from pitboss.table.view import view
from pitboss.typed import typed_day

FILL: Cents = 50_000_000
MOST_STEPS = 500
"""Of one round; more would be a table that never comes to its end."""
Choose = Callable[[int, Sight], Decision]
"""Decides for a seat from what it sees."""


class LiveTable:
    """A table that is opened, dealt and settled by commands; everything that happens is an event.

    A game is opened with the template of its Rules Submission for a day, or with the ``submission`` given as TOML.
    Cards come from the operating system's generator, from a ``seed``, or are keyed in: all as they are dealt
    (``source="keyed"``), or each when it is turned up (``source="physical"``).

    >>> from pitboss.games.registry import GAMES
    >>> live = LiveTable(next(iter(GAMES)), date(2024, 6, 1), seed=1)
    >>> live.sit(1, "ann", chips=100_000)
    >>> events = live.play_round()
    >>> events[-1].kind, sum(entry.units for event in events for entry in event.entries)
    ('round.completed', 0)
    """

    name: ClassVar[str] = "memory"
    """What the table is called in its events."""
    people: ClassVar[Mapping[Role, str]] = {}
    """Who acts in a job function, where it is not said."""

    @public
    def __init__(
        self,
        game: str,
        as_of: date | str,
        *,
        submission: str = "",
        seed: int | str | None = None,
        source: str = "virtual",
        fill: Cents = FILL,
        desk: MemoryDesk | None = None,
    ) -> None:
        self.desk = desk or MemoryDesk(bounds=UNBOUNDED)
        if seed is not None:
            self.desk.randomness = SeededRandomness(seed)
        self.table = Table(self.name)
        self.events: list[Event] = []
        self._real: tuple[int, RealDeck] | None = None
        text = submission or template(game, typed_day(as_of))
        self.do(Role.PIT_MANAGER, "open_table", submission=text, source=source, fill=fill)
        for name, house_name in self.table.meters.items():
            offered = [a for wager, a in self.rules.choices.amounts.items() if self.rules.wagers[wager].meter == name]
            self.desk.open_meter(house_name, Meter.seeded(name, self.rules.meters[name], min(offered or [100])))

    @property
    def rules(self) -> Rules:
        """The rules that the submission gives the table."""
        return rules_at(self.table)

    @property
    def phase(self) -> Phase:
        """Where in its day or its round the table is."""
        return self.table.phase

    @property
    def next_step(self) -> Step | None:
        """What the procedure asks for next, and whom."""
        return next_step(self.table, self.desk)

    @public
    def do(self, role: Role | str, command: Command | str, person: str = "", **fields: Any) -> tuple[Event, ...]:
        """Carry out a command, by name or as a record; what is against it is raised, and nothing happens."""
        wanted = self._wanted(role, command, person, fields)
        self.table, events = carry_out(self.table, wanted, self.desk)
        self.desk.keep(self.table.id, events)
        self.events += events
        return events

    @public
    def why_not(self, role: Role | str, command: Command | str, person: str = "", **fields: Any) -> tuple[Finding, ...]:
        """What is against a command; nothing where it can be carried out."""
        return verify(self.table, self._wanted(role, command, person, fields), self.desk)

    def _wanted(self, role: Role | str, command: Command | str, person: str, fields: Mapping[str, Any]) -> Command:
        if role not in {str(each) for each in Role}:
            raise UnknownName(f"Nobody here is a {role!r}; there are {listed(map(str, Role))}.")
        self.desk.role, self.desk.person = Role(role), person or self.people.get(Role(role), f"{Role(role)}-1")
        return command if isinstance(command, Command) else read_command({"command": command, **fields})

    @public
    def sit(self, seat: int, player: str, chips: Cents = 0) -> None:
        """Seat a player, who buys chips."""
        self.do(Role.DEALER, "sit", seat=seat, player=player)
        if chips:
            slip = next_slip(self.table, self.desk.now)
            self.do(Role.PIT_MANAGER, "buy_in", player=player, amount=chips, slip=slip)

    @public
    def step(self, choose: Choose | None = None, **fields: Any) -> tuple[Event, ...]:
        """Whatever the procedure asks for next, done by whom it asks; ``fields`` of its command may be given.

        A player who is asked decides by ``choose``, or plainly.
        """
        following = self.following()
        if following is None:
            raise PitbossError(f"The table is {self.phase} and waits for something that only a person can do.")
        asked, command = following
        if choose is not None and asked.role == Role.PLAYER and asked.seat is not None:
            command = said(asked.seat, choose(asked.seat, sight_of(self._seen_by(asked.seat), asked.seat)))
        command = replace(command, **fields)
        if self.table.physical and not fields.get("cards"):
            command = self.real_deck.keyed(self.table, command)
        return self.do(Role.DEALER if asked.role == Role.PLAYER else asked.role, command)

    def _seen_by(self, seat: int) -> Table:
        return self.real_deck.seen_by(self.table, seat) if self.table.physical else self.table

    @property
    def real_deck(self) -> RealDeck:
        """At a physical table: the cards of this round as they lie beside the software, one deck for each round."""
        number = self.table.rounds
        if self._real is None or self._real[0] != number:
            self._real = number, RealDeck.shuffled(self.desk.randomness)
        return self._real[1]

    def following(self) -> tuple[Step, Command] | None:
        """The next step with a command, if there is one; players look at their cards, which the table may not know."""
        step = self.next_step
        if self.table.physical and step is not None and step.command is None and step.seat is not None:
            return step, self.real_deck.plain_decision(self.table, step.seat)
        return automatic(self.table, self.desk)

    @public
    def until(self, *phases: Phase | str, choose: Choose | None = None) -> None:
        """Go on step by step until the table is in one of the phases."""
        for _ in range(MOST_STEPS):
            if self.phase in phases:
                return
            self.step(choose)
        raise PitbossError(f"The table never came to {listed(map(str, phases))}; it is {self.phase}.")

    @public
    def play_round(
        self, wagers: Mapping[int, Mapping[str, Cents]] | None = None, choose: Choose | None = None
    ) -> tuple[Event, ...]:
        """One whole round: these wagers by seat, or the plain ones of everybody seated; what happened."""
        first = len(self.events)
        self.until(Phase.WAGERING)
        for seat, made in (wagers or {seat: plain_wagers(self.table, seat) for seat in self.table.boxes}).items():
            for wager, amount in made.items():
                self.do(Role.DEALER, "wager", seat=seat, wager=wager, amount=amount)
        before = self.table.rounds
        for _ in range(MOST_STEPS):
            self.step(choose)
            if self.table.rounds > before and self.table.play is None:
                break
        return tuple(self.events[first:])

    def chips(self, player: str) -> Cents:
        """What a player has in chips, off the layout."""
        return chips(self.desk, player)

    @public
    def view(self, person: str = "") -> dict[str, Any]:
        """What a person may see of the table; nobody in particular sees what lies face up."""
        return view(self.table, person)

    def __repr__(self) -> str:
        return f"<LiveTable: {self.rules.chapter.title}, {self.phase}, {self.table.rounds} rounds>"
