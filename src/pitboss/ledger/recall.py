"""Recall of a round: everything that is known about it, from its own events, found through indexes alone.

All events of a round stand under its number, from the shuffle and the wagers before it to the discard rack, so nothing
has to be folded to tell of it. What lies face down while the round lasts stays hidden here as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice
from typing import Any

from msgspec import UnsetType

from pitboss.clock import day_of
from pitboss.findings import Finding
from pitboss.games.round import Round
from pitboss.games.rules import Rules
from pitboss.ledger import queries
from pitboss.ledger.cards import CardDealt, cards_of, final_hands
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.replay import pages
from pitboss.ledger.rows import Recorded, shown_time
from pitboss.ledger.sentences import tell
from pitboss.ledger.store import Reading, Store
from pitboss.meters import UNITS_PER_CENT, Units
from pitboss.money import Cents
from pitboss.table.chips import recorded_handover
from pitboss.table.codec import encode
from pitboss.table.events import player_account
from pitboss.table.fold import apply
from pitboss.table.happened import KINDS, NOBODY, if_set, names
from pitboss.table.kinds.cards import DeckRevealed
from pitboss.table.kinds.chance import DiceShaken
from pitboss.table.kinds.decisions import PlayerDecided
from pitboss.table.kinds.house import TableOpened
from pitboss.table.kinds.rounds import ENDINGS, RoundCompleted, RoundEnded, RoundVoided
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.wagers import BetsClosed, WagerPlaced, WagerReturned, WagerWithdrawn
from pitboss.table.permissions import may
from pitboss.table.redaction import Looking, is_patron, redacted, sees_chips_elsewhere
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.source import check_disclosed
from pitboss.table.state import Table
from pitboss.table.words import card_words

FEWEST = 10
PAGE = 200
IRREGULAR = tuple(kind for kind in KINDS.values() if kind.UNUSUAL)
"""What did not go as usual."""
NOT_YOURS = "This round is not yours to look at: players see the rounds they played, dealers those they dealt."


class NoRoundError(LedgerError):
    """A round that nobody has played, or wagered on."""


class NotYoursError(LedgerError):
    """A round that somebody may not look at."""


@dataclass(frozen=True)
class RoundStep:
    """One event: who, when, under which paragraphs, and what happened in a sentence."""

    seq: int
    at: str
    who: str
    role: str
    kind: str
    cites: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class StakePlaced:
    """What lay at a seat when the cards came; ``later`` was put there by a decision."""

    seat: int
    player: str
    wager: str
    amount: Cents
    later: bool = False


@dataclass(frozen=True)
class DecisionMade:
    seq: int
    seat: int
    player: str
    choice: str
    amount: Cents | None
    discard: str
    cite: str
    unseen: int = 0
    """How many cards were given up that nobody but the player saw."""


@dataclass(frozen=True)
class LinePaid:
    """One settled line, with the player's chips right after it."""

    seq: int
    seat: int
    player: str
    wager: str
    stake: Cents
    result: str
    handed_over: Cents
    taken: Cents
    stays: Cents
    net: Cents
    odds: str
    cite: str
    odds_cite: str
    stage: str
    sentence: str
    from_meter: str
    balance: Cents | None
    """The player's chips; None for dealers, who see those at their table only."""


@dataclass(frozen=True)
class MeterMoved:
    """What the round did to one account of a meter, in units of 1/10,000 cent."""

    seq: int
    account: str
    units: Units
    sentence: str


@dataclass(frozen=True)
class BalanceChange:
    """A player's chips before the first wager of the round and after its last event."""

    player: str
    before: Cents
    after: Cents


@dataclass(frozen=True)
class DealRecord:
    """What was promised about the deck before the cards, what was disclosed after the round, and whether it agrees."""

    commitment: str
    cards: str = ""
    salt: str = ""
    cuts: tuple[int, ...] = ()
    left_deck: str = ""
    findings: tuple[Finding, ...] = ()

    @property
    def verdict(self) -> str:
        if not self.commitment:
            return "cards keyed in by the dealer; there is no commitment"
        if not self.cards:
            return "not disclosed yet"
        return "as promised" if not self.findings else "not as promised"


