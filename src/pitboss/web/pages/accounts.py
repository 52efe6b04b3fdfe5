"""The accounts page: who works and plays here; an administrator makes, shuts, lets in and resets accounts."""

from collections.abc import Callable
from functools import partial

from nicegui import ui

from pitboss.ledger.people import Account, People, Person
from pitboss.table.permissions import may, why_not
from pitboss.table.roles import Role
from pitboss.web.pages.shell import (
    Visitor,
    add_own_page,
    button,
    card,
    carried_out,
    escape,
    house,
    markup,
    said,
    show_findings,
)

Act = Callable[[People, Person], str]
"""What was pressed; the answer is shown to whoever pressed it."""


class AccountsPage:
    """One open window on the accounts."""

    def __init__(self, who: Visitor, person: Person) -> None:
        self.who, self.person = who, person
        self.said = ui.column().classes("w-full").props('aria-live="polite"')
        self.list = ui.column().classes("w-full pb-card")
        if may(person.role, "account.create"):
            self._form()
        self.draw()

    def draw(self) -> None:
        self.list.clear()
        with self.list:
            for account in house().people.everyone():
                self._account(account)

    def _account(self, account: Account) -> None:
        person, waits = account.person, house().people.waiting(account.person.id) if account.disabled else 0
        state = [f"waits for a second person (proposal {waits})" if waits else "disabled"] if account.disabled else []
        state += ["changes the password at the next log-in"] if account.must_change else []
        with ui.row().classes("items-center w-full justify-between").style("gap:1rem").props(f"data-id={person.id}"):
            markup(
                f"<div><strong>{escape(person.id)}</strong> {escape(person.name)}<div class='pb-small pb-soft'>"
                f"{escape(person.role)}{'; ' + escape('; '.join(state)) if state else ''}; made by "
                f"{escape(account.made_by or 'nobody known')}</div></div>"
            ).style("flex:1 1 320px")
            if not may(self.person.role, "account.disable"):
                return
            acts = {"Enable": _enabled} if account.disabled else {"Disable": _disabled}
            if person.id != self.person.id:
                acts["Reset password"] = _reset
            with ui.row():
                for title, act in acts.items():
                    button(title, partial(self.do, partial(act, person.id)), main=False)

    def _form(self) -> None:
        with card("New account"):
            markup(
                '<p class="pb-soft" style="margin:0">Its person changes the password at the first log-in. Where the '
                "job function may give consent, a second person lets the account in.</p>"
            )
            id = ui.input("Id").props("outlined dense")
            name = ui.input("Name").props("outlined dense")
            roles = [str(role) for role in Role if role is not Role.SYSTEM]
            role = ui.select(roles, label="Job function", value=roles[0]).props("outlined dense").classes("w-64")
            password = ui.input("First password", password=True).props("outlined dense autocomplete=new-password")

            def make(people: People, by: Person) -> str:
                typed = (str(id.value or ""), str(name.value or ""), Role(str(role.value)), str(password.value or ""))
                made = people.create(*typed, by)
                password.value = ""
                return f"The account {made.id} is made.{_waits(people, made.id)}"

            button("Make the account", lambda: self.do(make))

    def do(self, act: Act) -> None:
        told: list[str] = []
        if carried_out(self.who, "/accounts", self.said, lambda who: told.append(act(house().people, who))):
            house().hub.wake_all()
            show_findings(said(told[0], note=True), into=self.said)
            self.draw()


def _waits(people: People, id: str) -> str:
    number = people.waiting(id)
    return f" It waits for a second person: proposal {number}." if number else ""


def _disabled(id: str, people: People, by: Person) -> str:
    people.disable(id, by)
    return f"The account {id} is disabled."


def _enabled(id: str, people: People, by: Person) -> str:
    people.enable(id, by)
    return _waits(people, id).strip() or f"The account {id} is in use again."


def _reset(id: str, people: People, by: Person) -> str:
    password = people.reset_password(id, by)
    return f"For one log-in as {id}: {password} (shown only now).{_waits(people, id)}"


def accounts(who: Visitor, person: Person) -> None:
    if may(person.role, "account.list"):
        AccountsPage(who, person)
    else:
        show_findings([why_not(person.role, "account.list")])


def add_accounts_page() -> None:
    add_own_page("/accounts", "Accounts", accounts)
