"""The accounts page: who works and plays here. An administrator makes, disables, enables and resets accounts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import Route

from pitboss.findings import FindingsError
from pitboss.ledger.people import Account, People, Person
from pitboss.table.permissions import may
from pitboss.table.roles import Role
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.visitor import house

Act = Callable[[People, str, Person], str]
ROLES: Final = tuple(str(role) for role in Role if role is not Role.SYSTEM)


@dataclass(frozen=True)
class AccountRow:
    """An account with what can be done about it, by the name of the act."""

    account: Account
    state: tuple[str, ...]
    acts: Mapping[str, str]


def accounts(visit: Visit) -> Response:
    everyone = house().people.everyone()
    doubtful = visit.given("disable")
    return page(
        visit,
        "accounts.html",
        "Accounts",
        rows=[_row(visit.person, account) for account in everyone],
        creates=may(visit.person.role, "account.create"),
        roles=[(role, role) for role in ROLES],
        doubtful=next((each.person for each in everyone if each.person.id == doubtful and not each.disabled), None),
    )


def _row(reader: Person, account: Account) -> AccountRow:
    id, state = account.person.id, []
    if account.disabled:
        waits = house().people.waiting(id)
        state.append(f"waits for a second person (proposal {waits})" if waits else "disabled")
    if account.must_change:
        state.append("changes the password at the next log-in")
    if not may(reader.role, "account.disable"):
        return AccountRow(account, tuple(state), {})
    acts = {"enable": "Enable"} if account.disabled else {"disable": "Disable…"}
    if id != reader.id:
        acts["reset"] = "Reset password"
    return AccountRow(account, tuple(state), acts)


def press(visit: Visit) -> str:
    act = _ACTS.get(visit.typed("do"))
    if act is None:
        raise FindingsError([sentence("This page knows no such act. Nothing was changed.")])
    said = act(visit)
    house().hub.wake_all()
    return said


def _create(visit: Visit) -> str:
    role, people = visit.typed("role"), house().people
    if role not in ROLES:
        raise FindingsError([sentence(f"{role[:40]!r} is no job function. Choose one of the list.")])
    house().pit.demand(visit.person, "account.create")
    made = people.create(visit.typed("id"), visit.typed("name"), Role(role), visit.typed("password"), visit.person)
    return f"The account {made.id} is made.{_waits(people, made.id)}"


def _waits(people: People, id: str) -> str:
    number = people.waiting(id)
    return f" It waits for a second person: proposal {number}." if number else ""


def _on_account(permission: str, act: Act) -> Callable[[Visit], str]:
    def done(visit: Visit) -> str:
        house().pit.demand(visit.person, permission)
        return act(house().people, visit.typed("id")[:200], visit.person)

    return done


def _disable(people: People, id: str, by: Person) -> str:
    people.disable(id, by)
    return f"The account {id} is disabled."


def _enable(people: People, id: str, by: Person) -> str:
    people.enable(id, by)
    return _waits(people, id).strip() or f"The account {id} is in use again."


def _reset(people: People, id: str, by: Person) -> str:
    password = people.reset_password(id, by)
    return f"For one log-in as {id}: {password} (shown only now).{_waits(people, id)}"


_ACTS: Final[Mapping[str, Callable[[Visit], str]]] = {
    "create": _create,
    "disable": _on_account("account.disable", _disable),
    "enable": _on_account("account.enable", _enable),
    "reset": _on_account("account.reset", _reset),
}
ROUTES: Final[tuple[Route, ...]] = (route("/accounts", accounts, press),)
