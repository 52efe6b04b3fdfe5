"""What a pay table to order must be like, as a record and as people write it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Annotated, Final, Literal, get_args

from pitboss.findings import UnreadableError
from pitboss.law.odds import MOST_RATE
from pitboss.names import listed, name_of, shown
from pitboss.reader import Parsed, Together, ValueLimits, names_of, required
from pitboss.typed import typed_percent

Order = Literal["below", "level", "any"]
Taste = Literal["all", "near", "steady", "lively", "middle"]
TASTES: Final[Mapping[str, str]] = {
    "all": "every table, the lowest hand's pay first",
    "near": "fewest rows changed, then by the least",
    "steady": "the smallest deviation",
    "lively": "the largest deviation",
    "middle": "the hold nearest to the middle of the range",
}
ORDERS: Final[Mapping[str, str]] = {
    "below": "every row below the next higher hand",
    "level": "no row above the next higher hand",
    "any": "rows in any order",
}


@dataclass(frozen=True)
class Wishes:
    """What a table must be like."""

    low: Fraction
    high: Fraction
    """The hold lies between these, both included."""
    unit: Fraction = Fraction(1)
    """Rows pay whole multiples of it: 1 for whole odds, 1/2 for halves."""
    order: Order = "below"
    bounds: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    """The least and the most that a row may pay; equal where it is fixed."""
    top: Fraction | None = None
    """The most that any row may pay; without it 1,000, or what the law's table pays if that is more."""
    hits: tuple[Fraction, Fraction] | None = None
    """The hit frequency lies between these: low rows without bounds may pay nothing. Without it every row pays."""
    deviation: tuple[Fraction, Fraction] | None = None
    seen: Fraction | None = None
    """The most that a side wager may be worth to a player who knows one card of its hand, the best one, per unit."""

    @property
    def words(self) -> str:
        """Everything but the range of holds, as part of a sentence."""
        whole = {1: "whole odds", Fraction(1, 2): "odds in halves"}.get(self.unit, f"odds in steps of {self.unit}")
        parts = [f"with {whole} and {ORDERS[self.order]}"]
        for row, (least, most) in self.bounds.items():
            parts.append(f"{shown(row)} at {least}" if least == most else f"{shown(row)} from {least} to {most}")
        if self.top is not None:
            parts.append(f"no row above {self.top}")
        if self.hits is not None:
            parts.append(f"hits from {float(self.hits[0]):.2%} to {float(self.hits[1]):.2%}")
        if self.deviation is not None:
            parts.append(f"a deviation from {float(self.deviation[0]):g} to {float(self.deviation[1]):g}")
        if self.seen is not None:
            parts.append(f"an edge of at most {float(self.seen):.2%} for a player who knows one card")
        return ", ".join(parts)

    def lighter(self) -> "Iterator[tuple[str, Wishes]]":
        """The same without one of the wishes, and which."""
        if self.unit == 1:
            yield "with halves allowed", replace(self, unit=Fraction(1, 2))
        if self.order == "below":
            yield "with equal pays allowed", replace(self, order="level")
        if self.order == "level":
            yield "in any order", replace(self, order="any")
        for row in self.bounds:
            others = {name: each for name, each in self.bounds.items() if name != row}
            yield f"with {shown(row)} free", replace(self, bounds=others)
        if self.top is not None:
            yield "with any top pay", replace(self, top=Fraction(MOST_RATE))
        if self.hits is not None:
            yield "with any hit frequency", replace(self, hits=None)
        if self.deviation is not None:
            yield "with any deviation", replace(self, deviation=None)
        if self.seen is not None:
            yield "with any edge from a known card", replace(self, seen=None)


