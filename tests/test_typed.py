"""Absurd numbers typed at every command: a sentence and exit code 2, never a traceback."""

from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.findings import UnreadableError
from pitboss.ledger.files import default_url, private_folder
from pitboss.ledger.store import Store
from pitboss.typed import typed_count, typed_dollars, typed_percent
from tests.test_cli import Ran

ABSURD = ("0", "nan", "inf", "-inf", "1e400", "1e-9", "five", "", "10" * 30)
STAKES = [["edge", "three-card-poker", "--wager", "pair_plus", "--paytable", "A", f"--stake={text}"] for text in ABSURD]
STAKES += [["edge", "three-card-poker", "--stake=-5"], ["target", "three-card-poker", "1", "3", "--stake=nan"]]
HOLDS = [
    ["target", "three-card-poker", low, high] for low, high in (("nan", "3"), ("1", "inf"), ("1", "x"), ("3", "1"))
]
HOLDS += [["target", "three-card-poker", "1e999999999", "3"], ["target", "three-card-poker", "--", "-1e9", "3"]]
PAYS = [
    ["edge", "four-card-poker", "--wager", wager, "--paytable", "A", f"--pay={row}={paid}"]
    for wager, row in (("aces_up", "flush"), ("five_card_progressive", "flush"), ("main", "ante_bonus.straight_flush"))
    for paid in ("1" + "0" * 30, "-5", "nan", "inf", "1e30", "six", "500% of meter", "$" + "9" * 20, "1/0", "9 to 0")
]
COUNTS = [
    ["simulate", "three-card-poker", "--rounds", text]
    for text in ("0", "-1", "nan", "inf", "1e30", "1.5", "many", "1e999999999")
]
COUNTS += [["simulate", "three-card-poker", "--rounds", "10", *more] for more in (
    ["--seats", "0"], ["--seats", "-1"], ["--seats", "99999999999999999999"], ["--seats", "nan"], ["--seed", "-1"],
    ["--seed", str(2**64)], ["--workers", "0"], ["--workers", "-3"], ["--session", "-1"], ["--session", str(10**30)],
    ["--wager", "ante=0"], ["--wager", "ante=nan"], ["--wager", "ante=-5"], ["--wager", "ante=1e30"],
    ["--wager", "ante"],
)]  # fmt: skip
COUNTS += [["shift-report", "three-card-poker", *more] for more in (
    ["--rounds", "0"], ["--rounds", "-1"], ["--rounds", str(10**30)], ["--shifts", "nan"], ["--shifts", "1e40"],
)]  # fmt: skip
COUNTS += [["progressive", "four-card-poker", "five_card_progressive", *more] for more in (
    ["--seats", "-1"], ["--seats", "1000000000"], ["--magic-chance", "nan"], ["--magic-chance", "2"],
    ["--lucky-chance", "-1"], ["--lucky-chance", "1/0"], ["--magic-chance", "1e-3000000"],
)]  # fmt: skip
COUNTS += [["deal", "three-card-poker", *more] for more in (
    ["--seats", "0"], ["--seats", "-2"], ["--seats", "99"], ["--seats", "nan"], ["--seed", "x"],
)]  # fmt: skip


@pytest.mark.parametrize("words", [*STAKES, *HOLDS, *PAYS, *COUNTS], ids=" ".join)
def test_an_absurd_number_is_a_sentence(words: list[str]) -> None:
    ran = Ran(*words)
    assert ran.code == 2, ran.err
    assert ran.out == ""
    assert "Traceback" not in ran.err
    assert len(ran.err.strip().splitlines()[-1]) > 20


LONG = "x" * 5000
"""Longer than a path may be."""
PATHS = [
    ["law", "lint", "--no-mathematics", "--texts", LONG],
    ["submission", "new", "three-card-poker", "-o", LONG],
    ["strategy", "three-card-poker", "-o", LONG],
    ["simulate", "three-card-poker", "--rounds", "10", "--checkpoint", LONG],
    ["simulate", "three-card-poker", "--rounds", "10", "--checkpoint", "/dev/null/checkpoint"],
    ["simulate", "three-card-poker", "--rounds", "10", "-o", LONG],
    ["serve", "--anchor-copy", LONG, "--port", "0", "--host", "203.0.113.1"],
]
OTHERS = [["simulate", "three-card-poker", "--rounds", "10", "--cluster", where] for where in ("", "nowhere", "[::1")]
OTHERS += [
    [*words, text]
    for text in (str(2**63), "9" * 400, "-1")
    for words in (["audit", "export", "--after"], ["audit", "significant", "--after"])
]
OTHERS += [[*words, "t1", "9" * 30] for words in (["audit", "replay"], ["verify-deal"])]


@pytest.mark.parametrize("words", [*PATHS, *OTHERS], ids=lambda words: " ".join(words)[:60])
def test_what_the_machine_or_the_ledger_cannot_take_is_a_sentence(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "XDG_DATA_HOME"))
    private_folder(tmp_path / "XDG_DATA_HOME" / "pitboss")
    with Store(default_url()):
        ran = Ran(*words)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err) < 1000


@pytest.mark.parametrize("content", ["[1]", "[" * 100_000, "1" * 5000, "NaN"], ids=["list", "deep", "long", "nan"])
def test_a_file_of_strange_json_is_a_sentence(content: str, tmp_path: Path) -> None:
    (file := tmp_path / "file.json").write_text(content)
    for words in (
        ["simulate", "three-card-poker", "--rounds", "10", "--checkpoint", str(file)],
        ["audit", "restore", str(file), "--db", f"sqlite:///{tmp_path}/new.db", "--anchor", str(tmp_path / "anchor")],
        ["verify-deal", str(file)],
    ):
        ran = Ran(*words)
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert str(file) in ran.err
        assert "Traceback" not in ran.err


def test_what_people_type_is_read_exactly() -> None:
    assert [typed_dollars(text) for text in ("5", "2.50", "$1,000", " 0.01 ")] == [500, 250, 100_000, 1]
    assert [typed_percent(text) for text in ("3", "2.5", "2.5 %", "-1")] == [
        Fraction(3, 100), Fraction(1, 40), Fraction(1, 40), Fraction(-1, 100)
    ]  # fmt: skip
    assert [typed_count(text) for text in ("10", "1e6", "1_000", "1,000")] == [10, 10**6, 1000, 1000]
    with pytest.raises(UnreadableError, match="not a stake"):
        typed_dollars("0.001")
