"""The letters of pay tables: among which a submission chooses, and where in its file."""

from collections.abc import Iterator, Mapping
from datetime import date

from pitboss.law.model import SINGLE, Chapter, PayTable, Wager, in_force
from pitboss.names import listed
from pitboss.submission.choice import FiledChoice, LawCase, OpenChoice


def letters_in_force(chapter: Chapter, table: str, as_of: date) -> tuple[str, ...]:
    """The letters among which a submission has to choose; empty where the law prints one table without a letter."""
    letters = dict.fromkeys(t.letter for t in in_force(chapter.paytables, as_of) if t.wager == table)
    return tuple(letter for letter in letters if letter != SINGLE)


def owners(chapter: Chapter, as_of: date) -> dict[str, Wager]:
    """The wager under which the letter of a pay table is chosen; one that several wagers share stands by itself."""
    owned: dict[str, list[Wager]] = {}
    for wager in in_force(chapter.wagers, as_of):
        if wager.placed == "before":
            owned.setdefault(wager.paytable, []).append(wager)
    shared = {name for name, wagers in owned.items() if len(wagers) > 1 and letters_in_force(chapter, name, as_of)}
    return {name: wagers[0] for name, wagers in owned.items() if name not in shared}


def key_under(wager: Wager) -> str:
    """The key of the letter that is chosen under a wager."""
    return f"wagers.{wager.name}.paytable"


def key_by_itself(table: str) -> str:
    """The key of the letter of a table that no wager owns."""
    return f"paytables.{table}"


def key_of_letter(owned: Mapping[str, Wager], table: str) -> str:
    """The key of the letter of a table, by the wagers that own one."""
    return key_under(owned[table]) if table in owned else key_by_itself(table)


def table_cite(law: LawCase, table: str, letter: str) -> str:
    """The paragraph of a pay table, on whatever day it was the law."""
    tables = [t for t in law.chapter.paytables if t.wager == table]
    cites = (str(t.cite) for t in (*(t for t in tables if t.letter == letter), *tables))
    return next(cites, law.cite("paytables"))


def rows_of(table: PayTable) -> str:
    return ", ".join(f"{row} {odds}" for row, odds in table.rows.items())


def ask_letters(law: LawCase, table: str) -> OpenChoice:
    """The letters of a table with their rows, and the first of them chosen."""
    letters, tables = letters_in_force(law.chapter, table, law.day), law.chapter.tables(table, law.day)
    cites = {each.letter: each.cite for each in tables}
    return OpenChoice(
        letters[0] if letters else None,
        str(cites[letters[0]]) if letters else "",
        listed(letters),
        values={letter: f"{letter} (§ {cites[letter]})" for letter in letters},
        notes=tuple(_printed(tables, lettered=bool(letters))),
        indent="  ",
        once=table,
    )


def _printed(tables: tuple[PayTable, ...], *, lettered: bool) -> Iterator[str]:
    for table in tables:
        yield f"{f'{table.letter}: ' if lettered else 'pays: '}{rows_of(table)} [{table.cite}]"


def ask_letter(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:  # noqa: ARG001
    """The pay table of a wager that has one for itself."""
    assert wager is not None
    return ask_letters(law, wager.paytable) if wager.paytable in owners(law.chapter, law.day) else None
