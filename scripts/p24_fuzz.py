"""P24: whatever is sent to the interface, no answer is 5xx, breaks its schema or lets somebody do what they may not.

    python scripts/p24_fuzz.py --cases 5000

Schemathesis makes requests for every operation of the interface, valid and broken; half of the valid ones are given
names that the house knows, so that they get further than its door. They are sent in turn by somebody of each job
function and by nobody, with a token or with a cookie, while the tables play on. Then scenarios: what one answer names
is used in the next request. At the end the books must be in order.
"""

import json
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import FlakyStrategyDefinition, Unsatisfiable
from schemathesis import GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks
from starlette.types import Receive, Scope, Send
from tests.table.driver import submission_text

from pitboss.findings import errors
from pitboss.ledger.audit import audit_store
from pitboss.ledger.people import People
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.table.autoplay import plain_wagers
from pitboss.table.permissions import EVERYONE, may
from pitboss.table.roles import Role
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase as TablePhase
from pitboss.web.api import create_app
from pitboss.web.limits import Settings
from pitboss.web.routes import COMMANDS, PUBLIC_ROUTES, ROUTES
from pitboss.web.security import COOKIE, CSRF, SAFE, route_key, route_keys
from scripts.common import DEALER, Clerk, Figures, arguments
from scripts.hostile import any_toml
from scripts.house import asked, open_links, open_table, play_until, seated
from scripts.transport import CHEAP

MUCH = 10**9
ROOMY = Settings(
    commands_per_second=MUCH,
    requests_per_second=MUCH,
    address_per_second=MUCH,
    refused_per_minute=MUCH,
    log_ins_per_minute=MUCH,
)
PASSWORD = "a password for tests"
Case = schemathesis.Case[Any]
Operation = schemathesis.APIOperation[Any, Any, Any, Any]
NOBODY = "nobody"
SENDERS = (*sorted(map(str, EVERYONE)), NOBODY)
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
TABLES = {"t1": ("three-card-poker", "manual-shoe"), "t2": ("lunar-poker", "hand"), "t3": ("four-card-frenzy", "hand")}
METER = "three_card_progressive"
PLAY_EVERY = 4
STEPS = 8
TOGETHER = 4
"""Scenarios made at once."""
WAIT = 300
"""Seconds; a check of the whole ledger takes a while."""
STREAM_EVENTS = 1
"""Messages after which a stream is left: it may be long before there is another."""
CHECKED = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.missing_required_header,
]
"""A valid request may well be refused: the schema does not know the law."""
LENIENT = [check for check in CHECKED if check is not checks.negative_data_rejection]
GENERATE = settings(
    database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate], print_blob=False
)


@dataclass
class Door:
    """In front of the application: remembers which route the last request reached, and what broke behind it."""

    app: FastAPI
    reached: str = ""
    broke: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        self.reached = self.broke = ""
        try:
            await self.app(scope, receive, send)
        except Exception:  # noqa: BLE001 - what no route caught has been answered with 500
            self.broke = traceback.format_exc(limit=-3)
        finally:
            self.reached = route_key(scope["method"], scope.get("route"))


@dataclass
class Sender:
    """Somebody of a job function, or nobody, with what is needed to be believed."""

    name: str
    id: str = ""
    token: str = ""
    csrf: str = ""

    @property
    def role(self) -> Role | None:
        return None if self.name == NOBODY else Role(self.name)


