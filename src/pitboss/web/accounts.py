"""Accounts: who works and plays here, in which job function."""

from typing import Annotated

from fastapi import APIRouter, Path

from pitboss.findings import refuse
from pitboss.ledger.people import Person
from pitboss.table.roles import Role
from pitboss.web.models import AccountChanged, AccountList, AccountShown, Done, NewAccount, NewRole, PasswordGiven
from pitboss.web.security import Asking, Caller

router = APIRouter(prefix="/api", tags=["accounts"])

PersonId = Annotated[str, Path(max_length=200, examples=["dealer-1"])]


@router.get("/accounts")
def accounts(caller: Asking) -> AccountList:
    return AccountList(accounts=[AccountShown.of(account) for account in caller.people.everyone()])


@router.post("/accounts")
def create(caller: Asking, body: NewAccount) -> AccountChanged:
    """A new account, whose person changes the password at the first log-in."""
    made = caller.people.create(body.id, body.name, _role(body.role), body.password, caller.person)
    return _changed(caller, made)


@router.post("/accounts/{id}/disable")
def disable(caller: Asking, id: PersonId) -> Done:
    """Ends every session of the account, until it is enabled again."""
    caller.people.disable(id, caller.person)
    caller.house.hub.wake_all()
    return Done()


@router.post("/accounts/{id}/enable")
def enable(caller: Asking, id: PersonId) -> AccountChanged:
    """Lets a disabled account in again; where it may give consent, a second person does."""
    caller.people.enable(id, caller.person)
    return _changed(caller, next(a.person for a in caller.people.everyone() if a.person.id == id))


@router.post("/accounts/{id}/reset")
def reset(caller: Asking, id: PersonId) -> PasswordGiven:
    """A password for one log-in, shown in this answer only; every session of the account ends."""
    password = caller.people.reset_password(id, caller.person)
    caller.house.hub.wake_all()
    return PasswordGiven(password=password, waiting=caller.people.waiting(id))


@router.post("/accounts/{id}/role")
def set_role(caller: Asking, id: PersonId, body: NewRole) -> AccountChanged:
    """Another job function; the account must log in again."""
    person = caller.people.set_role(id, _role(body.role), caller.person)
    caller.house.hub.wake_all()
    return _changed(caller, person)


def _changed(caller: Caller, person: Person) -> AccountChanged:
    return AccountChanged(**vars(person), waiting=caller.people.waiting(person.id))


def _role(name: str) -> Role:
    known = {str(role): role for role in Role}
    if name not in known:
        listed = ", ".join(known)
        sentence = f"There is no such job function; there are {listed}."
        refuse("person-role", listed, ascii(name), sentence, "role")
    return known[name]
