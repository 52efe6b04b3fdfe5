"""Accounts: who works and plays here, in which job function."""

from typing import Annotated

from fastapi import APIRouter, Path

from pitboss.findings import Finding, FindingsError
from pitboss.table.roles import Role
from pitboss.web.models import AccountList, AccountShown, Done, NewAccount, NewRole, PersonShown
from pitboss.web.security import Asking

router = APIRouter(prefix="/api", tags=["accounts"])

PersonId = Annotated[str, Path(max_length=200, examples=["dealer-1"])]


@router.get("/accounts")
def accounts(caller: Asking) -> AccountList:
    return AccountList(accounts=[AccountShown.of(account) for account in caller.people.everyone()])


@router.post("/accounts")
def create(caller: Asking, body: NewAccount) -> PersonShown:
    """A new account."""
    made = caller.people.create(body.id, body.name, _role(body.role), body.password, caller.person)
    return PersonShown.of(made)


@router.post("/accounts/{id}/disable")
def disable(caller: Asking, id: PersonId) -> Done:
    """Ends every session of the account, for good."""
    caller.people.disable(id, caller.person)
    caller.house.hub.wake_all()
    return Done()


@router.post("/accounts/{id}/role")
def set_role(caller: Asking, id: PersonId, body: NewRole) -> PersonShown:
    """Another job function; the account logs in anew."""
    person = caller.people.set_role(id, _role(body.role), caller.person)
    caller.house.hub.wake_all()
    return PersonShown.of(person)


def _role(name: str) -> Role:
    known = {str(role): role for role in Role}
    if name not in known:
        listed = ", ".join(known)
        sentence = f"There is no such job function; there are {listed}."
        raise FindingsError([Finding("person-role", "", listed, ascii(name), sentence, "role")])
    return known[name]
