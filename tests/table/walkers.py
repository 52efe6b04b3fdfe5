"""Random walks: at one table without a database, and at two tables of one ledger that share a meter.

One walk makes one try at a time and checks after each that everything which must hold does hold. All chance comes from
the ``Random`` that is handed in, so a walk can be repeated from its seed, and shrunk where Hypothesis plays it.
"""

import json
from collections import Counter
from datetime import date
from pathlib import Path
from random import Random
from typing import cast

from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.ledger.audit import audit_store
from pitboss.ledger.counting import HoldCounter
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.meters import meter_of, settings_of
from pitboss.ledger.people import Person
from pitboss.ledger.pit import KeyReusedError, Pit, Reply
from pitboss.ledger.store import HOUSE_STREAM, Recorded, Store, Writing
from pitboss.submission import read_submission, rules_of
from pitboss.table.desk import HOUR
from pitboss.table.fold import apply
from pitboss.table.happened import read_fact
from pitboss.table.roles import Role
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase, Table
from tests.postgres import fresh_file
from tests.table.driver import DAY, GAME_NAMES, Bench
from tests.table.invariants import Books, leaked, may_see
from tests.table.walk import PLAYERS, STAFF, STRANGER, Setting, Try, drawn, forward, show

NOW = 1_720_000_000_000_000
READY_AT_MOST = 60


class BenchWalk:
    """One table, one random walk. ``tally`` counts what happened; ``tries`` is the story for a failure."""

    def __init__(self, random: Random, game: str = "") -> None:
        self.random = random
        self.setting = Setting.drawn(random, game)
        self.bench = Bench(self.setting.game, self.setting.submission, self.setting.source, random.getrandbits(32))
        self.books = Books(self.bench.table)
        self.tally: Counter[str] = Counter()
        self.tries: list[str] = []

    def ready(self) -> None:
        """Bring the table to its first wagers, step by step, as the procedure has it."""
        for _ in range(READY_AT_MOST):
            if self.bench.table.phase == Phase.WAGERING:
                return
            self.attempt(forward(self.random, self.bench.table, self.bench.desk, self.setting))

    def step(self) -> None:
        self.attempt(drawn(self.random, self.bench.table, self.bench.desk, self.setting))

    def attempt(self, tried: Try) -> None:
        """Try one command and check everything."""
        bench = self.bench
        bench.desk.now += tried.hours * HOUR
        self.tries.append(f"{bench.table.phase}: {show(tried)}")
        before, balances, decks, length = bench.table, dict(bench.desk.balances), dict(bench.desk.decks), len(bench.log)
        try:
            events = bench.do(tried.role, tried.body, tried.person)
        except (FindingsError, UnreadableError):
            assert bench.table is before
            assert (bench.desk.balances, bench.desk.decks, len(bench.log)) == (balances, decks, length)
            self.tally["refused"] += 1
            return
        if events[0].kind == "table.opened":
            bench.seed_meters()
            for name, meter in bench.desk.settings.items():
                self.books.seeded(name, meter)
        self.tally["accepted"] += 1
        self.tally.update(event.kind for event in events)
        self.books.follow(before, bench.table, events, bench.desk.balances)
        self.books.meters(bench.desk.balances)
        assert sum(bench.desk.balances.values()) == 0

    def finish(self) -> None:
        """The whole log from the start gives the table as it stands."""
        table = Table(self.bench.table.id)
        for event in self.bench.log:
            table = apply(table, read_fact(event.kind, json.dumps(event.data)))
        assert table == self.bench.table


class Unheeded(HoldCounter):
    """No hold is counted: bonuses are drawn here far more often than a house could afford."""

    def findings(self, text: str, day: date) -> tuple[Finding, ...]:  # noqa: ARG002
        return ()


