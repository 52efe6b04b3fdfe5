"""Section .11, the players' part: decisions in seat order, the lock-in and the draw."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pitboss.cards import DECK, Card, CardError, parse_cards
from pitboss.findings import Finding
from pitboss.games.round import Seat
from pitboss.games.settle import verify as verify_played
from pitboss.games.settlement import Stage
from pitboss.money import Cents, show_dollars
from pitboss.table.codec import encode
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk, chips
from pitboss.table.events import Event, layout_account, move, player_account
from pitboss.table.ruling import LOCK_ACT, cite_of, extras_of, game_at, procedure_of, rules_at
from pitboss.table.state import Dealt, Decided, Phase, Play, Table
from pitboss.table.turns import settle_events

FOLD = "fold"


def locks_in(table: Table) -> bool:
    """Whether decisions stay open until the dealer locks all of them in."""
    return procedure_of(table, LOCK_ACT) is not None


def must_decide(table: Table, play: Play) -> tuple[int, ...]:
    """Seats that are asked, from the dealer's left: those who play against the dealer and are not paid at once."""
    rules, game = rules_at(table), game_at(table)
    asked = []
    for number in sorted(play.wagers):
        seat = Seat(number, play.hand(f"seat {number}"), play.staked(number))
        if number not in play.absent and "ante" in seat.wagers and not game.paid_at_once(rules, seat):
            asked.append(number)
    return tuple(asked)


def undecided(table: Table, play: Play) -> tuple[int, ...]:
    return tuple(seat for seat in must_decide(table, play) if seat not in play.decisions)


def drawing(table: Table, play: Play) -> tuple[int, ...]:
    """Seats that have paid to draw and have not yet said what they do with the new cards."""
    game = game_at(table)
    return tuple(
        seat
        for seat, decision in sorted(play.decisions.items())
        if seat not in play.absent and game.draws(decision) and decision.then is None
    )


def after_deal(table: Table, dealt: Sequence[tuple[Card, str]] = ()) -> Phase:
    """Where the table goes when all cards lie: to the decisions, or straight on if nobody is asked."""
    play = table.play
    assert play is not None
    play = replace(play, dealt=(*play.dealt, *(Dealt(card, to, face_up=False) for card, to in dealt)))
    return Phase.DECIDING if undecided(table, play) or locks_in(table) else Phase.REVEALING


