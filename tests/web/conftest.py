"""A running house for each test, on SQLite or on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import NoPostgresError, drop_database, fresh_database, fresh_file
from tests.web.harness import House, running


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


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    with running(sqlite_url) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgresql"])
def either_house(request: pytest.FixtureRequest) -> Iterator[House]:
    """The same on both databases."""
    url: str = request.getfixturevalue({"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param])
    with running(url) as opened:
        yield opened
