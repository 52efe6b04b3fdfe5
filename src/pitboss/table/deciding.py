"""Section .11, the players' part: decisions in seat order, the lock-in, and the cards that a decision buys."""

from collections.abc import Iterator
from dataclasses import replace

from pitboss.cards import CardError, Hand, parse_cards, show_card
from pitboss.findings import Finding, refusal
from pitboss.games.course import Betting, Decide, Draw, Option
from pitboss.games.round import Decision, own_place
from pitboss.money import Cents, show_dollars
from pitboss.names import listed, shown
from pitboss.table.act import Act
from pitboss.table.command import AtSeat, Command, command
from pitboss.table.dealing import TakesCards
from pitboss.table.desk import Desk, chips, short_of_chips
from pitboss.table.events import Event, layout_account, move, player_account, pot_account
from pitboss.table.happened import HIDDEN
from pitboss.table.kinds.cards import CardsDrawn
from pitboss.table.kinds.decisions import DecisionsLocked, PlayerDecided, StoredDecision
from pitboss.table.place import asked, inner_stages, owed, place_of, undecided
from pitboss.table.ruling import cite_of, game_at, rules_at
from pitboss.table.state import LiveRound, Phase, Table
from pitboss.table.turns import followed, turn_events, turns_left

LOCK_ACT = "announce-all-decisions-locked-in"


def deciding_now(table: Table) -> tuple[Decide | None, tuple[int, ...]]:
    """The step at which seats choose now, and those that may: the next in order, or all until they are locked in."""
    play, place = table.play, place_of(table)
    step = place.step
    if play is None or not isinstance(step, Decide):
        return None, ()
    return step, asked(table, play, step) if step.together else (place.seat or 0,)


def decision_findings(table: Table, seat: int, step: Decide, decision: Decision) -> Iterator[Finding]:
    """What the game has against a decision, with what the seat sees."""
    play = table.playing
    yield from game_at(table).decision_findings(rules_at(table), play.as_round(), step, play.seat(seat), decision)


def cost_of(table: Table, seat: int, step: Decide, decision: Decision) -> Cents:
    """Chips that a decision puts on the layout beyond an earlier one at the same step; below zero if it takes back."""
    before = table.playing.seat(seat)
    stakes = game_at(table).stakes
    rules, after = rules_at(table), before.deciding(step.name, decision)
    return sum(stakes(rules, after).values()) - sum(stakes(rules, before).values())


def choices_when_left(table: Table, seat: int, step: Decide) -> tuple[Option, ...]:
    """What can be chosen for a seat whose player has left: whatever moves no chips.

    Where every choice costs chips, as a bring-in does, the rules of the hand force the least of them on the seat.
    """
    play = table.playing
    options = game_at(table).options(rules_at(table), play.as_round(), play.seat(seat), step)
    free = tuple(option for option in options if not (option.puts or option.takes_back or option.price))
    return free or tuple(sorted(options, key=lambda option: option.price or 0)[:1])


