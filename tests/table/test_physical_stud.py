"""Seven-card Stud with cards that nobody knows: hole cards are keyed in at the showdown only, by those who show."""

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from pitboss.cards import show_cards
from pitboss.games.betting import PokerHand
from pitboss.games.round import Decision
from pitboss.table.autoplay import said
from pitboss.table.fold import apply_all
from pitboss.table.guide import next_step
from pitboss.table.happened import HIDDEN
from pitboss.table.redaction import redacted
from pitboss.table.roles import Role
from pitboss.table.ruling import hand_at
from pitboss.table.state import PHYSICAL, Table
from pitboss.table.view import view
from tests.table.contest import GAME, stakes, submission
from tests.table.driver import Bench
from tests.table.invariants import leaked
from tests.table.physical import Round, shuffled
from tests.table.test_contest import Patron
from tests.table.test_physical import lines_of

HANDS = {1: "As Ad Ac 9s 8h 7d 2h", 2: "Ks Kd 2c 3s 5h 9d Jh", 3: "Qs Qd 4c 6s Th Td 3h"}
STREETS = ("Ac 2c 4c", "9s 3s 6s", "8h 5h Th", "7d 9d Td", "")


def pair(**options: object) -> tuple[Bench, Bench]:
    read, real = (Bench(GAME, submission(**options), source) for source in ("keyed", PHYSICAL))
    return read.opened(*range(1, 10), chips=5_000_000), real.opened(*range(1, 10), chips=5_000_000)


@pytest.mark.parametrize("options", [{"ante": 1, "rake_percent": 5, "rake_most": 4}, {"disclosure": "true"}])
def test_hands_end_as_those_of_a_shoe_that_reads(options: dict[str, object]) -> None:
    """The same deck and choices at two tables: equal lines, pots and chips, all-in for side pots or conceded unseen.

    The table is rebuilt from its stored form after every act, and no card is in its record before it lies open.
    """
    (read, real), random, found = pair(**options), Random(6), Counter[str]()
    for players in (2, 3, 4, 5, 6, 7, 3, 2, 5, 9, 7, 6) if "ante" in options else (3, 4, 6):
        read.ready()
        real.ready()
        for command, fields in list(stakes(read.table, random, players)):
            read.dealer(command, **fields)
            real.dealer(command, **fields)
        starts, deck = (len(read.log), len(real.log)), shuffled(random)
        known = Round(read, deck, {}, staying(random)).play()
        assert known.hand is not None
        unknown = Round(real, deck, known.choices, shows=known.hand.shown).play()
        assert unknown.hand is not None
        assert lines_of(real, starts[1]) == lines_of(read, starts[0])
        assert real.desk.balances == read.desk.balances
        assert real.table.stacks == read.table.stacks
        assert unknown.hand.pots == known.hand.pots
        record = [event.data for event in real.log[starts[1] :]]
        lay = [card for event in record for card, _, up in event.get("cards", ()) if up is True]
        shown = {f"seat {seat}": each for e in record for seat, each in e.get("hands", {}).items()}
        assert not leaked(record, {*lay} | {card for each in shown.values() for card in each.split()})
        assert {*shown} == {f"seat {seat}" for seat in known.hand.shown}
        found["conceded"] += unknown.acts.count("concede")
        found["side pots"] += len(known.hand.pots) > 1
        found["showdowns"] += bool(shown)
        found["raked"] += known.hand.rake > 0
    assert apply_all(Table("t1"), real.log) == real.table
    assert found["showdowns"]
    assert found["side pots"] or "ante" not in options
    assert bool(found["conceded"]) == bool(found["raked"]) == ("ante" in options), found


def staying(random: Random) -> Callable[[Table, int], Mapping[str, Any]]:
    """Any choice, but seldom a fold and not always a raise, so that many hands end with chips left to bet."""
    weights = {"fold": 0.1, "raise": 0.05, "bet": 0.3, "complete": 0.3}

    def choose(table: Table, seat: int) -> Mapping[str, Any]:
        hand = hand_at(table)
        assert hand is not None
        names = [option.name for option in hand.options]
        (choice,) = random.choices(names, [weights.get(name, 1) for name in names])
        return said(seat, Decision(choice)).as_dict()

    return choose


