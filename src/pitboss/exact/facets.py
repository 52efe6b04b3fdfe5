"""How often each fact that a side wager looks at is true: exact counts over all deals, whatever the pay tables.

A fact is a label of some cards. Hands of one score have one label (and, where the label looks at colours, hands of one
score with as many red cards), so the scalar label function is asked once for each of those; the few hands in which it
looks at the suit itself are asked card by card. The label functions remain the only statement of what a label is.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from pitboss.cards import Card, Hand, card_of, is_red, rank_of, suit_of
from pitboss.exact.cache import COUNTING_CODE, Arrays, fingerprint, kept, kept_figures
from pitboss.exact.decks import BINOMIAL, FULL, Classes, Ints, Places, SmallDeck, next_subset, subsets_of, suit_classes
from pitboss.exact.duel import hand_scores
from pitboss.exact.sweep import Ranks, count_below
from pitboss.findings import PitbossError
from pitboss.games.chance import all_rolls
from pitboss.games.contract import Game, Versus
from pitboss.games.course import FOLD
from pitboss.games.facts import Chosen, Compare, Fact, Followed, Holds, Label, Rolled, Selected
from pitboss.games.rules import Rules
from pitboss.hands import batch
from pitboss.hands.facets import Facet

Code = tuple[Any, ...]
Groups = npt.NDArray[np.integer[Any]]
LABELLING_CODE = ("hands/labels.py", "hands/facets.py", "exact/facets.py")
LARGEST_LISTED = 5
"""Larger hands are counted up to the names of suits."""


class NotCountedError(PitbossError, ValueError):
    """A line or a pair of lines for which there is no count."""


WORKERS = 2


@dataclass(frozen=True)
class LineCounts:
    """In how many deals each combination of the facts that a line reads is true."""

    line: str
    reads: tuple[str, ...]
    counts: Mapping[Code, int]
    deals: int
    folds: frozenset[Code] = frozenset()
    """Combinations of a seat that has folded; none where nobody folds."""


def line_counts(game: Game, line: str, deck: SmallDeck = FULL, rules: Rules | None = None) -> LineCounts:
    """Count one side wager, assuming no folds. The facts it reads select the counter.

    The rules are asked only with which device dice are rolled or a wheel is spun.
    """
    reads = game.lines.rules[line].reads
    facts = {name: fact for name, fact in facts_of(game, reads).items() if not isinstance(fact, Chosen)}
    found, deals = _fact_counts(rules, game, line, facts, deck)
    return LineCounts(line, reads, {code_of(game, reads, dict(zip(facts, c, strict=True))): n for c, n in found}, deals)


def facts_of(game: Game, reads: Iterable[str]) -> dict[str, Fact]:
    return {name: game.lines.facts.by_name[name] for name in reads}


def code_of(game: Game, reads: tuple[str, ...], known: Mapping[str, Any], folded: bool = False) -> Code:
    """The code of a line from what is true of the cards, and from what its player has chosen."""
    made = {step.name: FOLD.name for step in game.course.weighed[:1]} if folded else {}
    chosen = {n: f.of_choices(made) for n, f in facts_of(game, reads).items() if isinstance(f, Chosen)}
    return tuple({**chosen, **known}[name] for name in reads)


Found = Iterable[tuple[Code, int]]


def _fact_counts(
    rules: Rules | None, game: Game, line: str, facts: Mapping[str, Fact], deck: SmallDeck
) -> tuple[Found, int]:
    """Values of the facts, in their order, with the number of deals; and how many deals there are."""
    match tuple(facts.values()):
        case (Label(facet),):
            return (((label,), n) for label, n in facet_counts(facet, deck).items()), comb(deck.size, facet.cards)
        case (Holds(_, cards),):
            # The card that the system selects is one of the deck; the hand holds it in as many deals as have it.
            held, deals = comb(deck.size - 1, cards - 1), comb(deck.size, cards)
            return [((True,), held), ((False,), deals - held)], deals
        case (Selected(),):
            # The text says no more than "randomly selected": every seat of the table and the dealer's place alike.
            seats = max(figure.value for figure in game.chapter.figures if figure.name == "seats")
            return [((True,), 1), ((False,), seats)], seats + 1
    rolled = [fact.name for fact in facts.values() if isinstance(fact, Rolled)]
    if rolled and len(rolled) == len(facts):
        assert rules is not None, "what can be rolled depends on the device"
        rolls = all_rolls(rules)
        return Counter(tuple(name(roll) for name in rolled) for roll in rolls).items(), len(rolls)
    match tuple(facts.values()):
        case (Followed() as followed,):
            assert rules is not None, "what can be thrown depends on the device"
            return _followed(rules, followed)
        case (Label() as one, Label() as other):
            return _two_labels(game, line, one, other, deck)
    return _both_hands(game, line, facts, deck)


@lru_cache(maxsize=64)
def _followed(rules: Rules, fact: Followed) -> tuple[Found, int]:
    """Every sequence of throws, those that lead to the same state counted together; nothing is chosen."""
    *stages, _ = fact.stages(rules)
    ways, sequences = Counter[Any]({fact.start: 1}), 1
    for _, faces in stages:
        after: Counter[Any] = Counter()
        for state, count in ways.items():
            for face in faces:
                after[fact.after(rules, state, face)] += count
        ways, sequences = after, sequences * len(faces)
    named: Counter[Code] = Counter()
    for state, count in ways.items():
        named[fact.name(state, {}),] += count
    return named.items(), sequences


def _two_labels(game: Game, line: str, one: Label, other: Label, deck: SmallDeck) -> tuple[Found, int]:
    """What a hand is called together with another name: of the hand with more cards, or of a hand beside it."""
    size, more = one.facet.cards, other.facet.cards
    if one.places == other.places[: len(one.places)] and one.facet.order is other.facet.order is None:
        deals = comb(deck.size, size) * comb(deck.size - size, more - size)
        return _named_together(_by_colours, one.facet, other.facet, deck).items(), deals
    if set(one.places).isdisjoint(other.places) and other.facet.suited_from is None:
        deals = comb(deck.size, size) * comb(deck.size - size, more)
        return _named_together(_beside, one.facet, other.facet, deck).items(), deals
    raise NotCountedError(f"The line {line!r} of {game.name} reads two names that are not counted together.")


def _named_together(
    count: Callable[[Facet, Facet, SmallDeck], Counter[Code]], one: Facet, other: Facet, deck: SmallDeck
) -> Mapping[Code, int]:
    """Deals by two names; kept for the full deck."""
    if deck != FULL:
        return count(one, other, deck)
    names = [(facet.cards, facet.label.__name__) for facet in (one, other)]
    key = fingerprint((count.__name__, names), (*COUNTING_CODE, *LABELLING_CODE))
    figures = kept_figures("names", key, lambda: {"deals": [[*code, n] for code, n in count(one, other, FULL).items()]})
    return {tuple(code): n for *code, n in figures["deals"]}


def _by_colours(inner: Facet, outer: Facet, deck: SmallDeck) -> Counter[Code]:
    """Deals by the label of a hand and by that of the hand with more cards, both of which look at colours alone."""
    cards = deck.hand(np.arange(deck.size))
    red, black = [card for card in cards if is_red(card)], [card for card in cards if not is_red(card)]
    found: Counter[Code] = Counter()
    for reds in range(inner.cards + 1):
        blacks = inner.cards - reds
        first = comb(len(red), reds) * comb(len(black), blacks)
        for added in range(outer.cards - inner.cards + 1):
            rest = outer.cards - inner.cards - added
            ways = first * comb(len(red) - reds, added) * comb(len(black) - blacks, rest) if first else 0
            if ways:
                whole = *red[: reds + added], *black[: blacks + rest]
                found[inner.label((*red[:reds], *black[:blacks])), outer.label(whole)] += ways
    return found


def _beside(facet: Facet, other: Facet, deck: SmallDeck) -> Counter[Code]:
    """Deals by the label of a hand and by that of another hand beside it.

    Of the other hands of one label, those that share no card with a hand are counted by inclusion and exclusion.
    """
    hands, others = subsets_of(deck.size, facet.cards), subsets_of(deck.size, other.cards)
    names, codes = labels_of(other, deck, others)
    found: Counter[Code] = Counter()
    for at, name in enumerate(names):
        ways = np.zeros(len(hands), np.int64)
        for size in range(other.cards + 1):
            holding = np.zeros(comb(deck.size, size), np.int64)
            for columns in combinations(range(other.cards), size):
                np.add.at(holding, _numbers(others[codes == at], columns), 1)
            for columns in combinations(range(facet.cards), size):
                ways += (-1) ** size * holding[_numbers(hands, columns)]
        for (_, label), count in tally(facet, deck, hands, ways).items():
            found[label, name] += count
    return +found


def _numbers(hands: Places, columns: tuple[int, ...]) -> Ints:
    """The number of the smaller hand that some of a hand's cards make, among all of its size."""
    numbers = np.zeros(len(hands), np.int64)
    for place, column in enumerate(columns):
        numbers += BINOMIAL[:, place + 1][hands[:, column]]
    return numbers


