"""Cards of a physical deck as they are turned up: the hand that a turn waits for, and a choice it did not allow."""

from collections.abc import Iterator

from pitboss.cards import Hand, show_cards
from pitboss.findings import Finding
from pitboss.games.course import Deal, Option
from pitboss.games.round import LAST, Decision, cards_at, owner
from pitboss.money import Cents, show_dollars
from pitboss.names import shortened, shown
from pitboss.records import replace
from pitboss.table.act import Act
from pitboss.table.command import Command, command
from pitboss.table.dealing import TakesCards
from pitboss.table.desk import Desk
from pitboss.table.events import Entry, Event, layout_account, move, player_account
from pitboss.table.happened import but
from pitboss.table.kinds.cards import CardsShown
from pitboss.table.kinds.decisions import ChoiceRuled, StoredDecision
from pitboss.table.ruling import cite_of, game_at, is_private, rules_at
from pitboss.table.source import key_in
from pitboss.table.state import Phase, Table
from pitboss.table.turns import Wait, disputed, followed, ready_turns, waits_for
from pitboss.table.voiding import stakes_of

SETTLE_ACT = "settle-in-turn"
SETTLED_IN = frozenset({Phase.LOCKED, Phase.REVEALING, Phase.SETTLING})


@command("turn_up", SETTLED_IN, SETTLE_ACT, needs=Deal)
class TurnUpCards(TakesCards):
    """Turn up the cards that the next turn of the settlement waits for, and key them in."""

    place: str = ""
    """Where they lie, such as ``seat 3``; the place that the turn waits for by default."""

    def wanted(self, table: Table) -> int:
        return table.playing.covered.get(self.place, 0)

    def places(self, table: Table) -> tuple[str, ...]:
        return (self.place,) * self.wanted(table)

    def seen(self, table: Table) -> Hand:
        """After a draw a hand may hold cards that lay open before it."""
        own = table.playing.hand(self._first())
        return tuple(card for card in table.playing.left_deck if card not in own)

    def _first(self) -> str:
        """Where the first cards lie, if the hand that is turned up has drawn others."""
        return f"seat {owner(self.place)}" if self.place.startswith(f"{LAST} ") else ""

    def _kept(self, table: Table) -> Iterator[Finding]:
        """Of a hand that was seen before the draw, all but the cards given up are still there."""
        own = table.playing.hand(self._first())
        cards = key_in(self.cards, self.seen(table))[0]
        if own and len(cards) == self.wanted(table):
            due = len(cards) - table.playing.drew[owner(self.place) or 0]
            stayed = sum(card in own for card in cards)
            if stayed != due:
                sentence = f"{due} of the first cards {show_cards(own)} stayed in the hand, not {stayed}."
                yield self.refusal(table, "cards-kept", f"{due} of them", str(stayed), sentence, self.place)

    def _due(self, table: Table, desk: Desk) -> str:
        ready, waiting = ready_turns(table, desk)
        return waiting.needs if waiting is not None and not ready else ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        due = self._due(table, desk)
        if not due or self.place not in ("", due):
            expected = cards_at(due) if due else "no cards"
            found = shortened(cards_at(self.place)) if self.place else "any cards"
            ready, _ = ready_turns(table, desk)
            first = f": turn up {expected} first" if due else f": settle seat {ready[0].seat} first" if ready else ""
            sentence = f"Don't turn up {found} now{first}."
            yield self.refusal(table, "not-turned-up-now", expected, found, sentence, shortened(self.place))
            return
        named = replace(self, place=due)
        problems = tuple(named.card_findings(table))
        yield from problems or named._kept(table)

    def events(self, table: Table, desk: Desk) -> Act:
        place = self._due(table, desk)
        cards = show_cards(replace(self, place=place).take(table, desk))
        shown_now = CardsShown(place=place, cards=cards, private=is_private(table))
        event = Event(shown_now, tuple(filter(None, (cite_of(table, self.act),))))
        return followed(table, desk, (event,))


