"""What a side wager is worth: counts of its facts, valued with the pays that the game's own line gives them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from pitboss.cards import Hand
from pitboss.exact.cache import COUNTING_CODE, fingerprint, kept_figures
from pitboss.exact.decks import BINOMIAL, FULL, Ints, Places, SmallDeck, subsets_of
from pitboss.exact.facets import (
    LABELLING_CODE,
    LineCounts,
    NotCountedError,
    code_of,
    facet_counts,
    facts_of,
    labels_of,
    line_counts,
    suit_orbit,
    tally,
)
from pitboss.exact.plan import Staged
from pitboss.exact.rulelist import state_cells
from pitboss.exact.value import Moments, Valued
from pitboss.games.contract import Game
from pitboss.games.course import FOLD
from pitboss.games.facts import OWN, Chosen, Compare, Followed, Holds, Label, Rolled, Selected
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay
from pitboss.hands.facets import Facet
from pitboss.law.model import Wager
from pitboss.law.odds import TIERS, Charged, FixedSum, MeterShare, Tier
from pitboss.money import Cents

MAIN = "main"
STAKE: Cents = 500
"""What is wagered where a table pays fixed sums and nothing else is said: $5."""
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Jackpot:
    """One row that pays a share of a meter, and how often it comes."""

    row: str
    tier: Tier
    share: Fraction
    probability: Fraction

    @property
    def name(self) -> str:
        """``meter`` for the whole of it, ``meter 10%`` for a part."""
        return self.tier if self.share == 1 else f"{self.tier} {float(self.share * 100):g}%"


@dataclass(frozen=True)
class SideResult(Moments):
    """The result of one wager per unit wagered. Shares of a meter are left out: such a hit counts as a lost stake.

    Expected value, deviation, hits and largest pay are therefore all those of the fixed part; ``jackpots`` has the
    rest, and ``with_meters`` gives the same figures with jackpots of known amounts.
    """

    game: str
    line: str
    letter: str
    cite: str
    stake: Cents
    deals: int
    distribution: Mapping[Fraction, Fraction]
    """Net per unit wagered, and how often it occurs."""
    jackpots: tuple[Jackpot, ...]
    charged: Fraction = Fraction(0)
    """What of its fixed prizes the meter is charged with, for each unit wagered."""

    def with_meters(self, meters: Mapping[Tier, Fraction]) -> "SideResult":
        """The same wager with its jackpots at these amounts, in units of the wager, and no longer apart."""
        known = dict(self.distribution)
        for jackpot in self.jackpots:
            net = jackpot.share * meters[jackpot.tier] - 1
            known[Fraction(-1)] -= jackpot.probability
            known[net] = known.get(net, Fraction(0)) + jackpot.probability
        return replace(self, distribution=dict(sorted(known.items())), jackpots=())

    def jackpots_dict(self) -> dict[str, dict[str, str | float]]:
        """Each jackpot by name, as published: the probability exact, the share as a number."""
        return {
            jackpot.name: {"probability": str(jackpot.probability), "share": float(jackpot.share)}
            for jackpot in self.jackpots
        }


def side_lines(game: Game) -> tuple[str, ...]:
    """The lines of a game that are counted by themselves: all but its main wagers, as far as there is a counter."""
    main = {post.line for post in game.main_posts if not post.bonus}
    return tuple(name for name in game.lines.rules if name not in main and _countable(game, name))


def _countable(game: Game, line: str) -> bool:
    kinds = Counter(type(fact) for fact in facts_of(game, game.lines.rules[line].reads).values())
    del kinds[Chosen]
    alone = kinds.total() == 1 and not kinds.keys().isdisjoint((Label, Holds, Selected))
    return alone or kinds in ({Compare: 1, Label: 2}, {Label: 2}) or kinds.keys() in ({Rolled}, {Followed})


def bonus_on(game: Game, line: str) -> str | None:
    """The wager on whose stake a line is paid besides that wager's own line; none for a wager's own line."""
    posts = (post for step in game.course.settles for post in (*step.posts, *game.main_posts))
    return next((post.wager for post in posts if post.line == line and post.bonus), None)


def reads_folded(game: Game, line: str) -> bool:
    """Whether folding forfeits the wager."""
    return any(isinstance(fact, Chosen) for fact in facts_of(game, game.lines.rules[line].reads).values())


def _wager_of(game: Game, line: str) -> Wager | None:
    """The wager behind a line; one that is made on numbers has a line for each of its picks."""
    return game.chapter.wager_by_line.get(line)


def kind_of(game: Game, line: str) -> str:
    """What a line is called in a table of wagers: one that is made on numbers is called without them."""
    wager = _wager_of(game, line)
    return line if wager is None else wager.name


def line_of(game: Game, kind: str) -> str:
    """The line that is counted for a wager: its own, or that of the first numbers it may be made on; all are alike."""
    wager = _wager_of(game, kind)
    return kind if kind in game.lines.rules or wager is None else wager.names(0)[0]


def table_of(game: Game, line: str) -> str:
    """The name of the pay table behind a line: the wager's own, or that of a bonus paid with it."""
    wager = _wager_of(game, line)
    return wager.paytable if wager is not None and wager.paytable else line.split(" ")[0]


