"""One reading or one writing transaction of the ledger, and what can be asked and done in it."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from pitboss.findings import Finding
from pitboss.ledger.anchor import Mark, mark_of
from pitboss.ledger.chain import ANSWER_COLUMNS, COLUMNS, LIMIT, SALT_BYTES, answer_link, row_of
from pitboss.ledger.engine import begin, is_sqlite
from pitboss.ledger.errors import LedgerError, OverdrawnError, TakenError
from pitboss.ledger.rows import Answer, Head, Posting, Recorded, SealedRow, recorded
from pitboss.meters import Units
from pitboss.table.events import Event
from pitboss.table.happened import Happened
from pitboss.table.solvency import money_findings

EVENT_COLUMNS = ", ".join((*COLUMNS, "hash"))
STREAMS = (
    "WITH RECURSIVE found(stream) AS (SELECT min(stream) FROM events UNION ALL "
    "SELECT (SELECT min(stream) FROM events WHERE stream > found.stream) FROM found WHERE found.stream IS NOT NULL) "
    "SELECT stream FROM found WHERE stream IS NOT NULL"
)
"""Steps from stream to stream through the index instead of reading every event."""
CHAIN = "SELECT id, seq, hash FROM chain ORDER BY id"
LOCK = {"read": "", "write": " FOR UPDATE"}
HEADS = "UPDATE chain SET seq = CASE id WHEN 1 THEN ? ELSE ? END, hash = CASE id WHEN 1 THEN ? ELSE ? END WHERE id < 3"
ADD = "ON CONFLICT (account) DO UPDATE SET units = balances.units + excluded.units RETURNING account, units"

Hook = Callable[[str], None]
Known = tuple[Head, dict[str, Units]]
"""Balances of some accounts when the chain stood at a head."""
Salts = Callable[[int], bytes]
"""Gives so many bytes that nobody can guess."""


class Reading:
    """One state of the ledger, unchanged by what others write meanwhile."""

    purpose = "read"

    def __init__(self, connection: Connection) -> None:
        """The transaction begins here, with its first question."""
        self.connection = connection
        self._sqlite = is_sqlite(connection)
        self._cursor: Any = connection.connection.cursor()
        begin(connection, self._cursor, self.purpose, CHAIN if self._sqlite else CHAIN + LOCK[self.purpose])
        heads = {id: Head(seq, bytes(digest)) for id, seq, digest in self._cursor.fetchall()}
        if 1 not in heads:
            raise LedgerError("the ledger has lost the head of its chain; nothing can be read or recorded safely")
        self.head = heads[1]
        self._told = heads.get(2)

    def answers_head(self) -> Head:
        """The last answer of the chain of answers."""
        if self._told is None:
            raise LedgerError("the ledger has lost the head of its answers; nothing can be recorded safely")
        return self._told

    def events(
        self,
        stream: str | None = None,
        after: int = 0,
        round: int | None = None,
        kinds: Sequence[type[Happened] | str] | None = None,
        limit: int | None = None,
    ) -> list[Recorded]:
        """Events in their order, of one stream or of all; ``kinds`` names those wanted."""
        where, values = ["seq > ?"], [after]  # type: tuple[list[str], list[Any]]
        if stream is not None:
            where.append("stream = ?")
            values.append(stream)
        if round is not None:
            where.append("round = ?")
            values.append(round)
        if kinds is not None:
            if not kinds:
                return []
            where.append(f"kind IN ({', '.join('?' * len(kinds))})")
            values.extend(each if isinstance(each, str) else each.KIND for each in kinds)
        query = f"SELECT {EVENT_COLUMNS} FROM events WHERE {' AND '.join(where)} ORDER BY seq"
        if limit is not None:
            query += " LIMIT ?"
            values.append(limit)
        return [recorded(row) for row in self.rows(query, values)]

    def event(self, seq: int) -> Recorded | None:
        found = self.events(after=seq - 1, limit=1)
        return found[0] if found and found[0].seq == seq else None

    def latest(self, kind: type[Happened], stream: str = "", until: int = LIMIT) -> Recorded | None:
        """The last event of a kind in a stream; found by its kind, for kinds that are rare."""
        query = "SELECT seq FROM events WHERE kind = ? AND seq <= ? AND stream || '' = ? ORDER BY seq DESC LIMIT 1"
        row = self.row(query, (kind.KIND, until, stream))
        return None if row is None else self.event(row[0])

    def last_time(self, stream: str) -> int:
        """When something happened last in a stream; 0 where nothing has."""
        row = self.row("SELECT at FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1", (stream,))
        return 0 if row is None else int(row[0])

    def answer(self, key: str) -> Answer | None:
        query = "SELECT key, actor, digest, status, answer, stream, at FROM requests WHERE key = ?"
        row = self.row(query, (key,))
        return None if row is None else Answer(*row)

    def accepted(self, after: int, limit: int) -> list[tuple[int, Answer]]:
        """Answers to commands that were carried out, in their order, each with its number."""
        query = (
            "SELECT seq, key, actor, digest, status, answer, stream, at FROM requests "
            "WHERE seq > ? AND status = 200 AND stream <> '' ORDER BY seq LIMIT ?"
        )
        return [(row[0], Answer(*row[1:])) for row in self.rows(query, (after, limit))]

    def balance(self, account: str) -> Units:
        row = self.row("SELECT units FROM balances WHERE account = ?", (account,))
        return 0 if row is None else int(row[0])

    def balances(self, prefix: str = "") -> dict[str, Units]:
        """Every account whose name begins so, in the order of their names."""
        query = "SELECT account, units FROM balances WHERE substr(account, 1, ?) = ?"
        return dict(sorted(self.rows(query, (len(prefix), prefix))))

    def entries(self, account: str, after: int = 0, limit: int | None = None) -> list[Posting]:
        """The history of an account after an event, oldest first."""
        query = (
            "SELECT entries.seq, entries.line, events.at, events.kind, entries.stream, entries.round, entries.units "
            "FROM entries JOIN events ON events.seq = entries.seq "
            "WHERE entries.account = ? AND entries.seq > ? ORDER BY entries.seq, entries.line"
        )
        values: list[Any] = [account, after]
        if limit is not None:
            query += " LIMIT ?"
            values.append(limit)
        return [Posting(*row) for row in self.rows(query, values)]

    def snapshot(self, stream: str) -> tuple[int, str] | None:
        row = self.row("SELECT seq, state FROM snapshots WHERE stream = ?", (stream,))
        return None if row is None else (row[0], row[1])

    def sealed(self, stream: str, deck: str) -> SealedRow | None:
        query = "SELECT stream, deck, commitment, cards, salt FROM sealed WHERE stream = ? AND deck = ?"
        row = self.row(query, (stream, deck))
        return None if row is None else SealedRow(*row)

    def last_round(self, stream: str) -> int:
        """The highest number of a round in the stream; 0 before the first."""
        row = self.row("SELECT max(round) FROM events WHERE stream = ?", (stream,))
        return 0 if row is None or row[0] is None else int(row[0])

    def streams(self) -> list[str]:
        """Every stream with an event, '' being the house."""
        return [row[0] for row in self.rows(STREAMS)]

    def close(self) -> None:
        """Give up the cursor while the connection is still ours.

        SQLite's driver shares statements between the cursors of a connection: one that is dropped later, by whichever
        thread, would reset the statement of the connection's next user, who would then read no row where there is one.
        """
        self._cursor.close()

    def _run(self, query: str, values: Sequence[Any] = ()) -> Any:
        return self._cursor.execute(query if self._sqlite else query.replace("?", "%s"), values)

    def row(self, query: str, values: Sequence[Any] = ()) -> Any:
        self._run(query, values)
        return self._cursor.fetchone()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        self._run(query, values)
        rows: list[Any] = self._cursor.fetchall()
        return rows


class Writing(Reading):
    """One transaction that no other writer overlaps; all of it is stored, or nothing."""

    purpose = "write"

    def __init__(
        self, connection: Connection, salts: Salts, hook: Hook | None = None, known: Known | None = None
    ) -> None:
        """``known``: what the transaction that this program stored last has left."""
        super().__init__(connection)
        self._salts = salts
        self._hook = hook
        self._began, self._told_before = self.head, self._told
        self._sound: tuple[str, Sequence[Event]] | None = None
        """The stream and the events, these very ones, of which the money was checked last."""
        """Events already validated against current balances."""
        self.last_at: int | None = None
        self.touched: dict[str, Units] = known[1] if known is not None and known[0] == self.head else {}
        """The balances after this transaction's own entries, for accounts that were moved or looked at: in it, or in
        those before it since which nobody else has stored an event."""
        self.left: Known | None = None
        self.last = ""
        """A statement that goes to the database together with the commit."""

    def append(
        self, events: Sequence[Event], *, stream: str, round: int, actor: str, role: str, at: int, request: str = ""
    ) -> tuple[Recorded, ...]:
        """Record events at the end of the chain and move their money."""
        if not events:
            return ()
        seq, previous = self.head.seq, self.head.hash
        rows, lines, sums = [], [], {}  # type: tuple[list[Any], list[Any], dict[str, Units]]
        for event in events:
            seq += 1
            row = row_of(event, previous, self._salts(SALT_BYTES).hex(), seq, stream, round, at, actor, role, request)
            previous = row[-1]
            rows.append(row)
            for line, entry in enumerate(event.entries):
                lines.append((seq, line, entry.account, entry.units, stream, round))
                sums[entry.account] = sums.get(entry.account, 0) + entry.units
        self._many(f"INSERT INTO events ({EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self.reached("events")
        if sums:
            self._add(sums)
        self.reached("balances")
        if lines:
            query = (
                "INSERT INTO entries (seq, line, account, units, stream, round, balance) VALUES (?, ?, ?, ?, ?, ?, ?)"
            )
            self._many(query, self._running(lines, sums))
        self._check_money(events, sums, stream)
        self._sound = None
        self.reached("entries")
        self.head = Head(seq, previous)
        self.last_at = at
        return tuple(
            Recorded(*(*row[:8], event.cites, event.fact, event.entries, *row[-2:]))
            for row, event in zip(rows, events, strict=True)
        )

    def remember(self, key: str, actor: str, digest: str, status: int, answer: str, stream: str, at: int) -> None:
        """Keep the answer given under a key, at the end of the chain of answers; a key is answered once."""
        head = self.answers_head()
        row = (head.seq + 1, key, actor, digest, status, answer, stream, at)
        fingerprint = answer_link(head.hash, row)
        self._run(
            f"INSERT INTO requests ({', '.join(ANSWER_COLUMNS)}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (key) DO NOTHING",
            (*row, fingerprint),
        )
        if self._cursor.rowcount != 1:
            raise TakenError(f"the request key {key!r} was used before; its answer stands")
        self._told, self.last_at = Head(row[0], fingerprint), at

    def end(self) -> tuple[Mark, Mark] | None:
        """Move the heads; where events and answers stood before and where they will stand, or nothing if none came."""
        if self.last_at is None:
            return None
        head, told = self.head, self.answers_head()
        if self._sqlite:
            self._run(HEADS, (head.seq, told.seq, head.hash, told.hash))
        else:  # in one trip with the commit, which takes no parameters
            digests = (f"'\\x{digest.hex()}'::bytea" for digest in (head.hash, told.hash))
            self.last = HEADS.replace("?", "{}").format(head.seq, told.seq, *digests)
        return mark_of(self._began, self._told_before or told, 0), mark_of(head, told, self.last_at)

    def close(self) -> None:
        """It answers nothing more; what it knew of balances is left for the next one, if it is stored."""
        super().close()
        self.left, self.touched = (self.head, self.touched), {}

    def balance(self, account: str) -> Units:
        """Asked for once: nobody else writes before this transaction has ended."""
        if account not in self.touched:
            self.touched[account] = super().balance(account)
        return self.touched[account]

    def save_snapshot(self, stream: str, seq: int, state: str) -> None:
        self._run(
            "INSERT INTO snapshots (stream, seq, state) VALUES (?, ?, ?) "
            "ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, state = excluded.state",
            (stream, seq, state),
        )

    def save_meter(self, meter: str, settings: str) -> None:
        self._run(
            "INSERT INTO meters (id, settings, version) VALUES (?, ?, 1) ON CONFLICT (id) DO UPDATE "
            "SET settings = excluded.settings, version = meters.version + 1",
            (meter, settings),
        )

    def keep_checkpoint(self, seq: int, state: str) -> None:
        """In place of the one before."""
        self._run("DELETE FROM checkpoints")
        self._run("INSERT INTO checkpoints (seq, state) VALUES (?, ?)", (seq, state))

    def seal(self, stream: str, deck: str, commitment: str, cards: str, salt: str) -> None:
        """Put a deck's order under seal, in place of the one before."""
        self._run(
            "INSERT INTO sealed (stream, deck, commitment, cards, salt) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (stream, deck) DO UPDATE "
            "SET commitment = excluded.commitment, cards = excluded.cards, salt = excluded.salt",
            (stream, deck, commitment, cards, salt),
        )

    def unseal(self, stream: str, deck: str) -> None:
        self._run("DELETE FROM sealed WHERE stream = ? AND deck = ?", (stream, deck))

    def _running(self, lines: Sequence[tuple[Any, ...]], sums: dict[str, Units]) -> list[tuple[Any, ...]]:
        """Each line with its account's balance after it, counted on from where the account stood before."""
        held = {account: self.touched[account] - moved for account, moved in sums.items()}
        running = []
        for line in lines:
            held[line[2]] += line[3]
            running.append((*line, held[line[2]]))
        return running

    def money_findings(self, stream: str, events: Sequence[Event]) -> tuple[Finding, ...]:
        """What events that are to be appended now would do to the books that no event may."""
        findings = money_findings(stream, events, self.balance)
        self._sound = None if findings else (stream, events)
        return findings

    def _check_money(self, events: Sequence[Event], sums: dict[str, Units], stream: str) -> None:
        """Nothing is stored that leaves an account below zero or, when a round is over, chips on its layout."""
        if self._sound is not None and self._sound[0] == stream and self._sound[1] is events:
            return

        def before(account: str) -> Units:
            return self.touched[account] - sums[account] if account in sums else self.balance(account)

        if findings := money_findings(stream, events, before):
            sentences = " ".join(finding.sentence for finding in findings)
            raise OverdrawnError(f"the ledger refuses what would overdraw an account; nothing was stored. {sentences}")

    def _add(self, sums: dict[str, Units]) -> None:
        """Accounts in one order for all writers, so that none can wait for another crosswise."""
        accounts = sorted(sums)
        query = f"INSERT INTO balances (account, units) VALUES {', '.join(['(?, ?)'] * len(accounts))} {ADD}"
        now = dict(self.rows(query, [part for account in accounts for part in (account, sums[account])]))
        if any(now[account] - sums[account] != self.touched.get(account) for account in accounts):
            self._sound = None  # the books are not what was known of them
        self.touched.update(now)

    def _many(self, query: str, rows: Sequence[Any]) -> None:
        if len(rows) == 1:
            self._run(query, rows[0])
        else:
            self._cursor.executemany(query if self._sqlite else query.replace("?", "%s"), rows)

    def reached(self, step: str) -> None:
        if self._hook is not None:
            self._hook(step)
