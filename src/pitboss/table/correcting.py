"""Cards that were keyed in wrongly: by the dealer at once, by a floorperson after the hand was settled."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.cards import Card, Hand, show_card, show_cards
from pitboss.findings import Finding, refusal
from pitboss.games.course import Deal
from pitboss.games.round import LAST, cards_at, own_place, owner
from pitboss.games.settlement import Book
from pitboss.meters import Meter
from pitboss.records import replace
from pitboss.table.act import Act
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.fold import apply
from pitboss.table.kinds.cards import CardCorrected
from pitboss.table.roles import Role
from pitboss.table.ruling import deal_cite, game_at, is_private, rules_at
from pitboss.table.source import key_in
from pitboss.table.state import IN_ROUND, LiveRound, Phase, Table
from pitboss.table.turns import disputed, followed

SUPERVISORS = (Role.FLOORPERSON, Role.PIT_MANAGER)


@command("correct_card", IN_ROUND, "announce-no-more-bets", needs=Deal)
class CorrectCard(Command):
    """A card that was keyed in wrongly, as long as nothing else has happened in the round since.

    At a physical table the mistake may come to light only when the same card is turned up elsewhere. A floorperson who
    doesn't deal corrects a card of a player's hand even then, if nothing is paid otherwise because of it.
    """

    wrong: str
    right: str
    why: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        play, cite = table.playing, deal_cite(table)
        wrong, _ = key_in(self.wrong, (), cite)
        late = desk.role in SUPERVISORS and len(wrong) == 1 and bool(_hand_with(table, wrong[0]))
        if not late and (desk.role in SUPERVISORS or len(wrong) != 1 or wrong[0] not in play.keyed):
            yield self._refused(table, desk)
            return
        right, problems = key_in(self.right, play.left_deck, cite)
        yield from problems
        if not problems and len(right) != 1:
            yield refusal("card-count", "1 card", len(right), "One card takes the place of another.", cite=cite)
        elif not problems and late:
            yield from self._late(table, desk, wrong[0])

    def _refused(self, table: Table, desk: Desk) -> Finding:
        cite = deal_cite(table)
        if desk.role in SUPERVISORS:
            sentence = "A floorperson corrects cards of players' hands that were turned up at a table with real cards."
            return refusal("not-keyed", "a card of a player's hand", self.wrong, sentence, cite=cite)
        open_cards = show_cards(table.playing.keyed)
        sentence = (
            f"{self.wrong or 'No card'} cannot be corrected: {open_cards} can."
            if open_cards
            else "A card can be corrected only until the next act of the round; call the floorperson."
        )
        return refusal("not-keyed", open_cards or "no card", self.wrong, sentence, cite=cite)

    def _late(self, table: Table, desk: Desk, wrong: Card) -> Iterator[Finding]:
        where = _hand_with(table, wrong)
        if desk.person == table.playing.dealer:
            sentence = f"{desk.person} deals this round; another floorperson or above corrects the card."
            yield self.refusal(table, "two-people", "somebody else than the dealer", desk.person, sentence)
        if not self.why.strip():
            yield self.refusal(table, "no-reason", "a reason", "none", "Say why, for the record.", where)
        if _outcome(table, where) != _outcome(apply(table, self._corrected(table)), where):
            sentence = (
                f"With {self.right} instead of {self.wrong} {cards_at(where)} is settled otherwise, and a correction "
                "changes nothing that is paid. Declare the round void if the hand was settled wrongly."
            )
            yield self.refusal(table, "paid-otherwise", "the same payments", "others", sentence, where)

    def _corrected(self, table: Table) -> CardCorrected:
        play, (wrong,), (right,) = table.playing, key_in(self.wrong, ())[0], key_in(self.right, ())[0]
        dealt = next((each for each in play.dealt if each.card == wrong), None)
        to, up = (dealt.to, dealt.face_up) if dealt is not None else (f"seat {_drawer(play, wrong)}", False)
        up = up or table.physical  # a card that is known there has been turned up
        return CardCorrected(
            wrong=show_card(wrong), right=show_card(right), to=to, up=up, private=is_private(table),
            why=self.why.strip(),
        )  # fmt: skip

    def events(self, table: Table, desk: Desk) -> Act:
        event = Event(self._corrected(table), tuple(filter(None, (deal_cite(table),))))
        if table.phase in (Phase.DEALING, Phase.STUB):
            return Act.of(table, (event,))
        return followed(table, desk, (event,))


def _drawer(play: LiveRound, card: Card) -> int:
    """The seat that drew a card."""
    hands = ((s, each.drawn) for s, made in play.decisions.items() for each in made.values())
    return next(seat for seat, cards in (*hands, *play.last.items()) if card in cards)


def _hand_with(table: Table, card: Card) -> str:
    """The player's hand in which a card was turned up at a physical table; empty if there is none."""
    play = table.playing
    if not table.physical or game_at(table).course.contest:
        return ""
    hands: dict[str, Hand] = {own_place("seat", seat): play.hand(own_place("seat", seat)) for seat in play.wagers}
    hands |= {own_place(LAST, seat): cards for seat, cards in play.last.items()}
    return next((place for place, cards in hands.items() if card in cards), "")


@dataclass(frozen=True)
class _Outcome:
    lines: tuple[object, ...]
    disputed: tuple[object, ...]


def _outcome(table: Table, place: str) -> _Outcome:
    """What a hand wins, loses and earns others, as far as cards are known, and the choices that it did not allow."""
    rules, game, played, seat = rules_at(table), game_at(table), table.playing.as_round(), owner(place) or 0
    meters = {name: Meter.seeded(name, spec, 100) for name, spec in rules.meters.items()}
    lines: list[object] = []
    for seats in (played.seats, tuple(each for each in played.seats if each.number == seat)):
        book = Book(rules, meters, (), table.playing.absent)
        game.settle(rules, replace(played, seats=seats), book)
        lines += [replace(line, why="") for line in book.lines]
    return _Outcome(tuple(lines), disputed(table, seat))
