"""The table of permissions, cell by cell, and the default: denied."""

from collections.abc import MutableMapping
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.table.permissions import (
    ALLOWED,
    CONSENTING,
    EVERYONE,
    TWO_PEOPLE,
    UNATTENDED,
    may,
    may_consent,
    why_no_consent,
    why_not,
)
from pitboss.table.roles import Role

LETTERS = {
    "D": Role.DEALER,
    "F": Role.FLOORPERSON,
    "M": Role.PIT_MANAGER,
    "C": Role.CASHIER,
    "P": Role.PLAYER,
    "A": Role.AUDITOR,
    "X": Role.ADMINISTRATOR,
}

# The table a second time, by letters, so that a slip of the hand in either is seen.
EXPECTED = """
table.open_table M; table.close_table FM; table.receive_decks FMD; table.inspect_cards D; table.verify_inspection FM;
table.spread_cards D; table.player_inspected DP; table.wash_cards D; table.shuffle D; table.cut D;
table.order_recut FM; table.return_wager FM; table.sit PD; table.leave PD; table.take_box PD; table.release_box PD;
table.buy_in CFM; table.cash_out CFM; table.repay CFM; table.fill CFM; table.credit CFM;
table.wager PD; table.withdraw PD;
table.no_more_bets D; table.count_chips D; table.deal D; table.correct_card DFM;
table.open_shaker DFM; table.shake DP; table.roll D; table.correct_throw D;
table.stub D; table.decide PD; table.declare PD; table.concede PD; table.lock_decisions D;
table.draw D; table.reveal D; table.turn_up D; table.settle D; table.validate FM; table.rule_choice FM;
table.complete_paperwork FM; table.discard D;
table.count_deck D; table.abandon FM; table.spread_idle D; table.irregularity DFM; table.cover_device DFM;
table.change_method FM; table.repair_device FM; table.order_shuffle FM; table.change_decks FM; table.change_limits M;
meter.open M; meter.propose M; property.propose MX;
consent.read DFMAX; consent.give FMAX; consent.refuse DFMAX; account.create X;
account.disable X; account.enable X; account.reset X; account.set-role X; account.confirm DFMCAX;
account.list XA; audit.read AXMF; audit.verify AX; audit.export AX; audit.acknowledge AX; incident.acknowledge FMAX;
session.use DFMCPAX; balances.read DFMCA; school.set-exam FM; school.read-class FM;
meters.read DFMCPAX; tables.read DFMCPAX; events.read DFMCPAX; state.read DFMCPAX
"""
BY_ITSELF = """
open_shaker shake shuffle cut no_more_bets count_chips deal roll stub lock_decisions draw reveal settle discard
count_deck
"""
ROWS = {
    name: frozenset(LETTERS[letter] for letter in letters)
    for name, letters in (row.split() for row in EXPECTED.replace("\n", " ").split(";"))
}
CELLS = [(role, permission) for permission in sorted(ROWS.keys() | ALLOWED.keys()) for role in Role]


@pytest.mark.parametrize(("role", "permission"), CELLS)
def test_every_cell(role: Role, permission: str) -> None:
    allowed = UNATTENDED if role is Role.SYSTEM else {name for name, roles in ROWS.items() if role in roles}
    assert may(role, permission) is (permission in allowed)


def test_the_system_stands_in_no_row_and_takes_only_steps_of_a_dealer() -> None:
    assert frozenset(Role) - {Role.SYSTEM} == EVERYONE
    assert {*UNATTENDED} == {f"table.{name}" for name in BY_ITSELF.split()}
    assert all(Role.DEALER in ALLOWED[name] for name in UNATTENDED)
    assert not [name for name, roles in ALLOWED.items() if Role.SYSTEM in roles or not roles]


@given(st.text(), st.sampled_from(Role))
def test_unknown_is_denied(name: str, role: Role) -> None:
    if name not in ROWS:
        assert not may(role, name)


@pytest.mark.parametrize("near", ["", "table.", "table.Deal", "table.deal ", "deal", "table.*", "*"])
def test_near_misses_are_denied(near: str) -> None:
    assert not [role for role in Role if may(role, near)]


def test_nobody_can_be_let_in_at_run_time() -> None:
    with pytest.raises(TypeError):
        cast(MutableMapping[str, frozenset[Role]], ALLOWED)["table.deal"] = EVERYONE


@pytest.mark.parametrize(("role", "permission"), [cell for cell in CELLS if not may(*cell)])
def test_a_refusal_names_exactly_those_who_may(role: Role, permission: str) -> None:
    finding = why_not(role, permission)
    assert (finding.code, finding.severity, finding.found) == ("permission", "error", str(role))
    _, _, listed = finding.sentence.partition("; ")
    assert {other for other in Role if str(other) in listed} == ROWS[permission]


def test_a_refusal_of_an_unknown_act_names_nobody() -> None:
    finding = why_not(Role.ADMINISTRATOR, "table.fly")
    assert finding.code == "permission"
    assert finding.sentence == "Nobody may do this: it is not in the table of permissions."


def test_refusals_read_as_sentences() -> None:
    assert why_not(Role.AUDITOR, "table.open_table").sentence == "An auditor may not do this; a pit manager may."
    assert why_not(Role.SYSTEM, "consent.give").sentence == (
        "The system may not do this; a floorperson, a pit manager, an auditor or an administrator may."
    )


# Acts of two people: who proposes, whose consent counts; by letters, as above.
SECOND = """
meter.change M FMX; table.void-revealed DFM M; table.abandon-revealed FM M; table.reopen M FMX;
table.choice-stands FM FM;table.open-differing M MAX; property.bounds MX MAX;
table.limits-seated M FM; account.enable X MAX; account.confirm DFMCAX MX
"""
PAIRS = {
    act: tuple(frozenset(LETTERS[letter] for letter in letters) for letters in sides)
    for act, *sides in (row.split() for row in SECOND.replace("\n", " ").split(";"))
}


@pytest.mark.parametrize("act", sorted(PAIRS.keys() | TWO_PEOPLE.keys()))
def test_acts_of_two_people(act: str) -> None:
    first, second = PAIRS[act]
    assert ALLOWED[TWO_PEOPLE[act].first] == first
    assert {role for role in Role if may_consent(role, act)} == second
    for role in frozenset(Role) - second:
        finding = why_no_consent(role, act)
        assert (finding.code, finding.found) == ("permission", str(role))
        assert {other for other in Role if str(other) in finding.sentence.partition("; ")[2]} == second


def test_whoever_may_consent_to_something_may_use_the_route() -> None:
    assert CONSENTING == ALLOWED["consent.give"] <= ALLOWED["consent.refuse"]
    assert not [role for role in Role if may_consent(role, "table.fly")]
