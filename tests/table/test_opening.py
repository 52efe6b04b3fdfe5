"""Section .4 at the live table: the cards are inspected, verified, shown and washed, in this order and by whom."""

from typing import Any

import pytest

from pitboss.clock import day_of, moment
from pitboss.submission import template
from pitboss.table.desk import HOUR
from pitboss.table.guide import next_step
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from tests.table.driver import CARD_GAMES, CHAPTERS, Bench, every_game, submission_text

STEPS = (
    (Role.DEALER, "inspect_cards", "4(a)"),
    (Role.FLOORPERSON, "verify_inspection", "4(a)"),
    (Role.DEALER, "spread_cards", "4(b)"),
    (Role.DEALER, "player_inspected", "4(c)"),
    (Role.DEALER, "wash_cards", "4(c)"),
)


def received(game: str, *seats: int, **how: object) -> Bench:
    bench = Bench(game, submission_text(game, decks=2) if how.pop("two", False) else "").opened(*seats)
    bench.floor("receive_decks", **how)
    return bench


@pytest.mark.parametrize("game", every_game("4", "4(a)", "4(b)", "4(c)"))
def test_every_step_of_the_opening_waits_for_the_one_before(game: str) -> None:
    chapter = CHAPTERS[game]
    bench = Bench(game).opened(1)
    for role, name, cite in STEPS:
        assert bench.denied(role, name) == ("decks", f"{chapter}.{cite}")
    bench.floor("receive_decks")
    for done, (role, name, cite) in enumerate(STEPS):
        for other_role, other, other_cite in STEPS[:done] + STEPS[done + 1 :]:
            assert bench.denied(other_role, other) == ("opening-order", f"{chapter}.{other_cite}")
        for early in ("shuffle", "wager", "no_more_bets", "deal"):
            fields: dict[str, Any] = {"seat": 1, "wager": "ante", "amount": 1000} if early == "wager" else {}
            assert bench.denied(Role.DEALER, early, **fields)[0] == "phase"
        assert bench.table.phase == "opening"
        events = bench.do(role, {"command": name})
        assert [event.cites for event in events] == [(f"{chapter}.{cite}",)]
    assert bench.table.phase == "shuffling"
    assert bench.table.deck is not None
    assert not bench.table.deck.shuffled
    assert bench.denied(Role.DEALER, "wash_cards")[0] == "phase"


@pytest.mark.parametrize("game", every_game("4(a)"))
def test_the_dealer_inspects_and_somebody_else_verifies(game: str) -> None:
    bench = received(game, 1)
    assert bench.denied(Role.FLOORPERSON, "inspect_cards")[0] == "permission"
    bench.do(Role.DEALER, {"command": "inspect_cards"}, "dual-1")
    assert bench.denied(Role.DEALER, "verify_inspection", "dealer-2")[0] == "permission"
    for role in (Role.FLOORPERSON, Role.PIT_MANAGER):
        assert bench.denied(role, "verify_inspection", "dual-1") == ("two-people", f"{CHAPTERS[game]}.4(a)")
    manager = bench.fork()
    manager.manager("verify_inspection")
    bench.floor("verify_inspection")
    assert bench.table.deck is not None
    assert bench.table.deck.inspected_by == "dual-1"


@pytest.mark.parametrize("game", every_game("4(b)", "4(c)"))
def test_the_cards_stay_spread_until_the_first_player_has_looked(game: str) -> None:
    bench = received(game)
    for role, name, _ in STEPS[:3]:
        bench.do(role, {"command": name})
    assert bench.denied(Role.DEALER, "player_inspected") == ("no-player", f"{CHAPTERS[game]}.4(b)")
    assert bench.denied(Role.DEALER, "wash_cards") == ("opening-order", f"{CHAPTERS[game]}.4(c)")
    bench.player("p3", "sit", seat=3)
    bench.player("p1", "sit", seat=1)
    assert bench.denied(Role.DEALER, "wash_cards") == ("opening-order", f"{CHAPTERS[game]}.4(c)")
    assert bench.denied(Role.PLAYER, "player_inspected", "p1")[0] == "not-yours"
    bench.player("p3", "player_inspected")
    bench.dealer("wash_cards")
    assert bench.table.phase == "shuffling"


