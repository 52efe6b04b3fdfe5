"""The live table walks the course of any game: what happens, what is seen and what it costs follow from its steps."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.findings import errors
from pitboss.games.course import Deal, Decide, EachSeat, Option, Roll, Step, TurnUp
from pitboss.games.registry import GAMES
from pitboss.games.rules import resolve
from pitboss.ledger.recall import recall
from pitboss.ledger.review import review
from pitboss.ledger.store import Store
from pitboss.meters import UNITS_PER_CENT
from pitboss.reports.felt import draw_felt
from pitboss.table.commands import COMMANDS
from pitboss.table.deciding import deciding_now
from pitboss.table.happened import HIDDEN
from pitboss.table.place import place_of
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.source import check_disclosed
from pitboss.table.view import view
from tests.ledger.forger import forge, recorded
from tests.ledger.house import House
from tests.table.driver import DAY, GAME_NAMES, Bench, devices_of, submission_text

SEATS = (1, 2, 4)
STREETS = "mississippi-stud"
DICE_GAMES = tuple(name for name in GAME_NAMES if GAMES[name].course.has(Roll))


def takes_back(name: str) -> bool:
    rules, _ = resolve(GAMES[name].chapter, DAY)
    assert rules is not None
    return any(option.takes_back for step in GAMES[name].course.decides for option in step.options(rules, None))


def board_of(game: str) -> str:
    """The place whose cards stay in the deck until their street; empty where all cards are dealt with the hands."""
    return next((step.to for step in GAMES[game].chapter.deals[0].steps if step.street), "")


def up_to(bench: Bench, kind: type[Step]) -> Bench:
    """Go on until the round has come to a step of a kind."""
    for _ in range(100):
        if bench.table.play is not None and bench.table.phase not in ("counting", "dealing", "stub"):
            step = place_of(bench.table).step
            if isinstance(step, kind):
                return bench
        bench.step()
    raise AssertionError(f"{bench.game} never came to a {kind.__name__}")


def begun(game: str, seed: int = 3, source: str = "virtual") -> Bench:
    bench = Bench(game, seed=seed, source=source).opened(*SEATS).ready()
    bench.wager_all(*SEATS)
    return bench


def happened(bench: Bench, start: int) -> Iterator[str]:
    """The steps of the course that the events since then have carried out, each once in a row."""
    last = ""
    for event in bench.log[start:]:
        step = {
            "decision.made": str(event.data.get("step")), "dealer.revealed": "dealer", "cards.dealt": "deal",
            "cards.turned-up": str(event.data.get("place")), "dice.rolled": "roll",
        }.get(event.kind, "")  # fmt: skip
        if step and (step != last or event.kind == "cards.turned-up"):
            yield step
        last = step or last


def planned(game: str, steps: tuple[Step, ...]) -> Iterator[str]:
    for step in steps:
        match step:
            case EachSeat():
                yield from planned(game, step.steps)
            case Decide():
                yield step.name
            case TurnUp():
                yield from ("deal",) if step.place == board_of(game) else ()
                yield step.place
            case Roll():
                yield "roll"
            case Deal():
                yield "deal"


@pytest.mark.parametrize("game", GAME_NAMES)
def test_steps_come_in_the_order_of_the_course(game: str) -> None:
    """What happens in a round is the course, less the questions that nobody is asked."""
    course = [*planned(game, GAMES[game].course.steps)]
    for seed in range(4):
        bench = begun(game, seed)
        start = len(bench.log)
        while bench.table.play is not None or bench.table.rounds == 0:
            bench.step()
        found = [*happened(bench, start)]
        left = iter(course)
        assert all(step in left for step in found), (found, course)
        shown = {"hands"} if GAMES[game].course.contest else set()  # unless everybody else folds
        assert {*course} - {*found} <= {step.name for step in GAMES[game].course.decides} | shown


@pytest.mark.parametrize("game", [name for name in GAME_NAMES if GAMES[name].course.has(TurnUp)])
def test_shared_cards_are_seen_as_they_are_turned_up(game: str) -> None:
    bench = begun(game)
    turned = 0
    while True:
        up_to(bench, TurnUp)
        step = place_of(bench.table).step
        assert isinstance(step, TurnUp)
        play = bench.table.play
        assert play is not None
        before = view(bench.table, "nobody")["round"]["hands"].get(step.place, [])
        bench.until("revealing")
        while bench.table.play.turned == turned:  # type: ignore[union-attr]
            bench.step()
        turned += 1
        after = view(bench.table, "nobody")["round"]["hands"].get(step.place, [])
        assert after[: len(before)] == before if step.place == board_of(game) else len(after) == len(before)
        opened = len(after) - after.count(HIDDEN) - (len(before) - before.count(HIDDEN))
        assert opened == (step.cards or before.count(HIDDEN))
        if place_of(bench.table).step is None:
            break
    assert turned == sum(isinstance(step, TurnUp) for step in GAMES[game].course.flat)


@pytest.mark.parametrize("game", [name for name in GAME_NAMES if len(GAMES[name].course.decides) > 1])
def test_a_round_that_is_void_between_two_decisions_gives_everything_back(game: str) -> None:
    bench = up_to(begun(game), TurnUp)
    bench.dealer("irregularity", what="wrong-number-of-cards", seat=1)
    assert bench.table.play is None
    stacks = bench.table.stacks  # players against each other keep their chips before them
    assert {bench.chips(f"p{seat}") + stacks.get(seat, 0) for seat in SEATS} == {1_000_000}
    assert bench.held("layout:t1") == sum(stacks.values()) * UNITS_PER_CENT


def test_each_street_is_asked_in_turn_and_a_fold_gives_up_what_lies() -> None:
    bench = up_to(begun(STREETS), Decide)
    names = [step.name for step in GAMES[STREETS].course.decides]
    lines: list[Any] = []
    for at, name in enumerate(names):
        up_to(bench, Decide)
        step, turn = deciding_now(bench.table)
        assert step is not None
        assert (step.name, turn) == (name, (SEATS[at],))
        assert bench.refused(Role.DEALER, "decide", seat=3, choice="fold")[0] == "decision-order"
        start = len(bench.log)
        bench.dealer("decide", seat=SEATS[at], choice="fold")
        for seat in SEATS[at + 1 :]:
            assert bench.refused(Role.DEALER, "decide", seat=seat, choice="bet")[0] == f"{name}-amount"
            bench.dealer("decide", seat=seat, choice="bet", amount=2000)
        bench.until("revealing")
        assert bench.refused(Role.DEALER, "reveal") == ("forfeits-first", step.cite)
        bench.dealer("settle")
        lines.append([(line["seat"], line["wager"], line["net"]) for line in bench.lines(start)])
    assert lines == [
        [(1, "ante", -1000)],
        [(2, "ante", -1000), (2, "third_street", -2000)],
        [(4, "ante", -1000), (4, "third_street", -2000), (4, "fourth_street", -2000)],
    ]
    bench.until("collecting")


def test_an_exposed_community_card_voids_until_the_last_decision() -> None:
    exposed = {"what": "community-card-exposed"}
    for turned in range(3):
        bench = begun(STREETS)
        while bench.table.play is None or bench.table.play.turned < turned or bench.table.phase != "deciding":
            bench.step()
        bench.dealer("irregularity", **exposed)
        assert bench.table.play is None
        assert bench.log[-1].data["act"] == "community-card-exposed"
    bench = begun(STREETS).until("settling")
    assert bench.refused(Role.DEALER, "irregularity", **exposed)[0] == "phase"


@pytest.mark.parametrize("game", [name for name in GAME_NAMES if takes_back(name)])
def test_a_wager_that_is_taken_back_goes_back_to_the_player(game: str, tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor") as store:
        house = House(store).opened("t1", game, seats=(1,)).wagers("t1").until("t1", "deciding")
        table = house.pit.table("t1")
        step, _ = deciding_now(table)
        assert step is not None
        option: Option = next(o for o in step.options(rules_at(table), None) if o.takes_back)
        (wager,) = option.takes_back
        stake, before = table.play.staked(1)[wager], recall(store, "t1", 1).balances[0].after  # type: ignore[union-attr]
        house.dealer("t1", "decide", seat=1, choice=option.name)
        found = recall(store, "t1", 1)
        assert found.balances[0].after == before + stake
        assert wager not in {placed.wager for placed in found.stakes}
        made = next(each for each in found.steps if each.kind == "decision.made")
        assert "taking back" in made.sentence
        house.until("t1", "shuffling")
        assert wager not in {line.wager for line in recall(store, "t1", 1).lines}
        assert errors(review(store)) == ()


@pytest.mark.parametrize(("game", "device"), [(game, device) for game in DICE_GAMES for device in devices_of(game)])
def test_dice_are_promised_before_they_are_read_and_answer_for_it(game: str, device: str) -> None:
    bench = Bench(game, submission_text(game, device), seed=5).opened(*SEATS)
    for _ in range(3):
        events = bench.round(*SEATS)
        kinds = [event.kind for event in bench.log]
        shaken = next(event for event in reversed(bench.log) if event.kind == "dice.shaken")
        rolled = next(event for event in events if event.kind == "dice.rolled")
        shown = next(event for event in events if event.kind == "deck.revealed").data
        salt = bytes.fromhex(shown["salt"])
        left = " ".join(map(str, rolled.data["dice"]))
        assert kinds.index("dice.shaken") < kinds.index("dice.rolled")
        assert check_disclosed(shaken.data["commitment"], shown["cards"], salt, (), left) == ()
        one, two = ("1 1 1", "2 2 2") if " " in left else ("1", "2")
        other = one if left != one else two
        assert [f.code for f in check_disclosed(shown["commitment"], shown["cards"], salt, (), other)] == [
            "dice-differ"
        ]
        assert [f.code for f in check_disclosed(shown["commitment"], other, salt, (), other)] == ["commitment-differs"]


@pytest.mark.parametrize("game", [name for name in DICE_GAMES if "shaker" in devices_of(name)])
def test_dice_are_shaken_when_the_device_has_it_and_keyed_in_as_they_lie(game: str) -> None:
    covered, *_, by_player = devices_of(game)
    bench = Bench(game, submission_text(game, covered), source="keyed").opened(1)
    for command in ("receive_decks", "shuffle", "deal", "stub"):
        assert bench.refused(Role.DEALER, command)[0] == "not-in-this-game"
    bench.step()
    assert bench.table.phase == "shuffling"
    bench.step()
    bench.wager_all(1)
    bench.dealer("no_more_bets")
    for dice in ("", "1 2", "1 2 7", "1 2 x", "1 2 3 4"):
        assert bench.refused(Role.DEALER, "roll", dice=dice)[0] == "dice"
    bench.dealer("roll", dice="6,6 6")
    assert bench.table.play is not None
    assert bench.table.play.dice == (6, 6, 6)
    bench.until("shuffling")
    bench = Bench(game, submission_text(game, by_player)).opened(1).ready()
    bench.wager_all(1)
    bench.dealer("no_more_bets")
    assert bench.refused(Role.DEALER, "roll")[0] == "not-shaken"
    assert bench.why_not(Role.PLAYER, {"command": "shake"}, "p9")[0].code == "not-seated"
    bench.player("p1", "shake")
    assert bench.refused(Role.DEALER, "shake")[0] == "shaken-already"
    assert view(bench.table, "p1")["round"]["dice"] == []
    bench.dealer("roll")
    assert len(view(bench.table, "p9")["round"]["dice"]) == 3


@pytest.mark.law("617a.4(c)(2)")
@pytest.mark.parametrize("game", [name for name in DICE_GAMES if "double-zero-as-single" in devices_of(name)])
def test_a_spin_that_does_not_count_is_announced_and_spun_again(game: str, tmp_path: Path) -> None:
    """Nothing is settled by it, each spin has a commitment of its own, and the round is found again as it was."""
    with Store(f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor") as store:
        house = House(store)
        house.opened("t1", game, seats=(1,), source="keyed", dealing="double-zero-as-single").wagers("t1")
        house.dealer("t1", "no_more_bets")
        for spin in ("00", "00", "17"):
            house.dealer("t1", "shake")
            assert not house.act("t1", Role.DEALER, "roll", dice="37").accepted
            house.dealer("t1", "roll", dice=spin)
            play = house.pit.table("t1").play
            assert play is not None
            assert play.dice == ((17,) if spin == "17" else ("00",))
            assert house.pit.table("t1").phase == ("settling" if spin == "17" else "dealing")
        house.until("t1", "wagering")
        found = recall(store, "t1", 1)
        assert [step.sentence for step in found.steps if step.kind == "dice.rolled"] == [
            "The ball came to rest in 00: no spin.", "The ball came to rest in 00: no spin.",
            "The ball came to rest in 17.",
        ]  # fmt: skip
        assert errors(review(store)) == ()
    bench = Bench(game, submission_text(game, "double-zero-as-single"), seed=1).opened(1)
    voids = 0
    for _ in range(60):
        bench.round(1)
    for at, event in enumerate(bench.log):
        if event.kind == "dice.rolled":
            shown = bench.log[at + 1].data
            assert check_disclosed(
                shown["commitment"], shown["cards"], bytes.fromhex(shown["salt"]), (), str(event.data["dice"][0])
            ) == ()  # fmt: skip
            voids += event.data.get("void", False)
    assert voids


@pytest.mark.parametrize("game", [name for name in DICE_GAMES if "double-zero-as-single" in devices_of(name)])
def test_a_throw_that_was_mis_keyed_is_corrected_until_the_next_act(game: str, tmp_path: Path) -> None:
    """The record keeps both; what is paid, the cards of the round and a replay follow the corrected number."""
    with Store(f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor") as store:
        house = House(store)
        house.opened("t1", game, seats=(1,), source="keyed", dealing="double-zero-as-single").until("t1", "wagering")

        def refused(dice: str) -> str:
            answer = house.act("t1", Role.DEALER, "correct_throw", dice=dice)
            return "" if answer.accepted else str(answer.body["findings"][0]["code"])

        house.dealer("t1", "wager", seat=1, wager="straight_17", amount=1000)
        house.dealer("t1", "no_more_bets")
        house.dealer("t1", "shake")
        assert refused("17") == "not-keyed"
        house.dealer("t1", "roll", dice="00")
        for wrong, code in (("00", "same"), ("37", "dice"), ("", "dice")):
            assert refused(wrong) == code
        for dice, phase in (("11", "settling"), ("00", "dealing"), ("17", "settling")):
            house.dealer("t1", "correct_throw", dice=dice)
            assert house.pit.table("t1").phase == phase
        house.dealer("t1", "settle")
        assert refused("11") == "not-keyed"
        house.until("t1", "wagering")
        found = recall(store, "t1", 1)
        assert [step.sentence for step in found.steps if step.kind == "dice.corrected"] == [
            "Corrected: The ball came to rest in 11. 00 was keyed in before.",
            "Corrected: The ball came to rest in 00: no spin. 11 was keyed in before.",
            "Corrected: The ball came to rest in 17. 00 was keyed in before.",
        ]
        assert [card.card for card in found.cards] == ["17"]
        assert [line.net for line in found.lines] == [35_000]
        assert review(store, live=house.pit.tables()) == ()
        forge(store, {recorded(store, "dice.corrected", -1).seq: lambda each: each["data"].update(dice=[11])})
        assert {finding.code for finding in errors(review(store))} & {"replay-event", "replay-line", "replay-fold"}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_round_goes_on_after_a_restart_at_any_step(game: str, tmp_path: Path) -> None:
    """The table is folded again from the ledger after each command; the whole is then verified."""
    with Store(f"sqlite:///{tmp_path}/ledger.db", tmp_path / "anchor") as store:
        house = House(store).opened("t1", game, seats=SEATS).wagers("t1")
        for _ in range(200):
            before = house.pit.table("t1")
            house.pit = House(store, seed=8).pit
            assert house.pit.table("t1") == before
            house.step("t1")
            if house.pit.table("t1").rounds == 1 and house.pit.table("t1").play is None:
                break
        found = recall(store, "t1", 1)
        assert found.state == "completed"
        assert found.deal.verdict == "as promised"
        assert {line.wager for line in found.lines} >= {stake.wager for stake in found.stakes}
        assert errors(review(store)) == ()


def test_every_act_that_a_command_cites_is_one_of_the_law_files() -> None:
    """Chapters call an act alike, so that no alias is needed; a name that none of them has would never be cited."""
    acts = {procedure.act for game in GAMES.values() for procedure in game.chapter.procedures}
    assert {kind.act for kind in COMMANDS.values() if kind.act} <= acts


@pytest.mark.law("679a.10(g)(1)", "679a.11(d)(2)(ii)")
def test_a_seats_own_card_is_turned_up_when_its_wager_wins() -> None:
    """Nobody sees it before, not even its player; a wager that loses leaves it face down."""
    hands = {"seat 1": "9h 9s 4c", "seat 2": "Kh 8s 5c", "dealer": "Qc 3d 2h"}
    own = {"pair_bonus_card 1": "2d", "pair_bonus_card 2": "Ks"}
    bench = Bench("three-card-prime", source="keyed", plan={**hands, **own}).opened(1, 2).until("wagering")
    for seat in (1, 2):
        for wager in ("ante", "pair_bonus"):
            bench.dealer("wager", seat=seat, wager=wager, amount=1000)
    seen = []
    while (play := bench.until("deciding", "settling", "collecting").table.play) is not None:
        shown = [view(bench.table, who)["round"]["hands"] for who in ("p1", "p2", "nobody")]
        seen.append([each[place][0] for each in shown for place in own])
        if bench.table.phase == "collecting":
            break
        bench.step()
    assert seen[0] == [HIDDEN, HIDDEN] * 3
    assert seen[-1] == ["2d", HIDDEN] * 3
    assert {line.seat: line.net for line in play.lines if line.wager == "pair_bonus"} == {1: 2000, 2: -1000}  # type: ignore[union-attr]
    felt = str(draw_felt(view(bench.table, "p1"), rules_at(bench.table)))
    assert "Seat 1: 9 of hearts, 9 of spades, 4 of clubs; beside them: 2 of diamonds" in felt
