"""P4: linked meters under load: every acknowledged wager is on its meter exactly once.

    python scripts/p04_linked_meter.py --wagers 10000 --transport http

Fifty clients, each a thread: eight dealers at eight tables and forty-two players, who place an Ante and five
progressive wagers a round; four meters are linked over all tables. One answer in ten is asked for again under the same
key. One round in five is closed without waiting for everybody. The recount knows only the answers.
"""

import sys
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.table.driver import DAY

from pitboss.findings import errors
from pitboss.ledger.audit import audit_store
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.meters import UNITS_PER_CENT
from pitboss.submission import read_submission, rules_of
from pitboss.table.state import Phase
from scripts.common import DEALER, Clerk, Figures, Transport, arguments, available, ledger, player, together
from scripts.house import go_on, linked_submission, open_links, open_table, people_of, play_until
from scripts.transport import direct, served

TABLES = tuple(f"t{number}" for number in range(1, 9))
PLAYERS = 42
WAGERS = ("three_card_progressive", "five_card_progressive", "five_card_hand_player", "five_card_hand_dealer",
          "five_of_six_progressive")  # fmt: skip
AMOUNT = 100
PATIENCE = 2.0

Key = tuple[str, int, int, str]
"""A wager: table, round, seat and name."""


def seats() -> dict[str, dict[int, str]]:
    """Forty-two players at eight tables: five or six at each."""
    found: dict[str, dict[int, str]] = {table: {} for table in TABLES}
    for number in range(PLAYERS):
        table = TABLES[number % len(TABLES)]
        found[table][number // len(TABLES) + 1] = f"{table}-player-{number // len(TABLES) + 1}"
    return found


@dataclass
class Place:
    """One table as its clients share it: a new ``turn`` begins when wagers may be placed."""

    table: str
    players: Mapping[int, str]
    changed: threading.Condition = field(default_factory=threading.Condition)
    turn: int = 0
    done: int = 0
    over: bool = False


@dataclass
class Count:
    """What the clients were told."""

    wanted: int
    made: dict[Key, int] = field(default_factory=dict)
    again: int = 0
    late: int = 0
    failures: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def enough(self) -> bool:
        return len(self.made) >= self.wanted or bool(self.failures)


def play(send: Transport, place: Place, seat: int, count: Count, random: Random) -> None:
    """A player: in each turn an Ante and every progressive wager, each once."""
    name = place.players[seat]
    who, turn, number = player(name), 0, 0
    while True:
        with place.changed:
            place.changed.wait_for(lambda seen=turn: place.turn > seen or place.over)  # type: ignore[misc]
            if place.over:
                return
            turn = place.turn
        for wager in ("ante", *WAGERS):
            number += 1
            key, body = f"{name}-{number:06}", {"command": "wager", "seat": seat, "wager": wager}
            body["amount"] = 1000 if wager == "ante" else AMOUNT
            reply = send(place.table, body, who, key)
            asked_again = random.random() < 0.1 and send(place.table, body, who, key)
            with count.lock:
                if asked_again:
                    count.again += 1
                    if asked_again != reply:
                        count.failures.append(f"{key}: two answers under one key")
                if reply.accepted and wager != "ante":
                    count.made[place.table, reply.body["round"], seat, wager] = AMOUNT
                if not reply.accepted:
                    count.late += 1
                    if reply.status != 422:
                        count.failures.append(f"{key}: {reply.status} {reply.text}")
        with place.changed:
            place.done += 1
            place.changed.notify_all()


def deal(pit: Pit, send: Transport, place: Place, count: Count, random: Random) -> None:
    """A dealer: lets the players wager, closes the bets and plays the round to its end."""
    clerk = Clerk(send, f"dealer-{place.table}")
    try:
        while not count.enough:
            with place.changed:
                place.turn, place.done = place.turn + 1, 0
                place.changed.notify_all()
                patience = random.random() * 0.05 if random.random() < 0.2 else PATIENCE
                place.changed.wait_for(lambda: place.done == len(place.players), patience)
            if clerk.ask(place.table, DEALER, "no_more_bets").accepted:
                finish(pit, clerk, place.table)
    finally:
        with place.changed:
            place.over = True
            place.changed.notify_all()


def finish(pit: Pit, clerk: Clerk, table: str) -> None:
    while pit.table(table).play is not None:
        go_on(pit, clerk, table)
    play_until(pit, clerk, table, Phase.WAGERING)


def measure(wagers: int, databases: tuple[str, ...], transport: str = "direct", seed: int = 1) -> Figures:
    figures = Figures(f"P4: linked meters, {transport}")
    figures.add("clients", f"{len(TABLES)} dealers, {PLAYERS} players")
    for database in available(databases, figures):
        with (
            ledger(database) as (url, anchor),
            Store(url, anchor) as store,
            Store(url, anchor) as looking,  # the dealers look at their tables apart from the one that serves
            way_to(Pit(store), url, anchor, transport) as send,
        ):
            _measure(Pit(looking), send, database, Count(wagers), seed, figures)
    return figures


def way_to(pit: Pit, url: str, anchor: Path, transport: str) -> AbstractContextManager[Transport]:
    return served(url, anchor, people_of(seats())) if transport == "http" else direct(pit)


def _measure(pit: Pit, send: Transport, database: str, count: Count, seed: int, figures: Figures) -> None:
    submission = linked_submission()
    rules, _ = rules_of(read_submission(submission), DAY)
    assert rules is not None
    links = open_links(pit, submission, list(rules.meters))
    places = [Place(table, players) for table, players in seats().items()]
    clerk = Clerk(send, "opening")
    for place in places:
        open_table(clerk, place.table, submission, place.players, meters=links)
        play_until(pit, clerk, place.table, Phase.WAGERING)
    jobs = [
        partial(play, send, place, seat, count, Random(f"{seed} {place.table} {seat}"))
        for place in places
        for seat in place.players
    ]
    jobs += [partial(deal, pit, send, place, count, Random(f"{seed} {place.table}")) for place in places]
    count.failures += together(jobs)
    for place in places:  # wagers that came after the last round are played too
        if pit.table(place.table).staged:
            clerk.do(place.table, DEALER, "no_more_bets")
            finish(pit, clerk, place.table)
    figures.violations += count.failures
    _recount(pit, database, links, count, figures)
    findings = errors(audit_store(pit.store))
    figures.expect(not findings, f"{database}: {findings}")


def _recount(pit: Pit, database: str, links: Mapping[str, str], count: Count, figures: Figures) -> None:
    """Acknowledged wagers against the wagers that rounds closed with, and their parts against the meters."""
    rules, _ = rules_of(read_submission(linked_submission()), DAY)
    assert rules is not None
    with pit.store.reading() as reading:
        recorded: Counter[Key] = Counter()
        staged: dict[str, dict[tuple[int, str], int]] = {table: {} for table in TABLES}
        moved: Counter[str] = Counter()
        for event in reading.events():
            if event.kind == "wager.placed" and event.data["wager"] in WAGERS:
                staged[event.stream][event.data["seat"], event.data["wager"]] = event.data["amount"]
            if event.kind == "bets.closed":
                recorded.update((event.stream, event.data["round"], *where) for where in staged[event.stream])
                staged[event.stream] = {}
            if event.kind in ("meter.opened", "meter.paid"):
                for entry in event.entries:
                    moved[":".join(entry.account.split(":")[:2])] += entry.units
        held = {name: sum(reading.balances(f"meter:{meter}:").values()) for name, meter in links.items()}
    lost = [key for key in count.made if key not in recorded]
    double = [key for key, times in recorded.items() if times > 1 or key not in count.made]
    figures.add(f"{database}: progressive wagers acknowledged", len(count.made))
    figures.add(f"{database}: refused (too late)", count.late)
    figures.add(f"{database}: asked again under the same key", count.again)
    figures.add(f"{database}: rounds", sum(pit.table(table).rounds for table in TABLES))
    figures.add(f"{database}: lost / double", f"{len(lost)} / {len(double)}")
    figures.expect(not lost, f"{database}: lost {lost[:3]}")
    figures.expect(not double, f"{database}: double or unknown {double[:3]}")
    for name, meter in links.items():
        spec = rules.meters[name]
        part = Fraction(sum(spec.rate.values())) + spec.reserve
        staked = sum(amount for key, amount in count.made.items() if rules.wagers[key[3]].meter == name)
        expected = moved[f"meter:{meter}"] + staked * UNITS_PER_CENT * part
        figures.expect(held[name] == expected, f"{database}: {meter} is {held[name] - expected} units off")
        figures.add(f"{database}: {name} off by (units)", str(held[name] - expected))


if __name__ == "__main__":
    given = arguments(__doc__, {"transport": ("http", "direct")}, wagers=(10_000, 300))
    sys.exit(measure(given.wagers, given.databases, given.transport, given.seed).show())
