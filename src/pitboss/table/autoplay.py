"""A dealer and players that play by themselves, for practice, demonstrations and tests."""

from collections.abc import Mapping

from pitboss.cards import show_cards
from pitboss.games import walk
from pitboss.games.course import Sight
from pitboss.games.round import Decision, FaceDownError
from pitboss.table.command import Command
from pitboss.table.deciding import MakeDecision, choices_when_left, deciding_now
from pitboss.table.desk import Desk
from pitboss.table.guide import Step, next_step
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import Table


def plain_wagers(table: Table, seat: int = 0) -> Mapping[str, int]:
    """The demonstration wagers of the game, as far as the table offers them and within its limits; those that a seat
    has to place, where enough of the last round lies before it."""
    stack, wagers = table.stacks.get(seat, 0), walk.plain_wagers(rules_at(table))
    return {name: stake for name, stake in wagers.items() if stake > stack}


def sight_of(table: Table, seat: int) -> Sight:
    """What a seat that is asked sees: its own cards and those face up."""
    play, (step, _) = table.playing, deciding_now(table)
    assert step is not None
    return game_at(table).sight(rules_at(table), play.as_round(), play.seat(seat), step)


def said(seat: int, decision: Decision) -> Command:
    """A decision as the command by which it reaches the table."""
    return MakeDecision(seat, decision.choice, decision.amount, show_cards(decision.discard))


def plain_decision(table: Table, seat: int) -> Command:
    """What a sensible player says when asked; for a player who has left, what moves no chips."""
    step, _ = deciding_now(table)
    if step is not None and seat in table.playing.left:
        return MakeDecision(seat, choices_when_left(table, seat, step)[0].name)
    return said(seat, game_at(table).plain_decision(rules_at(table), sight_of(table, seat)))


def automatic(table: Table, desk: Desk) -> tuple[Step, Command] | None:
    """The next step with a command for it; none where the table waits for something nobody can do for others."""
    step = next_step(table, desk)
    if step is None:
        return None
    if step.command is not None:
        return step, step.command
    if step.seat is None:
        return None
    try:
        return step, plain_decision(table, step.seat)
    except FaceDownError:  # only the player knows the cards
        return None
