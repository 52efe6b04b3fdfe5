"""Driving tables in tests: submissions for every device, people, and a table without a database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

from pitboss.findings import Finding
from pitboss.meters import Meter
from pitboss.submission import template
from pitboss.table.autoplay import automatic, plain_wagers
from pitboss.table.command import Command, carry_out, read_command, verify
from pitboss.table.desk import MemoryDesk
from pitboss.table.events import Event
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Table

DAY = date(2024, 6, 1)
GAME_NAMES = ("three-card-poker", "four-card-poker", "four-card-frenzy", "lunar-poker")
DEVICE_NAMES = ("manual-shoe", "hand", "automated-shoe")
PEOPLE = {Role.DEALER: "dealer-1", Role.FLOORPERSON: "floor-1", Role.PIT_MANAGER: "manager-1"}


@lru_cache
def _template(game: str) -> str:
    return template(game, DAY)


def submission_text(
    game: str,
    dealing: str = "manual-shoe",
    *,
    shuffler: bool | None = None,
    counts: bool = False,
    decks: int = 1,
    reshuffles: bool = False,
) -> str:
    """A lawful submission of a game with everything on offer; dealing from the hand needs a shuffler."""
    used = shuffler if shuffler is not None else dealing == "hand" or counts or decks == 2 or reshuffles
    text = _template(game)
    for name, value in (
        ("used", used),
        ("counts_cards", counts),
        ("reshuffles", reshuffles),
    ):
        for old in ("true", "false"):
            text = text.replace(f"\n{name} = {old}", f"\n{name} = {str(value).lower()}")
    return text.replace("\ndecks = 2", f"\ndecks = {decks}").replace(
        '\ndealing = "manual-shoe"', f'\ndealing = "{dealing}"'
    )


@dataclass
class Bench:
    """One table on a workbench: every command says who acts, money is posted in memory, events are kept."""

    game: str
    text: str = ""
    source: str = "virtual"
    seed: int = 1
    table: Table = field(default_factory=lambda: Table("t1"))
    desk: MemoryDesk = field(default_factory=MemoryDesk)
    log: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk.randomness = SeededRandomness(self.seed)
        self.text = self.text or submission_text(self.game)

    def do(self, role: Role, command: Command | Mapping[str, Any], person: str = "") -> tuple[Event, ...]:
        wanted = command if isinstance(command, Command) else read_command(command)
        self.desk.role, self.desk.person = role, person or PEOPLE.get(role, str(role))
        self.table, events = carry_out(self.table, wanted, self.desk)
        for event in events:
            self.desk.post(event.entries)
        self.log += events
        return events

    def why_not(self, role: Role, command: Command | Mapping[str, Any], person: str = "") -> tuple[Finding, ...]:
        wanted = command if isinstance(command, Command) else read_command(command)
        self.desk.role, self.desk.person = role, person or PEOPLE.get(role, str(role))
        return verify(self.table, wanted, self.desk)

    def dealer(self, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.DEALER, {"command": name, **fields})

    def floor(self, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.FLOORPERSON, {"command": name, **fields})

    def manager(self, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.PIT_MANAGER, {"command": name, **fields})

    def player(self, person: str, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.PLAYER, {"command": name, **fields}, person)

    def refused(self, role: Role, name: str, **fields: Any) -> tuple[str, str]:
        """Code and cite of the first finding against a command; the table is left as it was."""
        before = self.table
        findings = self.why_not(role, {"command": name, **fields})
        assert findings, f"{name} was expected to be refused"
        assert self.table is before
        return findings[0].code, findings[0].cite

    def opened(self, *seats: int, chips: int = 1_000_000) -> "Bench":
        """Open, seat players p1, p2, ... and bring the cards to the first wager."""
        self.manager("open_table", submission=self.text, source=self.source, fill=50_000_000)
        self.seed_meters()
        for seat in seats:
            self.dealer("sit", seat=seat, player=f"p{seat}")
            self.dealer("buy_in", amount=chips, player=f"p{seat}")
        return self

    def seed_meters(self) -> None:
        rules = rules_at(self.table)
        for name, house_name in self.table.meters.items():
            stakes = [a for wager, a in rules.choices.amounts.items() if rules.wagers[wager].meter == name]
            if house_name not in self.desk.settings:
                self.desk.open_meter(house_name, Meter.seeded(name, rules.meters[name], min(stakes or [100])))

    def wager_all(self, *seats: int) -> None:
        for seat in seats:
            for wager, amount in plain_wagers(self.table).items():
                self.dealer("wager", seat=seat, wager=wager, amount=amount)

    def step(self) -> tuple[Event, ...]:
        """Whatever the procedure asks for next, by whom it asks."""
        following = automatic(self.table, self.desk)
        assert following is not None, f"nothing to do in {self.table.phase}"
        asked, command = following
        return self.do(Role.DEALER if asked.role == Role.PLAYER else asked.role, command)

    def until(self, *phases: str, most: int = 300) -> "Bench":
        """Go on step by step until the table is in one of the phases."""
        for _ in range(most):
            if self.table.phase in phases:
                return self
            self.step()
        raise AssertionError(f"the table never came to {phases}, it is {self.table.phase}")

    def ready(self) -> "Bench":
        """Bring the table to the point where wagers are placed."""
        return self.until("wagering")

    def round(self, *seats: int) -> tuple[Event, ...]:
        """One whole round with the demonstration wagers at the seats."""
        self.ready()
        self.wager_all(*seats)
        before, start = self.table.rounds, len(self.log)
        for _ in range(300):
            self.step()
            if self.table.rounds > before and self.table.play is None:
                break
        return tuple(self.log[start:])

    def kinds(self, start: int = 0) -> list[str]:
        return [event.kind for event in self.log[start:]]

    def chips(self, player: str) -> int:
        return self.desk.balances.get(f"player:{player}", 0) // 10_000
