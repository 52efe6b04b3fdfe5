"""What was typed into the form of a Rules Submission, as a TOML file and back.

Fields are named by the dotted keys of the file, which are the keys that findings name. An entry that no law knows is
kept, so that a file loses nothing by being looked at.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import Final, Literal

from pitboss.findings import Finding, UnreadableError
from pitboss.money import Cents
from pitboss.submission import Submission, read_submission

Kind = Literal["text", "date", "number", "percent", "flag"]
Value = str | bool
Values = dict[str, Value]
"""What stands in the form, by key; money in dollars. A key without a value has not been chosen."""

LONGEST: Final = 200
HEAD: Final = ("game", "effective")
TOP: Final = ("game", "certificate_holder", "effective", "seats", "adjacent_boxes", "dealing")
FLAGS: Final = frozenset({"used", "counts_cards", "reshuffles", "offered", "linked"})
NUMBERS: Final = frozenset(
    {"seats", "adjacent_boxes", "decks", "minimum", "maximum", "amount", "seed", "version", "payout_limit"}
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Reading:
    """What was typed, as a submission; a field that cannot be read is left out and has a finding."""

    submission: Submission
    findings: tuple[Finding, ...] = ()


def kind_of(key: str) -> Kind:
    """How a key is written, whichever wager or table it belongs to.

    >>> kind_of("wagers.ante.minimum"), kind_of("options.mini_royal.pair_plus"), kind_of("paytables.seats")
    ('number', 'number', 'text')
    """
    leaf = key.rpartition(".")[2]
    if key.startswith(("paytables.", "options.readings.")):
        return "text"
    if key == "effective":
        return "date"
    if leaf in FLAGS:
        return "flag"
    if leaf == "rate":
        return "percent"
    return "number" if leaf in NUMBERS or key.startswith("options.mini_royal.") else "text"


def plain_dollars(amount: Cents) -> str:
    """Dollars as the file writes them: ``10``, ``12.5``."""
    return decimal_of(Fraction(amount, 100))


def decimal_of(value: Fraction) -> str:
    """A terminating fraction in full."""
    with localcontext(prec=200):
        shown = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def values_of(submission: Submission) -> Values:
    """A submission as it stands in the form."""
    return {key: value for key, value in _flat(submission) if value != ""}


def _flat(submission: Submission) -> Iterator[tuple[str, Value]]:
    for key in TOP:
        yield key, _text(getattr(submission, key))
    for key in ("used", "counts_cards", "reshuffles"):
        yield f"shuffler.{key}", bool(getattr(submission.shuffler, key))
    yield "shuffler.decks", str(submission.shuffler.decks)
    for name, choice in submission.wagers.items():
        at = f"wagers.{name}"
        yield f"{at}.offered", choice.offered
        yield f"{at}.paytable", _text(choice.paytable)
        for key in ("minimum", "maximum", "amount", "seed"):
            amount = getattr(choice, key)
            yield f"{at}.{key}", "" if amount is None else plain_dollars(amount)
        yield f"{at}.linked", choice.linked or ""
        yield f"{at}.rate", "" if choice.rate is None else f"{decimal_of(choice.rate * 100)}%"
    for name, letter in submission.paytables.items():
        yield f"paytables.{name}", letter
    yield "options.version", _text(submission.version)
    limit = submission.payout_limit
    yield "options.payout_limit", "" if limit is None else plain_dollars(limit)
    for name, rate in submission.mini_royal.items():
        yield f"options.mini_royal.{name}", decimal_of(rate)
    for name, selection in submission.selections.items():
        if selection.offered or selection.chance is not None:
            chance = selection.chance
            yield f"options.{name}.offered", selection.offered
            yield f"options.{name}.chance", "" if chance is None else f"{chance.numerator}/{chance.denominator}"
    for name, reading in submission.readings.items():
        yield f"options.readings.{name}", reading


def _text(value: object) -> str:
    return "" if value is None else str(value)


def read_values(values: Mapping[str, Value], day: date) -> Reading:
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
    return Reading(read_submission(toml_of(typed)), tuple(findings))


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
    order = sorted(values, key=lambda key: TOP.index(key) if key in TOP else len(TOP))
    for key in order:
        if values[key] != "":
            *path, leaf = _path(key)
            tables.setdefault(tuple(path), []).append(f"{_name(leaf)} = {_literal(kind_of(key), values[key])}")
    lines = [f"# {line}" for line in remark.splitlines()] + ([""] if remark else []) + tables.pop(())
    for path_, written in sorted(tables.items(), key=lambda item: _SECTIONS.index(item[0][0])):
        lines += ["", f"[{'.'.join(_name(step) for step in path_)}]", *written]
    return "\n".join(lines) + "\n"


_SECTIONS: Final = ("shuffler", "wagers", "paytables", "options")


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
    if kind == "date" and _ISO.fullmatch(text) and _is_date(text):
        return text
    if kind == "number" and (number := _number(text)) is not None:
        return number
    if kind == "percent":
        text = text if text.endswith("%") or _number(text) is None else f"{text}%"
    return _quoted(text)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


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