@dataclass(frozen=True)
class Sides:
    """A comparison of two hands, what each of them is called, and the places of these in the order of the facts."""

    compare: Compare
    mine: Label
    theirs: Label
    order: tuple[int, ...]

    def coded(self, found: Mapping[Code, int]) -> dict[Code, int]:
        """Counts by (comparison, player's name, dealer's name), as the facts are ordered."""
        return {tuple(code[place] for place in self.order): n for code, n in found.items()}


def sides_of(facts: Mapping[str, Fact]) -> Sides | None:
    """The two hands that facts compare and name; none where they are other facts."""
    compare = next((fact for fact in facts.values() if isinstance(fact, Compare)), None)
    labels = [fact for fact in facts.values() if isinstance(fact, Label)]
    if compare is None or len(facts) != 3:
        return None
    sides = [each for side in (compare.places, compare.against) for each in labels if each.places == side]
    if len(sides) != 2:
        return None
    mine, theirs = sides
    return Sides(compare, mine, theirs, tuple([compare, mine, theirs].index(fact) for fact in facts.values()))


def _both_hands(game: Game, line: str, facts: Mapping[str, Fact], deck: SmallDeck) -> tuple[Found, int]:
    """How two hands compare, together with what each of them is called."""
    sides = sides_of(facts)
    if sides is None:
        raise NotCountedError(f"The line {line!r} of {game.name} is not counted as a side wager: it reads {[*facts]}.")
    if set(sides.compare.places) & set(sides.compare.against):
        from pitboss.exact.board_folds import both_hands

        found, deals = both_hands(game, sides, deck)
        return sides.coded(found).items(), deals
    player, dealer = sides.mine.facet, sides.theirs.facet
    deals = comb(deck.size, player.cards) * comb(deck.size - player.cards, dealer.cards)
    return sides.coded(versus_counts(player, dealer, deck)).items(), deals


