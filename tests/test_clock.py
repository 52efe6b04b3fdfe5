"""Local time and gaming days, where clocks change and where UTC has another date."""

from datetime import date

import pytest

from pitboss.clock import day_of, local_iso, local_time, moment
from pitboss.findings import UnreadableError

HOUR = 3_600_000_000


@pytest.mark.parametrize(
    ("utc", "said"),
    [
        ("2026-11-18T01:30:00Z", "Nov 17, 2026, 8:30:00 p.m. EST"),
        ("2026-11-18T05:00:00Z", "Nov 18, 2026, 12:00:00 a.m. EST"),
        ("2026-11-18T17:00:00Z", "Nov 18, 2026, 12:00:00 p.m. EST"),
        ("2026-03-08T06:59:59Z", "Mar 8, 2026, 1:59:59 a.m. EST"),
        ("2026-03-08T07:00:00Z", "Mar 8, 2026, 3:00:00 a.m. EDT"),
        ("2026-11-01T05:30:00Z", "Nov 1, 2026, 1:30:00 a.m. EDT"),
        ("2026-11-01T06:30:00Z", "Nov 1, 2026, 1:30:00 a.m. EST"),
    ],
)
def test_a_moment_is_said_by_the_clocks_of_the_property(utc: str, said: str) -> None:
    assert local_time(utc) == said
    known = moment(utc)
    assert known is not None
    assert local_time(known) == said
    assert moment(local_iso(known)) == known


@pytest.mark.parametrize(
    ("local", "day"),
    [
        ("2026-11-18T02:00", date(2026, 11, 17)),
        ("2026-11-18T06:00", date(2026, 11, 18)),
        ("2026-03-08T03:00", date(2026, 3, 7)),  # the first minute after the clocks went forward
        ("2026-03-08T05:59", date(2026, 3, 7)),
        ("2026-11-01T01:30", date(2026, 10, 31)),
        ("2026-11-01T06:00", date(2026, 11, 1)),
    ],
)
def test_a_round_at_night_belongs_to_the_day_before(local: str, day: date) -> None:
    for latest in (False, True):
        known = moment(local, latest=latest)
        assert known is not None
        assert day_of(known) == day


def test_an_hour_that_comes_twice_is_searched_whole() -> None:
    first, last = moment("2026-11-01T01:30"), moment("2026-11-01T01:30", latest=True)
    assert first is not None
    assert last == first + HOUR


def test_the_length_of_gaming_days() -> None:
    """The day on which the clocks go forward has 23 hours, that on which they go back 25."""
    for start, hours in (("2026-03-07T06:00", 23), ("2026-10-31T06:00", 25), ("2026-11-17T06:00", 24)):
        begins = moment(start)
        assert begins is not None
        assert day_of(begins) == day_of(begins + hours * HOUR - 1)
        assert day_of(begins + hours * HOUR) != day_of(begins)


def test_another_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_TIMEZONE", "America/Sao_Paulo")
    assert local_time(moment("2026-11-18T01:30Z") or 0) == "Nov 17, 2026, 10:30:00 p.m. UTC-03"
    monkeypatch.setenv("PITBOSS_TIMEZONE", "Mars/Olympus")
    with pytest.raises(UnreadableError, match="no time zone"):
        local_time(0)


@pytest.mark.parametrize("typed", ["noon", "2026-13-01T00:00", "2026-11-18T25:00", "9" * 40])
def test_a_time_that_nobody_can_read(typed: str) -> None:
    with pytest.raises(UnreadableError, match="is not a time"):
        moment(typed)
