"""Section .11, the dealer's part: forfeits, the reveal, each seat's turn, jackpots and their documents."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pitboss.cards import show_cards
from pitboss.findings import Finding
from pitboss.games.settlement import Stage
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import (
    Event,
)
from pitboss.table.ruling import cite_of, game_at
from pitboss.table.state import Phase, Table
from pitboss.table.turns import needs_floorperson, ready_turns, settle_events, stages_left, turn_key, unsettled

BEFORE_REVEAL = frozenset({Stage.FORFEITS})
AFTER_REVEAL = frozenset({Stage.DEALER, Stage.HANDS})


@command("settle", {Phase.LOCKED, Phase.REVEALING, Phase.SETTLING}, "reveal-dealer-hand-then-settle-from-dealers-right")
@dataclass(frozen=True)
class Settle(Command):
    """Settle the next seat's turn, or as many as are ready. Before the reveal that is collecting forfeits."""

    turns: int = 0
    """How many turns; 0 for all that are ready."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from unsettled(table, desk)
        ready, waiting = ready_turns(table, desk, stages_now(table))
        if self.turns < 0:
            yield Finding("turns", "", "a number of turns", str(self.turns), "Give how many turns to settle.")
        if not ready and waiting is not None:
            cites = needs_floorperson(waiting)
            yield Finding(
                "validation-needed",
                cites[0],
                "a floorperson's validation",
                "none",
                f"A floorperson validates the payout at seat {waiting.seat} before it is paid.",
                f"seat {waiting.seat}",
            )
        elif not ready and table.phase == Phase.REVEALING:
            yield Finding(
                "nothing-to-settle", "", "forfeited wagers", "none", "Nothing is forfeited: reveal the dealer's cards."
            )

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        from pitboss.table.deciding import after_locked

        then: Phase | None = None
        if table.phase == Phase.LOCKED:
            then = after_locked(table)
        elif table.phase == Phase.SETTLING:
            then = Phase.COLLECTING
        yield from settle_events(table, desk, stages_now(table), then, self.turns or None)


def stages_now(table: Table) -> Collection[Stage]:
    return {
        Phase.LOCKED: frozenset({Stage.LOCKED_IN}),
        Phase.REVEALING: BEFORE_REVEAL,
        Phase.SETTLING: AFTER_REVEAL,
    }[table.phase]


@command("reveal", {Phase.REVEALING}, "reveal-dealer-hand")
@dataclass(frozen=True)
class Reveal(Command):
    """The dealer's cards are turned up, after forfeited wagers have been collected."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from unsettled(table, desk)
        if stages_left(table, desk, BEFORE_REVEAL):
            chapter = game_at(table).chapter.chapter
            yield Finding(
                "forfeits-first",
                f"{chapter}.11(c)" if chapter != "684a" else "684a.11(b)(2)",
                "forfeited wagers collected",
                "wagers of folded hands on the layout",
                "Forfeited wagers are collected before the dealer's cards are turned up.",
            )

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        play = table.play
        assert play is not None
        chapter = game_at(table).chapter.chapter
        cite = f"{chapter}.11(e)" if chapter == "671a" else f"{chapter}.11(c)"
        phase = Phase.SETTLING if stages_left(table, desk, AFTER_REVEAL) else Phase.COLLECTING
        yield Event("dealer.revealed", {"cards": show_cards(play.hand("dealer")), "phase": phase}, (cite,))


@command("validate", {Phase.LOCKED, Phase.SETTLING}, "validate-progressive-payout")
@dataclass(frozen=True)
class Validate(Command):
    """A floorperson validates the payout whose turn it is."""

    seat: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        ready, waiting = ready_turns(table, desk, stages_now(table))
        if ready or waiting is None or waiting.seat != self.seat:
            expected = f"seat {waiting.seat}, after the turns before it" if waiting else "a payout to validate"
            yield Finding(
                "nothing-to-validate", cite_of(table, self.act), expected, f"seat {self.seat}",
                f"No payout at seat {self.seat} waits for a validation now.",
            )  # fmt: skip
        if table.play is not None and desk.person == table.play.dealer:
            yield Finding(
                "two-people", cite_of(table, self.act), "somebody else than the dealer", desk.person,
                f"{desk.person} deals this round; another floorperson or above validates what is won in it.",
            )  # fmt: skip

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        _, waiting = ready_turns(table, desk, stages_now(table))
        assert waiting is not None
        yield Event("payout.validated", {"seat": self.seat, "turn": turn_key(waiting)}, needs_floorperson(waiting))


@command("complete_paperwork", {Phase.SETTLING, Phase.COLLECTING})
@dataclass(frozen=True)
class CompletePaperwork(Command):
    """The jackpot documents are complete; the cards may leave the table."""

    document: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        assert table.play is not None
        if not table.play.paperwork:
            yield Finding("no-paperwork", "", "a jackpot to document", "none", "No jackpot waits for its documents.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        assert table.play is not None
        cites = tuple(dict.fromkeys(line.cite for line in table.play.lines if line.from_meter))
        yield Event("paperwork.completed", {"document": self.document}, cites)
