"""Absurd numbers typed at every command: a sentence and exit code 2, never a traceback."""

from fractions import Fraction

import pytest

from pitboss.findings import UnreadableError
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
    ["--lucky-chance", "-1"], ["--lucky-chance", "1/0"],
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


def test_what_people_type_is_read_exactly() -> None:
    assert [typed_dollars(text) for text in ("5", "2.50", "$1,000", " 0.01 ")] == [500, 250, 100_000, 1]
    assert [typed_percent(text) for text in ("3", "2.5", "2.5 %", "-1")] == [
        Fraction(3, 100), Fraction(1, 40), Fraction(1, 40), Fraction(-1, 100)
    ]  # fmt: skip
    assert [typed_count(text) for text in ("10", "1e6", "1_000", "1,000")] == [10, 10**6, 1000, 1000]
    with pytest.raises(UnreadableError, match="not a stake"):
        typed_dollars("0.001")
