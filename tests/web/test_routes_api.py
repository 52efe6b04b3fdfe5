"""Every route for every job function: one table, default deny, and a refusal is recorded."""

import asyncio
import re

import httpx
import pytest
from fastapi import FastAPI

from pitboss.ledger.people import Session
from pitboss.table.permissions import may
from pitboss.table.roles import Role
from pitboss.web.api import create_app
from pitboss.web.routes import PUBLIC_ROUTES, ROUTES
from pitboss.web.security import route_keys
from pitboss.web.server import build
from tests.web.harness import CHEAP, House

LETTERS = {
    "D": Role.DEALER,
    "F": Role.FLOORPERSON,
    "M": Role.PIT_MANAGER,
    "C": Role.CASHIER,
    "P": Role.PLAYER,
    "A": Role.AUDITOR,
    "X": Role.ADMINISTRATOR,
}
ONE_OF_EACH = {
    Role.DEALER: "dealer-1",
    Role.FLOORPERSON: "floor-1",
    Role.PIT_MANAGER: "manager-1",
    Role.CASHIER: "cashier-1",
    Role.PLAYER: "p1",
    Role.AUDITOR: "auditor-1",
    Role.ADMINISTRATOR: "admin-1",
}

# The table a second time, by letters, so that a slip of the hand in either is seen.
EXPECTED = """
POST /api/logout DFMCPAX; GET /api/me DFMCPAX; POST /api/me/password DFMCPAX; POST /api/me/confirmation DFMCAX;
GET /api/tables DFMCPAX; GET /api/property DFMAX; POST /api/property MX;
GET /api/tables/{table} DFMCPAX; POST /api/tables/{table}/commands DFMCPAX; GET /api/tables/{table}/events DFMCPAX;
GET /api/tables/{table}/stream DFMCPAX; GET /api/tables/{table}/rounds DFMCPAX;
GET /api/tables/{table}/rounds/{number} DFMCPAX; GET /api/tables/{table}/rounds/{number}/deal DFMCPAX;
GET /api/balance DFMCPAX; GET /api/meters DFMCPAX; GET /api/meters/stream DFMCPAX;
GET /api/meters/{meter}/history DFMCPAX; POST /api/submissions/check DFMCPAX; GET /api/tables/{table}/balances DFMCA;
POST /api/meters M; POST /api/meters/{meter}/changes M; GET /api/changes DFMAX; POST /api/changes/{number}/approve FMAX;
POST /api/changes/{number}/reject DFMAX; GET /api/accounts AX; POST /api/accounts X; POST /api/accounts/{id}/disable X;
POST /api/accounts/{id}/enable X; POST /api/accounts/{id}/reset X; POST /api/accounts/{id}/role X;
GET /api/audit/events FMAX; GET /api/audit/significant FMAX; POST /api/audit/verify AX;
GET /api/audit/export AX; POST /api/audit/acknowledge AX
"""
ROWS = {
    key: frozenset(LETTERS[letter] for letter in letters)
    for key, letters in (row.strip().rsplit(" ", 1) for row in EXPECTED.replace("\n", " ").split(";"))
}


def app_of(url: str) -> FastAPI:
    built = build(url, cost=CHEAP)
    built.store.close()
    return built.app


def test_the_table_lists_every_route_and_nothing_else(sqlite_url: str) -> None:
    found = route_keys(app_of(sqlite_url))
    assert found - PUBLIC_ROUTES == set(ROUTES) == set(ROWS)
    assert found >= PUBLIC_ROUTES == {"POST /api/login", "GET /api/health", "GET /api/openapi.json"}


@pytest.mark.parametrize("key", sorted(ROWS))
def test_every_cell(key: str) -> None:
    assert {role for role in Role if may(role, ROUTES[key])} == ROWS[key]


def test_every_route_answers_every_job_function_as_the_table_says(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    wrong, denied = [], 0
    house.store.refusals.most = 1000  # each is counted here, none left out
    for role, id in ONE_OF_EACH.items():
        client = house.log_in(id)
        for key in sorted(ROWS, key=lambda key: key == "POST /api/logout"):
            method, path = key.split(" ")
            path = re.sub("{table}", "t1", re.sub("{number}", "99", re.sub("{(meter|id)}", "nobody", path)))
            with client.http.stream(method, path, headers=client.headers({"Request-Key": "some-key-01"})) as answer:
                allowed = answer.status_code != 403
            denied += not allowed
            if allowed is not (role in ROWS[key]):
                wrong.append((key, str(role), answer.status_code))
    assert not wrong
    recorded = house["auditor-1"].shown("/audit/events?stream=&kinds=permission.refused")["events"]
    assert len(recorded) == denied == sum(len(ONE_OF_EACH.keys() - roles) for roles in ROWS.values())


def test_nobody_gets_in_without_a_session(house: House) -> None:
    with house.http() as http:
        for key in sorted(ROWS):
            method, path = key.split(" ")
            path = re.sub("{number}", "1", re.sub("{[a-z]+}", "t1", path))
            assert http.request(method, path).status_code == 401, key
        for bad in ("Bearer x", "Basic abc", "Bearer " + "x" * 5000, "bearer"):
            assert http.get("/api/me", headers={"Authorization": bad}).status_code == 401
        assert http.get("/api/health").status_code == 200
        assert http.get("/api/openapi.json").status_code == 200


async def _asked(app: FastAPI, path: str, token: str) -> int:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://house") as http:
        return (await http.get(path, headers={"Authorization": f"Bearer {token}"})).status_code


def test_a_route_that_is_not_in_the_table_is_denied_to_all(house: House) -> None:
    app = create_app(house.pit, house.people)

    @app.get("/api/forgotten")
    def forgotten() -> str:
        return "open to all"

    assert "GET /api/forgotten" in route_keys(app)
    for id in ONE_OF_EACH.values():
        assert asyncio.run(_asked(app, "/api/forgotten", house[id].token)) == 403


def test_an_unknown_address_and_a_wrong_method_are_refused_in_the_same_shape(house: House) -> None:
    for method, path, status in (
        ("GET", "/api/nothing", 404),
        ("GET", "/", 404),
        ("GET", "/docs", 404),
        ("DELETE", "/api/tables", 405),
        ("GET", "/api/tables/", 404),
        ("GET", "/api/tables/../../etc/passwd", 404),
        ("GET", "/api/tables/..%2f..%2fetc", 404),
        ("GET", "/api/tables/%00", 400),
        ("GET", "/api/tables/T1", 400),
        ("GET", "/api/tables/t1%0a", 400),
        ("GET", "/api/audit/events?stream=%00", 400),
    ):
        answer = house["admin-1"].http.request(method, path, headers=house["admin-1"].headers({}))
        assert answer.status_code == status, (path, answer.text)
        assert answer.json()["ok"] is False
        assert answer.json()["findings"][0]["sentence"].endswith(".")


def test_the_guard_asks_once_for_each_request(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    client, before = house["p1"], house.people.session_of
    asked: list[str] = []

    def counted(token: str, *, active: bool = True) -> Session | None:
        asked.append(token)
        return before(token, active=active)

    monkeypatch.setattr(house.people, "session_of", counted)
    client.shown("/me")
    assert asked == [client.token]
