"""Whose turn it is in a settlement, what each turn pays, and the money it moves."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from pitboss.findings import Finding, refusal
from pitboss.games.course import Settle, TurnUp
from pitboss.games.facts import Chosen
from pitboss.games.round import own_place
from pitboss.games.settlement import Book, Line, Turn, stake_faults
from pitboss.meters import CHARGE, UNITS_PER_CENT, Meter
from pitboss.records import kept, replace
from pitboss.table.act import Act
from pitboss.table.chips import line_entries
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.fold import apply_all
from pitboss.table.happened import but
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.wagers import MeterAward, MeterCharged, MeterPaid
from pitboss.table.place import decisions_open, outer_turns, phase_of, settled_by_now
from pitboss.table.ruling import game_at, hand_at, rules_at
from pitboss.table.state import LiveRound, Table
from pitboss.table.streets import undealt
from pitboss.table.voiding import due_of
from pitboss.table.wagering import meter_entries

Groups = tuple[tuple[Settle, ...], ...]
UNSETTLED = "wager-unsettled"
DOCUMENTED = "cards-stay-until-documented"


def turns_left(table: Table, desk: Desk) -> tuple[Turn, ...]:
    """The turns to be settled in the parts of the settlement that the round has come to, by the meters as of now."""
    return _turns(table, desk, settled_by_now(table))


def _turns(table: Table, desk: Desk, groups: Groups) -> tuple[Turn, ...]:
    """Cached per round and meter state, because one command asks several times."""
    if not groups:
        return ()
    play = table.playing
    rules = rules_at(table)
    staked = {wager.meter for made in play.wagers.values() for name in made if (wager := rules.wager_named(name))}
    meters: dict[str, Meter] = {}
    for name, house_name in table.meters.items():
        meter = desk.meter(house_name) if name in staked else None
        if meter is not None:
            meters[name] = replace(meter, name=name)
    asked = (rules, meters)
    known = _known(play)
    for by, further, turns in known:
        later = _stages(further[len(groups) :])
        if by == asked and further[: len(groups)] == groups and later.isdisjoint(_stages(groups)):
            return tuple(turn for turn in turns if turn.stage not in later)
    book = Book(rules, meters, [line.line() for line in play.lines if not line.abandoned], play.absent)
    game_at(table).settle(rules, play.as_round(), book, groups)
    known.append((asked, groups, book.turns()))
    return known[-1][-1]


def _known(play: LiveRound) -> list[tuple[object, Groups, tuple[Turn, ...]]]:
    """The turns found before: by which rules and meters, in which parts of the settlement."""
    return kept(play, "turns", list)


def _stages(groups: Groups) -> frozenset[str]:
    return frozenset(step.stage for group in groups for step in group)


def followed(table: Table, desk: Desk, events: Iterable[Event], settled: Sequence[Turn] | None = None) -> Act:
    """Return the events as an act, with the new phase in the last of them if the round moved on.

    ``settled`` are the turns that the events settle, where they change nothing else that a turn depends on.
    """
    made = list(events)
    after = apply_all(table, made)
    if settled is not None:
        for by, groups, turns in _known(table.playing):
            _known(after.playing).append((by, groups, tuple(turn for turn in turns if turn not in settled)))
    phase = phase_of(after, turns_left(after, desk))
    if phase != table.phase:
        made[-1] = replace(made[-1], fact=but(made[-1].fact, phase=phase))
    return Act(table, tuple(made), replace(after, phase=phase))


def turn_key(turn: Turn) -> str:
    return f"{turn.stage}:{turn.seat}"


def needs_floorperson(turn: Turn) -> tuple[str, ...]:
    """Paragraphs for which a floorperson validates something at this turn before it is paid."""
    return tuple(dict.fromkeys(str(act.cite) for line in turn.lines for act in line.acts if act.actor == "floorperson"))


class Wait(StrEnum):
    """What a turn waits for."""

    CARDS = "cards"
    """Cards that lie face down must be turned up."""
    RULING = "ruling"
    """The hand, now turned up, did not allow a choice of the player: a floorperson rules on it."""
    VALIDATION = "validation"
    """A floorperson validates the payout."""


def waits_for(table: Table, turn: Turn) -> Wait | None:
    """What must happen before a turn is settled; nothing if it can be settled now."""
    if turn.needs:
        return Wait.CARDS
    if disputed(table, turn.seat):
        return Wait.RULING
    waits = needs_floorperson(turn) and turn_key(turn) not in table.playing.validated
    return Wait.VALIDATION if waits else None


def disputed(table: Table, seat: int) -> tuple[tuple[str, Finding], ...]:
    """Choices that a hand turned up since did not allow, by step, as long as no floorperson has ruled on them."""
    if not table.physical or game_at(table).course.contest or seat in table.playing.absent:
        return ()
    return kept(table.playing, f"disputed {seat}", lambda: tuple(_disputed(table, seat)))


def _disputed(table: Table, number: int) -> Iterator[tuple[str, Finding]]:
    play, rules, game = table.playing, rules_at(table), game_at(table)
    played, seat = play.as_round(), play.seat(number)
    if own_place("seat", number) in play.covered:
        return
    for step in game.course.decides:
        made = seat.decisions.get(step.name)
        if made is not None and step.name not in play.ruled.get(number, ()):
            for finding in game.decision_findings(rules, played, step, seat, made):
                yield step.name, finding


def ready_turns(table: Table, desk: Desk) -> tuple[tuple[Turn, ...], Turn | None]:
    """The turns that can be settled now, and the one that waits for something, if one does."""
    ready: list[Turn] = []
    for turn in outer_turns(table, turns_left(table, desk)):
        if waits_for(table, turn) is not None:
            return tuple(ready), turn
        ready.append(turn)
    return tuple(ready), None


def unsettled(table: Table, desk: Desk) -> Iterator[Finding]:
    """Stakes that the lines settled so far and, when all is decided, those still to come do not settle exactly once.

    That is a fault of the program, and no round goes on to its end with one; it can only be declared void.
    """
    play = table.playing
    stakes = due_of(table, play)
    hand = hand_at(table)
    decided = not (decisions_open(table) or undealt(table) or (hand is not None and hand.showing is not None))
    left = _turns(table, desk, game_at(table).course.settle_groups) if decided else turns_left(table, desk)
    decided = decided and not any(turn.needs for turn in left)
    settled = [(line.seat, line.settles) for line in play.lines if line.settles]
    settled += [(line.seat, line.settles) for turn in left for line in turn.lines if line.settles]
    if not decided:  # what waits for cards or decisions has its line later
        stakes = {seat: {w: made[w] for w in made if (seat, w) in settled} for seat, made in stakes.items()}
    for seat, wager, sentence in stake_faults(stakes, settled):
        after = f"{sentence} This is a fault of the program: a floorperson declares the round void ({UNSETTLED})."
        yield refusal(UNSETTLED, "one line for each stake", wager, after, seat=seat)


def turn_events(table: Table, turn: Turn) -> Iterator[Event]:
    """One seat's turn: what a meter pays, then every line in the order of the law."""
    yield from _meter_events(table, turn)
    for line in turn.lines:
        settled = line_settled(line, turn.stage, turn.seat, face_down=_face_down(table, turn.stage, line.wager))
        yield Event(settled, _cites(line), line_entries(table, line))


