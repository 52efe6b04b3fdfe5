"""Whose turn it is in a settlement, what each turn pays, and the money it moves."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from pitboss.cards import DECK
from pitboss.findings import Finding
from pitboss.games.round import Round
from pitboss.games.settlement import Book, Line, Stage, Turn, stake_faults
from pitboss.meters import UNITS_PER_CENT, Meter
from pitboss.table.desk import Desk
from pitboss.table.events import (
    Entry,
    Event,
    inventory_account,
    jackpot_account,
    layout_account,
    move,
    player_account,
)
from pitboss.table.ruling import extras_of, game_at, rules_at
from pitboss.table.state import Phase, Settled, Table
from pitboss.table.wagering import meter_entries

UNSETTLED = "wager-unsettled"
DOCUMENTED = "cards-stay-until-documented"


def played_round(table: Table) -> Round:
    """The round for the book; decisions still open stand for bets with any cards, which no earlier turn looks at."""
    play = table.play
    assert play is not None
    game = game_at(table)
    unseen = [card for card in DECK if card not in play.left_deck]
    decisions = dict(play.decisions)
    for seat, decision in decisions.items():
        count = game.draws(decision)
        if count and not decision.drawn:
            decision = replace(decision, drawn=tuple(unseen[:count]))
        if count and decision.then is None:
            decision = replace(decision, then="bet")
        decisions[seat] = decision
    return replace(play, decisions=decisions).as_round(extras_of(rules_at(table)))


def turns_left(table: Table, desk: Desk) -> tuple[Turn, ...]:
    """Every turn that is still to be settled, with the meters as they stand now."""
    play = table.play
    assert play is not None
    rules = rules_at(table)
    staked = {wager.meter for made in play.wagers.values() for name in made if (wager := rules.wager_named(name))}
    meters: dict[str, Meter] = {}
    for name, house_name in table.meters.items():
        meter = desk.meter(house_name) if name in staked else None
        if meter is not None:
            meters[name] = replace(meter, name=name)
    return _LAST.turns(table, meters)


@dataclass(frozen=True)
class _Opened:
    """A book as it was opened last: what it was opened for, and the turns it found."""

    facts: tuple[object, ...]
    lines: tuple[Settled, ...]
    meters: dict[str, Meter]
    turns: tuple[Turn, ...]

    def turns_for(self, facts: tuple[object, ...], lines: tuple[Settled, ...]) -> tuple[Turn, ...] | None:
        """The turns still left, where nothing has happened since but the first of them; else none can be told."""
        if any(old is not new for old, new in zip(self.facts, facts, strict=True)):
            return None
        if lines is self.lines:
            return self.turns
        fresh = [(line.seat, line.wager, line.net) for line in lines[len(self.lines) :]]
        for count, turn in enumerate(self.turns):
            if not fresh:
                return self.turns[count:]
            expected = [(line.seat, line.wager, line.net) for line in turn.lines]
            if self.meters or fresh[: len(expected)] != expected:
                return None  # a meter may have been moved by another table meanwhile
            fresh = fresh[len(expected) :]
        return None if fresh else ()


class _LastBook:
    """The turns of the latest round: one command asks for them several times, and a reveal changes none."""

    def __init__(self) -> None:
        self._opened: _Opened | None = None

    def turns(self, table: Table, meters: dict[str, Meter]) -> tuple[Turn, ...]:
        play = table.play
        assert play is not None
        rules = rules_at(table)
        facts = (rules, play.wagers, play.dealt, play.decisions, play.absent, play.magic_card)
        last = self._opened
        found = last.turns_for(facts, play.lines) if last is not None and last.meters == meters else None
        if found is None:
            settled = [line.line() for line in play.lines if not line.abandoned]
            book = Book(rules, meters, settled, play.absent)
            game_at(table).settle(rules, played_round(table), book)
            found = book.turns()
        self._opened = _Opened(facts, play.lines, meters, found)
        return found


_LAST = _LastBook()


def turn_key(turn: Turn) -> str:
    return f"{turn.stage}:{turn.seat}"


def needs_floorperson(turn: Turn) -> tuple[str, ...]:
    """Paragraphs for which a floorperson validates something at this turn before it is paid."""
    return tuple(dict.fromkeys(str(act.cite) for line in turn.lines for act in line.acts if act.actor == "floorperson"))


def ready_turns(table: Table, desk: Desk, stages: Collection[Stage]) -> tuple[tuple[Turn, ...], Turn | None]:
    """The turns that can be settled now, and the one that waits for a floorperson, if one does."""
    play = table.play
    assert play is not None
    ready: list[Turn] = []
    for turn in turns_left(table, desk):
        if turn.stage not in stages:
            break
        if needs_floorperson(turn) and turn_key(turn) not in play.validated:
            return tuple(ready), turn
        ready.append(turn)
    return tuple(ready), None


def unsettled(table: Table, desk: Desk) -> Iterator[Finding]:
    """Stakes that the lines settled so far and those still to come do not settle exactly once.

    That is a fault of the program, and no round goes on to its end with one; it can only be declared void.
    """
    play = table.play
    assert play is not None
    rules, game = rules_at(table), game_at(table)
    # Decisions still open stand for bets in the book; of somebody who left only what was really wagered is settled.
    real = {seat.number: seat for seat in play.as_round(frozenset()).seats}
    seats = [real[seat.number] if seat.number in play.absent else seat for seat in played_round(table).seats]
    stakes = {seat.number: {**seat.wagers, **game.later_wagers(rules, seat)} for seat in seats}
    settled = [(line.seat, line.settles) for line in play.lines if line.settles]
    settled += [(line.seat, line.settles) for turn in turns_left(table, desk) for line in turn.lines if line.settles]
    for seat, wager, sentence in stake_faults(stakes, settled):
        after = f"{sentence} This is a fault of the program: a floorperson declares the round void ({UNSETTLED})."
        yield Finding(UNSETTLED, "", "one line for each stake", wager, after, f"seat {seat}")


def stages_left(table: Table, desk: Desk, stages: Collection[Stage]) -> bool:
    return any(turn.stage in stages for turn in turns_left(table, desk))


def settle_events(
    table: Table, desk: Desk, stages: Collection[Stage], then: Phase | None, most: int | None = None
) -> Iterator[Event]:
    """Settle the turns that are ready; the phase moves on when nothing of these stages is left."""
    ready, waiting = ready_turns(table, desk, stages)
    chosen = ready if most is None else ready[:most]
    done = waiting is None and len(chosen) == len(ready)
    for index, turn in enumerate(chosen):
        last = index == len(chosen) - 1
        events = list(turn_events(table, turn))
        for position, event in enumerate(events):
            if last and done and then is not None and position == len(events) - 1:
                event = replace(event, data={**event.data, "phase": then})
            yield event
    if not chosen and done and then is not None:
        yield Event("turns.completed", {"phase": then})


def turn_events(table: Table, turn: Turn) -> Iterator[Event]:
    """One seat's turn: what a meter pays, then every line in the order of the law."""
    yield from _meter_events(table, turn)
    for line in turn.lines:
        yield Event("line.settled", line_data(line, turn.stage, turn.seat), _cites(line), line_entries(table, line))


