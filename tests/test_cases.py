"""Hand-worked rounds, as data: every case of tests/cases is settled and compared line by line.

A case with ``acts`` also states every act that the law demands before its lines are paid.
"""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pitboss.games.registry import GAMES
from pitboss.games.roundfile import read_round
from pitboss.games.rules import resolve
from pitboss.games.settle import settle, verify
from pitboss.games.settlement import Line, Settlement
from pitboss.money import cents

CASES = Path(__file__).parent / "cases"
NOT_ROUND = {"name", "proves", "expect", "acts", "meters_after", "reserves_after", "refused"}


def _load() -> list[Any]:
    params = []
    for path in [CASES / f"{game}.toml" for game in sorted(GAMES)]:
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        data.pop("book")
        for case in data.pop("case"):
            marks = pytest.mark.law(*case["proves"])
            params.append(pytest.param({**data, **case}, id=f"{path.stem}: {case['name']}", marks=marks))
    return params


def _show(line: Line) -> str:
    sign = "-" if line.net < 0 else "+"
    holder = f" holder {line.holder}" if line.holder is not None else ""
    return f"{line.seat} {line.wager} {line.result} {sign}{abs(line.net) // 100}.{abs(line.net) % 100:02d}{holder}"


def settle_case(case: dict[str, Any]) -> Settlement:
    file = read_round({key: value for key, value in case.items() if key not in NOT_ROUND})
    assert file.as_of is not None
    rules, findings = resolve(GAMES[file.game].chapter, file.as_of, file.choices)
    if rules is None or findings:
        return Settlement(findings=(*findings, *(verify(rules, file.played) if rules else ())))
    return settle(rules, file.played, file.displayed, file.reserves)


@pytest.mark.parametrize("case", _load())
def test_case(case: dict[str, Any]) -> None:
    settlement = settle_case(case)
    if "refused" in case:
        assert {finding.code for finding in settlement.findings} == set(case["refused"])
        assert settlement.lines == ()
        return
    assert settlement.findings == ()
    assert [_show(line) for line in settlement.lines] == case["expect"]
    if "acts" in case:
        assert [
            f"{line.seat} {line.wager}: {act.actor} {act.act} [{act.cite}]"
            for line in settlement.lines
            for act in line.acts
        ] == case["acts"]
    shown = settlement.as_dict()
    for name, dollars in case.get("meters_after", {}).items():
        expected = {t: cents(d) for t, d in dollars.items()} if isinstance(dollars, dict) else cents(dollars)
        assert shown["meters"][name] == expected
    for name, dollars in case.get("reserves_after", {}).items():
        assert shown["reserves"][name] == cents(dollars)
