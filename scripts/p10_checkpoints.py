"""The start over a long ledger: the first time, and from where the start before had come to.

One round is played through the pit and copied as often as asked, with chains and money that are valid.

    python scripts/p10_checkpoints.py --rounds 100000
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

from pitboss.ledger.anchor import Mark, write_anchor
from pitboss.ledger.chain import ANSWER_COLUMNS, COLUMNS, answer_link, link, text_of
from pitboss.ledger.pit import Pit
from pitboss.ledger.segments import cores
from pitboss.ledger.selfcheck import record_start
from pitboss.ledger.store import Store
from pitboss.table.events import canonical
from pitboss.table.source import SeededRandomness
from scripts.p19_recall import BATCH, TABLE, play

MINUTE = 60_000_000
REQUEST, STREAM, NUMBER, AT = (COLUMNS.index(name) for name in ("request", "stream", "round", "at"))
DATA, ENTRIES = COLUMNS.index("data"), COLUMNS.index("entries")


def build(store: Store, rounds: int) -> None:
    with store.reading() as reading:
        names = ", ".join(COLUMNS)
        query = f"SELECT {names} FROM events WHERE stream = ? AND round = 2 ORDER BY seq"
        rows = [tuple(row) for row in reading.connection.exec_driver_sql(query, (TABLE,))]
        head, told, held = reading.head, reading.answers_head(), reading.balances()
    seq, digest, answers, answered, at = head.seq, head.hash, told.seq, told.hash, 0
    lines_at = [Mark(0, bytes(32).hex(), 0, "begun")]
    with store.engine.connect().execution_options(purpose="write") as connection:
        raw: Any = connection.connection.dbapi_connection
        raw.execute("PRAGMA synchronous=OFF")
        for first in range(3, rounds + 3, BATCH):
            raw.execute("BEGIN IMMEDIATE")
            events, entries, requests = [], [], []  # type: tuple[list[Any], list[Any], list[Any]]
            for number in range(first, min(first + BATCH, rounds + 3)):
                for request, group in groupby(rows, key=lambda row: row[REQUEST]):
                    shown = []
                    for row in group:
                        seq += 1
                        made = list(row)
                        at = row[AT] + number * MINUTE
                        made[0], made[NUMBER], made[AT], made[REQUEST] = seq, number, at, f"copy-{number}-{request}"
                        made[DATA] = row[DATA].replace('"round":2', f'"round":{number}')
                        digest = link(digest, text_of(tuple(made)))
                        events.append((*made, digest))
                        shown.append({"hash": digest.hex(), "kind": row[COLUMNS.index("kind")], "seq": seq})
                        for line, (account, units) in enumerate(json.loads(row[ENTRIES])):
                            held[account] = held.get(account, 0) + units
                            entries.append((seq, line, account, units, TABLE, number, held[account]))
                    answers += 1
                    text = canonical({"events": shown, "ok": True})
                    actor = row[COLUMNS.index("actor")]
                    columns = (answers, f"copy-{number}-{request}", actor, "0" * 64, 200, text, TABLE, at)
                    answered = answer_link(answered, columns)
                    requests.append((*columns, answered))
            raw.executemany(f"INSERT INTO events ({names}, hash) VALUES ({', '.join('?' * len(events[0]))})", events)
            raw.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", entries)
            kept = f"INSERT INTO requests ({', '.join(ANSWER_COLUMNS)}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            raw.executemany(kept, requests)
            raw.execute("UPDATE chain SET seq = ?, hash = ? WHERE id = 1", (seq, digest))
            raw.execute("UPDATE chain SET seq = ?, hash = ? WHERE id = 2", (answers, answered))
            raw.executemany("INSERT OR REPLACE INTO balances VALUES (?, ?)", list(held.items()))
            raw.execute("COMMIT")
            lines_at.append(Mark(seq, digest.hex(), at, "line", answers, answered.hex()))
    write_anchor(store.anchor.path, Mark(seq, digest.hex(), at, "head", answers, answered.hex()), lines_at)


def timed(what: str, act: Callable[[], object]) -> None:
    began = time.perf_counter()
    act()
    print(f"{what}: {time.perf_counter() - began:.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url, anchor = f"sqlite:///{folder}/ledger.db", Path(folder) / "anchor"

        def start() -> None:
            with Store(url, anchor) as store:
                record_start(store, at=2 * 10**15, actor="pitboss", role="system", workers=cores())

        with Store(url, anchor) as store:
            play(Pit(store, randomness=SeededRandomness(10)), 2)
            timed("built", lambda: build(store, asked.rounds))
            with store.reading() as reading:
                print(f"{reading.head.seq:,} events, {Path(folder, 'ledger.db').stat().st_size / 1e9:.2f} GB")
        timed("first start", start)
        timed("second start", start)


if __name__ == "__main__":
    main()
