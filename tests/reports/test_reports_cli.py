"""``pitboss sign``, ``layout``, ``form`` and ``report``: files as told, refusals in sentences."""

from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.reports.layout import layout_svg
from pitboss.reports.sign import sign_html
from tests.reports.papers import parsed, submitted, text_of

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
    sign, layout, form = (tmp_path / name for name in ("sign.html", "layout.svg", "form.html"))
    assert run(monkeypatch, "sign", submission, "-o", sign, "--format", "large") == 0
    assert sign.read_text() == sign_html(*submitted(GAME), "large")
    assert run(monkeypatch, "layout", submission, "-o", layout) == 0
    assert layout.read_text() == layout_svg(*submitted(GAME))
    assert run(monkeypatch, "form", submission, "--no-holds", "-o", form) == 0
    parsed(form.read_text())
    assert f"Wrote {form}." in capsys.readouterr().out


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
