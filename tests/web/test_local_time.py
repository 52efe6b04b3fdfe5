"""No page and no paper of a house shows bare UTC, when it is 1:30 on November 18 there and 8:30 p.m. before here."""

import json
import re
from collections.abc import Iterator
from itertools import count

import httpx
import pytest

from pitboss.ledger.incidents import IncidentLog
from pitboss.ledger.people import Person
from pitboss.ledger.recall import recall
from pitboss.ledger.search import Wanted, find
from pitboss.ledger.significant import significant
from pitboss.ledger.slips import due_slip, kept_slips
from pitboss.ledger.store import Store
from pitboss.paper.page import html_of
from pitboss.paper.table_csv import csv_of
from pitboss.reports.incidents import incidents_paper, significant_paper
from pitboss.reports.rounds import round_file, round_paper, rounds_file, rounds_paper
from pitboss.reports.slip import slip_paper
from pitboss.table.roles import Role
from tests.ledger.house import House
from tests.test_cli import Ran
from tests.web.harness import PASSWORD, play_inside, running

NIGHT = 1_794_965_400_000_000
"""2026-11-18 01:30 UTC."""
BARE = re.compile(r"2026-11-18|Nov(?:ember)? 18|\bUTC\b|T01:3|\b01:3\d")
LOCAL = "Nov 17, 2026, 8:3"
AUDITOR = Person("auditor-9", "Auditor", Role.AUDITOR)
PAGES = ("/", "/audit", "/audit?table=t1", "/audit?table=t1&round=1", "/slips", "/incidents?state=all", "/meters",
         "/consents", "/school", "/accounts", "/table/t1", "/signs", "/submissions", "/password")  # fmt: skip


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    with Store(sqlite_url) as store:
        yield House(store, now=NIGHT)


def bare(text: str) -> list[str]:
    """Moments in UTC, apart from those in the values that only programs read."""
    return BARE.findall(re.sub(r"since=\S+|until=\S+", "", text))


def test_a_round_its_slip_and_its_incidents_are_said_in_local_time(house: House) -> None:
    house.opened("t1", "four-card-poker", source="keyed").wagers("t1").until("t1", "dealing")
    house.key_in("t1", {"seat 1": "As Ks Qs Js Ts"})
    while (due := due_slip(house.pit, "t1")) is None:
        house.step("t1")
    house.until("t1", "shuffling")
    (kept,) = kept_slips(house.store, "t1", 1, AUDITOR)
    assert (due.day, kept.day) == ("2026-11-17", "2026-11-17")
    shown = {
        "slip": html_of(slip_paper([due, kept])),
        "round": html_of(round_paper(recall(house.store, "t1", 1, AUDITOR))),
        "significant": html_of(significant_paper(list(significant(house.store)))),
        "rounds": html_of(rounds_paper(find(house.store, Wanted(), AUDITOR).rounds, Wanted())),
    }
    for name, text in shown.items():
        assert LOCAL in text, name
        assert not bare(text), name
        assert "Gaming day" in text, name
    url = house.store.engine.url.render_as_string(hide_password=False)
    for command in (["replay", "t1"], ["replay", "t1", "1"], ["find"], ["significant"]):
        ran = Ran("audit", *command, "--db", url)
        assert LOCAL in ran.out, (command, ran.err)
        assert not bare(ran.out), command


def test_exports_have_local_time_beside_utc(house: House) -> None:
    house.opened("t1", "three-card-poker").round("t1")
    found = find(house.store, Wanted(), AUDITOR)
    head, row, *_ = rounds_file(found, Wanted(), "csv").decode().splitlines()
    assert head.startswith("where,table,round,game,gaming day,began,began (UTC),")
    times = r"2026-11-17,2026-11-17T20:30:\d\d\.\d{6}-05:00,2026-11-18T01:30:\d\d\.\d{6}Z,"
    assert re.match(f'"t1, round 1",t1,1,Three Card Poker,{times}', row)
    round_ = json.loads(round_file(recall(house.store, "t1", 1, AUDITOR), "json"))
    assert round_["day"] == "2026-11-17"
    for name in ("began", "ended"):
        assert round_[name].startswith("2026-11-18T01:30")
        assert round_[f"{name}_local"].startswith("2026-11-17T20:30")
    assert all(step["at_local"].startswith("2026-11-17T20:30") for step in round_["steps"])
    head, row, *_ = csv_of(incidents_paper(IncidentLog(house.store).look())).splitlines()
    assert head.startswith("event,time,time (UTC),")
    assert "2026-11-17T20:30" in row.split(",")[1]
    assert "2026-11-18T01:30" in row.split(",")[2]
    from pitboss.ledger.export import export_lines

    assert all(json.loads(line)["at_local"].startswith("2026-11-17T20:30") for line in export_lines(house.store))


def test_no_page_of_the_site_shows_bare_utc(sqlite_url: str) -> None:
    ticks = count(NIGHT, 1_000)
    with running(sqlite_url, pages=True, clock=lambda: next(ticks)) as open_house:
        open_house.open("t1", "three-card-poker", 1, 2)
        play_inside(open_house.pit, "t1", 1, 1, 2)
        for who in ("auditor-1", "manager-1", "p1"):
            with httpx.Client(base_url=open_house.url, timeout=30, follow_redirects=True) as http:
                assert http.post("/api/login", json={"id": who, "password": PASSWORD}).status_code == 200
                for page in PAGES:
                    text = http.get(page).text
                    assert not bare(text), (who, page, bare(text))
                    assert LOCAL in text or not (page.startswith("/incidents") and who != "p1"), (who, page)
