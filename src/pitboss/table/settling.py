"""Section .11, the dealer's part: forfeits, cards turned up, each seat's turn, jackpots and their documents."""

from collections.abc import Iterable, Iterator

from pitboss.cards import Card, Hand, show_cards
from pitboss.findings import Finding, refusal
from pitboss.games.course import Deal, TurnUp
from pitboss.games.round import cards_at, own_place
from pitboss.games.settlement import Turn
from pitboss.records import replace
from pitboss.table.act import Act
from pitboss.table.command import AtSeat, Command, command
from pitboss.table.dealing import TakesCards, dealt_event, dealt_out
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.kinds.cards import CardsTurnedUp, DealerRevealed, HandsShown
from pitboss.table.kinds.decisions import HandConceded
from pitboss.table.kinds.settlement import PaperworkCompleted, PayoutValidated, TurnsCompleted
from pitboss.table.place import open_cards, place_of
from pitboss.table.ruling import cite_of, game_at, hand_at
from pitboss.table.state import Phase, Table
from pitboss.table.streets import street_cite, street_now, undealt
from pitboss.table.turns import (
    Wait,
    disputed,
    followed,
    needs_floorperson,
    ready_turns,
    turn_events,
    turn_key,
    turns_left,
    unsettled,
    waits_for,
)

SHOWDOWN_ACT = "show-hands-from-last-bettor"


@command("settle", {Phase.LOCKED, Phase.REVEALING, Phase.SETTLING}, "settle-in-turn")
class SettleTurns(Command):
    """Settle the next seat's turn, or as many as are ready. Before the reveal that is collecting forfeits."""

    turns: int = 0
    """How many turns; 0 for all that are ready."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from unsettled(table, desk)
        ready, waiting = ready_turns(table, desk)
        if self.turns < 0:
            yield refusal("turns", "a number of turns", self.turns, "Give how many turns to settle.")
        if not ready and waiting is not None:
            yield self._waiting(table, waiting)
        elif not ready and table.phase == Phase.REVEALING:
            yield refusal("nothing-to-settle", "forfeited wagers", "none", "Nothing is forfeited: turn the cards up.")

    def _waiting(self, table: Table, turn: Turn) -> Finding:
        where = f"seat {turn.seat}"
        match waits_for(table, turn):
            case Wait.CARDS:
                cards = cards_at(turn.needs)
                sentence = f"Turn up {cards} and key in its cards first."
                return self.refusal(table, "cards-face-down", f"{cards} turned up", "face down", sentence, where)
            case Wait.RULING:
                (_, odd), *_ = disputed(table, turn.seat)
                sentence = f"{odd.sentence} A floorperson rules on it before the hand is settled."
                return replace(odd, code="ruling-needed", sentence=sentence, where=where)
        cites = needs_floorperson(turn)
        expected = "a floorperson's validation"
        sentence = f"A floorperson validates the payout at seat {turn.seat} before it is paid."
        return refusal("validation-needed", expected, "none", sentence, where, cite=cites[0])

    def events(self, table: Table, desk: Desk) -> Act:
        ready, _ = ready_turns(table, desk)
        chosen = ready[: self.turns or None]
        events = [event for turn in chosen for event in turn_events(table, turn)]
        return followed(table, desk, events or (Event(TurnsCompleted()),), chosen)


@command("reveal", {Phase.REVEALING})
class Reveal(TakesCards):
    """Turn cards up once forfeited wagers are collected: the dealer's hand, or so many of a shared place.

    The cards of a street leave the deck now. What nobody knew before is keyed in.
    """

    def wanted(self, table: Table) -> int:
        return len(street_now(table)) or self._covered(table)

    def _covered(self, table: Table) -> int:
        """How many unknown cards are turned up."""
        step = place_of(table).step
        if not isinstance(step, TurnUp):
            return 0
        covered = table.playing.covered.get(_place(table, step), 0)
        return min(step.cards or covered, covered)

    def places(self, table: Table) -> tuple[str, ...]:
        step = place_of(table).step
        return (_place(table, step),) * self.wanted(table) if isinstance(step, TurnUp) else ()

    def card_cite(self, table: Table) -> str:
        return street_cite(table) if street_now(table) else self.phase_cite(table)

    def phase_cite(self, table: Table) -> str:
        steps = game_at(table).course.flat if table.game else ()
        return next((step.cite for step in steps if isinstance(step, TurnUp)), "")

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from unsettled(table, desk)
        if left := turns_left(table, desk):
            found = "wagers of folded hands on the layout"
            sentence = "Forfeited wagers are collected before cards are turned up."
            cite = next((line.cite for turn in left for line in turn.lines), "")
            yield refusal("forfeits-first", "forfeited wagers collected", found, sentence, cite=cite)
        if (street := len(street_now(table))) > table.playing.in_deck:
            found, sentence = f"{table.playing.in_deck} cards", "The deck does not hold enough cards."
            yield refusal("deck-runs-out", f"{street} cards", found, sentence, cite=self.card_cite(table))
        if self.wanted(table):
            yield from self.card_findings(table)
        elif self.cards:
            sentence = "No card leaves the deck now: the cards that are turned up have been dealt."
            yield refusal("card-count", "no cards", self.cards, sentence, cite=self.phase_cite(table))

    def events(self, table: Table, desk: Desk) -> Act:
        play, step = table.playing, place_of(table).step
        assert isinstance(step, TurnUp)
        if slots := street_now(table):
            cards = self.take(table, desk)
            dealt = dealt_event(table, slots, cards, (street_cite(table), step.cite))
            up = Event(CardsTurnedUp(place=step.place, cards=show_cards(cards)), (step.cite,))
            goes_on = followed if undealt(table) > len(slots) else dealt_out
            return goes_on(table, desk, (dealt, up))
        keyed = self.take(table, desk) if self.wanted(table) else ()
        cards = placed(play.places.get(_place(table, step), ()), keyed)
        if (hand := hand_at(table)) is not None:
            shown = {str(seat): show_cards(play.hand(f"seat {seat}")) for seat in hand.shown}
            if hand.showing is not None:
                shown = {str(hand.showing): show_cards(cards)}
            turned = Event(HandsShown(hands=shown), (step.cite,))
        elif step.place == "dealer":
            turned = Event(DealerRevealed(cards=show_cards(cards)), (step.cite,))
        else:
            first = open_cards(table).get(step.place, 0)
            more = cards[first : first + step.cards] if step.cards else cards[first:]
            turned = Event(CardsTurnedUp(place=step.place, cards=show_cards(more)), (step.cite,))
        return followed(table, desk, (turned,), None if keyed else ())


def _place(table: Table, step: TurnUp) -> str:
    """Where the cards lie that are turned up now: at a showdown with unknown cards, at the seat whose turn it is."""
    hand = hand_at(table)
    return step.place if hand is None or hand.showing is None else own_place("seat", hand.showing)


def conceding(table: Table) -> int | None:
    """The seat that may concede the showdown now."""
    hand = hand_at(table) if table.play is not None and table.phase == Phase.REVEALING else None
    showing = None if hand is None else hand.showing
    return showing if hand is not None and showing is not None and hand.may_concede(showing) else None


@command("concede", {Phase.REVEALING}, SHOWDOWN_ACT, needs=Deal)
class Concede(AtSeat):
    """Concede the showdown at a physical table: the hand is not turned up, and stays unknown."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        hand, where = hand_at(table), f"seat {self.seat}"
        showing = None if hand is None else hand.showing
        if hand is None or showing != self.seat:
            expected = "no hand" if showing is None else f"seat {showing}"
            sentence = f"Seat {self.seat} cannot concede now."
            if showing is not None:
                sentence = f"It is the turn of seat {showing} to show its hand, not of seat {self.seat}."
            yield self.refusal(table, "decision-order", expected, where, sentence, where)
        elif not hand.may_concede(self.seat):
            why = "a pot that it could win has no shown hand"
            if hand.terms.disclosure:
                why = "everybody in the showdown shows the cards here"
            elif hand.all_in:
                why = "somebody is all-in, and then every hand is shown"
            sentence = f"Seat {self.seat} must show its hand: {why}."
            yield self.refusal(table, "hand-not-shown", "a hand that is shown", "conceded", sentence, where)

    def events(self, table: Table, desk: Desk) -> Act:
        conceded = HandConceded(seat=self.seat, player=table.playing.players[self.seat])
        return followed(table, desk, (Event(conceded, (cite_of(table, self.act),)),))


