"""A full house over HTTP: eight tables, five players each, and dealers who do what the interface says is next."""

import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from time import perf_counter, sleep
from typing import Any

from bench.load import Client, Served, Times, in_threads
from bench.pit import FLOOR, MANAGER, submission
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.table.roles import Role

TABLES = tuple(f"t{number}" for number in range(1, 9))
SEATS = (1, 2, 3, 4, 5)
THINKING = 0.25
"""Seconds before each act at a table; a real dealer takes longer."""
WHO = {"floorperson": FLOOR.id, "pit manager": MANAGER.id}


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
        act(table, MANAGER, "open_table", submission=submission(), fill=10**8)
        act(table, FLOOR, "receive_decks", preinspected=True)
        act(table, dealer(table), "cut", at=20)
        for slip, seat in enumerate(SEATS, 2):  # the opening fill took the first slip of the day
            act(table, dealer(table), "sit", seat=seat, player=player(table, seat))
            act(table, MANAGER, "buy_in", amount=10**7, player=player(table, seat), slip=slip)


@dataclass
class Floor:
    """All tables playing at once."""

    house: Served
    thinking: float
    """Seconds before each act, from half to one and a half of it: people do not act in step."""
    commands: Times = field(default_factory=Times)
    rounds: int = 0
    answered: dict[str, dict[int, float]] = field(default_factory=lambda: {table: {} for table in TABLES})
    """When the answer to a command was here, by table and by the numbers of its events."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _keys: Iterator[int] = field(default_factory=count)
    _random: Random = field(default_factory=lambda: Random(1))

    def play(self, seconds: float) -> None:
        start = perf_counter()
        in_threads([partial(self._table, table, start + seconds) for table in TABLES])
        self.commands.lasted = perf_counter() - start

    def _table(self, table: str, end: float) -> None:
        """The dealer acts step by step; players wager all at once and decide one after the other."""
        names = (*WHO.values(), dealer(table).id, *(player(table, seat) for seat in SEATS))
        clients = {name: self.house.client(name) for name in names}
        with ThreadPoolExecutor(len(SEATS)) as players:
            while perf_counter() < end:
                shown = clients[dealer(table).id].shown(f"/api/tables/{table}")
                following = shown["next"]
                if following["command"] is not None:
                    who = WHO.get(following["role"], dealer(table).id)
                    self.do(clients[who], table, following["command"])
                elif following["seat"] is not None:
                    seat = following["seat"]
                    body = {"command": "decide", "seat": seat, "choice": "play" if seat % 3 else "fold"}
                    self.do(clients[player(table, seat)], table, body)
                else:
                    list(players.map(partial(self._wager, clients, table), SEATS))
                    with self._lock:
                        self.rounds += 1

    def _wager(self, clients: Mapping[str, Client], table: str, seat: int) -> None:
        for wager in ("ante", "pair_plus"):
            body = {"command": "wager", "seat": seat, "wager": wager, "amount": 1000}
            self.do(clients[player(table, seat)], table, body)

    def do(self, client: Client, table: str, body: Mapping[str, Any]) -> None:
        sleep(self.thinking * (0.5 + self._random.random()))
        begun = perf_counter()
        status, text = client.command(table, f"floor-{next(self._keys):08}", body)
        at = perf_counter()
        events = json.loads(text)["events"] if status == 200 else ()
        with self._lock:
            self.commands.seconds.append(at - begun)
            self.commands.refused += status != 200
            self.answered[table].update((event["seq"], at) for event in events)