def _meter_events(table: Table, turn: Turn) -> Iterator[Event]:
    rules = rules_at(table)
    for name, house_name in table.meters.items():
        movements = tuple(
            m for m in turn.movements if any(end.startswith(f"meter {name} ") for end in (m.source, m.target))
        )
        if not movements:
            continue
        paid = sum(m.amount for m in movements if m.reason == "award")
        winners = sorted({line.seat for line in turn.lines if line.from_meter == name})
        yield Event(
            "meter.paid",
            {
                "meter": house_name,
                "seat": turn.seat,
                "winners": winners,
                "amount": paid // UNITS_PER_CENT,
                "reseeded": any(m.reason in ("reseed", "reserve to meter") for m in movements),
            },
            (str(rules.meters[name].cite),),
            tuple(meter_entries(house_name, movements, table.id)),
        )


def line_data(line: Line, stage: str, turn: int) -> dict[str, object]:
    data: dict[str, object] = {**line.as_dict(), "stage": str(stage), "turn": turn}
    if line.settles:
        data["settles"] = line.settles
    if line.from_meter:
        data["from_meter"] = line.from_meter
    if any(act.act.endswith(DOCUMENTED) for act in line.acts):
        data["paperwork"] = True
    return data


def _cites(line: Line) -> tuple[str, ...]:
    acts = (str(act.cite) for act in line.acts)
    return tuple(dict.fromkeys(cite for cite in (line.cite, line.odds_cite, *acts) if cite))


def line_entries(table: Table, line: Line) -> tuple[Entry, ...]:
    """The money of a line: the stake leaves the layout, winnings come from the inventory or from a jackpot.

    Progressive chips went into the inventory before the deal, so there is nothing of theirs on the layout.
    """
    play = table.play
    assert play is not None
    player = player_account(play.players[line.seat])
    layout, inventory = layout_account(table.id), inventory_account(table.id)
    staked = line.stake if line.settles else 0
    paid = staked + line.net
    if line.from_meter:
        return move(jackpot_account(table.id), player, paid)
    if line.settles in play.collected:
        return move(inventory, player, paid)
    back = min(staked, paid)
    return (
        *move(layout, player, back),
        *move(layout, inventory, staked - back),
        *move(inventory, player, paid - back),
    )