@lru_cache(maxsize=64)
def facet_counts(facet: Facet, deck: SmallDeck = FULL) -> Mapping[str, int]:
    """How many hands have each label; kept for the full deck."""
    if deck != FULL:
        return _count_labels(facet, deck)
    key = fingerprint((facet.cards, facet.label.__name__), (*COUNTING_CODE, *LABELLING_CODE))
    return kept_figures("facets", key, lambda: _count_labels(facet, FULL))


def _count_labels(facet: Facet, deck: SmallDeck) -> dict[str, int]:
    if facet.order is None:
        return {label: count for (label, _), count in _by_colours(facet, facet, deck).items()}
    if facet.cards <= LARGEST_LISTED:
        found = tally(facet, deck, subsets_of(deck.size, facet.cards))
        return {label: count for (_, label), count in found.items()}
    return _count_classes(facet, deck)


def _count_classes(facet: Facet, deck: SmallDeck) -> dict[str, int]:
    classes = suit_classes(deck, facet.cards)
    found = tally(facet, deck, classes.hands, classes.weights, classes=True)
    return {label: count for (_, label), count in found.items()}


def labels_of(facet: Facet, deck: SmallDeck, hands: Places) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """The names of labels that occur, and the label of each hand; -1 where it depends on the suit itself."""
    cards = deck.cards[hands]
    kinds = np.zeros(len(hands), np.int32)
    suited = np.zeros(len(hands), np.bool_)
    if facet.order is not None:
        scores = batch.evaluate(facet.order, cards)
        kinds, _ = _dense(scores)
        if facet.suited_from is not None:
            suited = scores >= facet.suited_from
    if facet.colours:
        red = np.array([is_red(Card(card)) for card in range(FULL.size)], np.uint8)
        reds = sum(red[column] for column in cards.T)
        kinds = kinds * np.int32(facet.cards + 1) + reds
    kinds, first = _dense(kinds)
    asked = [facet.label(deck.hand(hands[row])) for row in first]
    names = tuple(dict.fromkeys(asked))
    codes = np.array([names.index(label) for label in asked], np.int32)[kinds]
    codes[suited] = -1
    _check_labels(facet, deck, hands, names, codes)
    return names, codes


