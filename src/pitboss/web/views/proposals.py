"""Changes that wait for a second person: listed and answered on every page that has them."""

from collections.abc import Collection
from dataclasses import dataclass

from pitboss.findings import UnreadableError
from pitboss.ledger.consent import Proposal
from pitboss.table.kinds.house import Differing
from pitboss.table.permissions import may_consent, second_of
from pitboss.web.views.base import Visit
from pitboss.web.visitor import house


@dataclass(frozen=True)
class WaitingChange:
    """A proposal as its reader sees it."""

    proposal: Proposal
    text: str
    is_mine: bool
    consents: bool
    """Whether the reader's consent counts."""
    second: str
    """Whose does, where it doesn't."""
    differences: tuple[Differing, ...]
    """Where a submission pays otherwise than the law's own data."""
    notes: tuple[str, ...]


def waiting(visit: Visit, acts: Collection[str] = ()) -> tuple[WaitingChange, ...]:
    """What waits, of these acts or of all."""
    reader = visit.person
    return tuple(
        WaitingChange(
            each,
            each.says(),
            each.by == reader.id,
            may_consent(reader.role, each.act) and each.by != reader.id,
            second_of(each.act),
            each.differences,
            each.notes,
        )
        for each in house().pit.proposals()
        if not acts or each.act in acts
    )


def answer(visit: Visit) -> str:
    """Approve or reject the proposal that was pressed."""
    pit, typed = house().pit, visit.typed("proposal")
    if not (typed.isascii() and typed.isdigit() and len(typed) <= 15):
        raise UnreadableError("There is no such proposal.")
    number = int(typed)
    if visit.typed("do") == "reject":
        pit.reject(number, visit.person)
        return f"Proposal {number} was rejected."
    asked = next((each for each in pit.proposals() if each.number == number), None)
    if asked is not None and asked.differences:
        pit.count_holds(asked.command)
    pit.approve(number, visit.person)
    return f"Proposal {number} was approved."
