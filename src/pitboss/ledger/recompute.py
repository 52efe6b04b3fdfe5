"""What the rules make of a recorded act: the events that must stand in the ledger, computed a second time.

A ledger keeps what a command led to, not the command. So each act is put together again from its first event, carried
out on the table as it stood then, with the meters and balances of that moment, and compared with what was recorded.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.cards import show_cards
from pitboss.ledger.meters import meter_of
from pitboss.ledger.rows import Recorded
from pitboss.table.abandoning import Abandon
from pitboss.table.cashiering import BuyIn, CashOut, Credit, Fill, Repay
from pitboss.table.collecting import Discard
from pitboss.table.command import Command
from pitboss.table.dealing import CorrectCard, DealCards, PlaceStub
from pitboss.table.deciding import MakeDecision
from pitboss.table.desk import MemoryDesk
from pitboss.table.events import Entry, Event, canonical
from pitboss.table.irregular import FACE_UP, IN_ERROR, Irregularity
from pitboss.table.opening import ChangeLimits, CloseTable, OpenTable
from pitboss.table.roles import Role
from pitboss.table.settling import Reveal
from pitboss.table.shaking import ReadDice
from pitboss.table.source import Randomness
from pitboss.table.state import CHIP_LIMIT, Table
from pitboss.table.turns import turn_events, turns_left
from pitboss.table.voiding import voided
from pitboss.table.wagering import CountChips, MakeWager, NoMoreBets, ReturnWager, Withdraw

Data = Mapping[str, Any]

BY_CHANCE = frozenset({"deck.revealed", "deck.lost", "system.selected"})
"""Events that follow from no rule: chance made them. A deck is checked against its commitment instead."""
FOLLOWING = frozenset({"meter.incremented", "round.completed"})
"""Events that never begin an act."""
ESSENTIAL = ("seat", "wager", "stake", "result", "net", "cite", "stage", "turn")
"""What a line must say even if another version of the program words its reason differently."""


class _NoChance:
    """Nothing that is computed a second time may depend on chance."""

    def randbelow(self, n: int) -> int:
        return n - 1

    def token(self, n: int) -> bytes:
        raise LookupError(f"{n} random bytes were asked for in a replay")


@dataclass
class Books(MemoryDesk):
    """The money and the meters as they stood before one event; the surroundings of an act that is computed again."""

    randomness: Randomness = field(default_factory=_NoChance)
    recorded: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The settings of each meter as they were recorded or approved last."""

    def set_meter(self, name: str, settings: Mapping[str, Any]) -> None:
        self.recorded[name] = dict(settings)
        self.settings[name] = meter_of(settings)

    def at(self, event: Recorded) -> "Books":
        """The same books at the moment of an event, in the hands of who acted."""
        self.now, self.person, self.role = event.at, event.actor, Role(event.role)
        self.zone = str(event.data.get("zone", ""))
        return self


def expected(table: Table, event: Recorded, books: Books) -> tuple[tuple[Event, ...], ...]:
    """The events of the act that begins with this one, where rules fix them; several ways it may have gone.

    Nothing, where no rule fixes what follows; one way without any event, where nothing can begin so.
    """
    desk = books.at(event)
    if event.kind in FOLLOWING:
        return ((),)
    if event.kind == "round.voided":
        return tuple(_voided(table, event.data, desk))
    if event.kind in ("line.settled", "meter.paid", "meter.charged") and not event.data.get("abandoned"):
        return (_turn(table, desk),)
    if event.kind == "cards.dealt":
        cards = " ".join(card for card, _, _ in event.data["cards"])
        begins = table.play is not None and not table.play.dealt
        dealing = DealCards(cards, dealer_first=begins and [to for _, to, _ in event.data["cards"][:1]] == ["dealer"])
        if list(dealing.order_findings(table)):
            return ((),)
        return (tuple(dealing.events(replace(table, source="keyed"), desk)),)
    if event.kind == "dice.rolled":
        reading = ReadDice(" ".join(map(str, event.data["dice"])))
        return (tuple(reading.events(replace(table, source="keyed"), desk)),)
    maker = MAKERS.get(event.kind)
    if maker is None or event.data.get("what") in (FACE_UP, IN_ERROR):
        return ()
    return (tuple(e for e in maker(table, event.data).events(table, desk) if e.kind not in BY_CHANCE),)


def _turn(table: Table, desk: Books) -> tuple[Event, ...]:
    left = turns_left(table, desk)
    return tuple(turn_events(table, left[0])) if left else ()


