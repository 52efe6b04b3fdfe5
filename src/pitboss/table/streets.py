"""A board that is dealt street by street: which of its cards are still in the deck, and which the dealer deals now."""

from pitboss.games.course import TurnUp
from pitboss.games.deal import Slot, deal_of
from pitboss.law.model import STREETS_ACT
from pitboss.table.place import place_of
from pitboss.table.ruling import cite_of, deal_cite, rules_at
from pitboss.table.state import Phase, Table


def undealt(table: Table, place: str = "") -> int:
    """Count the cards of the streets that have not been dealt, at one place or at all."""
    if not table.streets or table.play is None:
        return 0
    steps = (step for step in deal_of(rules_at(table)).steps if step.street and place in ("", step.to))
    return sum(step.cards * step.times - len(table.play.hand(step.to)) for step in steps)


def street_now(table: Table) -> tuple[Slot, ...]:
    """The cards of the street that the dealer deals next; empty where no street is due."""
    if table.phase != Phase.REVEALING or not table.streets:
        return ()
    step = place_of(table).step
    if not isinstance(step, TurnUp):
        return ()
    left = undealt(table, step.place)
    return (Slot(step.place, face_up=True),) * min(step.cards or left, left)


def street_cite(table: Table) -> str:
    """The paragraph that has the board dealt street by street."""
    return cite_of(table, STREETS_ACT, deal_cite(table))
