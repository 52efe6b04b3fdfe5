"""A house with a real server: people who log in over HTTP and play by what the interface shows them."""

import itertools
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

import httpx

from pitboss.cards import Hand, parse_card, show_cards
from pitboss.games.course import Option, Sight
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Seat
from pitboss.games.rules import Rules
from pitboss.ledger.people import Cost, People, Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.ledger.watch import Clock, microseconds
from pitboss.submission import read_submission, rules_of
from pitboss.table.autoplay import plain_decision, plain_wagers
from pitboss.table.opening import next_slip
from pitboss.table.roles import Role
from pitboss.table.source import SeededRandomness
from pitboss.web.front import Front
from pitboss.web.limits import Settings
from pitboss.web.server import Server, build, server_of
from pitboss.web.site import add_pages
from tests.table.driver import submission_text

CHEAP = Cost(memory=64, passes=1, lanes=1)
PASSWORD = "a long password"
STAFF = {
    "dealer-1": Role.DEALER,
    "floor-1": Role.FLOORPERSON,
    "manager-1": Role.PIT_MANAGER,
    "manager-2": Role.PIT_MANAGER,
    "cashier-1": Role.CASHIER,
    "auditor-1": Role.AUDITOR,
    "admin-1": Role.ADMINISTRATOR,
}
PLAYERS = tuple(f"p{number}" for number in range(1, 8))
BY_ROLE = {"dealer": "dealer-1", "floorperson": "floor-1", "pit manager": "manager-1"}
ROOMY = Settings(
    log_ins_per_minute=100_000,
    commands_per_second=100_000,
    requests_per_second=100_000,
    refused_per_minute=100_000,
    answer_seconds=60,
    poll=0.1,
)
HIDDEN = "??"
_keys = itertools.count(1)


def new_key() -> str:
    return f"key-{next(_keys):08d}"


