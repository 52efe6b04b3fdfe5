"""Duties over HTTP: a second person at their own screen, given passwords, accounts that are reset and let in again."""

from typing import Any

import httpx
import pytest

from pitboss.web.routes import ROUTES
from pitboss.web.security import WITH_ANY_PASSWORD
from tests.table.driver import submission_text
from tests.web.harness import PASSWORD, Client, House

OWN = "seven blue dice"
GIVEN = "a first password"


def code(answer: httpx.Response) -> str:
    return str(answer.json()["findings"][0]["code"])


def new(id: str, role: str) -> dict[str, Any]:
    return {"id": id, "name": "Somebody", "role": role, "password": GIVEN}


def taken_over(house: House, id: str, given: str = GIVEN) -> Client:
    """The person of a new account logs in for the first time and chooses a password."""
    assert house.log_in(id, given).post("/me/password", {"old": given, "new": OWN}).status_code == 200
    return house.log_in(id, OWN)


def test_a_floorperson_asks_and_a_pit_manager_consents(house: House) -> None:
    play = house.open("t1", "three-card-poker", 1, 2).until("wagering")
    play.wager()
    play.until("settling")
    body = {"command": "irregularity", "what": "wrong-number-of-cards", "seat": 1}
    asked = house["floor-1"].command("t1", body, "key-of-the-floor")
    number = asked.json()["proposal"]
    assert (asked.status_code, code(asked), asked.json()["ok"]) == (202, "second-person", False)
    assert "a pit manager" in asked.json()["findings"][0]["sentence"]
    assert house["floor-1"].command("t1", body, "key-of-the-floor").content == asked.content
    [waiting] = house["dealer-1"].shown("/changes")["changes"]
    assert (waiting["number"], waiting["act"], waiting["by"], waiting["second"]) == (
        number, "table.void-revealed", "floor-1", ["pit manager"],
    )  # fmt: skip
    assert "wrong number of cards" in waiting["sentence"]
    assert play.shown()["table"]["round"] is not None
    for who in ("floor-1", "admin-1", "auditor-1"):
        assert house[who].post(f"/changes/{number}/approve").status_code == 403
    assert house["manager-1"].post(f"/changes/{number}/approve").status_code == 200
    assert play.shown()["table"]["round"] is None
    assert code(house["manager-1"].post(f"/changes/{number}/approve")) == "no-proposal"
    assert house["auditor-1"].post("/audit/verify").json()["ok"] is True


def test_a_given_password_opens_nothing(house: House) -> None:
    house["admin-1"].post("/accounts", new("dealer-2", "dealer"))
    client = house.log_in("dealer-2", GIVEN)
    assert client.shown("/me")["must_change"] is True
    for key in sorted(ROUTES):
        method, path = key.split(" ")
        path = path.replace("{table}", "t1").replace("{number}", "1").replace("{meter}", "m").replace("{id}", "p1")
        if key not in WITH_ANY_PASSWORD:
            refused = client.http.request(method, path, headers=client.headers({"Request-Key": "some-key-01"}))
            assert (refused.status_code, code(refused)) == (403, "must-change-password"), key
    assert "POST /api/me/password" in refused.json()["findings"][0]["sentence"]
    for bad in (GIVEN, "short", "dealer-2 is me", "qwertyuiop12"):
        assert code(client.post("/me/password", {"old": GIVEN, "new": bad})) == "password"
    assert taken_over(house, "dealer-2").get("/tables").status_code == 200


def test_an_administrator_is_not_the_second_person_through_an_account_of_the_own_making(house: House) -> None:
    """The attack: make a pit manager, propose with it, and approve."""
    administrator = house["admin-1"]
    made = administrator.post("/accounts", new("manager-9", "pit manager")).json()
    assert made["waiting"] > 0
    with house.http() as http:
        assert http.post("/api/login", json={"id": "manager-9", "password": GIVEN}).status_code == 401
    assert code(administrator.post(f"/changes/{made['waiting']}/approve")) == "two-people"
    assert house["auditor-1"].post(f"/changes/{made['waiting']}/approve").status_code == 200
    puppet = taken_over(house, "manager-9")
    house.open("t1", "three-card-poker", 1)
    house["floor-1"].do("t1", "close_table")
    number = puppet.command("t1", {"command": "open_table", "submission": submission_text("three-card-poker")}).json()
    assert code(administrator.post(f"/changes/{number['proposal']}/approve")) == "two-people"
    assert code(puppet.post(f"/changes/{number['proposal']}/approve")) == "two-people"
    assert puppet.shown("/tables/t1")["table"]["phase"] == "closed"
    assert house["manager-1"].post(f"/changes/{number['proposal']}/approve").status_code == 200
    assert puppet.shown("/tables/t1")["table"]["phase"] != "closed"


