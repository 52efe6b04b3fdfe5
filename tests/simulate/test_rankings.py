"""Rankings that tables by rank and suit can't hold: they are noticed, refused by the engine and played the slow way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

import pytest
from typer.testing import CliRunner

from pitboss.cards import Hand, rank_of, suit_of
from pitboss.cli import app
from pitboss.exact.engine import play_of
from pitboss.findings import PitbossError
from pitboss.games import four_card_frenzy as frenzy
from pitboss.games.contract import Lines
from pitboss.games.facts import DEALER, OWN, AtLeast, Chosen, Compare, Label, Versus, folded
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.hands import batch, facets
from pitboss.hands.orders import RankOrder
from pitboss.simulate.evaluators import Evaluator
from pitboss.simulate.plan import Plan, every_wager, make_plan
from pitboss.simulate.results import FAR, rows
from pitboss.simulate.runs import simulate
from pitboss.simulate.scalar import ScalarTable

from .plans import AS_OF, rules_of

GAME = "four-card-frenzy"


@dataclass(frozen=True)
class LongestSuit(RankOrder):
    """The most cards of one suit win, then the highest of them: three of a suit beat any two of each."""

    def score(self, cards: Hand) -> int:
        suits = [[rank_of(card) for card in cards if suit_of(card) == suit] for suit in range(4)]
        high = (sum(rank << 4 * at for at, rank in enumerate(sorted(ranks))) for ranks in suits)
        return max((len(ranks) - 1) << 20 | each for ranks, each in zip(suits, high, strict=True) if ranks)

    def describe(self, score: int) -> str:
        return self.category(score)


LONGEST_SUIT = LongestSuit("longest-suit", 4, ("four_suited", "three_suited", "two_suited", "rainbow"), ())


@dataclass(frozen=True)
class FlushOutcome:
    """The outcome of a four-card game with this ranking."""

    folded: Annotated[bool, Chosen(folded)]
    qualifies: Annotated[bool, AtLeast(LONGEST_SUIT, 2 << 20, DEALER)]
    versus: Annotated[Versus, Compare(LONGEST_SUIT, OWN, DEALER)]
    hand: Annotated[str, Label(facets.FOUR_OF_FIVE, OWN)]
    color: Annotated[str, Label(facets.COLOR, OWN)]
    six_card: Annotated[str, Label(facets.SIX, (*OWN, "all_six_card"))]


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rules]:
    """A toy game: the course and pays of one chapter, with the other ranking."""
    lines: Lines[FlushOutcome] = Lines(FlushOutcome)
    lines.rules.update(frenzy.LINES.rules)  # type: ignore[arg-type]
    game = GAMES[GAME]
    monkeypatch.setattr(type(game), "lines", lines)
    for known in ("duel", "facets"):
        game.__dict__.pop(known, None)
    yield rules_of(GAME)
    for known in ("duel", "facets"):
        game.__dict__.pop(known, None)


def planned(rules: Rules, strategy: str) -> Plan:
    return make_plan(rules, every_wager(rules, 1), strategy)


def test_rounds_of_such_a_game_are_those_of_the_scalar_rules(rules: Rules) -> None:
    plan = planned(rules, "always")
    totals = simulate(plan, 300, seed=5)
    table, meters = ScalarTable(plan), plan.meters()
    settled = [table.settle(table.play(5, number), meters) for number in range(300)]
    main = sum(line.net for each in settled for line in each.lines if line.wager in ("ante", "odds", "raise"))
    assert rows(totals)[0].mean * 300 * 1000 == main
    assert rows(totals)[0].exact is None
    assert "longest-suit" in plan.slow


def test_the_exact_engine_refuses_them_in_a_sentence(rules: Rules) -> None:
    with pytest.raises(batch.RankingError, match="longest-suit ranking depends on more"):
        play_of(GAMES[GAME], rules)
    with pytest.raises(PitbossError, match="So optimal play isn't known; choose always"):
        planned(rules, "optimal")


def test_the_command_says_that_it_plays_the_slow_way(rules: Rules) -> None:
    del rules
    words = ["simulate", GAME, "--rounds", "50", "--strategy", "always", "--wager", "ante=10", "--wager", "odds=10"]
    told = CliRunner().invoke(app, [*words, "--as-of", str(AS_OF)])
    assert told.exit_code == 0
    assert "Rounds are played by the scalar rules instead" in told.output


def test_a_mean_far_from_its_exact_value_is_an_alarm_and_exit_code_3(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rounds of wrong tables beside the right exact value: what no check of sampled hands would notice."""
    right = Evaluator.level
    monkeypatch.setattr(Evaluator, "level", lambda made, score: right(made, score) + 300)
    words = ["simulate", GAME, "--rounds", "100000", "--as-of", str(AS_OF), "--seed", "5"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 3
    assert "The mean of Main lies" in told.output
    assert "simulation and exact count contradict each other" in told.output


def test_one_rare_pay_is_luck() -> None:
    """A royal flush in a hundred rounds lies many standard errors off, and one run in thousands has one."""
    plan = planned(rules_of(GAME), "always")
    row = rows(simulate(plan, 100, seed=5))[-1]
    lucky = replace(row, mean=(row.exact or 0) + row.largest / 100, rounds=100)
    assert lucky.z is not None
    assert lucky.z > FAR
    assert not lucky.wrong
    assert "play more" in lucky.alarm
    assert replace(lucky, rounds=10**6, standard_error=lucky.standard_error / 100).wrong
