"""What is written over a table and about its limits."""

from pathlib import Path
from typing import Any

import pytest

from pitboss.games.registry import GAMES
from pitboss.ledger.store import Store
from pitboss.table.caption import caption_of, table_limits
from pitboss.table.roles import Role
from pitboss.table.state import Table
from tests.ledger.house import House
from tests.postgres import fresh_file
from tests.table.driver import Bench


@pytest.mark.parametrize(("source", "words"), [("virtual", "virtual cards"), ("keyed", "cards read as dealt")])
def test_a_closed_table_still_says_how_it_was_dealt(tmp_path: Path, source: str, words: str) -> None:
    with Store(fresh_file(tmp_path)) as store:
        house = House(store).opened("k-cs", "caribbean-stud", source=source)
        table = house.pit.table("k-cs")
        assert caption_of(table, None).details == ("Table k-cs", "round 1", "manual shoe", words)
        house.manager("k-cs", "close_table")
        closed = house.pit.table("k-cs")
        caption = caption_of(closed, house.pit.opening(closed))
        assert caption.title == GAMES["caribbean-stud"].chapter.title
        assert caption.details == ("Table k-cs", "closed after 0 rounds", "manual shoe", words)
    assert caption_of(Table("new"), None).details == ("Table new", "not opened yet")


@pytest.mark.parametrize("game", list(GAMES))
def test_the_limits_of_a_table_are_listed_together(game: str) -> None:
    bench = Bench(game).opened(1)
    every = table_limits(bench.table)
    for each in every:
        assert bench.refused(Role.PIT_MANAGER, "change_limits", wager=each.wager, minimum=0, maximum=1)[0] == "limits"
    first = every[0]
    bench.manager("change_limits", wager=first.wager, minimum=700, maximum=90_000)
    changed, *others = table_limits(bench.table)
    assert changed.range.startswith("$7 to $900 (filed: $")
    assert tuple(others) == every[1:]


def test_a_name_in_use_is_said_to_be_in_use() -> None:
    bench = Bench("three-card-poker").opened(1).ready()
    body: dict[str, Any] = {"command": "open_table", "submission": bench.text}
    (finding,) = bench.why_not(Role.PIT_MANAGER, body)
    assert finding.code == "phase"
    assert finding.sentence == (
        "The name t1 is in use: Three Card Poker is open there. Choose another name, or close that table first."
    )
