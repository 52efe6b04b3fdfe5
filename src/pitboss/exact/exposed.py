"""The edge of a player who knows cards that ought to be hidden, from before the first decision on.

A card is named by where it lies and by its turn there: ``dealer=1`` is the dealer's first card, ``community=5`` the
fifth of the board. Nothing else of a game changes, so each counter does what it always does with a little more seen:

- a card of the table is seen at every decision from the first on, so that decisions are made with larger sets of cards;
- a card of the dealer is taken like one that lies face up: by its rank, in one suit, and of two cards by their class;
  what is left of the dealer's hand is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from pitboss.cards import RANKS
from pitboss.exact import board, solo
from pitboss.exact.board import PLAYING_CODE
from pitboss.exact.board_classes import PAIR
from pitboss.exact.board_counts import BoardCounts, CommonBoard, board_of, count, unranked
from pitboss.exact.board_sums import face_whole, weigh_whole
from pitboss.exact.by_heart import Lists, ranked_kinds
from pitboss.exact.cache import fingerprint, kept_figures
from pitboss.exact.decks import FULL, SUITS, Classes, SmallDeck, suit_classes
from pitboss.exact.duel import Progress, Solved
from pitboss.exact.engine import solved_duel
from pitboss.exact.facets import NotCountedError
from pitboss.exact.plan import ChoicePlan, dealt
from pitboss.exact.rulelist import RuleFinder, parts_of, state_cells
from pitboss.exact.several import facing_several
from pitboss.exact.value import CELLS, Result, pay_grid, value
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.games.structure import Duel
from pitboss.names import listed

DEALER = "dealer"
KNOWING_CODE = (*PLAYING_CODE, "exact/exposed.py")


@dataclass(frozen=True)
class KnownCards:
    """Cards that a player knows, by place: their turns there, from 1."""

    cards: Mapping[str, tuple[int, ...]]

    def __str__(self) -> str:
        return " ".join(f"{place}={','.join(map(str, turns))}" for place, turns in self.cards.items())

    @property
    def dealers(self) -> int:
        return len(self.cards.get(DEALER, ()))

    @property
    def tables(self) -> tuple[int, ...]:
        """Of the cards that are turned up for everybody."""
        return next((turns for place, turns in self.cards.items() if place != DEALER), ())

    def seen(self, lying: Sequence[int]) -> tuple[int, ...]:
        """How many cards of the table are known at each decision, where so many lie."""
        return tuple(many + sum(turn > many for turn in self.tables) for many in lying)


def read_known(game: Game, words: Sequence[str]) -> KnownCards:
    """Cards as a person names them: ``dealer=1``, ``community=1,5``."""
    there = {place: many for place, many in dealt(game).items() if place in (DEALER, *_turned_up(game))}
    if not there:
        raise UnreadableError(f"Nothing is dealt in {game.name} that a player could know too early.")
    found: dict[str, tuple[int, ...]] = {}
    for each in words:
        place, _, said = each.partition("=")
        place = place.strip().lower()
        if place not in there:
            raise UnreadableError(f"{each!r} names no card of {game.name}: say {listed(_examples(there))}.")
        turns = [part.strip() for part in said.split(",")]
        if not all(turn.isascii() and turn.isdigit() and 1 <= int(turn) <= there[place] for turn in turns):
            raise UnreadableError(f"{each!r} names no card of {game.name}: {place} has the cards 1 to {there[place]}.")
        found[place] = tuple(sorted({*found.get(place, ()), *map(int, turns)}))
    return KnownCards({place: found[place] for place in there if place in found})


def _turned_up(game: Game) -> tuple[str, ...]:
    """Where cards lie that everybody plays with."""
    common = board_of(game) if game.main_posts and game.duel is None else None
    if common is not None:
        return (common.place,)
    return tuple(place for place in solo.solo_of(game).places if place in dealt(game)) if _alone(game) else ()


def _alone(game: Game) -> bool:
    """Whether the main wagers are paid by a pay table, whatever a dealer holds."""
    return bool(game.main_posts) and game.duel is None and bool(game.course.weighed)


def _examples(there: Mapping[str, int]) -> Iterator[str]:
    for place, many in there.items():
        yield f"{place}=1" if many == 1 else f"{place}=1 to {place}={many}"


@dataclass(frozen=True)
class Exposed:
    """What the best play of the main wagers is worth with the knowledge."""

    expected_value: Fraction
    choices: Mapping[str, Fraction]
    """How often each choice is made; not of a decision with the whole board, which would take as long again."""
    by_card: Mapping[str, Fraction]
    """By what is known of the dealer's hand: what the play is worth."""
    result: Result | None = None
    sentences: tuple[str, ...] = ()
    """The best play in words, where it is found."""
    by_heart: Fraction | None = None
    """What the best list is worth that has thresholds for each rank seen; None where it is not counted."""