@pytest.mark.parametrize("game", every_game("4(d)"))
def test_each_of_two_decks_is_opened(game: str) -> None:
    chapter = CHAPTERS[game]
    bench = received(game, 1, two=True)
    for role, name, cite in STEPS:
        (event,) = bench.do(role, {"command": name})
        assert event.data["decks"] == ["red", "blue"]
        assert event.cites == (f"{chapter}.{cite}", f"{chapter}.4(d)")
    steps = {deck.steps for deck in bench.table.decks.values()}
    assert steps == {("inspected", "verified", "spread", "viewed", "washed")}
    bench.dealer("shuffle")
    bench.dealer("shuffle", deck="blue")
    assert {deck.shuffled for deck in bench.table.decks.values()} == {"device"}
    red, blue = (deck.commitment for deck in bench.table.decks.values())
    assert red != blue


@pytest.mark.parametrize("game", every_game("4(e)", "5(a)", "5(c)(2)"))
def test_preinspected_cards_skip_the_opening_and_the_first_shuffle_but_not_the_cut(game: str) -> None:
    chapter = CHAPTERS[game]
    bench = received(game, 1, preinspected=True)
    assert [event.cites for event in bench.log if event.kind == "decks.received"] == [(f"{chapter}.4(e)",)]
    for role, name, _ in STEPS:
        assert bench.denied(role, name)[0] == "phase"
    assert bench.table.phase == "cutting"
    assert bench.denied(Role.DEALER, "shuffle")[0] == "shuffled-already"
    bench.wager_all(1)
    assert bench.denied(Role.DEALER, "no_more_bets")[0] == "phase"
    bench.dealer("cut", at=10)
    assert bench.table.phase == "wagering"
    bench.dealer("no_more_bets")
    while bench.table.play is not None:
        bench.step()
    assert bench.table.phase == "shuffling"  # after the round they are shuffled like any other cards
    assert "cards.inspected" not in bench.kinds()


@pytest.mark.parametrize("game", every_game("4(e)", "5(c)(2)"))
def test_the_second_of_two_preshuffled_decks_is_cut_before_its_first_round(game: str) -> None:
    bench = received(game, 1, two=True, preinspected=True)
    for deck in ("red", "blue"):
        assert (bench.table.active, bench.table.phase) == (deck, Phase.CUTTING)
        bench.wager_all(1)
        bench.dealer("cut", at=20)
        bench.dealer("no_more_bets")
        while bench.table.play is not None:
            bench.step()
    # Both have been through the shuffler by now.
    assert bench.table.phase == "wagering"
    assert bench.table.decks["red"].shuffled == "device"


@pytest.mark.parametrize("game", CARD_GAMES)
def test_an_idle_table_with_preinspected_cards_opens_again(game: str) -> None:
    bench = received(game, 1, 2, preinspected=True)
    bench.dealer("cut", at=10)
    bench.dealer("spread_idle")
    bench.round(1, 2)
    assert bench.table.rounds == 1


@pytest.mark.parametrize("game", every_game("9(a)(1)"))
def test_a_table_that_deals_from_the_hand_does_not_open_without_a_shuffler(game: str) -> None:
    bench = Bench(game, submission_text(game, "hand", shuffler=False))
    refusal = bench.denied(Role.PIT_MANAGER, "open_table", submission=bench.text)
    assert refusal == ("hand-without-shuffler", f"{CHAPTERS[game]}.9(a)(1)")
    assert bench.table.phase == "closed"


def test_no_round_begins_under_the_law_of_another_day() -> None:
    """A round belongs to its gaming day: when the law changes, the table is closed and opened again."""
    before, after = moment("2026-03-24T05:00"), moment("2026-03-24T06:00")  # the gaming days of March 23 and 24
    assert before is not None
    assert after is not None
    bench = Bench("ultimate-texas-hold-em", template("ultimate-texas-hold-em", day_of(before)))
    bench.desk.now = before
    bench.opened(1).ready().wager_all(1)
    assert bench.why_not(Role.DEALER, {"command": "no_more_bets"}) == ()
    bench.desk.now = after
    assert bench.refused(Role.DEALER, "no_more_bets")[0] == "law-changed"
    step = next_step(bench.table, bench.desk)
    assert step is not None
    assert "The law changed on Mar 24, 2026" in step.say
    for wager in reversed([*bench.table.staged[1]]):
        bench.dealer("withdraw", seat=1, wager=wager)
    bench.manager("close_table")
    other = Bench("three-card-poker").opened(1).ready()
    other.wager_all(1)
    other.desk.now += 3 * 24 * HOUR
    assert [each.code for each in other.why_not(Role.DEALER, {"command": "no_more_bets"})] == ["deck-change-due"]
