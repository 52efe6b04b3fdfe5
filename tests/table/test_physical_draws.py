"""Draws with unknown cards: winning hands are declared, exchanges counted, and the last hand is the one turned up."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from pitboss.cards import DECK, Card, parse_cards, show_card, show_cards
from pitboss.games.deal import deal_cards, deal_of
from pitboss.table.autoplay import said
from pitboss.table.deciding import deciding_now
from pitboss.table.guide import next_step
from pitboss.table.realdeck import RealDeck
from pitboss.table.roles import Role
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import PHYSICAL, Table
from tests.table.driver import DEVICE_NAMES, Bench
from tests.table.physical import Round, any_wagers, opened, shuffled

LUNAR = "lunar-poker"
SEATS = (1, 3, 4)
SETTLED = ("seat", "wager", "stake", "result", "net", "cite", "odds", "odds_cite", "holder", "settles", "stage")
RIGGED = ("9h 8h 7h 6h 5h", "As Ks Qs 4d 2c", "Kc Jc 9c 6c 2c")
"""Hands that are paid at once, or win the Super Wager."""


def any_choice(random: Random) -> Callable[[Table, int], Mapping[str, Any]]:
    """Any choice, and for an exchange any cards."""

    def choose(table: Table, seat: int) -> Mapping[str, Any]:
        play, game, rules = table.playing, game_at(table), rules_at(table)
        step, _ = deciding_now(table)
        assert step is not None
        sight = game.sight(rules, play.as_round(), play.seat(seat), step)
        choice = random.choice(step.choices(rules, sight))
        made = said(seat, choice.decision(sight.stake)).as_dict()
        if choice.name.startswith("exchange"):
            made["discard"] = show_cards(random.sample(sight.cards, random.randint(2, 5)))
        return made

    return choose


def put(deck: list[Card], bench: Bench, seat: int, cards: str) -> None:
    """Rearrange a deck so that a seat is dealt these cards."""
    order = deal_cards(deal_of(rules_at(bench.table)), {each: {} for each in SEATS}, DECK).order
    places = [DECK.index(dealt.card) for dealt in order if dealt.to == f"seat {seat}"]
    for place, card in zip(places, parse_cards(cards), strict=True):
        at = deck.index(card)
        deck[at], deck[place] = deck[place], card


def lines_of(bench: Bench, start: int) -> list[tuple[object, ...]]:
    return [tuple(line.get(name) for name in SETTLED) for line in bench.lines(start)]


def rack_of(bench: Bench, start: int) -> list[list[str]]:
    rack: list[list[str]] = next(event.data["rack"] for event in bench.log[start:] if event.kind == "cards.collected")
    return rack


@pytest.mark.law("671a.11(b)", "671a.11(c)(1)", "671a.11(c)(2)", "671a.11(c)(3)", "671a.11(d)(1)(ii)")
@pytest.mark.parametrize("device", DEVICE_NAMES)
def test_draws_with_unknown_cards_settle_as_with_read_ones(device: str) -> None:
    """Equal lines and balances, where all who win declare it; nobody is told which cards were given up."""
    random = Random(device)
    read, real = (opened(LUNAR, device, source, SEATS) for source in ("keyed", PHYSICAL))
    declared: set[bool] = set()
    for number in range(12):
        deck = list(shuffled(random).cards)
        starts = len(read.log), len(real.log)
        read.ready()
        real.ready()
        if number % 3 == 2:
            put(deck, read, 3, RIGGED[number // 3 % 3])
        for seat in SEATS:
            for wager, amount in any_wagers(random, read.table).items():
                made = {"command": "wager", "seat": seat, "wager": wager, "amount": amount}
                if not read.why_not(Role.DEALER, made):
                    read.do(Role.DEALER, made)
                    real.do(Role.DEALER, made)
        known = Round(read, RealDeck(deck), {}, any_choice(random)).play()
        lines = read.lines(starts[0])
        paid = {line["seat"] for line in lines if line["wager"] == "super" and line["result"] == "win"}
        at_once = {line["seat"] for line in lines if line["wager"] == "instant_payout"}
        declares = {seat: seat in at_once for seat in paid | at_once}
        declared |= {*declares.values()}
        Round(real, RealDeck(deck), known.choices, declares=declares).play()
        assert lines_of(real, starts[1]) == lines_of(read, starts[0])
        assert real.desk.balances == read.desk.balances
        racks = [
            next(e.data["rack"] for e in b.log[s:] if e.kind == "cards.collected")
            for b, s in ((read, starts[0]), (real, starts[1]))
        ]
        for (place, cards), (same, unknown) in zip(*racks, strict=True):
            assert place == same
            assert len(cards.split()) == len(unknown.split())
            assert {*unknown.split()} - {"??"} <= {*cards.split()}
    assert declared == {True, False}


# What is refused, and what a declaration is worth

HANDS = {1: "As Ks Qs 4d 2c", 3: "9h 8h 7h 6h 5h", 4: "Kd Kh 7c 5d 3s"}
"""Ace, king and queen; a straight flush; a pair."""


def deciding(source: str = PHYSICAL) -> Round:
    """A table about to decide, where each seat has an Ante and a Super Wager, and seat 4 bets on the hand of seat 1."""
    bench = opened(LUNAR, "manual-shoe", source, SEATS).ready()
    deck = list(shuffled(Random(1)).cards)
    for seat, cards in HANDS.items():
        put(deck, bench, seat, cards)
        for wager in ("ante", "super", *(("super_on_seat_1",) if seat == 4 else ())):
            bench.dealer("wager", seat=seat, wager=wager, amount=1000)
    playing = Round(bench, RealDeck(deck), {})
    while bench.table.phase != "deciding":
        playing.step()
    return playing


def supers(bench: Bench) -> dict[tuple[int, str], int]:
    return {(line["seat"], line["wager"]): line["net"] for line in bench.lines() if line["wager"].startswith("super")}


@pytest.mark.law("671a.11(c)(1)", "671a.11(c)(2)")
def test_what_is_not_declared_loses_unseen_and_what_is_declared_is_verified() -> None:
    playing = deciding()
    bench = playing.bench
    other = Round(bench.fork(), playing.deck, {})
    bench.player("p4", "declare", seat=4)  # a pair wins nothing
    other.bench.player("p1", "declare", seat=1)
    for each in (playing, other):
        for seat in SEATS:
            each.bench.dealer("decide", seat=seat, choice="bet" if seat == 4 else "fold")
        each.bench.dealer("lock_decisions")
        while each.bench.table.phase == "locked" or len(supers(each.bench)) < 4:
            each.step()
    assert supers(bench) == {
        (1, "super"): -1000,
        (4, "super_on_seat_1"): -1000,
        (3, "super"): -1000,
        (4, "super"): -1000,
    }
    assert bench.table.playing.covered == {"seat 1": 5, "seat 3": 5, "dealer": 4}
    won = supers(other.bench)
    assert won[1, "super"] == won[4, "super_on_seat_1"] > 0
    assert (won[3, "super"], won[4, "super"]) == (-1000, -1000)
    assert "seat 4" in other.bench.table.playing.covered  # nobody turns up what was not declared


@pytest.mark.law("671a.11(b)(2)", "671a.11(c)(3)")
def test_a_hand_that_is_paid_at_once_is_turned_up_when_it_is_declared() -> None:
    playing = deciding()
    bench, denied = playing.bench, playing.bench.denied
    assert denied(Role.DEALER, "declare", seat=1, cards=HANDS[1])[0] == "not-paid-at-once"
    assert denied(Role.DEALER, "declare", seat=3, cards="9h 8h 7h")[0] == "card-count"
    assert denied(Role.PLAYER, "declare", "p3", seat=3, cards=HANDS[3])[0] == "dealer-verifies"
    assert denied(Role.PLAYER, "declare", "p1", seat=3)[0] == "not-yours"
    assert denied(Role.DEALER, "declare", seat=2)[0] == "nothing-to-declare"
    late = bench.fork()
    late.dealer("decide", seat=3, choice="fold")
    assert late.denied(Role.DEALER, "declare", seat=3, cards=HANDS[3])[0] == "decided-already"
    bench.dealer("declare", seat=3, cards=HANDS[3])
    assert bench.denied(Role.DEALER, "declare", seat=3)[0] == "declared-already"
    assert bench.denied(Role.DEALER, "decide", seat=3, choice="bet")[0] == "bet-with-instant-payout"
    for seat in (1, 4):
        bench.dealer("decide", seat=seat, choice="fold")
    bench.dealer("lock_decisions")
    assert bench.denied(Role.DEALER, "declare", seat=1)[0] == "phase"
    while bench.table.play is not None:
        playing.step()
    assert {line["wager"] for line in bench.lines() if line["seat"] == 3} == {"super", "instant_payout"}


@pytest.mark.law("671a.11(b)(2)", "671a.11(c)(3)")
def test_a_declared_hand_is_verified_after_its_player_said_so_and_can_be_corrected() -> None:
    """A player declares from the phone; the dealer keys the hand in, and a card put right can end the payment."""
    playing = deciding()
    bench, denied = playing.bench, playing.bench.denied
    bench.player("p3", "declare", seat=3)
    assert denied(Role.PLAYER, "declare", "p3", seat=3, cards=HANDS[3])[0] == "dealer-verifies"
    assert denied(Role.DEALER, "declare", seat=3, cards=HANDS[1])[0] == "not-paid-at-once"
    decided = bench.fork()
    decided.dealer("decide", seat=3, choice="bet")
    assert decided.denied(Role.DEALER, "declare", seat=3, cards=HANDS[3])[0] == "decided-already"
    bench.dealer("declare", seat=3, cards=HANDS[3])
    assert bench.table.playing.declared == (3,)
    assert denied(Role.DEALER, "declare", seat=3, cards=HANDS[3])[0] == "declared-already"
    assert denied(Role.DEALER, "decide", seat=3, choice="bet")[0] == "bet-with-instant-payout"
    wrong = bench.fork()
    wrong.dealer("correct_card", wrong="5h", right="5s")
    wrong.dealer("decide", seat=3, choice="bet")
    for seat in (1, 4):
        bench.dealer("decide", seat=seat, choice="fold")
    while bench.table.play is not None:
        playing.step()
    assert {line["wager"] for line in bench.lines() if line["seat"] == 3} == {"super", "instant_payout"}


@pytest.mark.law("671a.11(d)(1)(ii)")
def test_an_exchange_of_unknown_cards_is_a_number() -> None:
    bench = deciding().bench
    for wrong, code in (
        ({"choice": "exchange"}, "exchange-count"),
        ({"choice": "exchange", "unseen": 1}, "exchange-count"),
        ({"choice": "exchange", "unseen": 6}, "exchange-count"),
        ({"choice": "exchange", "unseen": -2}, "exchange-count"),
        ({"choice": "exchange", "discard": "4d 2c"}, "card"),
        ({"choice": "buy", "unseen": 1}, "card-count"),
        ({"choice": "bet", "unseen": 2}, "decision-not-allowed"),
    ):
        assert bench.denied(Role.DEALER, "decide", seat=1, **wrong)[0] == code
    known = deciding("keyed").bench
    assert known.denied(Role.DEALER, "decide", seat=1, choice="exchange", unseen=2)[0] == "card"
    assert known.denied(Role.DEALER, "declare", seat=1)[0] == "nothing-to-declare"


def test_of_a_hand_that_was_verified_the_cards_not_given_up_are_still_there() -> None:
    playing = deciding()
    bench = playing.bench
    bench.dealer("declare", seat=1)
    bench.dealer("decide", seat=1, choice="exchange", unseen=2)
    for seat in (3, 4):
        bench.dealer("decide", seat=seat, choice="fold")
    bench.dealer("lock_decisions")
    while bench.table.phase != "settling" or bench.table.playing.turned == 0:
        step = next_step(bench.table, bench.desk)
        assert step is not None
        if step.command is None:
            bench.dealer("decide", seat=1, choice="bet")
        else:
            playing.step()
    refused = bench.denied
    assert next_step(bench.table, bench.desk).say == "Turn up seat 1's hand."  # type: ignore[union-attr]
    assert refused(Role.DEALER, "turn_up", place="seat 1", cards="As Ks Qs 3c 3d")[0] == "not-turned-up-now"
    gone = {*bench.table.playing.left_deck, *parse_cards(" ".join(HANDS.values()))}
    new, newer, newest = (show_card(card) for card in [card for card in DECK if card not in gone][:3])
    for cards, code in (
        (f"As Ks Qs 4d {new}", "cards-kept"),
        (f"As Ks {new} {newer} {newest}", "cards-kept"),
        (f"As Ks Qs {new}", "card-count"),
        (f"As As Ks {new} {newer}", "card-twice"),
        ("", "no-card"),
    ):
        assert refused(Role.DEALER, "turn_up", cards=cards)[0] == code
    left = bench.table.playing.in_deck
    bench.dealer("turn_up", cards=f"As Ks Qs {new} {newer}")
    assert bench.table.playing.in_deck == left
    bench.dealer("correct_card", wrong=newer, right=newest)
    assert show_cards(bench.table.playing.last[1]) == f"As Ks Qs {new} {newest}"
    while bench.table.play is not None:
        playing.step()
    rack = {place: cards.split() for place, cards in rack_of(bench, 0)}
    assert {*rack["seat 1"]} == {*f"As Ks Qs 4d 2c {new} {newest}".split()}
    assert len(rack["seat 1"]) == 7
    assert bench.held("layout:t1") == 0
