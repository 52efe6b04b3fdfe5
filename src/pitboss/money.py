"""Money is integer cents. Dollars exist only in files and on screens."""

from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction

from pitboss.findings import UnreadableError
from pitboss.names import shortened

Cents = int
Units = int
UNITS_PER_CENT = 10_000
"""Meters and the books count in units of 1/10,000 cent."""
MOST_CENTS: Cents = 10**12
"""No single amount is larger; the books count in units of 1/10,000 cent and must hold a great many of them."""


class MoneyError(UnreadableError):
    """An amount that is not a whole number of cents."""


def cents(dollars: int | Decimal | str) -> Cents:
    """Whole cents of an exact dollar amount.

    >>> cents(10), cents(Decimal("12345.67")), cents("$1,000,000")
    (1000, 1234567, 100000000)
    """
    try:
        exact = Decimal(dollars.replace("$", "").replace(",", "")) if isinstance(dollars, str) else Decimal(dollars)
    except InvalidOperation:
        raise MoneyError(f"{shortened(repr(dollars))} is not an amount of dollars") from None
    if not exact.is_finite() or exact.adjusted() > 20 or abs(exact) * 100 > MOST_CENTS:
        raise MoneyError(f"{shortened(str(dollars))} is not an amount of at most {show_dollars(MOST_CENTS)}")
    scaled = exact * 100
    if scaled != scaled.to_integral_value():
        raise MoneyError(f"${exact} is not a whole number of cents")
    return int(scaled)


def show_dollars(amount: Cents) -> str:
    """Dollars as a person writes them.

    >>> show_dollars(1000), show_dollars(-123456)
    ('$10', '-$1,234.56')
    """
    sign = "-" if amount < 0 else ""
    whole, rest = divmod(abs(amount), 100)
    return f"{sign}${whole:,}" + (f".{rest:02d}" if rest else "")


def show_signed(amount: Cents) -> str:
    """A gain or a loss with its sign and two decimals, for columns.

    >>> show_signed(1000), show_signed(-50), show_signed(0)
    ('+10.00', '-0.50', '0.00')
    """
    sign = "+" if amount > 0 else "-" if amount < 0 else ""
    whole, rest = divmod(abs(amount), 100)
    return f"{sign}{whole:,}.{rest:02d}"


def plain_dollars(amount: Cents) -> str:
    """Dollars as files write them: ``10``, ``12.5``."""
    return decimal_of(Fraction(amount, 100))


def decimal_of(value: Fraction) -> str:
    """A terminating fraction in full."""
    with localcontext(prec=200):
        shown = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def show_units(units: Units) -> str:
    """Dollars with the part of a cent that only a meter knows.

    >>> show_units(12_345_000), show_units(-5), show_units(100_000_000)
    ('$12.345', '-$0.000005', '$100')
    """
    sign = "-" if units < 0 else ""
    whole, part = divmod(abs(units), 100 * UNITS_PER_CENT)
    digits = f"{part:06d}".rstrip("0")
    if digits:
        digits = digits.ljust(2, "0")
    return f"{sign}${whole:,}" + (f".{digits}" if digits else "")
