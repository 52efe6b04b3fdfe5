"""Wagers that stand although their hands are void: settled as if the hands had been folded, whose cards are shown."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pitboss.cards import show_cards
from pitboss.findings import Finding, refusal
from pitboss.games.course import FOLD
from pitboss.games.round import Decision, cards_at
from pitboss.games.settlement import Book, Turn
from pitboss.names import listed, shortened, shown
from pitboss.records import replace
from pitboss.table.chips import line_entries
from pitboss.table.events import Event
from pitboss.table.fold import apply
from pitboss.table.kinds.cards import CardsShown
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.source import key_in
from pitboss.table.state import Table
from pitboss.table.turns import line_settled


@dataclass(frozen=True)
class StandingWagers:
    """The wagers of a round that are settled all the same, with the cards of hands that must be turned up for it."""

    table: Table
    wagers: Collection[str]
    hands: Mapping[str, str]
    """Cards as the dealer keyed them in, by place; at a physical table only."""

    def findings(self, cite: str) -> Iterator[Finding]:
        """Why the hands that were turned up are not those that are needed."""
        table, asked = self.table, set()
        while place := self._waiting(table).needs:
            asked.add(place)
            cards, problems = key_in(self.hands.get(place, ""), table.playing.left_deck, cite)
            count = table.playing.covered[place]
            if place not in self.hands or (not problems and len(cards) != count):
                wagers = listed(shown(wager) for wager in sorted(self.wagers))
                sentence = f"Turn up {cards_at(place)} and key in {count} cards with the report: {wagers} stand."
                yield refusal("cards-face-down", f"{count} cards", f"{len(cards)} cards", sentence, place, cite=cite)
                return
            if problems:
                yield from problems
                return
            table = apply(table, CardsShown(place=place, cards=show_cards(cards)))
        for place in self.hands.keys() - asked:
            sentence = f"Don't turn up {shortened(cards_at(place))}: nothing that stands depends on it."
            found = shortened(self.hands[place])
            yield refusal("not-turned-up-now", "no cards", found, sentence, shortened(place), cite=cite)

    def events(self, cite: str) -> Iterator[Event]:
        """Hands turned up, then the lines of the wagers that stand."""
        table = self.table
        while place := self._waiting(table).needs:
            cards = show_cards(key_in(self.hands[place], table.playing.left_deck, cite)[0])
            shown_now = CardsShown(place=place, cards=cards)
            yield Event(shown_now, (cite,))
            table = apply(table, shown_now)
        for turn in self._book(table).turns() if self.wagers else ():
            for line in turn.lines:
                if line.settles in self.wagers:
                    settled = line_settled(line, turn.stage, turn.seat)
                    yield Event(settled, (line.cite, cite), line_entries(table, line))

    def _book(self, table: Table) -> Book:
        rules, game, play = rules_at(table), game_at(table), table.playing
        fold = {game.course.decides[0].name: Decision(FOLD.name)}
        book = Book(rules, {}, (), play.absent)
        game.settle(rules, replace(play, decisions=dict.fromkeys(play.wagers, fold)).as_round(), book)
        return book

    def _waiting(self, table: Table) -> Turn:
        """The turn that waits for cards, or an empty one."""
        last = self._book(table).turns()[-1:] if self.wagers else ()
        return last[0] if last else Turn("", 0, ())


def read_hands(text: str) -> dict[str, str]:
    """Hands by place as a person writes them, each in a part of its own.

    >>> read_hands("seat 3: Qs 9h 4d 2c; extra card: 2h")
    {'seat 3': 'Qs 9h 4d 2c', 'extra_card': '2h'}
    """
    parts = (part.partition(":") for part in text.replace("\n", ";").split(";") if part.strip())
    return {_place(place): cards.strip() for place, _, cards in parts}


def _place(words: str) -> str:
    """The name of a place: a seat keeps its blank before the number."""
    *name, last = words.lower().split() or [""]
    return f"{'_'.join(name)} {last}" if last.isdigit() else "_".join((*name, last))
