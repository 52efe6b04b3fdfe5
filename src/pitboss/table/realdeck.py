"""A deck of real cards in a demonstration, the school or a test: it lies beside the table, not in it."""

from collections.abc import Sequence

from pitboss.cards import Card, Hand, show_cards
from pitboss.games.round import LAST, own_place, owner
from pitboss.games.settlement import Book
from pitboss.records import replace
from pitboss.table.autoplay import plain_decision
from pitboss.table.command import Command
from pitboss.table.dealing import DealCards, TakesCards, slots_left
from pitboss.table.deciding import DrawCards
from pitboss.table.declaring import Declare, may_declare
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.source import Randomness, shuffle
from pitboss.table.state import VIRTUAL, LiveRound, Table
from pitboss.table.streets import street_now


class RealDeck:
    """The cards of one round in the order in which they leave the deck.

    The table is given a card only when a command turns it up; players look at their own.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards: Hand = tuple(cards)

    @classmethod
    def shuffled(cls, randomness: Randomness) -> "RealDeck":
        return cls(shuffle(randomness))

    def keyed(self, table: Table, command: Command) -> Command:
        """A command with the cards that the dealer reads off the layout and keys in with it."""
        if table.source == VIRTUAL or table.play is None or not isinstance(command, TakesCards):
            return command
        places = command.places(table)
        return replace(command, cards=show_cards(self._faces(table, command, places))) if places else command

    def covered(self, play: LiveRound, place: str) -> Hand:
        """The cards of a place that nobody has turned up."""
        laid = self._laid(play)
        return tuple(laid[at] for at, dealt in enumerate(play.dealt) if dealt.to == place and dealt.card is None)

    def plain_decision(self, table: Table, seat: int) -> Command:
        """What a sensible player says who looks at the cards of the seat; first that the hand wins, if it does."""
        seen = self.seen_by(table, seat)
        if may_declare(table, seat) and (declared := _declaration(seen, seat)) is not None:
            return declared
        return plain_decision(seen, seat)

    def seen_by(self, table: Table, seat: int) -> Table:
        """The table as the player of a seat sees it, with the cards that lie before it."""
        play, own = table.playing, own_place("seat", seat)
        faces = iter(self.covered(play, own))
        dealt = tuple(replace(d, card=next(faces)) if d.to == own and d.card is None else d for d in play.dealt)
        last = {**play.last, seat: self._last(play, seat)} if seat in play.drew else play.last
        return replace(table, play=replace(play, dealt=dealt, last=last))

    def _faces(self, table: Table, command: TakesCards, places: Sequence[str]) -> Sequence[Card]:
        play = table.playing
        laid, gone = self._laid(play), len(play.dealt)
        if isinstance(command, DealCards) or street_now(table):
            slots = slots_left(table)[: command.wanted(table)]
            return [laid[gone + at] for at, slot in enumerate(slots) if slot.face_up or not table.physical]
        if isinstance(command, DrawCards):
            gone += sum(len(made.drawn) for by_step in play.decisions.values() for made in by_step.values())
            return laid[gone : gone + len(places)]
        if places[0].startswith(f"{LAST} "):
            return self._last(play, owner(places[0]) or 0)
        return self.covered(play, places[0])[: len(places)]

    def _last(self, play: LiveRound, seat: int) -> Hand:
        """What a seat holds after drawing; whatever it gave up lay in front."""
        laid = self._laid(play)
        first = [laid[at] for at, dealt in enumerate(play.dealt) if dealt.to == own_place("seat", seat)]
        start = len(play.dealt) + sum(count for other, count in play.drew.items() if other < seat)
        gave_up = sum(made.unseen for made in play.decisions[seat].values())
        return (*first[gave_up:], *laid[start : start + play.drew[seat]])

    def _laid(self, play: LiveRound) -> Hand:
        """The cards in the order of the deal: those found face up in the deck are put aside."""
        return tuple(card for card in self.cards if card not in play.unused)


def _declaration(table: Table, seat: int) -> Command | None:
    """What the player of a hand says that wins before anything else is settled; ``table`` knows the hand."""
    rules, game, played = rules_at(table), game_at(table), table.playing.as_round()
    own = replace(table.playing.seat(seat), declared=True)
    if not game.options(rules, played, own, game.course.decides[0]):
        return Declare(show_cards(own.cards), seat)
    book = Book(rules, {}, [])
    game.settle(rules, replace(played, seats=(own,)), book, game.course.settle_groups[:1])
    return Declare(seat=seat) if any(line.net > 0 for line in book.lines) else None
