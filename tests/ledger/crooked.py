"""One crooked employee: anything that one account can send, beside honest people who never consent, and a witness.

The witness folds the events itself. It settles every finished round again by the law's own data, without the facts and
readings of any submission, and so knows what the house owes each patron: what they bought in for, less what they were
paid in cash, and the lines of their rounds. Cash that a cashier says was taken counts as taken: no program sees it. It
knows by itself who sells and cashes chips, and that a round whose outcome is known is void by two people only.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, cast

from fastapi.testclient import TestClient
from tests.table.driver import PEOPLE, submission_text
from tests.table.walk import KINDS, NUMBERS, PLAYERS, Setting, Try, forward, wild
from tests.web.harness import CHEAP, PASSWORD, ROOMY

from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.rules import Limits, resolve
from pitboss.games.settle import settle
from pitboss.ledger.consent import CONSENTED
from pitboss.ledger.counting import HoldCounter
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.meters import settings_of
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Reply
from pitboss.ledger.rows import Recorded
from pitboss.ledger.store import HOUSE_STREAM, Writing
from pitboss.meters import UNITS_PER_CENT
from pitboss.submission import read_submission, rules_of
from pitboss.table.command import COMMANDS
from pitboss.table.events import carried_account, layout_account, player_account, pot_account
from pitboss.table.fold import apply
from pitboss.table.place import is_known
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase, Table
from pitboss.table.turning import RuleChoice
from pitboss.web.routes import COMMANDS as COMMANDS_ROUTE
from pitboss.web.routes import ROUTES
from pitboss.web.server import build

NOW = 1_717_250_400_000_000
DAY = timedelta(days=1) // timedelta(microseconds=1)
FRIEND = PLAYERS[-1]
"""The patron who would be paid too much."""
TABLES = {
    "t1": ("three-card-poker", "manual-shoe"),
    "t2": ("roulette", "double-zero"),
    "t3": ("seven-card-stud", "hand"),
}
OWN = "t4"
"""A table that a crook can open; the honest play there as well."""
SELLERS = {Role.CASHIER, Role.FLOORPERSON, Role.PIT_MANAGER}
"""Who changes cash into chips and back, whatever the table of permissions says."""
FUNCTIONS = tuple(role for role in Role if role is not Role.SYSTEM)
IDS = (*PEOPLE.values(), *PLAYERS, "admin-1", "admin-2", "auditor-1", "crook", "puppet-1", "puppet-2", "nobody-1")
ODDS = ("1000000 to 1", "36 to 1", "100% of meter", "$1,000,000", "2 to 1", "none", "-1 to 1")


class Unheeded(HoldCounter):
    """No hold is counted, so that one rule fewer stands in the way."""

    def findings(self, text: str, day: Any) -> tuple[Finding, ...]:  # noqa: ARG002
        return ()


class Witness:
    """What each patron is due by the rules, from the events alone."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.due: Counter[str] = Counter()
        """Cents that each patron may have: bought in, less cashed, and won by the law."""
        self.open: dict[str, list[tuple[str, int, bool, int]]] = {}
        """Lines of the round in play at each table: patron, net, whether a meter paid, seat."""
        self.faults: list[str] = []
        self.rounds = self.unsettled = 0

    def follow(self, event: Recorded) -> None:
        if event.kind == "meter.opened":
            self._meter(event)
        if event.stream == HOUSE_STREAM:
            return
        table, data = self.tables.setdefault(event.stream, Table(event.stream)), event.data
        self._by_whom(table, event)
        match event.kind:
            case "player.bought-in":
                self.due[data["player"]] += data["amount"]
            case "player.cashed-out" | "player.repaid":
                self.due[data["player"]] -= data["amount"]
            case "player.owes":
                self.due[data["player"]] += data["amount"]
            case "line.settled":
                seat = int(data["seat"])
                line = (table.playing.players[seat], int(data["net"]), bool(data.get("from_meter")), seat)
                self.open.setdefault(event.stream, []).append(line)
            case "round.completed":
                self._settled(table, self.open.pop(event.stream, []))
            case "round.voided":
                self.open.pop(event.stream, None)
        self.tables[event.stream] = apply(table, event.fact)

    def _by_whom(self, table: Table, event: Recorded) -> None:
        """Chips for cash are sold by those who answer for the cash; what is known is undone by two."""
        if event.kind in ("player.bought-in", "player.cashed-out", "player.repaid") and event.role not in SELLERS:
            self.faults.append(f"event {event.seq}: {event.kind} by {event.actor}, a {event.role}")
        alone = not event.request.startswith(CONSENTED)
        if alone and event.kind in ("round.voided", "wagers.abandoned") and is_known(table):
            self.faults.append(f"event {event.seq}: {event.kind} by {event.actor} alone, with the outcome known")
        if alone and event.kind == "choice.ruled" and event.data["stands"]:
            ruling = RuleChoice(event.data["seat"], event.data["step"], stands=True, why=event.data["why"])
            if ruling.lawful(table) is not None:
                self.faults.append(f"event {event.seq}: a wager that the hand forbade stands by {event.actor} alone")

    def _meter(self, event: Recorded) -> None:
        """A meter begins with a seed that the law prints for it."""
        seed = dict(event.data["settings"]["seed"])
        name = event.data["settings"]["name"]
        laws = [
            settings_of(rules, name)["seed"]
            for game in GAMES
            if (rules := rules_of(read_submission(submission_text(game)))[0]) is not None and name in rules.meters
        ]
        if seed not in [dict(law) for law in laws] and not any(set(seed.values()) <= set(law.values()) for law in laws):
            self.faults.append(f"event {event.seq}: the meter {event.data['meter']} begins at {seed}")

    def _settled(self, table: Table, lines: list[tuple[str, int, bool, int]]) -> None:
        """Hold what was paid against the law's own data; what a meter pays stands with the meter."""
        self.rounds += 1
        rules, played = rules_at(table), table.playing.as_round()
        least = 1 if GAMES[rules.game].course.contest else 0  # stacks grow and shrink beyond the limits of the table
        limits = {name: Limits(least or known.minimum, 10**10) for name, known in rules.choices.limits.items()}
        choices = replace(rules.choices, facts={}, readings={}, limits=limits)
        law, _ = resolve(GAMES[rules.game].chapter, rules.as_of, choices)
        assert law is not None
        settlement = settle(law, played)
        self.unsettled += bool(settlement.findings)
        due: Counter[int] = Counter()
        for line in settlement.lines:
            due[line.seat] += 0 if line.from_meter else line.net
        paid: Counter[int] = Counter()
        for player, net, from_meter, seat in lines:
            self.due[player] += net
            paid[seat] += 0 if from_meter else net
        left = {*table.playing.absent, *table.playing.left}
        for seat in () if settlement.findings else paid:
            if paid[seat] > due[seat] and seat not in left:
                where = f"{table.id}, round {table.playing.number}, seat {seat}"
                self.faults.append(f"{where}: {paid[seat]} paid, {due[seat]} by the law")

    def check(self, balances: Mapping[str, int]) -> None:
        """All patrons together, with what lies on the layouts, and each who has nothing in play."""

        def held(account: str) -> int:
            return balances.get(account, 0) // UNITS_PER_CENT

        everybody = {account.partition(":")[2] for account in balances if account.startswith("player:")}
        total = sum(held(player_account(player)) for player in everybody)
        for table in self.tables:
            total += sum(held(account(table)) for account in (layout_account, pot_account, carried_account))
        won = sum(
            net
            for name, lines in self.open.items()
            for _, net, _, _ in lines
            if not GAMES[self.tables[name].game].course.contest  # there chips go from patron to patron
        )
        if total > sum(self.due.values()) + won:
            self.faults.append(f"patrons hold {total} cents and are due {sum(self.due.values()) + won}")
        playing = {player for table in self.tables.values() if table.play for player in table.play.players.values()}
        for player in everybody - playing:
            lying = sum(
                sum(made.values())
                for table in self.tables.values()
                for seat, made in table.staged.items()
                if table.boxes.get(seat) == player
            )
            lying += sum(
                each.stake
                for table in self.tables.values()
                for made in table.carried.values()
                for each in made.values()
                if each.player == player
            )
            if held(player_account(player)) + lying > self.due[player]:
                self.faults.append(f"{player} has {held(player_account(player)) + lying} and is due {self.due[player]}")


