"""What the rules make of a recorded act: the events that must stand in the ledger, computed a second time.

A ledger keeps what a command led to, not the command. So each act is put together again from its first event, carried
out on the table as it stood then, with the meters and balances of that moment, and compared with what was recorded.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from pitboss.table.events import Entry, Event
from pitboss.table.happened import HIDDEN, KINDS, Happened, Plain, but, if_set
from pitboss.table.irregular import FACE_UP, IN_ERROR, Irregularity
from pitboss.table.kinds.cards import (
    CardCorrected,
    CardsCollected,
    CardsDealt,
    CardsDrawn,
    CardsShown,
    DeckLost,
    DeckRevealed,
    InTurn,
    SystemSelected,
)
from pitboss.table.kinds.chance import DiceCleared, DiceCorrected, DiceRolled
from pitboss.table.kinds.decisions import (
    ChoiceRuled,
    HandConceded,
    HandDeclared,
    PlayerDecided,
    StoredDecision,
    WagersAbandoned,
)
from pitboss.table.kinds.devices import IrregularityReported
from pitboss.table.kinds.house import (
    InventoryCredited,
    InventoryFilled,
    LimitsChanged,
    PlayerBoughtIn,
    PlayerCashedOut,
    PlayerRepaid,
    TableClosed,
    TableOpened,
)
from pitboss.table.kinds.rounds import RoundCompleted, RoundVoided
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.shuffling import StubPlaced
from pitboss.table.kinds.wagers import (
    BetsClosed,
    ChipsCounted,
    MeterAward,
    MeterIncremented,
    WagerPlaced,
    WagerReturned,
    WagerWithdrawn,
)
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
from pitboss.table.words import card_words

BY_CHANCE = (DeckRevealed, DeckLost, SystemSelected)
"""Events that follow from no rule: chance made them. A deck is checked against its commitment instead."""
FOLLOWING = (MeterIncremented, RoundCompleted)
"""Events that never begin an act."""
ESSENTIAL = frozenset({"seat", "wager", "stake", "result", "net", "cite", "stage", "turn"})
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
        self.zone = (if_set(event.fact.zone) or "") if isinstance(event.fact, TableOpened) else ""
        return self


def expected(table: Table, event: Recorded, books: Books) -> tuple[tuple[Event, ...], ...]:
    """The events of the act that begins with this one, where rules fix them; several ways it may have gone.

    Nothing, where no rule fixes what follows; one way without any event, where nothing can begin so.
    """
    desk = books.at(event)
    fact = event.fact
    if isinstance(fact, FOLLOWING) or (isinstance(fact, Plain) and fact.name in KINDS):
        return ((),)
    if isinstance(fact, RoundVoided):
        return tuple(_voided(table, fact, desk))
    if isinstance(fact, MeterAward) or (isinstance(fact, LineSettled) and not fact.abandoned):
        return (_turn(table, desk),)
    if isinstance(fact, CardsDealt):
        cards = " ".join(card for card, _, _ in fact.cards if card != HIDDEN)
        at = table if table.physical else replace(table, source="keyed")
        if table.phase == Phase.REVEALING:
            return (_keyed_in(Reveal(cards), at, desk),)
        begins = table.play is not None and not table.play.dealt
        count = len(fact.cards) if table.physical else 0
        dealing = DealCards(cards, count, dealer_first=begins and [to for _, to, _ in fact.cards[:1]] == ["dealer"])
        if list(dealing.order_findings(table)) or list(dealing.card_findings(at)):
            return ((),)
        return (tuple(dealing.events(at, desk)),)
    if isinstance(fact, CardsDrawn) and table.physical:
        return ((DrawCards().drawn(table, ()),),) if drawing_now(table) else ((),)
    if isinstance(fact, DiceRolled):
        reading = ReadDice(" ".join(map(str, fact.dice)))
        return (tuple(reading.events(replace(table, source="keyed"), desk)),)
    if isinstance(fact, DiceCorrected):
        correcting = CorrectThrow(" ".join(map(str, fact.dice)))
        return (tuple(correcting.events(table, desk)) if table.playing.called else (),)
    made = _command_of(table, fact)
    if made is None:
        return ()
    if table.physical and isinstance(made, KEYS_IN):
        return (_keyed_in(made, table, desk),)
    return (tuple(_as_then(e, fact) for e in made.events(table, desk) if not isinstance(e.fact, BY_CHANCE)),)


def _keyed_in(made: Command, table: Table, desk: Books) -> tuple[Event, ...]:
    """The events of a command that brings faces, or turns on them; nothing where something stood against it."""
    if table.physical:
        against = list(made.findings(table, desk))
    else:
        against = list(made.card_findings(table)) if isinstance(made, TakesCards) else []
    return () if against else tuple(made.events(table, desk))


def _as_then(wanted: Event, recorded: Happened) -> Event:
    """A table that was opened without the mark of streets deals its board with the hands until it closes."""
    if isinstance(wanted.fact, TableOpened) and isinstance(recorded, TableOpened) and not recorded.streets:
        return replace(wanted, fact=but(wanted.fact, streets=False))
    return wanted


def _turn(table: Table, desk: Books) -> tuple[Event, ...]:
    left = turns_left(table, desk)
    waits = waits_for(table, left[0]) if left else None
    return tuple(turn_events(table, left[0])) if left and waits in (None, Wait.VALIDATION) else ()


def _voided(table: Table, fact: RoundVoided, desk: Books) -> Iterator[tuple[Event, ...]]:
    """With the deck left at the table, or removed from it."""
    for remove in (False, True):
        made = voided(table, desk, fact.act, fact.reason, remove_deck=remove)
        yield tuple(event for event in made if not isinstance(event.fact, BY_CHANCE))


def _command_of(table: Table, fact: Happened) -> Command | None:
    """Return the command behind an event with which an act begins; None where the event does not say it."""
    match fact:
        case TableOpened():
            limit = fact.chip_limit if isinstance(fact.chip_limit, int) else CHIP_LIMIT
            return OpenTable(fact.submission, fact.source, dict(fact.meters), fact.fill, limit)
        case TableClosed(reason=reason):
            return CloseTable(reason)
        case InventoryFilled(amount=amount, slip=slip):
            return Fill(amount, slip)
        case InventoryCredited(amount=amount, slip=slip):
            return Credit(amount, slip)
        case LimitsChanged(wager=wager, minimum=minimum, maximum=maximum):
            return ChangeLimits(wager, minimum, maximum)
        case PlayerBoughtIn(amount=amount, slip=slip, player=player):
            return BuyIn(amount, slip, player)
        case PlayerCashedOut(amount=amount, slip=slip, player=player):
            return CashOut(amount, slip, player)
        case PlayerRepaid(amount=amount, slip=slip, player=player):
            return Repay(amount, slip, player)
        case WagerPlaced(seat=seat, wager=wager, amount=amount):
            return MakeWager(seat, wager, amount)
        case WagerWithdrawn(seat=seat, wager=wager):
            return Withdraw(seat, wager)
        case WagerReturned(seat=seat, wager=wager):
            return ReturnWager(seat, wager)
        case BetsClosed():
            return NoMoreBets()
        case ChipsCounted(count=counted):
            return CountChips(counted)
        case CardCorrected(wrong=wrong, right=right, why=why):
            return CorrectCard(wrong, right, why)
        case StubPlaced(count=stub):
            return PlaceStub(stub)
        case PlayerDecided(seat=seat, decision=choice):
            return _decide(seat, choice)
        case InTurn():
            hands = fact.faces().items() if table.physical else ()
            new = (card for place, hand in hands for card in hand if card not in table.playing.hand(place))
            return Reveal(show_cards(tuple(new)))  # the cards of the event that nobody knew before it
        case CardsShown(cards=cards, place=place):
            return TurnUpCards(cards, place)
        case HandConceded(seat=seat):
            return Concede(seat)
        case HandDeclared(cards=cards, seat=seat):
            return Declare(cards, seat)
        case ChoiceRuled(seat=seat, step=step, stands=stands, why=why):
            return RuleChoice(seat, step, stands, why)
        case LineSettled(seat=seat) | WagersAbandoned(seat=seat):
            return Abandon(seat)
        case CardsCollected() | DiceCleared():
            return Discard()
        case IrregularityReported(what=what) if what not in (FACE_UP, IN_ERROR):
            return Irregularity(what, fact.seat, device=fact.device, note=fact.note, hands=dict(fact.hands))
    return None


def _decide(seat: int, made: StoredDecision) -> Command:
    """Version 0.1 wrote what was decided after a draw into the decision before it."""
    amount = if_set(made.amount)
    if made.then:
        return MakeDecision(seat, made.last, amount)
    return MakeDecision(seat, made.choice, amount, card_words(made.gave_up), if_set(made.unseen) or 0)


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
    if wanted.fact != found.fact:
        due, said = wanted.data, found.data
        for name in {**due, **said} if strict else ():
            if due.get(name) != said.get(name) and (name != "phase" or name in due):
                odd[name] = due.get(name), said.get(name)
        for name in sorted(ESSENTIAL) if not strict and isinstance(found.fact, LineSettled) else ():
            if due.get(name) != said.get(name):
                odd[name] = due.get(name), said.get(name)
    if strict and wanted.cites != found.cites:
        odd["cites"] = wanted.cites, found.cites
    if wanted.entries != found.entries:
        odd["entries"] = shown_entries(wanted.entries), shown_entries(found.entries)
    return odd


def shown_entries(entries: Iterable[Entry]) -> str:
    return ", ".join(f"{entry.account} {entry.units:+d}" for entry in entries) or "no money"


__all__ = ["BY_CHANCE", "Books", "differences", "expected", "same_way", "shown_entries"]