def exposed(
    game: Game, rules: Rules, known: KnownCards, deck: SmallDeck = FULL, progress: Progress | None = None
) -> Exposed:
    """The best play of a player who knows some cards."""
    if game.duel is not None:
        return _facing(game, rules, game.duel, known, deck, progress)
    structure = board_of(game)
    if structure is not None:
        return _on_board(game, rules, replace(structure, seen=known.seen(structure.seen)), known, deck, progress)
    alone = solo.solo_of(game)
    seen = known.seen([many - alone.own for many in alone.seen])
    result = solo.valued(game, rules, deck, replace(alone, seen=tuple(alone.own + many for many in seen))).result
    return Exposed(result.expected_value, result.choices, {}, result)


def _facing(
    game: Game, rules: Rules, duel: Duel, known: KnownCards, deck: SmallDeck, progress: Progress | None
) -> Exposed:
    """A card of the dealer that is known is one that lies face up; if one lies there, others are known beside it."""
    many = known.dealers + int(duel.up_card)
    if many > duel.dealer_cards:
        raise UnreadableError(f"One of the dealer's {duel.dealer_cards} cards in {game.name} lies face up already.")
    if many == duel.dealer_cards:
        return _facing_all(game, rules, duel, deck, progress)
    if many > 1:
        several = facing_several(game, rules, duel, many, deck, progress)
        by_cards = {_called(deck, cards): each for cards, each in several.by_cards.items() if many == PAIR}
        result = several.result
        return Exposed(result.expected_value, result.choices, by_cards, result, by_heart=several.by_heart)
    duel = replace(duel, up_card=True)
    counted = solved_duel(game.name, duel, deck, progress)
    played = value(game, rules, counted, duel)
    result, finder = played.result, RuleFinder(game, played, duel)
    ups = {RANKS[deck.ranks[up // SUITS]]: counted.ups == up for up in sorted({*counted.ups.tolist()}, reverse=True)}
    by_card = {rank: value(game, rules, _some(counted, rows), duel).result for rank, rows in ups.items()}
    worth = {rank: each.expected_value for rank, each in by_card.items()}
    sentences = finder.found(finder.splits[1]).sentences
    listed = Lists(played.grid, len(counted.kind_hands))
    ranks = ranked_kinds(duel, counted)
    for part in parts_of(len(counted.kinds)):
        kinds, weights = counted.kinds[part], counted.weights[part].astype(np.int64)
        facts = played.grid.fact_of_kind[kinds]
        each = np.einsum("sx,scx->sc", state_cells(counted, part), played.grid.nets[facts])
        listed.add(each, facts, weights, ranks[kinds], (counted.ups[part] // SUITS).astype(np.int64))
    by_heart = Fraction(listed.best(), counted.deals * played.grid.unit)
    return Exposed(result.expected_value, result.choices, worth, result, sentences, by_heart)


def _facing_all(game: Game, rules: Rules, duel: Duel, deck: SmallDeck, progress: Progress | None) -> Exposed:
    """The whole hand of the dealer is known: a choice is made for each cell of an outcome."""
    counted = solved_duel(game.name, duel, deck, progress)
    grid = pay_grid(game, rules, counted, duel)
    nets = np.where(grid.legal[:, :, None], grid.nets, np.iinfo(np.int64).min)
    best, facts = nets.argmax(axis=1), grid.fact_of_kind[counted.kinds]
    tallies = np.zeros((len(grid.facts), len(CELLS)), np.int64)
    for part in parts_of(len(counted.kinds)):
        weights = counted.weights[part].astype(np.int64)[:, None]
        np.add.at(tallies, facts[part], state_cells(counted, part) * weights)
    spread, chosen = dict[Fraction, int](), dict.fromkeys(grid.names, 0)
    for fact, cell in np.argwhere(tallies):
        choice, deals = int(best[fact, cell]), int(tallies[fact, cell])
        net = Fraction(int(grid.nets[fact, choice, cell]), grid.unit)
        spread[net] = spread.get(net, 0) + deals
        chosen[grid.names[choice]] += deals
    shares = {name: Fraction(deals, counted.deals) for name, deals in chosen.items()}
    wagered = sum((share * grid.wagered[name] for name, share in shares.items()), Fraction(0))
    result = Result(counted.deals, dict(sorted(spread.items())), shares, wagered, duel.required)
    return Exposed(result.expected_value, shares, {}, result)


def _some(counted: Solved, rows: Any) -> Solved:
    """The states of some rows."""
    parts = ("hands", "ups", "weights", "kinds", "lower", "upto", "unqualified")
    return replace(counted, **{part: each[rows] for part in parts if len(each := getattr(counted, part))})


def _on_board(
    game: Game, rules: Rules, structure: CommonBoard, known: KnownCards, deck: SmallDeck, progress: Progress | None
) -> Exposed:
    if sum(many == structure.cards for many in structure.seen) > 1:
        raise NotCountedError("Two decisions with the whole board known are not counted.")
    whole = unranked(structure, deck) if known.dealers else count(structure, deck, progress)
    nothing = Classes(np.zeros((1, 0), np.uint8), np.ones(1, np.int64))
    classes = suit_classes(deck, known.dealers) if known.dealers else nothing
    hands = [tuple(row) for row in classes.hands[::-1].tolist()]
    plan = board.plan_of(game, rules, replace(whole, known=hands[0]))
    plan.check_fits(whole.pairs * whole.ways(structure.seen[0]))
    made = [np.zeros(choosing.legal.shape, object) for choosing in plan.steps]
    won: dict[str, tuple[int, int]] = {}
    for done, (hand, weight) in enumerate(zip(hands, classes.weights[::-1].tolist(), strict=True)):

        def tell(what: str, share: float, done: int = done) -> None:
            if progress is not None:
                progress(what, (done + share) / len(hands))

        found = _with(game, replace(whole, known=hand), plan, tell)
        won[_called(deck, hand)] = found["won"], weight
        for place, each in enumerate(found["made"]):
            made[place] += weight * np.array(each, object)
    first, left, weights = structure.seen[0], deck.size - known.dealers, int(classes.weights.sum())
    counts = replace(whole, known=hands[0])
    ways = comb(left, first) * comb(left - first, PAIR) * counts.ways(first) * plan.unit
    deals = weights * comb(left, PAIR) * counts.ways(0)
    shares = {
        f"{choosing.step.name} {name}": Fraction(int(taken[:, at].sum()), deals)
        for choosing, taken in zip(plan.steps, made, strict=True)
        for at, name in enumerate(choosing.names)
        if name and taken.any()
    }
    total = sum(each * weight for each, weight in won.values())
    return Exposed(
        Fraction(total, weights * ways), shares, {name: Fraction(each, ways) for name, (each, _) in won.items() if name}
    )


def _with(game: Game, counts: BoardCounts, plan: ChoicePlan, progress: Progress) -> Mapping[str, Any]:
    """What is won against all that goes with some cards of the dealer, and deals by choice; kept for the full deck."""

    def make() -> dict[str, Any]:
        values = face_whole(counts, plan, progress) if counts.known else weigh_whole(counts, plan, progress)
        streets, worth = board.before_whole(counts, plan, values)
        del values
        weights = counts.levels[streets[0].size].classes.weights
        won = sum(weight * each for weight, each in zip(weights.tolist(), worth.sum(axis=1).tolist(), strict=True))
        return {"won": won, "made": [made.tolist() for made in board.walked(counts, streets)[1]]}

    if counts.deck != FULL:
        return make()
    steps = [[part.tolist() for part in (step.legal, step.follows, step.ended)] for step in plan.steps]
    key = (counts.board.key, counts.known, [step.seen for step in plan.steps], steps, plan.unit, plan.nets.tolist())
    return kept_figures(f"exposed-{game.name}", fingerprint(key, KNOWING_CODE), make)


def _called(deck: SmallDeck, hand: Sequence[int]) -> str:
    """The dealer's known cards: their ranks, and of two whether they are of one suit."""
    ranks = "".join(RANKS[deck.ranks[place // SUITS]] for place in sorted(hand, reverse=True))
    if len(hand) < PAIR or ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if len({place % SUITS for place in hand}) == 1 else "o")