class Crook:
    """A house with one crooked employee."""

    def __init__(self, role: Role, seed: int, folder: Path) -> None:
        self.role, self.random, self.now = role, Random(f"{role}-{seed}"), NOW
        built = build(
            f"sqlite:///{folder}/ledger.db",
            settings=ROOMY,
            clock=lambda: self.now,
            randomness=SeededRandomness(seed),
            cost=CHEAP,
        )
        self.pit, self.people, self.store = built.pit, built.people, built.store
        self.pit.holds = Unheeded()
        self.store.refusals.most = 1_000_000
        id = FRIEND if role is Role.PLAYER else "crook"
        staff = {name: of for of, name in PEOPLE.items()} | {"auditor-1": Role.AUDITOR, "admin-1": Role.ADMINISTRATOR}
        staff |= {"admin-2": Role.ADMINISTRATOR, **dict.fromkeys(PLAYERS, Role.PLAYER), id: role}
        for name, of in staff.items():
            self.people.create(name, name, of, PASSWORD, None)
        self.hands = {id: role}
        """The accounts that the crook has: their own, and whatever they can get hold of by it."""
        self.http = TestClient(built.app, raise_server_exceptions=True)
        token = self.http.post("/api/login", json={"id": id, "password": PASSWORD}).json()["token"]
        self.http.cookies.clear()
        self.headers = {"Authorization": f"Bearer {token}"}
        self.settings = {
            table: Setting(game, submission_text(game, dealing), "virtual")
            for table, (game, dealing) in {**TABLES, OWN: TABLES["t2"]}.items()
        }
        self.witness, self.head, self.count = Witness(), 0, 0
        self.tally: Counter[str] = Counter()
        self.last = ""

    def close(self) -> None:
        self.http.close()
        self.store.close()

    # What happens

    def attempt(self) -> None:
        """The honest go on; the crook tries one thing; the witness looks at everything."""
        for _ in range(2):
            self.honest()
        if self.random.random() < 0.75:
            self.command()
        else:
            self.request()
        self.look()
        self.tally["attempts"] += 1

    def honest(self) -> None:
        table = self.random.choice((*TABLES, OWN))
        standing, desk = self.standing(table)
        if standing.phase == Phase.CLOSED and table == OWN:
            return
        if standing.phase == Phase.CLOSED and standing.events:
            self.now += DAY  # opened again on the same day it would take a second person
        tried = forward(self.random, standing, desk, self.settings[table])
        reply = self.send(table, tried.person, tried.role, tried.body)
        self.tally["honest"] += reply is not None and reply.accepted

    def command(self) -> None:
        """Any command with any fields, often what the table waits for, with amounts and names that are not theirs."""
        table = self.random.choice((*TABLES, *TABLES, OWN))
        standing, desk = self.standing(table)
        setting = self.settings[table]
        if self.random.random() < 0.15 and self.role is Role.PIT_MANAGER:
            table, body = OWN, self.opening()
        else:
            kinds = [wild] if standing.phase == Phase.CLOSED else [wild, *KINDS]
            drawn: Try = self.random.choice(kinds)(self.random, standing, desk, setting)
            body = dict(drawn.body)
        if self.random.random() < 0.3:
            self.twisted(body)
        id = self.random.choice(list(self.hands))
        self.last = f"{id} at {table}: { {k: v for k, v in body.items() if k != 'submission'} }"
        reply = self.send(table, id, self.hands[id], body)
        self.tally["accepted"] += reply is not None and reply.accepted
        self.tally["waiting"] += reply is not None and reply.status == 202

    def twisted(self, body: dict[str, Any]) -> None:
        for name in body.keys() - {"command", "submission"}:
            if isinstance(body[name], int) and self.random.random() < 0.5:
                body[name] = self.random.choice((*NUMBERS, 10**8, 10**8 + 1, 10**9, 5, 6, 7))
            elif name == "player":
                body[name] = self.random.choice((FRIEND, *IDS))
        if "amount" in {field.name for field in fields(COMMANDS.get(body["command"], COMMANDS["fill"]))}:
            body.setdefault("amount", self.random.choice(NUMBERS))

    def opening(self) -> dict[str, Any]:
        """A table with pays, limits and options of the crook's own."""
        game, dealing = self.random.choice(list(TABLES.values()))
        text = submission_text(game, dealing)
        facts = GAMES[game].chapter.facts(read_submission(text).effective)
        for fact in self.random.sample(facts, min(len(facts), self.random.choice((0, 1, 2)))):
            value = self.random.choice((*ODDS, *ODDS, "1", "9", "99999", fact.value))
            text = text.replace("[facts]\n", f'[facts]\n"{fact.name}" = "{value}"\n')
        if self.random.random() < 0.2:
            text = text.replace("maximum = ", f"maximum = {self.random.choice((1, 9, 99999))}")
        if self.random.random() < 0.3:
            text = text.replace('{ offered = false, chance = "1/100"', '{ offered = true, chance = "1/1"')
        fill = self.random.choice((0, 10**8, 10**8, 10**11, -1))
        limit = self.random.choice((10**6, 10**8, 10**8, *NUMBERS))
        return {"command": "open_table", "submission": text, "fill": fill, "chip_limit": limit}

    def request(self) -> None:
        """Any other route of the interface, with ids, numbers and texts of every kind."""
        route = self.random.choice([route for route in ROUTES if route.startswith("POST") and route != COMMANDS_ROUTE])
        method, path = route.split()
        if path in ("/api/logout", "/api/me/password", "/api/audit/verify"):
            return
        number = self.random.choice([*(p.number for p in self.pit.proposals()), 0, 1, 999])
        path = path.format(
            id=self.random.choice(IDS), number=number, meter=self.random.choice(self.meters()), table="t1"
        )
        body: dict[str, Any] = {
            "id": self.random.choice(IDS), "name": "Somebody", "password": PASSWORD,
            "role": str(self.random.choice(FUNCTIONS)),
        }  # fmt: skip
        if "meters" in path:
            name = self.random.choice(("three_card_progressive", "five_card_hand", "nothing"))
            body = {
                "meter": f"m-{self.random.randrange(9)}",
                "submission": submission_text("three-card-poker"),
                "name": name,
            }
        if path.endswith("/changes"):
            body = {"amounts": {"meter": self.random.choice(NUMBERS)}, "transfer_to": "", "reason": "because"}
        if path.endswith("/property"):
            body = {name: self.random.choice((1, 10**8, 10**11, 10**13, -1)) for name in ("act", "inventory", "wager")}
        if path.endswith(("/role", "/acknowledge")):
            body = {"role": body["role"]} if path.endswith("/role") else {"reason": "because"}
        self.last = f"{route} {path} {body}"
        answer = self.http.request(method, path, json=body, headers=self.headers)
        self.tally["requests accepted"] += answer.is_success
        assert answer.status_code < 500, (self.last, answer.text)
        if answer.is_success and "/accounts" in path:
            self.grasp()

    def grasp(self) -> None:
        """Whatever an administrator makes, resets or changes is theirs as well, if it is in use."""
        for account in self.people.everyone():
            mine = self.pit_hands(account.person.id)
            if mine and not account.disabled:
                self.hands[account.person.id] = account.person.role
            elif account.person.id in self.hands and account.person.id != "crook":
                del self.hands[account.person.id]

    def pit_hands(self, id: str) -> bool:
        from pitboss.ledger.consent import kinship

        with self.store.reading() as reading:
            return "crook" in kinship(reading).over(id)

    # What is seen

    def meters(self) -> list[str]:
        return [*self.pit.meters(), "m-1"]

    def standing(self, name: str) -> tuple[Table, LedgerDesk]:
        with self.store.reading() as reading:
            table = self.pit.fold(reading, name)
            writing = cast(Writing, _Open(self))
            return table, LedgerDesk(writing, self.now, "dealer-1", Role.DEALER, self.pit.randomness)

    def send(self, table: str, id: str, role: Role, body: Mapping[str, Any]) -> Reply | None:
        self.now += 1_000
        self.count += 1
        try:
            return self.pit.act(table, body, Person(id, id, role), f"request-{self.count:07}")
        except (FindingsError, UnreadableError):
            return None

    def look(self) -> None:
        with self.store.reading() as reading:
            events, balances = reading.events(after=self.head, limit=10_000), reading.balances()
        for event in events:
            self.witness.follow(event)
            self.head = event.seq
        self.witness.check(balances)
        assert not self.witness.faults, (self.last, self.witness.faults)


class _Open:
    """Balances and latest events for a desk that only looks, each read by itself."""

    def __init__(self, crook: Crook) -> None:
        self.crook = crook

    def __getattr__(self, name: str) -> Any:
        def read(*args: Any, **named: Any) -> Any:
            with self.crook.store.reading() as reading:
                return getattr(reading, name)(*args, **named)

        return read
