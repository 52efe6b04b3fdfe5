"""One readable round of each game, settled and compared word for word.

A file of tests/golden holds the round in TOML, a ruler, and what the settlement says. ``PITBOSS_REGOLD=1`` writes the
second part anew from the first; read the difference before keeping it.
"""

import os
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from pitboss.games.registry import GAMES
from pitboss.games.roundfile import read_round
from pitboss.games.rules import resolve
from pitboss.games.settle import settle
from pitboss.games.settlement import Line, Settlement
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import show_dollars, show_signed

GOLDEN = Path(__file__).parent / "golden"
RULER = "=" * 100


def settle_text(text: str) -> Settlement:
    file = read_round(tomllib.loads(text, parse_float=Decimal))
    assert file.as_of is not None
    rules, findings = resolve(GAMES[file.game].chapter, file.as_of, file.choices)
    assert rules is not None
    assert findings == ()
    return settle(rules, file.played, file.displayed, file.reserves)


def _line(line: Line) -> str:
    holder = "" if line.holder is None else f" (holder: seat {line.holder})"
    odds = f", {line.odds} [{line.odds_cite}]" if line.odds else ""
    head = (
        f"seat {line.seat}  {line.wager:<24}{show_dollars(line.stake):>8}  {line.result:<8}{show_signed(line.net):>13}"
    )
    return f"{head}  [{line.cite}]{odds}{holder}\n        {line.why}"


def show(settlement: Settlement) -> str:
    assert settlement.findings == ()
    parts = [_line(line) for line in settlement.lines]
    parts += [f"total of seat {seat}: {show_signed(net)}" for seat, net in settlement.totals.items()]
    for name, meter in settlement.meters.items():
        shown = ", ".join(f"{tier} {show_dollars(amount)}" for tier, amount in meter.displayed().items())
        reserve = f", reserve {show_dollars(meter.reserve // UNITS_PER_CENT)}" if meter.spec.reserve else ""
        parts.append(f"meter {name}: {shown}{reserve}")
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_golden_round(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    given, _, expected = path.read_text(encoding="utf-8").partition(f"{RULER}\n")
    shown = show(settle_text(given))
    if os.environ.get("PITBOSS_REGOLD") == "1":
        path.write_text(f"{given}{RULER}\n{shown}", encoding="utf-8")
        pytest.skip(f"{path.name} was written anew")
    assert shown == expected
    assert tomllib.loads(given)["game"] == name
