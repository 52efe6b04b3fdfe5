"""A card that lies face down is unknown to the rules too: a line that needs it waits, and no line is guessed."""

from datetime import date
from random import Random

import pytest

from pitboss.cards import DECK
from pitboss.games import walk
from pitboss.games.course import HANDS
from pitboss.games.registry import GAMES
from pitboss.games.round import FaceDownError, Round
from pitboss.games.rules import Rules, resolve
from pitboss.games.settlement import Book, Turn
from pitboss.records import replace
from tests.table.driver import CARD_GAMES

HOUSE_GAMES = [name for name in CARD_GAMES if not GAMES[name].course.contest]


def covering(played: Round, place: str) -> Round:
    """The same round with the cards of one place face down."""
    if place.startswith("seat "):
        seat = played.seat(int(place.removeprefix("seat ")))
        assert seat is not None
        return replace(played.with_seats([replace(seat, cards=())]), covered={place: len(seat.cards)})
    count = len(played.place(place))
    extras = {name: cards for name, cards in played.extras.items() if name != place}
    return replace(played, dealer=() if place == "dealer" else played.dealer, extras=extras, covered={place: count})


def law_of(game: str) -> Rules:
    rules, _ = resolve(GAMES[game].chapter, date(2024, 6, 1))
    assert rules is not None
    return rules


def turns(rules: Rules, played: Round) -> tuple[Turn, ...]:
    book = Book(rules, {})
    GAMES[rules.game].settle(rules, played, book)
    return book.turns()


@pytest.mark.parametrize("game", HOUSE_GAMES)
def test_a_settlement_goes_as_far_as_known_cards_decide_it(game: str) -> None:
    """Whatever place lies face down: the lines before it are those of the open round, then one turn waits for it."""
    rules = law_of(game)
    required = {*GAMES[game].course.main, *(w.name for w in rules.wagers.values() if w.required)}
    waited = 0
    for seed in range(12):
        deck = list(DECK)
        Random(seed).shuffle(deck)
        wagers = {n: s for n, s in walk.plain_wagers(rules).items() if n in required or not rules.wagers[n].meter}
        if seed % 2:
            wagers = {name: stake for name, stake in wagers.items() if name in required}
        state = walk.play_plainly(rules, walk.start(rules, {1: wagers, 3: wagers}, deck))
        whole = [line for turn in turns(rules, state.played) for line in turn.lines]
        places = [*({"dealer"} if state.played.dealer else ()), *state.played.extras, "seat 1", "seat 3"]
        for place in places:
            found = turns(rules, covering(state.played, place))
            lines = [line for turn in found for line in turn.lines]
            waiting = [turn for turn in found if turn.needs]
            assert lines == whole[: len(lines)], (seed, place)
            assert [(turn.needs, turn.lines) for turn in waiting] == [(place, ())] * (lines != whole), (seed, place)
            waited += len(waiting)
    assert waited


@pytest.mark.parametrize("game", [name for name in HOUSE_GAMES if name != "lunar-poker"])
def test_every_hand_in_play_is_turned_up(game: str) -> None:
    """Even where the dealer does not qualify and no line reads the hand; a folded one with nothing on it is not."""
    rules = law_of(game)
    main = dict.fromkeys(GAMES[game].course.main, 1000)
    folded = 0
    for seed in range(20):
        deck = list(DECK)
        Random(seed).shuffle(deck)
        state = walk.play_plainly(rules, walk.start(rules, {1: main}, deck))
        (seat,) = state.played.seats
        hands = any(step.stage == HANDS for step in GAMES[game].course.settles)
        needs = [turn.needs for turn in turns(rules, covering(state.played, "seat 1")) if turn.needs]
        assert needs == ["seat 1"] * (hands and not seat.folded), seed
        folded += seat.folded
    assert folded or game == "let-it-ride"


def test_the_refusal_names_the_place() -> None:
    assert "six card bonus card" in str(FaceDownError("six_card_bonus_card"))
