"""Two state machines: Hypothesis chooses what happens at the tables, and after every step everything must still hold.

What is tried stands in ``walk``, what must hold in ``invariants``: entries that sum to zero, chips on the layout, chips
of the players, meters, refusals that change nothing, cards that nobody may see, and replay.
"""

import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from pitboss.games.course import Deal, Draw
from pitboss.games.registry import GAMES
from pitboss.table.events import Event, move
from pitboss.table.fold import apply
from pitboss.table.happened import but
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.ruling import rules_at
from pitboss.table.state import Table
from tests.events import event_of
from tests.table.driver import GAME_NAMES, Bench
from tests.table.invariants import Books, cards_in, leaked, may_see
from tests.table.walkers import BenchWalk, PitWalk

CHECKS = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
SEEDS = st.integers(0, 2**32 - 1)


class TableMachine(RuleBasedStateMachine):
    """One table without a database."""

    walk: BenchWalk

    @initialize(seed=SEEDS, game=st.sampled_from(GAME_NAMES), ready=st.booleans())
    def begin(self, seed: int, game: str, ready: bool) -> None:
        self.walk = BenchWalk(Random(seed), game)
        if ready:
            self.walk.ready()

    @rule(seed=SEEDS)
    def step(self, seed: int) -> None:
        """Each step has a seed of its own, so that the story of a failure can be cut short."""
        self.walk.random.seed(seed)
        self.walk.step()

    def teardown(self) -> None:
        if hasattr(self, "walk"):
            self.walk.finish()


class PitMachine(RuleBasedStateMachine):
    """Two tables over one ledger, with linked meters."""

    walk: PitWalk

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()

    @initialize(seed=SEEDS, game=st.sampled_from(GAME_NAMES))
    def begin(self, seed: int, game: str) -> None:
        self.walk = PitWalk(Random(seed), Path(self.folder.name), game)
        self.walk.ready()

    @rule(seed=SEEDS)
    def step(self, seed: int) -> None:
        self.walk.random.seed(seed)
        self.walk.step()

    def teardown(self) -> None:
        if hasattr(self, "walk"):
            self.walk.finish()
            self.walk.close()
        self.folder.cleanup()


def test_one_table_under_any_commands() -> None:
    run_state_machine_as_test(
        TableMachine,
        settings=settings(max_examples=40, stateful_step_count=50, deadline=None, derandomize=True, database=None,
                          suppress_health_check=CHECKS),
    )  # fmt: skip


def test_two_linked_tables_over_one_ledger_under_any_commands() -> None:
    run_state_machine_as_test(
        PitMachine,
        settings=settings(max_examples=16, stateful_step_count=40, deadline=None, derandomize=True, database=None,
                          suppress_health_check=CHECKS),
    )  # fmt: skip


@pytest.mark.parametrize("game", GAME_NAMES)
def test_walks_reach_whole_rounds_and_void_ones(game: str) -> None:
    """A walk that never got anywhere would prove nothing."""
    course, rules = GAMES[game].course, rules_at(Bench(game).opened().table)
    wanted = {"round.completed", "line.settled", "seat.left"}
    wanted |= {"cards.drawn"} if course.has(Draw) else set()
    wanted |= {"round.voided", "irregularity.reported", "device.failed"} if course.has(Deal) else {"dice.rolled"}
    wanted |= {"meter.incremented"} if rules.meters else set()
    wanted |= {"payout.validated"} if game == GAME_NAMES[0] else set()  # rare with some pay tables
    tally: Counter[str] = Counter()
    for seed in range(400):
        walk = BenchWalk(Random(seed), game)
        walk.ready()
        for _ in range(50):
            walk.step()
        walk.finish()
        tally += walk.tally
        if wanted <= {kind for kind, count in tally.items() if count} and tally["refused"] > 100:
            break
    assert wanted <= {kind for kind, count in tally.items() if count}
    assert tally["refused"] > 100


class TestTheChecksThemselves:
    """Each invariant finds a fault that is planted for it."""

    def bench(self) -> Bench:
        bench = Bench("three-card-poker").opened(1, 2).ready()
        bench.wager_all(1, 2)
        return bench.until("deciding")

    def test_chips_that_vanish_from_the_layout(self) -> None:
        bench = self.bench()
        bench.desk.balances["layout:t1"] -= 10_000
        with pytest.raises(AssertionError):
            Books(bench.table).stands(bench.table, bench.desk.balances)

    def test_a_player_who_owes_chips(self) -> None:
        bench = self.bench()
        bench.desk.balances["player:p1"] = -1
        with pytest.raises(AssertionError):
            Books(bench.table).stands(bench.table, bench.desk.balances)

    def test_a_meter_that_drifts_by_one_unit(self) -> None:
        bench = self.bench()
        books = Books(bench.table)
        for name in bench.desk.settings:
            books.feeds[name] = sum(u for a, u in bench.desk.balances.items() if a.startswith(f"meter:{name}:"))
        books.meters(bench.desk.balances)
        bench.desk.balances[f"meter:{next(iter(books.feeds))}:meter"] += 1
        with pytest.raises(AssertionError):
            books.meters(bench.desk.balances)

    def test_a_fold_that_differs_from_the_table(self) -> None:
        bench = self.bench()
        event = event_of("inventory.filled", {"amount": 100}, (), move("cage", "inventory:t1", 100))
        with pytest.raises(AssertionError):
            Books(bench.table).follow(bench.table, bench.table, [event], bench.desk.balances)
        after = apply(bench.table, event.fact)
        Books(bench.table).follow(bench.table, after, [event], bench.desk.balances)

    def test_a_line_that_says_less_than_was_paid(self) -> None:
        bench = self.bench()
        table, books = Table("t1"), Books(Table("t1"))
        for name, meter in bench.desk.settings.items():
            books.seeded(name, meter)
        for event in bench.until("collecting").log:
            fact = event.fact
            told = but(fact, net=fact.net - 1) if isinstance(fact, LineSettled) else fact
            books._money(table, Event(told, (), event.entries))
            table = apply(table, event.fact)
        (over,) = (event for event in bench.dealer("discard") if event.kind == "round.completed")
        with pytest.raises(AssertionError, match=r"round\.completed"):
            books._money(table, over)

    def test_a_card_in_any_field_or_sentence(self) -> None:
        bench = self.bench()
        play = bench.table.play
        assert play is not None
        right = may_see(bench.table, "p1")
        assert len(right) == 3
        others = sorted(cards_in({"deck": list(map(str, bench.desk.decks.values()))}))
        assert not others, "a sealed deck does not show its cards"
        (hidden, *_) = (c for c in ("2c", "3c", "4c", "5c") if c not in right)
        assert leaked({"hands": {"dealer": [hidden]}}, right) == {hidden}
        assert leaked({"note": f"it was {hidden}."}, right) == {hidden}
        assert leaked({"why": "A pair of 2s."}, {"2c", "2d"}) == set()
        assert leaked({"why": "A pair of 2s."}, {"3c", "3d"}) == {"2s"}
        assert leaked({"card": "2s"}, {"2c", "2d"}) == {"2s"}
