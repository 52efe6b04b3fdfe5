"""The live table, played through its commands with cards keyed in from a simulated deck, pays the same amounts."""

from collections import defaultdict

import pytest

from pitboss.cards import Card, show_cards
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import THEN, Round
from pitboss.simulate.batches import list_nets
from pitboss.simulate.plan import Plan, make_plan
from pitboss.simulate.scalar import ScalarTable
from pitboss.simulate.strategies import OPTIMAL, PLAIN
from pitboss.table.autoplay import plain_wagers
from pitboss.table.deciding import deciding_now
from pitboss.table.ruling import rules_at
from pitboss.table.state import DICE
from tests.table.driver import Bench

from .plans import SEED

ROUNDS = 6


def keyed(game: str, *seats: int) -> tuple[Bench, Plan]:
    bench = Bench(game, source="keyed").opened(*seats)
    bench.ready()
    rules = rules_at(bench.table)
    usual = PLAIN if GAMES[game].plain else OPTIMAL
    plan = make_plan(rules, {seat: dict(plain_wagers(bench.table)) for seat in seats}, usual)
    return bench, plan


def cards_of(played: Round) -> dict[int | str, str]:
    hands: dict[int | str, str] = {seat.number: show_cards(seat.cards) for seat in played.seats}
    hands |= {name: show_cards(cards) for name, cards in played.extras.items()}
    return hands | {"dealer": show_cards(played.dealer)}


def decide(bench: Bench, played: Round) -> None:
    """Every seat decides at the table what it decided in the simulation."""
    for seat in played.seats:
        decision = seat.decision
        if decision is None:
            continue
        fields: dict[str, object] = {"seat": seat.number, "choice": decision.choice}
        if decision.amount is not None:
            fields["amount"] = decision.amount
        if decision.discard:
            fields["discard"] = show_cards(decision.discard)
        bench.dealer("decide", **fields)


@pytest.mark.parametrize("game", GAMES)
def test_live_amounts_are_the_simulated_ones(game: str) -> None:
    bench, plan = keyed(game, 1, 2)
    table = ScalarTable(plan)
    everybody, _ = list_nets(plan.work, SEED, 0, ROUNDS)
    for number in range(ROUNDS):
        played = table.play(SEED, number).round
        start = len(bench.log)
        deal(bench, plan, played)
        finish(bench, played, number + 1)
        lines = bench.lines(start)
        assert sum(line["net"] for line in lines) == everybody[number]
    assert bench.table.rounds == ROUNDS


def deal(bench: Bench, plan: Plan, played: Round) -> None:
    """Wagers, and the cards up to the first decision; dice are read when the shaker is uncovered."""
    if played.dice:
        bench.plan = {DICE: " ".join(map(str, played.dice))}
        bench.ready()
        for seat, made in plan.wagers.items():
            for wager, amount in made.items():
                bench.dealer("wager", seat=seat, wager=wager, amount=amount)
        return
    bench.dealt(plan.wagers, cards_of(played))
    assert bench.table.play is not None
    dealt: dict[str, list[Card | None]] = defaultdict(list)
    for card in bench.table.play.dealt:
        dealt[card.to].append(card.card)
    assert {f"seat {seat.number}": list(seat.cards) for seat in played.seats}.items() <= dealt.items()


def finish(bench: Bench, played: Round, rounds: int) -> None:
    """Decisions, draws and settlement, until the round is over."""
    if bench.table.phase == "deciding":
        decide(bench, played)
    drawn = {seat.number: seat.decision for seat in played.seats if seat.decision and seat.decision.drawn}
    thens = {seat.number: seat.decisions[THEN].choice for seat in played.seats if THEN in seat.decisions}
    for number, decision in drawn.items():
        bench.plan[f"draw {number}"] = show_cards(decision.drawn)
    for _ in range(300):
        following = waiting_for(bench)
        if following is not None and following in drawn:
            bench.dealer("decide", seat=following, choice=thens[following])
        else:
            bench.step()
        if bench.table.rounds == rounds and bench.table.play is None:
            return
    raise AssertionError("the round does not end")


def waiting_for(bench: Bench) -> int | None:
    """The seat that has drawn and must decide next, if one has."""
    play = bench.table.play
    if play is None or bench.table.phase != "drawing":
        return None
    return next(iter(deciding_now(bench.table)[1]), None)
