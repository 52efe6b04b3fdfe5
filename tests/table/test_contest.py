"""Seven-card Stud at a live table: chips, pots, cards for all, hands that nobody has to show."""

from collections import Counter
from datetime import date
from pathlib import Path
from random import Random

import pytest

from pitboss.api import rules_for
from pitboss.cards import parse_cards
from pitboss.exact.equity import equities
from pitboss.findings import UnreadableError
from pitboss.games.handhistory import contest_named, read, written
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import settle
from pitboss.ledger.recall import played_round, recall
from pitboss.ledger.review import review
from pitboss.ledger.sentences import tell
from pitboss.ledger.store import Store
from pitboss.paper.page import passages_html
from pitboss.table.fold import apply_all
from pitboss.table.happened import HIDDEN
from pitboss.table.redaction import redacted
from pitboss.table.roles import Role
from pitboss.table.ruling import hand_at, rules_at
from pitboss.table.state import Table
from pitboss.table.view import view
from pitboss.web.equity import EquityQuestion, equity_passages, pot_shares
from tests.ledger.house import House
from tests.table.contest import against_pokerkit, opened, played_of, random_hand, submission, tally
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
    debt = {"command": "wager", "seat": 1, "wager": "table_stake", "amount": -5}
    assert [finding.code for finding in bench.why_not(Role.DEALER, debt)] == ["below-minimum"]  # no chips that stay
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
    told = [seen for event in bench.log[start:] if (seen := redacted(event, Patron("p2"), frozenset({2}))) is not None]
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
        assert bench.table.stacks == {2: 6_000, 5: 6_000, 7: 6_000}  # as they lay before it
        for seat in (2, 5, 7):
            bench.dealer("leave", seat=seat)
        assert {bench.chips(f"p{seat}") for seat in range(1, 10)} == {5_000_000}
        assert bench.held("pot:t1") == bench.held("layout:t1") == 0


def played(house: House, **streets: str) -> None:
    """A round at a keyed-in table: by street the cards as they leave the deck, and who chooses what then."""
    house.until("t1", "wagering").dealer("t1", "no_more_bets")
    for street in streets.values():
        cards, _, choices = street.partition(": ")
        house.dealer("t1", "deal", cards=cards)
        for number, choice in map(str.split, filter(None, choices.split(", "))):
            body = {"command": "leave"} if choice == "leave" else {"command": "decide", "choice": choice}
            house.dealer("t1", seat=int(number), **body)
    house.until("t1", "wagering")


