"""What a laboratory reads in a mathematics report: rows that sum, other play, signatures, the same bytes twice."""

import json
import tracemalloc
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.exact.breakdown import line_parts
from pitboss.exact.edge import MAIN, edge_figures, rules_of_variant, variants
from pitboss.exact.engine import play_of
from pitboss.exact.figures import outcomes_of
from pitboss.exact.skill import Way, skill_range
from pitboss.games.registry import BANKED, GAMES
from pitboss.paper.pdf import pdf_of
from pitboss.paper.workbook import workbook_of
from pitboss.reports import signing
from pitboss.reports.math_report import ReportParts, report_file, report_of
from pitboss.reports.method import Provenance
from tests.reports.papers import submitted, text_of
from tests.workbooks import Computed, off, places_of, read_cells, without_values

DAY = date(2024, 6, 1)
GAME = "three-card-poker"


@pytest.mark.parametrize("game", BANKED)
def test_rows_of_every_wager_letter_and_reading_sum_exactly(game: str) -> None:
    for each in edge_figures(BANKED[game], DAY):
        outcomes = outcomes_of(each)
        cycle = sum(outcome.ways for outcome in outcomes)
        assert all(outcome.ways > 0 for outcome in outcomes)
        assert sum(outcome.net * Fraction(outcome.ways, cycle) for outcome in outcomes) == -each.hold
        assert each.result is not None
        assert sum(outcome.net**2 * Fraction(outcome.ways, cycle) for outcome in outcomes) - each.hold**2 == (
            each.result.variance
        )


@pytest.mark.parametrize("game", [name for name, game in BANKED.items() if game.main_posts])
def test_lines_of_the_main_wagers_sum_to_the_cycle_and_the_expected_value(game: str) -> None:
    played = GAMES[game]
    counted = 0
    for variant in variants(played, DAY, MAIN):
        if played.scope(variant.reading).draws:
            continue
        rules = rules_of_variant(played, DAY, variant)
        play = play_of(played, rules)
        parts = line_parts(played, rules, play)
        for line in {part.line for part in parts}:
            assert sum(part.ways for part in parts if part.line == line) == play.deals
        assert sum(part.contribution for part in parts) == play.result.expected_value
        counted += len(parts)
    assert counted


def test_other_play_costs_what_is_published() -> None:
    """Wizard of Odds: blind play of Three Card Poker holds 7.65 %, queen high 3.45 %; of Caribbean Stud 16.61 %."""
    found: dict[tuple[str, str], float] = {}
    for game in (GAME, "caribbean-stud", "let-it-ride"):
        played = GAMES[game]
        rules = rules_of_variant(played, DAY, next(iter(variants(played, DAY, MAIN))))
        listed = skill_range(played, rules)
        assert [each.cost for each in listed] == sorted(each.cost for each in listed)
        assert min(each.cost for each in listed) >= 0
        assert max(listed, key=lambda each: each.cost).way == Way.WORST
        found |= {(game, each.name): round(-float(each.expected_value) * 100, 2) for each in listed}
    assert found[GAME, "always play"] == 7.65
    assert found[GAME, "plays the hands that would qualify as a dealer's, and folds others"] == 3.45
    assert found["caribbean-stud", "always bet"] == 16.61
    # Three wagers that always ride lose three times what the one does that can't be taken back.
    alone, all_three = (
        found["let-it-ride", name] for name in ("always take_back, then take_back", "always ride, then ride")
    )
    assert all_three == pytest.approx(3 * alone, abs=0.01)


def test_a_report_is_the_same_bytes_twice_in_every_medium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1718000000")
    provenance = Provenance("A. Author", "A Laboratory", "pitboss report house.toml", b"the submission")
    wanted = ReportParts(provenance, play=True, rounds=20_000, seed=7)
    for kind in ("pdf", "xlsx", "json", "html", "csv"):
        first, second = (report_file(*submitted(GAME), kind, wanted=wanted) for _ in range(2))
        assert first == second, kind
    plain = json.loads(report_file(*submitted(GAME), "json", wanted=wanted))
    assert plain["author"] == "A. Author"
    assert plain["simulation"]["seed"] == 7
    assert plain["source_date_epoch"] == 1718000000
    assert {each["way"] for each in plain["skill_range"]} == {"error", "unseen", "worst"}


def test_the_workbook_of_a_report_computes_its_figures_and_follows_an_edited_pay() -> None:
    paper = report_of(*submitted(GAME), wanted=ReportParts(play=True, second_opinion=True)).paper()
    book, where = workbook_of(paper), places_of(paper)
    cells, computed = read_cells(book), Computed(without_values(book))
    formulas = [at for at, cell in cells.items() if cell.formula]
    assert [at for at in formulas if off(computed[at], cells[at].value) > 1e-11] == []
    pays = next((sheet, at) for sheet, at in cells if "Pays Pair Plus" in sheet and at == "C2")
    number = int(pays[0].split()[0])
    edited = Computed(without_values(book, {pays: 2.0}))  # a pair pays 2 to 1
    for key, sign in (("hold", -1), ("deviation", 1), ("variance", 1), ("volatility", 1)):
        at = where[f"{key}_{number}"]
        assert sign * (edited[at] - computed[at]) > 0.01, key
    assert edited[where[f"cycle_{number}"]] == 22_100
    assert b"%PDF" in pdf_of(paper)[:8]
    text = " ".join([*(str(cell.value) for cell in cells.values()), *dict.fromkeys(sheet for sheet, _ in cells)])
    for words in ("Second opinion", "agrees exactly", "typical error", "Readings, priced", "SHA-256", "Signature"):
        assert words in text, words


def test_a_signed_report_is_checked_and_a_changed_one_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house, report, key = tmp_path / "house.toml", tmp_path / "report.json", tmp_path / "key.pem"
    house.write_text(text_of(GAME), encoding="utf-8")

    def run(*words: str | Path) -> int:
        monkeypatch.setattr("sys.argv", ["pitboss", *map(str, words)])
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
        return 0

    assert run("report", house, "-o", report, "--sign", key) != 0
    assert not report.exists()
    assert run("signature", "new", key) == 0
    assert key.stat().st_mode & 0o077 == 0
    assert run("report", house, "--no-play", "--sign", key) == 2
    assert run("report", house, "-o", report, "--no-play", "--sign", key) == 0
    assert run("signature", "check", report, f"{key}.pub") == 0
    command = json.loads(report.read_text(encoding="utf-8"))["command"]
    assert "--no-play" in command
    assert "--sign" not in command
    assert "key.pem" not in command
    run("signature", "new", tmp_path / "other.pem")
    assert run("signature", "check", report, tmp_path / "other.pem.pub") == 1
    report.write_bytes(report.read_bytes().replace(b"0.0", b"0.1", 1))
    capsys.readouterr()
    assert run("signature", "check", report, f"{key}.pub") == 1
    assert "isn't what was signed" in capsys.readouterr().err
    Path(f"{report}.sig").unlink()
    assert run("signature", "check", report, f"{key}.pub") == 1
    assert run("signature", "check", report, house) != 0


def test_a_giant_signature_is_not_read_whole(tmp_path: Path) -> None:
    key, file = tmp_path / "key.pem", tmp_path / "file"
    signing.new_pair(key)
    file.write_bytes(b"figures")
    with Path(f"{file}.sig").open("wb") as beside:
        beside.truncate(256 * 1024 * 1024)
    tracemalloc.start()
    try:
        assert "isn't what was signed" in signing.check(file, Path(f"{key}.pub"))
        assert tracemalloc.get_traced_memory()[1] < 10 * 1024 * 1024
    finally:
        tracemalloc.stop()
