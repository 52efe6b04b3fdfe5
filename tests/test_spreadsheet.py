"""What we export as CSV opens in a spreadsheet as text and numbers: no cell that somebody else typed is a formula."""

import csv
import re
from io import StringIO

import pytest

from pitboss.spreadsheet import csv_text
from tests.test_house import files, room_of


@pytest.mark.parametrize(
    "typed",
    [
        *('=HYPERLINK("http://x","y")', "+1+cmd|' /C calc'!A0", "-2+3+cmd|'x'", "@SUM(1;2)", "\t=1", "\r=1", "\n=1"),
        *(" =1", "\0=1", "＝1+1", "-", "-A", "+1 to 1"),
    ],
)
def test_a_text_that_would_be_a_formula_is_text(typed: str) -> None:
    [[_, cell, last]] = csv.reader(StringIO(csv_text(["a", typed, "b"], []), newline=""))
    assert cell == f"'{typed}"
    assert last == "b"
    [_, [_, cell]] = csv.reader(StringIO(csv_text(["a", "b"], [["x", typed]]), newline=""))
    assert cell == f"'{typed}"


@pytest.mark.parametrize("number", ["-12.50", "+10.00", "-1,234.56", "-$5", "-3/884", "-1e-05", -7, -0.25, "5%", "", 0])
def test_numbers_stay_numbers(number: object) -> None:
    assert csv_text(["a"], [[number, 1]]) in (f"a\r\n{number},1\r\n", f'a\r\n"{number}",1\r\n')


def test_one_module_writes_csv() -> None:
    assert [path.name for path, text in files().items() if re.search(r"^import csv\b", text, re.M)] == [
        "spreadsheet.py"
    ]
    assert all(".to_csv(" not in text for path, text in files().items() if room_of(path) in ("web", "cli", "reports"))