def at_the_showdown(*choices: str) -> Bench:
    """Three players at the showdown with nobody all-in: seat 3 has bet last."""
    bench = Bench(GAME, submission(ante=1), PHYSICAL).opened(1, 2, 3).ready()
    for seat in HANDS:
        bench.dealer("wager", seat=seat, wager="table_stake", amount=100_000)
    bench.until("dealing")
    for cards in STREETS:
        while bench.table.phase == "deciding":
            act(bench, *choices)
        bench.dealer("deal", cards=cards)
    while bench.table.phase == "deciding":
        act(bench, *choices)
    return bench


def act(bench: Bench, *choices: str) -> None:
    hand = shown(bench)
    names = [option.name for option in hand.options]
    if hand.street.name == "seventh_street" and hand.asked == 3 and "bet" in names:
        names.insert(0, "bet")
    bench.dealer("decide", seat=hand.asked, choice=next((name for name in choices if name in names), names[0]))


def shown(bench: Bench) -> PokerHand:
    hand = hand_at(bench.table)
    assert hand is not None
    return hand


def hole(seat: int) -> str:
    cards = HANDS[seat].split()
    return f"{cards[0]} {cards[1]} {cards[6]}"


def test_each_hand_is_shown_or_conceded_in_turn() -> None:
    bench = at_the_showdown()
    assert bench.table.playing.covered == {"seat 1": 3, "seat 2": 3, "seat 3": 3, "discard": 4}
    first = shown(bench).showing
    order = [first] if first else []
    step = next_step(bench.table, bench.desk)
    assert step is not None
    assert (step.say, step.seat) == (f"Seat {first} shows its hand.", first)
    others = [seat for seat in HANDS if seat != first]
    assert bench.refused(Role.DEALER, "concede", seat=first)[0] == "hand-not-shown"
    assert bench.refused(Role.DEALER, "concede", seat=others[0])[0] == "decision-order"
    assert bench.refused(Role.DEALER, "settle")[0] != ""
    assert first is not None
    for wrong, code in ((hole(first)[:5], "card-count"), ("Ac Kc Qc", "card-already-seen"), ("", "no-card")):
        assert bench.refused(Role.DEALER, "reveal", cards=wrong)[0] == code
    bench.dealer("reveal", cards=hole(first))
    second = shown(bench).showing
    assert second is not None
    bench.dealer("concede", seat=second)
    assert bench.table.playing.covered[f"seat {second}"] == 3
    third = shown(bench).showing
    assert third is not None
    bench.dealer("reveal", cards=hole(third))
    order += [second, third]
    assert sorted(order) == [1, 2, 3]
    assert bench.table.phase == "settling"
    seen = view(bench.table, f"p{second}")["round"]["hands"]
    assert seen[f"seat {second}"].count(HIDDEN) == 3
    assert seen[f"seat {third}"] == HANDS[third].split()
    assert bench.refused(Role.DEALER, "concede", seat=third)[0] == "phase"
    bench.until("shuffling", "wagering", "cutting")
    nets = {line["seat"]: line["net"] for line in bench.lines(0)}
    best = min(first, third)  # aces up, kings, two pairs of queens and tens: only these two are compared
    best = 3 if 1 not in (first, third) else best
    assert max(nets, key=lambda seat: nets[seat]) == best
    assert sum(nets.values()) == 0
    why = {line["seat"]: line["why"] for line in bench.lines(0)}
    assert why[second] == "Conceded the showdown unseen."
    told = [
        each for event in bench.log if (each := redacted(event, Patron(f"p{first}"), frozenset({first}))) is not None
    ]
    kinds = [each.kind for each in told]
    assert "hand.conceded" not in kinds  # what another player did at the showdown is in nobody else's record
    assert [each.data for each in told if each.kind == "hands.shown"][-1] == {
        "hands": {str(third): HANDS[third]}, "phase": "settling",
    }  # fmt: skip


def test_a_card_keyed_in_wrongly_can_be_put_right_and_a_losing_hand_be_shown() -> None:
    bench = at_the_showdown()
    while (seat := shown(bench).showing) is not None:
        bench.dealer("reveal", cards=hole(seat).replace("Kd", "Kc"))
        if seat == 2:
            bench.dealer("correct_card", wrong="Kc", right="Kd")
            assert show_cards(bench.table.playing.hand("seat 2")) == HANDS[2]
    assert sorted(shown(bench).shown) == [1, 2, 3]
    bench.until("shuffling", "wagering", "cutting")
    assert not any("unseen" in line["why"] for line in bench.lines(0))