def net_per_unit(pay: Pay | None, stake: Cents) -> Fraction:
    """Net per unit wagered, without any share of a meter; a line that is not entered moves nothing."""
    if pay is None:
        return Fraction(0)
    match pay.odds:
        case MeterShare():
            return Fraction(-1)
        case FixedSum(amount):
            return Fraction(amount, stake)
    return pay.per_unit() or Fraction(0)


def side_result(
    game: Game,
    rules: Rules,
    line: str,
    stake: Cents = STAKE,
    folds: Valued | Staged | None = None,
    deck: SmallDeck = FULL,
) -> SideResult:
    """One side wager under given rules.

    Nobody folds, unless the main game is given as it is played (``engine.valued`` for optimal play) and the line is
    one that a fold forfeits. Bonuses on a random selection are as if the system selected in every round.
    """
    line = line_of(game, line)
    forfeits = folds is not None and reads_folded(game, line)
    counted = fold_counts(game, line, folds) if folds is not None and forfeits else line_counts(game, line, deck, rules)
    return weigh_line(game, rules, counted, stake)


def weigh_line(game: Game, rules: Rules, counted: LineCounts, stake: Cents) -> SideResult:
    pays = game.lines.tabulate(counted.line, rules)
    distribution: dict[Fraction, Fraction] = {}
    shares: dict[tuple[Tier, Fraction], tuple[str, int]] = {}
    charged = Fraction(0)
    for code, count in counted.counts.items():
        pay = pays[code]
        net = net_per_unit(pay, stake)
        distribution[net] = distribution.get(net, Fraction(0)) + Fraction(count, counted.deals)
        if pay is not None and isinstance(pay.odds, MeterShare):
            key = pay.odds.tier, pay.odds.share
            row, before = shares.get(key, (str(code[-1]), 0))
            shares[key] = row, before + count
        elif pay is not None and isinstance(pay.odds, Charged):
            charged += pay.odds.rate * Fraction(count, counted.deals)
    table = rules.tables.get(table_of(game, counted.line))
    return SideResult(
        game=game.name,
        line=counted.line,
        letter="" if table is None else table.letter,
        cite="" if table is None else str(table.cite),
        stake=stake,
        deals=counted.deals,
        distribution=dict(sorted(distribution.items())),
        jackpots=tuple(
            Jackpot(row, tier, share, Fraction(count, counted.deals))
            for (tier, share), (row, count) in sorted(shares.items(), key=_largest_first)
        ),
        charged=charged,
    )


def _largest_first(item: tuple[tuple[Tier, Fraction], object]) -> tuple[int, Fraction]:
    tier, share = item[0]
    return TIERS.index(tier), -share


def fold_counts(game: Game, line: str, played: Valued | Staged) -> LineCounts:
    """The counts of a line together with whether the player folds, when the main game is played as given."""
    reads = game.lines.rules[line].reads
    facts = {name: fact for name, fact in facts_of(game, reads).items() if not isinstance(fact, Chosen)}
    if isinstance(played, Staged):
        found, deals = played.folded(facts), played.deals
    else:
        by_name, deals = _fold_counts(game, line, _one_label(game, line)[1].facet, played)
        found = {(fold, (name,)): n for (fold, name), n in by_name.items()}
    codes = {
        (fold, true): code_of(game, reads, dict(zip(facts, true, strict=True)), bool(fold)) for fold, true in found
    }
    folds = frozenset(code for (fold, _), code in codes.items() if fold)
    return LineCounts(line, reads, {codes[key]: n for key, n in found.items()}, deals, folds)


def _one_label(game: Game, line: str) -> tuple[str, Label]:
    facts = facts_of(game, game.lines.rules[line].reads).items()
    labels = [(name, fact) for name, fact in facts if isinstance(fact, Label)]
    if len(labels) != 1:
        raise NotCountedError(f"The line {line!r} of {game.name} is not decided by one label of cards.")
    return labels[0]


