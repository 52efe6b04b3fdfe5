"""P34: acts of two people. Nobody is both, directly or through an account that is in the same hands.

The pairs are made from the table of permissions: every act, every job function as the second person, and every
relation that the second account can have to the first.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from sqlalchemy import update
from tests.ledger.forger import forge, recorded
from tests.ledger.house import START, House
from tests.ledger.test_people import CHEAP
from tests.table.driver import submission_text

from pitboss.clock import day_of
from pitboss.demo.shift import _hire
from pitboss.findings import FindingsError, errors
from pitboss.ledger import schema
from pitboss.ledger.consent import kinship
from pitboss.ledger.counting import HoldCounter
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.meters import settings_of
from pitboss.ledger.people import People, Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.review import review
from pitboss.ledger.store import Recorded, Store
from pitboss.submission import read_submission, rules_of
from pitboss.table.bounds import Bounds
from pitboss.table.kinds.house import TableOpened
from pitboss.table.permissions import ALLOWED, EVERYONE, TWO_PEOPLE, may_consent
from pitboss.table.roles import Role

PASSWORD = "nine green chips"
GAME = "three-card-poker"


@dataclass
class Staff:
    """Accounts with a history: who made whom is all that a test says about them."""

    people: People

    def made(self, id: str, role: Role, by: Person | None = None) -> Person:
        return self.people.create(id, id.upper(), role, PASSWORD, by, printed=True)

    def first(self, role: Role) -> Person:
        return self.made("first-1", role, self.made("maker", Role.ADMINISTRATOR))

    def administrator(self, person: Person) -> Person:
        """Somebody in a time as administrator, for what only administrators can do; the row says what somebody is."""
        return self.as_row(Person(person.id, person.name, Role.ADMINISTRATOR))

    def as_row(self, person: Person) -> Person:
        with self.people._store.writing() as writing:
            change = update(schema.people).where(schema.people.c.id == person.id)
            writing.connection.execute(change.values(role=str(person.role)))
        return person


@pytest.fixture
def house(sqlite_url: str) -> Iterator[House]:
    with Store(sqlite_url) as store:
        yield House(store)


@pytest.fixture
def staff(house: House) -> Staff:
    return Staff(People(house.store, house.clock, CHEAP))


def codes(act: Callable[[], object]) -> list[str]:
    with pytest.raises(FindingsError) as caught:
        act()
    return [finding.code for finding in caught.value.findings]


# How the second account can have come to be, seen from the first person of an act, whom "maker" has made. An account
# gets its job function when it is made, so that each relation is of one kind only.


def same(first: Person, role: Role, staff: Staff) -> Person:  # noqa: ARG001
    return Person(first.id, first.name, role)


def made_by_first(first: Person, role: Role, staff: Staff) -> Person:
    return staff.made(f"puppet-{role.name.lower()[:3]}", role, staff.administrator(first))


def made_by_an_account_of_the_first(first: Person, role: Role, staff: Staff) -> Person:
    name = role.name.lower()[:3]
    middle = staff.made(f"middle-{name}", Role.ADMINISTRATOR, staff.administrator(first))
    return staff.made(f"far-{name}", role, middle)


def maker_of_first(first: Person, role: Role, staff: Staff) -> Person:  # noqa: ARG001
    return Person("maker", "MAKER", role)


def reset_by_first(first: Person, role: Role, staff: Staff) -> Person:
    second = staff.made(f"reset-{role.name.lower()[:3]}", role)
    staff.people.reset_password(second.id, staff.administrator(first))
    return second


def given_its_role_by_first(first: Person, role: Role, staff: Staff) -> Person:
    second = staff.made(f"raised-{role.name.lower()[:3]}", Role.DEALER)
    return staff.people.set_role(second.id, role, staff.administrator(first))


def other(first: Person, role: Role, staff: Staff) -> Person:  # noqa: ARG001
    return staff.made(f"other-{role.name.lower()[:3]}", role)


def sibling(first: Person, role: Role, staff: Staff) -> Person:  # noqa: ARG001
    """Another account of the administrator who made the first, and takes no part: how most houses are."""
    return staff.made(f"sibling-{role.name.lower()[:3]}", role, Person("maker", "MAKER", Role.ADMINISTRATOR))


IN_ONE_HAND = (
    same, made_by_first, made_by_an_account_of_the_first, maker_of_first, reset_by_first, given_its_role_by_first,
)  # fmt: skip
INDEPENDENT = (other, sibling)
CONFIRM = "account.confirm"
"""The one act in which an account of the same maker is not independent: its maker could be its holder."""
Relation = Callable[[Person, Role, Staff], Person]


def proposed(act: str, house: House, staff: Staff, first: Person) -> tuple[int, Callable[[], bool]]:
    """The act as the first person proposes it; its number, and whether it has taken effect."""
    pit = house.pit
    if act == "meter.change":
        rules, _ = rules_of(read_submission(submission_text(GAME)), day_of(START))
        assert rules is not None
        pit.open_meter("link-1", settings_of(rules, next(iter(rules.meters))), house.person(Role.PIT_MANAGER))
        tier, before = next(iter(pit.meters()["link-1"]["amounts"].items()))
        number = pit.propose("link-1", MeterAdjustment(amounts={tier: before + 100}, reason="a test"), first)
        return number, lambda: pit.meters()["link-1"]["amounts"][tier] == before + 100
    if act == "account.enable":
        staff.made("elsewhere", Role.AUDITOR)  # somebody who is in nobody's hands, so that there is a second person
        staff.people.create("new-one", "New", Role.FLOORPERSON, PASSWORD, staff.administrator(first))
        number = staff.people.waiting("new-one")
        return number, lambda: not next(a for a in staff.people.everyone() if a.person.id == "new-one").disabled
    if act == "property.bounds":
        wanted = Bounds(act=200_000_000)
        return pit.propose_bounds(wanted, first), lambda: pit.bounds() == wanted
    if act == "account.confirm":
        staff.people.change_password(first.id, PASSWORD, "eleven brown decks")
        return staff.people.ask_confirmation(first), lambda: bool(recorded_kinds(house, "account.confirmed"))
    command, done = at_table(act, house)
    reply = pit.act("t1", command, first, f"proposing-{act}")
    assert reply.status == 202, reply.text
    assert reply.body["findings"][0]["code"] == "second-person"
    assert pit.act("t1", command, first, f"proposing-{act}") == reply, "the same key, the same answer"
    again = pit.act("t1", command, first, f"proposing-again-{act}")
    assert again.body["proposal"] == reply.body["proposal"], "what waits is not proposed twice"
    return int(reply.body["proposal"]), done


DIFFERING = submission_text("roulette", "double-zero").replace(
    "[facts]\n", '[facts]\n"paytables.roulette.-.red" = "9 to 10"\n'
)
"""A wheel whose red pays less than even money, and holds 10 percent."""
HOLDS = HoldCounter(patience=60)
"""Counted once for all tests."""


def recorded_kinds(house: House, kind: str, stream: str = "") -> list[str]:
    with house.store.reading() as reading:
        return [event.kind for event in reading.events(stream, kinds=(kind,))]


def at_table(act: str, house: House) -> tuple[dict[str, object], Callable[[], bool]]:
    """A table at which the command is the act; the command, and whether it was carried out."""
    if act == "table.open-differing":
        house.pit.holds = HOLDS
        return {
            "command": "open_table",
            "submission": DIFFERING,
        }, lambda: "table.opened" in recorded_kinds(house, "table.opened", "t1")
    table = partial(house.pit.table, "t1")
    if act == "table.choice-stands":
        house.opened("t1", "crazy-4-poker", source="physical").until("t1", "wagering")
        for wager in ("ante", "super_bonus"):
            house.dealer("t1", "wager", seat=1, wager=wager, amount=1000)
        house.until("t1", "deciding").dealer("t1", "decide", seat=1, choice="play", amount=3000)
        house.until("t1", "revealing").dealer("t1", "reveal", cards="Qc 9d 7h 5s 3d")
        house.dealer("t1", "turn_up", cards="Kc Kd 8h 6s 4d")
        body = {"command": "rule_choice", "seat": 1, "step": "decision", "stands": True, "why": "it was placed"}
        return body, lambda: bool(recorded_kinds(house, "choice.ruled", "t1"))
    house.opened("t1", GAME)
    if act == "table.reopen":
        house.floor("t1", "close_table")
        return {"command": "open_table", "submission": submission_text(GAME)}, lambda: table().phase != "closed"
    if act == "table.limits-seated":
        body = {"command": "change_limits", "wager": "ante", "minimum": 700, "maximum": 9000}
        return body, lambda: table().limits.get("ante") == (700, 9000)
    house.wagers("t1").until("t1", "deciding")
    if act == "table.abandon-revealed":
        house.dealer("t1", "decide", seat=1, choice="play")
        house.dealer("t1", "decide", seat=2, choice="play")
    house.until("t1", "settling")
    if act == "table.abandon-revealed":
        house.dealer("t1", "leave", seat=2)
        return {"command": "abandon", "seat": 2}, lambda: 2 in getattr(table().play, "absent", ())
    body = {"command": "irregularity", "what": "wrong-number-of-cards", "seat": 1}
    return body, lambda: table().play is None


FIRST = {act: min(ALLOWED[two.first]) for act, two in TWO_PEOPLE.items()}


@pytest.mark.parametrize("act", TWO_PEOPLE)
def test_no_act_of_two_people_is_in_one_pair_of_hands(act: str, house: House, staff: Staff) -> None:
    first = staff.first(FIRST[act])
    number, done = proposed(act, house, staff, first)
    for role in sorted(EVERYONE):
        relations: tuple[Relation, ...] = IN_ONE_HAND if may_consent(role, act) else (other,)
        relations = (*IN_ONE_HAND, sibling) if act == CONFIRM and may_consent(role, act) else relations
        for relation in relations:
            code = "two-people" if may_consent(role, act) else "permission"
            second = relation(first, role, staff)
            assert codes(partial(house.pit.approve, number, second)) == [code], (role, relation.__name__)
    assert not done()
    assert number in {proposal.number for proposal in house.pit.proposals()}


@pytest.mark.parametrize(
    ("act", "role", "relation"),
    [
        pytest.param(act, role, relation, id=f"{act}-{role.name.lower()}-{relation.__name__}")
        for act, role, relation in itertools.product(TWO_PEOPLE, sorted(EVERYONE), INDEPENDENT)
        if may_consent(role, act) and not (act == CONFIRM and relation is sibling)
    ],
)
def test_two_independent_people_carry_an_act_out(
    act: str, role: Role, relation: Relation, house: House, staff: Staff
) -> None:
    first = staff.first(FIRST[act])
    number, done = proposed(act, house, staff, first)
    second = relation(first, role, staff)
    house.pit.approve(number, second)
    assert done()
    assert codes(lambda: house.pit.approve(number, second)) == ["no-proposal"]
    assert errors(review(house.store)) == ()


@pytest.mark.parametrize("act", ["table.void-revealed", "meter.change"])
@pytest.mark.parametrize("whose", ["first", "second"])
@pytest.mark.parametrize("change", ["disabled", "another role"])
def test_somebody_who_was_shut_out_since_is_neither_of_the_two(
    act: str, whose: str, change: str, house: House, staff: Staff
) -> None:
    first, second = staff.first(FIRST[act]), staff.made("other", Role.PIT_MANAGER)
    number, done = proposed(act, house, staff, first)
    administrator = staff.made("chief", Role.ADMINISTRATOR)
    who = first if whose == "first" else second
    if change == "disabled":
        staff.people.disable(who.id, administrator)
    else:
        staff.people.set_role(who.id, Role.CASHIER, administrator)
    assert codes(lambda: house.pit.approve(number, second)) == ["account-changed"]
    assert not done()
    house.pit.reject(number, staff.made("third", Role.PIT_MANAGER))
    assert not house.pit.proposals()


def test_whoever_plays_at_the_table_does_not_consent_there(house: House, staff: Staff) -> None:
    number, done = proposed("table.void-revealed", house, staff, staff.first(Role.FLOORPERSON))
    player = staff.made("other", Role.PIT_MANAGER)
    house.dealer("t1", "sit", seat=3, player=player.id)
    assert codes(lambda: house.pit.approve(number, player)) == ["self-dealing"]
    assert not done()
    house.pit.approve(number, staff.made("third", Role.PIT_MANAGER))
    assert done()


def test_the_first_person_may_take_a_proposal_back(house: House) -> None:
    command, done = at_table("table.void-revealed", house)
    dealer = house.person(Role.DEALER)
    number = house.pit.act("t1", command, dealer, "proposing-1").body["proposal"]
    assert codes(lambda: house.pit.reject(number, house.person(Role.DEALER, "another"))) == ["permission"]
    house.pit.reject(number, dealer)
    assert house.pit.proposals() == ()
    assert codes(lambda: house.pit.approve(number, house.person(Role.PIT_MANAGER))) == ["no-proposal"]
    assert not done()


def test_a_proposal_dies_with_its_round(house: House) -> None:
    """Consent to void round 1 does not void round 2, though the same could be reported there."""
    command, _ = at_table("table.void-revealed", house)
    number = house.pit.act("t1", command, house.person(Role.FLOORPERSON), "proposing-1").body["proposal"]
    house.until("t1", "wagering").wagers("t1").until("t1", "settling")
    assert codes(lambda: house.pit.approve(number, house.person(Role.PIT_MANAGER))) == ["round-over"]
    assert house.pit.table("t1").play is not None


def test_one_person_is_enough_where_nothing_is_at_stake(house: House) -> None:
    """Before the reveal, with nobody seated, and on another day."""
    house.opened("t1", GAME, seats=())
    house.manager("t1", "change_limits", wager="ante", minimum=700, maximum=9000)
    house.floor("t1", "close_table")
    house.now += 24 * 3600 * 1_000_000
    house.opened("t1", GAME).wagers("t1").until("t1", "deciding")
    house.dealer("t1", "irregularity", what="wrong-number-of-cards", seat=1)


def test_an_approved_void_survives_a_restart_and_names_both(house: House) -> None:
    command, done = at_table("table.void-revealed", house)
    number = house.pit.act("t1", command, house.person(Role.FLOORPERSON), "proposing-1").body["proposal"]
    Pit(house.store, house.clock).approve(number, house.person(Role.PIT_MANAGER))
    assert done()
    with house.store.reading() as reading:
        given = reading.events("", kinds=("consent.given",))[0]
        void = reading.events("t1", kinds=("round.voided",))[0]
    assert (given.actor, given.data) == (
        "manager-1",
        {"proposal": number, "act": "table.void-revealed", "by": "floor-1"},
    )
    assert (void.actor, void.request) == ("floor-1", f"consent {number}")


GIVEN = {"table.void-revealed": "consent.given", "meter.change": "meter.change-approved"}


@pytest.mark.parametrize("act", GIVEN)
def test_a_forged_second_person_is_found(act: str, house: House, staff: Staff) -> None:
    """The chain agrees with itself, and yet the two were one, or the second could not consent."""
    first = staff.first(FIRST[act])
    puppet = made_by_first(first, Role.PIT_MANAGER, staff)
    staff.as_row(first)
    number, _ = proposed(act, house, staff, first)
    house.pit.approve(number, staff.made("other", Role.PIT_MANAGER))
    assert errors(review(house.store)) == ()
    event = recorded(house.store, GIVEN[act])
    for column, value, code in (
        ("actor", puppet.id, "two-people"),
        ("actor", first.id, "two-people"),
        ("role", str(Role.CASHIER), "permission"),
    ):

        def forged(columns: dict[str, Any], column: str = column, value: str = value) -> None:
            columns[column] = value

        forge(house.store, {event.seq: forged})
        assert code in {finding.code for finding in errors(review(house.store))}, (column, value)
        forge(house.store, {event.seq: lambda columns: columns.update(actor="other", role=str(Role.PIT_MANAGER))})


def test_a_void_after_the_reveal_that_nobody_consented_to_is_found(house: House, staff: Staff) -> None:
    number, _ = proposed("table.void-revealed", house, staff, staff.first(Role.DEALER))
    house.pit.approve(number, staff.made("other", Role.PIT_MANAGER))
    event = recorded(house.store, "round.voided")
    forge(house.store, {event.seq: lambda columns: columns.update(request="key-1-000001")})
    assert "two-people" in {finding.code for finding in errors(review(house.store))}


# Accounts


def test_an_account_that_may_consent_rests_until_a_second_person_lets_it_in(house: House, staff: Staff) -> None:
    people = staff.people
    one, two = staff.made("admin-1", Role.ADMINISTRATOR), staff.made("admin-2", Role.ADMINISTRATOR)
    people.create("dealer-9", "D", Role.DEALER, PASSWORD, one)
    assert people.waiting("dealer-9") == 0, "a dealer is nobody's second person"
    people.create("floor-9", "F", Role.FLOORPERSON, PASSWORD, one)
    with pytest.raises(FindingsError, match="wrong"):
        people.log_in("floor-9", PASSWORD)
    number = people.waiting("floor-9")
    assert codes(lambda: house.pit.approve(number, one)) == ["two-people"]
    house.pit.approve(number, two)
    assert people.log_in("floor-9", PASSWORD).must_change

    given = people.reset_password("floor-9", one)
    with pytest.raises(FindingsError, match="wrong"):
        people.log_in("floor-9", given)
    house.pit.approve(people.waiting("floor-9"), two)
    assert people.log_in("floor-9", given).must_change

    people.set_role("floor-9", Role.PIT_MANAGER, two)
    number = people.waiting("floor-9")
    assert codes(lambda: house.pit.approve(number, two)) == ["two-people"]
    assert codes(lambda: house.pit.approve(number, Person("floor-9", "F", Role.PIT_MANAGER))) == ["two-people"]
    house.pit.approve(number, one)

    people.disable("floor-9", one)
    people.enable("floor-9", one)
    assert next(a for a in people.everyone() if a.person.id == "floor-9").disabled, "nor by the way of disabling"
    house.pit.approve(people.waiting("floor-9"), two)
    assert people.log_in("floor-9", given).person.role is Role.PIT_MANAGER


def test_a_house_of_one_is_founded_and_says_so(house: House, staff: Staff) -> None:
    """With nobody else to ask an account is let in; the way back, by shutting out whoever could say no, is closed."""
    people = staff.people
    founder = staff.made("founder", Role.ADMINISTRATOR)
    people.create("floor-1", "F", Role.FLOORPERSON, PASSWORD, founder)
    assert people.waiting("floor-1") == 0
    assert people.log_in("floor-1", PASSWORD).must_change
    with house.store.reading() as reading:
        waived = reading.events("", kinds=("consent.waived",))
    assert [(event.actor, event.data["person"]) for event in waived] == [("founder", "floor-1")]
    staff.made("auditor-1", Role.AUDITOR)
    people.disable("auditor-1", founder)
    people.create("floor-2", "F", Role.FLOORPERSON, PASSWORD, founder)
    assert people.waiting("floor-2")


def test_whose_hands_is_read_from_the_chain(house: House, staff: Staff) -> None:
    """A row that was changed in the database frees nobody."""
    maker = staff.made("maker", Role.ADMINISTRATOR)
    staff.made("made", Role.FLOORPERSON, maker)
    with house.store.writing() as writing:
        writing.connection.execute(update(schema.people).values(made_by="system"))
    with house.store.reading() as reading:
        assert kinship(reading).over("made") == {"maker"}


# The end of a maker's power over an account


def independent(staff: Staff) -> tuple[Person, Person, Person]:
    """Two founders, and a floorperson whom the first made and the second let in, with the password that was given."""
    one, two = staff.made("admin-1", Role.ADMINISTRATOR), staff.made("admin-2", Role.ADMINISTRATOR)
    staff.people.create("floor-9", "F", Role.FLOORPERSON, PASSWORD, one)
    return one, two, Person("floor-9", "F", Role.FLOORPERSON)


def test_kinship_ends_when_the_holder_changed_the_password_and_a_second_person_confirms(
    house: House, staff: Staff
) -> None:
    one, two, floor = independent(staff)
    house.pit.approve(staff.people.waiting("floor-9"), two)
    assert codes(lambda: staff.people.ask_confirmation(floor)) == ["password-not-own"]
    staff.people.change_password("floor-9", PASSWORD, "eleven brown decks")
    number = staff.people.ask_confirmation(floor)
    assert staff.people.ask_confirmation(floor) == number, "what waits is not proposed twice"
    manager = staff.made("manager-9", Role.PIT_MANAGER, one)
    for who in (one, floor, manager):  # the maker, the holder, and somebody who is in the same maker's hands
        assert set(codes(partial(house.pit.approve, number, who))) <= {"two-people", "permission"}, who.id
    house.pit.approve(number, two)
    with house.store.reading() as reading:
        assert kinship(reading).over("floor-9") == set()
        assert kinship(reading).why_not_both("table.limits-seated", "admin-1", "floor-9") is None
        confirmed = reading.events("", kinds=("account.confirmed",))[0]
    assert (confirmed.actor, confirmed.data) == (
        "admin-2",
        {"proposal": number, "person": "floor-9", "by": "floor-9"},
    )
    assert errors(review(house.store)) == ()
    assert codes(lambda: staff.people.ask_confirmation(floor)) == ["account-independent"]
    staff.people.reset_password("floor-9", one)
    with house.store.reading() as reading:
        assert kinship(reading).over("floor-9") == {"admin-1"}, "a reset begins it again"


def test_a_reset_between_asking_and_confirming_leaves_the_account_in_its_makers_hands(
    house: House, staff: Staff
) -> None:
    one, two, floor = independent(staff)
    house.pit.approve(staff.people.waiting("floor-9"), two)
    staff.people.change_password("floor-9", PASSWORD, "eleven brown decks")
    number = staff.people.ask_confirmation(floor)
    staff.people.reset_password("floor-9", one)
    house.pit.approve(staff.people.waiting("floor-9"), two)
    assert codes(lambda: house.pit.approve(number, two)) == ["password-not-own"]


@pytest.mark.parametrize(("column", "value"), [("actor", "admin-1"), ("actor", "floor-9"), ("role", "cashier")])
def test_a_forged_confirmation_is_found(column: str, value: str, house: House, staff: Staff) -> None:
    _, two, floor = independent(staff)
    house.pit.approve(staff.people.waiting("floor-9"), two)
    staff.people.change_password("floor-9", PASSWORD, "eleven brown decks")
    house.pit.approve(staff.people.ask_confirmation(floor), two)
    event = recorded(house.store, "account.confirmed")
    forge(house.store, {event.seq: lambda columns: columns.update({column: value})})
    assert {"two-people", "permission"} & {finding.code for finding in errors(review(house.store))}


def test_players_and_staff_never_share_an_account(staff: Staff) -> None:
    one = staff.made("admin-1", Role.ADMINISTRATOR)
    staff.made("player-2", Role.PLAYER, one)
    staff.made("dealer-2", Role.DEALER, one)
    for role in EVERYONE - {Role.PLAYER}:
        assert codes(partial(staff.people.set_role, "player-2", role, one)) == ["player-or-staff"]
    assert codes(lambda: staff.people.set_role("dealer-2", Role.PLAYER, one)) == ["player-or-staff"]
    assert staff.people.set_role("dealer-2", Role.CASHIER, one).role is Role.CASHIER


def test_in_the_demonstration_one_administrator_makes_nobody_a_second_person(house: House, staff: Staff) -> None:
    _hire(staff.people)
    one, two = (next(a.person for a in staff.people.everyone() if a.person.id == f"admin-{n}") for n in (1, 2))
    assert codes(lambda: staff.people.set_role("player-2", Role.PIT_MANAGER, one)) == ["player-or-staff"]
    staff.people.set_role("dealer-1", Role.PIT_MANAGER, one)
    number = staff.people.waiting("dealer-1")
    assert number > 0, "in a house with two founders a new pit manager waits for the other one"
    assert codes(lambda: house.pit.approve(number, one)) == ["two-people"]
    house.pit.approve(number, two)


def test_a_ledger_in_which_a_player_became_staff_still_verifies(
    house: House, staff: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = staff.made("admin-1", Role.ADMINISTRATOR)
    staff.made("player-2", Role.PLAYER, one)
    with monkeypatch.context() as earlier:
        earlier.setattr("pitboss.ledger.accounts.refuse_crossing", lambda *_: None)
        staff.people.set_role("player-2", Role.CASHIER, one)
    assert errors(review(house.store, full=True)) == ()
    assert codes(lambda: staff.people.set_role("player-2", Role.PLAYER, one)) == ["player-or-staff"]


# Tables that pay otherwise than the law's own data


def red_at(odds: str, acknowledged: str = "") -> dict[str, object]:
    text = DIFFERING.replace('"9 to 10"', f'"{odds}"')
    return {"command": "open_table", "submission": text + acknowledged, "fill": 1_000_000}


def test_one_pit_manager_alone_opens_no_table_with_pays_of_their_own(house: House, staff: Staff) -> None:
    """What the trial did: red at 1,000,000 to 1, and a friend's $500. Now a finding, and never one person's act."""
    one, two = staff.first(Role.PIT_MANAGER), staff.made("second-m", Role.PIT_MANAGER)
    house.pit.holds = HOLDS
    absurd = house.pit.act("t1", red_at("1000000 to 1"), one, "request-1")
    assert absurd.status == 422
    (finding,) = absurd.body["findings"]
    assert (finding["code"], finding["cite"], finding["where"]) == (
        "hold-out-of-range",
        "617a.3(e)",
        "acknowledged.red",
    )
    assert "-47,368,368.421%" in finding["sentence"]
    named = house.pit.act("t1", red_at("3 to 1", '\n[acknowledged]\nred = "Q. Person"\n'), one, "request-2")
    assert named.status == 202
    assert [each["code"] for each in named.body["findings"]] == ["second-person", "hold-out-of-range"]
    (waiting,) = house.pit.proposals()
    assert [(d.key, d.before, d.after, d.cite) for d in waiting.differences] == [
        ("facts.paytables.roulette.-.red", "1 to 1", "3 to 1", "617a.4(a)")
    ]
    words = waiting.says()
    assert "red is 3 to 1, not 1 to 1" in words
    assert "acknowledged by Q. Person" in words
    assert codes(partial(house.pit.approve, waiting.number, one)) == ["two-people"]
    house.pit.approve(waiting.number, two)
    (opened,) = [e for e in all_events(house) if e.kind == "table.opened"]
    assert opened.of(TableOpened).differences == waiting.differences
    assert errors(review(house.store, full=True)) == ()


@pytest.mark.parametrize("odds", ["1 to 1", "1:1", "2 to 2"])
def test_a_submission_that_says_what_the_law_says_is_one_persons_act(odds: str, house: House, staff: Staff) -> None:
    reply = house.pit.act("t1", red_at(odds), staff.first(Role.PIT_MANAGER), "request-1")
    assert reply.accepted, reply.text


def test_a_table_with_other_pays_and_a_forged_or_missing_consent_is_found(house: House, staff: Staff) -> None:
    one, two = staff.first(Role.PIT_MANAGER), staff.made("second-m", Role.PIT_MANAGER)
    house.pit.holds = HOLDS
    house.pit.act("t1", red_at("9 to 10"), one, "request-1")
    house.pit.approve(house.pit.proposals()[0].number, two)
    assert errors(review(house.store, full=True)) == ()
    opened = next(e for e in all_events(house) if e.kind == "table.opened")
    forge(house.store, {opened.seq: lambda columns: columns.update({"request": "request-1"})})
    assert "two-people" in {finding.code for finding in errors(review(house.store, full=True))}


def test_a_hold_that_is_not_counted_in_time_is_shown_to_the_second_person(house: House, staff: Staff) -> None:
    one, two = staff.first(Role.PIT_MANAGER), staff.made("second-m", Role.PIT_MANAGER)
    house.pit.holds = HoldCounter(patience=0)
    reply = house.pit.act("t1", red_at("1000000 to 1"), one, "request-1")
    assert reply.status == 202
    assert "not counted" in house.pit.proposals()[0].says()
    house.pit.holds = HOLDS  # by the time of the consent it has been counted
    assert codes(partial(house.pit.approve, house.pit.proposals()[0].number, two)) == ["hold-out-of-range"]
    assert not [e for e in all_events(house) if e.kind == "table.opened"]


def all_events(house: House) -> list[Recorded]:
    with house.store.reading() as reading:
        return list(reading.events())
