"""A physical table: cards are keyed in when the law turns them up, and settle as those of a shoe that reads them."""

from datetime import date
from random import Random
from typing import Any

import pytest

from pitboss.cards import parse_cards, show_cards
from pitboss.games.course import Draw, Sight
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision
from pitboss.school.live import SchoolTable
from pitboss.table.command import Command
from pitboss.table.dealing import TakesCards
from pitboss.table.desk import MemoryDesk
from pitboss.table.memory import LiveTable
from pitboss.table.place import decisions_open
from pitboss.table.realdeck import RealDeck
from pitboss.table.roles import Role
from pitboss.table.source import Sealed
from pitboss.table.state import PHYSICAL, Phase, Table
from pitboss.table.view import view
from tests.table.driver import Bench, devices_of, submission_text
from tests.table.invariants import cards_in, leaked
from tests.table.physical import GAMES_PHYSICAL, Round, any_lawful, any_wagers, blindly, opened, shuffled

SETTLED = ("seat", "wager", "stake", "result", "net", "cite", "why", "odds", "odds_cite", "holder", "settles", "stage")
WITHOUT_DRAWS = [game for game in GAMES_PHYSICAL if not GAMES[game].course.has(Draw)]
DEVICES = [(game, device) for game in WITHOUT_DRAWS for device in devices_of(game)]
SEATS = (1, 3, 4)


def lines_of(bench: Bench, start: int) -> list[tuple[object, ...]]:
    return [tuple(line.get(name) for name in SETTLED) for line in bench.lines(start)]


@pytest.mark.parametrize(("game", "device"), DEVICES)
def test_physical_cards_settle_as_read_ones_do(game: str, device: str) -> None:
    """Equal lines in pay, order, words and cite, and equal balances, with any wagers and any choices."""
    random = Random(f"{game} {device}")
    read, real = (opened(game, device, source, SEATS) for source in ("keyed", PHYSICAL))
    for _ in range(3):
        deck = shuffled(random)
        starts = len(read.log), len(real.log)
        read.ready()
        real.ready()
        for seat in SEATS if random.random() < 0.6 else SEATS[:2]:
            for wager, amount in any_wagers(random, read.table).items():
                made = {"command": "wager", "seat": seat, "wager": wager, "amount": amount}
                if not read.why_not(Role.DEALER, made):
                    read.do(Role.DEALER, made)
                    real.do(Role.DEALER, made)
        known = Round(read, deck, {}, any_lawful(random)).play()
        Round(real, deck, known.choices, shows=known.hand.shown if known.hand is not None else None).play()
        assert lines_of(real, starts[1]) == lines_of(read, starts[0])
        assert real.desk.balances == read.desk.balances


@pytest.mark.law("684a.13(d)")
def test_an_exposed_card_settles_what_stands_with_hands_turned_up() -> None:
    """684a.13(d): the hands whose optional wagers stand are turned up with the report; others stay unknown."""
    deck = shuffled(Random(5))
    lines, balances = [], []
    for source in ("keyed", PHYSICAL):
        bench = opened("four-card-frenzy", "manual-shoe", source, (1, 2, 5)).ready()
        for seat, more in ((1, ("prime", "all_six")), (2, ()), (5, ("four_card_bonus",))):
            for wager in ("ante", "odds", *more):
                bench.dealer("wager", seat=seat, wager=wager, amount=1000)
        playing = Round(bench, deck, {(1, "decision"): {"command": "decide", "seat": 1, "choice": "fold"}})
        while bench.table.phase != "deciding":
            playing.step()
        playing.step()
        report: dict[str, Any] = {"what": "dealer-card-exposed"}
        if source == PHYSICAL:
            play = bench.table.playing
            held = {place: show_cards(deck.covered(play, place)) for place in play.covered}
            assert bench.refused(Role.DEALER, "irregularity", **report)[0] == "cards-face-down"
            needed = {place: held[place] for place in ("seat 5", "seat 1", "all_six_card")}
            few = {"hands": {place: needed[place] for place in ("seat 5", "seat 1")}}
            many = {"hands": {**needed, "seat 2": held["seat 2"]}}
            twice = {"hands": {**needed, "seat 1": needed["seat 5"]}}
            short = {"hands": {**needed, "seat 1": needed["seat 1"][:5]}}
            for wrong, code in (
                (few, "cards-face-down"),
                (many, "not-turned-up-now"),
                (twice, "card-already-seen"),
                (short, "cards-face-down"),
            ):
                assert bench.refused(Role.DEALER, "irregularity", **report, **wrong)[0] == code
            report["hands"] = needed
        bench.dealer("irregularity", **report)
        assert "684a.13(d)" in bench.log[-1].cites
        lines.append(lines_of(bench, 0))
        balances.append(bench.desk.balances)
    assert lines[0] == lines[1]
    assert len(lines[0]) == 3
    assert balances[0] == balances[1]


class Watched(RealDeck):
    """A real deck that remembers which cards the table was given, and gives none that may not be looked at yet."""

    def __init__(self, cards: RealDeck) -> None:
        super().__init__(cards.cards)
        self.given: set[str] = set()

    def keyed(self, table: Table, command: Command) -> Command:
        done = super().keyed(table, command)
        if isinstance(done, TakesCards):
            own = [place for place in done.places(table) if place == "dealer" or place.startswith("seat ")]
            assert not own or table.phase == Phase.DEALING or not decisions_open(table)
            self.given |= cards_in(done.cards)
        return done


class Blind(MemoryDesk):
    """Surroundings that have no deck to look at."""

    def sealed(self, table: str, deck: str) -> Sealed | None:
        raise AssertionError(f"somebody asked for the {deck} deck of {table}")


