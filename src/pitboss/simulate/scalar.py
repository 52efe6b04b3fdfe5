"""The same rounds by the scalar rules: walked along the course of the game, decided by the same tables, settled by it.

Rare rounds of a simulation are settled here, a strategy that is a Python function is played here, and the compiled
rounds are tested against it. Nothing here is fast.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitboss.cards import Card
from pitboss.findings import PitbossError
from pitboss.games.chance import all_rolls
from pitboss.games.course import Decide, Sight
from pitboss.games.deal import DeckError
from pitboss.games.facts import Followed, Holds, Selected
from pitboss.games.round import Decision, Round
from pitboss.games.settlement import Book, Settlement
from pitboss.games.walk import RoundState, start
from pitboss.law.model import Face
from pitboss.meters import Meter
from pitboss.simulate.decisions import RANKS, Decisions, Looked, OnBoard
from pitboss.simulate.groups import CHOICE, Path, path_taken
from pitboss.simulate.operations import BUY, EXCHANGE, GO_ON, UP_CARD_FIRST, Codes, bets_after_exchange, kept_places
from pitboss.simulate.plan import Plan
from pitboss.simulate.program import DICE, LUCKY_POSITION, MAGIC_CARD, rolls_dice
from pitboss.simulate.streams import SIZE, below, decks, key_of

_U0 = np.uint64(0)


class VoidRoundError(PitbossError, ValueError):
    """A strategy that asks for more cards than there are."""


@dataclass(frozen=True)
class Played:
    """One round as the rules see it, and the way of each seat as the codes name it."""

    round: Round
    paths: tuple[Path, ...]

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(path.name for path in self.paths)


class ScalarTable:
    """A planned table played by the scalar rules."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.decide = plan, plan.decide
        self.game, self.rules = plan.game, plan.rules
        facts = self.game.lines.facts.by_name
        self._looked_at = {type(facts[name]) for group in plan.groups for name in group.facts if name in facts}
        self._rolls = all_rolls(self.rules) if rolls_dice(self.game) else []
        read = (facts[name] for group in plan.groups for name in group.facts if name in facts)
        followed = next((fact for fact in read if isinstance(fact, Followed)), None)
        self._more = [faces for _, faces in followed.stages(self.rules)[1:-1]] if followed is not None else []

    def play(self, seed: int, number: int) -> Played:
        """Round ``number`` of the stream, up to the last decision."""
        if self._rolls:
            state = start(self.rules, self.plan.wagers, self._thrown(seed, number))
            while state.asked is not None:  # whatever is chosen is worth the same
                state = state.apply(Decision(state.options[0].name))
            return self._finished(state)
        state = start(self.rules, self.plan.wagers, [Card(card) for card in decks(seed, number, 1)[0].tolist()])
        magic = Card(self._below(seed, number, MAGIC_CARD)) if Holds in self._looked_at else None
        lucky = self._below(seed, number, LUCKY_POSITION) or "dealer" if Selected in self._looked_at else None
        state = replace(state, played=replace(state.played, magic_card=magic, lucky_position=lucky))
        while state.asked is not None:
            sight = state.sight
            made = self.decide(sight) if self.decide is not None else self.choose(state.asked[1], sight)
            try:
                state = state.apply(made)
            except DeckError as problem:
                raise VoidRoundError(
                    f"Round {number} is void: {problem} A strategy that asks for fewer cards can be simulated."
                ) from None
        return self._finished(state)

    def _thrown(self, seed: int, number: int) -> tuple[Face, ...]:
        """What is thrown in a round, and what follows for a wager that lives on."""
        thrown = list(self._rolls[self._below(seed, number, DICE)])
        for place, faces in enumerate(self._more, DICE + 1):
            drawn = below(*key_of(seed), np.uint64(number), np.uint64(place), np.uint64(len(faces)))
            thrown.append(faces[int(drawn)])
        return tuple(thrown)

    def _below(self, seed: int, number: int, what: int) -> int:
        bounds = {MAGIC_CARD: SIZE, LUCKY_POSITION: self.rules.seats + 1, DICE: len(self._rolls)}
        return int(below(*key_of(seed), np.uint64(number), np.uint64(what), np.uint64(bounds[what])))

    def _finished(self, state: RoundState) -> Played:
        taken = (path_taken(self.game, self.rules, seat, self.plan.paths) for seat in state.played.seats)
        return Played(state.played, tuple(taken))

    def choose(self, step: str, sight: Sight) -> Decision:
        """What the tables of the strategy say of what a seat sees at a step."""
        course, strategy = self.game.course, self.plan.strategy
        if strategy.draws is not None:
            return self._first(sight) if not sight.chosen else self._then(sight)
        number = next(place for place, each in enumerate(course.weighed) if each.name == step)
        made, asks = strategy.decisions[number], course.weighed[number]
        if isinstance(made, Looked):
            return self._named(asks, made.look.at(self.rules, sight.cards, sight.up), sight)
        if isinstance(made, OnBoard):
            before = self.plan.open_before(number)[self._earlier(number, sight)].named
            return self._named(asks, made.names[made.pick(sight.cards, sight.up, before)], sight)
        dealers = len(sight.up) if made.mode == UP_CARD_FIRST else 0
        up, joined = sight.up[:dealers], sight.up[dealers:]
        context = self._earlier(number, sight) if made.told else 0
        if up:
            context = context * RANKS + (up[0] >> 2)
        return self._named(asks, made.names[made.pick(sight.cards + joined, up[0] if up else 0, context)], sight)

    def _named(self, step: Decide, name: str, sight: Sight) -> Decision:
        return next(each for each in step.choices(self.rules) if each.name == name).decision(sight.stake)

    def _earlier(self, number: int, sight: Sight) -> int:
        """The place of the choices made before among those after which the step is asked."""
        chosen = dict(sight.chosen)
        open_ = self.plan.open_before(number)
        return next(place for place, path in enumerate(open_) if path.decisions(sight.stake) == chosen)

    def _first(self, sight: Sight) -> Decision:
        """Where cards can be drawn: what is chosen first, and which cards are given up for new ones."""
        (made,) = self.plan.strategy.decisions
        assert isinstance(made, Decisions)
        up = sight.up[0]
        choice = made.pick(sight.cards, up, up >> 2)
        if choice < BUY:
            return Decision(made.names[choice])
        if choice < EXCHANGE:
            return Decision("buy")
        final = np.empty(6, np.uint8)
        own = np.arange(len(sight.cards), dtype=np.uint8)
        kept = kept_places(np.array([sight.cards], np.uint8), _U0, own, _U0, np.uint64(choice), np.uint64(up), final)
        return Decision("exchange", discard=tuple(c for at, c in enumerate(sight.cards) if at not in final[:kept]))

    def _then(self, sight: Sight) -> Decision:
        """Whether to go on after a draw."""
        draws, (made,) = self.plan.strategy.draws, self.plan.strategy.decisions
        assert draws is not None
        assert isinstance(made, Decisions)
        up = sight.up[0]
        gone = next(iter(sight.chosen.values())).discard
        if not gone:
            return Decision(draws.after_buying.names[draws.after_buying.pick(sight.cards, up, up >> 2)])
        drawn = next(iter(sight.chosen.values())).drawn
        at = np.uint64(made.place(sight.cards, up >> 2))
        kept = sight.cards[: len(sight.cards) - len(drawn)]
        deck = np.array([(*kept, *gone, *drawn)], np.uint8)
        own = np.arange(len(sight.cards), dtype=np.uint8)
        final = np.array([*range(len(kept)), *range(len(sight.cards), deck.shape[1])], np.uint8)
        bets = bets_after_exchange(draws.bet_from, _U0, at, deck, _U0, own, _U0, final, np.uint64(up))
        return Decision(made.names[GO_ON] if bets else draws.after_buying.names[1])

    def codes(self, played: Played) -> list[list[int]]:
        """The code of each group, seat by seat, from the game's own outcome."""
        codes = []
        for seat, path in zip(played.round.seats, played.paths, strict=True):
            outcome = self.game.outcome(self.rules, played.round, seat)
            facts: dict[str, Any] = {name: getattr(outcome, name) for name in self.game.lines.domains}
            facts[CHOICE] = path.name
            codes.append([group.encode(facts) for group in self.plan.groups])
        return codes

    def settle(self, played: Played, meters: Mapping[str, Meter]) -> Settlement:
        """Every line in the order of the law, on the meters before the wagers of the round."""
        book = Book(self.rules, meters)
        book.accept_wagers(played.round)
        self.game.settle(self.rules, played.round, book)
        return book.close()

    def fill(self, seed: int, start: int, codes: Codes) -> None:
        """The codes of consecutive rounds, where a compiled round would write them."""
        for place, row in enumerate(codes):
            row[:] = self.codes(self.play(seed, start + place))


def fixed_net(settlement: Settlement) -> int:
    """What a settled round moved to the players, shares of meters counted as lost stakes."""
    return sum(-line.stake if line.from_meter else line.net for line in settlement.lines)
