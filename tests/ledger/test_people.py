"""Accounts and sessions: passwords, delays, idle log-out, and secrets that are nowhere."""

import json
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from threading import Barrier, Lock
from time import sleep

import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select, update

from pitboss.findings import FindingsError
from pitboss.ledger import schema
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.guessing import FREE_AT_ACCOUNT, FREE_AT_ADDRESS, LONGEST_FOR_ALL, GuessCounts
from pitboss.ledger.passwords import COST, Passwords
from pitboss.ledger.people import IDLE, LIFETIME, SECOND, SEEN_EVERY, Cost, LoggedIn, LogInRefusedError, People, Person
from pitboss.ledger.rows import Recorded
from pitboss.ledger.store import Store
from pitboss.table.roles import Role
from pitboss.web.reading import MEMORY

CHEAP = Cost(memory=8, passes=1, lanes=1)
PASSWORD = "nine green chips"
OTHER = "ten black chips"
SHORT = "2short"
WRONG = "The id or the password is wrong."
MINUTE = 60 * SECOND


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000 * SECOND

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def people(store: Store, clock: Clock) -> People:
    return People(store, clock, CHEAP)


@pytest.fixture
def boss(people: People) -> Person:
    return people.create("boss", "The Boss", Role.ADMINISTRATOR, PASSWORD, None)


@pytest.fixture
def dealer(people: People, boss: Person) -> Person:
    """Printed, so that the password need not be changed first."""
    return people.create("dealer-1", "Dealer One", Role.DEALER, PASSWORD, boss, printed=True)


