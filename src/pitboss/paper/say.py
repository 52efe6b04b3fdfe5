"""How a value of each kind reads: in words, in CSV, and as a number of a workbook."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from pitboss.clock import local_clock, local_iso, local_time
from pitboss.money import decimal_of, show_dollars, show_signed, show_units
from pitboss.names import clean, shown
from pitboss.paper.model import CellKind, Column, Datum, Imprint, Value

LARGEST_NUMBER: Final = 2**53
"""Whole numbers beyond it are text in a workbook, whose numbers are floats."""
MINUS: Final = "−"
BLANK_LINE: Final = "_" * 30
MOST_DIGITS: Final = 12
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_CARD: Final = re.compile(r"\b([2-9TJQKA])([cdhs])\b")


def decimals(value: Fraction | float | int, places: int) -> str:
    """A number rounded half up, with a minus sign.

    >>> decimals(Fraction(-1, 8), 2), decimals(0.5, 0), decimals(Fraction(-1, 10**9), 4)
    ('−0.13', '1', '0.0000')
    """
    exact = Fraction(value)
    scaled = (abs(exact) * 10**places * 2 + 1) // 2
    whole, rest = divmod(scaled, 10**places)
    digits = f"{whole:,}" + (f".{rest:0{places}d}" if places else "")
    return f"{MINUS}{digits}" if exact < 0 and scaled else digits


def percent(share: Fraction | float, places: int = 4) -> str:
    """A share in percent.

    >>> percent(Fraction(-19, 5000))
    '−0.3800 %'
    """
    return f"{decimals(Fraction(share) * 100, places)} %"


def net(value: Fraction | float) -> str:
    """What is gained or lost in units, with its sign.

    >>> net(Fraction(3)), net(Fraction(-3, 2)), net(0)
    ('+3', '−1.5', '0')
    """
    text = decimals(value, 4).rstrip("0").rstrip(".")
    return f"+{text}" if value > 0 else text


def chance(value: Fraction | float) -> str:
    """A probability, to six digits that count and at most twelve decimals.

    >>> chance(Fraction(1, 649_740)), chance(0.25)
    ('0.00000153908', '0.250000')
    """
    digits = 6
    while digits < MOST_DIGITS and 0 < value * 10**digits < 100_000:
        digits += 1
    return decimals(value, digits)


def cards(text: str) -> str:
    """Cards with their suits as people see them.

    >>> cards("As Td ??")
    'A♠ T♦ ??'
    """
    return _CARD.sub(lambda found: found[1] + _SUITS[found[2]], text)


def two_places(amount: Fraction | int) -> str:
    """Dollars as a spreadsheet reads them.

    >>> two_places(-123450)
    '-1234.50'
    """
    return show_signed(whole_cents(amount)).replace(",", "").removeprefix("+")


def whole_cents(amount: Fraction | int) -> int:
    """Cents rounded half up: a mean or a break-even meter is seldom a whole number of them.

    >>> whole_cents(Fraction(5, 2)), whole_cents(Fraction(-5, 2)), whole_cents(7)
    (3, -3, 7)
    """
    rounded = int((2 * abs(Fraction(amount)) + 1) // 2)
    return rounded if amount >= 0 else -rounded


_WORDS: Final[Mapping[CellKind, Callable[..., str]]] = {
    CellKind.NAME: shown,
    CellKind.COUNT: lambda value: f"{value:,}" if isinstance(value, int) else str(value),
    CellKind.MONEY: lambda value: show_dollars(whole_cents(value)).replace("-", MINUS),
    CellKind.SIGNED: lambda value: show_signed(whole_cents(value)).replace("-", MINUS),
    CellKind.UNITS: lambda value: show_units(value).replace("-", MINUS),
    CellKind.NET: net,
    CellKind.CHANCE: chance,
    CellKind.CARDS: cards,
    CellKind.CITES: ", ".join,
    CellKind.TIME: local_time,
    CellKind.CLOCK: local_clock,
}
_DATA: Final[Mapping[CellKind, Callable[..., object]]] = {
    CellKind.NAME: shown,
    CellKind.MONEY: two_places,
    CellKind.SIGNED: two_places,
    CellKind.UNITS: lambda value: decimal_of(Fraction(value, 1_000_000)),
    CellKind.PERCENT: float,
    CellKind.FIGURE: float,
    CellKind.NET: float,
    CellKind.CHANCE: float,
    CellKind.CITES: ", ".join,
    CellKind.TIME: local_iso,
    CellKind.CLOCK: local_iso,
}


def words(value: Value, about: Column | Datum) -> str:
    """A value as a person reads it; nothing is an empty text."""
    if about.kind == CellKind.BLANK:
        return BLANK_LINE
    if value is None or value == "" or (isinstance(about, Column) and about.is_blank(value)):
        return ""
    if about.kind in (CellKind.PERCENT, CellKind.FIGURE) and isinstance(value, int | float | Fraction):
        return (percent if about.kind == CellKind.PERCENT else decimals)(value, about.places)
    say = _WORDS.get(about.kind)
    return clean(say(value) if say else str(value))


def paragraphs(cites: tuple[str, ...]) -> str:
    """What a passage rests on, below its title.

    >>> paragraphs(("1.2(b)", "1.3"))
    '§ 1.2(b), § 1.3'
    """
    return ", ".join(f"§ {cite}" for cite in cites)


def head(imprint: Imprint) -> tuple[str, ...]:
    """The lines below the title and lead of a document: its period and the filters used.

    >>> head(Imprint("Gaming day Nov 18, 2026", (("Table", "tcp-1"), ("Seat", "3")))), head(Imprint(filters=()))
    (('Gaming day Nov 18, 2026', 'Filters: Table tcp-1; Seat 3'), ('Filters: none',))
    """
    if imprint.filters is None:
        filters = ""
    else:
        filters = f"Filters: {'; '.join(f'{name} {value}' for name, value in imprint.filters) or 'none'}"
    return tuple(filter(None, (imprint.period, filters)))


def foot(imprint: Imprint) -> tuple[str, ...]:
    """The lines at the foot of a document: law and program, the time of printing, and the notice.

    >>> foot(Imprint(law="2026-11-18", version="pitboss 1.0", printed="2026-11-18T02:04:05Z"))
    ('Law of 2026-11-18, pitboss 1.0', 'Printed Nov 17, 2026, 9:04:05 p.m. EST')
    """
    law = f"Law of {imprint.law}" if imprint.law else ""
    law_hash = f"law data SHA-256 {imprint.law_hash}" if imprint.law_hash else ""
    source = ", ".join(filter(None, (law, law_hash, imprint.version)))
    printed = "" if imprint.printed is None else f"Printed {local_time(imprint.printed)}"
    return tuple(filter(None, (f"{source[:1].upper()}{source[1:]}", printed, imprint.notice)))


def data(value: Value, about: Column | Datum) -> object:
    """A value as CSV has it: unrounded, without signs that only people need."""
    if value is None or value == "":
        return ""
    say = _DATA.get(about.kind)
    plain: object = say(value) if say else value
    return clean(plain) if isinstance(plain, str) else plain


def number(value: Value, about: Column | Datum) -> float | int | None:
    """A value as a workbook computes with it; ``None`` for text, and for numbers that a float can't hold."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return None
    if about.kind in (CellKind.MONEY, CellKind.SIGNED):
        return value / 100 if not isinstance(value, Fraction) else float(value / 100)
    if about.kind == CellKind.UNITS:
        return float(Fraction(value) / 1_000_000)
    if about.kind == CellKind.EXACT:
        return None
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_NUMBER else None
    return float(value)