@dataclass
class Fuzzer:
    """A house with tables in play, everybody who asks it something, and what it answered."""

    app: FastAPI
    pit: Pit
    people: People
    figures: Figures
    random: Random
    sent: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    reached: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    found: Counter[str] = field(default_factory=Counter)
    turns: Counter[str] = field(default_factory=Counter)
    senders: dict[str, Sender] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.door = Door(self.app)
        self.routes = route_keys(self.app)
        self.schema = schemathesis.openapi.from_asgi("/api/openapi.json", self.door)
        self.schema.config.max_stream_events = STREAM_EVENTS
        # Tokens are given here, so a made-up one would not be sent, and a request with it not be wrong.
        self.schema.config.generation.with_security_parameters = False
        self.schema.config.checks.negative_data_rejection.expected_statuses.append("413")
        self.clerk = Clerk(self.pit.act)
        self._numbers = count(1)
        self._open()

    # The house

    def _open(self) -> None:
        open_links(self.pit, submission_text("three-card-poker", "hand"), [METER])
        for table, (game, dealing) in TABLES.items():
            open_table(self.clerk, table, submission_text(game, dealing), seated(3, table))
            play_until(self.pit, self.clerk, table, TablePhase.WAGERING)
        self.texts = {table: submission_text(*plan) for table, plan in TABLES.items()}

    def play_on(self) -> None:
        """One step at some table. What was sent may have brought it anywhere, so a refusal is nothing wrong."""
        table = self.pit.table(self.random.choice(list(TABLES)))
        if table.phase == TablePhase.WAGERING and not table.staged:
            for seat in sorted(table.boxes):
                for name, amount in plain_wagers(table).items():
                    self.clerk.ask(table.id, DEALER, "wager", seat=seat, wager=name, amount=amount)
        elif (following := asked(self.pit, table)) is not None:
            who, body = following
            self.clerk.ask(table.id, who, body.pop("command"), **body)

    # Who asks

    def sender(self, name: str) -> Sender:
        """A session of the job function that is good now: what was sent before may have ended the last one."""
        if name == NOBODY:
            return Sender(NOBODY, token=self.random.choice(("", "nobodys", "x" * 300)))
        known, people = self.senders.get(name), self.people
        session = people.session_of(known.token) if known is not None else None
        if known is None or session is None or str(session.person.role) != name:
            id = f"{name.replace(' ', '-')}-{next(self._numbers)}"
            people.create(id, id.capitalize(), Role(name), PASSWORD, None)
            new = people.log_in(id, PASSWORD)
            known = self.senders[name] = Sender(name, id, new.token, new.csrf)
        return known

    def _names(self) -> dict[str, list[Any]]:
        """What the house would know, by the name of a field."""
        ids = [sender.id for sender in self.senders.values()] or ["nobody"]
        players = [f"{table}-player-{seat}" for table in TABLES for seat in (1, 2, 3)]
        return {
            "table": list(TABLES),
            "stream": [*TABLES, ""],
            "meter": [*self.pit.meters(), f"meter-{self.random.randrange(1000)}"],
            "transfer_to": ["", *self.pit.meters()],
            "name": [METER, "Somebody"],
            "number": [1, 2, *(proposal.number for proposal in self.pit.proposals())],
            "id": [*ids, f"new-{self.random.randrange(1000)}"],
            "role": list(map(str, EVERYONE)),
            "password": [PASSWORD],
            "old": [PASSWORD],
            "new": [PASSWORD, f"{PASSWORD} too"],
            "player": [*players, *ids],
            "submission": [*self.texts.values(), any_toml(self.random, 100_000), any_toml(self.random, 2_000)],
            "seat": [1, 2, 3, 4],
            "wager": ["ante", "pair_plus", METER],
            "amount": [500, 1000, 2500],
            "amounts": [{"meter": 1_000_000}, {}],
            "choice": ["play", "fold"],
            "Request-Key": [f"key-{self.random.randrange(10**6):08}"],
        }

    def _at_home(self, case: Case) -> None:
        """Put names that the house knows in place of most of those that were made up."""
        names = self._names()
        for part in (case.path_parameters, case.query, case.headers, case.body):
            if isinstance(part, dict) or part is case.headers:
                for name in list(part or ()):
                    if name in names and self.random.random() < 0.8:
                        part[name] = self.random.choice(names[name])

    # Asking and judging

    def send(self, case: Case, name: str) -> Response:
        if self.sent.total() % PLAY_EVERY == 0:
            self.play_on()
        mode = case.meta.generation.mode if case.meta is not None else None
        if mode == GenerationMode.POSITIVE and self.random.random() < 0.5:
            self._at_home(case)
        sender, by_cookie, with_csrf = self.sender(name), self.random.random() < 0.3, self.random.random() < 0.7
        if by_cookie:
            case.cookies = {COOKIE: sender.token}
            headers = {CSRF: sender.csrf} if with_csrf else {}
        else:
            headers = {"Authorization": f"Bearer {sender.token}"}
        answer = case.call(headers=headers, timeout=WAIT)
        self.sent[name] += 1
        self.statuses[answer.status_code] += 1
        believed = not by_cookie or with_csrf or case.method.upper() in SAFE
        self._judge(case, sender, answer, believed)
        return answer

    def _judge(self, case: Case, sender: Sender, answer: Response, believed: bool) -> None:
        label = case.operation.label
        if self.door.broke:
            self._wrong(label, sender, self.door.broke)
        try:
            case.validate_response(answer, checks=LENIENT if _well_written(case) else CHECKED)
        except FailureGroup as group:
            for failure in group.exceptions:
                sent = f"{case.path_parameters} {case.query} {case.body!r:.300}"
                self._wrong(label, sender, f"{failure}\n{sent}\n{answer.text:.300}")
        reached = self.door.reached
        if reached in self.routes:
            self.reached[reached].add(sender.name)
            if reached not in PUBLIC_ROUTES and (wrong := _trespass(case, reached, sender, answer, believed)):
                self._wrong(reached, sender, f"{wrong}, but the answer is {answer.status_code}: {answer.text:.300}")

    def _wrong(self, label: str, sender: Sender, what: str) -> None:
        """The first of each kind in full."""
        kind = f"{label}: {what.splitlines()[0]:.60}"
        self.found[kind] += 1
        if self.found[kind] == 1:
            self.figures.violations.append(f"{label} by {sender.name}: {what}")

    # Rounds of requests

    def fuzz(self, operation: Operation, cases: int, mode: GenerationMode, start: int) -> None:
        """So many requests for one operation, in turn by everybody; fewer if there are no more different ones."""
        last: list[Case] = []

        @seed(start)
        @settings(GENERATE, max_examples=cases)
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Case) -> None:
            last[:] = [case]
            self.send(case, self._next(operation))

        # Nothing can be wrong with a request that consists of an address.
        with suppress(Unsatisfiable):
            ask()
        for _ in range(len(SENDERS) - self.turns[operation.label] if last else 0):
            self.send(last[0], self._next(operation))

    def _next(self, operation: Operation) -> str:
        turn = self.turns[operation.label]
        self.turns[operation.label] += 1
        return SENDERS[turn % len(SENDERS)]

    def follow(self, scenarios: int, start: int) -> None:
        """Scenarios of several requests, each by one person."""

        def call(scenario: Any, case: Case, **_: Any) -> Response:
            return self.send(case, scenario.sender)

        base = self.schema.as_state_machine()
        for number in range(ceil(scenarios / TOGETHER)):
            acts = {"sender": SENDERS[number % len(SENDERS)], "call": call, "validate_response": lambda *_, **__: None}
            machine: Any = seed(start + number)(type("Scenario", (base,), acts))
            # The house plays on, so a scenario that begins like another need not go on like it.
            with suppress(FlakyStrategyDefinition):
                machine.run(settings=settings(GENERATE, max_examples=TOGETHER, stateful_step_count=STEPS))


