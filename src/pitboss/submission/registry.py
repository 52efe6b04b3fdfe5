"""The choices of a submission, as the fields of the model declare them: in the order of the file, and by key."""

from collections.abc import Iterator
from dataclasses import Field, fields, replace
from typing import Any, Final

from pitboss.games.options import Leaf, leaves_of
from pitboss.games.registry import game_named
from pitboss.law.model import Wager
from pitboss.submission.choice import FILED, ChoiceEntry, FiledChoice, FiledTable
from pitboss.submission.model import Submission

RECORD: type[Submission] = Submission
"""The record of a whole file."""
TABLE: Final = FiledTable("The table", name="table")
"""The choices at the head of the file, as a part of a form."""
_DECLARED: dict[type[Any], tuple[FiledChoice | FiledTable, ...]] = {}
"""By record, so that a declaration is named once."""


def choices_of_record(record: type[Any]) -> tuple[FiledChoice, ...]:
    """The choices that the fields of a record declare, in the order of the file."""
    return tuple(each for each in _declared(record) if isinstance(each, FiledChoice))


def head() -> tuple[FiledChoice, ...]:
    """The choices above all tables."""
    return choices_of_record(RECORD)


def tables() -> tuple[FiledTable, ...]:
    return tuple(each for each in _declared(RECORD) if isinstance(each, FiledTable))


def _declared(record: type[Any]) -> tuple[FiledChoice | FiledTable, ...]:
    if record not in _DECLARED:
        _DECLARED[record] = tuple(_named(each) for each in fields(record))
    return _DECLARED[record]


def _named(each: Field[Any]) -> FiledChoice | FiledTable:
    declaration = each.metadata[FILED]
    if isinstance(declaration, FiledChoice):
        return replace(declaration, name=each.name, default=each.default)
    assert isinstance(declaration, FiledTable)
    return replace(declaration, name=each.name)


def required() -> tuple[str, ...]:
    """The keys without which a file is no submission."""
    return tuple(choice.name for choice in head() if choice.required)


def wager_table() -> FiledTable:
    """The table with the choices made for each wager."""
    return next(table for table in tables() if table.by_wager)


def choices_of_table(table: FiledTable) -> tuple[FiledChoice, ...]:
    """The choices of a table of the file; none of one that has texts, or whose keys the chapter declares."""
    return () if table.record is None else choices_of_record(table.record)


def table_of(key: str) -> FiledTable | None:
    """The table in which a dotted key stands."""
    found = [table for table in tables() if key.startswith(f"{table.key}.")]
    return max(found, key=lambda table: len(table.key), default=None)


def choice_at(key: str) -> FiledChoice | None:
    """The choice with a dotted key; nothing of a key that no field declares.

    >>> choice_at("wagers.main.minimum").title, choice_at("facts.seats")
    ('Minimum, dollars', None)
    """
    table = table_of(key)
    if table is None:
        return next((choice for choice in head() if choice.name == key), None)
    rest = key.removeprefix(f"{table.key}.")
    leaf = rest.rpartition(".")[2] if table.by_wager else rest
    return next((choice for choice in choices_of_table(table) if choice.name == leaf), None)


def entries_in(
    record: Any, choices: tuple[FiledChoice, ...], place: str, wager: Wager | None = None
) -> list[ChoiceEntry]:
    """The choices of a record, each with its key and its value."""
    return [
        ChoiceEntry(choice, f"{place}.{choice.name}".lstrip("."), getattr(record, choice.name, choice.default), wager)
        for choice in choices
    ]


def entries_for(wager: Wager, record: Any) -> list[ChoiceEntry]:
    """The choices for one wager."""
    table = wager_table()
    return entries_in(record, choices_of_table(table), f"{table.key}.{wager.name}", wager)


def entries_of(submission: Submission, table: FiledTable | None) -> Iterator[ChoiceEntry]:
    """The choices of a table, or those above all tables, as a submission makes them; wagers on any day of the law."""
    if table is None:
        yield from entries_in(submission, head(), "")
    elif not table.by_wager:
        yield from entries_in(getattr(submission, table.name), choices_of_table(table), table.key)
    else:
        wagers = {wager.name: wager for wager in reversed(game_named(submission.game).chapter.wagers)}
        for name, record in getattr(submission, table.name).items():
            yield from entries_in(record, choices_of_table(table), f"{table.key}.{name}", wagers.get(name))


def table_entries(submission: Submission) -> Iterator[ChoiceEntry]:
    """The choices about the table as a whole: all but those made for each wager."""
    for table in (None, *tables()):
        if table is None or not table.by_wager:
            yield from entries_of(submission, table)


def leaves(submission: Submission) -> Iterator[Leaf]:
    """Every choice by its dotted key, as a form has it and as a person reads it, in the order of the file."""
    for table in (None, *tables()):
        if table is not None and table.of_law:
            found = leaves_of(game_named(submission.game).chapter, getattr(submission, table.name))
            yield from (replace(leaf, key=f"{table.key}.{key}") for key, leaf in found)
        elif table is not None and table.record is None:
            texts = getattr(submission, table.name).items()
            yield from (Leaf(f"{table.key}.{name}", text, text) for name, text in texts)
        else:
            for entry in entries_of(submission, table):
                kind = entry.choice.kind
                yield Leaf(entry.where, kind.plain(entry.value), kind.shown(entry.value))
