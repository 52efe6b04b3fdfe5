"""The interface under load: wagers through a real server over SQLite, and a full house with screens that watch.

Server and clients are two processes on one machine, so they share its cores; the first table says how much the clients
could ask if the server had nothing to do. Every wager is a transaction on disk of its own.
"""

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter, sleep

from bench.floor import SEATS, TABLES, THINKING, Floor, everybody, player, prepare
from bench.load import HEADING, Ask, Client, Served, fire, idle_server, percentiles, served

CLIENTS = 16
SECONDS = 20.0
OFFERED = 200.0
SCREENS = 10
Rows = list[tuple[str, ...]]


def run() -> Iterator[tuple[str, Rows]]:
    """Each table of results: a title, then rows of which the first is the heading."""
    title = f"What {CLIENTS} clients can ask ({SECONDS:.0f} s each); at a given rate, times count from when it was due"
    yield title, _wagers()
    title = f"{len(TABLES)} tables, {len(TABLES) * len(SEATS)} players and {SCREENS} streams for {SECONDS:.0f} s"
    yield title, _full_house()


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
            with Screens(house) as screens:
                floor.play(SECONDS)
            rows.append((pace, f"{floor.rounds}", "commands", *floor.commands.cells()))
            heard = screens.heard(floor)
            rate = f"{len(heard) / floor.commands.lasted:,.0f}"
            rows.append((pace, "", "answer to event", rate, "", *percentiles(heard)))
    return rows


@dataclass
class Screens:
    """Streams of events, each with a thread that reads it."""

    house: Served
    arrived: deque[tuple[int, float]] = field(default_factory=deque)
    _clients: list[Client] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)

    def __enter__(self) -> "Screens":
        for number in range(SCREENS):
            table = TABLES[number % len(TABLES)]
            client = self.house.client(player(table, 1 + number // len(TABLES)))
            thread = threading.Thread(target=self._watch, args=(client, table), daemon=True)
            thread.start()
            self._clients.append(client)
            self._threads.append(thread)
        return self

    def __exit__(self, *_: object) -> None:
        sleep(1)
        for client in self._clients:
            client.close()
        for thread in self._threads:
            thread.join()

    def _watch(self, client: Client, table: str) -> None:
        for message in client.messages(f"/api/tables/{table}/stream"):
            self.arrived.append(message)

    def heard(self, floor: Floor) -> list[float]:
        """Seconds from an answer to its event on a screen; 0 where the event was there first."""
        answered = {seq: at for events in floor.answered.values() for seq, at in events.items()}
        return [max(0.0, at - answered[seq]) for seq, at in self.arrived if seq in answered]
