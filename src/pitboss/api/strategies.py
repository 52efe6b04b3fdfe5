"""A player's own way of playing, made into the tables that counting and compiled simulation read.

A function is asked once for every state, where those are few enough. Cards that differ only by the names of suits, or
by whose they are where nobody's are hidden, are one state to the solver. A function that tells them apart is found out,
by asking it twice, and is then refused here; a simulation lists every hand for it, or plays round by round.
"""

from collections.abc import Collection, Sequence
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import DECK, RANKS, Card, Hand, card_of, rank_of, suit_of
from pitboss.exact import board, solo
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_counts import board_of
from pitboss.exact.board_lists import opening_classes, opening_picks
from pitboss.exact.duel import NO_UP
from pitboss.exact.engine import duel_of
from pitboss.exact.plan import ENDED, Staged
from pitboss.exact.solo import Play
from pitboss.exact.value import Valued, value
from pitboss.findings import PitbossError, UnknownName, UnreadableError
from pitboss.games.contract import Game
from pitboss.games.course import Choice, Decide, Sight
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.hands import batch
from pitboss.names import listed

if TYPE_CHECKING:
    from pitboss.api.solving import Player, Solution

MOST_STATES = 400_000
"""States for which a function is asked one by one; more would take longer than playing rounds by it."""
UNIT = 1000
"""Cents of the unit in what a function is shown."""
SUIT_NAMINGS = 24
"""Ways to call the suits: at most so many hands are one state."""
Picks = npt.NDArray[np.uint8]


class TooManyStatesError(PitbossError):
    """A game with more states than a Python function is asked about one by one."""


def few_enough(game: Game) -> bool:
    """Whether a game that is not solved yet can have so few states that a function is asked about each."""
    if game.duel is None:
        return board_of(game) is None
    hands = comb(len(DECK), game.duel.player_cards) // SUIT_NAMINGS
    return hands * (len(RANKS) if game.duel.up_card else 1) <= MOST_STATES


def played_by(solution: "Solution", choices: Any) -> Valued | Staged:
    """The game played by these choices in place of the best ones."""
    game, rules, best = solution.game, solution.rules, solution.counted
    if isinstance(best, Valued):
        picked = _asked_once(game, rules, best, choices) if callable(choices) else _checked(best, choices)
        return value(game, rules, best.solved, duel_of(game), picked)
    if isinstance(best, Play):
        picks = _street_picks(game, rules, best, choices) if callable(choices) else _street_arrays(best, choices)
        return solo.played(game, rules, best.counts, best.plan, picks)
    assert isinstance(best, BoardPlay), "there are two counters of games that ask more than once"
    if callable(choices):
        raise TooManyStatesError(
            f"{game.chapter.title} has too many states to ask a function about each: simulate by it, or give a choice "
            "for each state of the first decision, and the others will be the best."
        )
    return board.played(game, rules, best.counts, best.plan, [_opening(best, choices), *[None] * (len(best.asked) - 1)])


def _opening(best: BoardPlay, choices: Any) -> Picks:
    """Choices of the first decision, which is open to all, for every pair."""
    classes, _ = opening_classes(best)
    return opening_picks(best, _places(choices, classes.weights.shape, len(best.asked[0].names)))


def _choice_of(step: Decide, rules: Rules, sight: Sight, said: "str | Decision") -> Choice:
    """The choice behind what was said; a bare name that comes in several amounts means the least of them."""
    known = step.choices(rules, sight)
    for choice in known:
        if said in (choice.name, choice.option.name) or (
            isinstance(said, Decision) and said == choice.decision(sight.stake)
        ):
            return choice
    if isinstance(said, Decision):
        named = [choice for choice in known if choice.option.name == said.choice]
        if len(named) == 1:
            return named[0]
    names = listed(choice.name for choice in known)
    raise UnknownName(f"{said!r} is not open here; {names} may be chosen at the {step.name}.")


def _renamed(cards: Hand) -> Hand:
    """The same cards with the suits called the other way round."""
    return tuple(card_of(rank_of(card), 3 - suit_of(card)) for card in cards)


class _Asked:
    """A function asked about states, with what they look like to a player."""

    def __init__(
        self, step: Decide, rules: Rules, player: "Player", names: Sequence[str], blind: bool, joined: bool = False
    ) -> None:
        self.step, self.rules, self.player = step, rules, player
        self.blind, self.joined = blind, joined
        self.places = {name: place for place, name in enumerate(names)}

    def place(self, cards: Hand, up: Hand, chosen: dict[str, Decision], open_: Collection[str] = ()) -> int:
        """The place of the choice among the names; ``open_`` are those known to be open."""
        name = self._name(Sight(cards, up, UNIT, chosen), open_)
        if self.blind:
            everything = _renamed((*cards, *up))
            moved = everything[::-1] if self.joined else everything
            if self._name(Sight(moved[: len(cards)], moved[len(cards) :], UNIT, chosen), open_) != name:
                raise TooManyStatesError("A strategy that tells suits, or whose a card is, apart is not counted.")
        return self.places[name]

    def _name(self, sight: Sight, open_: Collection[str]) -> str:
        said = self.player(sight)
        return said if isinstance(said, str) and said in open_ else _choice_of(self.step, self.rules, sight, said).name


