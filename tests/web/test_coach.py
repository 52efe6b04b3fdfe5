"""What the coach of practice says: for every game in which something is decided, costs are differences of values."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from pitboss.api import rules_for
from pitboss.cards import Card, Hand, parse_cards
from pitboss.exact.coach import Score, Verdict, judge
from pitboss.exact.plan import dealt
from pitboss.exact.strategy import HandAnalysis, analyse_hand
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.course import Draws, Option, Sight
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.table.autoplay import plain_wagers
from pitboss.web.choices import asked, presses
from pitboss.web.coaching import judged, rule_sheet
from pitboss.web.practice import PracticeGame
from pitboss.web.views.practice import expectation
from pitboss.web.views.practice_coach import coach

AS_OF = date(2024, 6, 1)
UNIT = 1000
WEIGHED = [name for name, game in GAMES.items() if game.course.weighed]


def rules_of(name: str) -> Rules:
    return rules_for(name, AS_OF)


def first_sight(game: Game) -> Sight:
    """What a seat might see when it is asked first."""
    cards, own = parse_cards("As Kd Qc Jh 9s 2d"), dealt(game)["players"]
    return Sight(cards[:own], cards[own : own + 1] if game.duel and game.duel.up_card else (), UNIT)


def worth(game: Game, sight: Sight) -> tuple[Mapping[str, Fraction], Mapping[Hand, Fraction]]:
    found = analyse_hand(game, rules_of(game.name), sight.cards, next(iter(sight.up), None))
    return (found.values, found.exchanges) if isinstance(found, HandAnalysis) else (found.now.values, {})


@pytest.mark.parametrize("name", WEIGHED)
def test_the_best_play_costs_nothing_and_any_other_by_how_much_less_it_is_worth(name: str) -> None:
    game, rules = GAMES[name], rules_of(name)
    step, sight = game.course.weighed[0], first_sight(game)
    values, exchanges = worth(game, sight)
    most, score, made = max(values.values()), Score(), []
    for choice in step.choices(rules, sight):
        decision, expected = choice.decision(UNIT), values[choice.name]
        if choice.option.draws is not None and choice.option.draws.discards:
            gone, expected = list(exchanges.items())[-1]
            decision = replace(decision, discard=gone)
        verdict = judge(game, rules, step.name, sight, decision)
        made.append(verdict)
        assert verdict.values == values
        assert verdict.cost == most - expected
        assert all(values[best] == most for best in verdict.best)
        assert verdict.why("Ante").count("on average") == 2
        score = score.after(verdict)
    assert min(verdict.cost for verdict in made) == 0 or most == values.get("exchange")
    assert score == Score(len(made), sum(v.cost > 0 for v in made), sum((v.cost for v in made), Fraction(0)))
    assert score.mistakes
    assert score.share(4) == float(score.cost / 4)


def drawing() -> list[tuple[Game, Option, Draws]]:
    """Games in which cards are bought, and the option by which they are."""
    return [
        (game, option, option.draws)
        for name, game in GAMES.items()
        for option in (game.course.weighed[0].options(rules_of(name), None) if game.course.weighed else ())
        if option.draws is not None and not option.draws.discards
    ]


def test_buying_a_card_is_worth_the_mean_of_the_best_that_can_be_done_with_each() -> None:
    """The decision after a card was bought is counted apart from the one before it; they must agree exactly."""
    ((game, option, draws),) = drawing()
    rules, sight = rules_of(game.name), first_sight(game)
    first, then = game.course.weighed
    drawn = [Card(card) for card in range(52) if card not in (*sight.cards, *sight.up)]
    assert draws.most == 1
    total = Fraction(0)
    for card in drawn:
        after = Sight((*sight.cards, card), sight.up, UNIT, {first.name: Decision(option.name, drawn=(card,))})
        total += max(judge(game, rules, then.name, after, Decision("fold")).values.values())
    assert total / len(drawn) == worth(game, sight)[0][option.name]


def test_an_amount_between_two_multiples_is_worth_what_lies_between() -> None:
    options = ((name, each) for name in WEIGHED for each in GAMES[name].course.weighed[0].options(rules_of(name), None))
    name = next(name for name, each in options if any(t.said and not t.whole for t in each.puts.values()))
    step = GAMES[name].course.weighed[0]
    game, rules = GAMES[name], rules_of(name)
    sight = first_sight(game)
    verdicts = [judge(game, rules, step.name, sight, Decision("play", amount)) for amount in (1000, 1250, 2000)]
    low, between, high = (verdict.worth for verdict in verdicts)
    assert between == low + (high - low) / 4
    assert verdicts[1].made == "play 1.25x"


def test_where_all_choices_are_alike_there_is_nothing_to_judge() -> None:
    game, step = next((game, step) for game in GAMES.values() for step in game.course.decides if step.even)
    with pytest.raises(UnreadableError, match="worth the same"):
        judge(game, rules_of(game.name), step.name, Sight(()), Decision(step.names[0]))


def played(feed: PracticeGame, nth: int) -> None:
    """A round in which every decision is the nth that a button offers, if it has so many."""
    for wager, amount in plain_wagers(feed.table).items():
        assert feed.act(command="wager", seat=feed.seats[0], wager=wager, amount=amount) == ()
    assert feed.act(command="no_more_bets") == ()
    while waits := list(asked(feed.table)):
        offered = list(presses(waits[0]))
        assert feed.act(command="decide", seat=feed.seats[0], **offered[min(nth, len(offered) - 1)].body) == ()
    feed.next_round()


@pytest.mark.parametrize("name", ["three-card-poker", "mississippi-stud"])
def test_a_session_is_scored_decision_by_decision(name: str) -> None:
    """Decisions are noted before they are made, with what was seen then; each is judged once and shown."""
    feed = PracticeGame(name)
    assert coach(feed)["last"] is None
    for nth in (0, 9):
        played(feed, nth)
    steps = [noted.step for noted in feed.coached.noted.values()]
    assert steps == [noted.step for noted in feed.coached.waiting()][::-1]
    assert steps[: len(GAMES[name].course.weighed)] == [step.name for step in GAMES[name].course.weighed]
    assert coach(feed)["last"].tone == "waiting"
    for noted in list(feed.coached.waiting()):
        feed.coached.judged[noted] = judged(noted)
    verdicts = [verdict for verdict in feed.coached.judged.values() if isinstance(verdict, Verdict)]
    assert len(verdicts) == len(steps) == feed.coached.score.decisions
    assert feed.coached.rounds == 2
    assert feed.coached.score.cost == sum((verdict.cost for verdict in verdicts), Fraction(0))
    shown = coach(feed)
    assert (shown["score"].decisions, shown["right"]) == (len(steps), len(steps) - feed.coached.score.mistakes)
    assert shown["last"].tone == ("mistake" if verdicts[0].cost else "best")  # judged first
    assert len(shown["pinned"]) + shown["more_pinned"] == len(feed.coached.mistakes), "of earlier rounds, not yet seen"
    feed.coached.seen |= set(feed.coached.mistakes)
    assert coach(feed)["pinned"] == []
    assert all(each < 0 for each in expectation(feed)[0])
    rules = next(iter(feed.coached.noted.values())).rules
    assert rule_sheet(rules).sentences
