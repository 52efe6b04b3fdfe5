"""Every game by every device, from the first deck or shake to the end, without a database."""

import pytest

from pitboss.meters import UNITS_PER_CENT
from pitboss.table.codec import decode, encode
from pitboss.table.fold import apply_all
from pitboss.table.state import Table
from tests.table.driver import GAME_NAMES, Bench, devices_of, submission_text


@pytest.mark.parametrize("source", ["virtual", "keyed"])
@pytest.mark.parametrize(("game", "dealing"), [(game, device) for game in GAME_NAMES for device in devices_of(game)])
def test_seven_rounds_keep_money_and_replay(game: str, dealing: str, source: str) -> None:
    bench = Bench(game, submission_text(game, dealing), source=source, seed=7).opened(1, 2, 4)
    for _ in range(7):
        bench.round(1, 2, 4)
    assert bench.table.rounds == 7
    assert sum(bench.desk.balances.values()) == 0
    assert bench.held("layout:t1") == sum(bench.table.stacks.values()) * UNITS_PER_CENT
    assert all(sum(entry.units for entry in event.entries) == 0 for event in bench.log)
    assert apply_all(Table("t1"), bench.log) == bench.table
    assert decode(Table, encode(bench.table)) == bench.table