@dataclass
class Client:
    """Somebody who has logged in."""

    http: httpx.Client
    id: str
    token: str

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.http.get(f"/api{path}", headers=self.headers(options.pop("headers", {})), **options)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.http.post(f"/api{path}", json=body, headers=self.headers(options.pop("headers", {})), **options)

    def headers(self, more: Mapping[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **more}

    def shown(self, path: str) -> dict[str, Any]:
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def command(self, table: str, body: Mapping[str, Any], key: str = "") -> httpx.Response:
        return self.post(f"/tables/{table}/commands", dict(body), headers={"Request-Key": key or new_key()})

    def do(self, table: str, name: str, **fields: Any) -> dict[str, Any]:
        answer = self.command(table, {"command": name, **fields})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


@dataclass
class House:
    """A running server and everybody in it."""

    url: str
    server: Server
    pit: Pit
    people: People
    store: Store
    clients: dict[str, Client] = field(default_factory=dict)

    def http(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30)

    def log_in(self, id: str, password: str = PASSWORD) -> Client:
        http = self.http()
        answer = http.post("/api/login", json={"id": id, "password": password})
        assert answer.status_code == 200, answer.text
        http.cookies.clear()
        return Client(http, id, answer.json()["token"])

    def __getitem__(self, id: str) -> Client:
        if id not in self.clients:
            self.clients[id] = self.log_in(id)
        return self.clients[id]

    def slip(self, table: str) -> int:
        return next_slip(self.pit.table(table), self.pit.clock())

    def open(self, table: str, game: str, *seats: int, dealing: str = "manual-shoe", **options: Any) -> "Play":
        """Open a table and seat p1, p2, ... with chips."""
        text = submission_text(game, dealing)
        self["manager-1"].do(table, "open_table", submission=text, fill=50_000_000, **options)
        for seat in seats:
            player = self[f"p{seat}"]
            player.do(table, "sit", seat=seat)
            self["floor-1"].do(table, "buy_in", amount=1_000_000, player=player.id, slip=self.slip(table))
        return Play(self, table, text, seats)


@dataclass
class Play:
    """One table driven over HTTP; what a player decides comes from what that player is shown."""

    house: House
    table: str
    text: str
    seats: tuple[int, ...]

    def shown(self, person: str = "dealer-1") -> dict[str, Any]:
        return self.house[person].shown(f"/tables/{self.table}")

    @cached_property
    def rules(self) -> Rules:
        rules, _ = rules_of(read_submission(self.text), date.fromisoformat(self.shown()["table"]["as_of"]))
        assert rules is not None
        return rules

    def step(self, shown: Mapping[str, Any] | None = None) -> None:
        """Whatever the interface says is next, by whom it says."""
        following = (shown or self.shown())["next"]
        assert following is not None
        if following["command"] is not None:
            who = self.house[BY_ROLE[following["role"]]]
            answer = who.command(self.table, following["command"])
            assert answer.status_code == 200, (following, answer.text)
        else:
            assert following["seat"] is not None, following
            self.decide(following["seat"])

    def decide(self, seat: int) -> None:
        player = self.house[f"p{seat}"]
        shown = player.shown(f"/tables/{self.table}")["table"]
        player.do(self.table, "decide", **decision(self.rules, shown, seat))

    def until(self, *phases: str, most: int = 200) -> "Play":
        for _ in range(most):
            shown = self.shown()
            if shown["table"]["phase"] in phases:
                return self
            self.step(shown)
        raise AssertionError(f"the table never came to {phases}")

    def wager(self) -> None:
        for seat in self.seats:
            for name, amount in plain_wagers(self.house.pit.table(self.table), seat).items():
                self.house[f"p{seat}"].do(self.table, "wager", seat=seat, wager=name, amount=amount)

    def round(self) -> int:
        """One whole round; its number."""
        self.until("wagering").wager()
        self.step()
        number = int(self.shown()["table"]["rounds"])
        for _ in range(300):
            shown = self.shown()
            if shown["table"]["round"] is None:
                return number
            self.step(shown)
        raise AssertionError("the round never ended")


def play_inside(pit: Pit, table: str, rounds: int, *seats: int) -> None:
    """Rounds without HTTP, for tests that only need a history."""
    dealer = Person("dealer-1", "Dealer-1", Role.DEALER)
    people = {role: Person(id, id, Role(role)) for role, id in BY_ROLE.items()}
    done = pit.table(table).rounds + rounds
    while True:
        now = pit.table(table)
        if now.rounds >= done and now.play is None:
            return
        if now.phase == "wagering" and not now.staged:
            for seat in seats:
                for name, amount in plain_wagers(now, seat).items():
                    body = {"command": "wager", "seat": seat, "wager": name, "amount": amount}
                    assert pit.act(table, body, dealer, new_key()).accepted
        step = pit.standing(table, dealer).step
        assert step is not None
        following = step.command or plain_decision(pit.table(table), step.seat or 0)
        who = people.get(str(step.role), dealer)
        reply = pit.act(table, following.as_dict(), who, new_key())
        assert reply.accepted, reply.text


def decision(rules: Rules, shown: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """What a sensible player says, from their own screen alone."""
    game, played = GAMES[rules.game], shown["round"]
    cards = _cards(played["hands"][f"seat {seat}"])
    assert len(cards) == len(played["hands"][f"seat {seat}"]), "players see their own cards"
    made = {name: int(amount) for name, amount in played["wagers"][str(seat)].items()}
    before = {
        step: Decision(told["choice"], told["amount"], _cards(told["discard"]), _cards(told["drawn"]))
        for step, told in played["decisions"].get(str(seat), {}).items()
    }
    up = tuple(
        card for place, hand in played["hands"].items() if not place.startswith("seat ") for card in _cards(hand)
    )
    holding = Seat(seat, cards, made, before).final_cards
    options = tuple(Option(told["choice"], price=told["price"]) for told in played.get("options", ()))
    wanted = game.plain_decision(rules, Sight(holding, up, made[game.course.unit], before, options=options))
    body: dict[str, Any] = {"seat": seat, "choice": wanted.choice}
    if wanted.amount is not None:
        body["amount"] = wanted.amount
    if wanted.discard:
        body["discard"] = show_cards(wanted.discard)
    return body


def _cards(texts: list[str]) -> Hand:
    return tuple(parse_card(text) for text in texts if text != HIDDEN)


@contextmanager
def running(
    url: str,
    settings: Settings = ROOMY,
    seed: int = 1,
    staff: bool = True,
    front: Front | None = None,
    pages: bool = False,
    clock: Clock = microseconds,
) -> Iterator[House]:
    """A house on a free port, its people made, stopped at the end."""
    built = build(url, settings=settings, randomness=SeededRandomness(seed), cost=CHEAP, clock=clock)
    if pages:
        add_pages(built.app)
    try:
        if staff:
            for id, role in {**STAFF, **dict.fromkeys(PLAYERS, Role.PLAYER)}.items():
                built.people.create(id, id.capitalize(), role, PASSWORD, None)
        server = server_of(built.app, front=front or Front(port=0))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        house = House(f"http://127.0.0.1:{port}", server, built.pit, built.people, built.store)
        try:
            yield house
        finally:
            for client in house.clients.values():
                client.http.close()
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive(), "the server did not stop"
    finally:
        built.store.close()


@dataclass
class Heard:
    """One message of a stream."""

    id: int
    event: str
    data: dict[str, Any]


def listen(client: Client, path: str, until: Any, **options: Any) -> list[Heard]:
    """Read a stream until a message satisfies ``until``; every message heard."""
    heard: list[Heard] = []
    with client.http.stream("GET", f"/api{path}", headers=client.headers(options.pop("headers", {})), **options) as got:
        assert got.status_code == 200, got.read()
        assert got.headers["content-type"].startswith("text/event-stream")
        for message in messages(got.iter_lines()):
            heard.append(message)
            if until(message):
                break
    return heard


def messages(lines: Iterator[str]) -> Iterator[Heard]:
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            yield Heard(0, "comment", {"text": line[1:].strip()})
        elif line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield Heard(int(fields.get("id", 0)), fields.get("event", "message"), json.loads(fields["data"]))
            fields = {}
        else:
            fields = {}