@pytest.fixture
def hashings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every password hash that is computed, as it happens."""
    calls: list[str] = []

    def counted(name: str) -> None:
        real = getattr(PasswordHasher, name)

        def call(self: PasswordHasher, *given: object) -> object:
            calls.append(name)
            return real(self, *given)

        monkeypatch.setattr(PasswordHasher, name, call)

    counted("hash")
    counted("verify")
    return calls


def events(store: Store) -> list[Recorded]:
    with store.reading() as reading:
        return reading.events("")


def kinds(store: Store) -> list[str]:
    return [event.kind for event in events(store)]


def column(store: Store, name: str, table: str = "people") -> list[object]:
    with store.reading() as reading:
        return list(reading.connection.execute(select(schema.metadata.tables[table].c[name])).scalars())


def dump(store: Store) -> str:
    """Every value of every table."""
    with store.reading() as reading:
        tables = [reading.connection.execute(select(table)).all() for table in schema.metadata.sorted_tables]
    return "\n".join(str(value) for rows in tables for row in rows for value in row)


def refusal(act: Callable[[], object]) -> FindingsError:
    with pytest.raises(FindingsError) as caught:
        act()
    return caught.value


def refused_log_in(people: People, id: str, password: str = "not the password", address: str = "") -> tuple[str, int]:
    with pytest.raises(LogInRefusedError) as caught:
        people.log_in(id, password, address)
    return str(caught.value), caught.value.wait


def codes(act: Callable[[], object]) -> list[str]:
    return [finding.code for finding in refusal(act).findings]


def test_create_and_log_in(people: People, store: Store, dealer: Person) -> None:
    logged = people.log_in("dealer-1", PASSWORD)
    assert logged.person == dealer == Person("dealer-1", "Dealer One", Role.DEALER)
    assert people.person_of(logged.token) == dealer
    assert kinds(store) == ["account.created", "account.created", "login.succeeded"]
    first, second, third = events(store)
    assert (first.actor, first.role) == ("system", "system")
    assert (second.actor, second.role) == ("boss", "administrator")
    (kept,) = [
        str(kept) for kept, id in zip(column(store, "password"), column(store, "id"), strict=True) if id != "boss"
    ]
    told = {"person": "dealer-1", "name": "Dealer One", "role": "dealer", "made_by": "boss", "must_change": False}
    assert second.data == {**told, "password_digest": sha256(kept.encode()).hexdigest()}
    (token,) = column(store, "token", "sessions")
    session = sha256(str(token).encode()).hexdigest()
    assert (third.actor, third.role) == ("dealer-1", "dealer")
    assert third.data == {"person": "dealer-1", "session": session, "address": ""}


def test_every_log_in_has_its_own_session(people: People, dealer: Person) -> None:
    first, second = people.log_in(dealer.id, PASSWORD), people.log_in(dealer.id, PASSWORD)
    assert len({first.token, second.token, first.csrf, second.csrf}) == 4
    people.log_out(first.token)
    assert people.person_of(first.token) is None
    assert people.person_of(second.token) == dealer


def test_csrf_belongs_to_its_session(people: People, dealer: Person) -> None:
    first, second = people.log_in(dealer.id, PASSWORD), people.log_in(dealer.id, PASSWORD)
    session = people.session_of(first.token)
    assert session is not None
    assert session.accepts(first.csrf)
    assert not session.accepts(second.csrf)
    assert not session.accepts("")
    assert not session.accepts("\ud800")


def test_the_list_of_accounts(people: People, boss: Person, dealer: Person, clock: Clock) -> None:
    people.disable(dealer.id, boss)
    assert [(a.person, a.disabled, a.created) for a in people.everyone()] == [
        (boss, False, clock.now),
        (dealer, True, clock.now),
    ]


IMPOSSIBLE = [
    ("a", "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("a" * 41, "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("Dealer", "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("dealer_1", "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("dealer\n", "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("\u00e9t\u00e9", "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("\u0661\u0662", "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("system", "A", Role.PLAYER, PASSWORD, ["person-id"]),
    ("dealer", "", Role.PLAYER, PASSWORD, ["person-name"]),
    ("dealer", " A", Role.PLAYER, PASSWORD, ["person-name"]),
    ("dealer", "A\x00B", Role.PLAYER, PASSWORD, ["person-name"]),
    ("dealer", "A\x1fB", Role.PLAYER, PASSWORD, ["person-name"]),
    ("dealer", "A\ud800", Role.PLAYER, PASSWORD, ["person-name"]),
    ("dealer", "A" * 81, Role.PLAYER, PASSWORD, ["person-name"]),
    ("dealer", "A", Role.SYSTEM, PASSWORD, ["person-role"]),
    ("dealer", "A", Role.PLAYER, "123456789", ["password"]),
    ("dealer", "A", Role.PLAYER, "1" * 1025, ["password"]),
    ("D", "", Role.SYSTEM, "", ["person-id", "person-name", "person-role", "password"]),
]


def test_what_an_account_cannot_be(people: People, store: Store) -> None:
    for id, name, role, password, expected in IMPOSSIBLE:
        found = refusal(partial(people.create, id, name, role, password, None))
        assert [finding.code for finding in found.findings] == expected, (id, name, role)
    assert people.everyone() == ()
    assert kinds(store) == []


def test_the_bounds_of_an_account(people: People) -> None:
    long = "".join(chr(ord("a") + n * n % 26) for n in range(1024))
    bounds = {
        "ab": "four teens",
        "a" * 40: long,
        "0-9": "\u00e9\u00e8\u00e0\u00fc\u00f6" * 2,
        "--": "\ud800\ud801x\udfff=" * 2,
    }
    for id, password in bounds.items():
        person = people.create(id, "B" * 80, Role.PLAYER, password, None)
        assert people.log_in(id, password).person == person
        assert refused_log_in(people, id, password + "0") == (WRONG, 0)


def test_an_id_is_taken_once(people: People, boss: Person, dealer: Person) -> None:
    create = people.create
    assert codes(lambda: create(dealer.id, "Other", Role.PLAYER, OTHER, boss)) == ["person-exists"]
    assert people.log_in(dealer.id, PASSWORD).person == dealer


def test_a_letter_has_one_spelling(people: People) -> None:
    people.create("player-1", "P", Role.PLAYER, "caf\u00e9 caf\u00e9 1", None)
    assert people.log_in("player-1", "cafe\u0301 cafe\u0301 1").person.id == "player-1"


def test_only_administrators_change_accounts(people: People, store: Store, boss: Person) -> None:
    others = [role for role in Role if role not in (Role.ADMINISTRATOR, Role.SYSTEM)]
    for role in others:
        person = people.create(f"some-{role.name[:3].lower()}", "S", role, PASSWORD, boss)
        assert codes(partial(people.create, "another", "A", Role.PLAYER, PASSWORD, person)) == ["permission"]
        assert codes(partial(people.disable, "boss", person)) == ["permission"]
        assert codes(partial(people.set_role, "boss", Role.PLAYER, person)) == ["permission"]
        assert codes(partial(people.reset_password, "boss", person)) == ["permission"]
        assert codes(partial(people.enable, "boss", person)) == ["permission"]
    assert kinds(store).count("account.created") == 1 + len(others)
    assert {kind for kind in kinds(store) if kind.startswith("account.")} == {"account.created"}


def test_a_stale_administrator_has_no_power(people: People, store: Store, boss: Person) -> None:
    """The person that a request carries may be older than the account."""
    demoted = people.create("second", "S", Role.ADMINISTRATOR, PASSWORD, boss)
    disabled = people.create("third", "T", Role.ADMINISTRATOR, PASSWORD, boss)
    people.set_role("second", Role.AUDITOR, boss)
    people.disable("third", boss)
    before = kinds(store)
    invented = Person("nobody", "N", Role.ADMINISTRATOR)
    for by, code in ((demoted, "permission"), (disabled, "person-disabled"), (invented, "person-unknown")):
        assert codes(partial(people.create, "new", "N", Role.PLAYER, PASSWORD, by)) == [code]
        assert codes(partial(people.disable, "boss", by)) == [code]
        assert codes(partial(people.set_role, "boss", Role.PLAYER, by)) == [code]
    assert kinds(store) == before


def test_disabling_ends_sessions_and_log_ins(people: People, store: Store, boss: Person, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    people.disable(dealer.id, boss)
    assert people.person_of(token) is None
    assert column(store, "person", "sessions") == []
    assert refused_log_in(people, dealer.id, PASSWORD) == (WRONG, 0)
    assert [event.data for event in events(store)[-2:]] == [
        {"person": "dealer-1"},
        {"person": "dealer-1", "failures": 1, "reason": "disabled"},
    ]
    assert codes(lambda: people.disable(dealer.id, boss)) == ["person-disabled"]
    assert codes(lambda: people.disable("nobody", boss)) == ["person-unknown"]
    assert codes(lambda: people.disable("\x00", boss)) == ["person-unknown"]


def test_a_disabled_account_has_no_session_even_if_one_is_left(people: People, store: Store, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    with store.writing() as writing:
        writing.connection.execute(update(schema.people).where(schema.people.c.id == dealer.id).values(disabled=1))
    assert people.person_of(token) is None


def test_set_role(people: People, store: Store, boss: Person, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    assert people.set_role(dealer.id, Role.FLOORPERSON, boss).role is Role.FLOORPERSON
    assert people.person_of(token) is None
    assert people.log_in(dealer.id, PASSWORD).person.role is Role.FLOORPERSON
    changed = next(event for event in events(store) if event.kind == "account.role-changed")
    assert changed.actor == "boss"
    assert changed.data == {"person": "dealer-1", "from": "dealer", "to": "floorperson"}
    assert codes(lambda: people.set_role(dealer.id, Role.FLOORPERSON, boss)) == ["person-role"]
    assert codes(lambda: people.set_role(dealer.id, Role.SYSTEM, boss)) == ["person-role"]


def test_the_last_administrator_stays(people: People, boss: Person) -> None:
    second = people.create("second", "S", Role.ADMINISTRATOR, PASSWORD, boss)
    people.disable("second", boss)
    assert codes(lambda: people.disable("boss", boss)) == ["last-administrator"]
    assert codes(lambda: people.set_role("boss", Role.AUDITOR, boss)) == ["last-administrator"]
    people.create("third", "T", Role.ADMINISTRATOR, PASSWORD, boss)
    assert people.set_role("boss", Role.AUDITOR, boss).role is Role.AUDITOR
    assert second.role is Role.ADMINISTRATOR


def test_change_password(people: People, store: Store, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    people.change_password(dealer.id, PASSWORD, OTHER)
    assert people.person_of(token) is None
    assert refused_log_in(people, dealer.id, PASSWORD) == (WRONG, 0)
    assert people.log_in(dealer.id, OTHER).person == dealer
    changed = next(event for event in events(store) if event.kind == "account.password-changed")
    assert (changed.actor, changed.data["person"]) == ("dealer-1", "dealer-1")
    assert changed.data["password_digest"] in {sha256(str(p).encode()).hexdigest() for p in column(store, "password")}
    for bad in ("short", OTHER, "my dealer-1 secret"):
        assert codes(partial(people.change_password, dealer.id, OTHER, bad)) == ["password"]


def test_the_old_password_is_not_guessed_faster(people: People, dealer: Person) -> None:
    waits = []
    for _ in range(6):
        with pytest.raises(LogInRefusedError) as caught:
            people.change_password(dealer.id, "not the password", OTHER)
        waits.append(caught.value.wait)
    assert waits == [0, 0, 0, 0, 1, 1]
    assert refused_log_in(people, dealer.id, PASSWORD)[1] == 1


def test_first_administrator_once(people: People, store: Store) -> None:
    assert people.is_empty()
    person = people.first_administrator(PASSWORD, must_change=False)
    assert person is not None
    assert person.role is Role.ADMINISTRATOR
    assert not people.is_empty()
    assert people.log_in(person.id, PASSWORD).person == person
    assert people.first_administrator(OTHER, must_change=True) is None
    assert kinds(store) == ["account.created", "login.succeeded"]
    assert PASSWORD not in dump(store)


def test_first_administrator_only_where_there_is_nobody(people: People, boss: Person) -> None:
    assert people.first_administrator(OTHER, must_change=True) is None
    assert [account.person for account in people.everyone()] == [boss]


@pytest.mark.parametrize("id", ["dealer-1", "unknown-1", "Not An Id\x00"])
def test_growing_delay(people: People, clock: Clock, dealer: Person, id: str) -> None:
    """An unknown id is delayed exactly like a known one."""
    assert dealer.id == "dealer-1"
    assert [refused_log_in(people, id) for _ in range(4)] == [(WRONG, 0)] * 4
    for seconds in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900):
        shown = f"Wait {seconds} second{'s' if seconds > 1 else ''} before the next attempt."
        assert refused_log_in(people, id) == (f"{WRONG} {shown}", seconds)
        clock.now += seconds * SECOND - 1
        early = "Too many attempts were wrong. Wait 1 second before the next attempt."
        assert refused_log_in(people, id, PASSWORD) == (early, 1)
        clock.now += 1
    if id == dealer.id:
        assert people.log_in(id, PASSWORD).person == dealer
        assert refused_log_in(people, id) == (WRONG, 0)


def test_the_delay_tells_what_is_left(people: People, clock: Clock, dealer: Person) -> None:
    for seconds in (0, 0, 0, 0, 1, 2, 4, 8):
        refused_log_in(people, dealer.id)
        clock.now += seconds * SECOND
    refused_log_in(people, dealer.id)
    clock.now += 5 * SECOND + SECOND // 2
    assert refused_log_in(people, dealer.id, PASSWORD)[1] == 11


def test_a_delay_outlives_the_program(people: People, store: Store, clock: Clock, dealer: Person) -> None:
    """What was counted at the account, by however many addresses, is in its row."""
    for number in range(FREE_AT_ACCOUNT):
        refused_log_in(people, dealer.id, address=f"10.0.0.{number}")
    assert refused_log_in(People(store, clock, CHEAP), dealer.id, PASSWORD, "10.1.0.1")[1] == 1


def test_a_clock_set_back_locks_nobody_out(people: People, clock: Clock, dealer: Person) -> None:
    for _ in range(4):
        refused_log_in(people, dealer.id)
    clock.now -= SECOND
    assert refused_log_in(people, dealer.id) == (f"{WRONG} Wait 1 second before the next attempt.", 1)
    clock.now -= 24 * 60 * MINUTE
    assert people.log_in(dealer.id, PASSWORD).person == dealer


def test_failures_are_recorded(people: People, store: Store, dealer: Person) -> None:
    for _ in range(5):
        refused_log_in(people, dealer.id)
    refused_log_in(people, "unknown-1")
    recorded = [(event.kind, event.actor, event.data) for event in events(store)[2:]]
    failed = [
        ("login.failed", "system", {"person": "dealer-1", "failures": n, "reason": "password"}) for n in range(1, 6)
    ]
    assert recorded == [
        *failed,
        ("login.locked", "system", {"person": "dealer-1", "failures": 5, "seconds": 1}),
        ("login.failed", "system", {"person": "", "failures": 1, "reason": "unknown"}),
    ]


def test_one_hash_whoever_asks(people: People, boss: Person, dealer: Person, hashings: list[str]) -> None:
    """The costly step is taken once for a right, a wrong, a disabled and an unknown log-in."""
    people.create("gone", "G", Role.PLAYER, PASSWORD, boss)
    people.disable("gone", boss)
    for id, password in (
        (dealer.id, "not the password"),
        ("gone", PASSWORD),
        ("gone", "not the password"),
        ("unknown-1", PASSWORD),
        ("Not An Id\x00", PASSWORD),
        (dealer.id, "x" * 5000),
        ("unknown-1", "x" * 5000),
    ):
        hashings.clear()
        assert refused_log_in(people, id, password) == (WRONG, 0)
        assert hashings == ["verify"]
    hashings.clear()
    people.log_in(dealer.id, PASSWORD)
    assert hashings == ["verify"]


@pytest.mark.parametrize("id", ["dealer-1", "unknown-1"])
def test_as_many_transactions_whoever_asks(people: People, store: Store, dealer: Person, id: str) -> None:
    assert dealer.id == "dealer-1"
    steps: list[str] = []
    store.hook = steps.append
    refused_log_in(people, id)
    store.hook = None
    assert steps.count("begin") == steps.count("after-commit") == 2


@pytest.mark.parametrize("id", ["dealer-1", "unknown-1"])
def test_no_hash_during_a_delay(people: People, dealer: Person, hashings: list[str], id: str) -> None:
    assert dealer.id == "dealer-1"
    for _ in range(5):
        refused_log_in(people, id)
    hashings.clear()
    refused_log_in(people, id, PASSWORD)
    assert hashings == []


def test_strangers_do_not_fill_the_memory(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.ledger.guessing.MOST_COUNTS", 3)
    for number in range(5):
        refused_log_in(people, f"unknown-{number}", address=f"10.0.0.{number}")
    assert [len(counts) for counts in vars(people._guesses).values() if isinstance(counts, GuessCounts)] == [3, 3, 3]


def test_argon2id_at_the_promised_cost(store: Store, clock: Clock) -> None:
    people = People(store, clock)
    people.create("boss", "B", Role.ADMINISTRATOR, PASSWORD, None)
    (kept,) = column(store, "password")
    assert str(kept).startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert people.log_in("boss", PASSWORD).person.id == "boss"


def test_a_cheap_hash_is_renewed_at_log_in(store: Store, clock: Clock, people: People, dealer: Person) -> None:
    dearer = People(store, clock, Cost(memory=16, passes=1, lanes=1))
    dearer.log_in(dealer.id, PASSWORD)
    assert sum("m=16,t=1,p=1" in str(kept) for kept in column(store, "password")) == 1
    assert people.log_in(dealer.id, PASSWORD).person == dealer


def test_idle_log_out(people: People, store: Store, clock: Clock, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    clock.now += IDLE
    assert people.person_of(token) == dealer
    clock.now += IDLE + 1
    assert people.person_of(token) is None
    assert column(store, "token", "sessions") == []
    clock.now -= IDLE + 1
    assert people.person_of(token) is None


def test_an_active_session_lives_on(people: People, clock: Clock, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    for _ in range(12):
        clock.now += 10 * MINUTE
        assert people.person_of(token) == dealer


def test_a_listening_page_keeps_nobody_logged_in(people: People, clock: Clock, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    for _ in range(15):
        assert people.person_of(token, active=False) == dealer
        clock.now += MINUTE
    clock.now += 1
    assert people.person_of(token, active=False) is None


def test_a_clock_set_back_lengthens_no_session(people: People, clock: Clock, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    clock.now -= SECOND
    assert people.person_of(token) == dealer
    clock.now -= IDLE
    assert people.person_of(token) is None


def test_seen_is_written_once_a_minute(people: People, store: Store, clock: Clock, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    steps: list[str] = []
    store.hook = steps.append
    for _ in range(181):
        people.person_of(token)
        clock.now += SECOND
    assert steps.count("after-commit") == 181 * SECOND // SEEN_EVERY == 3


def test_old_sessions_are_swept_at_log_in(people: People, store: Store, clock: Clock, dealer: Person) -> None:
    people.log_in(dealer.id, PASSWORD)
    clock.now += IDLE
    people.log_in(dealer.id, PASSWORD)
    assert len(column(store, "token", "sessions")) == 2
    clock.now += 1
    people.log_in(dealer.id, PASSWORD)
    assert len(column(store, "token", "sessions")) == 2


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(token=st.text(st.characters(exclude_categories=())))
def test_no_other_token_opens(people: People, token: str) -> None:
    assert people.person_of(token) is None
    people.log_out(token)


def test_odd_tokens(people: People, dealer: Person) -> None:
    people.log_in(dealer.id, PASSWORD)
    odd = ["", "\x00", "\ud800", "' OR 1=1 --", "%", "_" * 43]
    assert [token for token in odd if people.person_of(token)] == []


def test_secrets_are_nowhere(
    people: People, store: Store, clock: Clock, dealer: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logged = people.log_in(dealer.id, PASSWORD)
    session = people.session_of(logged.token)
    typed = "a password typed as id"
    said = [repr(logged), repr(session), str(session), repr(people)]
    for act in (
        lambda: people.log_in(dealer.id, OTHER),
        lambda: people.log_in(typed, PASSWORD),
        lambda: people.change_password(dealer.id, OTHER, PASSWORD),
        lambda: people.create("new", "N", Role.PLAYER, SHORT, None),
    ):
        error = refusal(act)
        said += [str(error), repr(error), *map(repr, error.findings), *traceback.format_exception(error)]
    clock.now += MINUTE
    people.change_password(dealer.id, PASSWORD, OTHER)
    recorded = json.dumps([event.as_dict() for event in events(store)])
    secrets = [PASSWORD, OTHER, SHORT, typed, logged.token, logged.csrf, "argon2"]
    secrets += [str(kept) for kept in column(store, "password")]
    places = {"said": "\n".join(said), "events": recorded, "log": caplog.text}
    assert [(name, secret) for name, place in places.items() for secret in secrets if secret in place] == []


def test_the_token_is_not_in_the_database(people: People, store: Store, dealer: Person) -> None:
    logged = people.log_in(dealer.id, PASSWORD)
    everything = dump(store)
    assert logged.csrf in everything
    assert logged.token not in everything
    assert PASSWORD not in everything


def test_an_error_of_the_database_shows_no_secret(
    people: People, store: Store, dealer: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Two keys collide, and the whole traceback, causes included, says neither hash nor token."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: "always-the-same")
    people.log_in(dealer.id, PASSWORD)
    with pytest.raises(LedgerError) as session:
        people.log_in(dealer.id, PASSWORD)
    monkeypatch.setattr("pitboss.ledger.accounts.find", lambda *_: None)
    with pytest.raises(LedgerError) as account:
        people.create(dealer.id, "D", Role.DEALER, PASSWORD, None)
    shown = "".join([*traceback.format_exception(session.value), *traceback.format_exception(account.value)])
    assert shown.count("IntegrityError") >= 2
    for secret in (PASSWORD, "always-the-same", "argon2id"):
        assert secret not in shown + caplog.text
    assert len(column(store, "token", "sessions")) == 1


def test_a_log_in_fails_when_the_account_changes_under_it(
    people: People, store: Store, boss: Person, dealer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the password and the new session somebody disables the account."""
    real = people._passwords.match

    def match(kept: str | None, password: str) -> bool:
        right = real(kept, password)
        people.disable(dealer.id, boss)
        return right

    monkeypatch.setattr(people._passwords, "match", match)
    assert refused_log_in(people, dealer.id, PASSWORD) == (WRONG, 0)
    assert column(store, "token", "sessions") == []
    assert events(store)[-1].data == {"person": "dealer-1", "failures": 1, "reason": "changed"}


