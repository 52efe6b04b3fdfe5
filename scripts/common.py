"""What the scripts of the promises share: arguments, a table of figures, ledgers to work on, people and tables."""

import argparse
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.postgres import NoPostgresError, drop_database, fresh_database

from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit, Reply
from pitboss.ledger.store import Store
from pitboss.table.roles import Role

DEALER = Person("dealer-1", "dealer-1", Role.DEALER)
FLOOR = Person("floor-1", "floor-1", Role.FLOORPERSON)
MANAGER = Person("manager-1", "manager-1", Role.PIT_MANAGER)
DATABASES = ("sqlite", "postgresql")

Transport = Callable[[str, Mapping[str, Any], Person, str], Reply]
"""How a command reaches the pit: table, body, person, request key."""


def player(name: str) -> Person:
    return Person(name, name, Role.PLAYER)


@dataclass
class Figures:
    """What was counted, and every violation as a sentence."""

    title: str
    rows: list[tuple[str, str]] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def add(self, name: str, value: object) -> None:
        self.rows.append((name, f"{value:,}" if isinstance(value, int) else str(value)))

    def expect(self, holds: bool, sentence: str) -> None:
        if not holds:
            self.violations.append(sentence)

    def show(self) -> int:
        """Print the table; the exit status of the script."""
        self.rows.append(("seconds", f"{time.monotonic() - self.started:.1f}"))
        self.rows.append(("violations", str(len(self.violations))))
        width = max(len(name) for name, _ in self.rows)
        print(self.title)
        for name, value in self.rows:
            print(f"  {name:<{width}}  {value}")
        for sentence in self.violations[:20]:
            print(f"  VIOLATION: {sentence}")
        return 1 if self.violations else 0


def arguments(
    description: str | None, choices: Mapping[str, Sequence[str]] | None = None, /, **counts: tuple[int, int]
) -> argparse.Namespace:
    """``--quick``, an option for each of the choices, and one for each count, given as (full, quick)."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small counts, to see that it runs")
    parser.add_argument("--database", choices=(*DATABASES, "both"), default="both")
    parser.add_argument("--seed", type=int, default=1)
    for name, options in (choices or {}).items():
        parser.add_argument(f"--{name}", choices=options, default=options[0])
    for name, (full, quick) in counts.items():
        parser.add_argument(f"--{name}", type=int, help=f"{full} unless told; {quick} with --quick")
    found = parser.parse_args()
    for name, (full, quick) in counts.items():
        if getattr(found, name) is None:
            setattr(found, name, quick if found.quick else full)
    found.databases = DATABASES if found.database == "both" else (found.database,)
    return found


@contextmanager
def ledger(database: str) -> Iterator[tuple[str, Path]]:
    """The address of an empty ledger, and the place of its anchor."""
    with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
        anchor = Path(folder) / "anchor"
        if database == "sqlite":
            yield f"sqlite:///{folder}/ledger.db", anchor
            return
        url = fresh_database()
        try:
            yield url, anchor
        finally:
            drop_database(url)


@contextmanager
def opened(database: str) -> Iterator[Pit]:
    """A pit over an empty ledger."""
    with ledger(database) as (url, anchor), Store(url, anchor) as store:
        yield Pit(store)


def available(databases: Sequence[str], figures: Figures) -> Iterator[str]:
    """Those of the databases that can be had here; one that cannot is said."""
    for database in databases:
        if database == "postgresql":
            try:
                drop_database(fresh_database())
            except NoPostgresError as why:
                figures.add(database, f"left out: {why}")
                continue
        yield database


@dataclass
class Clerk:
    """Sends commands under keys of its own and expects to be obeyed."""

    send: Transport
    name: str = "clerk"
    count: int = 0

    def do(self, table: str, who: Person, command: str, /, **given: Any) -> Reply:
        reply = self.ask(table, who, command, **given)
        if not reply.accepted:
            raise RuntimeError(f"{command} at {table}: {reply.text}")
        return reply

    def ask(self, table: str, who: Person, command: str, /, **given: Any) -> Reply:
        self.count += 1
        return self.send(table, {"command": command, **given}, who, f"{self.name}-{self.count:08}")


def together(jobs: Sequence[Callable[[], None]]) -> list[str]:
    """Run each job in a thread of its own; what any of them raised, as sentences."""
    failures: list[str] = []

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        except Exception:  # noqa: BLE001 - a thread that dies in silence would hide a violation
            failures.append(traceback.format_exc())

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures
