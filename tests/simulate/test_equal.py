"""Compiled rounds against the scalar rules: the same cards, choices, outcome codes and amounts, round by round.

``PITBOSS_TORTURE=1`` compares a million rounds of each game.
"""

import os
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import Card
from pitboss.exact.board import BoardPlay
from pitboss.exact.plan import ENDED
from pitboss.exact.solo import Play
from pitboss.exact.value import Valued
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import Round
from pitboss.games.rules import Choices, Rules
from pitboss.games.settle import verify
from pitboss.law.model import in_force
from pitboss.simulate.batches import list_codes, list_nets, weighed
from pitboss.simulate.decisions import Decisions
from pitboss.simulate.operations import UP_CARD_FIRST
from pitboss.simulate.plan import Plan, every_wager, make_plan
from pitboss.simulate.scalar import ScalarTable, fixed_net
from tests.test_exact_simulation import states_of

from .plans import AS_OF, DECIDED, EXACT, GAME_STRATEGIES, SEED, plan_of, rules_of

TORTURE = bool(os.environ.get("PITBOSS_TORTURE"))


def compare(plan: Plan, rounds: int, seed: int = SEED, start: int = 0) -> None:
    """Every code of every seat, what the round moves, and that a share of a meter is always noticed."""
    table, meters = ScalarTable(plan), plan.meters()
    codes = list_codes(plan.work, seed, start, rounds)
    moved, flagged = weighed(plan.work, codes, plan.pays.nets)
    first = list_nets(plan.work, seed, start, rounds)[1]
    for place in range(rounds):
        played = table.play(seed, start + place)
        where = f"round {start + place} of seed {seed}"
        assert table.codes(played) == codes[place].tolist(), where
        if place < 50:
            assert verify(plan.rules, played.round) == (), where
        settlement = table.settle(played, meters)
        meters = dict(settlement.meters)
        assert fixed_net(settlement) == moved[place], where
        mine = [line for line in settlement.lines if line.seat == plan.numbers[0]]
        assert sum(-line.stake if line.from_meter else line.net for line in mine) == first[place], where
        assert any(line.from_meter for line in settlement.lines) <= bool(flagged[place]), where


@pytest.mark.parametrize(("game", "strategy"), GAME_STRATEGIES)
def test_codes_and_amounts_of_one_seat(game: str, strategy: str) -> None:
    compare(plan_of(game, 1, strategy, magic=True), 1_000_000 if TORTURE else 400)


@pytest.mark.parametrize("game", GAMES)
def test_codes_and_amounts_of_a_full_table(game: str) -> None:
    compare(plan_of(game, rules_of(game).seats, magic=True), 60, start=10**9)


@pytest.mark.parametrize(
    ("game", "device"), [(name, deal.device) for name, game in GAMES.items() for deal in game.chapter.deals[1:]]
)
def test_other_devices_deal_in_their_own_order(game: str, device: str) -> None:
    rules = rules_of(game, device=device)
    compare(make_plan(rules, every_wager(rules, 2), "always"), 25)


@pytest.mark.parametrize("game", GAMES)
def test_the_last_letters(game: str) -> None:
    """The last table that is printed for each wager; "A" to "Z", because a version has tables of its own."""
    tables = in_force(GAMES[game].chapter.paytables, AS_OF)
    letters = {table.wager: table.letter for table in tables if len(table.letter) == 1 and table.letter.isalpha()}
    assert set(letters.values()) != {"A"}
    rules = rules_for(game, AS_OF, Choices(letters=letters))
    strategy = "always" if GAMES[game].duel is None else "thresholds"
    compare(make_plan(rules, every_wager(rules, 2), strategy), 60)


def without_caps(rules: Rules) -> Rules:
    figures = tuple(replace(figure, caps=()) for figure in rules.chapter.figures)
    return replace(rules, options={}, chapter=replace(rules.chapter, figures=figures))


@pytest.mark.parametrize(
    ("game", "options", "stakes", "seen"),
    [
        ("four-card-frenzy", {"payout_limit": 5_000_000}, {"ante": 1_000_000, "odds": 1_000_000}, 200_000),
        ("mississippi-stud", {}, {"ante": 1_000_000}, 20_000),
    ],
    ids=["684a.12(g)", "655a.12(b)"],
)
def test_a_payout_limit_cuts_the_same_lines(
    game: str, options: dict[str, int], stakes: dict[str, int], seen: int
) -> None:
    """Wagers of $10,000: every great hand is cut, and which line depends on their order."""
    rules = rules_for(game, AS_OF, Choices(options=options))
    plan = make_plan(rules, every_wager(rules, 1, stakes), "always")
    table = ScalarTable(plan)
    cut = 0
    codes = list_codes(plan.work, SEED, 0, seen)[:, 0, 0]
    unlimited = make_plan(without_caps(rules), every_wager(rules, 1, stakes), "always")
    limited_codes = np.flatnonzero(plan.pays.nets[0][codes] != unlimited.pays.nets[0][codes])
    assert len(limited_codes) > 5
    for number in limited_codes[:20]:
        played = table.play(SEED, int(number))
        settlement = table.settle(played, {})
        assert fixed_net(settlement) == plan.pays.nets[0][codes[number]]
        cut += any("payout limit" in line.why for line in settlement.lines)
    assert cut == min(20, len(limited_codes))


@pytest.mark.parametrize(
    ("game", "wagers"),
    [
        (
            "three-card-poker",
            {1: {"pair_plus": 500, "three_card_progressive": 100}, 4: {"ante": 1000, "pair_plus": 500}},
        ),
        (
            "four-card-poker",
            {2: {"aces_up": 500, "five_card_progressive": 500}, 3: {"ante": 700}, 7: {"ante": 100, "aces_up": 333}},
        ),
        ("lunar-poker", {1: {"ante": 100, "super": 300, "super_on_seat_3": 500}, 3: {"ante": 500, "super": 500}}),
    ],
)
def test_seats_with_wagers_of_their_own(game: str, wagers: dict[int, dict[str, int]]) -> None:
    compare(make_plan(rules_of(game), wagers), 150)


@pytest.mark.parametrize("game", DECIDED)
def test_choices_are_those_of_the_solved_states(game: str) -> None:
    """The tables of decisions against the solved states themselves, found by another way of naming suits."""
    plan = plan_of(game, 1, EXACT[game])
    valued, table = plan.strategy.valued, ScalarTable(plan)
    played = [table.play(SEED, number) for number in range(3000)]
    if isinstance(valued, Play):
        wanted = [street_by_street(plan, valued, each.round) for each in played]
    else:
        assert isinstance(valued, Valued)
        wanted = in_solved_states(plan, valued, [each.round for each in played])
    assert [each.choices[0] for each in played] == wanted
    assert len(set(wanted)) > 1


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.plain])
def test_choices_on_a_board_are_the_best_of_each_state(game: str) -> None:
    """What the packed tables say, against the value of every choice of that very state, ranked afresh."""
    plan = plan_of(game, 1, "optimal")
    table, play = ScalarTable(plan), plan.strategy.valued
    assert isinstance(play, BoardPlay)
    taken = set()
    for number in range(60):
        played, history = table.play(SEED, number).round, 0
        for step, asked in zip(plan.game.course.decides, play.asked, strict=True):
            made = played.seats[0].decisions.get(step.name)
            name = ""
            if made is not None:
                sight = plan.game.sight(plan.rules, played, played.seats[0], step)
                name = next(each.name for each in step.choices(plan.rules) if each.decision(sight.stake) == made)
                taken.add((step.name, name))
                # Two cards to come make thousands of boards: a few states will do.
                if len(sight.up) != 3 or number < 4:
                    values = asked.values(sight.cards + sight.up, history)
                    assert values[name] == max(values.values()), (number, step.name)
            history = int(asked.follows[history, asked.names.index(name)])
            if history == ENDED:
                break
    assert len(taken) > len(plan.game.course.decides) + 1


def in_solved_states(plan: Plan, valued: Valued, played: list[Round]) -> list[str]:
    (step,), duel = plan.game.course.weighed[:1], plan.game.duel
    assert duel is not None
    sights = [plan.game.sight(plan.rules, each, each.seats[0], step) for each in played]
    seen = [(sight.cards, sight.up[0] if duel.up_card else None) for sight in sights]
    return [valued.grid.names[valued.picked[state]] for state in states_of(valued.solved, seen, duel.suit_blind)]


def street_by_street(plan: Plan, valued: Play, played: Round) -> str:
    history, chosen = 0, []
    for step, street in zip(plan.game.course.weighed, valued.streets, strict=True):
        sight = plan.game.sight(plan.rules, played, played.seats[0], step)
        choice = street.picked[street.row(sight.cards + sight.up), history]
        chosen.append(street.names[choice])
        history = int(street.follows[history, choice])
        if history == ENDED:
            break
    return ", ".join(chosen)


@pytest.mark.parametrize("game", [name for name in DECIDED if GAMES[name].duel is not None])
def test_states_are_found_by_ranks_or_by_suits(game: str) -> None:
    """Any state of the solution: those whose ranks do not settle the choice are looked up by their suits."""
    plan = plan_of(game, 1, EXACT[game])
    valued, (made,) = plan.strategy.valued, plan.strategy.decisions
    assert isinstance(valued, Valued)
    assert isinstance(made, Decisions)
    solved, rng = valued.solved, Random(1)
    shown = made.mode == UP_CARD_FIRST
    for state in rng.sample(range(len(solved.hands)), min(4000, len(solved.hands))):
        hand = tuple(Card(int(card)) for card in solved.hands[state])
        up = int(solved.ups[state]) if shown else 0
        assert made.pick(hand, up, up >> 2) == valued.picked[state]