def test_an_account_and_its_event_are_one(people: People, store: Store, boss: Person) -> None:
    class StopError(RuntimeError):
        pass

    def stop(step: str) -> None:
        if step == "before-commit":
            raise StopError

    store.hook = stop
    with pytest.raises(StopError):
        people.create("dealer-1", "D", Role.DEALER, PASSWORD, boss)
    store.hook = None
    assert [account.person for account in people.everyone()] == [boss]
    assert kinds(store) == ["account.created"]


def together(count: int, act: Callable[[int], object]) -> list[object]:
    """The act by so many threads at the same moment; refusals come back as results."""
    barrier = Barrier(count)

    def one(number: int) -> object:
        barrier.wait()
        try:
            return act(number)
        except FindingsError as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_guesses_at_the_same_moment_share_no_attempt(
    people: People, store: Store, dealer: Person, hashings: list[str]
) -> None:
    """Of twelve guesses at once five are looked at, as if they had come one after the other."""
    results = together(12, lambda number: people.log_in(dealer.id, f"guess number {number}"))
    assert all(isinstance(result, LogInRefusedError) for result in results)
    assert hashings == ["verify"] * 5
    assert kinds(store).count("login.failed") == 5
    assert kinds(store).count("login.locked") == 1
    assert sorted(int(str(failures)) for failures in column(store, "failures")) == [0, 5]


