"""Read TOML and JSON that people send or open: size and shape are checked in one linear pass before anything is parsed.

``tomllib`` stores every prefix of a dotted key, so a key of n parts costs n² in time and memory. Other costs grow
with nesting, with the number of keys and with the digits of a number. None of them is reached: a document over a limit
is refused first, in a sentence that names the line.
"""

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Final

from pitboss.findings import UnreadableError


@dataclass(frozen=True)
class SizeLimits:
    """The largest document that is parsed. The law's own templates stay below a tenth of every figure."""

    bytes: int = 128 * 1024
    depth: int = 16
    """Lists and tables inside each other."""
    parts: int = 10
    """Of one dotted key."""
    keys: int = 1_000
    tables: int = 300
    """Headers such as [wagers.ante] or [[seat]]."""
    entries: int = 4_000
    """Of all lists together."""
    number: int = 40
    """Characters of a number or a date."""
    name: int = 200
    """Characters of one part of a key."""
    text: int = 20_000
    """Characters of one text."""
    tokens: int = 20_000
    """Names, numbers, texts and marks together: what a document of nothing but brackets would be made of."""
    lines: int = 5_000


LIMITS: Final = SizeLimits()
MESSAGE: Final = SizeLimits(depth=32, keys=2_000, text=128 * 1024)
"""Of a request in JSON, which may carry a whole document as one text."""
LARGEST_EXPONENT: Final = 15

_TOML: Final = re.compile(
    r"[ \t\r]++"
    r"|((?:[ \t\r]*+(?:\#[^\n]*+)?\n)++)"  # ends of lines, with comments
    r"|(\#[^\n]*+)"
    r'|("""(?:[^"\\]++|\\.|"(?!""))*+"{3,5}|' + r"'''(?:[^']++|'(?!''))*+'{3,5})"
    r'|("(?:[^"\\\n]++|\\[^\n])*+"|' + r"'[^'\n]*+')"
    r"|([^ \t\r\n\"'\#\[\]{},=.]++)"  # names, numbers, dates, true and false
    r"|([\[\]{},=.])",
    re.DOTALL,
)
_LINES, _COMMENT, _LONG, _TEXT, _WORD, _MARK = range(1, 7)
_JSON: Final = re.compile(r'[ \t\r\n:]++|("(?:[^"\\]++|\\.)*+")|([^ \t\r\n:"\[\]{},]++)|([\[\]{},])', re.DOTALL)


def read_text(path: Path, most: int = LIMITS.bytes) -> str:
    """Return the text of a file. Raise ``UnreadableError`` if it is larger than ``most`` bytes or cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise UnreadableError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise UnreadableError(f"{path} is a folder, not a file.") from None
    except OSError as problem:
        raise UnreadableError(f"{path} cannot be read: {problem.strerror}.") from None
    except ValueError:
        raise UnreadableError(f"{str(path)!r} cannot be the name of a file.") from None
    if len(data) > most:
        raise UnreadableError(f"{path} is larger than {most:,} bytes, the most that is read.")
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise UnreadableError(f"{path} is not a text file in UTF-8.") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file with exact decimals."""
    return parse_toml(read_text(path), str(path))


def parse_toml(text: str, name: str, limits: SizeLimits = LIMITS) -> dict[str, Any]:
    """Parse TOML with exact decimals. Raise ``UnreadableError`` if it is over a limit or not TOML.

    >>> parse_toml("a" + ".a" * 10, "The round")
    Traceback (most recent call last):
    pitboss.findings.UnreadableError: The round, line 1: a key has more than 10 parts. Use a table header instead.
    """
    check_toml(text, name, limits)
    try:
        return tomllib.loads(text, parse_float=_exact)
    except (ValueError, RecursionError) as problem:
        raise UnreadableError(f"{name} is not valid TOML: {problem}") from None


def parse_json(text: str, name: str, limits: SizeLimits = MESSAGE) -> Any:
    """Parse JSON that means the same to every reader: NaN and fields given twice are refused."""
    check_json(text, name, limits)
    try:
        return json.loads(text, parse_constant=partial(_no_constant, name), object_pairs_hook=_once)
    except json.JSONDecodeError as problem:
        raise UnreadableError(f"{name} is not JSON: {problem}.") from None


class _Place:
    """Where a scan is: raises the sentence that names the line."""

    def __init__(self, text: str, name: str, limits: SizeLimits) -> None:
        self.text, self.name, self.limits, self.at = text, name, limits, 0
        try:
            size = len(text) if text.isascii() or len(text) > limits.bytes else len(text.encode("utf-8"))
        except UnicodeEncodeError as problem:
            self.at = problem.start
            raise self.error("half of a character (a lone surrogate) stands here. Remove it.") from None
        if size > limits.bytes:
            raise UnreadableError(f"{name} is larger than {limits.bytes:,} bytes, the most that is read. Shorten it.")
        if text.count("\n") > limits.lines:
            raise UnreadableError(f"{name} has more than {limits.lines:,} lines. Remove those that are not needed.")

    def error(self, sentence: str) -> UnreadableError:
        return UnreadableError(f"{self.name}, line {self.text.count(chr(10), 0, self.at) + 1}: {sentence}")

    def entries(self, number: int) -> None:
        if number > self.limits.entries:
            raise self.error(f"the lists together have more than {self.limits.entries:,} entries. Remove some.")

    def depth(self, number: int) -> None:
        if number > self.limits.depth:
            raise self.error(f"lists and tables are nested more than {self.limits.depth} levels deep. Flatten them.")

    def keys(self, number: int) -> None:
        if number > self.limits.keys:
            raise self.error(f"there are more than {self.limits.keys:,} keys. Remove those that are not needed.")

    def tokens(self, number: int) -> None:
        if number > self.limits.tokens:
            raise self.error(f"there are more than {self.limits.tokens:,} words and marks. Shorten the text.")

    def number(self, length: int) -> None:
        if length > self.limits.number:
            raise self.error(f"a number has more than {self.limits.number} characters. Shorten it.")

    def string(self, length: int) -> None:
        if length > self.limits.text:
            raise self.error(f"a text has more than {self.limits.text:,} characters. Shorten it.")