def read_wishes(
    low: str,
    high: str,
    *,
    unit: str = "1",
    order: str = "below",
    rows: Iterable[str] = (),
    top: str | None = None,
    hits: str | None = None,
    deviation: str | None = None,
    seen: str | None = None,
) -> Wishes:
    """Wishes as they are written: holds, hits and edges in percent, pays as numbers, ranges as ``3..5``.

    Raise ``FieldsError`` with a sentence for every wish that can't be read.
    """
    given = (low, high, unit, order, tuple(rows), top, hits, deviation, seen)
    wish = required(WishKeys, dict(zip(names_of(WishKeys), given, strict=True)), limits=LIMITS)
    bounds = dict(wish.rows)
    return Wishes(wish.low, wish.high, wish.unit, wish.order, bounds, wish.top, wish.hits, wish.deviation, wish.seen)


def taste_named(name: str) -> Taste:
    for taste in get_args(Taste):
        if name == taste:
            return taste  # type: ignore[no-any-return]
    raise UnreadableError(f"{name!r} is no taste: write {listed(TASTES)}.")


def _range(text: str, what: str) -> tuple[Fraction, Fraction]:
    """``3..5``, or one number for both ends.

    >>> _range("3..11/2", "hits"), _range("7", "hits")
    ((Fraction(3, 1), Fraction(11, 2)), (Fraction(7, 1), Fraction(7, 1)))
    """
    first, sign, last = text.partition("..")
    least = _pay(first, what)
    most = _pay(last, what) if sign else least
    if least > most:
        raise UnreadableError(f"{text.strip()!r} for {what} goes down: write the smaller number first.")
    return least, most


def _pay(text: str, what: str = "a pay") -> Fraction:
    """A number that is not below zero, as a whole, a decimal or a fraction."""
    plain = text.strip()
    try:
        value = Fraction(plain) if len(plain) <= 12 and plain.isascii() and "e" not in plain.lower() else None
    except (ValueError, ZeroDivisionError):
        value = None
    if value is None or not 0 <= value <= MOST_RATE:
        raise UnreadableError(f"{plain[:40]!r} is no number for {what}: write 7, 2.5 or 3/2.")
    return value


def _unit(text: str) -> Fraction:
    step = _pay(text, "the unit of pays")
    if not 0 < step <= 10 or step.denominator > 100:
        raise UnreadableError(f"{text!r} is no unit of pays: write 1 for whole odds or 1/2 for halves.")
    return step


def _bounds(text: str) -> tuple[str, tuple[Fraction, Fraction]]:
    row, sign, given = text.partition("=")
    if not sign or not row.strip():
        raise UnreadableError(f"{text!r} bounds no row: write ROW=LEAST..MOST, for example flush=3..5.")
    return name_of(row.strip()), _range(given, f"the pays of {row.strip()}")


def _hits(text: str) -> tuple[Fraction, Fraction]:
    least, most = _range(text.replace("%", ""), "hits")
    return least / 100, most / 100


LIMITS: Final = ValueLimits(text=200)
Percent = Annotated[Fraction, Parsed("a percentage such as 2.5", str, typed_percent)]
Range = tuple[Fraction, Fraction]


@dataclass(frozen=True, kw_only=True)
class WishKeys(Together):
    """Wishes as they are written."""

    low: Percent
    high: Percent
    unit: Annotated[Fraction, Parsed("1 for whole odds or 1/2 for halves", str, _unit)]
    order: Order
    rows: tuple[Annotated[tuple[str, Range], Parsed("ROW=LEAST..MOST", str, _bounds)], ...]
    top: Annotated[Fraction, Parsed("a number such as 12", str, partial(_pay, what="the top pay"))] | None
    hits: Annotated[Range, Parsed("percentages such as 2..30", str, _hits)] | None
    deviation: Annotated[Range, Parsed("numbers such as 2.2..2.4", str, partial(_range, what="the deviation"))] | None
    seen: Percent | None

    def misfits(self) -> Iterator[str]:
        if self.low > self.high:
            yield f"The least hold of {float(self.low * 100):g} % is above the largest of {float(self.high * 100):g} %."
