"""Section .11, the dealer's part: forfeits, cards turned up, each seat's turn, jackpots and their documents."""

from collections.abc import Iterator

from pitboss.cards import show_cards
from pitboss.findings import Finding
from pitboss.games.course import TurnUp
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.place import open_cards, place_of
from pitboss.table.ruling import cite_of, game_at, hand_at
from pitboss.table.state import Phase, Table
from pitboss.table.turns import followed, needs_floorperson, ready_turns, turn_events, turn_key, turns_left, unsettled


@command("settle", {Phase.LOCKED, Phase.REVEALING, Phase.SETTLING}, "settle-in-turn")
class SettleTurns(Command):
    """Settle the next seat's turn, or as many as are ready. Before the reveal that is collecting forfeits."""

    turns: int = 0
    """How many turns; 0 for all that are ready."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from unsettled(table, desk)
        ready, waiting = ready_turns(table, desk)
        if self.turns < 0:
            yield Finding("turns", "", "a number of turns", str(self.turns), "Give how many turns to settle.")
        if not ready and waiting is not None:
            cites = needs_floorperson(waiting)
            expected = "a floorperson's validation"
            sentence = f"A floorperson validates the payout at seat {waiting.seat} before it is paid."
            yield Finding("validation-needed", cites[0], expected, "none", sentence, f"seat {waiting.seat}")
        elif not ready and table.phase == Phase.REVEALING:
            sentence = "Nothing is forfeited: turn the cards up."
            yield Finding("nothing-to-settle", "", "forfeited wagers", "none", sentence)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        ready, _ = ready_turns(table, desk)
        chosen = ready[: self.turns or None]
        events = [event for turn in chosen for event in turn_events(table, turn)]
        yield from followed(table, desk, events or (Event("turns.completed"),), chosen)


@command("reveal", {Phase.REVEALING})
class Reveal(Command):
    """Cards are turned up once forfeited wagers are collected: the dealer's hand, or so many of a shared place."""

    def phase_cite(self, table: Table) -> str:
        steps = game_at(table).course.flat if table.game else ()
        return next((step.cite for step in steps if isinstance(step, TurnUp)), "")

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from unsettled(table, desk)
        if left := turns_left(table, desk):
            found = "wagers of folded hands on the layout"
            sentence = "Forfeited wagers are collected before cards are turned up."
            yield Finding("forfeits-first", left[0].lines[0].cite, "forfeited wagers collected", found, sentence)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        play, step = table.playing, place_of(table).step
        assert isinstance(step, TurnUp)
        cards = play.hand(step.place)
        if (hand := hand_at(table)) is not None:
            shown = {str(seat): show_cards(play.hand(f"seat {seat}")) for seat in hand.shown}
            turned = Event("hands.shown", {"hands": shown}, (step.cite,))
        elif step.place == "dealer":
            turned = Event("dealer.revealed", {"cards": show_cards(cards)}, (step.cite,))
        else:
            first = open_cards(table).get(step.place, 0)
            more = cards[first : first + step.cards] if step.cards else cards[first:]
            turned = Event("cards.turned-up", {"place": step.place, "cards": show_cards(more)}, (step.cite,))
        yield from followed(table, desk, (turned,), ())


@command("validate", {Phase.LOCKED, Phase.SETTLING}, "validate-progressive-payout")
class Validate(Command):
    """A floorperson validates the payout whose turn it is."""

    seat: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        ready, waiting = ready_turns(table, desk)
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
        _, waiting = ready_turns(table, desk)
        assert waiting is not None
        yield Event("payout.validated", {"seat": self.seat, "turn": turn_key(waiting)}, needs_floorperson(waiting))


@command("complete_paperwork", {Phase.SETTLING, Phase.COLLECTING})
class CompletePaperwork(Command):
    """The jackpot documents are complete; the cards may leave the table."""

    document: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if not table.playing.paperwork:
            yield Finding("no-paperwork", "", "a jackpot to document", "none", "No jackpot waits for its documents.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        cites = tuple(dict.fromkeys(line.cite for line in table.playing.lines if line.from_meter))
        yield Event("paperwork.completed", {"document": self.document}, cites)