def _voided(table: Table, data: Data, desk: Books) -> Iterator[tuple[Event, ...]]:
    """With the deck left at the table, or removed from it."""
    for remove in (False, True):
        made = voided(table, desk, data["act"], data["reason"], remove_deck=remove)
        yield tuple(event for event in made if event.kind not in BY_CHANCE)


def _decide(_: Table, data: Data) -> Command:
    """Earlier versions wrote what was decided after a draw into the decision before it."""
    made = data["decision"]
    if made.get("then"):
        return MakeDecision(data["seat"], made["then"], made["amount"])
    return MakeDecision(data["seat"], made["choice"], made["amount"], show_cards(made["discard"]))


MAKERS: dict[str, Callable[[Table, Data], Command]] = {
    "table.opened": lambda _, d: OpenTable(
        d["submission"], d["source"], dict(d["meters"]), d["fill"], d.get("chip_limit", CHIP_LIMIT)
    ),
    "table.closed": lambda _, d: CloseTable(d["reason"]),
    "inventory.filled": lambda _, d: Fill(d["amount"], d.get("slip", 0)),
    "inventory.credited": lambda _, d: Credit(d["amount"], d.get("slip", 0)),
    "limits.changed": lambda _, d: ChangeLimits(d["wager"], d["minimum"], d["maximum"]),
    "player.bought-in": lambda _, d: BuyIn(d["amount"], d.get("slip", 0), d["player"]),
    "player.cashed-out": lambda _, d: CashOut(d["amount"], d.get("slip", 0), d["player"]),
    "player.repaid": lambda _, d: Repay(d["amount"], d["slip"], d["player"]),
    "wager.placed": lambda _, d: MakeWager(d["seat"], d["wager"], d["amount"]),
    "wager.withdrawn": lambda _, d: Withdraw(d["seat"], d["wager"]),
    "wager.returned": lambda _, d: ReturnWager(d["seat"], d["wager"]),
    "bets.closed": lambda _t, _d: NoMoreBets(),
    "chips.counted": lambda _, d: CountChips(d["count"]),
    "card.corrected": lambda _, d: CorrectCard(d["wrong"], d["right"]),
    "stub.placed": lambda _, d: PlaceStub(d["count"]),
    "decision.made": _decide,
    "dealer.revealed": lambda _t, _d: Reveal(),
    "cards.turned-up": lambda _t, _d: Reveal(),
    "hands.shown": lambda _t, _d: Reveal(),
    "line.settled": lambda _, d: Abandon(d["seat"]),
    "wagers.abandoned": lambda _, d: Abandon(d["seat"]),
    "cards.collected": lambda _t, _d: Discard(),
    "dice.cleared": lambda _t, _d: Discard(),
    "irregularity.reported": lambda _, d: Irregularity(d["what"], d["seat"], device=d["device"], note=d["note"]),
}
"""The command behind each event with which an act begins."""


def same_way(ways: Sequence[tuple[Event, ...]], event: Recorded, *, strict: bool) -> tuple[Event, ...]:
    """The way that begins with the recorded event, or else the first."""
    others = (way for way in ways if way and not differences(way[0], event, strict=strict))
    return ways[0] if len(ways) == 1 else next(others, ways[0])


def differences(wanted: Event, found: Recorded, *, strict: bool = True) -> dict[str, tuple[Any, Any]]:
    """What a recorded event says otherwise than the rules: each name with what they give and what was recorded.

    The phase that follows a settled turn is left out: the turn alone does not tell it. Not ``strict``: reasons and
    other words are left out as well.
    """
    odd: dict[str, tuple[Any, Any]] = {}
    if wanted.kind != found.kind:
        return {"kind": (wanted.kind, found.kind)}
    if strict and (wanted.data, wanted.cites, wanted.entries) == (found.data, found.cites, found.entries):
        return odd  # most of them; others only differ in how a list is kept
    data = json.loads(canonical(dict(wanted.data)))
    if strict:
        names = [name for name in {**data, **found.data} if name != "phase" or "phase" in data]
    else:
        names = list(ESSENTIAL) if found.kind == "line.settled" else []
    for name in names:
        if data.get(name) != found.data.get(name):
            odd[name] = data.get(name), found.data.get(name)
    if strict and wanted.cites != found.cites:
        odd["cites"] = wanted.cites, found.cites
    if wanted.entries != found.entries:
        odd["entries"] = shown_entries(wanted.entries), shown_entries(found.entries)
    return odd


def shown_entries(entries: Iterable[Entry]) -> str:
    return ", ".join(f"{entry.account} {entry.units:+d}" for entry in entries) or "no money"


__all__ = ["BY_CHANCE", "Books", "differences", "expected", "same_way", "shown_entries"]
