"""Every statement of the ledger's events, answers and money: once, for SQLite and PostgreSQL.

Statements are SQLAlchemy's expressions over the tables of ``schema``. An act runs through the driver's own cursor, so a
``Statement`` compiles its expression once for each dialect. People and sessions have expressions of their own, run by
SQLAlchemy, in ``accounts``, ``people`` and ``sessions``; what only describes a database stands in ``engine``,
``migrate`` and ``blueprint``.
"""

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    CompoundSelect,
    Connection,
    CursorResult,
    Delete,
    Insert,
    LargeBinary,
    Select,
    Table,
    TableClause,
    Text,
    Update,
    and_,
    bindparam,
    case,
    cast,
    column,
    delete,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    table,
    union_all,
    update,
)

from pitboss.ledger.schema import (
    ANSWER_COLUMNS,
    COLUMNS,
    balances,
    chain,
    checkpoints,
    entries,
    events,
    meters,
    requests,
    sealed,
    snapshots,
)
from pitboss.table.events import OVER

Expression = Select[Any] | CompoundSelect[Any] | Insert | Update | Delete
Values = dict[str, Any]


class Statement:
    """One statement with named values. What a database spells its own way is given as a function of the dialect."""

    def __init__(self, expression: Expression | Callable[[str], Expression]) -> None:
        self._expression = expression
        self._compiled: dict[str, tuple[str, tuple[str, ...], Values]] = {}

    def text(self, dialect: str) -> str:
        """The statement for the driver's own cursor."""
        return self._of(dialect)[0]

    def bound(self, dialect: str, given: Values) -> tuple[str, list[Any]]:
        """The text and the values in its order. Raise ``KeyError`` if one is missing."""
        text, names, constant = self._compiled.get(dialect) or self._of(dialect)
        if constant:
            given = constant | given
        return text, [given[name] for name in names]

    def inlined(self, dialect: str, values: Values) -> str:
        """The statement with its values in it, for a driver that takes several statements at once only without."""
        text, parts = self.bound(dialect, values)
        shown = [f"'\\x{part.hex()}'::bytea" if isinstance(part, bytes) else str(int(part)) for part in parts]
        return text.replace("%s", "{}").format(*shown)

    def run(self, connection: Connection, **values: Any) -> "CursorResult[*tuple[Any, ...]]":
        """Run the statement through SQLAlchemy, outside of acts."""
        return connection.execute(self._in(connection.dialect.name), values)

    def _in(self, dialect: str) -> Expression:
        return self._expression(dialect) if callable(self._expression) else self._expression

    def _of(self, dialect: str) -> tuple[str, tuple[str, ...], Values]:
        if dialect not in self._compiled:
            made = self._in(dialect).compile(dialect=_dialect(dialect))
            constant = {name: bound.value for name, bound in made.binds.items() if not bound.required}
            self._compiled[dialect] = str(made), tuple(made.positiontup or ()), constant
        return self._compiled[dialect]


@cache
def _dialect(name: str) -> Any:
    """With values by position, as both drivers take them fastest."""
    if name == "sqlite":
        return import_module("sqlalchemy.dialects.sqlite").dialect(paramstyle="qmark")
    return import_module("sqlalchemy.dialects.postgresql.psycopg").dialect(paramstyle="format")


def _value(name: str, like: Column[Any] | None = None) -> BindParameter[Any]:
    """A value with a name, of the type of what it is compared with unless it is ``like`` a column."""
    return bindparam(name, type_=None if like is None else like.type)


def _among(what: ColumnElement[Any], count: int) -> ColumnElement[bool]:
    """``what`` is one of the values that ``numbered`` names."""
    return what.in_([_value(f"kind_{number}", events.c.kind) for number in range(count)])


def numbered(kinds: Iterable[str]) -> dict[str, str]:
    """The values of a statement that wants some kinds of events."""
    return {f"kind_{number}": kind for number, kind in enumerate(kinds)}


def _ordered(of: Table, *names: str) -> TableClause:
    """A table as an insert takes it whose values come in this order."""
    return table(of.name, *(column(name, of.c[name].type) for name in names))


