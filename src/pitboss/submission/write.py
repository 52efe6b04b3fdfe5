"""Submissions as TOML: from the record, or from the values of a form. Nothing else writes the file of a submission.

Values are named by the dotted keys of the file, which findings name as well. Entries unknown to the law are kept, so
that opening a file loses nothing.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Final

from pitboss.games.options import kind_of as option_kind
from pitboss.games.options import option_named
from pitboss.games.registry import GAMES, game_named
from pitboss.submission.choice import LawCase, Plain, Written
from pitboss.submission.model import Submission
from pitboss.submission.registry import choice_at, choices_of_table, head, leaves, table_of, tables

Values = dict[str, Plain]
"""The form's values by key, money in dollars. A key without a value has not been chosen."""
LONGEST: Final = 200
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


def written_as(key: str, game: object = "") -> Written:
    """Return how a key is written. The game's chapter says it for options; the model for the rest.

    >>> written_as("wagers.main.minimum"), written_as("paytables.seats")
    ('number', 'text')
    """
    table = table_of(key)
    if table is not None and table.of_law:
        name, _, part = key.removeprefix(f"{table.key}.").partition(".")
        option = option_named(GAMES[str(game)].chapter, name) if game in GAMES else None
        return "text" if option is None else option_kind(option).written_as(part)
    choice = choice_at(key)
    return "text" if choice is None else choice.kind.written


def values_of(submission: Submission) -> Values:
    """Return a submission's form values, without silent flags and without tables that say nothing."""
    silent = _silent_tables(submission)
    return {
        leaf.key: leaf.plain
        for leaf in leaves(submission)
        if leaf.plain != "" and not leaf.key.startswith(silent)
        if leaf.plain or not ((choice := choice_at(leaf.key)) and choice.silent)
    }


def _silent_tables(submission: Submission) -> tuple[str, ...]:
    """The tables of which the law asks nothing, where they have nothing but defaults."""
    law = LawCase(game_named(submission.game).chapter, submission.effective, None)
    return tuple(
        f"{table.key}."
        for table in tables()
        if table.record is not None and not table.by_wager and getattr(submission, table.name) == table.record()
        if not any(choice.ask(law, choice, None) for choice in choices_of_table(table))
    )


def write_submission(submission: Submission, remark: str = "") -> str:
    """Return a submission as TOML without comments; reading it gives the same submission."""
    return toml_of(values_of(submission), remark)


def is_key(key: str) -> bool:
    """Whether a form may have such a key at all: the sections of the file are fixed."""
    return any(choice.name == key for choice in head()) or table_of(key) is not None


def toml_of(values: Mapping[str, Plain], remark: str = "") -> str:
    """Write form values as TOML. Whatever isn't a number or a date becomes text, for the parser to reject."""
    found: dict[tuple[str, ...], list[str]] = {(): []}
    first = {choice.name: at for at, choice in enumerate(head())}
    for key in sorted(values, key=lambda key: first.get(key, len(first))):
        if values[key] != "":
            *path, leaf = _path(key)
            literal = literal_of(written_as(key, values.get("game")), values[key])
            found.setdefault(tuple(path), []).append(f"{name_in_toml(leaf)} = {literal}")
    lines = [f"# {line}" for line in remark.splitlines()] + ([""] if remark else []) + found.pop(())
    order = {table.key: at for at, table in enumerate(tables())}
    for path_, under in sorted(found.items(), key=lambda item: order[item[0][0]]):
        lines += ["", f"[{'.'.join(map(name_in_toml, path_))}]", *under]
    return "\n".join(lines) + "\n"


def _path(key: str) -> list[str]:
    """Split a key into its steps; only the names of wagers and tables may have dots in them."""
    table = table_of(key)
    if table is None:
        return [key]
    rest = key.removeprefix(f"{table.key}.")
    if table.by_wager:
        name, _, leaf = rest.rpartition(".")
        return [table.key, name, leaf]
    if table.of_law:
        option, _, name = rest.partition(".")
        return [table.key, option, name] if name or rest.endswith(".") else [table.key, option]
    return [*table.key.split("."), rest]


def name_in_toml(step: str) -> str:
    return step if _BARE.fullmatch(step) else _quoted(step)


def literal_of(kind: Written, value: Plain) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if kind == "text" else value.strip()
    if kind == "date" and _ISO.fullmatch(text):
        with suppress(ValueError):
            return date.fromisoformat(text).isoformat()
    if kind == "number" and (number := _number(text)) is not None:
        return number
    if kind == "percent":
        text = text if text.endswith("%") or _number(text) is None else f"{text}%"
    return _quoted(text)


def _number(text: str) -> str | None:
    """Return a number as TOML writes it; a dollar sign and commas are accepted."""
    try:
        number = Decimal(text.replace("$", "").replace(",", "")) if len(text) <= LONGEST else None
    except InvalidOperation:
        return None
    if number is None or not number.is_finite() or abs(number.adjusted()) > 2 * LONGEST:
        return None
    shown = f"{number:f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(letter: str) -> str:
    point = ord(letter)
    if letter in '"\\':
        return f"\\{letter}"
    if 0xD800 <= point <= 0xDFFF:
        return "�"
    return f"\\u{point:04X}" if point < 0x20 or point == 0x7F else letter
