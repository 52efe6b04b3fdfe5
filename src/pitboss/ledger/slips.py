"""Payout slips: what a supervisor validates, written down before it is paid, and found again with its round."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pitboss.cards import Card, show_card, show_cards
from pitboss.games.settlement import Turn
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.people import Person
from pitboss.ledger.pit import SYSTEM, Pit
from pitboss.ledger.recall import NOT_YOURS, NoRoundError, NotYoursError, may_look, players_among
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.store import Reading, Store, Writing
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import Cents
from pitboss.table.state import Phase, Table
from pitboss.table.turns import needs_floorperson, ready_turns

VALIDATED = "payout.validated"


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
    by: str
    lines: tuple[SlipLine, ...]
    meters: tuple[SlipMeter, ...]
    cites: tuple[str, ...]

    @property
    def amount(self) -> Cents:
        return sum(line.amount for line in self.lines)


def due_slip(pit: Pit, table_id: str) -> PayoutSlip | None:
    """The slip of the payout that a table waits to have validated; none if it waits for something else."""
    with pit.store.reading() as reading:
        table = pit.fold(reading, table_id)
        if table.phase not in (Phase.LOCKED, Phase.SETTLING):
            return None
        now = pit.clock()
        desk = LedgerDesk(cast(Writing, reading), now, SYSTEM.id, SYSTEM.role, pit.randomness)
        ready, waiting = ready_turns(table, desk)
        if ready or waiting is None:
            return None
        return _due(table, waiting, desk, now)


def _due(table: Table, turn: Turn, desk: LedgerDesk, now: int) -> PayoutSlip:
    play = table.playing
    moved = [
        (name, house_name)
        for name, house_name in table.meters.items()
        if any(end.startswith(f"meter {name} ") for m in turn.movements for end in (m.source, m.target))
    ]
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
        by="",
        lines=tuple(_slip_lines(map(vars, turn.lines))),
        meters=tuple(meters),
        cites=needs_floorperson(turn),
    )


def _slip_lines(lines: Iterable[Mapping[str, Any]]) -> Iterator[SlipLine]:
    """What is paid besides a stake that lies on the layout; where odds are not "to 1" the stake is gone before."""
    for line in lines:
        odds, stake = line.get("odds", ""), line["stake"]
        if line["net"] > 0:
            paid = line["net"] + (stake if line.get("settles") and not odds.endswith("to 1") else 0)
            yield SlipLine(line["seat"], line["wager"], stake, odds, paid, line["why"], line["cite"])


def kept_slips(store: Store, table: str, number: int, who: Person) -> tuple[PayoutSlip, ...]:
    """The slips of a round as they were validated, from its own record."""
    with store.reading() as reading:
        events = reading.events(table, round=number)
        if not events:
            raise NoRoundError(f"There is no round {number} at table {table!r}.")
        if not may_look(who, events):
            raise NotYoursError(NOT_YOURS)
        opening = reading.latest("table.opened", table, until=events[0].seq)
        assert opening is not None
        return tuple(_kept(reading, events, opening, event) for event in events if event.kind == VALIDATED)


def _kept(reading: Reading, events: list[Recorded], opening: Recorded, validated: Recorded) -> PayoutSlip:
    stage, _, turn = str(validated.data["turn"]).rpartition(":")
    later = [event for event in events if event.seq > validated.seq]
    lines = [e for e in later if e.kind == "line.settled" and (e.data["stage"], e.data["turn"]) == (stage, int(turn))]
    paid = [e for e in later if e.kind in ("meter.paid", "meter.charged") and lines and e.seq < lines[-1].seq]
    seat = int(validated.data["seat"])
    hands = _hands(events)
    dealt = next((event.actor for event in events if event.kind == "cards.dealt"), "")
    return PayoutSlip(
        table=validated.stream,
        game=opening.data["game"],
        as_of=opening.data["as_of"],
        round=validated.round,
        seat=seat,
        player=players_among(events).get(seat, ""),
        hand=" ".join(hands.get(f"seat {seat}", ())),
        dealers_hand=" ".join(hands.get("dealer", ())),
        dealer=dealt,
        at=shown_time(validated.at),
        by=validated.actor,
        lines=tuple(_slip_lines(event.data for event in lines)),
        meters=tuple(meter for event in paid if event.data["seat"] == seat for meter in _meters(reading, event)),
        cites=validated.cites,
    )


def _hands(events: list[Recorded]) -> Mapping[str, list[str]]:
    """Every hand as it was at last: what was drawn is in it, what was given up is not."""
    hands: dict[str, list[str]] = {}
    for event in events:
        for card, to, _ in event.data["cards"] if event.kind in ("cards.dealt", "cards.drawn") else ():
            hands.setdefault(to, []).append(card)
        if event.kind == "decision.made":
            gone = [show_card(Card(card)) for card in event.data["decision"]["discard"]]
            own = f"seat {event.data['seat']}"
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
            row = reading.row("SELECT sum(units) FROM entries WHERE account = ? AND seq < ?", (account, event.seq))
            before = int(row[0] or 0) if row is not None else 0
            yield SlipMeter(name, tier, before // UNITS_PER_CENT, (before + units) // UNITS_PER_CENT)
