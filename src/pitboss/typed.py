"""Numbers as people type them at a command: read exactly, and refused in a sentence that says what is accepted."""

from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from pitboss.findings import UnreadableError
from pitboss.money import Cents, MoneyError, cents
from pitboss.names import shortened

LARGEST_STAKE: Cents = 100_000_000_00


def typed_day(given: date | str) -> date:
    """A day as a date or as a text such as ``2024-06-01``."""
    if isinstance(given, datetime):
        return given.date()
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given)
    except (TypeError, ValueError):
        raise UnreadableError(f"{given!r} is not a day: write it like 2024-06-01.") from None


def typed_dollars(text: str) -> Cents:
    """A stake: ``5``, ``2.50`` or ``$1,000``."""
    try:
        amount = cents(text.strip()) if _plain(text) else 0
    except MoneyError:
        amount = 0
    if not 1 <= amount <= LARGEST_STAKE:
        accepted = "write dollars from 0.01 to 100000000, such as 5 or 2.50"
        raise UnreadableError(f"{text.strip()!r} is not a stake: {accepted}.")
    return amount


def typed_percent(text: str, what: str = "hold") -> Fraction:
    """A hold in percent, as a share: ``typed_percent("3.5") == Fraction(7, 200)``."""
    try:
        value = Decimal(text.strip().removesuffix("%").strip()) if _plain(text) else Decimal("nan")
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite() or abs(value) > 1000:
        raise UnreadableError(f"{text.strip()!r} is not a {what} in percent: write a number such as 3 or 2.5.")
    return Fraction(value) / 100


def typed_chance(text: str) -> Fraction:
    """A chance or a rate from 0 to 1, as a decimal or a fraction. Raise before anything long is written out.

    >>> typed_chance("0.01"), typed_chance("7/50")
    (Fraction(1, 100), Fraction(7, 50))
    """
    try:
        chance = Fraction(text.strip()) if _plain(text) else None
    except (ValueError, ZeroDivisionError):
        chance = None
    if chance is None:
        raise UnreadableError(f"{shortened(repr(text))} is not a chance: write it like 1/100 or 0.01.")
    if not 0 <= chance <= 1:
        raise UnreadableError(f"A chance is from 0 to 1, not {text.strip()}.")
    return chance


def typed_count(text: str, what: str = "rounds", most: int = 2**62) -> int:
    """``1e8`` as 100,000,000, without a float on the way."""
    try:
        value = Decimal(text.replace("_", "").replace(",", "")) if _plain(text) else Decimal("nan")
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite() or value != value.to_integral_value() or not 1 <= value < most:
        raise UnreadableError(f"{text!r} is not a number of {what}: write a whole number from 1 on, 1000000 or 1e6.")
    return int(value)


def within(value: int, what: str, least: int, most: int) -> int:
    """A whole number that the command line has read already, refused where it makes no sense."""
    if not least <= value <= most:
        raise UnreadableError(f"{what} is a whole number from {least} to {most}, not {value}.")
    return value


def _plain(text: str) -> bool:
    """Neither so long nor so large that writing it out would take forever."""
    _, _, power = text.lower().partition("e")
    return len(text) <= 40 and (not power or (power.lstrip("+-").isdigit() and len(power) <= 3))