@command("rule_choice", SETTLED_IN, SETTLE_ACT, needs=Deal)
class RuleChoice(Command):
    """A floorperson rules on a choice that was taken on the player's word and that the hand did not allow."""

    seat: int
    step: str
    stands: bool
    """Whether the wager stays as it was made; otherwise it is cut to the most that the hand allowed, and the rest goes
    back to the player."""
    why: str = ""

    def two_people(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        """The outcome is known: one person alone could let a friend's wager stand that won, and cut one that lost."""
        return "table.choice-stands" if self.stands and self.lawful(table) is not None else ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        ready, waiting = ready_turns(table, desk)
        due = waiting if waiting is not None and not ready and waits_for(table, waiting) is Wait.RULING else None
        open_steps = [] if due is None else [step for step, _ in disputed(table, due.seat)]
        if due is None or due.seat != self.seat or self.step not in open_steps:
            expected = f"seat {due.seat}, {shown(open_steps[0])}" if due is not None else "no choice to rule on"
            sentence = f"No choice of seat {self.seat} at {shown(self.step)} waits for a ruling now."
            yield self.refusal(table, "nothing-to-rule", expected, f"seat {self.seat}", sentence, f"seat {self.seat}")
            return
        if desk.person == table.playing.dealer:
            sentence = f"{desk.person} deals this round; another floorperson or above rules on it."
            yield self.refusal(table, "two-people", "somebody else than the dealer", desk.person, sentence)
        if not self.why.strip():
            sentence = "Say why, for the record."
            yield self.refusal(table, "no-reason", "a reason", "none", sentence, f"seat {self.seat}")
        if not self.stands and self.lawful(table) is None:
            sentence = f"The hand of seat {self.seat} allowed no such choice of any amount: let it stand."
            yield self.refusal(table, "no-lesser-amount", "stands", "cut", sentence, f"seat {self.seat}")

    def lawful(self, table: Table) -> Decision | None:
        """The same choice with the most that the hand allowed; None where it allowed no amount."""
        play, game, rules = table.playing, game_at(table), rules_at(table)
        made, seat = play.decisions[self.seat][self.step], play.seat(self.seat)
        step = next(step for step in game.course.decides if step.name == self.step)
        offered = step.offered(rules, game.sight(rules, play.as_round(), seat, step))
        option = next((option for option in offered if option.name == made.choice), None)
        most = None if option is None else _most(option, seat.stake(game.course.unit))
        return None if most is None else replace(made, amount=min(made.amount or most, most))

    def events(self, table: Table, desk: Desk) -> Act:
        play = table.playing
        player, made = play.players[self.seat], self.lawful(table)
        ruled = ChoiceRuled(seat=self.seat, player=player, step=self.step, stands=self.stands, why=self.why.strip())
        entries: tuple[Entry, ...] = ()
        if not self.stands and made is not None:
            after = play.deciding(self.seat, self.step, made)
            back = sum(stakes_of(table, play)[self.seat].values()) - sum(stakes_of(table, after)[self.seat].values())
            ruled = but(ruled, decision=StoredDecision.whole(made), returned=back)
            entries = move(layout_account(table.id), player_account(player), back)
        (_, odd) = next(each for each in disputed(table, self.seat) if each[0] == self.step)
        return followed(table, desk, (Event(ruled, tuple(filter(None, (odd.cite,))), entries),))


def _most(option: Option, unit: Cents) -> Cents | None:
    """The largest amount that an option lets a player say; None where there is nothing to say."""
    return max((unit * times.most for times in option.puts.values() if times.said), default=None)


def ruling_words(table: Table, seat: int) -> str:
    """What a floorperson rules on at a seat, as a sentence."""
    step, odd = disputed(table, seat)[0]
    made = table.playing.decisions[seat][step]
    amount = "" if made.amount is None else f" {show_dollars(made.amount)}"
    return f"Rule on the choice of seat {seat} ({made.choice}{amount}). {odd.sentence}"
