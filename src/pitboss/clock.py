"""Moments as the property counts them: its local time, its gaming day, and UTC beside them for exports."""

import os
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitboss.findings import UnreadableError

MICROSECONDS = 1_000_000
DAY_BEGINS = 6
"""The hour at which a gaming day begins (temporary § 525.3, 40 Pa.B. 2539)."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MOMENTS = frozenset({"at", "began", "ended", "created"})
"""The names under which records have moments."""
Moment = int | str
"""Microseconds since 1970, or the same in ISO 8601 as records and exports have it."""


def property_zone() -> str:
    """The time zone of the property: ``PITBOSS_TIMEZONE``, or Pennsylvania's own."""
    return os.environ.get("PITBOSS_TIMEZONE") or "America/New_York"


@cache
def zone_named(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnreadableError(f"There is no time zone {name!r}; write one like America/New_York.") from None


def local(at: Moment, zone: str = "") -> datetime:
    """Return a moment by the clocks of the property, or of another zone."""
    utc = EPOCH + timedelta(microseconds=at) if isinstance(at, int) else datetime.fromisoformat(at)
    return utc.astimezone(zone_named(zone or property_zone()))


def day_of(at: Moment, zone: str = "") -> date:
    """Return the gaming day: from six in the morning to the next, by the clocks of the property or of another zone.

    >>> day_of(1_717_235_999_000_000), day_of(1_717_236_000_000_000)  # 05:59:59 and 06:00:00 in Pennsylvania
    (datetime.date(2024, 5, 31), datetime.date(2024, 6, 1))
    """
    return (local(at, zone).replace(tzinfo=None) - timedelta(hours=DAY_BEGINS)).date()


def days_later(day: date, count: int) -> date:
    """The day so many days later, or the last day that there is.

    >>> days_later(date(2026, 12, 31), 1), days_later(date.max, 2) == date.max
    (datetime.date(2027, 1, 1), True)
    """
    return date.fromordinal(min(day.toordinal() + count, date.max.toordinal()))


def day_begins(day: date) -> int:
    """Return the moment at which a gaming day begins by the clocks of the property.

    >>> day_of(day_begins(date(2026, 11, 18))), day_of(day_begins(date(2026, 11, 18)) - 1)
    (datetime.date(2026, 11, 18), datetime.date(2026, 11, 17))
    """
    begins = datetime(day.year, day.month, day.day, DAY_BEGINS, tzinfo=zone_named(property_zone()))
    return (begins - EPOCH) // timedelta(microseconds=1)


def day_words(day: date | str) -> str:
    """Return a day as pages and papers write it.

    >>> day_words("2026-11-18")
    'Nov 18, 2026'
    """
    known = date.fromisoformat(day) if isinstance(day, str) else day
    return f"{MONTHS[known.month - 1]} {known.day}, {known.year}"


def local_clock(at: Moment, zone: str = "") -> str:
    """Return the local time of day with its zone.

    >>> local_clock("2026-07-01T16:00:09Z")
    '12:00:09 p.m. EDT'
    """
    when = local(at, zone)
    half = "a.m." if when.hour < 12 else "p.m."
    name = when.tzname() or ""
    named = f"UTC{name}" if name[:1] in ("+", "-") else name
    return f"{(when.hour + 11) % 12 + 1}:{when:%M:%S} {half} {named}"


def local_time(at: Moment, zone: str = "") -> str:
    """Return a moment as pages and papers write it.

    >>> local_time("2026-11-18T02:04:05.000001Z")
    'Nov 17, 2026, 9:04:05 p.m. EST'
    """
    return f"{day_words(local(at, zone).date())}, {local_clock(at, zone)}"


def local_iso(at: Moment, zone: str = "") -> str:
    """Return local time for exports, with its distance from UTC.

    >>> local_iso("2026-11-18T02:04:05.000001Z")
    '2026-11-17T21:04:05.000001-05:00'
    """
    return local(at, zone).isoformat(timespec="microseconds")


def with_local_time(value: Any) -> Any:
    """Return data for an export in which local time stands beside every moment in UTC.

    >>> with_local_time({"at": "2026-11-18T02:04:05Z"})
    {'at': '2026-11-18T02:04:05Z', 'at_local': '2026-11-17T21:04:05.000000-05:00'}
    """
    if isinstance(value, list | tuple):
        return [with_local_time(each) for each in value]
    if not isinstance(value, dict):
        return value
    exported: dict[str, Any] = {}
    for name, each in value.items():
        exported[name] = with_local_time(each)
        if name in MOMENTS and isinstance(each, str) and each:
            exported[f"{name}_local"] = local_iso(each)
    return exported


def moment(text: str, *, latest: bool = False) -> int | None:
    """Return microseconds since 1970 of a time as people type it, local unless it says its zone; None if empty.

    Of an hour that the clocks go through twice it is the first, or with ``latest`` the second.

    >>> moment("2026-03-02T18:30"), moment("2026-03-02T18:30Z"), moment("")
    (1772494200000000, 1772476200000000, None)
    """
    if not text.strip():
        return None
    try:
        at = datetime.fromisoformat(text.strip())
        since = (at if at.tzinfo else at.replace(tzinfo=zone_named(property_zone()), fold=int(latest))) - EPOCH
    except (ValueError, OverflowError):
        raise UnreadableError(f"{text[:40]!r} is not a time: write it like 2026-03-02T18:30.") from None
    return (since.days * 86_400 + since.seconds) * MICROSECONDS + since.microseconds
