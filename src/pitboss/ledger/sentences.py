"""A one-sentence description of each event, for the audit log."""

from pitboss.table.chips import recorded_handover
from pitboss.table.events import Happening
from pitboss.table.kinds.settlement import LineSettled


def tell(event: Happening) -> str:
    """Return what happened, as a sentence; a kind or a form that this version does not know is shown by its name.

    >>> from pitboss.table.events import Event
    >>> from pitboss.table.kinds.wagers import WagerPlaced
    >>> tell(Event(WagerPlaced(seat=1, player="p1", wager="side_wager", amount=1000)))
    'p1 put $10 on Side Wager at seat 1.'
    """
    fact = event.fact
    try:
        if isinstance(fact, LineSettled) and (event.entries or fact.net <= 0):
            return fact.says(recorded_handover(fact, event.entries))
        return fact.says()
    except (LookupError, TypeError, ValueError, AttributeError):
        return f"{event.kind}, in a form that this version does not know."