@command("decide", {Phase.DECIDING, Phase.DRAWING}, "no-decision-changed-once-locked-in")
class MakeDecision(AtSeat):
    """A player's decision at the step that the round has come to."""

    choice: str
    amount: Cents | None = None
    discard: str = ""
    unseen: int = 0
    """How many cards are exchanged at a physical table, where nobody says which."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        play = table.playing
        step, turn = deciding_now(table)
        if step is None:
            yield self._not_asked(table, play, None, turn)
            return
        if self.seat not in turn:
            mine = play.seat(self.seat)
            in_turn = isinstance(step, Betting)
            nothing_open = game_at(table).course.unit in mine.wagers and not mine.decisions and not in_turn
            if nothing_open and self.seat not in (*play.absent, *asked(table, play, step)):
                yield from decision_findings(table, self.seat, step, Decision(self.choice))
            else:
                yield self._not_asked(table, play, step, turn)
            return
        try:
            decision = self.decision()
        except CardError as problem:
            yield refusal("card", "cards such as 'As Td'", self.discard, str(problem), cite=step.cite, seat=self.seat)
            return
        if self.seat in play.left:
            yield from self._for_the_absent(table, play, step)
        if self.unseen and not table.physical:
            sentence = "Say which cards are given up, not how many."
            yield refusal("card", "cards such as 'As Td'", f"{self.unseen} cards", sentence, cite=step.cite)
        if self.discard and table.physical:
            sentence = "Nobody but the player knows the cards: say how many are given up, not which."
            yield refusal("card", "a number of cards", self.discard, sentence, cite=step.cite, seat=self.seat)
        yield from decision_findings(table, self.seat, step, decision)
        cost = cost_of(table, self.seat, step, decision)
        player = play.players[self.seat]
        if cost > chips(desk, player):
            expected, sentence = short_of_chips(desk, player, cost)
            yield refusal("chips", expected, show_dollars(cost), sentence, cite=step.cite, seat=self.seat)

    def _for_the_absent(self, table: Table, play: LiveRound, step: Decide) -> Iterator[Finding]:
        """Chips of a player who has left move by the rules of the hand, and by no choice that staff make."""
        where = f"seat {self.seat}"
        if step.name in play.decisions.get(self.seat, {}) and not isinstance(step, Betting):
            sentence = f"The player of seat {self.seat} decided before leaving: that decision stands."
            yield refusal("left-seat", "the decision made", self.choice, sentence, where, cite=step.cite)
            return
        names = [option.name for option in choices_when_left(table, self.seat, step)]
        if self.choice not in names:
            only = listed(names)
            sentence = f"The player of seat {self.seat} has left: only {only} can be chosen for that seat."
            yield refusal("left-seat", only, self.choice, sentence, where, cite=step.cite)

    def _not_asked(self, table: Table, play: LiveRound, step: Decide | None, turn: tuple[int, ...]) -> Finding:
        again = isinstance(step, Betting)
        if step is not None and not again and step.name in play.decisions.get(self.seat, {}):
            why = f"Seat {self.seat} has decided already."
        elif turn:
            why = f"It is seat {turn[0]}'s turn to decide, not seat {self.seat}'s."
        else:
            why = f"Seat {self.seat} is not asked now."
        expected = ", ".join(f"seat {seat}" for seat in turn) or "nobody"
        cite = cite_of(table, LOCK_ACT, step.cite if step is not None else "")
        return refusal("decision-order", expected, f"seat {self.seat}", why, cite=cite, seat=self.seat)

    def decision(self) -> Decision:
        return Decision(self.choice, self.amount, parse_cards(self.discard), unseen=self.unseen)

    def events(self, table: Table, desk: Desk) -> Act:
        return followed(table, desk, self._events(table, desk))

    def _events(self, table: Table, desk: Desk) -> Iterator[Event]:
        play, (step, _) = table.playing, deciding_now(table)
        assert step is not None
        decision, player = self.decision(), play.players[self.seat]
        alone = replace(play.seat(self.seat), decisions={step.name: decision})
        game, rules = game_at(table), rules_at(table)
        played = play.as_round()
        price = next((o.price for o in game.options(rules, played, alone, step) if o.name == self.choice), None) or 0
        name = game.turn(rules, played, step, self.seat)
        made = PlayerDecided(
            seat=self.seat,
            player=player,
            step=name,
            decision=StoredDecision.of(decision),
            later=dict(game.course.put_down(rules, alone)),
            back={wager: play.staked(self.seat)[wager] for wager in game.course.taken_back(rules, alone)},
            price=price,
        )
        entries = move(player_account(player), layout_account(table.id), cost_of(table, self.seat, step, decision))
        into_pot = move(layout_account(table.id), pot_account(table.id), price)
        yield Event(made, (step.cite,), (*entries, *into_pot))
        if inner := inner_stages(place_of(table)):
            after = replace(table, play=play.deciding(self.seat, name, decision))
            for turn in turns_left(after, desk):
                if turn.seat == self.seat and turn.stage in inner:
                    yield from turn_events(after, turn)


@command("lock_decisions", {Phase.DECIDING}, LOCK_ACT)
class LockDecisions(Command):
    """The dealer announces that all decisions are locked in."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        step, _ = deciding_now(table)
        if step is None or not step.together:
            sentence = "Decisions are not locked in in this game."
            yield refusal("no-lock-in", "decisions that are locked in", "none", sentence)
        elif waiting := undecided(table, table.playing, step):
            seats = ", ".join(map(str, waiting))
            sentence = f"Seats {seats} have not decided yet."
            yield self.refusal(table, "undecided", "every decision", f"seats {seats} undecided", sentence)

    def events(self, table: Table, desk: Desk) -> Act:
        step, _ = deciding_now(table)
        assert step is not None
        locked = Event(DecisionsLocked(step=step.name), (cite_of(table, self.act),))
        return followed(table, desk, (locked,))