def _fold_counts(game: Game, line: str, facet: Facet, played: Valued) -> tuple[dict[tuple[int, str], int], int]:
    """Deals by fold and label, and how many deals there are; kept where the play's own figures are."""
    if not played.key:
        return _count_folds(game, line, facet, played)
    key = fingerprint(
        (played.key, facet.cards, facet.label.__name__), (*COUNTING_CODE, *LABELLING_CODE, "exact/side.py")
    )

    def make() -> dict[str, Any]:
        found, deals = _count_folds(game, line, facet, played)
        rows = sorted(found.items(), key=lambda row: (not row[0][0], str(row[0][1])))
        return {"folds": [(fold, label, n) for (fold, label), n in rows], "deals": deals}

    figures = kept_figures(f"folds-{game.name}", key, make)
    return {(fold, label): n for fold, label, n in figures["folds"]}, figures["deals"]


def _count_folds(game: Game, line: str, facet: Facet, played: Valued) -> tuple[dict[tuple[int, str], int], int]:
    solved, deck = played.solved, played.solved.deck
    folded = (played.picked == played.grid.names.index(FOLD.name)).astype(np.int64)
    held = solved.hands.shape[1]
    if facet.cards == held:
        known_ups = solved.ups if (solved.ups < deck.size).any() else None
        by_class = bool(solved.weights.max() > 1)
        return tally(facet, deck, solved.hands, solved.weights, folded, known_ups, by_class), solved.states
    if facet.cards > held and len(solved.hands) == comb(deck.size, held):
        deals = comb(deck.size, held) * comb(deck.size - held, facet.cards - held)
        return _with_more_cards(facet, deck, folded), deals
    raise NotCountedError(f"The line {line!r} of {game.name} cannot be counted together with folding.")


def _with_more_cards(facet: Facet, deck: SmallDeck, folded: Ints) -> dict[tuple[int, str], int]:
    """Own cards and cards dealt to the table: each larger hand is dealt in as many ways as it has smaller ones.

    ``folded`` is by number of the smaller hand.
    """
    held = next(k for k in range(1, facet.cards) if comb(deck.size, k) == len(folded))
    hands = subsets_of(deck.size, facet.cards)
    columns = [np.ascontiguousarray(column) for column in hands.T]
    ways: npt.NDArray[np.int64] = np.zeros(len(hands), np.int64)
    for chosen in combinations(range(facet.cards), held):
        index = np.zeros(len(hands), np.int64)
        for place, column in enumerate(chosen):
            index += BINOMIAL[:, place + 1][columns[column]]
        ways += folded[index]
    folding = tally(facet, deck, hands, ways)
    each = comb(facet.cards, held)
    return {
        **{(1, label): count for (_, label), count in folding.items() if count},
        **{
            (0, label): left
            for label, count in facet_counts(facet, deck).items()
            if (left := each * count - folding.get((0, label), 0))
        },
    }


def covariance(
    game: Game,
    rules: Rules,
    line_a: str,
    line_b: str,
    stake: Cents = STAKE,
    folds: Valued | Staged | None = None,
    deck: SmallDeck = FULL,
) -> Fraction:
    """The covariance of two results at one seat: per unit wagered for a side wager, in Antes for ``main``.

    Exact for wagers on the player's own first cards, and for ``main`` as it is played (``folds``) with one of those:
    the mean of the main result is known for every hand, so nothing of the dealer's cards is needed beyond it.
    """
    if isinstance(folds, Staged):
        raise NotCountedError(f"Covariances are not computed where {game.name} is played street by street.")
    columns = []
    for line in (line_a, line_b):
        if line == MAIN and folds is None:
            raise NotCountedError("The covariance with the main wagers needs the main game as it is played.")
        if line != MAIN and not on_own_cards(game, line):
            raise NotCountedError(
                f"The covariance of {line_a!r} and {line_b!r} is not computed: {line!r} depends on more than the "
                "player's own first cards."
            )
        played = folds if line == MAIN else None
        columns.append(own_column(game, rules, line, stake) if played is None else _main_column(played))
    if folds is None:
        assert game.duel is not None, "own cards are those of a duel"
        hands = subsets_of(deck.size, game.duel.player_cards)
        nobody = np.zeros(len(hands), np.int64)
        return _covariance(deck, hands, nobody + 1, nobody, columns, classes=False)
    solved = folds.solved
    folded = (folds.picked == folds.grid.names.index(FOLD.name)).astype(np.int64)
    return _covariance(solved.deck, solved.hands, solved.weights, folded, columns, bool(solved.weights.max() > 1))


