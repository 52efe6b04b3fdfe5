"""P38: one crooked employee moves no chip to anybody beyond what the rules pay. The long search is a script's."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.ledger.crooked import FRIEND, FUNCTIONS, OWN, Crook
from tests.table.driver import GAME_NAMES, PEOPLE, submission_text
from tests.table.walk import Try
from tests.table.walkers import BenchWalk

from pitboss.findings import errors
from pitboss.ledger.review import review
from pitboss.table.autoplay import automatic
from pitboss.table.cashiering import BuyIn
from pitboss.table.events import inventory_account, move, player_account
from pitboss.table.irregular import Irregularity
from pitboss.table.opening import OpenTable
from pitboss.table.permissions import ALLOWED, MOVING, TWO_PEOPLE
from pitboss.table.roles import Role
from pitboss.table.state import Phase
from pitboss.table.turning import RuleChoice

pytestmark = pytest.mark.filterwarnings("ignore:Using `httpx`")


@pytest.mark.parametrize("role", FUNCTIONS)
def test_no_account_alone_gives_anybody_more_than_the_rules_pay(role: Role, tmp_path: Path) -> None:
    crook = Crook(role, 38, tmp_path)
    try:
        for _ in range(100):
            crook.attempt()
        assert crook.witness.rounds > 0
        assert crook.witness.unsettled == 0
        assert errors(review(crook.store, full=True)) == ()
    finally:
        crook.close()


def red_pays_much(crook: Crook) -> None:
    """A table of the crook's own pays red 36 to 1, and the friend bets on red until it comes."""
    text = crook.settings[OWN].submission.replace("[facts]\n", '[facts]\n"paytables.roulette.-.red" = "36 to 1"\n')
    crook.send(OWN, "crook", Role.PIT_MANAGER, {"command": "open_table", "submission": text, "fill": 10**7})
    crook.send(OWN, "dealer-1", Role.DEALER, {"command": "sit", "seat": 1, "player": FRIEND})
    slip: dict[str, Any] = {"command": "buy_in", "amount": 10**6, "player": FRIEND, "slip": 2}
    crook.send(OWN, "manager-1", Role.PIT_MANAGER, slip)
    bet = {"command": "wager", "seat": 1, "wager": "red", "amount": 1_000}
    for _ in range(12):
        crook.send(OWN, FRIEND, Role.PLAYER, bet)
        for command in ("open_shaker", "shake", "no_more_bets", "shake", "roll", "settle", "discard"):
            crook.send(OWN, "dealer-1", Role.DEALER, {"command": command})
    crook.look()


def test_the_witness_sees_pays_that_one_person_chose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crook = Crook(Role.PIT_MANAGER, 1, tmp_path)
    try:
        red_pays_much(crook)
        assert OWN not in crook.witness.tables, "the table waits for a second person"
        monkeypatch.setattr(OpenTable, "two_people", lambda *_: "")
        with pytest.raises(AssertionError, match=r"seat 1: 36000 paid, 1000 by the law"):
            red_pays_much(crook)
    finally:
        crook.close()


def test_the_witness_sees_chips_that_nobody_bought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = BuyIn.events

    def crooked(self: BuyIn, table: Any, desk: Any) -> Any:
        for event in honest(self, table, desk):
            extra = move(inventory_account(table.id), player_account(self.player), 100)
            yield type(event)(event.fact, event.cites, (*event.entries, *extra))

    monkeypatch.setattr(BuyIn, "events", crooked)
    crook = Crook(Role.CASHIER, 1, tmp_path)
    try:
        with pytest.raises(AssertionError, match="patrons hold"):
            some(crook)
    finally:
        crook.close()


def test_the_witness_sees_chips_sold_by_somebody_who_answers_for_no_cash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    selling = {**ALLOWED, "table.buy_in": ALLOWED["table.buy_in"] | {Role.DEALER}}
    monkeypatch.setattr("pitboss.table.permissions.ALLOWED", selling)
    crook = Crook(Role.DEALER, 5, tmp_path)
    try:
        with pytest.raises(AssertionError, match=r"player\.bought-in by crook, a dealer"):
            some(crook)
    finally:
        crook.close()