def check_toml(text: str, name: str, limits: SizeLimits = LIMITS) -> None:
    """Raise ``UnreadableError`` if a document is over a limit. Linear in its length, and it stops at the first excess.

    Splits the text into the same tokens as a TOML parser would up to its first error, but does not judge grammar.
    """
    place = _Place(text, name, limits)
    open_marks: list[str] = []
    keys = tables = entries = 0
    parts = 1
    value = header = False
    number_from = -1  # where a number or date began, which may hold a dot
    end = 0
    for count, match in enumerate(_TOML.finditer(text)):
        if match.start() != end:
            break
        place.at, end = end, match.end()
        place.tokens(count)
        kind = match.lastindex
        if kind == _MARK:
            mark = text[place.at]
            if mark == ".":
                parts += 1
                if parts > limits.parts:
                    raise place.error(f"a key has more than {limits.parts} parts. Use a table header instead.")
                continue
            parts, number_from = 1, -1
            if mark == "=":
                keys, value = keys + 1, True
                place.keys(keys)
            elif mark == ",":
                entries, value = entries + 1, open_marks[-1:] == ["["]
                place.entries(entries)
            elif mark == "[" and not open_marks and not value:
                if not header:
                    tables, header = tables + 1, True
                    if tables > limits.tables:
                        raise place.error(f"there are more than {limits.tables} tables. Remove those not needed.")
            elif mark in "[{":
                open_marks.append(mark)
                value = mark == "["
                place.depth(len(open_marks))
            elif open_marks:
                open_marks.pop()
                value = True
            elif not header:
                raise place.error(f"{mark} closes nothing. Remove it.")
        elif kind == _LINES:
            parts, number_from = 1, -1
            if not open_marks:
                value = header = False
        elif kind in (_TEXT, _LONG):
            _check_name_or_text(place, end - place.at - 2, value)
        elif kind == _WORD:
            if value:
                number_from = place.at if number_from < 0 else number_from
                place.number(end - number_from)
            else:
                _check_name_or_text(place, end - place.at, value)
    if end != len(text):
        place.at = end
        raise UnreadableError(f"{name} is not valid TOML: {_open_text(place)}")


def _check_name_or_text(place: _Place, length: int, value: bool) -> None:
    if value:
        place.string(length)
    elif length > place.limits.name:
        raise place.error(f"a name has more than {place.limits.name} characters. Shorten it.")


def _open_text(place: _Place) -> str:
    return str(place.error("the text that begins here has no closing quote.")).removeprefix(f"{place.name}, ")


def check_json(text: str, name: str, limits: SizeLimits = MESSAGE) -> None:
    """Raise ``UnreadableError`` if a JSON text is over a limit. Linear in its length."""
    place = _Place(text, name, limits)
    depth = entries = end = 0
    for count, match in enumerate(_JSON.finditer(text)):
        if match.start() != end:
            break
        place.at, end = end, match.end()
        place.tokens(count)
        if (kind := match.lastindex) is None:
            continue
        if kind == 1:
            place.string(end - place.at - 2)
        elif kind == 2:
            place.number(end - place.at)
        elif (mark := text[place.at]) == ",":
            entries += 1
            if entries > limits.keys:
                raise place.error(f"there are more than {limits.keys:,} fields and list entries. Send fewer.")
        elif mark in "[{":
            depth += 1
            place.depth(depth)
        else:
            depth -= 1
    if end != len(text):
        place.at = end
        raise UnreadableError(f"{name} is not JSON: {_open_text(place)}")


def _exact(text: str) -> Decimal:
    """A decimal of ordinary size; the parser also calls ``inf`` and ``nan`` numbers."""
    exponent = re.fullmatch(r"[+-]?[0-9.]+[eE][+-]?0*([0-9]+)", text)
    if not text[-1:].isdigit() or (exponent and len(exponent[1]) > 3):
        raise tomllib.TOMLDecodeError(f"the number {text} is out of range")
    value = Decimal(text)
    if len(text) > LIMITS.number or abs(value.adjusted()) > LARGEST_EXPONENT:
        raise tomllib.TOMLDecodeError(f"the number {text} is out of range")
    return value


def _no_constant(name: str, constant: str) -> None:
    raise UnreadableError(f"{name}: {constant} is not a number here.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise UnreadableError(f"The field {twice[:60]!a} is given twice.")
    return fields
