"""Every page of the application is in one table, which says who may open it; presses from elsewhere are refused."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts
from starlette.routing import Route

from pitboss.submission import template
from pitboss.table.permissions import may
from pitboss.web.render import POLICY
from pitboss.web.routes import ANYBODY, PAGES
from pitboss.web.security import COOKIE
from pitboss.web.site import VIEWS
from pitboss.web.submitted import packed
from tests.web.harness import House, running
from tests.web.test_routes_api import ONE_OF_EACH

DAY = date(2024, 6, 1)
NOT_PAGES = ("/api/", "/s/")
MAY_BE_MISSING = ("/slip/", "/table/", "/audit/", "/signs/")
SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('routes') / 'ledger.db'}", pages=True) as opened:
        yield opened


def session(house: House, who: str) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={house[who].token}"} if who else {}


def test_the_table_lists_every_page_of_the_application(house: House) -> None:
    served: Any = house.server.config.app
    paths = {str(route.path) for route in iter_route_contexts(served.routes) if route.methods}
    assert {path for path in paths if not path.startswith(NOT_PAGES)} == PAGES.keys()


def test_pages_open_to_those_whom_the_table_names(house: House) -> None:
    wrong = []
    for path in (route.path for route in VIEWS if isinstance(route, Route) and not route.path.startswith("/s/")):
        everybody = ((None, ""), *ONE_OF_EACH.items())
        for role, who in everybody[:2] if PAGES[path] == ANYBODY else everybody:
            what = "figures" if path.startswith("/analyst") else "petition" if "submissions" in path else "sign"
            address = path.format(game="sic-bo", kind="json", table="t1", number=1, token="0" * 32, what=what)
            if what == "petition":
                address += f"?state=NJ&submission={packed(template('sic-bo', DAY))}"
            status = house.http().get(address, headers=session(house, who)).status_code
            allowed = PAGES[path] == ANYBODY or (role is not None and may(role, PAGES[path]))
            expected = (
                (200, 303, 404 if path.startswith(MAY_BE_MISSING) else 200) if allowed else (403,) if who else (303,)
            )
            if status not in expected:
                wrong.append((path, who, status))
    assert wrong == []


def test_pages_come_under_the_strict_policy_and_fetch_what_is_there(house: House) -> None:
    answer = house.http().get("/law")
    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["cache-control"] == "no-store"
    assert not re.search(r"<style|<script>| style=| on[a-z]+=", answer.text)
    files = re.findall(r'"(/s/[^"#]+)', answer.text)
    assert {Path(name).suffix for name in files} == {".css", ".js", ".svg"}
    for name in files:
        found = house.http().get(name)
        assert found.status_code == 200
        assert "immutable" in found.headers["cache-control"]
    old = files[0].split("/")
    assert house.http().get("/".join([*old[:2], "0" * 16, *old[3:]])).headers["cache-control"] == "no-cache"
    assert house.http().get("/".join([*old[:3], "..%2frender.py"])).status_code == 404


@pytest.mark.parametrize(
    ("headers", "token", "said"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, True, "did not come from a page of this site"),
        ({"Sec-Fetch-Site": "same-site"}, True, "did not come from a page of this site"),
        ({}, True, "did not come from a page of this site"),
        ({"Origin": "http://elsewhere.example"}, True, "did not come from a page of this site"),
        (SAME, False, "from an earlier session"),
        (SAME, True, ""),
    ],
)
def test_a_press_counts_only_from_a_page_of_this_site(
    house: House, headers: dict[str, str], token: bool, said: str
) -> None:
    page = house.http().get("/accounts", headers=session(house, "admin-1")).text
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert csrf is not None
    form = {"do": "disable", "id": "p7", "csrf": csrf[1] if token else "x" * len(csrf[1])}
    answer = house.http().post("/accounts", data=form, headers={**headers, **session(house, "admin-1")})
    disabled = next(each.disabled for each in house.people.everyone() if each.person.id == "p7")
    assert (answer.status_code, disabled) == ((422, False) if said else (303, True))
    assert said in answer.text


def test_a_press_of_another_job_function_changes_nothing(house: House) -> None:
    """The page itself is refused before the press is read, and the permission is asked for again by the act."""
    page = house.http().get("/accounts", headers=session(house, "auditor-1")).text
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert csrf is not None
    for act in ("create", "disable", "enable", "reset", "nothing", ""):
        form = {"do": act, "id": "p6", "name": "x", "role": "dealer", "password": "a long password", "csrf": csrf[1]}
        answer = house.http().post("/accounts", data=form, headers={**SAME, **session(house, "auditor-1")})
        assert answer.status_code == 422, act
    assert not next(each.disabled for each in house.people.everyone() if each.person.id == "p6")


def test_a_log_in_leads_back_to_this_site_only(house: House) -> None:
    for then, to in (("/law?q=envy", "/law?q=envy"), ("//elsewhere.example", "/"), ("/\\elsewhere", "/"), ("", "/")):
        form = {"id": "auditor-1", "password": "a long password"}
        answer = house.http().post("/login", params={"then": then}, data=form, headers=SAME)
        assert (answer.status_code, answer.headers["location"]) == (303, to)
    wrong = house.http().post("/login", data={"id": '"><b>', "password": "no"}, headers=SAME)
    assert wrong.status_code == 422
    assert 'value="&#34;&gt;&lt;b&gt;"' in wrong.text


def test_a_form_of_too_many_fields_is_refused_in_a_sentence(house: House) -> None:
    body = "&".join(f"f{number}=1" for number in range(5_000))
    headers = {**SAME, "Content-Type": "application/x-www-form-urlencoded"}
    for path in ("/login", "/settle"):
        answer = house.http().post(path, content=body, headers=headers)
        assert answer.status_code == 413
        assert "at most 500 fields" in answer.text


def test_a_field_with_a_nul_is_refused_in_a_sentence(house: House) -> None:
    """PostgreSQL can't hold one."""
    answer = house.http().post("/login", data={"id": "admin\0-1", "password": "x"}, headers=SAME)
    assert (answer.status_code, "NUL" in answer.text) == (400, True)
