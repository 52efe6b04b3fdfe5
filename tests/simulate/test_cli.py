"""``pitboss simulate`` and ``pitboss shift-report``."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from pitboss.cli import app
from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.facts import Fact
from pitboss.games.registry import BANKED as GAMES
from pitboss.submission import template

from .plans import AS_OF

DAY = ["--as-of", str(AS_OF)]
runner = CliRunner()


def run(*words: str) -> str:
    done = runner.invoke(app, [*words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_rows_as_json() -> None:
    found = json.loads(run("simulate", "four-card-frenzy", "--rounds", "2e4", "--json", *DAY))
    assert [row["wager"] for row in found] == ["main", "prime", "four_card_bonus", "all_six"]
    for row in found:
        assert {"wager", "paytable", "rounds", "mean", "standard_error", "exact", "z", "hit_frequency"} <= set(row)
        assert row["rounds"] == 20_000
        assert abs(row["z"]) < 4


def test_the_same_seed_gives_the_same_rows() -> None:
    words = ("simulate", "three-card-poker", "--rounds", "5000", "--seats", "2", "--json", *DAY)
    assert run(*words, "--seed", "9") == run(*words, "--seed", "9") != run(*words, "--seed", "10")


def test_a_table_names_the_seed_and_the_strategy() -> None:
    shown = run("simulate", "four-card-frenzy", "--rounds", "1000", "--strategy", "never", *DAY)
    assert "1,000 rounds" in shown
    assert "1 seat, strategy never, seed 1" in shown
    assert re.search(r"fold +100\.00 %", shown)


def test_wagers_and_output(tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    words = ("simulate", "three-card-poker", "--rounds", "1000", "--wager", "ante=10", "--wager", "pair_plus=5", *DAY)
    run(*words, "--session", "100", "-o", str(out))
    found = json.loads(out.read_text())
    assert [row["wager"] for row in found["rows"]] == ["main", "pair_plus"]
    assert found["sessions"]["player"]["sessions"] == 10


def test_a_submission_decides_letters_and_wagers(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    text = template("four-card-frenzy", AS_OF)
    file.write_text(text)
    found = json.loads(run("simulate", "four-card-frenzy", "--rounds", "500", "--submission", str(file), "--json"))
    assert {row["wager"] for row in found} >= {"main"}
    with pytest.raises(UnreadableError, match="is for four-card-frenzy"):
        run("simulate", "lunar-poker", "--submission", str(file))


def test_a_checkpoint_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    words = ("simulate", "four-card-frenzy", "--json", *DAY, "--checkpoint", str(file))
    run(*words, "--rounds", "1000")
    assert run(*words, "--rounds", "3000") == run("simulate", "four-card-frenzy", "--json", *DAY, "--rounds", "3000")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--rounds", "many"), "is not a number"),
        (("--rounds", "1.5"), "whole number"),
        (("--seats", "7"), "seats 1 to 6"),
        (("--strategy", "luck"), "There is no strategy called 'luck'"),
        (("--wager", "prime"), "write WAGER=DOLLARS"),
        (("--wager", "pair_plus=5"), "has no wager 'pair_plus'"),
        (("--seed", "-1"), "A seed is a whole number"),
        (("--session", "-5"), "from 0 to"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(UnreadableError, match=sentence):
        run("simulate", "four-card-frenzy", "--rounds", "100", *words, *DAY)


def test_unknown_games_and_unlawful_wagers() -> None:
    with pytest.raises(UnreadableError, match="There is no game called 'whist'"):
        run("simulate", "whist")
    with pytest.raises(FindingsError, match="may be made only after"):
        run("simulate", "four-card-frenzy", "--rounds", "10", "--wager", "prime=5", *DAY)
    with pytest.raises(FindingsError, match=r"must be equal: \$10 and \$20") as refused:
        run("simulate", "four-card-frenzy", "--rounds", "10", "--wager", "ante=10", "--wager", "odds=20", *DAY)
    assert refused.value.findings[0].cite == "684a.7(d)(1)"


def test_an_interruption_is_one_sentence_whatever_the_workers_do(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to every process that belongs to the command."""
    checkpoint = tmp_path / "run.json"
    words = ["simulate", "four-card-frenzy", "--rounds", "1e12", "--workers", "2", *DAY]
    command = subprocess.Popen(
        [sys.executable, "-m", "pitboss", *words, "--checkpoint", str(checkpoint)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Ignored where the tests run in the background.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    try:
        for _ in range(600):
            if len(workers_of(command.pid)) >= 2:
                break
            time.sleep(0.05)
        os.killpg(command.pid, signal.SIGINT)
        _, said = command.communicate(timeout=60)
    finally:
        command.kill()
    assert command.returncode == 130
    assert said == f"pitboss: interrupted; run the same command again to continue from {checkpoint}.\n"
    assert "rounds" in json.loads(checkpoint.read_text())


def workers_of(pid: int) -> list[str]:
    """Processes that a command has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_a_shift_report_writes_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "shift"
    words = ("shift-report", "three-card-poker", "--rounds", "100", "--shifts", "200", "--seats", "3", *DAY)
    shown = run(*words, "-o", str(folder))
    assert "200 shifts of 100 rounds" in shown
    assert "Losing sessions, house" in shown
    with (folder / "house-result.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["shifts"]) for row in rows) == 200
    assert json.loads((folder / "shift.json").read_text())["sessions"]["house"]["sessions"] == 200
    assert (folder / "shift.svg").exists()
    with (folder / "meter-path.csv").open() as file:
        assert {"0", "20000"} <= {row["round"] for row in csv.DictReader(file)}
    assert (folder / "meters.svg").exists()
    again = tmp_path / "again"
    run(*words, "-o", str(again))
    assert [path.read_bytes() for path in sorted(folder.iterdir())] == [p.read_bytes() for p in sorted(again.iterdir())]
    with pytest.raises(UnreadableError, match="exists already"):
        run(*words, "-o", str(folder))


class Unheard:
    """A fact of a kind that no operation computes."""

    def __init__(self, like: Fact) -> None:
        self.values, self.of, self.words = like.values, like.of, like.words


def test_what_cannot_be_simulated_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = GAMES["sic-bo"].lines.facts.by_name
    monkeypatch.setitem(cast(dict[str, Any], facts), "dice", Unheard(facts["dice"]))
    with pytest.raises(UnreadableError, match="Sic Bo cannot be simulated so: a wager depends on Dice, "):
        run("simulate", "sic-bo", "--rounds", "1000", *DAY)
