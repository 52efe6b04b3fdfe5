"""The interface under load: wagers through a real server over SQLite, and a full house with screens that watch.

Server and clients are two processes on one machine, so they share its cores; the first table says how much the clients
could ask if the server had nothing to do. Every wager is a transaction on disk of its own.
"""

import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from time import perf_counter, sleep
from typing import Any

from bench.load import HEADING, Ask, Client, Served, Times, fire, idle_server, in_threads, percentiles, served
from bench.pit import submission
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.table.roles import Role

TABLES = tuple(f"t{number}" for number in range(1, 9))
SEATS = (1, 2, 3, 4, 5)
CLIENTS = 16
SECONDS = 20.0
OFFERED = 200.0
SCREENS = 10
THINKING = 0.25
"""Seconds before each act at a table; a real dealer takes longer."""

Rows = list[tuple[str, ...]]

MANAGER = Person("manager-1", "Pit manager", Role.PIT_MANAGER)
FLOOR = Person("floor-1", "Floorperson", Role.FLOORPERSON)
WHO = {"floorperson": FLOOR.id, "pit manager": MANAGER.id}


def run() -> Iterator[tuple[str, Rows]]:
    """Each table of results: a title, then rows of which the first is the heading."""
    title = f"What {CLIENTS} clients can ask ({SECONDS:.0f} s each); at a given rate, times count from when it was due"
    yield title, _wagers()
    title = f"{len(TABLES)} tables, {len(TABLES) * len(SEATS)} players and {SCREENS} streams for {SECONDS:.0f} s"
    yield title, _full_house()


def player(table: str, seat: int) -> str:
    return f"{table}-player-{seat}"


def dealer(table: str) -> Person:
    return Person(f"{table}-dealer", "Dealer", Role.DEALER)


def everybody() -> list[Person]:
    players = [Person(player(table, seat), "Player", Role.PLAYER) for table in TABLES for seat in SEATS]
    return [MANAGER, FLOOR, *map(dealer, TABLES), *players]


def prepare(pit: Pit) -> None:
    """Every table open, its seats taken, its cards cut."""
    keys = count()

    def act(table: str, who: Person, command: str, **fields: Any) -> None:
        reply = pit.act(table, {"command": command, **fields}, who, f"prepare-{next(keys):06}")
        if not reply.accepted:
            raise RuntimeError(f"{command}: {reply.text}")

    for table in TABLES:
        act(table, MANAGER, "open_table", submission=submission(), fill=10**10)
        act(table, FLOOR, "receive_decks", preinspected=True)
        act(table, dealer(table), "cut", at=20)
        for seat in SEATS:
            act(table, dealer(table), "sit", seat=seat, player=player(table, seat))
            act(table, dealer(table), "buy_in", amount=10**9, player=player(table, seat))


def _wagers() -> Rows:
    rows: Rows = [("request", "offered/s", *HEADING)]
    with idle_server() as house:
        times = fire([_getter(house.client(), "/") for _ in range(CLIENTS)], SECONDS / 2)
        rows.append(("a server that does nothing", "", *times.cells()))
    with served(everybody(), prepare) as house:
        times = fire([_getter(house.client(), "/api/health") for _ in range(CLIENTS)], SECONDS / 2)
        rows.append(("GET /api/health", "", *times.cells()))
        for offered in (OFFERED, None):
            times = fire([_wagerer(house, number) for number in range(CLIENTS)], SECONDS, offered)
            rows.append(("a wager", f"{offered:.0f}" if offered else "flat out", *times.cells()))
    return rows


def _getter(client: Client, path: str) -> Ask:
    return lambda _: client.ask("GET", path)[0]


