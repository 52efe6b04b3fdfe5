"""What waits for a second person: a list for any page, and a page of its own for those whose consent counts."""

from collections.abc import Callable, Collection

from nicegui import ui

from pitboss.ledger.consent import Proposal
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.rows import shown_time
from pitboss.ledger.telling import proposal_words
from pitboss.table.permissions import may, may_consent, second_of
from pitboss.web.pages.shell import Visitor, add_own_page, button, card, carried_out, escape, house, markup

LOOK_SECONDS = 1.0

Act = Callable[[Person], None]
Do = Callable[[Act], None]
"""Carries out what was pressed as whoever is logged in now."""


class Waiting:
    """The proposals that wait, with what this person can say to each."""

    def __init__(self, person: Person, do: Do, acts: Collection[str] = ()) -> None:
        self.person, self.do, self.acts = person, do, acts
        self.drawn: tuple[Proposal, ...] | None = None
        with card("Changes that wait for a second person", label="Waiting changes"):
            self.list = ui.column().classes("w-full")

    def look(self) -> None:
        waiting = tuple(p for p in house().pit.proposals() if not self.acts or p.act in self.acts)
        if waiting == self.drawn:
            return
        self.drawn = waiting
        self.list.clear()
        with self.list:
            if not waiting:
                markup('<p class="pb-soft" style="margin:0">None.</p>')
            for proposal in waiting:
                self._proposal(proposal)

    def _proposal(self, proposal: Proposal) -> None:
        when = shown_time(proposal.at)[:16].replace("T", " ")
        mine = proposal.by == self.person.id
        consents = may_consent(self.person.role, proposal.act) and not mine
        with ui.row().classes("items-center w-full justify-between").style("gap:1rem"):
            markup(
                f"<div><strong>{escape(proposal_words(proposal))}</strong><div class='pb-small pb-soft'>Proposal "
                f"{proposal.number} by {escape(proposal.by)}, {when} UTC</div></div>"
            ).style("flex:1 1 320px")
            with ui.row():
                if consents:
                    button("Approve", lambda: self.do(lambda who: house().pit.approve(proposal.number, who)))
                else:
                    told = "Somebody else approves it." if mine else f"It waits for {second_of(proposal.act)}."
                    markup(f'<span class="pb-soft pb-small">{escape(told)}</span>')
                if consents or mine:
                    no = "Take back" if mine else "Reject"
                    button(no, lambda: self.do(lambda who: house().pit.reject(proposal.number, who)), main=False)


class ConsentsPage:
    """One open window on everything that waits."""

    def __init__(self, who: Visitor, person: Person) -> None:
        self.who = who
        self.said = ui.column().classes("w-full").props('aria-live="polite"')
        self.waiting = Waiting(person, self.do)
        self.look()
        ui.timer(LOOK_SECONDS, self.look)

    def look(self) -> None:
        try:
            self.waiting.look()
        except LedgerError:
            return  # the next look may find the ledger again

    def do(self, act: Act) -> None:
        if carried_out(self.who, "/consents", self.said, act):
            self.look()


def consents(who: Visitor, person: Person) -> None:
    if may(person.role, "consent.read"):
        ConsentsPage(who, person)
    else:
        markup("<p>Only those who run the game see what waits for a second person.</p>")


def add_consents_page() -> None:
    add_own_page("/consents", "Second person", consents)