def test_the_witness_sees_a_known_round_undone_by_one_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crook, void = Crook(Role.FLOORPERSON, 1, tmp_path), {"command": "irregularity", "what": "wrong-number-of-cards"}
    try:
        while crook.standing("t1")[0].phase != Phase.SETTLING:
            crook.honest()
        crook.look()
        reply = crook.send("t1", "crook", Role.FLOORPERSON, void)
        assert reply is not None
        assert reply.status == 202, "it waits for a second person"
        monkeypatch.setattr(Irregularity, "two_people", lambda *_: "")
        crook.send("t1", "crook", Role.FLOORPERSON, void)
        with pytest.raises(AssertionError, match=r"round\.voided by crook alone, with the outcome known"):
            crook.look()
    finally:
        crook.close()


def let_stand(crook: Crook) -> None:
    """At a physical table three Antes were wagered on a pair of kings, and the crook lets them stand when they won."""

    def until(phase: Phase) -> None:
        while (now := crook.standing(OWN))[0].phase != phase:
            following = automatic(*now)
            assert following is not None
            step, command = following
            crook.send(OWN, PEOPLE[step.role], step.role, command.as_dict())

    def dealer(command: str, **fields: Any) -> None:
        reply = crook.send(OWN, "dealer-1", Role.DEALER, {"command": command, **fields})
        assert reply is not None
        assert reply.accepted, reply.text

    text = submission_text("crazy-4-poker")
    opening = {"command": "open_table", "submission": text, "source": "physical", "fill": 10**7}
    crook.send(OWN, "manager-1", Role.PIT_MANAGER, opening)
    dealer("sit", seat=1, player=FRIEND)
    slip: dict[str, Any] = {"command": "buy_in", "amount": 10**6, "player": FRIEND, "slip": 2}
    crook.send(OWN, "manager-1", Role.PIT_MANAGER, slip)
    until(Phase.WAGERING)
    for wager in ("ante", "super_bonus"):
        dealer("wager", seat=1, wager=wager, amount=1000)
    until(Phase.DECIDING)
    dealer("decide", seat=1, choice="play", amount=3000)
    until(Phase.REVEALING)
    dealer("reveal", cards="Qc 9d 7h 5s 3d")
    dealer("turn_up", cards="Kc Kd 8h 6s 4d")
    crook.look()


def test_the_witness_sees_a_forbidden_wager_that_one_person_lets_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crook = Crook(Role.FLOORPERSON, 1, tmp_path)
    ruling = {"command": "rule_choice", "seat": 1, "step": "decision", "stands": True, "why": "it was placed"}
    try:
        let_stand(crook)
        reply = crook.send(OWN, "crook", Role.FLOORPERSON, ruling)
        assert reply is not None
        assert reply.status == 202, "it waits for a second person"
        monkeypatch.setattr(RuleChoice, "two_people", lambda *_: "")
        crook.send(OWN, "crook", Role.FLOORPERSON, ruling)
        with pytest.raises(AssertionError, match=r"a wager that the hand forbade stands by crook alone"):
            crook.look()
    finally:
        crook.close()


def some(crook: Crook) -> None:
    for _ in range(60):
        crook.attempt()


class Noting(BenchWalk):
    """A walk that notes which commands moved chips."""

    def attempt(self, tried: Try) -> None:
        before = len(self.bench.log)
        super().attempt(tried)
        if any(event.entries for event in self.bench.log[before:]):
            self.moved.add(f"table.{tried.body['command']}")

    moved: set[str]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_act_that_moves_chips_says_how_many_people_it_takes(game: str) -> None:
    moved: set[str] = set()
    for seed in range(4):
        walk = Noting(Random(seed), game)
        walk.moved = moved
        walk.ready()
        for _ in range(60):
            walk.step()
    assert moved <= MOVING.keys()
    assert len(moved) > 5


def test_acts_of_two_people_are_those_of_an_act_that_moves_chips_or_of_an_account() -> None:
    assert MOVING.keys() <= ALLOWED.keys()
    named = {act for acts in MOVING.values() for act in acts}
    assert named == {act for act in TWO_PEOPLE if not act.startswith("account.")}
    for first, acts in MOVING.items():
        assert {TWO_PEOPLE[act].first for act in acts} <= {first}
