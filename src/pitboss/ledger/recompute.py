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
from pitboss.table.correcting import CorrectCard
from pitboss.table.dealing import DealCards, PlaceStub, TakesCards
from pitboss.table.deciding import DrawCards, MakeDecision, drawing_now
from pitboss.table.declaring import Declare
from pitboss.table.desk import MemoryDesk
from pitboss.table.discretion import HIDDEN
from pitboss.table.events import Entry, Event, canonical
from pitboss.table.fold import faces
from pitboss.table.irregular import FACE_UP, IN_ERROR, Irregularity
from pitboss.table.opening import ChangeLimits, CloseTable, OpenTable
from pitboss.table.roles import Role
from pitboss.table.settling import Concede, Reveal
from pitboss.table.shaking import CorrectThrow, ReadDice
from pitboss.table.source import Randomness
from pitboss.table.state import CHIP_LIMIT, Phase, Table
from pitboss.table.turning import RuleChoice, TurnUpCards
from pitboss.table.turns import Wait, turn_events, turns_left, waits_for
from pitboss.table.voiding import voided
from pitboss.table.wagering import CountChips, MakeWager, NoMoreBets, ReturnWager, Withdraw

Data = Mapping[str, Any]

BY_CHANCE = frozenset({"deck.revealed", "deck.lost", "system.selected"})
"""Events that follow from no rule: chance made them. A deck is checked against its commitment instead."""
FOLLOWING = frozenset({"meter.incremented", "round.completed"})
"""Events that never begin an act."""
ESSENTIAL = ("seat", "wager", "stake", "result", "net", "cite", "stage", "turn")
"""What a line must say even if another version of the program words its reason differently."""


KEYS_IN = (Reveal, Concede, TurnUpCards, RuleChoice, Irregularity, Declare, CorrectCard)
"""Commands that bring faces, or turn on them, at a physical table: what stood against them still does."""


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
        dealt = event.data["cards"]
        cards = " ".join(card for card, _, _ in dealt if card != HIDDEN)
        at = table if table.physical else replace(table, source="keyed")
        if table.phase == Phase.REVEALING:
            return (_keyed_in(Reveal(cards), at, desk),)
        begins = table.play is not None and not table.play.dealt
        count = len(dealt) if table.physical else 0
        dealing = DealCards(cards, count, dealer_first=begins and [to for _, to, _ in dealt[:1]] == ["dealer"])
        if list(dealing.order_findings(table)) or list(dealing.card_findings(at)):
            return ((),)
        return (tuple(dealing.events(at, desk)),)
    if event.kind == "cards.drawn" and table.physical:
        return ((DrawCards().drawn(table, ()),),) if drawing_now(table) else ((),)
    if event.kind == "dice.rolled":
        reading = ReadDice(" ".join(map(str, event.data["dice"])))
        return (tuple(reading.events(replace(table, source="keyed"), desk)),)
    if event.kind == "dice.corrected":
        correcting = CorrectThrow(" ".join(map(str, event.data["dice"])))
        return (tuple(correcting.events(table, desk)) if table.playing.called else (),)
    maker = MAKERS.get(event.kind)
    if maker is None or event.data.get("what") in (FACE_UP, IN_ERROR):
        return ()
    made = maker(table, event.data)
    if table.physical and isinstance(made, KEYS_IN):
        return (_keyed_in(made, table, desk),)
    return (tuple(_as_then(e, event) for e in made.events(table, desk) if e.kind not in BY_CHANCE),)


def _keyed_in(made: Command, table: Table, desk: Books) -> tuple[Event, ...]:
    """The events of a command that brings faces, or turns on them; nothing where something stood against it."""
    if table.physical:
        against = list(made.findings(table, desk))
    else:
        against = list(made.card_findings(table)) if isinstance(made, TakesCards) else []
    return () if against else tuple(made.events(table, desk))


def _as_then(wanted: Event, recorded: Recorded) -> Event:
    """A table that was opened without the mark of streets deals its board with the hands until it closes."""
    if wanted.kind != "table.opened" or "streets" in recorded.data:
        return wanted
    return replace(wanted, data={name: value for name, value in wanted.data.items() if name != "streets"})


def _turn(table: Table, desk: Books) -> tuple[Event, ...]:
    left = turns_left(table, desk)
    waits = waits_for(table, left[0]) if left else None
    return tuple(turn_events(table, left[0])) if left and waits in (None, Wait.VALIDATION) else ()


def _turned(kind: str) -> Callable[[Table, Data], Command]:
    def reveal(table: Table, data: Data) -> Command:
        """The cards of the event that nobody knew before it."""
        hands = faces(kind, data).items() if table.physical else ()
        new = tuple(card for place, hand in hands for card in hand if card not in table.playing.hand(place))
        return Reveal(show_cards(new))

    return reveal


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
    discard, unseen = show_cards(made["discard"]), made.get("unseen", 0)
    return MakeDecision(data["seat"], made["choice"], made["amount"], discard, unseen)


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
    "card.corrected": lambda _, d: CorrectCard(d["wrong"], d["right"], d.get("why", "")),
    "stub.placed": lambda _, d: PlaceStub(d["count"]),
    "decision.made": _decide,
    **{kind: _turned(kind) for kind in ("dealer.revealed", "cards.turned-up", "hands.shown")},
    "cards.shown": lambda _, d: TurnUpCards(d["cards"], d["place"]),
    "hand.conceded": lambda _, d: Concede(d["seat"]),
    "hand.declared": lambda _, d: Declare(d["cards"], d["seat"]),
    "choice.ruled": lambda _, d: RuleChoice(d["seat"], d["step"], d["stands"], d["why"]),
    "line.settled": lambda _, d: Abandon(d["seat"]),
    "wagers.abandoned": lambda _, d: Abandon(d["seat"]),
    "cards.collected": lambda _t, _d: Discard(),
    "dice.cleared": lambda _t, _d: Discard(),
    "irregularity.reported": lambda _, d: Irregularity(
        d["what"], d["seat"], device=d["device"], note=d["note"], hands=d.get("hands", {})
    ),
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
