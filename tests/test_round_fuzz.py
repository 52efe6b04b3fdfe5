"""Round files that are nearly right: whatever is wrong with them is told, never thrown."""

import copy
import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.findings import UnreadableError
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.roundfile import read_round
from pitboss.games.rules import resolve
from pitboss.games.settle import settle, verify
from pitboss.law.cite import Cite
from pitboss.law.index import paragraphs, unprinted

NOT_ROUND = {"name", "proves", "expect", "acts", "meters_after", "reserves_after", "refused"}


def _rounds() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        cases = data.pop("case")[::6]
        found += [{**data, **{key: case[key] for key in case if key not in NOT_ROUND}} for case in cases]
    return found


ROUNDS = _rounds()
WORDS = ["", "fold", "play", "raise", "bet", "buy", "exchange", "As", "As Kd", "2c 2c", "Zz", "A", "B", "c:A", "dealer"]
VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.integers(-5, 12),
    st.sampled_from(
        [10**9, Decimal("0.005"), Decimal("12.34"), True, None, [], {}, [1], {"ante": 5}, date(2016, 1, 1)]
    ),
)
KEYS = ["number", "cards", "wagers", "decision", "play", "raise", "bet", "discard", "drawn", "then", "dealer", "meters"]
KEYS += ["community", "magic_card", "lucky_position", "paytables", "version", "mini_royal", "payout_limit", "readings"]
KEYS += [
    "ante",
    "odds",
    "super",
    "super_on_seat_1",
    "super_on_seat_x",
    "five_card_progressive",
    "as_of",
    "game",
    "seat",
]


@st.composite
def broken(draw: st.DrawFn) -> dict[str, Any]:
    """A lawful or refused round of the cases with one to three places changed, added or removed."""
    data = copy.deepcopy(draw(st.sampled_from(ROUNDS)))
    for _ in range(draw(st.integers(1, 3))):
        places = _places(data)
        holder, key = draw(st.sampled_from(places))
        match draw(st.sampled_from(["change", "add", "remove"])):
            case "change":
                holder[key] = copy.deepcopy(draw(VALUES))
            case "add" if isinstance(holder, dict):
                holder[draw(st.sampled_from(KEYS))] = copy.deepcopy(draw(VALUES))
            case _:
                del holder[key]
    return {key: value for key, value in data.items() if value is not None}


def _places(value: Any) -> list[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value))
    found = [(value, key) for key in keys]
    for key in keys:
        if isinstance(value[key], dict | list):
            found += _places(value[key])
    return found or [({"nothing": 0}, "nothing")]


@settings(max_examples=4000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(broken())
def test_a_broken_round_is_unreadable_or_gets_cited_findings_or_settles(data: dict[str, Any]) -> None:
    try:
        file = read_round(data)
    except UnreadableError:
        return
    rules, findings = resolve(GAMES[file.game].chapter, file.as_of or date(2024, 6, 1), file.choices)
    if rules is None or findings:
        found = (*findings, *(verify(rules, file.played) if rules else ()))
    else:
        settlement = settle(rules, file.played, file.displayed, file.reserves)
        found = settlement.findings
        assert bool(found) != bool(settlement.lines)
    for finding in found:
        assert finding.sentence
        assert Cite.parse(finding.cite) in (*paragraphs(), *unprinted()), finding