@dataclass(frozen=True)
class _Column:
    """One of two results: known for each state, or by the label of the player's cards and whether they are folded."""

    unit: int
    """Values are whole numbers of 1 / ``unit``."""
    facet: Facet | None = None
    nets: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})
    """By label, played and folded."""
    states: Ints | None = None

    def net(self, label: str) -> Fraction:
        """What a label wins where nothing is folded."""
        return Fraction(self.nets[0][label], self.unit)

    def values(self, deck: SmallDeck, hands: Places, folded: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """The value of each hand, and which hands must be looked at member by member."""
        if self.facet is None or self.states is not None:
            assert self.states is not None, "a column is one or the other"
            return self.states, np.zeros(len(hands), np.bool_)
        names, codes = labels_of(self.facet, deck, hands)
        nets = np.array([[nets[name] for name in names] for nets in self.nets], np.int64)
        return nets[folded, codes], codes < 0

    def value(self, row: int, member: Hand, folded: int) -> int:
        if self.states is not None:
            return int(self.states[row])
        assert self.facet is not None, "a column is one or the other"
        return self.nets[folded][self.facet.label(member)]


def on_own_cards(game: Game, line: str) -> bool:
    facts = [f for f in facts_of(game, game.lines.rules[line].reads).values() if not isinstance(f, Chosen)]
    own = game.duel.player_cards if game.duel is not None else 0
    return len(facts) == 1 and isinstance(facts[0], Label) and (facts[0].places, facts[0].facet.cards) == (OWN, own)


def own_column(game: Game, rules: Rules, line: str, stake: Cents = STAKE) -> _Column:
    reads = game.lines.rules[line].reads
    fact, label = _one_label(game, line)
    exact = {code: net_per_unit(pay, stake) for code, pay in game.lines.tabulate(line, rules).items()}
    unit = lcm(*(net.denominator for net in exact.values()))
    played, folded = (
        {name: int(exact[code_of(game, reads, {fact: name}, fold)] * unit) for name in label.values}
        for fold in (False, True)
    )
    return _Column(unit, label.facet, (played, folded))


def _main_column(played: Valued) -> _Column:
    """The main result of each state, summed over the dealer's hands."""
    solved, grid = played.solved, played.grid
    cells = state_cells(solved, slice(None))
    facts = grid.fact_of_kind[solved.kinds]
    totals: Ints = np.zeros(len(facts), np.int64)
    for cell, hands in enumerate(cells.T):
        totals += hands * grid.nets[facts, played.picked, cell]
    return _Column(grid.unit * solved.dealer_hands, states=totals)


# Changes of suit names, one for each pair of suits that can become the red ones; a class has all of them alike.
RED_PAIRS = ((1, 2, 0, 3), (1, 0, 2, 3), (1, 0, 3, 2), (0, 1, 2, 3), (0, 1, 3, 2), (0, 3, 1, 2))


def _covariance(
    deck: SmallDeck,
    hands: Places,
    weights: npt.NDArray[np.integer[Any]],
    folded: Ints,
    columns: list[_Column],
    classes: bool,
) -> Fraction:
    colours = classes and any(column.facet is not None and column.facet.colours for column in columns)
    changes = RED_PAIRS if colours else ((0, 1, 2, 3),)
    sums: list[Fraction] = [Fraction(0)] * 4
    for change in changes:
        renamed = np.sort(hands & 252 | np.array(change, np.uint8)[hands & 3], axis=1) if colours else hands
        (one, looked), (two, also) = (column.values(deck, renamed, folded) for column in columns)
        weighing = np.where(looked | also, 0, weights).astype(np.int64)
        for start in range(0, len(hands), _CHUNK):
            part = slice(start, start + _CHUNK)
            w, a, b = weighing[part], one[part], two[part]
            for place, total in enumerate((w, w * a, w * b, w * a * b)):
                sums[place] += int(total.sum())
        for row in np.flatnonzero(looked | also):
            members = suit_orbit(deck.hand(renamed[row])) if classes else [deck.hand(renamed[row])]
            for member in members:
                w_member = Fraction(int(weights[row]), len(members))
                a_member, b_member = (column.value(int(row), member, int(folded[row])) for column in columns)
                for place, value in enumerate((1, a_member, b_member, a_member * b_member)):
                    sums[place] += w_member * value
    total_weight, sum_a, sum_b, sum_ab = sums
    scale = columns[0].unit * columns[1].unit
    return (sum_ab / total_weight - sum_a * sum_b / total_weight**2) / scale