def _wagerer(house: Served, number: int) -> Ask:
    """One player who changes the Ante again and again."""
    table, seat = TABLES[number % len(TABLES)], SEATS[number // len(TABLES) % len(SEATS)]
    client, keys = house.client(player(table, seat)), count()
    run = f"{perf_counter():.6f}"

    def ask(_: int) -> int:
        turn = next(keys)
        body = {"command": "wager", "seat": seat, "wager": "ante", "amount": 1000 + 500 * (turn % 2)}
        return client.command(table, f"{run}-{number}-{turn}", body)[0]

    return ask


def _full_house() -> Rows:
    rows: Rows = [("pace", "rounds", "what", *HEADING)]
    for pace, thinking in ((f"{THINKING} s before each act", THINKING), ("flat out", 0.0)):
        with served(everybody(), prepare) as house:
            floor = Floor(house, thinking)
            floor.play(SECONDS)
            rows.append((pace, f"{floor.rounds}", "commands", *floor.commands.cells()))
            heard = floor.heard()
            rate = f"{len(heard) / floor.commands.lasted:,.0f}"
            rows.append((pace, "", "answer to event", rate, "", *percentiles(heard)))
    return rows


@dataclass
class Floor:
    """All tables playing at once, and the screens that watch them."""

    house: Served
    thinking: float
    commands: Times = field(default_factory=Times)
    rounds: int = 0
    answered: dict[int, float] = field(default_factory=dict)
    """When the answer to a command was here, by the numbers of its events."""
    arrived: deque[tuple[int, float]] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _keys: Iterator[int] = field(default_factory=count)

    def play(self, seconds: float) -> None:
        screens = [self.house.client(player(TABLES[n % len(TABLES)], 1 + n // len(TABLES))) for n in range(SCREENS)]
        watching = [
            threading.Thread(target=self._watch, args=(screen, TABLES[n % len(TABLES)]), daemon=True)
            for n, screen in enumerate(screens)
        ]
        for thread in watching:
            thread.start()
        start = perf_counter()
        in_threads([partial(self._table, table, start + seconds) for table in TABLES])
        self.commands.lasted = perf_counter() - start
        sleep(1)
        for screen in screens:
            screen.close()
        for thread in watching:
            thread.join()

    def heard(self) -> list[float]:
        """Seconds from an answer to its event on a screen; 0 where the event was there first."""
        return [max(0.0, at - self.answered[seq]) for seq, at in list(self.arrived) if seq in self.answered]

    def _watch(self, screen: Client, table: str) -> None:
        for message in screen.messages(f"/api/tables/{table}/stream"):
            self.arrived.append(message)

    def _table(self, table: str, end: float) -> None:
        """A dealer who does what the interface says is next, and players who wager all at once."""
        names = (*WHO.values(), dealer(table).id, *(player(table, seat) for seat in SEATS))
        clients = {name: self.house.client(name) for name in names}
        with ThreadPoolExecutor(len(SEATS)) as players:
            while perf_counter() < end:
                shown = clients[dealer(table).id].shown(f"/api/tables/{table}")
                following = shown["next"]
                if following["command"] is not None:
                    who = WHO.get(following["role"], dealer(table).id)
                    self._do(clients[who], table, following["command"])
                elif following["seat"] is not None:
                    seat = following["seat"]
                    body = {"command": "decide", "seat": seat, "choice": "play" if seat % 3 else "fold"}
                    self._do(clients[player(table, seat)], table, body)
                else:
                    list(players.map(partial(self._wager, clients, table), SEATS))
                    with self._lock:
                        self.rounds += 1

    def _wager(self, clients: Mapping[str, Client], table: str, seat: int) -> None:
        for wager in ("ante", "pair_plus"):
            body = {"command": "wager", "seat": seat, "wager": wager, "amount": 1000}
            self._do(clients[player(table, seat)], table, body)

    def _do(self, client: Client, table: str, body: Mapping[str, Any]) -> None:
        sleep(self.thinking)
        begun = perf_counter()
        status, text = client.command(table, f"floor-{next(self._keys):08}", body)
        at = perf_counter()
        events = json.loads(text)["events"] if status == 200 else ()
        with self._lock:
            self.commands.seconds.append(at - begun)
            self.commands.refused += status != 200
            self.answered.update((event["seq"], at) for event in events)
