"""The buttons of a decision: every choice of the course at its price, in every game of the house."""

from dataclasses import replace
from datetime import date
from random import Random

import pytest

from pitboss.cards import DECK
from pitboss.games.course import Decide, Draws, Option, Sight, Times
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Seat
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.walk import RoundState, start
from pitboss.money import show_dollars
from pitboss.web.choices import AskedSeat, presses

DAY = date(2024, 6, 1)
DECIDING = [name for name, game in GAMES.items() if game.course.weighed]


def rules_of(game: str) -> Rules:
    chapter = GAMES[game].chapter
    rules, findings = resolve(chapter, DAY, Choices(device=chapter.devices(DAY)[0]))
    assert rules is not None
    assert not findings
    return rules


def waiting(state: RoundState) -> AskedSeat:
    assert state.asked is not None
    number, name = state.asked
    seat = state.played.seat(number)
    assert seat is not None
    step = next(step for step in state.game.course.weighed if step.name == name)
    return AskedSeat(seat, step, state.sight, state.options)


@pytest.mark.parametrize("game", DECIDING)
def test_every_button_is_a_lawful_choice_that_costs_what_it_says(game: str) -> None:
    rules, played = rules_of(game), GAMES[game]
    wagers = {1: dict(played.plain_wagers)}
    steps = set()
    for seed in range(12):
        deck, chance = list(DECK), Random(seed)
        chance.shuffle(deck)
        state = start(rules, wagers, deck)
        while state.asked is not None:
            waits = waiting(state)
            steps.add(waits.step.name)
            found = list(presses(waits))
            asked_for = {option.name for option in waits.options if not (option.draws and option.draws.discards)}
            assert {press.body["choice"] for press in found} == asked_for
            assert len({press.label for press in found}) == len(found)
            for press in found:
                decision = Decision(press.body["choice"], press.body.get("amount"))
                draws = played.draws(decision)
                drawn = replace(decision, drawn=state.stub[:draws])
                assert not [f for f in state.findings(drawn) if f.code != "decision-missing"], press
                before, after = waits.seat, waits.seat.deciding(waits.step.name, drawn)
                cost = sum(played.stakes(rules, after).values()) - sum(played.stakes(rules, before).values())
                assert press.label.endswith(show_dollars(abs(cost))) if cost else "$" not in press.label
            stays = chance.choice([press for press in found if press.body["choice"] != "fold"])
            state = state.apply(Decision(stays.body["choice"], stays.body.get("amount")))
    assert steps == {step.name for step in played.course.weighed}


def test_a_wager_that_may_be_taken_back_says_how_much_comes_back() -> None:
    options = (Option("withdraw", takes_back=("second",)), Option("let it ride"))
    step = Decide("first", "", ("withdraw", "let it ride"), lambda _rules, _sight: options)
    seat = Seat(2, (), {"first": 1000, "second": 1000, "third": 1000})
    found = list(presses(AskedSeat(seat, step, Sight((), stake=1000), options)))
    assert [press.label for press in found] == ["Withdraw $10", "Let it ride"]
    assert [press.body for press in found] == [{"choice": "withdraw"}, {"choice": "let it ride"}]


def test_cards_to_draw_are_on_the_button_and_discards_need_cards_first() -> None:
    options = (
        Option("take", {"fee": Times(1, 1, said=False)}, draws=Draws(2, 2, discards=False)),
        Option("swap", draws=Draws(1, 3, discards=True)),
    )
    step = Decide("only", "", ("take", "swap"), lambda _rules, _sight: options)
    (found,) = presses(AskedSeat(Seat(1, (), {}), step, Sight((), stake=500), options))
    assert (found.label, found.body) == ("Take 2 cards $5", {"choice": "take"})
