"""Long ledgers, for measuring: some rounds are played through the pit and then copied as often as asked.

The cards come round again: after so many shuffles the decks are the same once more, so that a copy of the rounds
between follows on the rounds themselves as if it had been played. Numbers, times, keys, salts, hashes, balances and
answers are new in each copy, and the ledger passes a full verification.
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from pitboss.clock import day_of
from pitboss.ledger.anchor import EVERY_EVENTS, Mark, write_anchor
from pitboss.ledger.chain import SALT_BYTES, answer_link, link, text_of
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.schema import ANSWER_COLUMNS, COLUMNS
from pitboss.ledger.store import Store
from pitboss.ledger.watch import microseconds
from pitboss.submission import template
from pitboss.table.autoplay import plain_decision, plain_wagers
from pitboss.table.canonical import canonical
from pitboss.table.codec import encode
from pitboss.table.decks import deck_change_due
from pitboss.table.opening import next_slip
from pitboss.table.roles import Role
from pitboss.table.source import SeededRandomness
from pitboss.table.state import CHIP_LIMIT

TABLE = "t1"
SEATS = (1, 2)
CYCLE = 20
"""Rounds after which the same cards come again; even, since two decks take turns."""
BATCH = 200
"""Rounds in one transaction."""
SECOND = 1_000_000
SEQ, NUMBER, KIND, AT, ACTOR, REQUEST, DATA, ENTRIES, SALT = (
    COLUMNS.index(name) for name in ("seq", "round", "kind", "at", "actor", "request", "data", "entries", "salt")
)


class Returning:
    """Chance that repeats itself: each deck of cards takes one salt, and every ``CYCLE`` decks it starts over."""

    def __init__(self, seed: int) -> None:
        self.seed, self.decks = seed, 0
        self._source = SeededRandomness(f"{seed}-0")

    def randbelow(self, n: int) -> int:
        return self._source.randbelow(n)

    def token(self, n: int) -> bytes:
        salt = self._source.token(n)
        self.decks += 1
        self._source = SeededRandomness(f"{self.seed}-{self.decks % CYCLE}")
        return salt


def open_table(pit: Pit, buy_ins: int = 1) -> None:
    act(pit, Role.PIT_MANAGER, "open_table", submission=template("three-card-poker", day_of(pit.clock())), fill=10**8)
    for seat in SEATS:
        act(pit, Role.DEALER, "sit", seat=seat, player=f"p{seat}")
        for _ in range(buy_ins):
            slip = next_slip(pit.table(TABLE), pit.clock())
            act(pit, Role.CASHIER, "buy_in", player=f"p{seat}", amount=CHIP_LIMIT, slip=slip)


def act(pit: Pit, role: Role, name: str, **fields: Any) -> None:
    person = Person(str(role).replace(" ", "-"), "", role)
    reply = pit.act(TABLE, {"command": name, **fields}, person, f"played-{secrets.token_hex(8)}")
    if not reply.accepted:
        raise SystemExit(f"{name} was refused: {reply.text}")


def play(pit: Pit, rounds: int) -> None:
    """Some more rounds by the book."""
    last = pit.table(TABLE).rounds + rounds
    while pit.table(TABLE).rounds < last or pit.table(TABLE).play is not None:
        standing = pit.standing(TABLE, Person("dealer", "", Role.DEALER))
        step, table = standing.step, standing.table
        assert step is not None
        if step.command is not None:
            body = step.command.as_dict()
            act(pit, Role.DEALER if step.role == Role.PLAYER else step.role, body.pop("command"), **body)
        elif table.play is not None and step.seat is not None:
            body = plain_decision(table, step.seat).as_dict()
            act(pit, Role.DEALER, body.pop("command"), **body)
        elif deck_change_due(table, pit.clock()) is not None:
            act(pit, Role.FLOORPERSON, "change_decks")
        elif table.staged:
            raise SystemExit(f"the table waits for something that no script does: {step}")
        else:
            for seat in SEATS:
                for wager, amount in plain_wagers(table).items():
                    act(pit, Role.DEALER, "wager", seat=seat, wager=wager, amount=amount)


class Copied(NamedTuple):
    """Rows of one copied act: its events, their entries without balances, and how it was answered."""

    events: list[tuple[Any, ...]]
    entries: list[tuple[int, int, str, int, int]]
    key: str
    actor: str
    answer: str
    at: int


def build(store: Store, rounds: int, seed: int = 5, players: int = 0) -> None:
    """A ledger of so many rounds; with ``players`` they are spread among so many people, who never sat down."""
    cycles = max(0, rounds - CYCLE - 1) // CYCLE
    clock = microseconds() - (cycles + 1) * CYCLE * SECOND
    pit = Pit(store, lambda: microseconds() - begun + clock, Returning(seed))
    begun = microseconds()
    open_table(pit, 1 + rounds // 2_000)
    play(pit, 1 + CYCLE)
    with store.reading() as reading:
        query = f"SELECT {', '.join(COLUMNS)} FROM events WHERE stream = '{TABLE}' AND round > 1 ORDER BY seq"
        rows = [tuple(row) for row in reading.connection.exec_driver_sql(query)]
        head, told, held = reading.head, reading.answers_head(), reading.balances()
    table = pit.table(TABLE)
    marks = [*store.anchor.contents().lines]
    at = rows[-1][AT]
    inserts = {
        "events": f"INSERT INTO events ({', '.join(COLUMNS)}, hash) VALUES ({', '.join('?' * (len(COLUMNS) + 1))})",
        "entries": "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
        "requests": f"INSERT INTO requests ({', '.join(ANSWER_COLUMNS)}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    }
    seq, digest, answers, answered = head.seq, head.hash, told.seq, told.hash
    with store.engine.connect().execution_options(purpose="write") as connection:
        raw: Any = connection.connection.dbapi_connection
        raw.execute("PRAGMA synchronous=OFF")
        raw.execute("PRAGMA cache_size=-400000")
        for first in range(1, cycles + 1, BATCH // CYCLE):
            made: dict[str, list[Any]] = {name: [] for name in inserts}
            for copy in _copies(rows, first, min(first + BATCH // CYCLE, cycles + 1), seq, digest, players):
                at, seq, digest = copy.at, copy.events[-1][SEQ], copy.events[-1][-1]
                made["events"] += copy.events
                for line_of, line, account, units, number in copy.entries:
                    held[account] = held.get(account, 0) + units
                    made["entries"].append((line_of, line, account, units, TABLE, number, held[account]))
                answers += 1
                columns = (answers, copy.key, copy.actor, "0" * 64, 200, copy.answer, TABLE, at)
                answered = answer_link(answered, columns)
                made["requests"].append((*columns, answered))
                if seq - marks[-1].seq >= EVERY_EVENTS:
                    marks.append(Mark(seq, digest.hex(), at, "line", answers, answered.hex()))
            raw.execute("BEGIN IMMEDIATE")
            for name, insert in inserts.items():
                raw.executemany(insert, made[name])
            raw.execute("UPDATE chain SET seq = ?, hash = ? WHERE id = 1", (seq, digest))
            raw.execute("UPDATE chain SET seq = ?, hash = ? WHERE id = 2", (answers, answered))
            raw.executemany("INSERT OR REPLACE INTO balances VALUES (?, ?)", list(held.items()))
            raw.execute("COMMIT")
        table = replace(table, rounds=table.rounds + cycles * CYCLE, events=table.events + cycles * len(rows))
        raw.execute("UPDATE snapshots SET seq = ?, state = ?", (seq, canonical(encode(table))))
    write_anchor(store.anchor.path, Mark(seq, digest.hex(), at, "head", answers, answered.hex()), marks)


def _copies(
    rows: list[tuple[Any, ...]], first: int, until: int, seq: int, digest: bytes, players: int
) -> Iterator[Copied]:
    acts = [
        [(row, json.loads(row[ENTRIES])) for row in group] for _, group in groupby(rows, key=lambda row: row[REQUEST])
    ]
    for cycle in range(first, until):
        for act_rows in acts:
            first_row = act_rows[0][0]
            number, at = first_row[NUMBER] + cycle * CYCLE, first_row[AT] + cycle * CYCLE * SECOND
            key = f"copy-{cycle}-{first_row[REQUEST]}"
            names = {f"p{n}": f"p{(number * len(SEATS) + n) % players}" for n in SEATS} if players else {}
            events, lines, shown = [], [], []  # type: tuple[list[Any], list[Any], list[Any]]
            for row, entries in act_rows:
                seq += 1
                made = list(row)
                made[SEQ], made[NUMBER], made[AT], made[REQUEST] = seq, number, at, key
                made[SALT] = secrets.token_hex(SALT_BYTES)
                made[DATA] = row[DATA].replace(f'"round":{row[NUMBER]}', f'"round":{number}')
                for old, new in names.items():
                    made[DATA] = made[DATA].replace(f'"player":"{old}"', f'"player":"{new}"')
                if names:
                    entries = [[_renamed(account, names), units] for account, units in entries]
                    made[ENTRIES] = canonical(entries)
                digest = link(digest, text_of(tuple(made)))
                events.append((*made, digest))
                shown.append({"hash": digest.hex(), "kind": row[KIND], "seq": seq})
                lines += [(seq, line, account, units, number) for line, (account, units) in enumerate(entries)]
            yield Copied(events, lines, key, first_row[ACTOR], canonical({"events": shown, "ok": True}), at)


def _renamed(account: str, names: dict[str, str]) -> str:
    kind, _, name = account.partition(":")
    return f"{kind}:{names.get(name, name)}" if kind == "player" else account
