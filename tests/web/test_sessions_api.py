"""Log-in, log-out, cookies and their CSRF token, idle time, and that no secret is written anywhere."""

import logging
from dataclasses import replace

import pytest

from pitboss.ledger.people import IDLE, SECOND, microseconds
from pitboss.web.server import build, server_of
from tests.web.harness import PASSWORD, ROOMY, House, running


def test_log_in_gives_a_token_and_a_cookie(house: House) -> None:
    with house.http() as http:
        answer = http.post("/api/login", json={"id": "p1", "password": PASSWORD})
        assert answer.json()["person"] == {"id": "p1", "name": "P1", "role": "player"}
        cookie = answer.headers["set-cookie"].lower()
        assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))
        csrf = answer.json()["csrf"]
        assert http.get("/api/me").json() == {"person": answer.json()["person"], "csrf": csrf, "must_change": False}
        for headers in ({}, {"X-CSRF-Token": "wrong"}, {"X-CSRF-Token": ""}):
            refused = http.post("/api/logout", headers=headers)
            assert (refused.status_code, refused.json()["findings"][0]["code"]) == (403, "csrf")
        assert http.get("/api/me").status_code == 200
        token = http.cookies["pitboss_session"]
        assert http.post("/api/logout", headers={"X-CSRF-Token": csrf}).status_code == 200
        assert http.get("/api/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
        assert "pitboss_session" not in http.cookies


def test_a_bearer_token_needs_no_csrf_token(house: House) -> None:
    client = house.log_in("p1")
    assert client.post("/logout").status_code == 200
    assert client.get("/me").status_code == 401


def test_wrong_passwords_are_refused_and_delayed(house: House) -> None:
    with house.http() as http:
        for id in ("p1", "nobody", "\ue000", "x" * 200):
            answer = http.post("/api/login", json={"id": id, "password": "wrong password"})
            assert answer.status_code == 401
            assert answer.json()["findings"][0]["sentence"] == "The id or the password is wrong."
        for _ in range(4):
            answer = http.post("/api/login", json={"id": "p1", "password": "wrong password"})
        assert (answer.status_code, answer.headers["retry-after"]) == (401, "1")
        delayed = http.post("/api/login", json={"id": "p1", "password": PASSWORD})
        assert (delayed.status_code, delayed.json()["findings"][0]["code"]) == (429, "login-delay")
        assert int(delayed.headers["retry-after"]) >= 1


def test_a_new_password_ends_every_session(house: House) -> None:
    first, second = house.log_in("p1"), house.log_in("p1")
    refused = first.post("/me/password", {"old": PASSWORD, "new": "short"})
    assert (refused.status_code, refused.json()["findings"][0]["code"]) == (422, "password")
    assert first.post("/me/password", {"old": "not the old one", "new": "another password"}).status_code == 401
    assert second.get("/me").status_code == 200
    assert first.post("/me/password", {"old": PASSWORD, "new": "another password"}).status_code == 200
    assert (first.get("/me").status_code, second.get("/me").status_code) == (401, 401)
    assert house.log_in("p1", "another password").get("/me").status_code == 200


def test_log_ins_from_one_address_are_limited(sqlite_url: str) -> None:
    with running(sqlite_url, replace(ROOMY, log_ins_per_minute=3)) as house, house.http() as http:
        answers = [http.post("/api/login", json={"id": "p1", "password": PASSWORD}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20


def test_a_session_ends_when_nobody_is_there(sqlite_url: str) -> None:
    with running(sqlite_url) as house:
        now = [microseconds()]
        house.people._clock = lambda: now[0]
        active, passive = house.log_in("p1"), house.log_in("p2")
        for _ in range(3):
            now[0] += IDLE // 2 - SECOND
            assert active.get("/me").status_code == 200
            answer = passive.get("/me", headers={"X-Passive": "1"})
        assert answer.status_code == 401, "a page that asks by itself keeps nobody logged in"
        now[0] += IDLE + SECOND
        assert active.get("/me").status_code == 401


def test_no_secret_is_written_anywhere(
    house: House, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    client = house.log_in("p1")
    csrf = client.shown("/me")["csrf"]
    client.post("/login", {"id": "p1", "password": PASSWORD, "extra": 1})
    client.http.post("/api/login", json={"id": PASSWORD, "password": PASSWORD})
    client.post("/me/password", {"old": PASSWORD, "new": 5})
    client.post("/logout")
    with house.store.reading() as reading:
        events = str(reading.events())
    captured = capfd.readouterr()
    texts = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpcore", "httpx"))]
    written = " ".join([*texts, captured.out, captured.err, events])
    for secret in (PASSWORD, client.token, csrf):
        assert secret not in written


def test_a_refused_body_is_not_repeated(house: House) -> None:
    answer = house["p1"].post("/login", {"id": "p1", "password": ["my secret words"], "hint": "my dog"})
    assert answer.status_code == 422
    assert "my secret" not in answer.text
    assert "my dog" not in answer.text
    assert {finding["where"] for finding in answer.json()["findings"]} == {"password", "hint"}


def test_every_answer_is_guarded(house: House) -> None:
    for path in ("/api/health", "/api/me", "/api/nothing", "/elsewhere"):
        headers = house["p1"].http.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert (headers.get("cache-control") == "no-store") is path.startswith("/api/")
        assert "server" not in headers


def test_health_tells_what_the_software_is_not(house: House) -> None:
    with house.http() as http:
        shown = http.get("/api/health").json()
    assert "Not approved for wagering money" in shown["notice"]
    assert (shown["ok"], shown["open_to_play"], shown["closed_because"]) == (True, True, [])


def test_a_server_trusts_no_header_about_addresses(sqlite_url: str) -> None:
    built = build(sqlite_url)
    built.store.close()
    config = server_of(built.app).config
    assert config.proxy_headers is False
    assert config.host == "127.0.0.1"