def placed(positions: Iterable[Card | None], cards: Iterable[Card]) -> Hand:
    """The known cards of a place, once these have been turned up in its first unknown positions."""
    new = iter(cards)
    every = (next(new, None) if card is None else card for card in positions)
    return tuple(card for card in every if card is not None)


@command("validate", {Phase.LOCKED, Phase.SETTLING}, "validate-progressive-payout")
class Validate(Command):
    """A floorperson validates the payout whose turn it is."""

    seat: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        ready, waiting = ready_turns(table, desk)
        due = waiting if waiting is not None and waits_for(table, waiting) is Wait.VALIDATION else None
        if ready or due is None or due.seat != self.seat:
            expected = f"seat {due.seat}, after the turns before it" if due else "a payout to validate"
            sentence = f"No payout at seat {self.seat} waits for a validation now."
            yield self.refusal(table, "nothing-to-validate", expected, f"seat {self.seat}", sentence)
        if table.play is not None and desk.person == table.play.dealer:
            sentence = f"{desk.person} deals this round; another floorperson or above validates what is won in it."
            yield self.refusal(table, "two-people", "somebody else than the dealer", desk.person, sentence)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        _, waiting = ready_turns(table, desk)
        assert waiting is not None
        yield Event(PayoutValidated(seat=self.seat, turn=turn_key(waiting)), needs_floorperson(waiting))


@command("complete_paperwork", {Phase.SETTLING, Phase.COLLECTING})
class CompletePaperwork(Command):
    """The jackpot documents are complete; the cards may leave the table."""

    document: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if not table.playing.paperwork:
            yield refusal("no-paperwork", "a jackpot to document", "none", "No jackpot waits for its documents.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        cites = tuple(dict.fromkeys(line.cite for line in table.playing.lines if line.from_meter))
        yield Event(PaperworkCompleted(document=self.document), cites)
