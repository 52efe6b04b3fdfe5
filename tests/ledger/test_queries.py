"""The statements of the ledger: in one place, in the order of their values, understood by both databases."""

import ast
import re
from pathlib import Path

import pytest
from tests.events import event_of

import pitboss
from pitboss.ledger import queries
from pitboss.ledger.chain import row_of
from pitboss.ledger.queries import Statement
from pitboss.ledger.schema import ANSWER_COLUMNS, events, requests
from pitboss.ledger.store import Store

DIALECTS = ("sqlite", "postgresql")
SQL = re.compile(r"^\s*(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|WITH \w+|CREATE TABLE)\b")
STATEMENTS = {name: each for name, each in vars(queries).items() if isinstance(each, Statement)} | {
    "some_events": queries.some_events(stream=True, round=True, kinds=3, limit=True),
    "rare_events": queries.rare_events(2),
    "rounds of a player": queries.newest_rounds(kinds=0, player=True, stream=True, number=True),
    "rounds of kinds": queries.newest_rounds(kinds=2, player=False, stream=True, number=True),
    "rounds of one kind": queries.newest_rounds(kinds=1, player=False, stream=False, number=False),
    "move_balances": queries.move_balances(3),
    "history": queries.history(limit=True),
    **{
        f"{make.__name__} {table.name}": make(table)
        for make in (queries.numbers, queries.last_number, queries.numbers_after, queries.hash_at)
        for table in (events, requests)
    },
}


def names(statement: Statement, dialect: str) -> list[str]:
    """The names of the values in the order of the text."""
    return [str(name) for name in statement.bound(dialect, {name: name for name in statement._of(dialect)[1]})[1]]


def test_sql_stands_in_no_other_module() -> None:
    """Settings of a connection (PRAGMA, SET, BEGIN) stay with ``engine``; steps of the past stay as they were."""
    house = Path(pitboss.__file__).parent
    for path in house.rglob("*.py"):
        if "migrations" not in path.parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert not SQL.match(node.value), (path, node.lineno, node.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_rows_are_inserted_in_the_order_in_which_they_are_made(dialect: str) -> None:
    row = row_of(event_of("a.b"), bytes(32), "salt", 1, "stream", 2, 3, "actor", "role", "request")
    made = dict(zip(names(queries.ADD_EVENT, dialect), row, strict=True))
    assert (made["seq"], made["stream"], made["round"], made["kind"], made["at"]) == (1, "stream", 2, "a.b", 3)
    assert (made["actor"], made["role"], made["request"], made["salt"]) == ("actor", "role", "request", "salt")
    assert len(made["hash"]) == 32
    assert names(queries.ADD_ANSWER, dialect) == [*ANSWER_COLUMNS, "hash"]
    assert names(queries.move_balances(2), dialect) == ["account_0", "units_0", "account_1", "units_1"]


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        queries.SEALED.bound("sqlite", {"stream": "t1"})


def test_every_statement_is_understood(store: Store) -> None:
    """The database plans it, with nothing for each value, and carries nothing out."""
    dialect = store.engine.dialect.name
    explain = "EXPLAIN QUERY PLAN " if dialect == "sqlite" else "EXPLAIN "
    assert len(STATEMENTS) > 40
    with store.writing() as writing:
        for name, statement in STATEMENTS.items():
            given = {each: bytes(32) if each.endswith("hash") else None for each in statement._of(dialect)[1]}
            text, values = statement.bound(dialect, given)
            writing._run(explain + text, values)
            plan = writing._cursor.fetchall()
            assert plan or not text.startswith("SELECT"), name


def test_writers_of_postgresql_stand_in_line_at_the_heads() -> None:
    assert queries.HEADS_LOCKED.text("postgresql").endswith("FOR UPDATE")
    assert "UPDATE" not in queries.HEADS_LOCKED.text("sqlite")
    moved = queries.MOVE_HEADS.inlined(
        "postgresql", {"event": 7, "event_hash": b"\x01'", "answer": 8, "answer_hash": b"%s"}
    )
    assert "THEN 7::BIGINT ELSE 8::BIGINT" in moved
    assert "THEN '\\x0127'::bytea ELSE '\\x2573'::bytea" in moved
