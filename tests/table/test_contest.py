"""Seven-card Stud at a live table: chips, pots, cards for all, hands that nobody has to show."""

from collections import Counter
from random import Random

import pytest

from pitboss.cards import parse_cards
from pitboss.exact.equity import equities
from pitboss.ledger.telling import tell
from pitboss.table.discretion import HIDDEN, discreet
from pitboss.table.fold import apply_all
from pitboss.table.roles import Role
from pitboss.table.ruling import hand_at
from pitboss.table.state import Table
from pitboss.table.view import view
from pitboss.web.pages.equity import equity_html
from tests.table.contest import against_pokerkit, opened, random_hand, submission, tally
from tests.table.driver import DAY, Bench


class Patron:
    """Somebody who plays."""

    role = Role.PLAYER

    def __init__(self, name: str) -> None:
        self.id = name


@pytest.mark.law("637a.10(b)")
def test_random_hands_conserve_chips_and_agree_with_pokerkit() -> None:
    bench, random, found = opened(ante=1, rake_percent=5, rake_most=4), Random(637), Counter[str]()
    for players in (2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 3, 2):
        hand = random_hand(bench, random, players)
        against_pokerkit(bench, hand)
        tally(hand, found)
    assert apply_all(Table("t1"), bench.log) == bench.table
    assert all(found[kind] for kind in ("side pots", "showdowns", "cards for all", "raked")), found


@pytest.mark.law("637a.10(b)")
def test_nine_players_to_seventh_street_share_cards() -> None:
    """63 cards of 52: sixth and seventh street are one card each for all."""
    bench = opened()
    bench.ready()
    for seat in range(1, 10):
        bench.dealer("wager", seat=seat, wager="table_stake", amount=40_000)
    bench.until("deciding")
    while bench.table.phase in ("deciding", "dealing"):
        hand = hand_at(bench.table)
        assert hand is not None
        if bench.table.phase == "deciding":
            name = next(o.name for o in hand.options if o.name in ("bring_in", "call", "check"))
            bench.dealer("decide", seat=hand.asked, choice=name)
        else:
            bench.step()
    play = bench.table.play
    assert play is not None
    assert len(play.hand("community")) == 2
    assert {len(play.hand(f"seat {seat}")) for seat in range(1, 10)} == {5}
    assert len(play.left_deck) == 27 + 10 + 10 + 2 + 2
    bench.until("shuffling", "wagering", "cutting", "deck count")


def test_cards_that_nobody_has_to_show_stay_hidden_afterwards() -> None:
    bench = Bench("seven-card-stud", submission(ante=1), source="keyed").opened(1, 2, 3)
    bench.plan = {"seat 1": "As Ah Ad", "seat 2": "Kc Kd 7h", "seat 3": "9c 8d 2c"}
    bench.ready()
    for seat in (1, 2, 3):
        bench.dealer("wager", seat=seat, wager="table_stake", amount=10_000)
    start = len(bench.log)
    bench.until("deciding")
    shown = view(bench.table, "p2")["round"]
    assert shown["hands"]["seat 1"] == [HIDDEN, HIDDEN, "Ad"]
    assert shown["hands"]["seat 2"] == ["Kc", "Kd", "7h"]
    bench.dealer("decide", seat=3, choice="bring_in")
    bench.dealer("decide", seat=1, choice="complete")
    assert bench.refused(Role.DEALER, "decide", seat=3, choice="call")[0] == "decision-order"
    assert bench.refused(Role.DEALER, "decide", seat=2, choice="check")[0] == "unknown-decision"
    bench.dealer("decide", seat=2, choice="fold")
    bench.dealer("decide", seat=3, choice="fold")
    bench.until("shuffling", "wagering", "cutting")
    assert [line["net"] for line in bench.lines(start)] == [500, -100, -400]
    told = [seen for event in bench.log[start:] if (seen := discreet(event, Patron("p2"), frozenset({2}))) is not None]
    words = " ".join(f"{event.data} {tell(event)}" for event in told)
    assert "Kc" in words
    for card in ("As", "Ah", "9c", "8d"):
        assert card not in words


def test_a_void_hand_gives_every_chip_back_also_after_the_pot_was_paid() -> None:
    for settled in (False, True):
        bench, random = opened(ante=1, rake_percent=5), Random(3)
        bench.ready()
        for seat in (2, 5, 7):
            bench.dealer("wager", seat=seat, wager="table_stake", amount=6_000)
        bench.until("deciding")
        while bench.table.phase in ("deciding", "dealing") and (settled or len(bench.table.play.dealt) < 14):  # type: ignore[union-attr]
            hand = hand_at(bench.table)
            assert hand is not None
            if hand.asked:
                names = [option.name for option in hand.options if option.name != "fold"]
                bench.dealer("decide", seat=hand.asked, choice=random.choice(names))
            else:
                bench.step()
        if settled:
            bench.until("settling")
            bench.dealer("settle", turns=2)
        bench.floor("irregularity", what="wrong-number-of-cards", seat=2)
        assert {bench.chips(f"p{seat}") for seat in range(1, 10)} == {5_000_000}
        assert bench.held("pot:t1") == bench.held("layout:t1") == 0


def test_equity_is_exact_where_few_cards_are_missing_and_sampled_within_its_error() -> None:
    hands = [parse_cards("As Ks Qs Js 9s 2d"), parse_cards("2c 2h 7c 7d 9h 4c")]
    exact = equities(hands, 7)
    # Any of four sevens' and deuces' last cards makes a full house: 7s, 7h and 2s beat the flush.
    assert [str(each.share) for each in exact] == ["241/260", "19/260"]
    assert sum(each.share for each in exact) == 1
    told = equity_html("seven-card-stud", DAY, "As Ks Qs Js 9s 2d\n2c 2h 7c 7d 9h 4c", "", "120", "5")
    assert "241/260" in told
    assert "rake takes $6, 5.00 %" in told
    fewer = [hand[:4] for hand in hands]
    sampled = equities(fewer, 7, samples=4_000)
    again = equities(fewer, 7, samples=4_000, seed=2)
    assert all(0 < each.error < 0.01 for each in sampled)
    assert abs(float(sampled[0].share - again[0].share)) < 5 * (sampled[0].error + again[0].error)
