"""Records and accounts over HTTP, and what the interface says about itself."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi import FastAPI

from pitboss.table.command import COMMANDS
from pitboss.web.routes import PUBLIC_ROUTES
from pitboss.web.security import house_of
from pitboss.web.server import build, start
from tests.web.harness import CHEAP, PASSWORD, House, play_inside


def test_events_of_the_house_by_filter(house: House) -> None:
    house.open("t1", "three-card-poker", 1)
    auditor = house["auditor-1"]
    everything = auditor.shown("/audit/events")
    assert [event["seq"] for event in everything["events"]] == list(range(1, everything["head"] + 1))
    table = auditor.shown("/audit/events?stream=t1")["events"]
    assert {event["stream"] for event in table} == {"t1"}
    assert auditor.shown("/audit/events?stream=")["events"] == [e for e in everything["events"] if e["stream"] == ""]
    assert auditor.shown("/audit/events?kinds=seat.taken&kinds=table.opened&after=1&limit=1")["events"] == table[:1]
    assert auditor.shown("/audit/events?stream=t1&round=7")["events"] == []
    assert house["p1"].get("/audit/events").status_code == 403


def test_verify_significant_and_export(house: House) -> None:
    house.open("t1", "three-card-poker", 1, 2)
    play_inside(house.pit, "t1", 2, 1, 2)
    assert house["p1"].get("/accounts").status_code == 403
    verified = house["auditor-1"].post("/audit/verify")
    assert verified.status_code == 200
    assert verified.json()["ok"] is True, verified.text
    lines = house["auditor-1"].shown("/audit/significant")["events"]
    assert {"table.opened", "permission.refused"} <= {line["kind"] for line in lines}
    assert all(line["sentence"] and line["who"] and line["at"] for line in lines)
    assert len(house["auditor-1"].shown("/audit/significant?limit=1")["events"]) == 1
    exported = house["auditor-1"].get("/audit/export")
    assert exported.headers["content-type"].startswith("application/jsonl")
    records = [json.loads(line) for line in exported.text.splitlines()]
    shown: list[Any] = []
    while page := house["auditor-1"].shown(f"/audit/events?after={len(shown)}")["events"]:
        shown += page
    assert [{name: each[name] for name in each if name != "at_local"} for each in records] == shown[: len(records)]
    only = house["auditor-1"].get("/audit/export?stream=t1&kinds=round.completed").text.splitlines()
    assert len(only) == 2


def test_one_verification_at_a_time(house: House) -> None:
    app = house.server.config.app
    assert isinstance(app, FastAPI)
    with house_of(app).only_one("verifying"):
        answer = house["auditor-1"].post("/audit/verify")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
    assert house["auditor-1"].post("/audit/verify").status_code == 200


def test_the_start_is_recorded_when_a_lost_anchor_is_acknowledged(house: House) -> None:
    start(house.pit)
    house.open("t1", "three-card-poker", 1)
    play_inside(house.pit, "t1", 1, 1)
    house.store.anchor.path.unlink()
    start(house.pit)
    assert {finding["code"] for finding in house["p1"].shown("/tables")["closed_to_play"]} == {"anchor"}
    assert (
        house["p1"].command("t1", {"command": "wager", "seat": 1, "wager": "ante", "amount": 1000}).status_code == 422
    )
    assert house["manager-1"].post("/audit/acknowledge", {"reason": "x"}).status_code == 403
    assert house["auditor-1"].post("/audit/acknowledge", {"reason": " "}).status_code == 422
    clients = [house["auditor-1"], house["admin-1"]]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda c: c.post("/audit/acknowledge", {"reason": "the disk is new"}), clients))
    assert sorted(answer.status_code for answer in answers) == [200, 422]
    kinds = [event["kind"] for event in house["auditor-1"].shown("/audit/events?stream=&limit=500")["events"]]
    assert [kind for kind in kinds if kind in ("system.started", "anchor.acknowledged")] == [
        "system.started", "anchor.acknowledged", "system.started",
    ]  # fmt: skip
    house["p1"].do("t1", "wager", seat=1, wager="ante", amount=1000)
    assert house["auditor-1"].post("/audit/verify").json()["ok"]


def test_accounts(house: House) -> None:
    admin = house["admin-1"]
    new = {"id": "dealer-9", "name": "Ninth dealer", "role": "dealer", "password": PASSWORD}
    made = {"id": "dealer-9", "name": "Ninth dealer", "role": "dealer", "waiting": 0}
    assert admin.post("/accounts", new).json() == made
    assert admin.post("/accounts", new).json()["findings"][0]["code"] == "person-exists"
    for wrong in ({"role": "king"}, {"role": "system"}, {"id": "No Name"}, {"password": "short"}, {"name": " "}):
        answer = admin.post("/accounts", {**new, "id": "dealer-8", **wrong})
        assert answer.status_code == 422
        assert PASSWORD not in answer.text
    client = house.log_in("dealer-9")
    changed = admin.post("/accounts/dealer-9/role", {"role": "floorperson"}).json()
    assert changed["role"] == "floorperson"
    assert client.get("/me").status_code == 401
    assert house["auditor-1"].post(f"/changes/{changed['waiting']}/approve").status_code == 200
    assert house.log_in("dealer-9").shown("/me")["person"]["role"] == "floorperson"
    assert admin.post("/accounts/dealer-9/disable").status_code == 200
    listed = {account["id"]: account for account in house["auditor-1"].shown("/accounts")["accounts"]}
    assert listed["dealer-9"]["disabled"] is True
    assert admin.post("/accounts/admin-1/disable").json()["findings"][0]["code"] == "last-administrator"
    assert admin.post("/accounts/nobody/disable").json()["findings"][0]["code"] == "person-unknown"


def test_balances_of_others_are_for_those_who_run_the_game(house: House) -> None:
    house.open("t1", "three-card-poker", 1, 2)
    assert house["p1"].shown("/balance") == {"player": "p1", "chips": 1_000_000}
    assert house["dealer-1"].shown("/balance?player=p2&table=t1") == {"player": "p2", "chips": 1_000_000}
    assert house["p1"].get("/balance?player=p2&table=t1").status_code == 403
    assert house["p1"].get("/tables/t1/balances").status_code == 403
    assert house["dealer-1"].get("/balance?player=p3&table=t1").status_code == 404
    assert house["dealer-1"].get("/balance?player=p2&table=t9").status_code == 404


def test_a_dealer_sees_the_chips_at_this_table_only(house: House) -> None:
    first, second = house.open("t1", "three-card-poker", 1, 2), house.open("t2", "sic-bo")
    house["p1"].do("t2", "sit", seat=3)
    house["floor-1"].do("t2", "buy_in", amount=7_000, player="p1", slip=house.slip("t2"))
    first.round()
    totals = house["floor-1"].shown("/tables/t1/rounds/1")["totals"]

    def seen(who: str, table: str) -> dict[str, int]:
        balances = house[who].shown(f"/tables/{table}/balances")["balances"]
        return {line["player"]: line["chips"] for line in balances}

    at_first = {f"p{seat}": 1_000_000 + totals[str(seat)] for seat in (1, 2)}
    assert seen("dealer-1", "t1") == at_first
    assert seen("dealer-1", "t2") == {"p1": 7_000}
    assert seen("floor-1", "t2") == {"p1": 7_000 + at_first["p1"]}
    recalled = house["dealer-1"].shown("/tables/t1/rounds/1")
    assert recalled["balances"] == []
    assert {line["balance"] for line in recalled["lines"]} == {None}
    assert house["floor-1"].shown("/tables/t1/rounds/1")["balances"]
    second.until("wagering")
    wanted = {"command": "wager", "seat": 3, "wager": "small", "amount": 90_000_000}
    findings = {who: house[who].command("t2", wanted).json()["findings"] for who in ("dealer-1", "p1")}
    said = {who: next(f for f in found if f["code"] == "chips") for who, found in findings.items()}
    assert said["dealer-1"]["sentence"] == "p1 doesn't have $900,000 in chips. Cash must be changed first."
    assert "$" not in said["dealer-1"]["expected"].replace("$900,000", "")
    assert said["p1"]["expected"].startswith("at most $")


def document(url: str) -> dict[str, Any]:
    built = build(url, cost=CHEAP)
    built.store.close()
    return built.app.openapi()


def test_the_description_is_complete(sqlite_url: str) -> None:
    described = document(sqlite_url)
    assert "Not approved for wagering money" in described["info"]["description"]
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            key = f"{method.upper()} {path}"
            assert operation["tags"], key
            assert operation["responses"]["200"]["content"], key
            assert {"400", "401", "403", "422", "429", "503"} <= set(operation["responses"]), key
            assert bool(operation.get("security")) is (key not in PUBLIC_ROUTES), key
            for status, answer in operation["responses"].items():
                if status != "200":
                    [shape] = answer["content"].values()
                    expected = "/CommandWaits" if status == "202" else "/Refusal"
                    assert shape["schema"]["$ref"].endswith(expected), (key, status)
    assert set(described["components"]["securitySchemes"]) == {"token", "cookie"}


def test_every_command_is_described(sqlite_url: str) -> None:
    body = document(sqlite_url)["paths"]["/api/tables/{table}/commands"]["post"]["requestBody"]
    shapes = body["content"]["application/json"]["schema"]["oneOf"]
    described = {shape["properties"]["command"]["const"]: shape for shape in shapes}
    assert set(described) == set(COMMANDS)
    assert described["wager"]["required"] == ["command", "seat", "wager", "amount"]
    assert described["stub"]["properties"]["count"]["anyOf"][1] == {"type": "null"}
    assert all(shape["additionalProperties"] is False for shape in shapes)
