"""``pitboss sign``, ``layout``, ``form`` and ``report``: files as told, refusals in sentences."""

import re
from collections.abc import Callable
from csv import DictReader
from json import loads
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.names import shortened
from pitboss.paper.model import Paper
from pitboss.paper.page import html_of
from pitboss.paper.terminal import terminal_lines
from pitboss.reports.form import NO_FINDINGS
from pitboss.reports.holds import counted
from pitboss.reports.layout import layout_paper, layout_svg
from pitboss.reports.sign import sign_paper
from tests.reports.papers import parsed, submitted, text_of
from tests.test_output import OTHER_FILES

GAME = "four-card-frenzy"


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    path = tmp_path / "submission.toml"
    path.write_text(text_of(GAME))
    return path


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["pitboss", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


def test_papers_are_written_where_told(
    submission: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1763431445")
    sign, layout, form = (tmp_path / name for name in ("sign.html", "layout.svg", "form.html"))
    assert run(monkeypatch, "sign", submission, "-o", sign, "--format", "large") == 0
    assert sign.read_text() == html_of(sign_paper(*submitted(GAME), "large", PRINTED))
    assert run(monkeypatch, "layout", submission, "-o", layout) == 0
    assert layout.read_text() == layout_svg(*submitted(GAME))
    assert run(monkeypatch, "form", submission, "--no-holds", "-o", form) == 0
    parsed(form.read_text())
    assert f"Wrote {form}." in capsys.readouterr().out
    for command in ("sign", "layout", "form"):
        for again in ("one", "two"):
            words = (command, submission, *(("--no-holds",) if command == "form" else ()))
            assert run(monkeypatch, *words, "-o", tmp_path / f"{command}-{again}.pdf") == 0
        one, two = ((tmp_path / f"{command}-{again}.pdf").read_bytes() for again in ("one", "two"))
        assert one == two
        assert one.startswith(b"%PDF-")
    assert "Fits one sheet of 8.5 × 11 inches" in capsys.readouterr().out


PRINTED = 1_763_431_445_000_000


@pytest.mark.parametrize(("command", "build"), [("sign", sign_paper), ("layout", layout_paper)])
def test_a_terminal_shows_the_document(
    command: str,
    build: Callable[..., Paper],
    submission: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, command, submission) == 0
    shown, _ = capsys.readouterr()
    words = ("".join(piece for piece, _ in line) for line in terminal_lines(build(*submitted(GAME)), 100))
    assert " ".join(shown.split()) == " ".join(" ".join(words).split())
    assert "<" not in shown


def test_without_a_file_the_paper_goes_to_standard_output(
    submission: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "report", submission) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("<!DOCTYPE html>")
    assert "Mathematics of Four Card Frenzy" in printed


def test_nothing_is_overwritten(
    submission: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "sign.html"
    target.write_text("mine")
    assert run(monkeypatch, "sign", submission, "-o", target) == 2
    assert target.read_text() == "mine"
    assert "exists already; nothing was written." in capsys.readouterr().err
    assert run(monkeypatch, "sign", submission, "-o", tmp_path / "nowhere" / "sign.html") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_an_unlawful_submission_has_no_sign(
    submission: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    submission.write_text(text_of(GAME).replace("seats = 6", "seats = 8"))
    for command in ("sign", "layout", "report"):
        assert run(monkeypatch, command, submission) == 1
        said = capsys.readouterr()
        assert "[684a.2(a)]" in said.err
        assert not said.out


def test_an_unknown_format_is_named(
    submission: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "sign", submission, "--format", "poster") == 2
    assert "the formats are letter, tabloid, large" in capsys.readouterr().err


UNKNOWN = (".docx", ".zip", "")
WRITTEN = {
    ("report", "FILE"): (".pdf", ".html", ".xlsx", ".csv", ".json"),
    ("submission", "new", GAME): (".toml",),
}
"""Each command that writes files of its own formats, and those formats."""


@pytest.mark.parametrize("words", WRITTEN, ids=" ".join)
def test_a_format_that_is_not_written_is_refused(
    words: tuple[str, ...],
    submission: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    others = {suffix for formats in WRITTEN.values() for suffix in formats} - {*WRITTEN[words]}
    for suffix in {*UNKNOWN, *others} - {*WRITTEN[words]}:
        target = tmp_path / f"house{suffix}"
        named = [str(submission) if word == "FILE" else word for word in words]
        assert run(monkeypatch, *named, "-o", target) == 2
        said = capsys.readouterr().err
        refused = re.search(f"{re.escape(str(target))}|{re.escape(shortened(str(target)))}", said)
        assert refused is not None, said
        assert all(each in said[refused.end() :] for each in WRITTEN[words])
        assert not target.exists()


def test_every_command_with_formats_of_its_own_is_looked_at_above() -> None:
    named = {" ".join(word for word in words[:2] if word not in ("FILE", GAME)) for words in WRITTEN}
    assert named | {"shift-report"} == OTHER_FILES


def test_a_report_in_json_has_every_figure_with_its_conditions(
    submission: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "house.JSON"
    assert run(monkeypatch, "report", submission, "-o", target) == 0
    rows = loads(target.read_text(encoding="utf-8"))["wagers"]
    assert [(row["wager"], row["reading"], row["expected_value"]) for row in rows] == [
        (each.wager, each.reading, str(each.expected_value)) for each in counted(*submitted(GAME))
    ]
    assert all(row["changed"] == [] and row["denominator"] and row["cite"] for row in rows)
    assert rows[0]["leaves_out"] == ["the payout limit of $50,000"]


def test_the_check_of_a_submission_is_a_paper(
    submission: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = submission.read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(re.sub(r"(?m)^seats = \d+", "seats = 9", text), encoding="utf-8")
    assert run(monkeypatch, "submission", "check", submission, "-o", tmp_path / "right.html") == 0
    assert NO_FINDINGS in (tmp_path / "right.html").read_text(encoding="utf-8")
    assert run(monkeypatch, "submission", "check", wrong, "-o", tmp_path / "wrong.csv") == 1
    (row,) = DictReader((tmp_path / "wrong.csv").read_text(encoding="utf-8").splitlines())
    assert (row["where"], row["code"], row["found"]) == ("Seats", "seats-too-many", "9")
