"""Limits of what is read at all, checked before anything is evaluated."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec

from pitboss.reader.misfits import OVER, Misfits, below


class ValueLimits(msgspec.Struct, frozen=True):
    """The largest values that are read at all."""

    depth: int = 32
    """Tables and lists inside each other."""
    items: int = 20_000
    """Keys and list entries of the whole document."""
    digits: int = 17
    """Of a whole number."""
    places: int = 30
    """Digits of a decimal number, which has at most half as many before or behind its point."""
    text: int = 200_000
    """Characters of one text."""
    storable: bool = True
    """Whether texts must do without NUL and half characters."""


LIMITS: Final = ValueLimits()


def is_ordinary(value: Any, limits: ValueLimits) -> bool:
    """Whether nothing is over a limit, level by level: what nearly always is needs no places."""
    most, longest, strict, seen = 10**limits.digits, limits.text, limits.storable, 1
    level = [value]
    for _ in range(limits.depth + 1):
        inside: list[Any] = []
        for each in level:
            kind = type(each)
            if kind is str:
                if len(each) > longest or (strict and unstorable(each)):
                    return False
            elif kind is int:
                if not -most <= each <= most:
                    return False
            elif kind is dict:
                inside += each
                inside += each.values()
            elif kind is list or kind is tuple:
                inside += each
            elif isinstance(each, Mapping):
                inside += each
                inside += each.values()
            elif isinstance(each, int | float | Decimal) and not _usual(each, limits):
                return False
        seen += len(inside)
        if not inside:
            return True
        if seen > limits.items:
            return False
        level = inside
    return False


def measured(value: Any, limits: ValueLimits, found: Misfits) -> Any:
    """Add a finding for everything over a limit, and return the value without it."""
    seen = 0

    def visit(value: Any, place: str, depth: int) -> Any:
        nonlocal seen
        seen += 1
        if seen > limits.items or found.many:
            return OVER
        if isinstance(value, str):
            if len(value) > limits.text:
                found.add(place, f" should be a text of at most {limits.text:,} characters.", "a shorter text", "")
                return OVER
            if limits.storable and (problem := unstorable(value)):
                found.add(place, f" holds {problem}. Remove it.", "plain text", "")
                return OVER
        elif isinstance(value, Mapping | list | tuple):
            if depth == limits.depth:
                found.add(place, f" is nested more than {limits.depth} levels deep. Flatten it.", "fewer levels", "")
                return OVER
            if not isinstance(value, Mapping):
                return [visit(item, f"{place}[{number}]", depth + 1) for number, item in enumerate(value, 1)]
            keys = ((key, below(place, key)) for key in value)
            return {
                key: visit(value[key], inner, depth + 1) for key, inner in keys if visit(key, inner, depth) is not OVER
            }
        elif isinstance(value, int | float | Decimal) and not _usual(value, limits):
            words = f"a number of at most {limits.digits} digits"
            found.add(place, f" should be {words}.", words, "")
            return OVER
        return value

    value = visit(value, "", 0)
    if seen > limits.items:
        sentence = f" has more than {limits.items:,} keys and entries. Remove those that are not needed."
        found.add("", sentence, f"at most {limits.items:,}", "more")
        return OVER
    return OVER if found.many else value


def _usual(number: int | float | Decimal, limits: ValueLimits) -> bool:
    """Whether a number is finite and of ordinary size. Nothing is evaluated: an exponent may be huge."""
    if isinstance(number, Decimal):
        digits = len(number.as_tuple().digits)
        return number.is_finite() and digits <= limits.places and abs(number.adjusted()) <= limits.places // 2
    return bool(abs(number) <= 10**limits.digits)  # not so of NaN


def unstorable(text: str) -> str:
    """Name what a text holds that no database and no page can, if anything."""
    if "\0" in text:
        return "a NUL character"
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return "half of a character (a lone surrogate)"
    return ""