@command("decide", {Phase.DECIDING, Phase.DRAWING}, "no-decision-changed-once-locked-in")
@dataclass(frozen=True)
class Decide(Command):
    """A player's decision; after a draw, whether to bet or fold."""

    seat: int
    choice: str
    amount: Cents | None = None
    discard: str = ""

    def acts_for(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        return table.player_at(self.seat)

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        play = table.play
        assert play is not None
        cite = f"{game_at(table).chapter.chapter}.11(b)"
        turn = self._turn(table, play)
        if self.seat not in turn:
            mine = seat_of(play, self.seat, None)
            if mine.wagers and game_at(table).paid_at_once(rules_at(table), mine):
                yield from decision_findings(table, play, self.seat, Decided(self.choice))
            else:
                yield self._not_asked(table, play, turn, cite)
            return
        try:
            decision = self._decision(play)
        except CardError as problem:
            yield Finding("card", cite, "cards such as 'As Td'", self.discard, str(problem), f"seat {self.seat}")
            return
        yield from decision_findings(table, play, self.seat, decision)
        cost = self._cost(table, play, decision)
        player = play.players[self.seat]
        if cost > chips(desk, player):
            yield Finding(
                "chips", cite, f"at most {show_dollars(chips(desk, player))}", show_dollars(cost),
                f"{player} has {show_dollars(chips(desk, player))} in chips; this needs {show_dollars(cost)}.",
                f"seat {self.seat}",
            )  # fmt: skip

    def _turn(self, table: Table, play: Play) -> tuple[int, ...]:
        """Who may decide now: the next in order, or everybody until decisions are locked in."""
        if table.phase == Phase.DRAWING:
            waiting = drawing(table, play)[:1]
            return tuple(seat for seat in waiting if play.decisions[seat].drawn)
        return must_decide(table, play) if locks_in(table) else undecided(table, play)[:1]

    def _not_asked(self, table: Table, play: Play, turn: tuple[int, ...], cite: str) -> Finding:
        if self.seat in play.decisions:
            why = f"Seat {self.seat} has decided already."
        elif turn:
            why = f"It is seat {turn[0]}'s turn to decide, not seat {self.seat}'s."
        else:
            why = f"Seat {self.seat} is not asked now."
        expected = ", ".join(f"seat {seat}" for seat in turn) or "nobody"
        return Finding(
            "decision-order", cite_of(table, LOCK_ACT, cite), expected, f"seat {self.seat}", why, f"seat {self.seat}"
        )

    def _decision(self, play: Play) -> Decided:
        before = play.decisions.get(self.seat)
        if before is not None and play.locked:
            return replace(before, then=self.choice, amount=self.amount)
        return Decided(self.choice, self.amount, parse_cards(self.discard))

    def _cost(self, table: Table, play: Play, decision: Decided) -> Cents:
        """Chips that the decision puts on the layout beyond what an earlier one has put there."""
        return stake_of(table, play, self.seat, decision) - stake_of(
            table, play, self.seat, play.decisions.get(self.seat)
        )

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        play = table.play
        assert play is not None
        decision = self._decision(play)
        after = replace(play, decisions={**play.decisions, self.seat: decision})
        data = {
            "seat": self.seat,
            "player": play.players[self.seat],
            "decision": encode(decision),
            "later": dict(game_at(table).later_wagers(rules_at(table), seat_of(play, self.seat, decision))),
        }
        folded_after_draw = play.locked and self.choice == FOLD
        if not folded_after_draw and (phase := next_phase(table, after)) is not None:
            data["phase"] = phase
        chapter = game_at(table).chapter.chapter
        yield Event(
            "decision.made",
            data,
            (f"{chapter}.11(d)(3)" if play.locked else f"{chapter}.11(b)",),
            move(player_account(play.players[self.seat]), layout_account(table.id), self._cost(table, play, decision)),
        )
        if folded_after_draw:
            yield from settle_events(replace(table, play=after), desk, {Stage.AFTER_DRAW}, next_phase(table, after))


def next_phase(table: Table, play: Play) -> Phase | None:
    """The phase after a decision; none while somebody else is still asked."""
    if table.phase == Phase.DRAWING:
        return None if drawing(table, play) else Phase.REVEALING
    if locks_in(table) or undecided(table, play):
        return None
    return Phase.REVEALING


def seat_of(play: Play, seat: int, decision: Decided | None) -> Seat:
    return Seat(seat, play.hand(f"seat {seat}"), play.staked(seat), {} if decision is None else decision.by_step)


def stake_of(table: Table, play: Play, seat: int, decision: Decided | None) -> Cents:
    return sum(game_at(table).later_wagers(rules_at(table), seat_of(play, seat, decision)).values())


def decision_findings(table: Table, play: Play, seat: int, decision: Decided) -> Iterator[Finding]:
    """What the game has against a decision, with any cards standing for those still to be drawn."""
    candidate = decision
    count = game_at(table).draws(decision)
    if count and not decision.drawn:
        unseen = [card for card in DECK if card not in play.left_deck]
        candidate = replace(decision, drawn=tuple(unseen[:count]), then=FOLD)
    after = replace(play, decisions={**play.decisions, seat: candidate})
    for finding in verify_played(rules_at(table), after.as_round(extras_of(rules_at(table)))):
        later = finding.code == "decision-missing" and not play.locked  # asked after the draw
        if finding.where == f"seat {seat}" and not later:
            yield finding


@command("lock_decisions", {Phase.DECIDING}, LOCK_ACT)
@dataclass(frozen=True)
class LockDecisions(Command):
    """The dealer announces that all decisions are locked in."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        play = table.play
        assert play is not None
        if not locks_in(table):
            yield Finding(
                "no-lock-in", "", "a game with a draw", table.game, "Decisions are not locked in in this game."
            )
        elif waiting := undecided(table, play):
            seats = ", ".join(map(str, waiting))
            yield Finding(
                "undecided", cite_of(table, self.act), "every decision", f"seats {seats} undecided",
                f"Seats {seats} have not decided yet.",
            )  # fmt: skip

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        yield Event("decisions.locked", {"phase": Phase.LOCKED}, (cite_of(table, self.act),))


def after_locked(table: Table) -> Phase:
    """Once nothing waits before the draw: on to the draw, or past it."""
    play = table.play
    assert play is not None
    return Phase.DRAWING if drawing(table, play) else Phase.REVEALING


def cards_short(table: Table) -> int:
    """How many cards the stub lacks for everybody who has paid to draw; none if it suffices."""
    play = table.play
    assert play is not None
    game = game_at(table)
    wanted = sum(game.draws(play.decisions[seat]) for seat in drawing(table, play) if not play.decisions[seat].drawn)
    return max(0, wanted - (len(DECK) - len(play.left_deck)))
