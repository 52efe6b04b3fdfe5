"""A winning hand that its player declares before decisions are locked in, where nobody else knows the cards."""

from collections.abc import Iterator

from pitboss.cards import Hand, show_cards
from pitboss.findings import Finding
from pitboss.games.course import Deal
from pitboss.games.round import own_place
from pitboss.records import replace
from pitboss.table.command import command
from pitboss.table.dealing import TakesCards
from pitboss.table.deciding import deciding_now
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.kinds.decisions import HandDeclared
from pitboss.table.roles import Role
from pitboss.table.ruling import cite_of, game_at, procedure_of, rules_at
from pitboss.table.state import Phase, Table

DECLARE_ACT = "declare-super-or-instant-payout-hand"


def may_declare(table: Table, seat: int) -> bool:
    """Whether a seat can declare a winning hand now."""
    return _open(table, seat) and seat not in (table.playing.declared or ())


def may_be_paid_at_once(table: Table, seat: int) -> bool:
    """Whether the dealer can key in the hand that a seat declares, or has declared: its player has decided nothing."""
    return _open(table, seat) and _unknown(table, seat) > 0 and not table.playing.decisions.get(seat)


def _open(table: Table, seat: int) -> bool:
    """Whether hands are declared now and a seat is in play."""
    if not table.physical or table.phase != Phase.DECIDING or procedure_of(table, DECLARE_ACT) is None:
        return False
    step, _ = deciding_now(table)
    return step is not None and step.together and seat in table.playing.wagers and seat not in table.playing.absent


def _unknown(table: Table, seat: int) -> int:
    return table.playing.covered.get(own_place("seat", seat), 0)


@command("declare", {Phase.DECIDING}, DECLARE_ACT, needs=Deal)
class Declare(TakesCards):
    """Declare a winning hand at a physical table; it is turned up when its wager is settled.

    The dealer keys in the cards of a hand that is paid at once now, with the declaration or after it: its player has
    nothing to decide.
    """

    seat: int = 0

    def acts_for(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        return table.player_at(self.seat)

    def wanted(self, table: Table) -> int:
        return _unknown(table, self.seat)

    def places(self, table: Table) -> tuple[str, ...]:
        return (own_place("seat", self.seat),) * self.wanted(table) if self.cards else ()

    def card_cite(self, table: Table) -> str:
        return cite_of(table, DECLARE_ACT)

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        play, where = table.playing, f"seat {self.seat}"
        if self.seat in (play.declared or ()) and not (self.cards and self.wanted(table)):
            sentence = f"Seat {self.seat} has declared already."
            yield self.refusal(table, "declared-already", "one declaration", "a second one", sentence, where)
        elif not _open(table, self.seat):
            sentence = f"Seat {self.seat} has no hand to declare now."
            if not table.physical or procedure_of(table, DECLARE_ACT) is None:
                sentence = "No hand is declared here: the cards decide."
            yield self.refusal(table, "nothing-to-declare", "an unknown hand in play", where, sentence, where)
        elif self.cards:
            if desk.role == Role.PLAYER:
                sentence = "The dealer verifies the hand and keys it in."
                yield self.refusal(table, "dealer-verifies", "the dealer", desk.person, sentence, where)
            elif problems := tuple(self.card_findings(table)):
                yield from problems
            else:
                yield from self._paid_at_once(table, self.take(table, desk))

    def _paid_at_once(self, table: Table, cards: Hand) -> Iterator[Finding]:
        """Only a hand that leaves nothing to choose is turned up before the others have chosen."""
        play, (step, _) = table.playing, deciding_now(table)
        assert step is not None
        seat = replace(play.seat(self.seat), cards=cards)
        hidden = {place: count for place, count in play.covered.items() if place != own_place("seat", self.seat)}
        played = replace(play.as_round().with_seats((seat,)), covered=hidden)
        where = f"seat {self.seat}"
        if game_at(table).options(rules_at(table), played, seat, step):
            sentence = f"{show_cards(cards)} is not paid at once. Declare it without its cards."
            yield self.refusal(table, "not-paid-at-once", "a hand that is", show_cards(cards), sentence, where)
        elif seat.decisions:
            sentence = f"Seat {self.seat} has decided; call the floorperson."
            yield self.refusal(table, "decided-already", "no decision", "a decision", sentence, where)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        cards = show_cards(self.take(table, desk)) if self.cards else ""
        declared = HandDeclared(seat=self.seat, player=table.playing.players[self.seat], cards=cards)
        yield Event(declared, (cite_of(table, DECLARE_ACT),))