_SAME_COLOURS = tuple(
    names
    for names in permutations(range(4))
    if all(is_red(card_of(0, s)) == is_red(card_of(0, names[s])) for s in range(4))
)


def _check_labels(
    facet: Facet, deck: SmallDeck, hands: Places, names: tuple[str, ...], codes: npt.NDArray[np.int32]
) -> None:
    """Raise ``RankingError`` if a sampled hand, its suits renamed, has another label than others of its score."""
    rng = Random(len(hands))
    changes = _SAME_COLOURS if facet.colours else tuple(permutations(range(4)))
    for row in rng.sample(range(len(hands)), min(len(hands), 2 * batch.SAMPLED)):
        suits = rng.choice(changes) if facet.suited_from is None else range(4)
        hand = tuple(card_of(rank_of(card), suits[suit_of(card)]) for card in deck.hand(hands[row]))
        if codes[row] >= 0 and (label := facet.label(hand)) != names[codes[row]]:
            raise batch.RankingError(facet.label.__name__, hand, f"is {label!r}, by its score {names[codes[row]]!r}")


def _dense(values: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Small numbers instead of the values, in their order, and a row of each; by table, because sorting is slow."""
    row_of = np.zeros(int(values.max(initial=0)) + 1, np.int32)
    row_of[values] = np.arange(1, len(values) + 1, dtype=np.int32)
    found = np.flatnonzero(row_of)
    place_of = np.zeros(len(row_of), np.int32)
    place_of[found] = np.arange(len(found), dtype=np.int32)
    return place_of[values], row_of[found] - 1


def tally(
    facet: Facet,
    deck: SmallDeck,
    hands: Places,
    weights: npt.NDArray[np.integer[Any]] | None = None,
    groups: Groups | None = None,
    ups: npt.NDArray[np.uint8] | None = None,
    classes: bool = False,
) -> dict[tuple[int, str], int]:
    """Weights by group and label. Of hands that stand for a class, every member is looked at where suits matter."""
    names, codes = labels_of(facet, deck, hands)
    weighing = np.ones(len(hands), np.int64) if weights is None else weights
    grouped = np.zeros(len(hands), np.int64) if groups is None else groups
    most = int(grouped.max(initial=0)) + 1
    plain = codes >= 0
    cells = codes.astype(np.int64) * most + grouped
    # Sums of whole numbers below 2^53 are exact in floating point.
    sums = np.bincount(cells[plain], weighing[plain], most * len(names))
    found: Counter[tuple[int, str]] = Counter()
    for cell in np.flatnonzero(sums):
        found[int(cell) % most, names[int(cell) // most]] += int(sums[cell])
    for row in np.flatnonzero(~plain):
        up = None if ups is None else Card(int(deck.cards[ups[row]]))
        members = suit_orbit(deck.hand(hands[row]), up) if classes else [deck.hand(hands[row])]
        each, rest = divmod(int(weighing[row]), len(members))
        assert rest == 0, "a class stands for all its members equally"
        for member in members:
            found[int(grouped[row]), facet.label(member)] += each
    return dict(found)


def suit_orbit(hand: Hand, up: Card | None = None) -> list[Hand]:
    """The hands that a hand becomes when suits change names, told apart by an up card that changes with them."""
    known = {}
    for names in permutations(range(4)):
        image = tuple(card_of(rank_of(card), names[suit_of(card)]) for card in hand)
        shown = None if up is None else card_of(rank_of(up), names[suit_of(up)])
        known[frozenset(image), shown] = image
    return list(known.values())


@dataclass(frozen=True)
class Ranked:
    """Every player's hand and every class of dealer's hands, all scores replaced by ranks from 0."""

    own: Places
    other: Classes
    ranks: Ranks
    other_ranks: Ranks
    examples: tuple[Hand, ...]
    """A hand of each rank."""

    @classmethod
    def of(cls, player: Facet, dealer: Facet, deck: SmallDeck) -> "Ranked":
        assert player.order is not None, "a label without a ranking cannot be compared"
        assert (player.order, player.label) == (dealer.order, dealer.label), "both hands are ranked alike"
        order = player.order
        with ThreadPoolExecutor(WORKERS) as pool:
            own = subsets_of(deck.size, player.cards)
            scoring = pool.submit(hand_scores, order, deck, player.cards)
            other = suit_classes(deck, dealer.cards)
            halves = np.array_split(deck.cards[other.hands], WORKERS)
            others = list(pool.map(lambda half: batch.evaluate(order, half), halves))
            ranks, rows = _dense(np.concatenate([*others, scoring.result()]))
        split = len(other.hands)
        examples = (deck.hand(own[row - split] if row >= split else other.hands[row]) for row in rows)
        return cls(own, other, ranks[split:], ranks[:split], tuple(examples))

    def runs(self, label: Callable[[Hand], str]) -> tuple[Ranks, tuple[str, ...]]:
        """The run of each rank and the label of each run; a label may be more than one run."""
        labels: list[str] = []
        runs = np.empty(len(self.examples), np.int32)
        for rank, hand in enumerate(self.examples):
            name = label(hand)
            if not labels or labels[-1] != name:
                labels.append(name)
            runs[rank] = len(labels) - 1
        return runs, tuple(labels)


@lru_cache(maxsize=8)
def versus_counts(player: Facet, dealer: Facet, deck: SmallDeck = FULL) -> Mapping[Code, int]:
    """Deals by (player's hand against the dealer's, player's label, dealer's label); kept for the full deck."""
    if deck != FULL:
        return _count_versus(player, dealer, deck)
    key = fingerprint((player.cards, dealer.cards, player.label.__name__), (*COUNTING_CODE, *LABELLING_CODE))

    def make() -> tuple[Arrays, Mapping[str, Any]]:
        return {}, {"deals": [[*code, deals] for code, deals in _count_versus(player, dealer, FULL).items()]}

    _, figures = kept("versus", key, make)
    return {(Versus(versus), mine, theirs): deals for versus, mine, theirs, deals in figures["deals"]}


def _count_versus(player: Facet, dealer: Facet, deck: SmallDeck) -> Mapping[Code, int]:
    """Count them.

    Labels are runs of consecutive ranks. For every dealer's hand, up to suits, inclusion-exclusion over its cards
    gives the player's hands of each run; only within one run the ranks themselves must be compared.
    """
    ranked = Ranked.of(player, dealer, deck)
    other = ranked.other
    with ThreadPoolExecutor(WORKERS) as pool:
        asked = np.stack([ranked.other_ranks, ranked.other_ranks + 1], axis=1)
        counting = pool.submit(count_below, deck.size, ranked.ranks, player.cards, other.hands, asked)
        runs, labels = ranked.runs(player.label)
        other_runs = runs[ranked.other_ranks]
        joint = np.zeros((len(labels), len(labels)), np.int64)
        _avoid(deck.size, ranked.own, runs[ranked.ranks], other.hands, other.weights, other_runs, BINOMIAL, joint)
        below = counting.result() * other.weights[:, None]
    # Sums of whole numbers far below 2^53: floats hold them exactly.
    totals = [np.bincount(other_runs, below[:, column], len(labels)) for column in range(2)]
    found: Counter[Code] = Counter()
    for mine, theirs in np.ndindex(*joint.shape):
        deals = int(joint[mine, theirs])
        if mine != theirs:
            found[Versus.LOWER if mine < theirs else Versus.HIGHER, labels[mine], labels[theirs]] += deals
            continue
        lower, upto = (int(total[theirs]) - int(joint[:mine, theirs].sum()) for total in totals)
        for versus, part in zip(Versus, (lower, upto - lower, deals - upto), strict=True):
            found[versus, labels[mine], labels[theirs]] += part
    return {code: deals for code, deals in found.items() if deals}


@njit(cache=True, nogil=True)
def _avoid(
    n: int,
    hands: Places,
    runs: Ranks,
    known: Places,
    weights: Ints,
    known_runs: Ranks,
    binomial: Ints,
    joint: Ints,
) -> None:
    """``joint[r, s]``: pairs of a hand of run r and a known row of run s that share no card, rows by their weights."""
    size, held, run_count = hands.shape[1], known.shape[1], joint.shape[0]
    largest = size - 1
    starts = np.zeros(largest + 2, np.int64)
    for k in range(largest + 1):
        starts[k + 1] = starts[k] + binomial[n, k]
    counters = np.zeros((starts[largest + 1], run_count), np.int32)
    subset = np.zeros(1 << max(size, held), np.int64)
    bits = np.zeros(1 << max(size, held), np.int64)
    highest = np.zeros(1 << max(size, held), np.int64)
    for mask in range(1, len(bits)):
        bits[mask] = bits[mask >> 1] + (mask & 1)
        highest[mask] = highest[mask >> 1] + 1 if mask > 1 else 0
    # Hands that contain a set of k cards, from those that contain one card more: each hand is met size - k times.
    for row in range(len(hands)):
        for without in range(size):
            index = 0
            for place in range(size):
                if place != without:
                    index += binomial[hands[row, place], place + 1 if place < without else place]
            counters[starts[size - 1] + index, runs[row]] += 1
    cards = np.empty(size + 1, np.uint8)
    for k in range(size - 2, -1, -1):
        for place in range(k + 1):
            cards[place] = place
        for larger in range(binomial[n, k + 1]):
            for without in range(k + 1):
                index = 0
                for place in range(k + 1):
                    if place != without:
                        index += binomial[cards[place], place + 1 if place < without else place]
                for run in range(run_count):
                    counters[starts[k] + index, run] += counters[starts[k + 1] + larger, run]
            next_subset(cards, k + 1)
        for index in range(binomial[n, k]):
            for run in range(run_count):
                counters[starts[k] + index, run] //= size - k
    upper = np.zeros(run_count, np.int32)
    left = np.empty(run_count, np.int32)
    for row in range(len(known)):
        # Neighbouring rows often differ in their lowest card alone: sums over the subsets of the others are kept.
        same = row > 0
        for place in range(1, held):
            same = same and known[row, place] == known[row - 1, place]
        if not same:
            upper[:] = counters[0]
        subset[1] = known[row, 0]
        for half in range(2):
            if half == 0 and same:
                continue
            sums = left if half else upper
            if half:
                left[:] = upper
            for mask in range(2 - half, 1 << held, 2):
                k = bits[mask]
                if half == 0 or mask > 1:
                    subset[mask] = subset[mask ^ (1 << highest[mask])] + binomial[known[row, highest[mask]], k]
                if k <= largest:
                    place = starts[k] + subset[mask]
                    if k & 1:
                        for run in range(run_count):
                            sums[run] -= counters[place, run]
                    else:
                        for run in range(run_count):
                            sums[run] += counters[place, run]
                elif k == size:
                    sums[runs[subset[mask]]] += -1 if k & 1 else 1
        for run in range(run_count):
            joint[run, known_runs[row]] += weights[row] * np.int64(left[run])