@pytest.mark.parametrize("game", GAMES_PHYSICAL)
def test_nobody_knows_a_card_that_lies_face_down(game: str) -> None:
    """P40: after every act the table and its record hold no card but those that were turned up; at no time a hand."""
    random, looked = Random(game), 0
    bench = Bench(game, submission_text(game, devices_of(game)[-1]), PHYSICAL, desk=Blind()).opened(*SEATS)
    for _ in range(3):
        bench.ready()
        start = len(bench.log)
        for seat in SEATS:
            for wager, amount in any_wagers(random, bench.table).items():
                made = {"command": "wager", "seat": seat, "wager": wager, "amount": amount}
                if not bench.why_not(Role.DEALER, made):
                    bench.do(Role.DEALER, made)
        deck = Watched(shuffled(random))
        playing, number = Round(bench, deck, {}, blindly(random)), bench.table.rounds
        while bench.table.rounds == number or bench.table.play is not None:
            playing.step()
            chance = {event.data["magic_card"] for event in bench.log[start:] if event.kind == "system.selected"}
            record = [event.data for event in bench.log[start:]]
            assert not leaked([record, bench.table.play and view(bench.table, "p1")], deck.given | chance)
            looked += sum(bench.table.play.covered.values()) if bench.table.play is not None else 0
            if bench.table.phase == Phase.DECIDING:
                assert not any(
                    each.card for each in bench.table.playing.dealt if each.to[:4] == "seat" and not each.face_up
                )
    assert looked


def test_a_live_table_with_real_cards_plays_by_itself() -> None:
    """Players look at their own cards, the dealer at those that are turned up, the table at what it is given."""
    live = LiveTable("crazy-4-poker", "2024-06-01", seed=3, source=PHYSICAL)
    for seat in (1, 2):
        live.sit(seat, f"p{seat}", 500_000)
    kinds = [event.kind for _ in range(3) for event in live.play_round()]
    seen: list[int] = []

    def play(_seat: int, sight: Sight) -> Decision:
        seen.append(len(sight.cards))
        return Decision("play", sight.stake)

    kinds += [event.kind for event in live.play_round(choose=play)]
    assert seen == [5, 5]
    assert live.table.rounds == 4
    assert 0 < kinds.count("cards.shown") < 16
    assert "choice.ruled" not in kinds, "players who see their cards choose what these allow"


def test_the_school_deals_real_cards_too() -> None:
    school = SchoolTable("three-card-poker", date(2024, 6, 1), "7", source=PHYSICAL)
    assert school.comes_to(Phase.COLLECTING)
    assert "cards.shown" in [event.kind for event in school.events]


@pytest.mark.parametrize(("game", "code"), [("roulette", "card-source")])
def test_a_game_that_is_not_played_so_is_refused(game: str, code: str) -> None:
    bench = Bench(game)
    given = {"submission": bench.text, "source": PHYSICAL, "fill": 1_000_000}
    assert bench.refused(Role.PIT_MANAGER, "open_table", **given)[0] == code


def test_a_card_of_a_settled_hand_is_corrected_if_nothing_is_paid_otherwise() -> None:
    """Its twin turns up in another hand: without a correction the round could not go on."""
    bench = opened("three-card-poker", "manual-shoe", PHYSICAL, (1, 2, 3)).ready()
    for seat in (1, 2, 3):
        bench.dealer("wager", seat=seat, wager="ante", amount=1000)
    bench.dealer("wager", seat=3, wager="three_card_progressive", amount=100)
    while bench.table.phase != "deciding":
        bench.step()
    for seat in (1, 2, 3):
        bench.dealer("decide", seat=seat, choice="play")
    bench.dealer("reveal", cards="Qd 7c 3h")
    bench.dealer("turn_up", cards="As Ks Qs")
    bench.floor("validate", seat=3)
    bench.dealer("settle")
    bench.dealer("turn_up", cards="9h 8d 2c")
    bench.dealer("settle")
    held = dict(bench.desk.balances)
    late = {"wrong": "9h", "right": "9d", "why": "read as a heart"}
    assert bench.refused(Role.DEALER, "turn_up", cards="9h 6d 4s")[0] == "card-already-seen"
    assert bench.denied(Role.DEALER, "correct_card", **late)[0] == "not-keyed"
    assert bench.denied(Role.FLOORPERSON, "correct_card", person="dealer-1", **late)[0] == "two-people"
    for changes, code in (
        ({"why": ""}, "no-reason"),
        ({"right": "Ah"}, "paid-otherwise"),
        ({"right": "7c"}, "card-already-seen"),
        ({"wrong": "Qd", "right": "Qh"}, "not-keyed"),
        ({"wrong": "Ks", "right": "Kd"}, "paid-otherwise"),
    ):
        assert bench.denied(Role.FLOORPERSON, "correct_card", **{**late, **changes})[0] == code, changes
    bench.floor("correct_card", **late)
    assert bench.desk.balances == held
    assert bench.table.playing.hand("seat 2") == parse_cards("9d 8d 2c")
    bench.dealer("turn_up", cards="9h 6d 4s")
    while bench.table.phase != "collecting":
        bench.dealer("settle")


@pytest.mark.parametrize("source", ["virtual", "keyed"])
def test_cards_that_no_dealer_keyed_at_a_turn_are_not_corrected_late(source: str) -> None:
    bench = opened("three-card-poker", "manual-shoe", source, (1,)).ready()
    bench.wager_all(1)
    while bench.table.phase != "revealing":
        bench.step()
    (first, *_) = bench.table.playing.hand("seat 1")
    late = {"wrong": show_cards((first,)), "right": "2c", "why": "misread"}
    assert bench.denied(Role.FLOORPERSON, "correct_card", **late)[0] == "not-keyed"
