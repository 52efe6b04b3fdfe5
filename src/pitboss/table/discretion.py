"""Redaction rules: what a player may see of other players.

Everything face up on the felt is public while it lies there: wagers, decisions, cards turned up, results
(``table.view``). The record is not. In events, rounds, streams, answers and on the audit page a player finds
the procedure, the cards, the meters and their own affairs, but no other player's wagers, lines, decisions, chips or
name, nor the table's chips and drop. Cards face down are secret from everybody, which isn't decided here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from pitboss.table.events import Event, Happening
from pitboss.table.roles import Role

PUBLIC: Final = frozenset(
    {
        "limits.changed", "decks.received", "cards.inspected", "inspection.verified", "cards.spread", "cards.viewed",
        "cards.washed", "cards.shuffled", "shuffle.ordered", "shuffle.failed", "cards.cut", "recut.ordered",
        "deck.removed", "cards.idle", "bets.closed", "chips.counted", "meter.incremented", "meter.paid",
        "meter.charged",
        "system.selected", "cards.dealt", "cards.drawn", "card.corrected", "card.found-face-up", "card.drawn-in-error",
        "stub.placed",
        "decisions.locked", "dealer.revealed", "cards.turned-up", "cards.shown", "hands.shown", "shaker.opened",
        "dice.shaken",
        "dice.rolled", "dice.corrected", "dice.cleared", "turns.completed", "cards.collected",
        "deck.revealed", "deck.counted",
        "device.failed", "device.covered", "device.repaired", "method.changed",
    }
)  # fmt: skip
"""Events that tell of the procedure, the cards or a sign, and of no patron. What is not listed is private."""
BY_SEAT: Final[Mapping[str, str]] = {"round.completed": "totals", "round.voided": "returned"}
"""Events about all seats at once, and the part of their data that is by seat."""
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "irregularity.reported": ("what", "seat", "device"),
    "table.closed": ("reason", "phase"),
    "payout.validated": ("seat",),
}
"""Events of which everybody may know these parts."""
NOBODYS: Final = {"irregularity.reported": {"note": ""}}
"""What replaces a redacted part, so that the event still makes a sentence."""


HIDDEN: Final = "??"
"""A card that somebody may not see."""


def face_down(cards: Sequence[str]) -> str:
    """Cards of one place in words where none is known: how many, and that they were not turned up; else empty.

    >>> face_down(["??", "??"]), face_down(["??"]), face_down(["As", "??"])
    ('2 cards not turned up', '1 card not turned up', '')
    """
    if not cards or set(cards) != {HIDDEN}:
        return ""
    return f"{len(cards)} card{'s' if len(cards) > 1 else ''} not turned up"


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


def discreet(event: Happening, who: Looking, seats: frozenset[int]) -> Happening | None:
    """An event as far as it is somebody's business who had these seats: itself, a part of it, or nothing."""
    if not is_patron(who) or _is_own(event, who, seats):
        return event
    data = event.data
    if data.get("private"):
        return Event(event.kind, unseen(event.kind, data, seats), event.cites)
    if event.kind in PUBLIC:
        return event if not event.entries else Event(event.kind, data, event.cites)
    if (part := BY_SEAT.get(event.kind)) is not None:
        own = {seat: value for seat, value in data.get(part, {}).items() if int(seat) in seats}
        return Event(event.kind, {**data, part: own}, event.cites)
    if (names := PARTS.get(event.kind)) is not None:
        told = {name: data[name] for name in names if name in data}
        return Event(event.kind, {**told, **NOBODYS.get(event.kind, {})}, event.cites)
    return None


def unseen(kind: str, data: Mapping[str, Any], seats: frozenset[int]) -> dict[str, Any]:
    """What tells of cards that players need not show each other, as far as somebody with these seats may know it."""
    own = {f"seat {seat}" for seat in seats}
    if kind == "cards.dealt":
        return {**data, "cards": [[card if up or to in own else HIDDEN, to, up] for card, to, up in data["cards"]]}
    if kind == "card.corrected":
        return {**data, **({} if data["up"] or data["to"] in own else {"wrong": HIDDEN, "right": HIDDEN})}
    if kind == "cards.collected":
        return {**data, "rack": [[place, cards if place in own else ""] for place, cards in data["rack"]]}
    return {name: value for name, value in data.items() if name not in ("cards", "salt", "left_deck")}


def _is_own(event: Happening, who: Looking, seats: frozenset[int]) -> bool:
    """A seat says whose an event is only where no name does: a seat may change hands before the bets are closed."""
    if event.kind in PUBLIC or event.kind in BY_SEAT or event.kind in PARTS:
        return False
    player = event.data.get("player")
    return player == who.id if player is not None else event.data.get("seat") in seats


def own_part(shown: Mapping[str, Any], who: Looking, seats: frozenset[int]) -> dict[str, Any]:
    """A view of a table as it once stood, with nothing at the seats of others but their cards."""
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
