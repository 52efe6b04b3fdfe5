"""A board dealt street by street (647a.9(e), 647a.10(c), 653a.10(c)): the stub stays with the dealer until the last."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pitboss.cards import parse_cards, show_cards
from pitboss.games.registry import GAMES
from pitboss.law.lint import lint_chapter
from pitboss.table.canonical import canonical
from pitboss.table.guide import next_step
from pitboss.table.irregular import can_happen
from pitboss.table.roles import Role
from pitboss.table.source import check_disclosed
from pitboss.table.state import SOURCES, VIRTUAL
from pitboss.table.streets import street_now, undealt
from pitboss.table.view import view
from tests.table.driver import CARD_GAMES, DEVICE_NAMES, Bench, submission_text

TEXAS, ULTIMATE, HEADS_UP = BOARDS = ("texas-hold-em-bonus", "ultimate-texas-hold-em", "heads-up-hold-em")
HANDS = {"manual-shoe": "xxxx25d25d", "hand": "xxxx25d25d", "automated-shoe": "2255ddxxxx"}
"""By device: Six Card Bonus cards, seats 2 and 5 and the dealer, as cards leave it (647a.8 to .10)."""
TEXAS_ROUND = "hands; flop bet bet; board 3; turn check check; board 1; river check check; board 1; stub; dealer"
LATE_RAISE = "hands; preflop check check; board 3; flop check check; board 2; stub; river {0} {0}; dealer"
ROUNDS = {TEXAS: TEXAS_ROUND, ULTIMATE: LATE_RAISE.format("play"), HEADS_UP: LATE_RAISE.format("raise")}
"""647a.9(e) and .11(b) to (g); 653a.10(c) and .11(f), where the stub is put away before the last question."""
STREET_CITES = {
    TEXAS: {"manual-shoe": "647a.8", "hand": "647a.9(e)", "automated-shoe": "647a.10(c)"},
    ULTIMATE: {"manual-shoe": "653a.8", "hand": "653a.9", "automated-shoe": "653a.10(c)"},
    HEADS_UP: {"manual-shoe": "677a.8", "hand": "677a.9", "automated-shoe": "677a.10"},
}
EVERY = [(game, dealing) for game in BOARDS for dealing in DEVICE_NAMES]
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def begun(game: str, dealing: str = "hand", source: str = "virtual") -> Bench:
    bench = Bench(game, submission_text(game, dealing), source).opened(2, 5).ready()
    bench.wager_all(2, 5)
    if game == ULTIMATE:
        bench.dealer("wager", seat=2, wager="six_card_bonus", amount=500)
    return bench


def choices(game: str) -> Iterator[str]:
    """What the seats say, in the order of the round above."""
    for part in ROUNDS[game].split("; "):
        step, *said = part.split()
        yield from said if step not in ("hands", "board", "stub", "dealer") else ()


def played(bench: Bench, *until: str, cards: int = 0) -> Bench:
    """Go on, everybody choosing as in the round above, until a phase, or a street of so many cards is due."""
    said = choices(bench.game)
    for made in bench.table.play.decisions.values() if bench.table.play is not None else ():
        for _ in made:
            next(said)
    while True:
        phase = bench.table.phase
        if bench.table.play is None and bench.table.rounds:
            return bench
        if phase in until and cards in (0, len(street_now(bench.table))):
            return bench
        step = next_step(bench.table, bench.desk)
        if phase == "deciding" and step is not None and step.seat is not None:
            bench.dealer("decide", seat=step.seat, choice=next(said))
        else:
            bench.step()


def happened(bench: Bench) -> str:
    """The round as its events tell it, in the words of ``ROUNDS``."""
    told: list[list[str]] = []
    for event in bench.log:
        data, part = event.data, []
        match event.kind:
            case "cards.dealt" if {to for _, to, _ in data["cards"]} == {"community"}:
                assert all(up for _, _, up in data["cards"])
                part = ["board", str(len(data["cards"]))]
            case "cards.dealt":
                part = ["hands"]
            case "decision.made" if told[-1][0] == data["step"]:
                told[-1].append(data["decision"]["choice"])
            case "decision.made":
                part = [data["step"], data["decision"]["choice"]]
            case "stub.placed":
                part = ["stub"]
            case "dealer.revealed":
                part = ["dealer"]
        told += [part] if part else []
    return "; ".join(map(" ".join, told))


@pytest.mark.law("647a.9(e)", "647a.10(c)", "653a.10(c)", "653a.11(f)")
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("game", "dealing"), EVERY)
def test_the_board_leaves_the_device_street_by_street_and_the_stub_after_it(
    game: str, dealing: str, source: str
) -> None:
    bench = played(begun(game, dealing, source))
    assert happened(bench) == ROUNDS[game]
    hands, *streets = [event for event in bench.log if event.kind == "cards.dealt"]
    marks = {"x": "six_card_bonus_cards", "2": "seat 2", "5": "seat 5", "d": "dealer"}
    order = [marks[mark] for mark in HANDS[dealing] if mark != "x" or game != HEADS_UP]
    assert [(to, up) for _, to, up in hands.data["cards"]] == [(to, False) for to in order]
    turned = [event for event in bench.log if event.kind == "cards.turned-up"]
    for street, up in zip(streets, turned, strict=True):
        assert street.cites == (STREET_CITES[game][dealing], *up.cites)
        assert up.data["cards"] == " ".join(card for card, _, _ in street.data["cards"])
    assert sum(bench.desk.balances.values()) == 0
    if source == VIRTUAL:  # the deck was dealt from the top, street by street
        shown = next(event.data for event in bench.log if event.kind == "deck.revealed")
        salt = bytes.fromhex(shown["salt"])
        findings = check_disclosed(shown["commitment"], shown["cards"], salt, shown["cuts"], shown["left_deck"])
        assert findings == ()


@pytest.mark.parametrize("game", BOARDS)
def test_nothing_tells_of_a_community_card_before_its_street(game: str) -> None:
    """Neither an event of the round nor a view holds a card that is still in the deck."""
    bench = begun(game)
    start = len(bench.log)
    while bench.table.phase != "settling":
        said = canonical([event.data for event in bench.log[start:]]) + canonical(view(bench.table, "p2"))
        gone = show_cards(bench.table.play.left_deck if bench.table.play is not None else ())
        assert {*CARD.findall(said)} <= {*gone.split()}
        bench.step()


@pytest.mark.parametrize("game", CARD_GAMES)
def test_only_a_board_that_the_law_deals_by_streets_waits_in_the_deck(game: str) -> None:
    """655a.10(c) deals its three cards at once, and so do all chapters that print no streets."""
    bench = Bench(game).opened(1, 2).ready()
    bench.wager_all(1, 2)
    opened = next(event.data for event in bench.log if event.kind == "table.opened")
    assert bench.table.streets is opened.get("streets", False) is (game in BOARDS)
    bench.until("deciding", "revealing", "settling")
    assert undealt(bench.table) == (5 if game in BOARDS else 0)


def test_a_street_follows_all_other_cards_and_its_procedure() -> None:
    law = GAMES[TEXAS].chapter
    deals = tuple(replace(deal, steps=deal.steps[::-1]) for deal in law.deals)
    others = tuple(each for each in law.procedures if "streets" not in each.act)
    for wrong in (replace(law, deals=deals), replace(law, procedures=others)):
        assert [each.code for each in lint_chapter(wrong) if each.severity == "error"].count("misdeal") >= 3


# Irregularities while a street is due


@pytest.mark.law("655a.13(a)")
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("game", "dealing"), EVERY)
def test_a_card_found_face_up_during_the_flop_is_not_used(game: str, dealing: str, source: str) -> None:
    bench = begun(game, dealing, source).until("deciding")
    face_up = {"what": "card-face-up-in-shoe", "cards": "As" if source != VIRTUAL else ""}
    assert bench.denied(Role.DEALER, "irregularity", **face_up)[0] == "phase"  # no card is being dealt
    played(bench, "revealing")
    if source == VIRTUAL:
        sealed = bench.desk.decks["t1", bench.table.active]
        due = Bench(game, bench.text, table=bench.table, desk=bench.desk).fork()
        next_cards = [event.data["cards"] for event in due.step()][-1].split()
        assert sealed is not None
    (_, found) = bench.dealer("irregularity", **face_up)
    again = bench.fork()
    if source == VIRTUAL:
        assert found.data["cards"] == next_cards[0]
        dealt = bench.step()[0]
        assert [card for card, _, _ in dealt.data["cards"]][:2] == next_cards[1:]  # the deck goes on after it
    else:
        assert bench.denied(Role.DEALER, "reveal", cards="As Ks Qs")[0] == "card-already-seen"
        bench.dealer("reveal", cards="Ks Qs Js")
    assert found.data["cards"] not in show_cards(bench.table.playing.hand("community"))
    played(bench)
    assert happened(bench) == ROUNDS[game]
    rack = dict(next(event.data["rack"] for event in bench.log if event.kind == "cards.collected"))
    assert rack["face up in the deck"] == found.data["cards"]
    second = again.dealer("irregularity", **face_up | ({"cards": "Ah"} if source != VIRTUAL else {}))
    assert "round.voided" in [event.kind for event in second]
    assert again.chips("p2") == again.chips("p5") == 1_000_000


@pytest.mark.law("655a.13(b)")
def test_a_card_drawn_in_error_is_the_next_of_the_street() -> None:
    bench = played(begun(TEXAS), "revealing")
    assert can_happen(bench.table, "card-drawn-in-error")
    bench.dealer("irregularity", what="card-drawn-in-error")
    assert bench.table.playing.pending_card
    bench.step()
    assert not bench.table.playing.pending_card
    assert not can_happen(bench.until("deciding").table, "card-drawn-in-error")


@pytest.mark.law("655a.13(d)")
@pytest.mark.parametrize("game", BOARDS)
def test_a_community_card_is_exposed_only_while_it_is_in_the_deck_and_somebody_may_choose(game: str) -> None:
    exposed = {"what": "community-card-exposed"}
    bench = begun(game).until("dealing")
    assert bench.denied(Role.DEALER, "irregularity", **exposed)[0] == "no-community-card"
    for phase, cards in (("deciding", 0), ("revealing", 3), ("revealing", 1 if game == TEXAS else 2)):
        other = played(bench, phase, cards=cards).fork()
        other.dealer("irregularity", **exposed)
        assert other.chips("p2") == other.chips("p5") == 1_000_000
    played(bench, "stub")
    if game == TEXAS:  # nobody is asked after the last card
        assert bench.denied(Role.DEALER, "irregularity", **exposed)[0] == "no-community-card"
    played(bench, "revealing")
    assert undealt(bench.table) == 0
    assert bench.denied(Role.DEALER, "irregularity", **exposed)[0] in ("no-community-card", "decisions-made")


def test_the_last_card_seen_early_changes_nothing_once_everybody_has_chosen() -> None:
    bench = played(begun(TEXAS), "revealing", cards=1)
    played(bench.until("deciding"), "revealing")
    assert undealt(bench.table) == 1
    cite = bench.denied(Role.DEALER, "irregularity", what="community-card-exposed")
    assert cite == ("decisions-made", "647a.13")


# Keyed-in streets


def test_a_street_is_keyed_in_card_by_card_as_the_law_counts_them() -> None:
    bench = played(begun(ULTIMATE, "automated-shoe", "keyed"), "revealing")
    mine = show_cards(bench.table.playing.hand("seat 2")).split()[0]
    for cards, code in (("", "no-card"), ("As Ks", "card-count"), ("As Ks Qs Js", "card-count"),
                        ("As As Ks", "card-twice"), (f"{mine} As Ks", "card-already-seen")):  # fmt: skip
        assert bench.denied(Role.DEALER, "reveal", cards=cards) == (code, "653a.10(c)")
    bench.dealer("reveal", cards="As,Ks Qs")
    assert bench.denied(Role.DEALER, "reveal", cards="Js Ts")[0] == "phase"
    played(bench, "revealing")
    bench.dealer("reveal", cards="JsTs")
    bench.dealer("stub")
    played(bench, "revealing")
    assert bench.denied(Role.DEALER, "reveal", cards="9c")[0] == "card-count"  # the dealer's hand was dealt before
    bench.dealer("reveal")


def test_a_virtual_street_takes_no_keyed_in_card() -> None:
    bench = played(begun(ULTIMATE), "revealing")
    assert bench.denied(Role.DEALER, "reveal", cards="As Ks Qs") == ("card-source", "653a.9")


def test_forfeits_are_collected_before_the_flop_leaves_the_deck() -> None:
    bench = begun(TEXAS, "hand", "keyed").until("deciding")
    bench.dealer("decide", seat=2, choice="fold")
    bench.dealer("decide", seat=5, choice="bet")
    assert bench.denied(Role.DEALER, "reveal", cards="As Ks Qs")[0] == "forfeits-first"
    bench.dealer("settle")
    bench.dealer("reveal", cards="As Ks Qs")
    assert bench.table.playing.hand("community") == parse_cards("As Ks Qs")


def test_when_everybody_folds_the_board_is_dealt_for_what_still_stands() -> None:
    bench = begun(TEXAS).until("deciding")
    for seat in (2, 5):
        bench.dealer("decide", seat=seat, choice="fold")
    start = len(bench.log)
    played(bench)
    boards = [len(event.data["cards"]) for event in bench.log[start:] if event.kind == "cards.dealt"]
    assert boards == [3, 1, 1]
    assert bench.kinds(start).count("stub.placed") == 1
    assert {line["wager"] for line in bench.lines(start)} >= {"six_card_bonus"}


def test_a_mis_keyed_card_of_a_street_is_corrected_until_the_next_act() -> None:
    right = played(begun(TEXAS, "hand", "keyed"), "revealing")
    wrong = right.fork()
    right.dealer("reveal", cards="As Ks Qs")
    wrong.dealer("reveal", cards="As Ks 9s")
    assert wrong.denied(Role.DEALER, "correct_card", wrong="9s", right="As")[0] == "card-already-seen"
    mine = show_cards(wrong.table.playing.hand("seat 2")).split()[0]
    assert wrong.denied(Role.DEALER, "correct_card", wrong=mine, right="Qs")[0] == "not-keyed"
    wrong.dealer("correct_card", wrong="9s", right="Qs")
    assert replace(wrong.table, events=0) == replace(right.table, events=0)
    played(wrong, "revealing")
    assert wrong.denied(Role.DEALER, "correct_card", wrong="Qs", right="9s")[0] == "not-keyed"
