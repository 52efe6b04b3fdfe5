"""One reading or one writing transaction of the ledger, and what can be asked and done in it."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from pitboss.findings import Finding
from pitboss.ledger import queries
from pitboss.ledger.anchor import Mark, mark_of
from pitboss.ledger.chain import LIMIT, SALT_BYTES, answer_link, row_of
from pitboss.ledger.engine import begin
from pitboss.ledger.errors import LedgerError, OverdrawnError, TakenError
from pitboss.ledger.queries import Statement, numbered
from pitboss.ledger.rows import Answer, Head, Posting, Recorded, SealedRow, recorded
from pitboss.meters import Units
from pitboss.table.events import Event
from pitboss.table.happened import Happened, names
from pitboss.table.solvency import money_findings

Hook = Callable[[str], None]
Known = tuple[Head, dict[str, Units]]
"""Balances of some accounts when the chain stood at a head."""
Salts = Callable[[int], bytes]
"""Gives so many bytes that nobody can guess."""


class Reading:
    """One state of the ledger, unchanged by what others write meanwhile."""

    purpose = "read"
    opening = queries.HEADS

    def __init__(self, connection: Connection) -> None:
        """The transaction begins here, with its first question."""
        self.connection = connection
        self._dialect = connection.dialect.name
        self._cursor: Any = connection.connection.cursor()
        begin(connection, self._cursor, self.purpose, self.opening.text(self._dialect))
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
        if kinds is not None and not kinds:
            return []
        statement = queries.some_events(
            stream=stream is not None,
            round=round is not None,
            kinds=None if kinds is None else len(kinds),
            limit=limit is not None,
        )
        wanted = numbered([each if isinstance(each, str) else each.KIND for each in kinds or ()])
        values = {"after": after, "stream": stream, "round": round, "limit": limit, **wanted}
        return [recorded(row) for row in self._rows(statement, values)]

    def event(self, seq: int) -> Recorded | None:
        found = self.events(after=seq - 1, limit=1)
        return found[0] if found and found[0].seq == seq else None

    def latest(self, kind: type[Happened], stream: str = "", until: int = LIMIT) -> Recorded | None:
        """The last event of a kind in a stream; found by its kind, for kinds that are rare."""
        row = self.row(queries.LATEST, kind=kind.KIND, until=until, stream=stream)
        return None if row is None else self.event(row[0])

    def rare(self, stream: str, kinds: Sequence[type[Happened]], after: int, before: int) -> list[Recorded]:
        """Events of rare kinds in a stream between two others; found by their kinds."""
        values = {"stream": stream, "after": after, "before": before, **numbered(names(*kinds))}
        return [recorded(row) for row in self._rows(queries.rare_events(len(kinds)), values)]

    def last_time(self, stream: str) -> int:
        """When something happened last in a stream; 0 where nothing has."""
        row = self.row(queries.LAST_TIME, stream=stream)
        return 0 if row is None else int(row[0])

    def answer(self, key: str) -> Answer | None:
        row = self.row(queries.ANSWER, key=key)
        return None if row is None else Answer(*row)

    def accepted(self, after: int, limit: int) -> list[tuple[int, Answer]]:
        """Answers to commands that were carried out, in their order, each with its number."""
        return [(row[0], Answer(*row[1:])) for row in self.rows(queries.ACCEPTED, after=after, limit=limit)]

    def balance(self, account: str) -> Units:
        row = self.row(queries.BALANCE, account=account)
        return 0 if row is None else int(row[0])

    def balances(self, prefix: str = "") -> dict[str, Units]:
        """Every account whose name begins so, in the order of their names."""
        return dict(sorted(self.rows(queries.BALANCES_LIKE, prefix=prefix)))

    def moved_at(self, account: str, stream: str, after: int) -> Units:
        """What an account gained in a stream after an event."""
        (units,) = self.row(queries.MOVED_AT, account=account, stream=stream, after=after)
        return int(units or 0)

    def entries(self, account: str, after: int = 0, limit: int | None = None) -> list[Posting]:
        """The history of an account after an event, oldest first."""
        statement = queries.history(limit=limit is not None)
        return [Posting(*row) for row in self.rows(statement, account=account, after=after, limit=limit)]

    def snapshot(self, stream: str) -> tuple[int, str] | None:
        row = self.row(queries.SNAPSHOT, stream=stream)
        return None if row is None else (row[0], row[1])

    def sealed(self, stream: str, deck: str) -> SealedRow | None:
        row = self.row(queries.SEALED, stream=stream, deck=deck)
        return None if row is None else SealedRow(*row)

    def last_round(self, stream: str) -> int:
        """The highest number of a round in the stream; 0 before the first."""
        row = self.row(queries.LAST_ROUND, stream=stream)
        return 0 if row is None or row[0] is None else int(row[0])

    def streams(self) -> list[str]:
        """Every stream with an event, '' being the house."""
        return [row[0] for row in self.rows(queries.STREAMS)]

    def close(self) -> None:
        """Give up the cursor while the connection is still ours.

        SQLite's driver shares statements between the cursors of a connection: one that is dropped later, by whichever
        thread, would reset the statement of the connection's next user, who would then read no row where there is one.
        """
        self._cursor.close()

    def row(self, statement: Statement, /, **values: Any) -> Any:
        self._run(*statement.bound(self._dialect, values))
        return self._cursor.fetchone()

    def rows(self, statement: Statement, /, **values: Any) -> list[Any]:
        return self._rows(statement, values)

    def _rows(self, statement: Statement, values: dict[str, Any]) -> list[Any]:
        self._run(*statement.bound(self._dialect, values))
        rows: list[Any] = self._cursor.fetchall()
        return rows

    def _run(self, text: str, values: Sequence[Any]) -> None:
        self._cursor.execute(text, values)


class Writing(Reading):
    """One transaction that no other writer overlaps; all of it is stored, or nothing."""

    purpose = "write"
    opening = queries.HEADS_LOCKED

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
        self._insert(queries.ADD_EVENT, rows)
        self.reached("events")
        if sums:
            self._add(sums)
        self.reached("balances")
        if lines:
            self._insert(queries.ADD_ENTRY, self._running(lines, sums))
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
        self._run(queries.ADD_ANSWER.text(self._dialect), (*row, fingerprint))
        if self._cursor.rowcount != 1:
            raise TakenError(f"the request key {key!r} was used before; its answer stands")
        self._told, self.last_at = Head(row[0], fingerprint), at

    def end(self) -> tuple[Mark, Mark] | None:
        """Move the heads; where events and answers stood before and where they will stand, or nothing if none came."""
        if self.last_at is None:
            return None
        head, told = self.head, self.answers_head()
        heads: dict[str, Any] = {
            "event": head.seq,
            "event_hash": head.hash,
            "answer": told.seq,
            "answer_hash": told.hash,
        }
        if self._dialect == "sqlite":
            self._do(queries.MOVE_HEADS, **heads)
        else:  # in one trip with the commit, which takes no parameters
            self.last = queries.MOVE_HEADS.inlined(self._dialect, heads)
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
        self._do(queries.SAVE_SNAPSHOT, stream=stream, seq=seq, state=state)

    def save_meter(self, meter: str, settings: str) -> None:
        self._do(queries.SAVE_METER, id=meter, settings=settings, version=1)

    def keep_checkpoint(self, seq: int, state: str) -> None:
        """In place of the one before."""
        self._do(queries.DROP_CHECKPOINTS)
        self._do(queries.ADD_CHECKPOINT, seq=seq, state=state)

    def seal(self, stream: str, deck: str, commitment: str, cards: str, salt: str) -> None:
        """Put a deck's order under seal, in place of the one before."""
        self._do(queries.SEAL, stream=stream, deck=deck, commitment=commitment, cards=cards, salt=salt)

    def unseal(self, stream: str, deck: str) -> None:
        self._do(queries.UNSEAL, stream=stream, deck=deck)

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
        statement = queries.move_balances(len(accounts)).text(self._dialect)
        self._run(statement, [part for account in accounts for part in (account, sums[account])])
        now = dict(self._cursor.fetchall())
        if any(now[account] - sums[account] != self.touched.get(account) for account in accounts):
            self._sound = None  # the books are not what was known of them
        self.touched.update(now)

    def _do(self, statement: Statement, /, **values: Any) -> None:
        self._run(*statement.bound(self._dialect, values))

    def _insert(self, statement: Statement, rows: Sequence[Sequence[Any]]) -> None:
        if len(rows) == 1:
            self._run(statement.text(self._dialect), rows[0])
        else:
            self._cursor.executemany(statement.text(self._dialect), rows)

    def reached(self, step: str) -> None:
        if self._hook is not None:
            self._hook(step)