def test_a_player_never_becomes_staff_where_one_administrator_founded_the_house(house: House) -> None:
    for role in ("pit manager", "dealer", "administrator"):
        refused = house["admin-1"].post("/accounts/p2/role", {"role": role})
        assert (refused.status_code, code(refused)) == (422, "player-or-staff")
    again = house["admin-1"].post("/accounts", new("p2", "pit manager"))
    assert (again.status_code, code(again)) == (422, "person-exists")


def test_reset_disable_and_let_in_again(house: House) -> None:
    administrator, dealer = house["admin-1"], house.log_in("dealer-1")
    given = administrator.post("/accounts/dealer-1/reset").json()
    assert given["waiting"] == 0
    assert dealer.get("/me").status_code == 401, "every session ends"
    taken_over(house, "dealer-1", given["password"])
    assert administrator.post("/accounts/dealer-1/disable").status_code == 200
    assert administrator.post("/accounts/dealer-1/enable").json()["waiting"] == 0
    assert house.log_in("dealer-1", OWN).get("/tables").status_code == 200
    assert code(administrator.post("/accounts/dealer-1/enable")) == "person-enabled"

    given = administrator.post("/accounts/floor-1/reset").json()
    with house.http() as http:
        body = {"id": "floor-1", "password": given["password"]}
        assert http.post("/api/login", json=body).status_code == 401
        assert house["manager-2"].post(f"/changes/{given['waiting']}/approve").status_code == 200
        assert http.post("/api/login", json=body).json()["must_change"] is True
    shown = {account["id"]: account for account in house["auditor-1"].shown("/accounts")["accounts"]}
    assert (shown["floor-1"]["must_change"], shown["floor-1"]["disabled"]) == (True, False)
    written = str(house["auditor-1"].shown("/audit/events?stream=")["events"])
    assert given["password"] not in written


@pytest.mark.parametrize("path", ["reset", "enable", "disable"])
def test_odd_accounts_are_told(house: House, path: str) -> None:
    for id in ("nobody", "NOBODY", "%20", "x" * 100):
        assert code(house["admin-1"].post(f"/accounts/{id}/{path}")) == "person-unknown"


def test_an_address_waits_and_nobody_else(house: House) -> None:
    """Five wrong guesses at an id from one address; the person, who is elsewhere, does not notice."""
    for _ in range(6):
        with pytest.raises(Exception, match="wrong"):
            house.people.log_in("p1", "not the password", "203.0.113.5")
    assert house.log_in("p1", PASSWORD).get("/me").status_code == 200


def test_a_difference_from_the_law_is_shown_and_waits_for_a_second_person(house: House) -> None:
    """Over HTTP as anybody would: check, open, look at what waits, consent, look at the table."""
    text = submission_text("roulette", "double-zero").replace(
        "[facts]\n", '[facts]\n"paytables.roulette.-.red" = "9 to 10"\n'
    )
    one, two, dealer = house["manager-1"], house["manager-2"], house["dealer-1"]
    checked = dealer.post("/submissions/check", {"submission": text}).json()
    assert checked["ok"]
    assert [(d["key"], d["before"], d["after"]) for d in checked["differences"]] == [
        ("facts.paytables.roulette.-.red", "1 to 1", "9 to 10")
    ]
    house.pit.holds.patience = 0  # the hold of red is counted in other tests
    opening = {"command": "open_table", "submission": text}
    waits = one.command("r1", opening)
    assert (waits.status_code, code(waits)) == (202, "second-person")
    number = waits.json()["proposal"]
    (shown,) = [each for each in two.shown("/changes")["changes"] if each["number"] == number]
    assert shown["about"]["differences"][0]["cite"] == "617a.4(a)"
    assert "red is 9 to 10, not 1 to 1" in shown["sentence"]
    assert code(one.post(f"/changes/{number}/approve")) == "two-people"
    assert code(dealer.post(f"/changes/{number}/approve")) == "permission"
    assert two.post(f"/changes/{number}/approve").status_code == 200
    assert two.shown("/tables/r1")["table"]["phase"] == "opening"


def test_two_people_change_the_bounds_of_the_property(house: House) -> None:
    wanted = {"act": 200_000_000, "inventory": 2_000_000_000, "wager": 20_000_000}
    fill = {"command": "open_table", "submission": submission_text("three-card-poker"), "fill": 150_000_000}
    assert code(house["manager-1"].command("b1", fill)) == "beyond-bound"
    assert house["cashier-1"].post("/property", wanted).status_code == 403
    number = house["manager-1"].post("/property", wanted).json()["number"]
    assert code(house["manager-1"].post(f"/changes/{number}/approve")) == "two-people"
    assert house["admin-1"].post(f"/changes/{number}/approve").status_code == 200
    assert house["dealer-1"].shown("/property") == wanted
    assert house["manager-1"].command("b1", fill).status_code == 200
    assert house["admin-1"].post("/property", {**wanted, "act": 0}).status_code == 422