@dataclass(frozen=True)
class Recall:
    """One round of one table. ``state`` is wagering, in play, completed or void."""

    table: str
    number: int
    state: str
    game: str
    as_of: str
    began: str
    ended: str
    steps: tuple[RoundStep, ...]
    stakes: tuple[StakePlaced, ...]
    cards: tuple[CardDealt, ...]
    decisions: tuple[DecisionMade, ...]
    lines: tuple[LinePaid, ...]
    meters: tuple[MeterMoved, ...]
    irregularities: tuple[RoundStep, ...]
    balances: tuple[BalanceChange, ...]
    deal: DealRecord
    totals: Mapping[int, Cents] = field(default_factory=dict)
    final_hands: Mapping[int, str] = field(default_factory=dict)
    """Hands with cards that nobody else saw when they were drawn, as they were turned up at last, by seat."""

    @property
    def day(self) -> date:
        """The gaming day to which the round belongs: that of "no more bets"."""
        return day_of(next((step.at for step in self.steps if step.kind == BetsClosed.KIND), self.began))

    def as_dict(self) -> dict[str, Any]:
        shown: dict[str, Any] = encode(self)
        shown["deal"]["verdict"] = self.deal.verdict
        return shown


@dataclass(frozen=True)
class RoundSummary:
    """One line in the list of rounds."""

    table: str
    number: int
    state: str
    at: str
    totals: Mapping[int, Cents]
    note: str = ""

    @property
    def day(self) -> date:
        """The gaming day to which the round belongs."""
        return day_of(self.at)

    def as_dict(self) -> dict[str, Any]:
        shown: dict[str, Any] = encode(self)
        return shown


def may_look(who: Looking, events: Iterable[Recorded]) -> bool:
    """Whether somebody may look at a round: all with ``audit.read``, players their own, dealers those they dealt."""
    if may(who.role, "audit.read"):
        return True
    if who.role == Role.DEALER:
        return any(event.actor == who.id and not isinstance(event.fact, WagerPlaced) for event in events)
    return who.id in players_among(events).values()


def players_among(events: Iterable[Recorded]) -> dict[int, str]:
    """Whose each seat was: who placed a wager there last, or whose wager lives on there."""
    players: dict[int, str] = {}
    for event in events:
        match event.fact:
            case WagerPlaced(seat=seat, player=player):
                players[seat] = player
            case BetsClosed(carried=living):
                players |= {int(seat): each.player for seat, made in living.items() for each in made.values()}
    return players


def seats_of(reading: Reading, table: str, number: int, person: str) -> frozenset[int]:
    """The seats that somebody wagered at in a round."""
    return seats_among(reading.events(table, round=number, kinds=(WagerPlaced, BetsClosed)), person)


def seats_among(events: Iterable[Recorded], person: str) -> frozenset[int]:
    return frozenset(seat for seat, player in players_among(events).items() if player == person)


def recall(store: Store, table: str, number: int, who: Looking | None = None) -> Recall:
    """Everything about one round, as far as it is somebody's business; without a person, for the house itself.

    A round that does not exist, or that is not theirs to look at, is refused in a sentence.
    """
    with store.reading() as reading:
        recorded = reading.events(table, round=number)
        if not any(isinstance(event.fact, WagerPlaced | BetsClosed) for event in recorded):
            raise NoRoundError(f"There is no round {number} at table {table!r}.")
        if who is not None and not may_look(who, recorded):
            raise NotYoursError(NOT_YOURS)
        opening = reading.latest(TableOpened, table, until=recorded[-1].seq)
        known = [player for player in _players(recorded) if who is None or sees_chips_elsewhere(who, player)]
        histories = {player: _history(reading, player, recorded) for player in known}
    state = _state(recorded)
    over = any(isinstance(event.fact, RoundEnded) for event in recorded)
    everything = recorded if over else [replace(event, fact=event.fact.covered(NOBODY)) for event in recorded]
    seats = frozenset() if who is None else seats_among(everything, who.id)
    events = [seen for event in everything if (seen := redacted(event, who, seats)) is not None]
    steps = tuple(map(_step, events))
    ends = [event for event in events if isinstance(event.fact, RoundEnded)]
    opened = None if opening is None else opening.of(TableOpened)
    return Recall(
        table=table,
        number=number,
        state=state,
        game=opened.game if opened is not None else "",
        as_of=opened.as_of if opened is not None else "",
        began=shown_time(recorded[0].at),
        ended=shown_time(ends[0].at) if ends else "",
        steps=steps,
        stakes=tuple(_stakes(events)),
        cards=tuple(cards_of(events)),
        decisions=tuple(_decided(event) for event in events if isinstance(event.fact, PlayerDecided)),
        lines=tuple(_lines(events, histories)),
        meters=tuple(_meters(everything)),
        irregularities=tuple(step for step in steps if step.kind in names(*IRREGULAR)),
        balances=tuple(history.balance() for history in histories.values()),
        deal=_deal(events),
        totals=_totals(ends[0]) if ends else {},
        final_hands=final_hands(events),
    )


