"""The program dies at the table: P9 and P11 with small counts, over whole rounds of the four games."""

from pathlib import Path

import pytest
from scripts import p09_kill, p11_resume
from scripts.common import DATABASES, ledger
from scripts.dying import Suicide, fingerprint, judge, prepare, run
from tests.postgres import NoPostgresError, server

from pitboss.ledger.pit import Pit, Reply
from pitboss.ledger.store import Store, Writing
from pitboss.table.state import Phase


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "postgresql":
        try:
            server()
        except NoPostgresError as why:
            pytest.skip(str(why))
    return name


def test_killed_at_random_and_at_each_step_of_a_settlement(database: str) -> None:
    kills = 8 if database == "sqlite" else 4
    assert p09_kill.measure(kills, (database,), seed=3, hooks=1, commands=("settle",)).violations == []


@pytest.mark.parametrize(
    ("game", "phase"),
    [
        ("three-card-poker", Phase.COUNTING),
        ("three-card-poker", Phase.STUB),
        ("four-card-poker", Phase.DEALING),
        ("four-card-poker", Phase.SETTLING),
        ("four-card-frenzy", Phase.DECIDING),
        ("four-card-frenzy", Phase.WAGERING),
        ("lunar-poker", Phase.LOCKED),
        ("lunar-poker", Phase.DRAWING),
        ("lunar-poker", Phase.REVEALING),
        ("lunar-poker", Phase.COLLECTING),
    ],
)
def test_a_round_resumes_in_its_phase(game: str, phase: Phase) -> None:
    wrong, revealed = p11_resume.resume("sqlite", game, "manual-shoe", phase)
    assert wrong == []
    assert revealed


def test_a_round_resumes_on_postgresql() -> None:
    try:
        wrong, _ = p11_resume.resume("postgresql", "lunar-poker", "hand", Phase.DRAWING)
    except NoPostgresError as why:
        pytest.skip(str(why))
    assert wrong == []


@pytest.fixture
def place(tmp_path: Path) -> tuple[str, Path]:
    url, anchor = f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor"
    prepare(url, anchor, "three-card-poker")
    return url, anchor


def test_a_lost_answer_is_found(place: tuple[str, Path]) -> None:
    told = run(*place, "life-1", suicide=Suicide(phase=Phase.DECIDING))
    assert judge(*place, told) == []
    told.answers["never-asked"] = Reply(200, "{}")
    assert judge(*place, told) == ["never-asked: the acknowledged answer is lost or another"]


def test_a_command_stored_by_half_is_found(place: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that stores its events in one transaction and its answer in another."""
    monkeypatch.setattr(Writing, "remember", lambda *_: None)
    told = run(*place, "life-1", suicide=Suicide(phase=Phase.DECIDING))
    assert any(sentence.endswith("stored by half") for sentence in judge(*place, told))


def test_another_deck_is_found(place: tuple[str, Path]) -> None:
    told = run(*place, "life-1", suicide=Suicide(phase=Phase.DECIDING))
    with Store(*place) as store:
        assert fingerprint(Pit(store)) == told.state
        with store.writing() as writing:
            sealed = writing.sealed("t1", "red")
            assert sealed is not None
            turned = " ".join(reversed(sealed.cards.split()))
            writing.seal("t1", "red", sealed.commitment, turned, sealed.salt)
        assert fingerprint(Pit(store)) != told.state


def test_ledgers_of_the_scripts_are_apart() -> None:
    with ledger("sqlite") as (one, anchor), ledger("sqlite") as (other, _):
        assert one != other
        assert str(anchor.parent) in one
