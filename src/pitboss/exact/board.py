"""Two hands that share a board turned up street by street: every deal of a hold'em game without looping over it.

Boards that differ only by the names of suits are one class (``board_classes``: 134,459 of 2,598,960), and a state is a
class of boards with a holding. What is counted knows no pay table (``board_counts``): it is counted once, kept, and
valued with any rules afterwards. Values are summed over the cards to come (``board_sums``), each decision compares
them (``board_streets``), and every deal is played so; wagers beside the main ones read who folds (``board_folds``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pitboss.exact.board_classes import PAIR
from pitboss.exact.board_counts import COUNTING_CODE, BoardCounts, board_of, count
from pitboss.exact.board_folds import every_deal, folding, named_hands
from pitboss.exact.board_streets import NO_WORTH, STATES, BoardStreet, decide, followed
from pitboss.exact.board_sums import BEST_PLAY, Last, linear, lowered, raised, tally, weigh_whole
from pitboss.exact.cache import Arrays, fingerprint, kept, kept_figures
from pitboss.exact.decks import FULL, Ints, SmallDeck
from pitboss.exact.duel import Progress
from pitboss.exact.facets import Code, NotCountedError, sides_of
from pitboss.exact.plan import ChoicePlan, Staged, planned, result_of, same_course
from pitboss.exact.value import CELLS, Picked, Result
from pitboss.games.contract import Game
from pitboss.games.facts import Fact, Label
from pitboss.games.rules import Rules
from pitboss.records import once

PLAYING_CODE = (
    *COUNTING_CODE,
    "exact/plan.py",
    "exact/board_sums.py",
    "exact/board_streets.py",
    "exact/board_folds.py",
    "exact/board.py",
)


def plan_of(game: Game, rules: Rules, counts: BoardCounts) -> ChoicePlan:
    """Ask the game for every history, and for the pay of each kind of hand in each of the dealer's cells."""
    board = counts.board
    hand = counts.deck.hand(range(PAIR + board.cards))
    ends = [
        ({**kind, board.compare: versus, **({board.qualifies[0]: qualifies} if board.qualifies else {})},)
        for kind in counts.kinds
        for qualifies, versus in CELLS
    ]
    found = planned(game, rules, hand, PAIR, [PAIR + seen for seen in board.seen], ends)
    assert found is not None, "every end has one set of facts"
    found.check_fits(counts.most_ways)
    return found