def test_strangers_guesses_at_the_same_moment(people: People, hashings: list[str]) -> None:
    together(12, lambda number: people.log_in("unknown-1", f"guess number {number}"))
    assert hashings == ["verify"] * 5


def test_one_id_made_at_the_same_moment(people: People, store: Store, boss: Person) -> None:
    results = together(6, lambda number: people.create("same", f"N {number}", Role.PLAYER, PASSWORD, boss))
    assert sum(isinstance(result, Person) for result in results) == 1
    assert [error.findings[0].code for error in results if isinstance(error, FindingsError)] == ["person-exists"] * 5
    assert kinds(store) == ["account.created"] * 2


def test_one_first_administrator_at_the_same_moment(people: People, store: Store) -> None:
    results = together(6, lambda _: people.first_administrator(PASSWORD, must_change=True))
    assert sum(result is not None for result in results) == 1
    assert kinds(store) == ["account.created"]


def test_two_administrators_cannot_disable_each_other_at_the_same_moment(people: People, boss: Person) -> None:
    second = people.create("second", "S", Role.ADMINISTRATOR, PASSWORD, boss)
    pair = [(boss, second), (second, boss)]
    results = together(2, lambda number: people.disable(pair[number][0].id, pair[number][1]))
    assert sum(isinstance(result, FindingsError) for result in results) == 1
    assert sum(not account.disabled for account in people.everyone()) == 1


