"""A fresh ledger for each test, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.postgres import NoPostgresError, drop_database, fresh_database, fresh_file

from pitboss.ledger.store import Store


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return fresh_file(tmp_path)


@pytest.fixture
def postgres_url() -> Iterator[str]:
    try:
        url = fresh_database()
    except NoPostgresError as why:
        pytest.skip(str(why))
    yield url
    drop_database(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue({"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param])
    return found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store(url) as opened:
        yield opened