class PitWalk:
    """Two tables of one game over one ledger, with their meters linked, and everybody's chips shared."""

    tables = ("t1", "t2")

    def __init__(self, random: Random, folder: Path, game: str = "") -> None:
        self.random = random
        game = game or random.choice(GAME_NAMES)
        self.settings = {table: Setting.drawn(random, game) for table in self.tables}
        self.store = Store(fresh_file(folder), folder / "anchor")
        self.store.refusals.most = 1_000_000  # every refusal of a walk is looked at
        self.now = NOW
        self.pit = self._pit()
        self.tally: Counter[str] = Counter()
        self.tries: list[str] = []
        self.keys = 0
        self.answered: list[tuple[str, Try, str, Reply]] = []
        """Table, try, key and answer of what was asked before."""
        feeds: dict[str, int] = {}
        self.links = self._link(feeds)
        self.books = {table: Books(Table(table), feeds) for table in self.tables}

    def _pit(self) -> Pit:
        pit = Pit(self.store, lambda: self.now, SeededRandomness(self.random.getrandbits(32)), lambda: self.now)
        pit.holds = Unheeded()
        return pit

    def _link(self, feeds: dict[str, int]) -> dict[str, str]:
        """One meter of the house for each meter of the game."""
        rules, _ = rules_of(read_submission(self.settings["t1"].submission), DAY)
        assert rules is not None
        manager = Person("manager-1", "manager-1", Role.PIT_MANAGER)
        links = {}
        for name in rules.meters:
            links[name] = f"link-{name.replace('_', '-')}"
            settings = settings_of(rules, name)
            self.pit.open_meter(links[name], settings, manager)
            meter = meter_of(settings)
            feeds[links[name]] = sum(meter.amounts.values()) + meter.reserve
        return links

    def close(self) -> None:
        self.store.close()

    def standing(self, table: str) -> Table:
        with self.store.reading() as reading:
            return self.pit.fold(reading, table)

    def ready(self) -> None:
        for table in self.tables:
            for _ in range(READY_AT_MOST):
                if self.standing(table).phase == Phase.WAGERING:
                    break
                self.attempt(table, self._drawn(table, go_on=True))

    def step(self) -> None:
        table = self.random.choice(self.tables)
        match self.random.randrange(30):
            case 0 if self.answered:
                self.again()
            case 1:
                self.news(table)
            case 2:
                self.restart()
            case _:
                self.attempt(table, self._drawn(table))

    def _drawn(self, table: str, go_on: bool = False) -> Try:
        standing = self.standing(table)
        with self.store.reading() as reading:
            desk = LedgerDesk(cast(Writing, reading), self.now, "dealer-1", Role.DEALER, self.pit.randomness)
            tried = (forward if go_on else drawn)(self.random, standing, desk, self.settings[table])
        if tried.body.get("command") == "open_table" and tried.body.get("submission"):
            return Try(tried.role, tried.person, {**tried.body, "meters": self.links}, tried.hours)
        return tried

    def _books(self) -> tuple[dict[str, int], int]:
        with self.store.reading() as reading:
            return reading.balances(), reading.head.seq

    def attempt(self, name: str, tried: Try) -> None:
        self.now += tried.hours * HOUR
        self.keys += 1
        key = f"request-{self.keys}"
        self.tries.append(f"{name}: {show(tried)}")
        who = Person(tried.person, tried.person, tried.role)
        standing = {table: self.standing(table) for table in self.tables}
        balances, head = self._books()
        try:
            reply = self.pit.act(name, tried.body, who, key)
        except UnreadableError:
            assert self._books() == (balances, head)
            self.tally["refused"] += 1
            return
        self.answered.append((name, tried, key, reply))
        with self.store.reading() as reading:
            events = reading.events(after=head)
        own = [event for event in events if event.stream == name]
        after, _ = self._books()
        if not reply.accepted:
            self._unchanged(standing, balances, events, reply)
            if reply.status == 202:
                self._consent(name, reply.body["proposal"])
            return
        self.tally["accepted"] += 1
        self.tally.update(event.kind for event in own)
        for table in self.tables:
            self._follow(table, standing[table], own if table == name else [], after)
        self._told(name, standing[name], who, reply)
        self.books[name].meters(after)
        assert sum(after.values()) == 0

    def _unchanged(
        self, standing: dict[str, Table], balances: dict[str, int], events: list[Recorded], reply: Reply
    ) -> None:
        self.tally["refused"] += 1
        kinds = {403: ["permission.refused"], 202: ["consent.asked"]}.get(reply.status, [])
        assert [event.kind for event in events] == kinds
        assert self._books()[0] == balances
        assert {table: self.standing(table) for table in self.tables} == standing

    def _consent(self, name: str, number: int) -> None:
        """A second person approves what was asked for, and the table follows."""
        before = {table: self.standing(table) for table in self.tables}
        _, head = self._books()
        self.pit.approve(number, Person("second-1", "second-1", Role.PIT_MANAGER))
        with self.store.reading() as reading:
            own = [event for event in reading.events(after=head) if event.stream == name]
        after, _ = self._books()
        self.tally["consents"] += 1
        self.tally.update(event.kind for event in own)
        for table in self.tables:
            self._follow(table, before[table], own if table == name else [], after)
        self.books[name].meters(after)
        assert sum(after.values()) == 0

    def _follow(self, name: str, before: Table, events: list[Recorded], balances: dict[str, int]) -> None:
        after = self.standing(name)
        if events:
            self.books[name].follow(before, after, events, balances)
        else:
            assert after == before
            self.books[name].stands(after, balances)

    def _told(self, name: str, before: Table, who: Person, reply: Reply) -> None:
        """An answer shows no more than the person may see, while the round lasts."""
        after = self.standing(name)
        if after.play is not None:
            assert not leaked(reply.body, may_see(after, who.id)), (who, reply.text)
        elif before.play is None:
            assert not leaked(reply.body, set()), reply.text

    def again(self) -> None:
        """A key that was answered gets the same answer, byte for byte, and nothing happens; another body is refused."""
        name, tried, key, reply = self.random.choice(self.answered)
        who = Person(tried.person, tried.person, tried.role)
        before = self._books()
        assert self.pit.act(name, tried.body, who, key) == reply
        try:
            self.pit.act(name, {"command": "fill", "amount": 12_345}, who, key)
        except KeyReusedError:
            pass
        else:
            raise AssertionError("a key was used twice")
        assert self._books() == before
        self.tally["asked again"] += 1

    def news(self, name: str) -> None:
        """Everything that has happened, as each may see it now: of the live round no card without right."""
        table = self.standing(name)
        if table.play is None:
            return
        for person in (*PLAYERS, STRANGER, STAFF[Role.DEALER]):
            for event in self.pit.news(Person(person, person, Role.PLAYER), name, 0, limit=10_000):
                if event["round"] == table.play.number and event["data"].get("round") != table.play.number - 1:
                    assert not leaked(event["data"], may_see(table, person)), (person, event)
        self.tally["news"] += 1

    def restart(self) -> None:
        """A pit that has just been started knows the same tables, from snapshots and events."""
        standing = {table: self.standing(table) for table in self.tables}
        self.pit = self._pit()
        assert {table: self.standing(table) for table in self.tables} == standing
        self.tally["restarts"] += 1

    def finish(self) -> None:
        """The chain is whole, and the log from its start gives the tables as they stand."""
        assert audit_store(self.store) == ()
        with self.store.reading() as reading:
            recorded = reading.events()
        for name in self.tables:
            table = Table(name)
            for event in recorded:
                if event.stream == name:
                    table = apply(table, event.fact)
            assert table == self.standing(name)
        total: Counter[str] = Counter()
        for event in recorded:
            assert event.stream in (*self.tables, HOUSE_STREAM)
            for entry in event.entries:
                total[entry.account] += entry.units
        assert dict(total) == self._books()[0]


def story(walk: BenchWalk | PitWalk, last: int = 12) -> str:
    """The last tries of a walk that failed."""
    return "\n".join(walk.tries[-last:])