def _face_down(table: Table, stage: str, line: str) -> bool:
    """Whether a line reads cards of a hand that lies face down when its part of the settlement comes."""
    game = game_at(table)
    steps = iter(game.course.flat)
    next(step for step in steps if isinstance(step, Settle) and step.stage == stage)
    if not any(isinstance(step, TurnUp) for step in steps):
        return False
    rule, facts = game.lines.rules.get(line), game.lines.facts.by_name
    return rule is None or any(not isinstance(facts[name], Chosen) for name in rule.reads)


def _meter_events(table: Table, turn: Turn) -> Iterator[Event]:
    rules = rules_at(table)
    for name, house_name in table.meters.items():
        movements = tuple(
            m for m in turn.movements if any(end.startswith(f"meter {name} ") for end in (m.source, m.target))
        )
        if not movements:
            continue
        paid = sum(m.amount for m in movements if m.reason in ("award", CHARGE))
        winners = sorted({line.seat for line in turn.lines if line.from_meter == name}) or [turn.seat]
        award: type[MeterAward] = MeterCharged if all(m.reason == CHARGE for m in movements) else MeterPaid
        yield Event(
            award(
                meter=house_name,
                seat=turn.seat,
                winners=tuple(winners),
                amount=paid // UNITS_PER_CENT,
                reseeded=any(m.reason in ("reseed", "reserve to meter") for m in movements),
            ),
            (str(rules.meters[name].cite),),
            tuple(meter_entries(house_name, movements, table.id)),
        )


def line_settled(line: Line, stage: str, turn: int, *, face_down: bool = False, abandoned: bool = False) -> LineSettled:
    paperwork = any(act.act.endswith(DOCUMENTED) for act in line.acts)
    return LineSettled.of(line, stage, turn, face_down=face_down, paperwork=paperwork, abandoned=abandoned)


def _cites(line: Line) -> tuple[str, ...]:
    acts = (str(act.cite) for act in line.acts)
    return tuple(dict.fromkeys(cite for cite in (line.cite, line.odds_cite, *acts) if cite))
