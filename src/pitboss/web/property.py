"""The bounds of the property, and changes to them that need two people."""

from dataclasses import asdict

from fastapi import APIRouter

from pitboss.table.bounds import Bounds
from pitboss.web.models import BoundsShown, NewBounds, Proposed
from pitboss.web.security import Asking

router = APIRouter(prefix="/api/property", tags=["property"])


@router.get("")
def bounds(caller: Asking) -> BoundsShown:
    """The most that the books take in one act, at one table and as one wager, in cents."""
    return BoundsShown(**asdict(caller.pit.bounds()))


@router.post("")
def propose(caller: Asking, body: NewBounds) -> Proposed:
    """The first of two people proposes other bounds."""
    number = caller.pit.propose_bounds(Bounds(**body.model_dump()), caller.person)
    caller.house.hub.wake_all()
    return Proposed(number=number)