def _replace(into: Table, **changed: Callable[[Any], Any]) -> Statement:
    """Insert a row of all columns. If its key is there already, store the new values in its place, or what ``changed``
    computes from them."""

    def made(dialect: str) -> Expression:
        new = _upsert(dialect, into).values({each.name: bindparam(each.name) for each in into.columns})
        keys = [each.name for each in into.primary_key.columns]
        others = {each.name: new.excluded[each.name] for each in into.columns if each.name not in keys}
        others |= {name: compute(new.excluded[name]) for name, compute in changed.items()}
        result: Expression = new.on_conflict_do_update(index_elements=keys, set_=others)
        return result

    return Statement(made)


def _upsert(dialect: str, into: TableClause) -> Any:
    """Both databases know ON CONFLICT; SQLAlchemy has an insert for each."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(into)


# Heads and streams

HEADS = Statement(select(chain.c.id, chain.c.seq, chain.c.hash).order_by(chain.c.id))
HEADS_LOCKED = Statement(select(chain.c.id, chain.c.seq, chain.c.hash).order_by(chain.c.id).with_for_update())
"""SQLite has no such clause: its writers have locked the file by then."""
_is_first = chain.c.id == literal_column("1")
MOVE_HEADS = Statement(
    update(chain)
    .values(
        seq=case((_is_first, _value("event", chain.c.seq)), else_=_value("answer", chain.c.seq)),
        hash=case((_is_first, _value("event_hash", chain.c.hash)), else_=_value("answer_hash", chain.c.hash)),
    )
    .where(chain.c.id < literal_column("3"))
)
_found = select(func.min(events.c.stream).label("stream")).cte("found", recursive=True)
_next = select(func.min(events.c.stream)).where(events.c.stream > _found.c.stream).correlate(_found).scalar_subquery()
_found = _found.union_all(select(_next).where(_found.c.stream.is_not(None)))
STREAMS = Statement(select(_found.c.stream).where(_found.c.stream.is_not(None)))
"""Steps from stream to stream through the index instead of reading every event."""

# Events

EVENT_COLUMNS = (*COLUMNS, "hash")
ADD_EVENT = Statement(insert(_ordered(events, *EVENT_COLUMNS)))
"""Values in the order of ``EVENT_COLUMNS``, as ``chain.row_of`` makes them."""
_event = (
    select(*(events.c[name] for name in EVENT_COLUMNS)).where(events.c.seq > _value("after")).order_by(events.c.seq)
)
_of_stream = events.c.stream.concat(literal_column("''")) == _value("stream")
"""Not through the index of streams: for kinds that are rare, where that of kinds reads far less."""
LATEST = Statement(
    select(events.c.seq)
    .where(events.c.kind == _value("kind"), events.c.seq <= _value("until"), _of_stream)
    .order_by(events.c.seq.desc())
    .limit(literal_column("1"))
)
LAST_TIME = Statement(
    select(events.c.at)
    .where(events.c.stream == _value("stream"))
    .order_by(events.c.seq.desc())
    .limit(literal_column("1"))
)
LAST_ROUND = Statement(select(func.max(events.c.round)).where(events.c.stream == _value("stream")))


@cache
def some_events(*, stream: bool, round: bool, kinds: int | None, limit: bool) -> Statement:
    """Events after one, in their order; narrowed by those of the other values that are given."""
    narrowed = _event
    if stream:
        narrowed = narrowed.where(events.c.stream == _value("stream"))
    if round:
        narrowed = narrowed.where(events.c.round == _value("round"))
    if kinds is not None:
        narrowed = narrowed.where(_among(events.c.kind, kinds))
    return Statement(narrowed.limit(_value("limit")) if limit else narrowed)


@cache
def rare_events(kinds: int) -> Statement:
    """Events of a stream between two others, found by their kinds."""
    between = (events.c.seq > _value("after"), events.c.seq < _value("before"))
    chosen = select(*(events.c[name] for name in EVENT_COLUMNS)).where(_among(events.c.kind, kinds), *between)
    return Statement(chosen.where(_of_stream).order_by(events.c.seq))


def _between(seq: ColumnElement[int]) -> ColumnElement[bool]:
    return and_(seq >= _value("first"), seq <= _value("last"))


@cache
def newest_rounds(*, kinds: int, player: bool, stream: bool, number: bool) -> Statement:
    """Stream and number of rounds between two events, the newest first: those in which the player's money moved, else
    those with an event of one of the kinds. A round has one event of a single kind."""
    source = entries if player else events
    narrowed = select(source.c.stream, source.c.round).where(_between(source.c.seq))
    wanted = entries.c.account == _value("account") if player else _among(events.c.kind, kinds)
    narrowed = narrowed.where(wanted)
    if stream:
        narrowed = narrowed.where(source.c.stream == _value("stream"))
    if number:
        narrowed = narrowed.where(source.c.round == _value("round"))
    if player or kinds > 1:
        grouped = narrowed.group_by(source.c.stream, source.c.round).order_by(func.max(source.c.seq).desc())
    else:
        grouped = narrowed.order_by(source.c.seq.desc())
    return Statement(grouped.limit(_value("limit")))


# Answers

ADD_ANSWER = Statement(
    lambda dialect: _upsert(dialect, _ordered(requests, *ANSWER_COLUMNS, "hash")).on_conflict_do_nothing(
        index_elements=["key"]
    )
)
"""Changes no row if the key was answered before."""
_answer = [requests.c[name] for name in ("key", "actor", "digest", "status", "answer", "stream", "at")]
ANSWER = Statement(select(*_answer).where(requests.c.key == _value("key")))
ACCEPTED = Statement(
    select(requests.c.seq, *_answer)
    .where(requests.c.seq > _value("after"), requests.c.status == literal_column("200"))
    .where(requests.c.stream != literal_column("''"))
    .order_by(requests.c.seq)
    .limit(_value("limit"))
)
ANSWERS = Statement(
    select(*(requests.c[name] for name in (*ANSWER_COLUMNS, "hash")))
    .where(requests.c.seq > _value("after"), requests.c.seq <= _value("until"))
    .order_by(requests.c.seq)
    .limit(_value("limit"))
)

# Money

ENTRY_COLUMNS = ("seq", "line", "account", "units", "stream", "round", "balance")
ADD_ENTRY = Statement(insert(_ordered(entries, *ENTRY_COLUMNS)))
BALANCE = Statement(select(balances.c.units).where(balances.c.account == _value("account")))
_balance = select(balances.c.account, balances.c.units)
BALANCES = Statement(_balance)
_prefix = _value("prefix", balances.c.account)
BALANCES_LIKE = Statement(
    _balance.where(func.substr(balances.c.account, literal_column("1"), func.length(_prefix)) == _prefix)
)


@cache
def move_balances(count: int) -> Statement:
    """Add to ``count`` accounts and return what they come to; the values are accounts and units in turn."""

    def made(dialect: str) -> Expression:
        moved = _upsert(dialect, balances).values(
            [{"account": bindparam(f"account_{at}"), "units": bindparam(f"units_{at}")} for at in range(count)]
        )
        moved = moved.on_conflict_do_update(
            index_elements=["account"], set_={"units": balances.c.units + moved.excluded.units}
        )
        result: Expression = moved.returning(balances.c.account, balances.c.units)
        return result

    return Statement(made)


_moved = select(func.sum(entries.c.units)).where(entries.c.account == _value("account"))
MOVED_BEFORE = Statement(_moved.where(entries.c.seq < _value("before")))
MOVED_AT = Statement(_moved.where(entries.c.stream == _value("stream"), entries.c.seq > _value("after")))
MOVEMENTS = Statement(
    select(entries.c.seq, entries.c.units)
    .where(entries.c.account == _value("account"), _between(entries.c.seq))
    .order_by(entries.c.seq)
)
BALANCE_BEFORE = Statement(
    select(entries.c.balance)
    .where(entries.c.account == _value("account"), entries.c.seq < _value("before"))
    .order_by(entries.c.seq.desc(), entries.c.line.desc())
    .limit(literal_column("1"))
)


@cache
def history(*, limit: bool) -> Statement:
    """The lines of an account after an event, oldest first."""
    lines = (
        select(
            entries.c.seq,
            entries.c.line,
            events.c.at,
            events.c.kind,
            entries.c.stream,
            entries.c.round,
            entries.c.units,
        )
        .join(events, events.c.seq == entries.c.seq)
        .where(entries.c.account == _value("account"), entries.c.seq > _value("after"))
        .order_by(entries.c.seq, entries.c.line)
    )
    return Statement(lines.limit(_value("limit")) if limit else lines)


# Rows beside the events

SNAPSHOT = Statement(select(snapshots.c.seq, snapshots.c.state).where(snapshots.c.stream == _value("stream")))
SAVE_SNAPSHOT = _replace(snapshots)
METER = Statement(select(meters.c.settings).where(meters.c.id == _value("id")))
METERS = Statement(select(meters.c.id, meters.c.settings).order_by(meters.c.id))
SAVE_METER = _replace(meters, version=lambda _: meters.c.version + literal_column("1"))
"""``version`` is that of a new meter."""
_deck = (sealed.c.stream == _value("stream"), sealed.c.deck == _value("deck"))
SEALED = Statement(select(sealed).where(*_deck))
SEAL = _replace(sealed)
UNSEAL = Statement(delete(sealed).where(*_deck))
CHECKPOINTS = Statement(select(checkpoints))
DROP_CHECKPOINTS = Statement(delete(checkpoints))
ADD_CHECKPOINT = Statement(insert(checkpoints))

# Verification


def _hashed_text(dialect: str) -> ColumnElement[Any]:
    """The hashed text built by the database, as bytes.

    An empty column must show, or a field could be moved into its neighbour under the same text: PostgreSQL gives
    nothing at all for it, and SQLite one separator too many. Only where the salt is the empty text has it no part.
    """
    *columns, salt = (events.c[name] for name in COLUMNS)
    separator: ColumnElement[Any] = literal_column("char(31)" if dialect == "sqlite" else "chr(31)")
    empty: ColumnElement[Any] = literal_column("''")
    if dialect == "sqlite":
        parts = [func.coalesce(each, separator) for each in columns]
        end = case((salt == empty, literal_column("NULL")), else_=func.coalesce(salt, separator))
        return cast(func.concat_ws(separator, *parts, end), LargeBinary)
    end = case((salt == empty, empty), else_=separator.concat(salt))
    text: ColumnElement[Any] = cast(columns[0], Text)
    for each in columns[1:]:
        text = text.concat(separator).concat(cast(each, Text))
    return func.convert_to(text.concat(end), literal_column("'UTF8'"))


LINKS = Statement(
    lambda dialect: (
        select(_hashed_text(dialect), events.c.hash, events.c.salt.is_distinct_from(literal_column("''")))
        .where(events.c.seq > _value("after"), events.c.seq <= _value("until"))
        .order_by(events.c.seq)
    )
)
"""The hashed text of events, their hash, and whether they have a salt."""
_span = and_(events.c.seq > _value("after"), events.c.seq <= _value("until"))
MONEY_EVENTS = Statement(
    select(events.c.seq, events.c.stream, events.c.round, events.c.entries, events.c.kind)
    .where(
        or_(
            events.c.entries != literal_column("'[]'"),
            events.c.kind.in_([literal(kind, Text) for kind in sorted(OVER)]),
        )
    )
    .where(_span)
    .order_by(events.c.seq)
)
"""Events that moved money, or after which nothing may lie on the layout."""
MONEY_ENTRIES = Statement(
    select(*(entries.c[name] for name in ENTRY_COLUMNS))
    .where(entries.c.seq > _value("after"), entries.c.seq <= _value("until"))
    .order_by(entries.c.seq, entries.c.line)
)
TIMES = Statement(
    union_all(
        select(events.c.at).where(events.c.seq == _value("event")),
        select(requests.c.at).where(requests.c.seq == _value("answer")),
    )
)
"""When an event and an answer were stored."""
ACTOR = Statement(select(events.c.actor).where(events.c.seq == _value("seq"), events.c.kind == _value("kind")))


@cache
def numbers(of: Table) -> Statement:
    """How many rows there are, and the first and the last number; 1 and 0 without any."""
    seq = of.c.seq
    first, last = func.coalesce(func.min(seq), literal_column("1")), func.coalesce(func.max(seq), literal_column("0"))
    return Statement(select(func.count(), first, last).select_from(of))


@cache
def last_number(of: Table) -> Statement:
    return Statement(select(func.coalesce(func.max(of.c.seq), literal_column("0"))))


@cache
def numbers_after(of: Table) -> Statement:
    return Statement(select(of.c.seq).where(of.c.seq > _value("after")).order_by(of.c.seq))


@cache
def hash_at(of: Table) -> Statement:
    """The hash of an event, or of an answer."""
    return Statement(select(of.c.hash).where(of.c.seq == _value("seq")))


REVISION = Statement(select(column("version_num")).select_from(table("alembic_version")))
"""Alembic's own row: the step that the tables stand at."""
