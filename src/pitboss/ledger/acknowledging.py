"""A missing, replaced or older anchor stops play until an authorized person explains it; then a new one starts."""

from pitboss.findings import FindingsError, errors, refuse
from pitboss.ledger.anchor import mark_of
from pitboss.ledger.audit import anchor_findings
from pitboss.ledger.kinds.system import AnchorAcknowledged
from pitboss.ledger.people import Person
from pitboss.ledger.store import HOUSE_STREAM, Head, Recorded, Store
from pitboss.table.events import Event
from pitboss.table.permissions import may, why_not

PERMISSION = "audit.acknowledge"
LONGEST_REASON = 500


def acknowledge(store: Store, who: Person, reason: str, at: int) -> Recorded:
    """Record who acknowledges it, and why; what lay in the anchor's place is set aside, never deleted."""
    if not may(who.role, PERMISSION):
        raise FindingsError([why_not(who.role, PERMISSION)])
    said = reason.strip()
    if not 0 < len(said) <= LONGEST_REASON or not said.isprintable():
        expected = f"1 to {LONGEST_REASON} printable characters"
        refuse("reason", expected, "", f"Say why the anchor is so, in {expected}.", "reason")
    found = errors(anchor_findings(store))
    if not found:
        sentence = "The anchor is as it should be; there is nothing to acknowledge."
        refuse("anchor-well", "something wrong", "nothing", sentence)
    acknowledged = AnchorAcknowledged(reason=said, findings=tuple(finding.sentence for finding in found))
    with store.reading() as reading:
        aside = reading.head.seq
    store.anchor.set_aside(aside)
    store.copies.set_aside(aside)
    with store.writing(past_anchor=True) as writing:
        event = writing.append(
            [Event(acknowledged)], stream=HOUSE_STREAM, round=0, actor=who.id, role=str(who.role), at=at
        )[0]
        mark = mark_of(Head(event.seq, event.hash), writing.answers_head(), at)
    store.anchor.begin(mark)
    store.copies.send(mark)
    return event
