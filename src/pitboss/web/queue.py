"""What every table waits for, and whose turn that is: read once for all pages that show it."""

from dataclasses import dataclass
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from pitboss.games.registry import GAMES
from pitboss.ledger.consent import Proposal
from pitboss.ledger.floor import Standing
from pitboss.ledger.people import Person
from pitboss.ledger.pit import SYSTEM, Pit
from pitboss.table.permissions import may_consent
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.state import Phase
from pitboss.web.visitor import house

TICK_S: Final = 1.0
"""Seconds after which the floor is read again although nothing happened: a step may follow the clock."""


@dataclass(frozen=True)
class FloorNow:
    """All tables with what they wait for, and what waits for a second person."""

    tables: tuple[Standing, ...] = ()
    proposals: tuple[Proposal, ...] = ()

    @property
    def open(self) -> tuple[Standing, ...]:
        return tuple(each for each in self.tables if each.table.phase != Phase.CLOSED)

    @property
    def closed(self) -> tuple[Standing, ...]:
        return tuple(each for each in self.tables if each.table.phase == Phase.CLOSED and each.table.events)

    def steps_for(self, person: Person) -> tuple[Standing, ...]:
        return tuple(each for each in self.open if is_for(each, person))

    def proposals_for(self, person: Person) -> tuple[Proposal, ...]:
        """Those to which this person's consent counts."""
        return tuple(p for p in self.proposals if p.by != person.id and may_consent(person.role, p.act))


def title_of(standing: Standing) -> str:
    """The game of a table; of a closed one the last that was played there."""
    opened = house().pit.opening(standing.table)
    game = standing.table.game or ("" if opened is None else opened.game)
    return GAMES[game].chapter.title if game in GAMES else "No game"


def is_for(standing: Standing, person: Person) -> bool:
    """Whether the next step is this person's, in the job function that they have."""
    step = standing.step
    if step is None:
        return False
    if step.role == Role.PLAYER:
        return step.seat is not None and standing.table.boxes.get(step.seat) == person.id
    return person.role == step.role or {person.role, step.role} <= SUPERVISORS


_read: WeakKeyDictionary[Pit, tuple[tuple[int, int], FloorNow]] = WeakKeyDictionary()


def floor_now(pit: Pit) -> FloorNow:
    """The floor at the ledger's present head, read once for all who look."""
    with pit.store.reading() as reading:
        moment = reading.head.seq, int(monotonic() / TICK_S)
    at, known = _read.get(pit, ((-1, -1), FloorNow()))
    if at == moment:
        return known
    tables = tuple(pit.standing(table.id, SYSTEM) for table in pit.tables())
    found = FloorNow(tables, pit.proposals())
    _read[pit] = moment, found
    return found
