"""Where a round is in the course of its game, and what follows: who is asked, what lies open, which phase it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitboss.games.course import Betting, Deal, Decide, Draw, EachSeat, Roll, Settle, Step, TurnUp
from pitboss.games.round import own_place, owner
from pitboss.games.settlement import LineResult, Turn
from pitboss.records import kept
from pitboss.table.ruling import game_at, hand_at, rules_at, thrown_at
from pitboss.table.state import LiveRound, Phase, Table


@dataclass(frozen=True)
class Place:
    """The step that a round has come to, and the seat whose turn it is, where seats take turns."""

    step: Step | None
    """None when nothing is left but the cards or dice themselves."""
    seat: int | None = None
    group: EachSeat | None = None
    """The steps that the seat goes through before the next seat begins."""


def place_of(table: Table) -> Place:
    """The first step that is not done, settlement left out: lines are settled as far as they can be before it."""
    return _found(table)[1]


def _found(table: Table) -> tuple[int, Place]:
    """Kept with the round, which does not change."""
    return kept(table.playing, "place", lambda: _sought(table))


def _sought(table: Table) -> tuple[int, Place]:
    play, hand = table.playing, hand_at(table)
    turned, steps = play.turned, game_at(table).course.steps
    for index, step in enumerate(steps):
        match step:
            case Roll() if not play.dice or _void(table, play):
                return index, Place(step)
            case Decide() if (first := next(_waiting(table, play, step), None)) or _open(play, step):
                return index, Place(step, first)
            case Deal() if hand is not None and hand.due and hand.street.name == step.before:
                return index, Place(step)
            case TurnUp() if hand is not None:
                if hand.showing is not None or (hand.shown and not turned):
                    return index, Place(step)
            case TurnUp():
                turned -= 1
                if turned < 0:
                    return index, Place(step)
            case EachSeat() if (within := _within(table, play, step)) is not None:
                return index, within
    return len(steps), Place(None)


def _void(table: Table, play: LiveRound) -> bool:
    """Whether what was thrown does not count."""
    step = thrown_at(table)
    return step is not None and not set(step.void).isdisjoint(play.dice)


def _open(play: LiveRound, step: Decide) -> bool:
    return step.together and step.name not in play.locked


def _within(table: Table, play: LiveRound, group: EachSeat) -> Place | None:
    """The first seat that has still something to do in steps that each seat goes through by itself."""
    for seat in sorted(play.wagers):
        for step in group.steps:
            if isinstance(step, Draw) and owed(table, play, seat):
                return Place(step, seat, group)
            if isinstance(step, Decide) and seat in undecided(table, play, step):
                return Place(step, seat, group)
    return None


def settled_by_now(table: Table) -> tuple[tuple[Settle, ...], ...]:
    """The parts of the settlement that the round has come to."""
    return kept(table.playing, "reached", lambda: _reached(table))


def _reached(table: Table) -> tuple[tuple[Settle, ...], ...]:
    index, place = _found(table)
    course = game_at(table).course
    reached = course.steps[: index + (place.group is not None)]
    found = (step.steps if isinstance(step, EachSeat) else (step,) for step in reached)
    return tuple(group for steps in found if (group := tuple(step for step in steps if isinstance(step, Settle))))


def inner_stages(place: Place) -> frozenset[str]:
    """Parts of the settlement that belong to what a seat is doing, and not to the dealer's own turn."""
    steps = place.group.steps if place.group is not None else ()
    return frozenset(step.stage for step in steps if isinstance(step, Settle))


def outer_turns(table: Table, left: Sequence[Turn]) -> tuple[Turn, ...]:
    """Of the turns still to be settled, those that the dealer settles before the round goes on."""
    inner = inner_stages(place_of(table))
    return tuple(turn for turn in left if turn.stage not in inner)


def phase_of(table: Table, left: Sequence[Turn]) -> Phase:
    """The phase that follows from the place of the round and from the turns that are still to be settled there."""
    index, place = _found(table)
    if outer := outer_turns(table, left):
        steps = game_at(table).course.steps
        of_stage = (
            at for at, step in enumerate(steps[:index]) if isinstance(step, Settle) and step.stage == outer[0].stage
        )
        follows = (step for step in steps[max(of_stage, default=index - 1) :] if not isinstance(step, Settle))
        match next(follows, None):
            case TurnUp():
                return Phase.REVEALING
            case EachSeat():
                return Phase.LOCKED
        return Phase.SETTLING
    match place.step:
        case None:
            return Phase.COLLECTING
        case TurnUp():
            return Phase.REVEALING
        case Roll() | Deal():
            return Phase.DEALING
    return Phase.DECIDING if place.group is None else Phase.DRAWING


def asked(table: Table, play: LiveRound, step: Decide, *, again: bool = True) -> tuple[int, ...]:
    """Seats that choose at a step, from the dealer's left; ``again`` with those that have chosen already."""
    return tuple(_waiting(table, play, step, again=again))


def _waiting(table: Table, play: LiveRound, step: Decide, *, again: bool = False) -> Iterator[int]:
    played, rules, options = play.as_round(), rules_at(table), game_at(table).options
    again = again or isinstance(step, Betting)
    for seat in played.clockwise():
        asks = seat.number not in play.absent and (again or step.name not in seat.decisions)
        if asks and options(rules, played, seat, step):
            yield seat.number


def undecided(table: Table, play: LiveRound, step: Decide) -> tuple[int, ...]:
    return asked(table, play, step, again=False)


def owed(table: Table, play: LiveRound, seat: int) -> int:
    """Cards that a seat has bought and not been dealt."""
    if seat in play.absent or seat in play.drew:
        return 0
    draws = game_at(table).draws
    return sum(draws(made) for made in play.decisions.get(seat, {}).values() if not made.drawn)


def decisions_open(table: Table) -> bool:
    """Whether somebody is still to be asked something."""
    return any(isinstance(step, Decide | EachSeat) for step in game_at(table).course.steps[_found(table)[0] :])


def is_known(table: Table) -> bool:
    """Whether everything that decides the round lies open: only settlement is left."""
    return table.play is not None and place_of(table).step is None


def open_cards(table: Table) -> dict[str, int]:
    """How many cards of each place have been turned up: that of a seat's own when it has won a wager with that card,
    and a shared one that no step names with the last step."""
    play = table.playing
    steps = [step for step in game_at(table).course.flat if isinstance(step, TurnUp)]
    opened: dict[str, int] = {}
    for step in steps[: play.turned]:
        opened[step.place] = opened.get(step.place, 0) + step.cards if step.cards else len(play.hand(step.place))
    if play.turned >= len(steps):
        named = {step.place for step in steps}
        shared = {dealt.to for dealt in play.dealt if owner(dealt.to) is None} - named - {"discard"}
        wagers = rules_at(table).wagers
        won = [line for line in play.lines if line.result == LineResult.WIN and line.wager in wagers]
        own = (own_place(wagers[line.wager].extra, line.seat) for line in won)
        opened |= {place: len(play.hand(place)) for place in (*shared, *own)}
    return opened
