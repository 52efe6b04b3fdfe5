"""Redaction rules: what a player may see of other players.

Everything face up on the felt is public while it lies there: wagers, decisions, cards turned up, results
(``table.view``). The record is not. In events, rounds, streams, answers and on the audit page a player finds
the procedure, the cards, the meters and their own affairs, but no other player's wagers, lines, decisions, chips or
name, nor the table's chips and drop. What that means for a kind of event is said by its class; a kind that says
nothing is closed. ``redacted`` is the one place where an event is made fit for a reader.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from pitboss.records import replace
from pitboss.table.events import Happening
from pitboss.table.happened import NOBODY, Eyes
from pitboss.table.roles import Role

E = TypeVar("E", bound=Happening)


class Looking(Protocol):
    """Somebody who looks at a record."""

    @property
    def id(self) -> str: ...
    @property
    def role(self) -> Role: ...


def is_patron(who: Looking) -> bool:
    return who.role == Role.PLAYER


def concerns(who: Looking, player: str) -> bool:
    """Whether a player's money is this person's business: the player's own, and that of everybody who works here."""
    return not is_patron(who) or who.id == player


def sees_chips_elsewhere(who: Looking, player: str) -> bool:
    """Whether a person may see all chips that a player holds in the house. Dealers see those at their table only."""
    return concerns(who, player) and who.role != Role.DEALER


def redacted(event: E, who: Looking | None, seats: frozenset[int] = frozenset(), *, live: bool = False) -> E | None:
    """Return an event as a person may read it who had these seats: itself, a part of it, or None for nothing.

    While its round is ``live``, cards that lie face down are covered for everybody but their own player. Without a
    person the reader is the house itself.
    """
    eyes = Eyes(who.id, seats) if who is not None else NOBODY
    fact, entries = event.fact, event.entries
    if who is not None and is_patron(who) and not fact.is_of(eyes):
        part = fact.part(eyes)
        if part is None:
            return None
        fact, entries = part, ()
    if live:
        fact = fact.covered(eyes)
    if fact is event.fact and entries == event.entries:
        return event
    shown: E = replace(event, fact=fact, entries=entries)  # type: ignore[type-var]
    return shown


def own_part(shown: Mapping[str, Any], who: Looking, seats: frozenset[int]) -> dict[str, Any]:
    """Return a view of a table as it once stood, with nothing at the seats of others but their cards."""
    if not is_patron(who):
        return dict(shown)
    own = {str(seat) for seat in seats}
    people = {seat: player for seat, player in shown["seats"].items() if player == who.id}
    part = {**shown, "seats": people, "wagers": _at(shown["wagers"], own)}
    if (play := shown["round"]) is not None:
        by_seat = {name: _at(play[name], own) for name in ("wagers", "players", "decisions")}
        part["round"] = {**play, **by_seat, "lines": [line for line in play["lines"] if line["seat"] in seats]}
    return part


def _at(by_seat: Mapping[str, Any], seats: set[str]) -> dict[str, Any]:
    return {seat: value for seat, value in by_seat.items() if seat in seats}