def test_log_ins_of_one_person_at_the_same_moment(people: People, store: Store, dealer: Person) -> None:
    results = together(4, lambda _: people.log_in(dealer.id, PASSWORD))
    assert len({result.token for result in results if isinstance(result, LoggedIn)}) == 4
    assert len(column(store, "token", "sessions")) == 4
    with store.writing() as writing:
        writing.connection.execute(delete(schema.sessions))
    assert [people.person_of(result.token) for result in results if isinstance(result, LoggedIn)] == [None] * 4


HOME, AWAY = "192.0.2.7", "198.51.100.9"


def guessed(people: People, clock: Clock, id: str, times: int) -> None:
    """A stranger with as many addresses as it takes, who waits for nothing."""
    for number in range(times):
        refused_log_in(people, id, address=f"203.0.113.{number}")
        clock.now += SECOND // 100


def test_a_stranger_cannot_lock_somebody_out(people: People, store: Store, clock: Clock, dealer: Person) -> None:
    assert people.log_in(dealer.id, PASSWORD, HOME).person == dealer
    for _ in range(5):
        refused_log_in(people, dealer.id, address=AWAY)
    assert refused_log_in(people, dealer.id, PASSWORD, AWAY)[1] == 1, "the address that guessed waits"
    assert people.log_in(dealer.id, PASSWORD, "192.0.2.8").person == dealer, "nobody else does"
    guessed(people, clock, dealer.id, FREE_AT_ACCOUNT + 5)
    assert column(store, "failures")[column(store, "id").index(dealer.id)] == FREE_AT_ACCOUNT
    assert refused_log_in(people, dealer.id, PASSWORD, "192.0.2.99")[1] == 1, "an unknown address waits"
    again = People(store, clock, CHEAP)
    assert people.log_in(dealer.id, PASSWORD, HOME).person == dealer, "where the person works nothing has changed"
    assert again.log_in(dealer.id, PASSWORD, "192.0.2.8").person == dealer, "after a restart as well"