def _asked_once(game: Game, rules: Rules, best: Valued, player: "Player") -> Picks:
    solved = best.solved
    if len(solved.hands) > MOST_STATES:
        raise TooManyStatesError(
            f"{game.chapter.title} has {len(solved.hands):,} states; a function is asked about fewer."
        )
    (step,) = game.course.decides
    asked = _Asked(step, rules, player, best.grid.names, duel_of(game).suit_blind)
    cards = [Card(card) for card in solved.deck.cards.tolist()]
    picked = np.empty(len(solved.hands), np.uint8)
    for state, (hand, up) in enumerate(zip(solved.hands.tolist(), solved.ups.tolist(), strict=True)):
        shown = () if up == NO_UP else (cards[up],)
        picked[state] = asked.place(tuple(cards[place] for place in hand), shown, {})
    return picked


def _checked(best: Valued, choices: Any) -> Picks:
    """An array of places among the choices, one for each state and each of them open there."""
    picked = _places(choices, (len(best.solved.hands),), len(best.grid.names))
    open_ = best.grid.legal[best.grid.fact_of_kind[best.solved.kinds], picked]
    if not open_.all():
        raise UnreadableError(f"Choice {int(picked[~open_][0])} is not open in state {int(np.argmin(open_))}.")
    return picked


def _places(choices: Any, shape: tuple[int, ...], names: int) -> Picks:
    try:
        found = np.asarray(choices)
    except ValueError:
        found = np.zeros(0)
    if found.shape != shape or not np.issubdtype(found.dtype, np.integer):
        raise UnreadableError(f"Choices are whole numbers in an array of the shape {shape}, not {found.shape}.")
    if found.size and not 0 <= int(found.min()) <= int(found.max()) < names:
        raise UnreadableError(f"A choice is a number from 0 to {names - 1}.")
    return found.astype(np.uint8)


def _street_arrays(best: Play, choices: Any) -> list[Picks]:
    if not isinstance(choices, Sequence) or len(choices) != len(best.streets):
        raise UnreadableError(f"This game asks {len(best.streets)} times: give a list of as many arrays.")
    picks = []
    for street, given in zip(best.streets, choices, strict=True):
        found = _places(given, street.picked.shape, len(street.names))
        _, histories = np.indices(found.shape)
        if not street.choosing.legal[histories, found].all():
            raise UnreadableError(f"A choice at the {street.step} is not open in its state.")
        picks.append(found)
    return picks


def _street_picks(game: Game, rules: Rules, best: Play, player: "Player") -> list[Picks]:
    states = sum(street.picked.size for street in best.streets)
    if states > MOST_STATES:
        raise TooManyStatesError(f"{game.chapter.title} has {states:,} states; a function is asked about fewer.")
    own, deck = best.counts.solo.own, [Card(card) for card in best.counts.deck.cards.tolist()]
    picks = []
    made: dict[int, dict[str, Decision]] = {0: {}}
    for step, street in zip(game.course.weighed, best.streets, strict=True):
        asked = _Asked(step, rules, player, street.names, best.counts.renamed, joined=True)
        picked = street.picked.copy()
        for history, chosen in made.items():
            open_ = {street.names[place] for place in np.flatnonzero(street.choosing.legal[history])} - {""}
            if not open_:
                continue
            for row, hand in enumerate(street.level.classes.hands.tolist()):
                cards = tuple(deck[place] for place in hand)
                picked[row, history] = asked.place(cards[:own], cards[own:], chosen, open_)
        picks.append(picked)
        made = _histories(step, rules, street, made)
    return picks


def _histories(
    step: Decide, rules: Rules, street: solo.Street, made: dict[int, dict[str, Decision]]
) -> dict[int, dict[str, Decision]]:
    """The choices behind each history of the next street."""
    after = {}
    decisions = {choice.name: choice.decision(UNIT) for choice in step.choices(rules)}
    for history, chosen in made.items():
        for place in np.flatnonzero(street.choosing.legal[history]):
            if (follows := int(street.follows[history, place])) != ENDED:
                name = street.names[place]
                after[follows] = {**chosen, step.name: decisions[name]} if name else chosen
    return after


def every_hand(game: Game, rules: Rules, player: "Player") -> tuple[npt.NDArray[np.uint8], Picks, tuple[str, ...]]:
    """All hands of a game that asks once and shows no card of the dealer's, what is chosen with each, and the names."""
    duel = duel_of(game)
    many = comb(len(DECK), duel.player_cards)
    if duel.up_card or many > MOST_STATES:
        raise TooManyStatesError(f"{game.chapter.title} has too many hands for a function to be asked about each.")
    (step,) = game.course.decides
    names = tuple(choice.name for choice in step.choices(rules))
    asked, hands = _Asked(step, rules, player, names, blind=False), batch.subsets(duel.player_cards)
    places = [asked.place(tuple(map(Card, hand)), (), {}) for hand in hands.tolist()]
    return hands, np.array(places, np.uint8), names
