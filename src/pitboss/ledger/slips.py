"""Payout slips: what a supervisor validates, written down before it is paid, and found again with its round."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any

from pitboss.cards import show_cards
from pitboss.clock import day_of
from pitboss.games.handover import Handover
from pitboss.games.settlement import Line, Turn
from pitboss.ledger import queries
from pitboss.ledger.cards import cards_of
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.people import Person
from pitboss.ledger.pit import SYSTEM, Pit
from pitboss.ledger.recall import NOT_YOURS, NoRoundError, NotYoursError, may_look, players_among
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.store import Reading, Store
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import Cents
from pitboss.table.chips import handover_at, recorded_handover
from pitboss.table.kinds.cards import CardsDealt, CardsShown
from pitboss.table.kinds.decisions import PlayerDecided
from pitboss.table.kinds.house import TableOpened
from pitboss.table.kinds.settlement import LineSettled, PayoutValidated
from pitboss.table.kinds.wagers import BetsClosed, MeterAward
from pitboss.table.state import Phase, Table
from pitboss.table.turns import Wait, needs_floorperson, ready_turns, waits_for
from pitboss.table.words import card_words


@dataclass(frozen=True)
class SlipLine:
    """One payout of the slip; Envy Bonuses go to other seats."""

    seat: int
    wager: str
    stake: Cents
    odds: str
    amount: Cents
    why: str
    cite: str


@dataclass(frozen=True)
class SlipMeter:
    """What the payout does to one amount on a sign."""

    name: str
    tier: str
    before: Cents
    after: Cents


@dataclass(frozen=True)
class PayoutSlip:
    """A payout that needs a supervisor: hand, wagers, odds, meters and names. ``by`` is empty until it is validated."""

    table: str
    game: str
    as_of: str
    round: int
    seat: int
    player: str
    hand: str
    dealers_hand: str
    dealer: str
    at: str
    day: str
    """The gaming day of the round."""
    by: str
    lines: tuple[SlipLine, ...]
    meters: tuple[SlipMeter, ...]
    cites: tuple[str, ...]

    @property
    def amount(self) -> Cents:
        return sum(line.amount for line in self.lines)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "amount": self.amount}


def due_slip(pit: Pit, table_id: str) -> PayoutSlip | None:
    """The slip of the payout that a table waits to have validated; none if it waits for something else."""
    with pit.store.reading() as reading:
        table = pit.fold(reading, table_id)
        if table.phase not in (Phase.LOCKED, Phase.SETTLING):
            return None
        now = pit.clock()
        desk = LedgerDesk(reading, now, SYSTEM.id, SYSTEM.role, pit.randomness)
        ready, waiting = ready_turns(table, desk)
        if ready or waiting is None or waits_for(table, waiting) is not Wait.VALIDATION:
            return None
        return _due(table, waiting, desk, now)


def _due(table: Table, turn: Turn, desk: LedgerDesk, now: int) -> PayoutSlip:
    play = table.playing
    moved = [
        (name, house_name)
        for name, house_name in table.meters.items()
        if any(end.startswith(f"meter {name} ") for m in turn.movements for end in (m.source, m.target))
    ]
    closed = desk.reading.latest(BetsClosed, table.id)
    meters = []
    for name, house_name in moved:
        standing = desk.meter(house_name)
        before = standing.displayed() if standing is not None else {}
        after = turn.meters[name].displayed()
        meters += [SlipMeter(house_name, tier, was, after[tier]) for tier, was in before.items() if was != after[tier]]
    return PayoutSlip(
        table=table.id,
        game=table.game,
        as_of=table.as_of,
        round=play.number,
        seat=turn.seat,
        player=play.players[turn.seat],
        hand=show_cards(play.seat(turn.seat).final_cards),
        dealers_hand=show_cards(play.hand("dealer")),
        dealer=play.dealer,
        at=shown_time(now),
        day=str(day_of(now if closed is None else closed.at)),
        by="",
        lines=tuple(slip_lines((line, handover_at(table, line)) for line in turn.lines)),
        meters=tuple(meters),
        cites=needs_floorperson(turn),
    )


def slip_lines(lines: Iterable[tuple[Line | LineSettled, Handover]]) -> Iterator[SlipLine]:
    """Return the lines with which chips are handed over."""
    for line, moves in lines:
        if moves.handed_over:
            yield SlipLine(line.seat, line.wager, line.stake, line.odds, moves.handed_over, line.why, line.cite)


def kept_slips(store: Store, table: str, number: int, who: Person | None = None) -> tuple[PayoutSlip, ...]:
    """The slips of a round as they were validated, from its own record; without a person, for the house itself."""
    with store.reading() as reading:
        events = reading.events(table, round=number)
        if not events:
            raise NoRoundError(f"There is no round {number} at table {table!r}.")
        if who is not None and not may_look(who, events):
            raise NotYoursError(NOT_YOURS)
        return tuple(kept_slip(reading, events, event) for event in events if isinstance(event.fact, PayoutValidated))


def kept_slip(reading: Reading, events: list[Recorded], validated: Recorded) -> PayoutSlip:
    """One slip as it was validated, from the events of its round."""
    last = reading.latest(TableOpened, validated.stream, until=events[0].seq)
    assert last is not None
    opening, payout = last.of(TableOpened), validated.of(PayoutValidated)
    stage, _, turn = payout.turn.rpartition(":")
    later = [event for event in events if event.seq > validated.seq]
    # Where the turn then waited for cards, the lines after them were not validated with it.
    later = list(takewhile(lambda event: not isinstance(event.fact, CardsShown), later))
    of_turn = [
        event
        for event in later
        if isinstance(event.fact, LineSettled) and (event.fact.stage, event.fact.turn) == (stage, int(turn))
    ]
    lines = [(event.of(LineSettled), event.entries) for event in of_turn]
    seat = payout.seat
    paid = [
        event
        for event in later
        if isinstance(event.fact, MeterAward) and of_turn and event.seq < of_turn[-1].seq and event.fact.seat == seat
    ]
    hands = _hands(events)
    dealt = next((event.actor for event in events if isinstance(event.fact, CardsDealt)), "")
    return PayoutSlip(
        table=validated.stream,
        game=opening.game,
        as_of=opening.as_of,
        round=validated.round,
        seat=seat,
        player=players_among(events).get(seat, ""),
        hand=" ".join(hands.get(f"seat {seat}", ())),
        dealers_hand=" ".join(hands.get("dealer", ())),
        dealer=dealt,
        at=shown_time(validated.at),
        day=str(day_of(next((event.at for event in events if isinstance(event.fact, BetsClosed)), validated.at))),
        by=validated.actor,
        lines=tuple(slip_lines((line, recorded_handover(line, entries)) for line, entries in lines)),
        meters=tuple(meter for event in paid for meter in _meters(reading, event)),
        cites=validated.cites,
    )


def _hands(events: list[Recorded]) -> Mapping[str, list[str]]:
    """Every hand as it was at last: what was drawn is in it, what was given up is not."""
    hands: dict[str, list[str]] = {}
    for dealt in cards_of(events):
        hands.setdefault(dealt.to, []).append(dealt.card)
    for event in events:
        match event.fact:
            case PlayerDecided(seat=seat, decision=made):
                gone, own = card_words(made.gave_up).split(), f"seat {seat}"
                hands[own] = [card for card in hands.get(own, []) if card not in gone]
    return hands


def _meters(reading: Reading, event: Recorded) -> Iterator[SlipMeter]:
    """Each amount on a sign before the event and after it."""
    moved: dict[str, int] = {}
    for entry in event.entries:
        moved[entry.account] = moved.get(entry.account, 0) + entry.units
    for account, units in moved.items():
        kind, _, place = account.partition(":")
        name, _, tier = place.rpartition(":")
        if kind == "meter" and tier != "reserve":
            row = reading.row(queries.MOVED_BEFORE, account=account, before=event.seq)
            before = int(row[0] or 0) if row is not None else 0
            yield SlipMeter(name, tier, before // UNITS_PER_CENT, (before + units) // UNITS_PER_CENT)