def _well_written(case: Case) -> bool:
    """Whether what is wrong may not show in an address: anything is a text there, and an object is other fields."""
    query = case.query if isinstance(case.query, dict) else {}
    return "kinds" in query or any(isinstance(value, dict) for value in query.values())


def _trespass(case: Case, reached: str, sender: Sender, answer: Response, believed: bool) -> str:
    """What the table of permissions has against an answer; nothing if all is well."""
    status, finding = answer.status_code, _finding(answer)
    if sender.role is None:
        return "" if status == 401 else "Nobody is logged in"
    if not believed:
        return "" if status == 403 and finding.get("code") == "csrf" else "The cookie came without the CSRF token"
    if not may(sender.role, ROUTES[reached]):
        expected = (403, "permission", ROUTES[reached])
        given = (status, finding.get("code"), finding.get("where"))
        return "" if given == expected else "The job function may not use this route"
    if status == 403:
        return "The job function may do this" if may(sender.role, finding.get("where", "")) else ""
    if status == 401:
        return "" if reached == "POST /api/me/password" else "The session is good"
    if status == 200 and reached == COMMANDS:
        command = case.body.get("command") if isinstance(case.body, dict) else None
        return "" if may(sender.role, f"table.{command}") else f"The job function may not {command}"
    return ""


def _finding(answer: Response) -> dict[str, Any]:
    """The first reason of a refusal; that there is one is for the schema to check."""
    if answer.status_code < 400:
        return {}
    with suppress(ValueError, LookupError):
        return dict(json.loads(answer.content)["findings"][0])
    return {}


@contextmanager
def fuzzed_house(figures: Figures, start: int) -> Iterator[Fuzzer]:
    """A house on SQLite whose limits never bite."""
    with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
        store = Store(f"sqlite:///{folder}/ledger.db", Path(folder) / "anchor")
        with store:
            people, pit = People(store, cost=CHEAP), Pit(store, randomness=SeededRandomness(start))
            yield Fuzzer(create_app(pit, people, ROOMY), pit, people, figures, Random(start))


def measure(cases: int, start: int = 1, only: str = "", scenarios: int | None = None) -> Figures:
    """At least so many requests over all operations (or one of them), and then the scenarios."""
    figures = Figures("P24: fuzzed requests")
    with fuzzed_house(figures, start) as house:
        paths = house.schema
        operations = [
            operation for path in paths for operation in paths[path].values() if only in ("", operation.label)
        ]
        passes = count(start)
        while (missing := cases - house.sent.total()) > 0:
            number, each = next(passes), ceil(missing / (len(operations) * len(MODES)))
            for operation in operations:
                for mode in MODES:
                    house.fuzz(operation, each, mode, number)
        plain = house.sent.total()
        wanted = cases // 50 if scenarios is None else scenarios
        if wanted:
            house.follow(wanted, start)
        figures.add("operations", len(operations))
        figures.add("requests", plain)
        figures.add("requests in scenarios", house.sent.total() - plain)
        for name, number in sorted(house.sent.items()):
            figures.add(f"by {'an' if name[0] == 'a' else 'a'} {name}" if name != NOBODY else "by nobody", number)
        for status, number in sorted(house.statuses.items()):
            figures.add(f"answered {status}", number)
        complete = sum(names == set(SENDERS) for names in house.reached.values())
        figures.add("routes reached by everybody", complete)
        figures.add("rounds played meanwhile", sum(table.rounds for table in house.pit.tables()))
        for kind, number in house.found.items():
            figures.add(f"wrong: {kind}", number)
        findings = errors(audit_store(house.pit.store))
        figures.expect(not findings, f"The books are not in order: {findings}")
        figures.expect(bool(only) or complete == len(house.routes) - 1, f"not every route was reached: {house.reached}")
    return figures


if __name__ == "__main__":
    given_counts = arguments(__doc__, cases=(5000, 500))
    sys.exit(measure(given_counts.cases, given_counts.seed).show())
