"""Look at values that don't fit key by key, and say what is wrong with each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final, get_args

import msgspec

from pitboss.findings import Finding, PitbossError
from pitboss.names import MOST_SHOWN, shortened
from pitboss.reader.annotations import (
    Parsed,
    TogetherError,
    choices_of,
    keys_in,
    option_of,
    parts_of,
    words_of,
)
from pitboss.reader.conversion import converted, hook, record_of, upgraded

MOST_FINDINGS: Final = 20
_PLAIN_KEY: Final = re.compile(r"[\w.\-]{1,60}", re.ASCII)
_LONGEST_GUESS: Final = 40
"""Characters of a wrong name for which a close one is looked for: the search is quadratic."""
OVER: Final = object()
"""Stands for a value that is over a limit while the others are looked at."""


def misfit(place: str, sentence: str, expected: str = "", found: str = "") -> Finding:
    """A finding of a caller who looks at more than one key at a time; the sentence names the place."""
    return Finding("unreadable", "", expected, found, sentence, place)


class Misfits:
    """What is wrong, with the name of the document in front."""

    def __init__(self, name: str, mapping: str = "a table") -> None:
        self.name, self.mapping = name, mapping
        self.all: list[Finding] = []
        self.partial = False
        """Whether values over a limit were taken out, so that what is left can't become a record."""

    def add(self, place: str, rest: str, expected: str = "", found: str = "") -> None:
        """Add a sentence that begins with the place: "seat 1.number" and " is missing"."""
        self.say(place, f"{place or 'This'}{rest}", expected, found)

    def say(self, place: str, sentence: str, expected: str = "", found: str = "") -> None:
        self.all.append(misfit(place, f"{self.name}: {sentence}" if self.name else sentence, expected, found))

    def should_be(self, place: str, expected: str, value: Any, more: str = ".") -> None:
        found = quoted(value)
        self.add(place, f" should be {expected}, not {found}{more}", expected, found)

    @property
    def many(self) -> bool:
        return len(self.all) >= MOST_FINDINGS


def look(hint: Any, value: Any, place: str, found: Misfits) -> None:
    """Add a finding for everything in a value that its annotation doesn't allow."""
    if value is OVER:
        return
    parts, before = parts_of(hint), len(found.all)
    if parts.parsed is not None:
        _look_at_parsed(parts.parsed, value, place, found)
    elif parts.options:
        if value is None and parts.nullable:
            return
        try:
            option = parts.options[0] if len(parts.options) == 1 else option_of(parts.options, value)
        except TypeError:
            found.should_be(place, words_of(hint, found.mapping), value)
        else:
            look(option, value, place, found)
    elif parts.is_list:
        if not isinstance(value, list | tuple):
            found.should_be(place, words_of(hint, found.mapping), value)
            value = ()
        label = parts.entries.label if parts.entries is not None else _numbered
        for number, entry in enumerate(value, 1):
            look(get_args(parts.bare)[0], entry, label(place, number, entry), found)
    elif not (parts.is_mapping or parts.is_record):
        _look_at_leaf(hint, value, place, found)
    elif not isinstance(value, Mapping):
        found.should_be(place, words_of(hint, found.mapping), value)
    elif parts.is_record:
        _look_at_record(parts.bare, value, place, found)
    else:
        key_hint, item_hint = get_args(parts.bare)
        for key, item in value.items():
            if not _fits_as_key(key_hint, key):
                found.should_be(f"{place}: a key" if place else "A key", words_of(key_hint, found.mapping), key)
            look(item_hint, item, below(place, key), found)
    if (
        parts.meta is not None and len(found.all) == before and not found.partial and not _fits(hint, value)
    ):  # too few, too many
        found.should_be(place, words_of(hint, found.mapping), value)


def _look_at_record(kind: type, value: Mapping[Any, Any], place: str, found: Misfits) -> None:
    value, keys, before = upgraded(kind, value), keys_in(kind), len(found.all)
    unknown = [name for name in value if name not in keys]
    for name in unknown:
        close = "" if found.many else _close(name, keys)
        if close or name == unknown[0]:  # the list of keys is said once
            found.add(below(place, name), f" is not a key here; {meant(name, keys)}", _all([*keys]), quoted(name))
        else:
            found.add(below(place, name), " is not a key here.", "", quoted(name))
    for name, key in keys.items():
        if name in value:
            look(key.hint, value[name], below(place, name), found)
        elif key.required:
            words = words_of(key.hint, found.mapping)
            found.add(below(place, name), f" is missing: it should be {words}.", words, "")
    if len(found.all) == before and not found.partial:
        try:
            record_of(kind)(value)
        except TogetherError as problem:
            for sentence in problem.sentences:
                found.say(place, f"{place}: {sentence}" if place else f"{sentence[:1].upper()}{sentence[1:]}")
        except (PitbossError, ValueError, TypeError) as problem:
            found.add(place, f": {problem}.")


def _look_at_parsed(parsed: Parsed, value: Any, place: str, found: Misfits) -> None:
    try:
        parsed.read(value)
    except TypeError:
        found.should_be(place, parsed.words, value, f" [{parsed.cite}]." if parsed.cite else ".")
    except (PitbossError, ValueError, ArithmeticError) as problem:
        found.add(place, f": {str(problem).rstrip('.')}.", parsed.words, quoted(value))


def _look_at_leaf(hint: Any, value: Any, place: str, found: Misfits) -> None:
    if not _fits(hint, value):
        close = _close(value, choices_of(parts_of(hint).bare))
        found.should_be(place, words_of(hint, found.mapping), value, f"; did you mean {close}?" if close else ".")


def _fits(hint: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, converted(hint), dec_hook=hook)
    except (ValueError, TypeError, PitbossError):  # half of a character is a ValueError
        return False
    return True


def _fits_as_key(hint: Any, key: Any) -> bool:
    """In JSON and TOML a number that is a key is written as text."""
    mapping: Any = dict
    try:
        msgspec.convert({key: None}, mapping[converted(hint), Any], str_keys=True)
    except (ValueError, TypeError):
        return False
    return True


def _numbered(place: str, number: int, _: Any) -> str:
    return f"{place}[{number}]"


def below(place: str, key: object) -> str:
    """The place of a key: ``seat 1.number``. A key that would confuse is quoted."""
    name = key if isinstance(key, str) and _PLAIN_KEY.fullmatch(key) else quoted(key)
    return f"{place}.{name}" if place else str(name)


def quoted(value: object) -> str:
    """A value in a sentence, shortened to what a reader needs to find it.

    >>> quoted("9" * 1000) == f"'{'9' * 79}…", quoted(Decimal("0.5")), quoted(10**5000)
    (True, '0.5', 'a very large number')
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**MOST_SHOWN:
        return "a very large number"
    if isinstance(value, str):
        return shortened(repr(value[: MOST_SHOWN + 1]))
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    return shortened(str(value) if isinstance(value, Decimal | date) else repr(value))


def meant(name: object, known: Iterable[str]) -> str:
    """What to say behind a name that isn't known.

    >>> meant("gmae", ["game", "seat"]), meant("x", ["game", "seat"]), meant("x", [])
    ('did you mean game?', 'the keys are game and seat.', 'there are none.')
    """
    close = _close(name, known := list(known))
    return f"did you mean {close}?" if close else f"the keys are {_all(known)}." if known else "there are none."


def _all(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def _close(name: object, known: Iterable[str]) -> str:
    if not isinstance(name, str) or len(name) > _LONGEST_GUESS:
        return ""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, 1)), "")
