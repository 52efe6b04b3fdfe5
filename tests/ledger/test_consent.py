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

from pitboss.findings import FindingsError, errors
from pitboss.ledger import schema
from pitboss.ledger.consent import kinship
from pitboss.ledger.meters import MeterAdjustment, settings_of
from pitboss.ledger.people import People, Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.review import review
from pitboss.ledger.store import Store
from pitboss.submission import read_submission, rules_of
from pitboss.table.opening import day_of
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
    return staff.made("sibling", role, Person("maker", "MAKER", Role.ADMINISTRATOR))


IN_ONE_HAND = (
    same, made_by_first, made_by_an_account_of_the_first, maker_of_first, reset_by_first, given_its_role_by_first,
)  # fmt: skip
INDEPENDENT = (other, sibling)
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
    command, done = at_table(act, house)
    reply = pit.act("t1", command, first, f"proposing-{act}")
    assert reply.status == 202, reply.text
    assert reply.body["findings"][0]["code"] == "second-person"
    assert pit.act("t1", command, first, f"proposing-{act}") == reply, "the same key, the same answer"
    again = pit.act("t1", command, first, f"proposing-again-{act}")
    assert again.body["proposal"] == reply.body["proposal"], "what waits is not proposed twice"
    return int(reply.body["proposal"]), done


def at_table(act: str, house: House) -> tuple[dict[str, object], Callable[[], bool]]:
    """A table at which the command is the act; the command, and whether it was carried out."""
    house.opened("t1", GAME)
    table = partial(house.pit.table, "t1")
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
        relations = IN_ONE_HAND if may_consent(role, act) else (other,)
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
        if may_consent(role, act)
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
