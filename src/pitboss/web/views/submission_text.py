"""A Rules Submission as the fields of a form: to a TOML file and back.

Fields are named by the dotted keys of the file, which findings name as well. Entries unknown to the law are kept, so
that opening a file loses nothing.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Final, Literal

from pitboss.findings import Finding, UnreadableError, refusal
from pitboss.games.options import kind_of as option_kind
from pitboss.games.options import option_named
from pitboss.games.registry import GAMES
from pitboss.submission import Shuffler, Submission, read_submission
from pitboss.submission.diff import TOP, leaves
from pitboss.submission.resolve import chapter_of

Kind = Literal["text", "date", "number", "percent", "flag"]
Value = str | bool
Values = dict[str, Value]
"""The form's values by key, money in dollars. A key without a value has not been chosen."""

LONGEST: Final = 200
HEAD: Final = ("game", "effective")
FLAGS: Final = frozenset({"used", "counts_cards", "reshuffles", "offered", "linked"})
NUMBERS: Final = frozenset({"seats", "adjacent_boxes", "decks", "minimum", "maximum", "amount", "seed"})
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class TypedSubmission:
    """A submission as typed. A field that can't be parsed is left out and has a finding."""

    submission: Submission
    findings: tuple[Finding, ...] = ()


def kind_of(key: str, game: object = "") -> Kind:
    """Return how a key is written. The game's chapter says it for options; the last part of the name for the rest.

    >>> kind_of("wagers.main.minimum"), kind_of("paytables.seats")
    ('number', 'text')
    """
    head, _, rest = key.partition(".")
    leaf = key.rpartition(".")[2]
    if head == "options":
        name, _, part = rest.partition(".")
        choice = option_named(GAMES[str(game)].chapter, name) if game in GAMES else None
        return "text" if choice is None else option_kind(choice).written_as(part)
    if head in ("paytables", "facts", "acknowledged"):
        return "text"
    if key == "effective":
        return "date"
    if leaf in FLAGS:
        return "flag"
    if leaf == "rate":
        return "percent"
    return "number" if leaf in NUMBERS else "text"


def values_of(submission: Submission) -> Values:
    """Return a submission's form values, without ``linked = false``, and without a shuffler in games without cards."""
    cards = any(figure.name == "decks" for figure in chapter_of(submission).figures)
    silent = "" if cards or submission.shuffler != Shuffler() else "shuffler."
    return {
        leaf.key: leaf.plain
        for leaf in leaves(submission)
        if leaf.plain != "" and not (silent and leaf.key.startswith(silent))
        if leaf.plain or not leaf.key.endswith(".linked")
    }


def read_values(values: Mapping[str, Value], day: date) -> TypedSubmission:
    """Parse form values; ``day`` is the effective date if the typed one can't be parsed."""
    typed = {key: value for key, value in values.items() if value != ""}
    head: Values = {"game": typed["game"], "effective": typed.get("effective", "")}
    findings = []
    if problem := _unreadable(head):
        sentence = f"The effective date should be a date such as 2024-06-01; the form stays with {day}."
        findings.append(refusal("unreadable", "a date", head["effective"], sentence, "effective"))
        head["effective"] = typed["effective"] = day.isoformat()
    if _unreadable(typed):
        good = dict(head)
        for key, value in typed.items():
            if key in HEAD:
                continue
            if problem := _unreadable({**head, key: value}) or _unreadable({**good, key: value}):
                sentence = f"{_without(problem, key)}. It is left out until it can be read."
                findings.append(refusal("unreadable", "", value, sentence, key))
            else:
                good[key] = value
        typed = good
    return TypedSubmission(read_submission(toml_of(typed)), tuple(findings))


def _unreadable(values: Mapping[str, Value]) -> str:
    try:
        read_submission(toml_of(values))
    except UnreadableError as problem:
        return str(problem)
    return ""


def _without(problem: str, key: str) -> str:
    said = problem.removeprefix(key).lstrip(": ").rstrip(".")
    return f"This {said}" if said.startswith("should") else f"{said[:1].upper()}{said[1:]}"


def is_key(key: str) -> bool:
    """Whether a form may have such a key at all: the sections of the file are fixed."""
    head, dot, _ = key.partition(".")
    return key in TOP or (bool(dot) and head in _SECTIONS)


# TOML


def toml_of(values: Mapping[str, Value], remark: str = "") -> str:
    """Write form values as TOML. Whatever isn't a number or a date becomes text, for the parser to reject."""
    tables: dict[tuple[str, ...], list[str]] = {(): []}
    for key in sorted(values, key=lambda key: TOP.index(key) if key in TOP else len(TOP)):
        if values[key] != "":
            *path, leaf = _path(key)
            literal = _literal(kind_of(key, values.get("game")), values[key])
            tables.setdefault(tuple(path), []).append(f"{_name(leaf)} = {literal}")
    lines = [f"# {line}" for line in remark.splitlines()] + ([""] if remark else []) + tables.pop(())
    for path_, written in sorted(tables.items(), key=lambda item: _SECTIONS.index(item[0][0])):
        lines += ["", f"[{'.'.join(_name(step) for step in path_)}]", *written]
    return "\n".join(lines) + "\n"


_SECTIONS: Final = ("shuffler", "wagers", "paytables", "options", "facts", "acknowledged")


def _path(key: str) -> list[str]:
    """Split a key into its steps; only the names of wagers and tables may have dots in them."""
    head, _, rest = key.partition(".")
    if head == "wagers":
        name, _, leaf = rest.rpartition(".")
        return [head, name, leaf]
    if head == "options":
        option, _, name = rest.partition(".")
        return [head, option, name] if name or rest.endswith(".") else [head, option]
    return [head, rest] if "." in key else [head]


def _name(step: str) -> str:
    return step if _BARE.fullmatch(step) else _quoted(step)


def _literal(kind: Kind, value: Value) -> str:
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
