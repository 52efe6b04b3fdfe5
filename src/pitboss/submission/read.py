"""Submission files in TOML. Reading is strict about keys and types; what the choices mean is judged elsewhere."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from pitboss.documents import parse_toml, read_toml
from pitboss.findings import UnreadableError
from pitboss.games.options import read_options
from pitboss.games.registry import game_named
from pitboss.games.roundfile import Fields
from pitboss.submission import registry
from pitboss.submission.choice import FiledTable
from pitboss.submission.model import Submission
from pitboss.submission.registry import choices_of_table, head, tables

T = TypeVar("T")
_DIGITS = 15


class _Table(Fields):
    """A table whose places are dotted keys and whose unknown keys are answered with the key that was meant."""

    def __init__(self, place: str, table: object) -> None:
        super().__init__(place, table)
        self.known: list[str] = []

    def at(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def get(self, key: str, kind: type[T] | tuple[type[T], ...], what: str, default: T | None = None) -> T | None:
        self.known.append(key)
        value = super().get(key, kind, what, default)
        if isinstance(value, int | Decimal) and not _ordinary(value):
            raise UnreadableError(f"{self.at(key)} should be {what}: the number is out of range")
        return value

    def done(self) -> None:
        for key in sorted(self.left):
            close = get_close_matches(key, self.known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"the keys are {', '.join(self.known)}"
            raise UnreadableError(f"{self.at(key)} is not a key of a submission; {hint}")


def _ordinary(number: int | Decimal) -> bool:
    exact = Decimal(number)
    return exact.is_finite() and len(exact.as_tuple().digits) <= 2 * _DIGITS and abs(exact.adjusted()) <= _DIGITS


def read_submission(source: Path | str) -> Submission:
    """A submission from a file (a ``Path``) or from its text (a ``str``).

    >>> from pitboss.games.registry import GAMES
    >>> read_submission(f'game = "{min(GAMES)}"\\neffective = 2024-06-01\\nseat = 5')
    Traceback (most recent call last):
    pitboss.findings.UnreadableError: seat is not a key of a submission; did you mean seats?
    """
    if isinstance(source, str):
        return _submission(_Table("", parse_toml(source, "The submission")))
    try:
        return _submission(_Table("", read_toml(source)))
    except UnreadableError as problem:
        raise UnreadableError(str(problem) if str(source) in str(problem) else f"{source}: {problem}") from None


def _submission(top: _Table) -> Submission:
    """Each choice is read as the model declares it, what the chapter declares after everything else."""
    values = {choice.name: choice.read(top) for choice in head()}
    options = {table.key: top.inner(table.key) for table in tables() if table.of_law}
    values |= {table.name: _table(top, options, table) for table in tables() if not table.of_law}
    submission = registry.RECORD(**values)
    chapter = game_named(submission.game).chapter
    of_law: dict[str, Any] = {
        table.name: read_options(options[table.key], chapter) for table in tables() if table.of_law
    }
    for inner in (*options.values(), top):
        inner.done()
    return replace(submission, **of_law)


def _table(top: _Table, inners: Mapping[str, _Table], table: FiledTable) -> Any:
    """A record, a record for each wager, or a text for each name."""
    above, _, key = table.key.rpartition(".")
    place = inners[above] if above else top
    if table.by_wager:
        return place.mapping(key, lambda inner, name: _record(inner.inner(name), table))
    if table.record is not None:
        return _record(place.inner(key), table)
    if table.nested:
        return dict(_facts(place.inner(key)))
    return place.mapping(key, lambda inner, name: inner.need(name, str, table.what))


def _record(inner: _Table, table: FiledTable) -> Any:
    assert table.record is not None
    record = table.record(**{choice.name: choice.read(inner) for choice in choices_of_table(table)})
    inner.done()
    return record


def _facts(table: _Table, above: str = "") -> Iterator[tuple[str, str]]:
    """Names with dots may be written as tables within tables."""
    for name, value in table.table.items():
        if isinstance(value, dict):
            yield from _facts(table.inner(name), f"{above}{name}.")
        else:
            yield f"{above}{name}", str(table.get(name, (int, str), "a number, or odds or dollars in quotes"))