@dataclass(frozen=True)
class BoardPlay(Staged):
    """What is worth how much follows from two hands on a common board."""

    counts: BoardCounts
    made: tuple[Ints, ...]
    """Deals by history and choice on each street."""
    joint: Ints
    """Deals by final history (then by choices that end at the whole board), both hands' kinds and how they compare."""
    opening: Ints
    """By choice and pair: what the first decision is worth, summed over all ways to go on."""
    key: str = ""
    """Under which the figures are kept."""

    @once
    def streets(self) -> tuple[BoardStreet, ...]:
        """All states of every decision; found again, and kept, where only the figures of the best play were."""

        def again() -> tuple[BoardStreet, ...]:
            return played(self.game, self.rules, self.counts, self.plan).streets

        def make() -> tuple[Arrays, Mapping[str, int]]:
            return {f"{part}_{at}": getattr(each, part) for at, each in enumerate(again()) for part in STATES}, {}

        if not self.key:
            return again()
        arrays, _ = kept(f"streets-{self.game.name}", self.key, make)
        return tuple(
            BoardStreet(step, self.counts, self.plan, *(arrays[f"{part}_{at}"] for part in STATES))
            for at, step in enumerate(self.plan.steps)
        )

    @property
    def asked(self) -> tuple[BoardStreet, ...]:
        """The decisions, with no more of their states than it takes to value one hand."""
        first = self.opening[None, :, None]
        return tuple(
            BoardStreet(step, self.counts, self.plan, NO_WORTH if place else first, BEST_PLAY, BEST_PLAY)
            for place, step in enumerate(self.plan.steps)
        )

    @property
    def deals(self) -> int:
        return self.counts.deals

    @cached_property
    def result(self) -> Result:
        finals, reaches = len(self.plan.finals), self.counts.reaches
        shown = self.joint[:finals]
        cells = np.concatenate([shown[:, :, ~reaches].sum(axis=2), shown[:, :, reaches].sum(axis=2)], axis=2)
        return result_of(self.game, self.plan, self.made, cells.reshape(finals, -1), self.deals)

    def under(self, rules: Rules) -> Result | None:
        plan = plan_of(self.game, rules, self.counts)
        return replace(self, rules=rules, plan=plan).result if same_course(self.plan, plan) else None

    def folded(self, facts: Mapping[str, Fact]) -> dict[tuple[int, Code], int]:
        sides, labels = sides_of(facts), [fact for fact in facts.values() if isinstance(fact, Label)]
        orders = self.counts.board.orders
        if sides is not None:
            every = named_hands(self.counts, every_deal(self.counts) // orders, sides)
            stay = named_hands(self.counts, self.joint[: len(self.plan.finals)].sum(axis=0), sides)
            every.subtract(stay)
            parts = ((0, stay), (1, every))
            return {(fold, code): n for fold, part in parts for code, n in sides.coded(part).items() if n}
        if len(facts) == len(labels) == 1:
            size, facet = labels[0].facet.cards - PAIR, labels[0].facet
            key = fingerprint((self.key, size, facet.label.__name__), PLAYING_CODE)

            def make() -> dict[str, list[tuple[int, str, int]]]:
                found = folding(self.streets, size, facet)
                return {"folded": [(fold, name, n // orders) for (fold, name), n in found.items() if n]}

            figures = make() if self.counts.deck != FULL else kept_figures(f"folding-{self.game.name}", key, make)
            return {(fold, (name,)): n for fold, name, n in figures["folded"]}
        raise NotCountedError(f"Folding in {self.game.name} is not counted together with {sorted(facts)}.")


def valued(game: Game, rules: Rules, deck: SmallDeck = FULL, progress: Progress | None = None) -> BoardPlay:
    """The best play under these rules; of the full deck its figures are kept, a few thousand numbers."""
    board = board_of(game)
    if board is None:
        raise NotCountedError(f"The main wagers of {game.name} do not compare two hands on a common board.")
    counts = count(board, deck, progress)
    plan = plan_of(game, rules, counts)
    if deck != FULL:
        return played(game, rules, counts, plan, progress=progress)
    steps = [[part.tolist() for part in (step.legal, step.follows, step.ended)] for step in plan.steps]
    key = fingerprint((board.key, board.seen, steps, plan.unit, plan.nets.tolist()), PLAYING_CODE)
    fresh: list[BoardPlay] = []

    def make() -> tuple[Arrays, Mapping[str, int]]:
        fresh.append(played(game, rules, counts, plan, progress=progress))
        made = {f"made_{place}": each for place, each in enumerate(fresh[0].made)}
        return {"joint": fresh[0].joint, "opening": fresh[0].opening, **made}, {"ties": fresh[0].ties}

    arrays, figures = kept(f"played-{game.name}", key, make)
    made = tuple(arrays[f"made_{place}"] for place in range(len(plan.steps)))
    found = BoardPlay(game, rules, plan, figures["ties"], counts, made, arrays["joint"], arrays["opening"], key)
    if fresh:
        found.__dict__["streets"] = fresh[0].streets
    return found


def played(
    game: Game,
    rules: Rules,
    counts: BoardCounts,
    plan: ChoicePlan,
    picks: Sequence[Picked | None] = (),
    progress: Progress | None = None,
) -> BoardPlay:
    """The best play; or, with the choices of every street, or of some and nothing for the others, that strategy."""
    chosen = picks or [None] * len(plan.steps)
    last = Last.of(plan, counts.board.cards)
    asked_last = plan.steps[-1].seen - PAIR == counts.board.cards
    at_whole = chosen[-1] if asked_last else None
    forced = BEST_PLAY if at_whole is None else np.ascontiguousarray(at_whole)
    streets, _ = before_whole(counts, plan, weigh_whole(counts, plan, progress, forced), chosen)
    streets, made, ties, reach = walked(counts, streets)
    reach = raised(counts, streets[-1].size, counts.board.cards - 1, reach)
    at_last, joint, tied = tally(counts, last, linear(counts, plan), forced, reach, progress)
    if asked_last:
        streets.append(BoardStreet(plan.steps[-1], counts, plan, NO_WORTH, forced, reach))
        made.append(at_last * counts.dealt)
        ties += tied
    alike = counts.board.orders
    shares = tuple(each // alike for each in made)
    found = BoardPlay(game, rules, plan, ties, counts, shares, joint // alike, streets[0].worth[0, :, 0])
    found.__dict__["streets"] = tuple(streets)
    return found


def before_whole(
    counts: BoardCounts, plan: ChoicePlan, values: Ints, picks: Sequence[Picked | None] = ()
) -> tuple[list[BoardStreet], Ints]:
    """The decisions before the whole board lies, from what histories are worth with a card less: best play or choices
    given. And what the first of them is worth, by class of boards and pair."""
    size = counts.board.cards - 1
    streets: list[BoardStreet] = []
    for place in reversed(range(len(plan.steps))):
        choosing = plan.steps[place]
        if choosing.seen - PAIR < counts.board.cards:
            while size > choosing.seen - PAIR:
                values, size = lowered(counts, size, values), size - 1
            street, values = decide(counts, plan, choosing, values, picks[place] if picks else None)
            streets.insert(0, street)
    return streets, values[0]


def walked(counts: BoardCounts, streets: Sequence[BoardStreet]) -> tuple[list[BoardStreet], list[Ints], int, Picked]:
    """The decisions as they are come to, deals by history and choice at each, states with a tie, and what follows."""
    found: list[BoardStreet] = []
    reach, seen = np.ones((1, 1, counts.pairs), np.uint8), 0
    ties, made = 0, []
    for street in streets:
        reach, seen = raised(counts, seen, street.size, reach), street.size
        found.append(replace(street, reach=reach))
        taken, tied, reach = followed(counts, found[-1])
        made.append(taken)
        ties += tied
    return found, made, ties, reach
