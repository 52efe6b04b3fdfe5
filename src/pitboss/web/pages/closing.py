"""Why the house is closed to play, and the word of whoever takes a lost anchor upon himself."""

import asyncio
from typing import Final

from nicegui import ui

from pitboss.findings import Finding, FindingsError
from pitboss.ledger.acknowledging import LONGEST_REASON
from pitboss.ledger.audit import OF_ANCHORS
from pitboss.ledger.errors import LedgerError
from pitboss.web.pages.shell import Visitor, button, card, findings_html, house, markup, said, show_findings

LOOK_SECONDS: Final = 2
CLOSED: Final = "No wager is taken and no new round is dealt. Rounds in play are finished, and chips are cashed."
CLOSED_TABLE: Final = (
    f"The house is closed to play until an auditor or an administrator has seen to its record. {CLOSED}"
)
TAKEN_ON: Final = (
    "Anyone who knows why can take responsibility for it. The file found in its place is set aside, a new "
    "anchor begins with the next event, and the reason stays in the record."
)
NOT_TAKEN_ON: Final = "This cannot be acknowledged away: verify the ledger, and put right what is found."


class Closing:
    """A panel that is only there while the house is closed, or a copy of the anchor cannot be written."""

    def __init__(self, who: Visitor) -> None:
        self.who = who
        self.drawn: tuple[tuple[Finding, ...], str] | None = None

    def build(self) -> None:
        self.place = ui.element("div").classes("w-full")
        self.said = ui.column().classes("w-full").props('aria-live="polite"')
        self.look()
        ui.timer(LOOK_SECONDS, self.look)

    def look(self) -> None:
        pit = house().pit
        stands = (pit.reasons_to_stop(), pit.store.copies.problem)
        if stands == self.drawn:
            return  # and nothing that is being typed is lost
        self.drawn = stands
        self.place.clear()
        with self.place:
            if stands[0]:
                self._closed(stands[0])
            if stands[1]:
                with card("Copies of the anchor"):
                    markup(findings_html(said(stands[1])), "w-full")

    def _closed(self, reasons: tuple[Finding, ...]) -> None:
        of_anchors = any(finding.code in OF_ANCHORS for finding in reasons)
        with card("Closed to play"):
            markup(f"<p style='margin:0'>{CLOSED}</p>")
            markup(findings_html(reasons), "w-full")
            markup(f"<p class='pb-soft' style='margin:0;max-width:75ch'>{TAKEN_ON if of_anchors else NOT_TAKEN_ON}</p>")
            if of_anchors:
                reason = ui.input("Reason").props(f"outlined maxlength={LONGEST_REASON}").classes("w-full")
                self.press = button("Acknowledge the anchor", lambda: self.acknowledge(str(reason.value)))

    def _acknowledge(self, reason: str) -> None:
        person = self.who.still()
        if person is None:
            raise FindingsError(said("Your session has ended; log in again."))
        house().pit.acknowledge(reason, person)

    async def acknowledge(self, reason: str) -> None:
        self.press.disable()
        try:
            await asyncio.to_thread(self._acknowledge, reason)
            left = house().pit.reasons_to_stop()
            done = "The house stays closed to play for another reason." if left else "The house is open to play."
            findings = said(f"Your word is recorded. {done}", note=True)
        except FindingsError as refused:
            findings = refused.findings
        except LedgerError as problem:
            findings = said(problem)
        finally:
            self.press.enable()
        show_findings(findings, into=self.said)
        self.look()