def played_round(store: Store, table: str, number: int) -> tuple[Rules, Round]:
    """A round as its game knows it, with the rules that it was played by: the table is folded up to its last card and
    choice, so this is for the house itself."""
    with store.reading() as reading:
        ends = reading.events(table, round=number)
    if not any(isinstance(event.fact, RoundEnded) for event in ends):
        raise NoRoundError(f"No round {number} of table {table!r} has come to its end.")
    at, rules, played = Table(table), None, Round((), ())
    for page in pages(store, ends[-1].seq, table):
        for event in page:
            at = apply(at, event.fact)
            if at.play is not None and at.play.number == number:
                rules, played = rules_at(at), at.play.as_round()
    assert rules is not None, "a round that has ended was played"
    return rules, played


def recent(store: Store, table: str, n: int = FEWEST, who: Looking | None = None) -> tuple[RoundSummary, ...]:
    """The last rounds of a table, newest first; never fewer than ten, if there are. A player sees own totals."""
    with store.reading() as reading:
        found = islice(_summaries(reading, table, range(reading.last_round(table), 0, -1)), max(n, FEWEST))
        return tuple(summary if who is None else _own(reading, summary, who) for summary in found)


def rounds(store: Store, table: str) -> Iterator[RoundSummary]:
    """Every round of a table, oldest first; page by page, so that a long list is no burden."""
    with store.reading() as reading:
        newest = reading.last_round(table)
    for first in range(1, newest + 1, PAGE):
        with store.reading() as reading:
            page = list(_summaries(reading, table, range(first, min(first + PAGE, newest + 1))))
        yield from page


def _summaries(reading: Reading, table: str, numbers: Iterable[int]) -> Iterator[RoundSummary]:
    """Of the rounds that were played, or are in play."""
    for number in numbers:
        if events := reading.events(table, round=number, kinds=(BetsClosed, *ENDINGS)):
            last = events[-1]
            state = last.fact.STATE if isinstance(last.fact, RoundEnded) else "in play"
            note = last.fact.reason if isinstance(last.fact, RoundVoided) else ""
            yield RoundSummary(last.stream, last.round, state, shown_time(events[0].at), _totals(last), note)


def _own(reading: Reading, summary: RoundSummary, who: Looking) -> RoundSummary:
    if not is_patron(who):
        return summary
    seats = seats_of(reading, summary.table, summary.number, who.id)
    return replace(summary, totals={seat: net for seat, net in summary.totals.items() if seat in seats})


def _totals(end: Recorded) -> dict[int, Cents]:
    totals = end.fact.totals if isinstance(end.fact, RoundCompleted) else {}
    return {int(seat): net for seat, net in totals.items()}


def _state(events: Iterable[Recorded]) -> str:
    state = "wagering"
    for event in events:
        match event.fact:
            case RoundEnded() as ended:
                return ended.STATE
            case BetsClosed():
                state = "in play"
    return state


def _step(event: Recorded) -> RoundStep:
    return RoundStep(event.seq, shown_time(event.at), event.actor, event.role, event.kind, event.cites, tell(event))


def _players(events: Iterable[Recorded]) -> tuple[str, ...]:
    placed = {event.fact.player for event in events if isinstance(event.fact, WagerPlaced)}
    return tuple(sorted(placed | {*players_among(events).values()}))


