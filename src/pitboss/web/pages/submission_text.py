"""What was typed into the form of a Rules Submission, as a TOML file and back.

Fields are named by the dotted keys of the file, which are the keys that findings name. An entry that no law knows is
kept, so that a file loses nothing by being opened.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Final, Literal

from pitboss.findings import Finding, UnreadableError
from pitboss.games.options import kind_of as option_kind
from pitboss.games.options import option_named
from pitboss.games.registry import GAMES
from pitboss.submission import Shuffler, Submission, read_submission
from pitboss.submission.diff import TOP, leaves
from pitboss.submission.resolve import chapter_of

Kind = Literal["text", "date", "number", "percent", "flag"]
Value = str | bool
Values = dict[str, Value]
"""What stands in the form, by key; money in dollars. A key without a value has not been chosen."""

LONGEST: Final = 200
HEAD: Final = ("game", "effective")
FLAGS: Final = frozenset({"used", "counts_cards", "reshuffles", "offered", "linked"})
NUMBERS: Final = frozenset({"seats", "adjacent_boxes", "decks", "minimum", "maximum", "amount", "seed"})
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class TypedSubmission:
    """What was typed, as a submission; a field that cannot be read is left out and has a finding."""

    submission: Submission
    findings: tuple[Finding, ...] = ()


def kind_of(key: str, game: object = "") -> Kind:
    """How a key is written, whichever wager or table it belongs to; how an option is, says the game's chapter.

    >>> kind_of("wagers.main.minimum"), kind_of("paytables.seats")
    ('number', 'text')
    """
    head, _, rest = key.partition(".")
    leaf = key.rpartition(".")[2]
    if head == "options":
        name, _, part = rest.partition(".")
        choice = option_named(GAMES[str(game)].chapter, name) if game in GAMES else None
        return "text" if choice is None else option_kind(choice).written_as(part)
    if head in ("paytables", "facts"):
        return "text"
    if key == "effective":
        return "date"
    if leaf in FLAGS:
        return "flag"
    if leaf == "rate":
        return "percent"
    return "number" if leaf in NUMBERS else "text"


def values_of(submission: Submission) -> Values:
    """A submission as it stands in the form, without what is not linked, or a shuffler where there are no cards."""
    cards = any(figure.name == "decks" for figure in chapter_of(submission).figures)
    silent = "" if cards or submission.shuffler != Shuffler() else "shuffler."
    return {
        leaf.key: leaf.plain
        for leaf in leaves(submission)
        if leaf.plain != "" and not (silent and leaf.key.startswith(silent))
        if leaf.plain or not leaf.key.endswith(".linked")
    }


def read_values(values: Mapping[str, Value], day: date) -> TypedSubmission:
    """The submission that the form stands for; ``day`` is its date where none can be read."""
    typed = {key: value for key, value in values.items() if value != ""}
    head: Values = {"game": typed["game"], "effective": typed.get("effective", "")}
    findings = []
    if problem := _unreadable(head):
        sentence = f"The effective date should be a date such as 2024-06-01; the form stays with {day}."
        findings.append(Finding("unreadable", "", "a date", str(head["effective"]), sentence, "effective"))
        head["effective"] = typed["effective"] = day.isoformat()
    if _unreadable(typed):
        for key, value in tuple(typed.items()):
            if key not in HEAD and (problem := _unreadable({**head, key: value})):
                sentence = f"{_without(problem, key)}. Until it can be read it is left out."
                findings.append(Finding("unreadable", "", "", str(value), sentence, key))
                del typed[key]
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


# TOML


def toml_of(values: Mapping[str, Value], remark: str = "") -> str:
    """The file that a form stands for; what is not a number or a date is written as text, for the reader to refuse."""
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


_SECTIONS: Final = ("shuffler", "wagers", "paytables", "options", "facts")


def _path(key: str) -> list[str]:
    """The steps of a key; only the names of wagers and tables may have dots in them."""
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
    """A number as TOML writes it, also of a text with a dollar sign and commas."""
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
