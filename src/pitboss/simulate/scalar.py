"""The same rounds by the scalar rules: dealt by the law's steps, decided by the same tables, settled by the game.

Rare rounds of a simulation are settled here, a strategy that is a Python function is played here, and the compiled
rounds are tested against it. Nothing here is fast.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numba import njit

from pitboss.cards import DECK, Card
from pitboss.games.course import Sight
from pitboss.games.deal import Dealing, deal_round
from pitboss.games.round import DECISION, THEN, Decision, Round, Seat, decided
from pitboss.games.settlement import Book, Settlement
from pitboss.meters import Meter
from pitboss.simulate.decisions import SUITS_MATTER, UP_CARD_FIRST, first_place, found, state_key
from pitboss.simulate.evaluators import column_of, key_of, row_of
from pitboss.simulate.felt import Hands, Lookups
from pitboss.simulate.groups import CHOICE, NOBODY, Group
from pitboss.simulate.lunar_rounds import BET, BUY, KEEP_SAME, bets_after_exchange, kept_places
from pitboss.simulate.plan import Plan
from pitboss.simulate.rounds import LUCKY_POSITION, MAGIC_CARD, Codes
from pitboss.simulate.streams import SIZE, plain_below, plain_deck
from pitboss.simulate.words import Bytes, Word

_NONE = np.zeros((1, 0), np.uint8)


@njit(cache=True)
def _choice(made: Lookups, hands: Hands, deck: Bytes, places: Bytes, row: Word, up: Word) -> Word:
    """What a table of decisions says of the cards at the places of a row."""
    zero = np.uint64(0)
    rank = up >> np.uint64(2) if made.mode == UP_CARD_FIRST else zero
    key = key_of(deck, zero, places, row)
    entry = np.uint64(hands.rows[row_of(key)]) + column_of(key)
    place = first_place(entry, key, hands.bias, rank, made.ranks)
    if made.first[place] == SUITS_MATTER:
        return found(made.keys, made.picks, state_key(deck, zero, places, row, _NONE, up, made.mode))
    return made.first[place]


class VoidRoundError(ValueError):
    """A strategy that asks for more cards than there are."""


@dataclass(frozen=True)
class Played:
    """One round as the rules see it, and what was chosen at each seat as the codes name it."""

    round: Round
    choices: tuple[str, ...]
    void: bool = False
    """An exchange that the stub could not fill: hands void, wagers returned."""


class Table:
    """A planned table played by the scalar rules."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.decide = plan, plan.decide
        self.game, self.rules = plan.game, plan.rules
        names = [field.name for field in fields(self.game.lines.outcome)]
        self._known = names

    def deck(self, seed: int, number: int) -> list[Card]:
        return plain_deck(seed, number)

    def play(self, seed: int, number: int) -> Played:
        """Round ``number`` of the stream, up to the last decision."""
        deck = self.deck(seed, number)
        played, dealing = deal_round(self.rules, self.plan.wagers, deck)
        magic, lucky = None, None
        if self.plan.magic and "magic_card" in self.rules.tables:
            magic = Card(plain_below(seed, number, MAGIC_CARD, SIZE))
        if self.plan.magic and "lucky_bonus" in self.rules.tables:
            lucky = plain_below(seed, number, LUCKY_POSITION, self.rules.seats + 1) or "dealer"
        seats: list[Seat] = []
        for place, seat in enumerate(played.seats):
            decided = self._decided(np.array([deck], np.uint8), place, seat, dealing) if "ante" in seat.wagers else seat
            if decided is None:
                return Played(played, (NOBODY,) * len(played.seats), True)
            seats.append(decided)
        finished = replace(played, seats=tuple(seats), magic_card=magic, lucky_position=lucky)
        return Played(finished, tuple(map(self._named, seats)))

    def _decided(self, deck: Bytes, place: int, seat: Seat, dealing: Dealing) -> Seat | None:
        if self.decide is not None:
            return self._called(seat, dealing)
        if "buy" in self.game.decisions:
            return self._lunar(deck, place, seat, dealing)
        name = self.plan.strategy.decisions.names[self._first_choice(deck, place)]
        return replace(seat, decisions=decided(decision_named(name, seat.stake("ante"))))

    def _called(self, seat: Seat, dealing: Dealing) -> Seat | None:
        """What a function chooses; it is asked again after a draw. Nothing where the stub cannot fill it."""
        assert self.decide is not None
        if self.game.paid_at_once(self.rules, seat):
            return seat
        up, stake = dealing.up(), seat.stake("ante")
        made = self.decide(Sight(seat.cards, up, stake))
        count = self.game.draws(made)
        if count > len(dealing.stub):
            return None
        seat = seat.deciding(DECISION, replace(made, drawn=tuple(dealing.stub.pop(0) for _ in range(count))))
        return seat.deciding(THEN, self.decide(Sight(seat.final_cards, up, stake, seat.decisions))) if count else seat

    def _lunar(self, deck: Bytes, place: int, seat: Seat, dealing: Dealing) -> Seat:
        felt = self.plan.felt
        choice = self._first_choice(deck, place)
        if self.game.paid_at_once(self.rules, seat):
            return seat
        if choice < BUY:
            return replace(seat, decisions=decided(Decision(self.plan.strategy.decisions.names[choice])))
        stub = len(DECK) - len(dealing.stub)
        final = np.empty((1, 5), np.uint8)
        kept = 5
        if choice >= KEEP_SAME:
            kept = kept_places(deck, 0, felt.own, place, choice, final)
        else:
            final[0] = felt.own[place]
        count = 1 if choice == BUY else 5 - kept
        places = np.concatenate([final[0, :kept], np.arange(stub, stub + count)]).astype(np.uint8)[None, :]
        drawn = tuple(dealing.stub.pop(0) for _ in range(count))
        held = {int(deck[0, at]) for at in final[0, :kept]}
        discard = tuple(card for card in seat.cards if card not in held)
        then = "bet" if self._bets(deck, place, places) else "fold"
        first = Decision("exchange" if discard else "buy", None, discard, drawn)
        return replace(seat, decisions=decided(first, then))

    def _first_choice(self, deck: Bytes, place: int) -> int:
        felt = self.plan.felt
        return int(_choice(felt.choices, felt.player, deck, felt.own, np.uint64(place), np.uint64(deck[0, felt.up])))

    def _bets(self, deck: Bytes, place: int, places: Bytes) -> bool:
        """Whether to bet after a draw, with the cards at these places."""
        felt, zero, up = self.plan.felt, np.uint64(0), np.uint64(deck[0, self.plan.felt.up])
        if places.shape[1] > felt.own.shape[1]:
            return int(_choice(felt.draws.after_buying, felt.draws.six, deck, places, zero, up)) == BET
        key = key_of(deck, zero, places, zero)
        entry = np.uint64(felt.player.rows[row_of(key)]) + column_of(key)
        at = first_place(entry, key, felt.player.bias, up >> np.uint64(2), felt.choices.ranks)
        least = felt.draws.bet_from[at]
        return bool(bets_after_exchange(least, deck, zero, felt.own, np.uint64(place), places, up))

    def _named(self, seat: Seat) -> str:
        """The choice of a seat as the main group's codes name it."""
        decision = seat.decision
        lunar = "buy" in self.game.decisions
        if decision is None:
            return "instant" if lunar else NOBODY
        if lunar:
            drew = decision.choice in ("buy", "exchange")
            return f"draw, {seat.decisions[THEN].choice}" if drew else decision.choice
        ante = seat.stake("ante")
        amount = self.game.later_wagers(self.rules, seat)
        many = sum(amount.values()) // ante if ante else 0
        plain = self.plan.groups[0].values[0]
        return decision.choice if decision.choice in plain else f"{decision.choice} {many}x"

    def codes(self, played: Played) -> list[list[int]]:
        """The code of each group, seat by seat, from the game's own outcome; -1 where the facts are not known."""
        codes = []
        for seat, choice in zip(played.round.seats, played.choices, strict=True):
            outcome = self.game.outcome(self.rules, played.round, seat)
            facts: dict[str, Any] = {name: getattr(outcome, name) for name in self._known}
            facts[CHOICE] = choice
            codes.append([_code(group, facts) for group in self.plan.groups])
        return codes

    def settle(self, played: Played, meters: Mapping[str, Meter]) -> Settlement:
        """Every line in the order of the law, on meters as they stand before the wagers of the round."""
        book = Book(self.rules, meters)
        book.accept_wagers(played.round)
        self.game.settle(self.rules, played.round, book)
        return book.close()

    def fill(self, seed: int, start: int, codes: Codes) -> None:
        """The codes of consecutive rounds, where a compiled round would write them."""
        for place, row in enumerate(codes):
            played = self.play(seed, start + place)
            if played.void:
                raise VoidRoundError(
                    f"Round {start + place}: the stub cannot fill an exchange, so the round is void [671a.13(c)]; "
                    "a strategy that asks for fewer cards can be simulated."
                )
            row[:] = np.maximum(self.codes(played), 0)


def _code(group: Group, facts: Mapping[str, Any]) -> int:
    if any(facts[name] not in values for name, values in zip(group.facts, group.values, strict=True)):
        return -1
    return group.encode(facts)


def decision_named(name: str, ante: int) -> Decision:
    """``raise 2x`` with an Ante of $10 as a Raise of $20; a choice without a multiple names no amount."""
    verb, _, times = name.partition(" ")
    return Decision(verb, int(times.rstrip("x")) * ante if times else None)


def fixed_net(settlement: Settlement) -> int:
    """What a settled round moved to the players, shares of meters counted as lost stakes."""
    return sum(-line.stake if line.from_meter else line.net for line in settlement.lines)
