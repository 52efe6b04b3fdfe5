"""Driving the shift through the HTTP API: people, tables, and one step after another."""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from pitboss.cards import DECK, parse_cards, show_cards
from pitboss.clock import MICROSECONDS
from pitboss.findings import PitbossError
from pitboss.games.registry import GAMES
from pitboss.submission import Shuffler, starting_point, template
from pitboss.table.autoplay import plain_decision, plain_wagers
from pitboss.table.command import read_command
from pitboss.table.dealing import slots_left
from pitboss.table.desk import HOUR
from pitboss.table.opening import next_slip
from pitboss.table.realdeck import RealDeck
from pitboss.table.roles import Role
from pitboss.table.ruling import thrown_at
from pitboss.table.source import SeededRandomness
from pitboss.table.state import PHYSICAL, Phase, Table

START = int(datetime(2026, 3, 2, 18, 0, tzinfo=UTC).timestamp()) * MICROSECONDS
HEAD_START = HOUR
"""How long after the last event of a ledger in use the shift begins."""
SECONDS = 4
"""How long every act takes, on the clock of the shift."""
LAW_DAY = date(2026, 1, 1)
CHIPS = 500_000
FILL = 50_000_000
SCRIPT = tomllib.loads((Path(__file__).parent / "shift.toml").read_text(encoding="utf-8"))
LINK, LINKED = SCRIPT["link"]["meter"], SCRIPT["link"]["name"]
"""The meter that several tables feed: its name in the house and in their rules."""
REAL = "physical cards, keyed when turned up"


@dataclass
class ShiftClock:
    """The time of the shift; it passes with each look, and in one leap when the script says so."""

    now: int = START

    def __call__(self) -> int:
        self.now += SECONDS * MICROSECONDS
        return self.now

    def steady(self) -> int:
        return self.now


@dataclass(frozen=True)
class Log:
    """What a person needs to log in to the demonstration."""

    id: str
    name: str
    role: Role
    password: str


STAFF = (
    Log("manager-1", "Pit manager 1", Role.PIT_MANAGER, "demo-manager-1"),
    Log("floor-1", "Floorperson 1", Role.FLOORPERSON, "demo-floor-1"),
    Log("dealer-1", "Dealer 1", Role.DEALER, "demo-dealer-1"),
    Log("cashier-1", "Cashier 1", Role.CASHIER, "demo-cashier-1"),
    Log("auditor-1", "Auditor 1", Role.AUDITOR, "demo-auditor-1"),
    Log("admin-1", "Administrator 1", Role.ADMINISTRATOR, "demo-admin-1"),
    Log("admin-2", "Administrator 2", Role.ADMINISTRATOR, "demo-admin-2"),
)
PLAYERS = tuple(Log(f"player-{n}", f"Player {n}", Role.PLAYER, f"demo-player-{n}") for n in range(1, 6))


@dataclass(frozen=True)
class TablePlan:
    """One table of the shift."""

    id: str
    game: str
    story: str = "ordinary"
    about: str = ""
    dealing: str = "manual-shoe"
    shuffler: bool = False
    counts: bool = False
    decks: int = 1
    source: str = "virtual"
    seats: tuple[int, ...] = (1, 2, 3)
    linked: bool = False
    hands: Mapping[str, str] = field(default_factory=dict)
    """Cards that are keyed in when the story asks for them."""

    @property
    def title(self) -> str:
        words = (GAMES[self.game].chapter.title, self.dealing.replace("-", " "), self.about)
        return f"{self.id:<8} {', '.join(word for word in words if word)}"

    def submission(self) -> str:
        """The law's template with the devices of the plan."""
        shuffler = Shuffler(used=self.shuffler, counts_cards=self.counts, decks=self.decks)
        chosen = replace(starting_point(self.game, LAW_DAY), dealing=self.dealing, shuffler=shuffler)
        return template(self.game, LAW_DAY, chosen)


def _tables() -> Iterator[TablePlan]:
    """Those of the script, and one with ordinary rounds for every other game of the house."""
    listed = [TablePlan(**each) for each in SCRIPT["table"]]
    yield from listed
    others = [name for name in GAMES if name not in {plan.game for plan in listed}]
    for number, name in enumerate(others, len(listed) + 1):
        letters = "".join(word[0] for word in name.split("-"))
        plan = TablePlan(f"{letters}-{number}", name, dealing=GAMES[name].chapter.devices(LAW_DAY)[0])
        yield replace(plan, about=REAL, source=PHYSICAL) if name in SCRIPT["physical"] else plan


TABLES = tuple(_tables())


class ShiftError(PitbossError, RuntimeError):
    """The shift met an answer that its script did not expect."""


@dataclass
class Client:
    """One person at the API."""

    port: int
    token: str = ""

    def call(self, method: str, path: str, body: Any = None, key: str = "") -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Request-Key"] = key
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        return answer.status, json.loads(text) if text else None


