"""Read plain values (parsed TOML or JSON) as records: commands, round files, submissions, pay tables, law files.

The record's annotations are the whole declaration. ``read`` gives the record, or a finding for every misfit at once:
its place, what is accepted there, and for a wrong name the one that was probably meant. ``documents`` bounds and parses
texts; the limits here bound the values, before any of them is evaluated.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from pitboss.findings import FieldsError, Finding, PitbossError, UnreadableError, shortlist
from pitboss.reader.annotations import (
    Balance,
    CardsText,
    Day,
    Dollars,
    Entries,
    Extensible,
    Keys,
    Parsed,
    Together,
    extended,
    names_of,
)
from pitboss.reader.conversion import made_of, struct
from pitboss.reader.misfits import MOST_FINDINGS, Misfits, below, look, meant, misfit, quoted
from pitboss.reader.sizes import LIMITS, ValueLimits, is_ordinary, measured

T = TypeVar("T")


def read(
    kind: type[T], value: Any, name: str = "", *, mapping: str = "a table", limits: ValueLimits | None = LIMITS
) -> tuple[T | None, tuple[Finding, ...]]:
    """Return the record and no findings, or ``None`` and every finding.

    ``name`` begins each sentence, such as a file's name; ``mapping`` is what people call a table in this format.

    >>> from collections.abc import Mapping
    >>> from dataclasses import dataclass
    >>> from decimal import Decimal
    >>> @dataclass(frozen=True)
    ... class Seat:
    ...     number: int
    ...     chips: Mapping[str, Dollars]
    >>> read(Seat, {"number": 1, "chips": {"front": Decimal("2.50")}})
    (Seat(number=1, chips={'front': 250}), ())
    >>> for finding in read(Seat, {"nunber": "1", "chips": {"front": "ten"}}, "round.toml")[1]:
    ...     print(finding.sentence)
    round.toml: nunber is not a key here; did you mean number?
    round.toml: number is missing: it should be a whole number.
    round.toml: chips.front should be an amount of dollars, not 'ten'.
    """
    found = Misfits(name, mapping)
    if limits is not None and not is_ordinary(value, limits):
        value = measured(value, limits, found)
        if found.all:
            found.partial = True
            look(kind, value, "", found)
            return None, shortlist(found.all, MOST_FINDINGS)
    try:
        return made_of(kind, value), ()
    except (PitbossError, ValueError, TypeError) as problem:  # a ValidationError is a ValueError
        look(kind, value, "", found)
        if not found.all:
            found.add("", f": {problem}.")
    return None, shortlist(found.all, MOST_FINDINGS)


def required(
    kind: type[T], value: Any, name: str = "", *, mapping: str = "a table", limits: ValueLimits | None = LIMITS
) -> T:
    """Return the record. Raise ``FieldsError`` with every finding if there is any."""
    record, findings = read(kind, value, name, mapping=mapping, limits=limits)
    if record is None:
        raise FieldsError(findings)
    return record


def measure(value: Any, limits: ValueLimits, name: str = "") -> tuple[Finding, ...]:
    """Return a finding for everything in a plain value that is over a limit, and for text that can't be stored."""
    found = Misfits(name)
    measured(value, limits, found)
    return shortlist(found.all, MOST_FINDINGS)


@contextmanager
def naming(document: str) -> Iterator[None]:
    """Put the name of a document before each sentence of what is refused inside, where it isn't there yet."""
    try:
        yield
    except UnreadableError as problem:
        raise FieldsError(
            each if document in each.sentence else replace(each, sentence=f"{document}: {each.sentence}")
            for each in problem.findings
        ) from None


__all__ = [
    "MOST_FINDINGS", "Balance", "CardsText", "Day", "Dollars", "Entries", "Extensible", "Keys", "Parsed", "Together",
    "ValueLimits", "below", "extended", "meant", "measure", "misfit", "names_of", "naming", "quoted", "read",
    "required", "struct",
]  # fmt: skip
