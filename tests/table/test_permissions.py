"""The table of permissions, cell by cell, and the default: denied."""

from collections.abc import MutableMapping
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.table.permissions import ALLOWED, EVERYONE, TWO_PEOPLE, may, why_not, why_not_alone
from pitboss.table.roles import Role

LETTERS = {
    "D": Role.DEALER,
    "F": Role.FLOORPERSON,
    "M": Role.PIT_MANAGER,
    "P": Role.PLAYER,
    "A": Role.AUDITOR,
    "X": Role.ADMINISTRATOR,
}

# The table a second time, by letters, so that a slip of the hand in either is seen.
EXPECTED = """
table.open_table M; table.close_table FM; table.receive_decks FMD; table.inspect_cards D; table.verify_inspection FM;
table.spread_cards D; table.player_inspected DP; table.wash_cards D; table.shuffle D; table.cut D;
table.order_recut FM; table.return_wager FM; table.sit PD; table.leave PD; table.take_box PD; table.release_box PD;
table.buy_in DFP; table.cash_out DFP; table.fill FM; table.credit FM; table.wager PD; table.withdraw PD;
table.no_more_bets D; table.count_chips D; table.deal D; table.stub D; table.decide PD; table.lock_decisions D;
table.draw D; table.reveal D; table.settle D; table.validate FM; table.complete_paperwork FM; table.discard D;
table.count_deck D; table.abandon FM; table.spread_idle D; table.irregularity DFM; table.cover_device DFM;
table.change_method FM; table.repair_device FM; table.order_shuffle FM; table.change_decks FM; table.change_limits M;
meter.open M; meter.propose M; meter.approve FMX; meter.reject FMX; account.create X; account.disable X;
account.set-role X; account.list XA; audit.read AXMF; audit.verify AX; audit.export AX; audit.backup X;
audit.acknowledge AX;
meters.read DFMPAX; tables.read DFMPAX; events.read DFMPAX; state.read DFMPAX
"""
ROWS = {
    name: frozenset(LETTERS[letter] for letter in letters)
    for name, letters in (row.split() for row in EXPECTED.replace("\n", " ").split(";"))
}
ACTS = {name for name in ALLOWED if " " not in name}
"""Without the routes of the HTTP interface, which have a table of their own in the tests of that."""
CELLS = [(role, permission) for permission in sorted(ROWS.keys() | ACTS) for role in Role]


@pytest.mark.parametrize(("role", "permission"), CELLS)
def test_every_cell(role: Role, permission: str) -> None:
    assert may(role, permission) is (role in ROWS.get(permission, frozenset()))


def test_the_system_stands_in_no_row() -> None:
    assert frozenset(Role) - {Role.SYSTEM} == EVERYONE
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
    assert why_not(Role.SYSTEM, "meter.approve").sentence == (
        "The system may not do this; a floorperson, a pit manager or an administrator may."
    )


@pytest.mark.parametrize("permission", sorted(TWO_PEOPLE))
def test_two_person_acts_refuse_the_same_person(permission: str) -> None:
    finding = why_not_alone(permission, "manager-1", "manager-1")
    assert finding is not None
    assert finding.code == "two-people"
    assert "manager-1" in finding.sentence
    assert why_not_alone(permission, "manager-1", "manager-2") is None


def test_two_person_acts_are_known_and_only_they_need_two() -> None:
    assert "meter.approve" in TWO_PEOPLE
    assert ALLOWED.keys() >= TWO_PEOPLE
    alone = [name for name in ALLOWED if why_not_alone(name, "manager-1", "manager-1") is None]
    assert set(alone) == ALLOWED.keys() - TWO_PEOPLE