@dataclass
class Shift:
    """The script: people log in, tables open, rounds are played, things go wrong, tables close."""

    port: int
    clock: ShiftClock
    look: Callable[[str], Table]
    seed: int
    rounds: int
    tell: Callable[[str], None]
    clients: dict[str, Client] = field(default_factory=dict)
    acts: int = 0
    settled: int = 0
    voided: int = 0

    def log_in(self, who: Log) -> None:
        status, answer = Client(self.port).call("POST", "/api/login", {"id": who.id, "password": who.password})
        if status != 200:
            raise ShiftError(f"{who.id} could not log in: {answer}")
        self.clients[who.id] = Client(self.port, answer["token"])

    def ask(self, who: str, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        self.acts += 1
        key = f"shift-{self.seed}-{self.acts:06d}"
        status, answer = self.clients[who].call(method, path, body, key)
        if status == 401:  # idle for too long, on the clock of the shift
            self.log_in(next(log for log in (*STAFF, *PLAYERS) if log.id == who))
            status, answer = self.clients[who].call(method, path, body, key)
        if status != expect:
            raise ShiftError(f"{who}: {method} {path} {body} was answered {status}: {answer}")
        return answer

    def act(self, table: str, who: str, command: str, expect: int = 200, **fields: Any) -> Any:
        answer = self.ask(who, "POST", f"/api/tables/{table}/commands", {"command": command, **fields}, expect)
        kinds = [event["kind"] for event in answer.get("events", ())]
        self.settled += kinds.count("round.completed")
        self.voided += kinds.count("round.voided")
        return answer

    def open(self, plan: TablePlan, *, preinspected: bool) -> None:
        meters = {LINKED: LINK} if plan.linked else {}
        self.act(
            plan.id,
            "manager-1",
            "open_table",
            submission=plan.submission(),
            source=plan.source,
            meters=meters,
            fill=FILL,
        )
        if not thrown_at(self.look(plan.id)):
            self.act(plan.id, "floor-1", "receive_decks", preinspected=preinspected)
        for seat in plan.seats:
            self.act(plan.id, f"player-{seat}", "sit", seat=seat)
            slip = next_slip(self.look(plan.id), self.clock.now)
            self.act(plan.id, "cashier-1", "buy_in", amount=CHIPS, player=f"player-{seat}", slip=slip)

    def wagers(self, plan: TablePlan) -> None:
        table = self.look(plan.id)
        for seat in plan.seats:
            for wager, amount in plain_wagers(table, seat).items():
                self.act(plan.id, f"player-{seat}", "wager", seat=seat, wager=wager, amount=amount)

    def step(self, plan: TablePlan) -> None:
        """Whatever the table waits for, by whom it waits for it."""
        table = self.look(plan.id)
        shown = self.ask("dealer-1", "GET", f"/api/tables/{plan.id}")["next"]
        who = {"dealer": "dealer-1", "floorperson": "floor-1", "pit manager": "manager-1"}.get(shown["role"], "")
        if shown["command"] is None:
            decide = self.real_deck(table).plain_decision if table.physical else plain_decision
            decision = decide(table, shown["seat"])
            self.act(plan.id, f"player-{shown['seat']}", **_fields(decision.as_dict()))
            return
        fields = _fields(shown["command"])
        if plan.source == "keyed" and fields["command"] in ("deal", "reveal"):
            fields["cards"] = self.keyed(table)
        if table.physical:
            fields = _fields(self.real_deck(table).keyed(table, read_command(fields)).as_dict())
        self.act(plan.id, who, **fields)

    def real_deck(self, table: Table) -> RealDeck:
        """The real cards of a round, in the order that the seed gives."""
        return RealDeck.shuffled(SeededRandomness(f"{self.seed}-{table.id}-{table.rounds}"))

    def keyed(self, table: Table, hands: Mapping[str, str] | None = None) -> str:
        """Cards for a physical deal: chosen hands where they are named, else whatever the seed gives."""
        assert table.play is not None
        wanted = {place: list(parse_cards(cards)) for place, cards in (hands or {}).items()}
        taken = {card for cards in wanted.values() for card in cards}
        chance = SeededRandomness(f"{self.seed}-{table.id}-{table.rounds}")
        rest = [card for card in DECK if card not in taken and card not in table.play.left_deck]
        cards = []
        for slot in slots_left(table):
            named = wanted.get(slot.to)
            cards.append(named.pop(0) if named else rest.pop(chance.randbelow(len(rest))))
        return show_cards(cards)

    def until(self, plan: TablePlan, *phases: Phase) -> None:
        for _ in range(200):
            if self.look(plan.id).phase in phases:
                return
            self.step(plan)
        raise ShiftError(f"{plan.id} never came to {phases}")

    def round(self, plan: TablePlan) -> None:
        """One ordinary round."""
        self.until(plan, Phase.WAGERING)
        self.wagers(plan)
        self.finish(plan)

    def finish(self, plan: TablePlan) -> None:
        number = self.look(plan.id).rounds + (self.look(plan.id).play is None)
        for _ in range(200):
            self.step(plan)
            table = self.look(plan.id)
            if table.rounds >= number and table.play is None:
                return
        raise ShiftError(f"round {number} of {plan.id} never ended")

    def up_to(self, plan: TablePlan, *phases: Phase) -> None:
        """A round begun, played up to a phase."""
        self.until(plan, Phase.WAGERING)
        self.wagers(plan)
        self.until(plan, *phases)


def _fields(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}
