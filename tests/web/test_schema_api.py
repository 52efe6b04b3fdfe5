"""Requests that a machine made up, a few of each: the script of promise P24, and three faults that it must find."""

import pytest
from scripts.p24_fuzz import measure

from pitboss.ledger.people import People, Person
from pitboss.ledger.pit import Pit

ENOUGH = 224


def test_nothing_that_is_sent_breaks_anything_or_opens_a_door() -> None:
    figures = measure(ENOUGH)
    assert figures.violations == []
    sent = dict(figures.rows)
    assert int(sent["requests"]) >= ENOUGH
    assert int(sent["requests in scenarios"]) > 0
    assert int(sent["rounds played meanwhile"]) > 0


def test_an_answer_that_breaks_its_schema_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.api.refusal_text", lambda *_: '{"ok":false}')
    found = measure(14, only="GET /api/tables/{table}", scenarios=0).violations
    assert any("Response violates schema" in sentence for sentence in found)


def test_an_open_door_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def let_in(pit: Pit, who: Person, permission: str) -> None:
        """Whoever asks."""

    monkeypatch.setattr(Pit, "demand", let_in)
    found = measure(14, only="GET /api/accounts", scenarios=0).violations
    assert any("may not use this route, but the answer is 200" in sentence for sentence in found)


def test_a_crash_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_: People) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(People, "everyone", crash)
    found = measure(14, only="GET /api/accounts", scenarios=0).violations
    assert any("ZeroDivisionError" in sentence for sentence in found)
    assert any("Server error" in sentence for sentence in found)
