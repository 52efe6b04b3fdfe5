"""A strategy that is a Python function: played by the scalar rules, counted like any other."""

import pytest

from pitboss.games.course import Sight
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import Decision
from pitboss.simulate.groups import MAIN
from pitboss.simulate.plan import every_wager, make_plan
from pitboss.simulate.results import choices, rows
from pitboss.simulate.runs import simulate
from pitboss.simulate.scalar import VoidRoundError

from .plans import SEED, plan_of, rules_of


@pytest.mark.parametrize("game", GAMES)
def test_the_games_own_plain_play(game: str) -> None:
    rules = rules_of(game)
    plan = make_plan(rules, every_wager(rules, 2), lambda view: GAMES[game].plain_decision(rules, view))
    totals = simulate(plan, 150, SEED, session=50, workers=2)
    assert totals.rounds == 150
    asked = bool(GAMES[game].course.weighed)
    assert sum(choices(totals).values()) == asked
    assert [row.exact for row in rows(totals) if row.wager == MAIN] == [None] * asked


def test_a_function_that_decides_as_a_table_comes_to_the_same() -> None:
    rules = rules_of("four-card-frenzy")

    def fold(_view: Sight) -> Decision:
        return Decision("fold")

    called = simulate(make_plan(rules, every_wager(rules, 1), fold), 200, SEED)
    assert called.counts.tolist() == simulate(plan_of("four-card-frenzy", 1, "never"), 200, SEED).counts.tolist()


def test_an_exchange_that_the_stub_cannot_fill_is_said_so() -> None:
    rules = rules_of("lunar-poker")

    def everything(view: Sight) -> Decision:
        return Decision("exchange", discard=view.cards)

    with pytest.raises(VoidRoundError, match="void"):
        simulate(make_plan(rules, every_wager(rules, 5), everything), 5, SEED)