def test_what_is_left_stays_on_the_table_until_its_player_leaves(tmp_path: Path) -> None:
    """Over a ledger and a restart: all-in for less than the Ante, chips that may be added to and not taken off."""
    with Store(f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor") as store:
        house = House(store)
        house.manager("t1", "open_table", submission=submission(ante=5), source="keyed", fill=50_000_000)
        for seat, stake in ((1, 10_000), (2, 10_000), (3, 2_500)):
            house.dealer("t1", "sit", seat=seat, player=f"p{seat}")
            house.buy_in("t1", f"p{seat}", 20_000)
            house.until("t1", "wagering").dealer("t1", "wager", seat=seat, wager="table_stake", amount=stake)
        played(house, third="Qs Js Ts Qd Jd Td Ks 9d 2c: 3 bring_in, 1 complete, 2 fold, 3 fold")
        assert house.pit.table("t1").stacks == {1: 11_300, 2: 9_500, 3: 1_700}
        played(house, third="Qs Js Ts Qd Jd Td Ks 2c 9d: 2 bring_in, 3 complete, 1 raise, 2 fold, 3 fold")
        house = House(store, seed=2, now=house.now)  # nothing is kept but the ledger
        assert house.pit.table("t1").stacks == {1: 13_600, 2: 8_700, 3: 200}
        # The Ante of seat 3 is the $2 that it has: a main pot of $6, which its aces take, and a side pot of $12.
        third, fourth = "Qs Js As Qd 7d Ad 2c 9d Ac: 1 bring_in, 2 complete, ", "Jc 3s 4s"
        played(house, third=f"{third}1 fold", fourth=fourth, fifth="Th 5h 8h", sixth="Tc 6c 2s", seventh="9h Kd 4c")
        assert house.pit.table("t1").stacks == {1: 12_800, 2: 9_100, 3: 600}
        for command, fields in (("withdraw", {}), ("wager", {"amount": 500})):
            reply = house.act("t1", Role.PLAYER, command, "p3", seat=3, wager="table_stake", **fields)
            assert [finding["code"] for finding in reply.body["findings"]] == ["stack-stays"]
        house.do("t1", Role.PLAYER, "wager", "p3", seat=3, wager="table_stake", amount=2_600)
        played(house, third=f"{third}3 call, 1 leave, 1 fold", fourth=f"{fourth}: 3 check, 2 bet, 3 fold")
        assert house.pit.table("t1").stacks == {2: 11_400, 3: 1_100}  # who left during the round took the rest along
        assert not house.act("t1", Role.PIT_MANAGER, "close_table").accepted
        for seat in (2, 3):
            house.do("t1", Role.PLAYER, "leave", f"p{seat}", seat=seat)
        house.manager("t1", "close_table")
        with store.reading() as reading:
            held = [reading.balance(f"player:p{seat}") // 10_000 for seat in (1, 2, 3)]
        assert held == [20_000 + 2_000, 20_000 + 1_400, 20_000 - 3_400]
        assert [each.amount for each in recall(store, "t1", 3).stakes] == [13_600, 8_700, 200]
        history = written(*played_round(store, "t1", 3))
        assert "finishing_stacks = [128, 91, 6]" in history
        assert hand_of(*read(history, DAY)) == [12_800, 9_100, 600]
        assert review(store) == ()


def test_who_is_left_alone_without_a_pot_conceded_nothing() -> None:
    """No Ante and everybody folds to the bring-in: it comes back, and there was no showdown."""
    rules = rules_for("seven-card-stud", DAY)
    seats = [("Kh Qd Jc", "fold"), ("As Ad 2c", "bring_in")]
    played = Round((), tuple(
        Seat(number, parse_cards(cards), {"table_stake": 10_000}, {"third_street": Decision(choice)})
        for number, (cards, choice) in enumerate(seats, start=1)
    ))  # fmt: skip
    alone = settle(rules, played).lines[1]
    assert (alone.net, alone.why) == (0, "Everybody else folded, and nothing was in the pot but what came back.")


def hand_of(rules: Rules, played: Round) -> list[int]:
    """What everybody has at the end of a round."""
    hand = contest_named(rules.game).begun(rules, played)
    return [hand.stack(seat) for seat in hand.numbers]


def test_a_hand_history_brings_the_rake_and_the_limits_back() -> None:
    """PHH has no names for them; without the rake the winner would have $6 more."""
    terms: dict[str, object] = {"ante": 1, "raises": 1, "rake_percent": 10, "smallest_chip": 0.5, "rake_most": 6}
    bench, random = opened(7, **terms), Random(10)
    hand = random_hand(bench, random, 4, folds=0)
    rules = rules_at(bench.table)
    text = written(rules, played_of(bench, contest_named(rules.game), hand))
    again, round_again = read(text, rules.as_of)
    assert hand.rake
    assert hand_of(again, round_again) == [hand.stack(seat) for seat in hand.numbers]
    assert contest_named(rules.game).terms(again) == contest_named(rules.game).terms(rules)
    assert written(again, round_again) == text
    with pytest.raises(UnreadableError, match="_rake_percent"):
        read(text.replace("_rake_most = 12", "_rake_most = 3"), rules.as_of)


@pytest.mark.parametrize("seats", ["[5, 5]", "[0, 1]", "[-1, 2]", "['a', 'b']", "[1.5, 2]", "[true, 2]", "'12'", "5"])
def test_a_hand_history_whose_seats_are_none_is_refused_in_a_sentence(seats: str) -> None:
    text = (
        'variant = "F7S"\nantes = [1, 1]\nbring_in = 1\nsmall_bet = 2\nbig_bet = 4\nstarting_stacks = [100, 100]\n'
        f"seats = {seats}\nactions = ['d dh p1 2c3c4c', 'd dh p2 5c6c7d', 'p1 pb', 'p2 f']\n"
    )
    with pytest.raises(UnreadableError, match="seat"):
        read(text, date(2024, 6, 1))


def test_equity_is_exact_where_few_cards_are_missing_and_sampled_within_its_error() -> None:
    hands = [parse_cards("As Ks Qs Js 9s 2d"), parse_cards("2c 2h 7c 7d 9h 4c")]
    exact = equities(hands, 7)
    # Any of four sevens' and deuces' last cards makes a full house: 7s, 7h and 2s beat the flush.
    assert [str(each.share) for each in exact] == ["241/260", "19/260"]
    assert sum(each.share for each in exact) == 1
    asked = EquityQuestion("seven-card-stud", "As Ks Qs Js 9s 2d\n2c 2h 7c 7d 9h 4c", pot="120")
    found = pot_shares(DAY, asked)
    assert (found.ways, found.rake.rake, [found.of_pot(each) for each in found.hands]) == (1560, 600, [10566, 833])
    told = passages_html(equity_passages(DAY, asked))
    assert "241/260" in told
    assert "5.00 %" in told
    fewer = [hand[:4] for hand in hands]
    sampled = equities(fewer, 7, samples=4_000)
    again = equities(fewer, 7, samples=4_000, seed=2)
    assert all(0 < each.error < 0.01 for each in sampled)
    assert abs(float(sampled[0].share - again[0].share)) < 5 * (sampled[0].error + again[0].error)