def test_the_wait_of_unknown_addresses_stays_short(people: People, clock: Clock, dealer: Person) -> None:
    guessed(people, clock, dealer.id, FREE_AT_ACCOUNT)
    longest = 0
    for number in range(12):
        clock.now += LONGEST_FOR_ALL
        longest = max(longest, refused_log_in(people, dealer.id, address=f"10.0.0.{number}")[1])
    assert longest * SECOND == LONGEST_FOR_ALL
    clock.now += LONGEST_FOR_ALL
    assert people.log_in(dealer.id, PASSWORD, "10.9.9.9").person == dealer


def test_an_address_that_tries_many_ids_waits(people: People, dealer: Person) -> None:
    """Not so those who have logged in there before: the whole pit may sit behind one address."""
    people.log_in(dealer.id, PASSWORD, AWAY)
    for number in range(FREE_AT_ADDRESS):
        refused_log_in(people, f"unknown-{number}", address=AWAY)
    assert refused_log_in(people, "another-1", address=AWAY)[1] == 1
    assert people.log_in(dealer.id, PASSWORD, AWAY).person == dealer
    assert refused_log_in(people, "another-1", address=AWAY)[1] == 1, "a right password in between helps nobody else"


def test_right_passwords_slow_nobody_down(people: People, dealer: Person) -> None:
    for _ in range(3 * FREE_AT_ADDRESS):
        people.log_in(dealer.id, PASSWORD, HOME)


