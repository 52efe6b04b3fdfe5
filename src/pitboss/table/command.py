"""Commands: why not (``verify``), whether (``can``), what follows (``do``). A wrong one changes nothing."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, dataclass_transform

from pitboss.findings import Finding, FindingsError, UnreadableError, refusal
from pitboss.games.course import Deal, Step
from pitboss.public import public
from pitboss.reader import meant, quoted, required
from pitboss.spoken import spelled
from pitboss.table.act import Act
from pitboss.table.codec import encode
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.permissions import may, why_not
from pitboss.table.roles import Role
from pitboss.table.ruling import SEATED, cite_of, game_at, unattended
from pitboss.table.solvency import money_findings
from pitboss.table.state import Phase, Table

COMMANDS: dict[str, type["Command"]] = {}
C = TypeVar("C", bound=type["Command"])
ANY_PHASE = frozenset(Phase)


@dataclass(frozen=True)
class Command(ABC):
    """One thing somebody wants to do at a table."""

    name: ClassVar[str]
    phases: ClassVar[frozenset[Phase]] = ANY_PHASE
    act: ClassVar[str] = ""
    """The procedure of the law behind the command, for its cite."""
    needs: ClassVar[type[Step] | None] = None
    """A step without which a game has no such command: cards to deal, dice to roll."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        """Why the command cannot be carried out in its phase by somebody who may; every reason."""
        yield from ()

    @abstractmethod
    def events(self, table: Table, desk: Desk) -> Iterable[Event]:
        """What happens when it is."""

    def act_at(self, table: Table, desk: Desk) -> Act:
        """Return what happens, with the table after it. Nothing is written."""
        events = self.events(table, desk)
        return events if isinstance(events, Act) else Act.of(table, events)

    def acts_for(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        """The player for whom the command acts; a player acts only for their own seat."""
        return desk.person

    def two_people(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        """The act of two people (``permissions.TWO_PEOPLE``) that the command is at this table; '' for none."""
        return ""

    def phase_act(self, table: Table) -> str:  # noqa: ARG002
        """The procedure that a refusal in the wrong phase cites."""
        return self.act

    def phase_sentence(self, table: Table) -> str:  # noqa: ARG002
        """What a refusal in the wrong phase says instead of the usual; '' for the usual."""
        return ""

    def phase_cite(self, table: Table) -> str:
        act = self.phase_act(table)
        return cite_of(table, act) if act else ""

    def refusal(
        self,
        table: Table,
        code: str,
        expected: object,
        found: object,
        sentence: str,
        where: str = "",
        *,
        seat: int | None = None,
    ) -> Finding:
        """A finding under the paragraph of the command's own procedure."""
        return refusal(code, expected, found, sentence, where, cite=cite_of(table, self.act), seat=seat)

    def as_dict(self) -> dict[str, Any]:
        return {"command": self.name, **encode(self)}


@dataclass(frozen=True)
class AtSeat(Command):
    """A command about one seat, which only the player at it may give."""

    seat: int

    def acts_for(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        return table.player_at(self.seat)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def command(
    name: str, phases: frozenset[Phase] | set[Phase] = ANY_PHASE, act: str = "", needs: type[Step] | None = None
) -> Any:
    """Register a frozen record as the command with the name that programs use."""

    def register(kind: C) -> C:
        kind.name, kind.phases, kind.act, kind.needs = name, frozenset(phases), act, needs
        COMMANDS[name] = dataclass(frozen=True)(kind)
        return kind

    return register


@public
def read_command(body: Mapping[str, Any]) -> Command:
    """Return the command of a JSON object. Raise ``UnreadableError`` with a sentence for everything that is wrong."""
    import pitboss.table.commands  # noqa: F401 - registers every command

    name = body.get("command")
    if not isinstance(name, str) or name not in COMMANDS:
        raise UnreadableError(f"There is no command {quoted(name)}; {meant(name, sorted(COMMANDS))}")
    given = {key: value for key, value in body.items() if key != "command"}
    if isinstance(given.get("wager"), str):
        given["wager"] = spelled(given["wager"])
    return required(COMMANDS[name], given, mapping="an object")


@public
def verify(table: Table, wanted: Command, desk: Desk) -> tuple[Finding, ...]:
    """Why not: permission first, then the phase, then everything the law and the table have against it."""
    permission = f"table.{wanted.name}"
    if not may(desk.role, permission) or (desk.role is Role.SYSTEM and not unattended(table)):
        return (why_not(desk.role, permission),)
    if wanted.needs is not None and table.game and not game_at(table).course.has(wanted.needs):
        with_what = "cards" if wanted.needs is Deal else "dice"
        sentence = f"This game is not played with {with_what}."
        return (refusal("not-in-this-game", f"a game of {with_what}", table.game, sentence),)
    if table.phase not in wanted.phases or _waits_for_recut(table, wanted):
        return (_wrong_phase(table, wanted),)
    player = wanted.acts_for(table, desk)
    if desk.role == Role.PLAYER and player != desk.person:
        whose = f"it is {player}'s" if player else "nobody sits there"
        sentence, cite = f"Players may act only for their own seat: {whose}.", cite_of(table, SEATED)
        return (refusal("not-yours", f"an act of {desk.person}'s own", player or "nobody", sentence, cite=cite),)
    if desk.role != Role.PLAYER and desk.person in players_at(table):
        return (self_dealing(desk.person, "plays at this table and so does nothing for the house here"),)
    return tuple(wanted.findings(table, desk))


def players_at(table: Table) -> frozenset[str]:
    """Everybody with a seat, a box, or wagers in the round being played."""
    playing = table.play.players.values() if table.play is not None else ()
    return frozenset((*table.homes, *table.boxes.values(), *playing))


def self_dealing(person: str, why: str) -> Finding:
    """Nobody deals to, validates or moves chips for their own hand."""
    return refusal("self-dealing", "somebody else", person, f"{person} {why}; somebody else does.")


def can(table: Table, wanted: Command, desk: Desk) -> bool:
    return not verify(table, wanted, desk)


def do(table: Table, wanted: Command, desk: Desk) -> Act:
    """Return what a command does. Raise ``FindingsError`` if anything stands against it; then nothing happens."""
    findings = verify(table, wanted, desk)
    if findings:
        raise FindingsError(findings)
    act = wanted.act_at(table, desk)
    if overdrawn := money_findings(table.id, act.events, desk.balance):
        raise FindingsError(overdrawn)
    return act


@public
def carry_out(table: Table, wanted: Command, desk: Desk) -> tuple[Table, tuple[Event, ...]]:
    """The table after the command, and what happened."""
    act = do(table, wanted, desk)
    return act.after, act.events


def _waits_for_recut(table: Table, wanted: Command) -> bool:
    """A recut after "no more bets" does not reopen what the announcement closed: the round goes on after it."""
    recut = table.in_round and table.phase == Phase.CUTTING
    return recut and wanted.phases != {Phase.CUTTING} and table.resume not in wanted.phases


def _wrong_phase(table: Table, wanted: Command) -> Finding:
    when = " or ".join(sorted(str(phase) for phase in wanted.phases))
    now = f"{table.phase} again in a round" if _waits_for_recut(table, wanted) else str(table.phase)
    sentence = f"{wanted.name.replace('_', ' ').capitalize()} is not possible now: the table is {now}, not {when}."
    return refusal("phase", when, now, wanted.phase_sentence(table) or sentence, cite=wanted.phase_cite(table))