def _stakes(events: Iterable[Recorded]) -> list[StakePlaced]:
    made: dict[tuple[int, str], StakePlaced] = {}
    for event in events:
        match event.fact:
            case BetsClosed(carried=living):
                for number, carried in living.items():
                    for wager, each in carried.items():
                        made[int(number), wager] = StakePlaced(int(number), each.player, wager, each.stake)
            case WagerPlaced(seat=seat, player=player, wager=wager, amount=amount):
                made[seat, wager] = StakePlaced(seat, player, wager, amount)
            case WagerWithdrawn(seat=seat, wager=wager) | WagerReturned(seat=seat, wager=wager):
                made.pop((seat, wager), None)
            case PlayerDecided(seat=seat, player=player, back=back, later=later):
                for wager in back:
                    made.pop((seat, wager), None)
                for wager, amount in later.items():
                    made[seat, wager] = StakePlaced(seat, player, wager, amount, later=True)
    return sorted(made.values(), key=lambda stake: stake.seat)


def _decided(event: Recorded) -> DecisionMade:
    told = event.of(PlayerDecided)
    made, cite = told.decision, event.cites[0] if event.cites else ""
    amount, unseen = if_set(made.amount), if_set(made.unseen) or 0
    return DecisionMade(event.seq, told.seat, told.player, made.last, amount, card_words(made.gave_up), cite, unseen)


def _lines(events: Sequence[Recorded], histories: Mapping[str, "_History"]) -> Iterable[LinePaid]:
    players = players_among(events)
    for event in events:
        if isinstance(event.fact, LineSettled):
            line = event.fact
            player = players.get(line.seat, "")
            history = histories.get(player)
            balance = history.after(event.seq) if history is not None else None
            moves = recorded_handover(line, event.entries)
            yield LinePaid(
                seq=event.seq, seat=line.seat, player=player, wager=line.wager, stake=line.stake,
                result=str(line.result), handed_over=moves.handed_over, taken=moves.taken, stays=moves.stays,
                net=line.net, odds=line.odds, cite=line.cite, odds_cite=if_set(line.odds_cite) or "",
                stage=line.stage, sentence=line.why, from_meter=line.from_meter, balance=balance,
            )  # fmt: skip


def _meters(events: Iterable[Recorded]) -> Iterable[MeterMoved]:
    for event in events:
        moved: dict[str, Units] = {}
        for entry in event.entries:
            if entry.account.startswith("meter:"):
                moved[entry.account] = moved.get(entry.account, 0) + entry.units
        for account, units in moved.items():
            yield MeterMoved(event.seq, account, units, tell(event))


def _deal(events: Sequence[Recorded]) -> DealRecord:
    """Checked against what "no more bets" made public, and the cards as they were recorded one by one; of several spins
    the last, as the others did not count."""
    told = (event.fact.commitment for event in events if isinstance(event.fact, BetsClosed | DiceShaken))
    promised = next(filter(None, reversed([*told])), "")
    shown = next((event.fact for event in reversed(events) if isinstance(event.fact, DeckRevealed)), None)
    if shown is None or not promised or isinstance(shown.cards, UnsetType) or isinstance(shown.salt, UnsetType):
        return DealRecord(promised)  # a deck with hands that nobody had to show is disclosed to the house alone
    left = " ".join(dealt.card for dealt in cards_of(events))
    findings = check_disclosed(promised, shown.cards, bytes.fromhex(shown.salt), shown.cuts, left)
    return DealRecord(promised, shown.cards, shown.salt, shown.cuts, left, findings)


@dataclass(frozen=True)
class _History:
    """What moved on a player's account during a round, at this table or at another."""

    player: str
    start: Units
    moved: tuple[tuple[int, Units], ...]

    def after(self, seq: int) -> Cents:
        return (self.start + sum(units for number, units in self.moved if number <= seq)) // UNITS_PER_CENT

    def balance(self) -> BalanceChange:
        start = self.start // UNITS_PER_CENT
        return BalanceChange(self.player, start, (self.start + sum(units for _, units in self.moved)) // UNITS_PER_CENT)


def _history(reading: Reading, player: str, events: Sequence[Recorded]) -> _History:
    account, last = player_account(player), events[-1].seq
    first = next(event.seq for event in events if isinstance(event.fact, WagerPlaced | BetsClosed))
    moved = reading.rows(queries.MOVEMENTS, account=account, first=first, last=last)
    before = reading.row(queries.BALANCE_BEFORE, account=account, before=first)
    return _History(player, 0 if before is None else int(before[0]), tuple(moved))


__all__ = [
    "CardDealt", "NoRoundError", "NotYoursError", "Recall", "RoundSummary", "may_look", "recall", "recent", "rounds",
    "tell",
]  # fmt: skip