WEAK = [
    "1234567890", "0987654321", "qwertyuiop", "QWERTY12345", "asdfghjkl;", "zxcvbnm,./", "abcdefghij", "aaaaaaaaaa",
    "abcabcabcabc", "12121212121212", "password123", "P@ssw0rd!!", "Password2026!", "letmein12345", "changeme-1",
    "welcome-2026", "casino casino", "administrator", "bond-007-bond", "BOND 007 now", "James Bond 12", "pitboss!!!!",
]  # fmt: skip


def test_passwords_that_are_tried_first(people: People) -> None:
    for password in WEAK:
        assert codes(partial(people.create, "bond-007", "James Bond", Role.PLAYER, password, None)) == ["password"], (
            password
        )
    for number, password in enumerate(
        ("nine green chips", "tr0ub4dor&3x", "zebra lamp over", "kW8!hqPz2v", "p1 goes home")
    ):
        people.create(f"p{number}", "P", Role.PLAYER, password, None)


def test_a_session_ends_with_the_shift(people: People, store: Store, clock: Clock, dealer: Person) -> None:
    token = people.log_in(dealer.id, PASSWORD).token
    for _ in range(LIFETIME // (10 * MINUTE)):
        clock.now += 10 * MINUTE
        assert people.person_of(token) == dealer, "busy all the time"
    clock.now += 1
    assert people.person_of(token) is None
    assert events(store)[-1].kind == "session.ended"
    assert column(store, "token", "sessions") == []


def test_a_given_password_is_good_for_nothing_but_its_change(people: People, store: Store, boss: Person) -> None:
    people.create("dealer-2", "D", Role.DEALER, PASSWORD, boss)
    logged = people.log_in("dealer-2", PASSWORD)
    session = people.session_of(logged.token)
    assert logged.must_change
    assert session is not None
    assert session.must_change
    assert people.person_of(logged.token) is None
    people.change_password("dealer-2", PASSWORD, OTHER)
    assert people.person_of(people.log_in("dealer-2", OTHER).token) is not None
    given = people.reset_password("dealer-2", boss)
    assert refused_log_in(people, "dealer-2", OTHER) == (WRONG, 0)
    assert people.log_in("dealer-2", given).must_change
    reset = next(event for event in events(store) if event.kind == "account.password-reset")
    assert (reset.data["person"], reset.data["reset_by"]) == ("dealer-2", "boss")
    assert reset.data["password_digest"] in {
        sha256(str(kept).encode()).hexdigest() for kept in column(store, "password")
    }
    assert given not in dump(store)
    assert codes(lambda: people.reset_password("boss", boss)) == ["own-password"]
    assert codes(lambda: people.reset_password("nobody", boss)) == ["person-unknown"]


def test_a_disabled_account_is_let_in_again(people: People, store: Store, boss: Person, dealer: Person) -> None:
    assert codes(lambda: people.enable(dealer.id, boss)) == ["person-enabled"]
    people.disable(dealer.id, boss)
    people.enable(dealer.id, boss)
    assert people.log_in(dealer.id, PASSWORD).person == dealer
    assert [kind for kind in kinds(store) if kind.startswith("account.")][-2:] == [
        "account.disabled",
        "account.enabled",
    ]


def test_a_crowd_at_the_door_takes_no_more_memory_than_anything_else_that_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passwords, lock, together = Passwords(CHEAP), Lock(), [0, 0]

    def verify(*_: object) -> bool:
        with lock:
            together[0] += 1
            together[1] = max(together)
        sleep(0.02)
        with lock:
            together[0] -= 1
        return True

    monkeypatch.setattr(PasswordHasher, "verify", verify)
    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(partial(passwords.match, "hash"), ["a password"] * 24))
    assert 0 < together[1] * COST.memory * 1024 <= MEMORY