def drawing_now(table: Table) -> int | None:
    """The seat that is dealt the cards it has bought, if the round has come to that."""
    place = place_of(table)
    return place.seat if isinstance(place.step, Draw) else None


def cards_short(table: Table) -> int:
    """How many cards the stub lacks for everybody who has paid to draw; none if it suffices."""
    play = table.playing
    return max(0, sum(owed(table, play, seat) for seat in play.wagers) - play.in_deck)


@command("draw", {Phase.DRAWING}, "collect-fee-before-draw")
class DrawCards(TakesCards):
    """Collect what the next player pays for cards and deal them."""

    def wanted(self, table: Table) -> int:
        seat = drawing_now(table)
        return owed(table, table.playing, seat) if seat is not None else 0

    def places(self, table: Table) -> tuple[str, ...]:
        return () if table.physical else (own_place("seat", drawing_now(table) or 0),) * self.wanted(table)

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if drawing_now(table) is None:
            seat = place_of(table).seat
            sentence = f"Seat {seat} decides first what to do with the new cards."
            yield self.refusal(table, "nothing-to-draw", f"the decision of seat {seat}", "a draw", sentence)
            return
        wanted, left = self.wanted(table), table.playing.in_deck
        if wanted > left:
            cite = cite_of(table, "wrong-number-of-cards")
            sentence = (
                "The stub cannot fill this exchange: report the irregularity exchange-unfilled; the round is void."
            )
            yield refusal("stub-too-small", f"{wanted} cards", f"{left} cards", sentence, cite=cite)
            return
        yield from self.card_findings(table)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        seat = drawing_now(table)
        yield from turn_events(table, next(turn for turn in turns_left(table, desk) if turn.seat == seat))
        yield self.drawn(table, () if table.physical else self.take(table, desk))

    def drawn(self, table: Table, cards: Hand) -> Event:
        """The cards that the next seat is dealt; at a physical table nobody knows them."""
        play, seat = table.playing, drawing_now(table)
        assert seat is not None
        draws = game_at(table).draws
        step, made = next((n, made) for n, made in play.decisions[seat].items() if draws(made) and not made.drawn)
        act = "replace-discards-from-deck" if made.discard or made.unseen else "deal-card-bought"
        faces = [HIDDEN] * self.wanted(table) if table.physical else map(show_card, cards)
        placed = tuple((card, f"seat {seat}", False) for card in faces)
        return Event(CardsDrawn(seat=seat, step=step, cards=placed), (cite_of(table, act),))


def fee_of(table: Table, desk: Desk) -> str:
    """What the next player pays for cards, as a person calls it."""
    seat = drawing_now(table)
    turn = next((turn for turn in turns_left(table, desk) if turn.seat == seat), None)
    return shown(turn.lines[0].wager) if turn is not None else "fee"


def warning(table: Table) -> str:
    """Said to the dealer before an exchange fails: the stub will not suffice for everybody who has paid."""
    if table.play is None or table.phase not in (Phase.DECIDING, Phase.LOCKED, Phase.DRAWING):
        return ""
    short = cards_short(table)
    return f"The stub lacks {short} cards for the exchanges asked for." if short else ""
