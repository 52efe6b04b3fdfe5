"""Hands on a common board: against plain enumeration on small decks and of single states, and published figures.

Enumeration knows no classes of boards and sorts nothing: every board and every holding of the dealer is looked at, and
a round of each outcome is settled live. Spreads of results, not values, are carried from street to street.
"""

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, lcm, perm
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from numba import njit

import pitboss
from pitboss.api import rules_for
from pitboss.cards import RANKS, Card, Hand, parse_cards
from pitboss.exact import board
from pitboss.exact.board import BoardPlay
from pitboss.exact.board_classes import PAIR
from pitboss.exact.board_counts import board_of, count_afresh, unranked
from pitboss.exact.board_lists import opening_classes, opening_picks, starts_of
from pitboss.exact.board_rules import board_lists, list_of
from pitboss.exact.board_streets import BoardStreet, finals_worth
from pitboss.exact.board_sums import face_whole
from pitboss.exact.decks import BINOMIAL, FULL, SUITS, SmallDeck, all_subsets
from pitboss.exact.edge import main_table, optimal_play
from pitboss.exact.exposed import exposed, read_known
from pitboss.exact.facets import facts_of, line_counts, sides_of
from pitboss.exact.plan import ENDED
from pitboss.exact.side import reads_folded, side_lines
from pitboss.exact.strategy import analyse_hand
from pitboss.exact.streets import StreetsAnalysis
from pitboss.exact.value import root
from pitboss.findings import UnreadableError
from pitboss.games.course import TurnUp
from pitboss.games.facts import Chosen, Versus
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.repaying import with_rows
from pitboss.games.round import Round, Seat
from pitboss.hands import batch
from pitboss.law.odds import ToOne

from .naive import main_net, tries, wagers_of

AS_OF = date(2024, 6, 1)
BOARDS = [name for name in GAMES if GAMES[name].main_posts and board_of(GAMES[name]) is not None]
boards = pytest.mark.parametrize("name", BOARDS)
Ints = npt.NDArray[np.int64]
Made = tuple[str, ...]


def best(name: str) -> BoardPlay:
    """Solved once for every test of this process, states included."""
    play = optimal_play(GAMES[name], rules_for(name, AS_OF))
    assert isinstance(play, BoardPlay)
    return play


@dataclass
class Table:
    """What the table pays for an outcome, by settling one round of it; all spreads are over the same few nets."""

    name: str
    deck: SmallDeck

    def __post_init__(self) -> None:
        self.game, self.rules = GAMES[self.name], rules_for(self.name, AS_OF)
        structure = board_of(self.game)
        assert structure is not None
        self.order, self.cards, self.seen = structure.order, structure.cards, (*structure.seen, structure.cards)
        self.nets: list[Fraction] = []
        self._columns: dict[tuple[Any, ...], int] = {}
        self._of_rank: dict[tuple[Made, int, int], int] = {}

    @cached_property
    def read(self) -> tuple[str, ...]:
        """Facts of the cards that a main wager reads."""
        lines = (self.game.lines.rules[post.line] for post in self.game.main_posts)
        return tuple(dict.fromkeys(fact for line in lines for fact in line.reads if fact != "folded"))

    def round_of(self, made: Made, own: Hand, lying: Hand, dealer: Hand) -> Round:
        (place,) = {step.place for step in self.game.course.flat if isinstance(step, TurnUp)} - {"dealer"}
        steps = zip(self.game.course.decides, made, strict=False)
        tried = {step.name: tries(self.rules, step)[name] for step, name in steps}
        decisions = {step: decision for step, decision in tried.items() if decision is not None}
        return Round(dealer, (Seat(1, own, wagers_of(self.rules), decisions),), {place: lying})

    def column(self, made: Made, own: Hand, lying: Hand, dealer: Hand) -> int:
        """The place of a round's net among all nets; rounds of one outcome and the same choices are settled once."""
        played = self.round_of(made, own, lying, dealer)
        outcome = self.game.outcome(self.rules, played, played.seats[0])
        key = made, *(getattr(outcome, fact) for fact in self.read)
        if key not in self._columns:
            net = main_net(self.rules, played)
            if net not in self.nets:
                self.nets.append(net)
            self._columns[key] = self.nets.index(net)
        return self._columns[key]


class Naive(Table):
    """One holding against everything, from a board that lies already or from none; cards of the dealer may be known."""

    MOST_NETS = 32

    def start(self, own: Hand, lying: Hand = (), known: Hand = ()) -> None:
        self.own, self.lying = own, lying
        rest = [card for card in self.deck.cards.tolist() if card not in (*own, *lying, *known)]
        self.rest, self.open = np.array([*rest, *known]), len(rest)
        self.missing = self.cards - len(lying)
        later = self.missing + PAIR
        # The dealer's hand is what lies and some more cards; whichever of them lie, it has one score.
        more = _subsets(len(self.rest), later)
        on_board = np.broadcast_to(np.array(lying, np.int64), (len(more), len(lying)))
        theirs = batch.evaluate(self.order, np.concatenate([on_board, self.rest[more]], axis=1))
        left = len(self.rest) - self.missing
        self.sets, pairs = _subsets(self.open, self.missing), _subsets(left, PAIR)
        self.pairs = pairs[(pairs >= left - len(known)).sum(axis=1) == len(known)]
        held = np.broadcast_to((*own, *lying), (len(self.sets), PAIR + len(lying)))
        self.mine = batch.evaluate(self.order, np.concatenate([held, self.rest[self.sets]], axis=1))
        self.many, self.shown = np.zeros((len(self.sets), CODES), np.int64), np.zeros((len(self.sets), CODES), np.int64)
        stand(len(self.rest), self.sets, self.pairs, self.mine, theirs, self.least, BINOMIAL, self.many, self.shown)

    def spread(self, made: Made) -> Ints:
        """By board and net: how many of the dealer's holdings come to it. Hands of one rank are settled alike."""
        found = np.zeros((len(self.sets), self.MOST_NETS), np.int64)
        for code in range(CODES):
            rows = np.flatnonzero(self.many[:, code])
            _, first, group = np.unique(self.mine[rows], return_index=True, return_inverse=True)
            columns = np.array([self._column_at(made, int(rows[at]), code) for at in first], np.int64)
            found[rows, columns[group.reshape(-1)]] += self.many[rows, code]
        return found

    def _column_at(self, made: Made, row: int, code: int) -> int:
        key = made, int(self.mine[row]), code
        if key not in self._of_rank:
            left = np.setdiff1d(np.arange(len(self.rest)), self.sets[row])
            dealer = self.hand(left[self.pairs[self.shown[row, code]]])
            self._of_rank[key] = self.column(made, self.own, (*self.lying, *self.hand(self.sets[row])), dealer)
        return self._of_rank[key]

    def hand(self, places: Ints) -> Hand:
        return tuple(Card(int(self.rest[place])) for place in places)

    @property
    def least(self) -> int:
        structure = board_of(self.game)
        assert structure is not None
        return 0 if structure.qualifies is None else structure.qualifies[1]

    def down(self, spread: Ints, size: int, to: int) -> Ints:
        """Sums over every card that may come next, down to boards of fewer cards."""
        for more in range(size - len(self.lying), to - len(self.lying), -1):
            spread = added(spread, _one_more(self.open, more - 1))
        return spread

    def values(self, spread: Ints) -> Ints:
        unit = lcm(*(net.denominator for net in self.nets))
        worth: Ints = spread[:, : len(self.nets)] @ np.array([int(net * unit) for net in self.nets])
        return worth

    def best(self, place: int, made: Made, found: dict[Made, tuple[tuple[str, ...], Ints]]) -> Ints:
        """The spread of the best play from a decision on, by board; fills in what each choice is worth at each."""
        size, step = self.seen[place], self.game.course.decides[place]
        spreads = {}
        for choice in step.choices(self.rules):
            after = (*made, choice.name)
            last = choice.option.ends or place + 1 == len(self.game.course.decides)
            later = self.spread(after) if last else self.best(place + 1, after, found)
            spreads[choice.name] = self.down(later, self.cards if last else self.seen[place + 1], size)
        worth = np.stack([self.values(spread) for spread in spreads.values()])
        found[made] = tuple(spreads), worth
        picked: Ints = np.take_along_axis(np.stack([*spreads.values()]), worth.argmax(axis=0)[None, :, None], axis=0)[0]
        return picked


CODES = 6
"""How a hand of the dealer stands to the player's: lower, level or higher, and whether it qualifies."""


@njit(cache=True)
def _stand(
    n: int, sets: Ints, pairs: Ints, mine: Ints, theirs: Ints, least: int, binomial: Ints, many: Ints, shown: Ints
) -> None:
    """The dealer's pairs beside each set of cards that the board lacks, by how they stand; and one of each.

    A pair and the set are one hand, whose number among all of as many cards is found by counting.
    """
    size = sets.shape[1]
    for row in range(len(sets)):
        lies = np.zeros(n, np.bool_)
        lies[sets[row]] = True
        left = np.flatnonzero(~lies)
        for which in range(len(pairs)):
            low, high = left[pairs[which, 0]], left[pairs[which, 1]]
            number, at, placed = 0, 0, 0
            while placed < size + 2:
                if at < size and sets[row, at] < low:
                    card, at = sets[row, at], at + 1
                else:
                    card, low, high = low, high, n
                placed += 1
                number += binomial[card, placed]
            code = 2 * (1 + np.sign(theirs[number] - mine[row])) + (theirs[number] >= least)
            many[row, code] += 1
            shown[row, code] = which


@njit(cache=True)
def _added(spread: Ints, which: Ints) -> Ints:
    """Sums of the rows listed."""
    found = np.zeros((len(which), spread.shape[1]), np.int64)
    for row in range(len(which)):
        for more in which[row]:
            found[row] += spread[more]
    return found


stand: Callable[..., None] = _stand
added: Callable[..., Ints] = _added


@lru_cache(maxsize=32)
def _subsets(n: int, size: int) -> Ints:
    if size == 0:
        return np.zeros((1, 0), np.int64)
    found = np.empty((comb(n, size), size), np.uint8)
    all_subsets(n, size, found)
    return found.astype(np.int64)


@lru_cache(maxsize=32)
def _one_more(n: int, size: int) -> Ints:
    """By number: the sets that have one card more."""
    sets = _subsets(n, size)
    others = np.array([np.setdiff1d(np.arange(n), row) for row in sets])
    larger = np.concatenate([np.repeat(sets[:, None], n - size, axis=1), others[:, :, None]], axis=2)
    return _number(np.sort(larger, axis=2).reshape(-1, size + 1)).reshape(others.shape)


def _number(sets: Ints) -> Ints:
    return sum((BINOMIAL[sets[:, place], place + 1] for place in range(sets.shape[1])), np.zeros(len(sets), np.int64))


def _history(play: BoardPlay, made: Made) -> int:
    history = 0
    for street, name in zip(play.asked, made, strict=False):
        history = int(street.follows[history, street.names.index(name)])
    return history


def _columns(street: BoardStreet, names: tuple[str, ...]) -> Ints:
    return np.array([street.names.index(name) for name in names])


def _starts(deck: SmallDeck) -> Counter[Hand]:
    """One holding of each rank and suitedness, and how many are like it."""
    cards = deck.hand(range(deck.size))
    like: dict[tuple[int, int, bool], list[Hand]] = {}
    for pair in combinations(cards, PAIR):
        like.setdefault((pair[0] >> 2, pair[1] >> 2, pair[0] & 3 == pair[1] & 3), []).append(pair)
    return Counter({pairs[0]: len(pairs) for pairs in like.values()})


@boards
@pytest.mark.parametrize(("ranks", "some"), [("AKQJT9", None), ("2346789", 3)], ids=["six ranks", "seven ranks"])
def test_every_decision_is_worth_what_enumeration_says(name: str, ranks: str, some: int | None) -> None:
    """To the last integer: every board, every flop, every start; with all starts the whole distribution too."""
    deck = SmallDeck(tuple(sorted(RANKS.index(rank) for rank in ranks)))
    play = board.valued(GAMES[name], rules_for(name, AS_OF), deck)
    naive, counts = Naive(name, deck), play.counts
    finals = finals_worth(counts, play.plan, counts.levels[-1].boards)
    starts = _starts(deck)
    if some is not None:
        starts = Counter(dict(Random(653).sample(sorted(starts.items()), some)))
    total: Counter[Fraction] = Counter()
    for own, many in starts.items():
        naive.start(own)
        found: dict[Made, tuple[tuple[str, ...], Ints]] = {}
        (spread,) = naive.best(0, (), found)
        total.update({net: many * int(n) for net, n in zip(naive.nets, spread.tolist(), strict=False) if n})
        unit = lcm(*(net.denominator for net in naive.nets))
        for made, (names, worth) in found.items():
            street = play.streets[len(made)]
            history = _history(play, made)
            lying = _places(naive, street.size)
            rows, pairs = counts.where(deck.places(own), lying)
            for at, choice in enumerate(names):
                column = street.names.index(choice)
                end = street.follows[history, column]
                if street.size == naive.cards:
                    ended = np.full(len(lying), street.choosing.ended[history, column] * counts.dealt)
                    ours = ended if end == ENDED else finals[end, rows, pairs]
                elif len(street.worth):
                    ours = street.worth[history, column, rows, pairs]
                else:
                    assert (street.picked[history, rows, pairs] == _columns(street, names)[worth.argmax(axis=0)]).all()
                    continue
                assert (ours * unit == worth[at] * play.plan.unit).all(), (own, made, choice)
    if some is None:
        alike = counts.board.orders
        assert {net: n // alike for net, n in total.items()} == dict(play.result.distribution)
        assert sum(total.values()) == play.result.deals * alike


def _places(naive: Naive, size: int) -> npt.NDArray[np.uint8]:
    where = {int(card): place for place, card in enumerate(naive.deck.cards)}
    rest = np.array([where[int(card)] for card in naive.rest[: naive.open]])
    return rest[_subsets(len(rest), size)].astype(np.uint8)


KNOWN = {"dealer=1": (4,), "dealer=1,2": (5, 8), "dealer=1 community=1": (4,), "dealer=1 community=5": (4,)}
"""What a player knows too early, and the places of the dealer's cards with which it is tried."""


@boards
@pytest.mark.parametrize("words", KNOWN)
def test_cards_known_too_early_are_worth_what_enumeration_says(name: str, words: str) -> None:
    """Every state of the first decision with some holdings, to the last integer."""
    deck, game, rules = SmallDeck(tuple(range(8, 13))), GAMES[name], rules_for(name, AS_OF)
    structure, known = board_of(game), read_known(game, words.split())
    assert structure is not None
    seen = known.seen(structure.seen)
    counts = replace(unranked(replace(structure, seen=seen), deck), known=KNOWN[words])
    plan = board.plan_of(game, rules, counts)
    _, ours = board.before_whole(counts, plan, face_whole(counts, plan, None))
    naive, random = Naive(name, deck), Random(653)
    naive.seen = (*seen, structure.cards)
    for _ in range(4):
        own = random.sample([place for place in range(deck.size) if place not in counts.known], PAIR)
        naive.start(deck.hand(sorted(own)), known=deck.hand(counts.known))
        found: dict[Made, tuple[tuple[str, ...], Ints]] = {}
        naive.best(0, (), found)
        unit = lcm(*(net.denominator for net in naive.nets))
        rows, pairs = counts.where(own, _places(naive, seen[0]))
        assert (ours[rows, pairs] * unit == found[()][1].max(axis=0) * plan.unit).all(), (own, words)


def test_what_is_known_too_early_is_weighed_as_often_as_it_comes() -> None:
    """All holdings and all cards of the dealer on a deck of four ranks, with one of the last cards known besides."""
    name, deck = BOARDS[0], SmallDeck(tuple(range(9, 13)))
    game, rules = GAMES[name], rules_for(name, AS_OF)
    found = exposed(game, rules, read_known(game, ["dealer=1", "community=5"]), deck)
    naive, worth = Naive(name, deck), []
    naive.seen = (1, 4, 5, 5)
    for first in range(0, deck.size, SUITS):
        by_card = []
        for own in combinations([place for place in range(deck.size) if place != first], PAIR):
            naive.start(deck.hand(own), known=deck.hand([first]))
            values: dict[Made, tuple[tuple[str, ...], Ints]] = {}
            naive.best(0, (), values)
            ways = lcm(*(net.denominator for net in naive.nets)) * perm(12, 4) * 8
            by_card.append(Fraction(int(values[()][1].max(axis=0).sum()), ways * 13))
        worth.append(sum(by_card, Fraction(0)) / len(by_card))
    assert found.expected_value == sum(worth, Fraction(0)) / len(worth)
    assert [*found.by_card.values()] == worth[::-1]
    assert sum(share for choice, share in found.choices.items() if choice.startswith("preflop ")) == 1


def _state(random: Random, size: int) -> tuple[Hand, Hand]:
    cards = tuple(Card(card) for card in random.sample(range(FULL.size), PAIR + size))
    return cards[:PAIR], cards[PAIR:]


@boards
@pytest.mark.parametrize(("flop", "states"), [(False, 200 // 3 + 1), (True, 20 // 3 + 1)], ids=["last", "flop"])
def test_states_of_the_full_deck_are_worth_what_enumeration_says(name: str, flop: bool, states: int) -> None:
    """Every choice at the last decision, and at the flop, by every board to come and every holding of the dealer."""
    play, naive, random = best(name), Naive(name, FULL), Random(647)
    place = 1 if flop else len(play.asked) - 1
    seen = play.counts.board.seen[place]
    made = tuple(_waiting(play, place))
    for _ in range(states):
        own, lying = _state(random, seen)
        naive.start(own, lying)
        found: dict[Made, tuple[tuple[str, ...], Ints]] = {}
        naive.best(place, made, found)
        names, worth = found[made]
        unit = lcm(*(net.denominator for net in naive.nets)) * play.counts.ways(seen)
        values = play.asked[place].values((*own, *lying), _history(play, made))
        assert values == {each: Fraction(int(worth[at, 0]), unit) for at, each in enumerate(names)}, (own, lying)


def _waiting(play: BoardPlay, place: int) -> Iterator[str]:
    """Choices after which the game goes on to ask: of each earlier decision the last such."""
    history = 0
    for street, later in zip(play.asked[:place], play.asked[1:], strict=False):
        legal = np.flatnonzero(street.choosing.legal[history])
        after = {street.names[c]: int(street.follows[history, c]) for c in legal if street.follows[history, c] != ENDED}
        *_, name = (each for each, h in after.items() if later.names[int(later.choosing.legal[h].argmax())])
        yield name
        history = after[name]


@boards
def test_the_whole_game_counts_every_deal_once(name: str) -> None:
    result, starts = best(name).result, starts_of(best(name))
    assert sum(start.weight for start in starts) == comb(FULL.size, PAIR)
    assert sum(result.distribution.values()) == result.deals == best(name).deals
    value = sum((start.weight * start.values[start.best] for start in starts), Fraction(0)) / comb(FULL.size, PAIR)
    assert value == result.expected_value


def test_both_hands_together_are_as_often_as_published() -> None:
    """All deals, a full house that loses to four-of-a-kind, and no pair against no pair (Wizard of Odds)."""
    name, line = next(
        (name, line) for name in BOARDS for line in GAMES[name].lines.rules if sides_of(_facts(name, line))
    )
    counted = line_counts(GAMES[name], line)
    named = {tuple(each for each in code if not isinstance(each, bool)): n for code, n in counted.counts.items()}
    assert counted.deals == sum(named.values()) == 2_781_381_002_400
    assert named[Versus.LOWER, "full_house", "four_of_a_kind"] == 966_835_584
    assert sum(n for (_, *hands), n in named.items() if set(hands) == {"high_card"}) == 164_934_908_760


def _facts(name: str, line: str) -> Mapping[str, Any]:
    facts = facts_of(GAMES[name], GAMES[name].lines.rules[line].reads)
    return {each: fact for each, fact in facts.items() if not isinstance(fact, Chosen)}


@boards
def test_who_folds_is_counted_with_what_is_forfeited(name: str) -> None:
    """On a small deck: folds by name add up to how often that is chosen, and with the others to all deals."""
    deck = SmallDeck(tuple(range(7, 13)))
    game = GAMES[name]
    play = board.valued(game, rules_for(name, AS_OF), deck)
    share = sum(share for choice, share in play.result.choices.items() if choice.endswith(" fold"))
    for line in side_lines(game):
        if reads_folded(game, line):
            found = play.folded(_facts(name, line))
            assert sum(found.values()) == play.deals
            assert Fraction(sum(n for (fold, _), n in found.items() if fold), play.deals) == share
            together: Counter[Any] = Counter()
            for (_, code), n in found.items():
                together[code] += n
            plain = line_counts(game, line, deck)
            places = [plain.reads.index(fact) for fact in _facts(name, line)]
            for code, n in plain.counts.items():
                known = tuple(code[place] for place in places)
                assert Fraction(together[known], play.deals) == Fraction(n, plain.deals), (line, code)


@boards
def test_odds_are_counted_as_far_as_machine_integers_go(name: str) -> None:
    """With the largest odds sums over states agree with those over outcomes, which know no limit; larger are refused.

    With a main wager of one unit lost, a row's odds are all that can be won with it, and more than with any other.
    """
    deck, game, rules = SmallDeck(tuple(range(8, 13))), GAMES[name], rules_for(name, AS_OF)
    structure = board_of(game)
    assert structure is not None
    counts = count_afresh(structure, deck)
    table, row = main_table(game), next(iter(rules.tables[main_table(game)].rows))
    unit = board.plan_of(game, rules, counts).unit
    limit = np.iinfo(np.int64).max // counts.most_ways // unit
    largest = with_rows(rules, table, {row: ToOne(Fraction(limit - 1000))})
    play = board.played(game, largest, counts, board.plan_of(game, largest, counts))
    assert max(play.result.distribution) >= limit - 1000
    usual = board.played(game, rules, counts, board.plan_of(game, rules, counts))
    same = usual.under(largest)
    assert same is not None
    assert usual.result.expected_value < same.expected_value <= play.result.expected_value
    worth = sum(max(play.opening[:, pair].tolist()) for pair in range(counts.pairs))
    assert Fraction(worth, counts.pairs * counts.ways(0) * unit) == play.result.expected_value
    with pytest.raises(UnreadableError, match="too large"):
        board.plan_of(game, with_rows(rules, table, {row: ToOne(Fraction(limit + 10))}), counts)
    with pytest.raises(UnreadableError, match="too large"):
        list_of(play, 0)


def test_starting_cards_of_a_chart() -> None:
    """As published where one may fold at once: a deuce with a three to a seven, off suit (Wizard of Odds)."""
    name = next(name for name in BOARDS if best(name).plan.steps[0].names[-1] == "fold")
    starts = {start.name: start for start in starts_of(best(name))}
    assert [each for each, start in starts.items() if start.best == "fold"] == ["72o", "62o", "52o", "42o", "32o"]
    worth = [f"{float(starts[each].values['bet']):.6f}" for each in ("32o", "72o", "82o")]
    assert worth == ["-1.155927", "-1.031301", "-0.896002"]


def test_the_published_deviation_leaves_out_hands_that_fold() -> None:
    """3.500839 in print (Wizard of Odds) is the deviation if a fold, which loses one Ante, lost nothing."""
    name = next(name for name in BOARDS if best(name).plan.steps[0].names[-1] == "fold")
    result = best(name).result
    (folds,) = (share for choice, share in result.choices.items() if choice.endswith(" fold"))
    assert f"{root(result.variance - folds):.6f}" == "3.500839"


def test_a_hand_on_two_streets() -> None:
    name = BOARDS[0]
    cards, lying = parse_cards("As Kd"), parse_cards("2c 7d 9h")
    found = analyse_hand(GAMES[name], rules_for(name, AS_OF), cards, board=lying)
    assert isinstance(found, StreetsAnalysis)
    assert len(found.streets) == 2
    assert found.now.seen == cards + lying
    assert found.now.values[found.now.best] == max(found.now.values.values())
    after = found.now.made[0]
    ends = next(each for each in found.streets[0].values if each != after)
    with pytest.raises(UnreadableError, match="cannot be followed"):
        analyse_hand(GAMES[name], rules_for(name, AS_OF), cards, board=lying, chosen=(ends,))


def test_a_solution_on_boards_as_arrays() -> None:
    """The public arrays hold what one hand at a time is worth; a board has every hand that avoids it."""
    name = BOARDS[0]
    solution = pitboss.solve(rules_for(name, AS_OF))
    (opening,) = solution.steps
    assert opening.cards.shape == (169, 2)
    assert opening.weights.sum() == 1326
    weighed = (opening.values.max(axis=1) * opening.weights).sum() / 1326
    assert weighed == pytest.approx(float(solution.expected_value))
    for step, many in ((solution.on("2c 7d 9h"), 1176), (solution.on("2c 7d 9h 3s Ts"), 1081)):
        assert step.cards.shape[0] == many == len({*map(frozenset, step.cards.tolist())})
        row = next(at for at, cards in enumerate(step.cards.tolist()) if {*cards[:2]} == {*parse_cards("As Kd")})
        worth = solution.ev("As Kd", board=tuple(map(Card, step.cards[row, 2:].tolist())))
        assert step.values[row] == pytest.approx([float(worth[each]) for each in step.choices])
        assert step.choices[step.best[row]] == max(worth, key=worth.__getitem__)
    for board_, chosen, said in (
        ("2c 7d", (), "is asked when 0, 3 or 5 cards lie"),
        ("2c 2c 9h", (), "named twice"),
        ("2c 7d 9h", ("play 4x",), "Say what was chosen before"),
        ("2c 7d 9h", "check", "listed by name"),
    ):
        with pytest.raises(UnreadableError, match=said):
            solution.on(board_, chosen)
    with pytest.raises(pitboss.PitbossError, match="simulate by it"):
        solution.evaluate(lambda _: "check")
    with pytest.raises(UnreadableError, match=r"shape \(169,\)"):
        solution.evaluate([0, 1])
    assert pickle.loads(pickle.dumps(solution)) == solution


@boards
def test_the_first_decision_alone_can_be_given(name: str) -> None:
    """The least at first and the best afterwards is worth what the solver says of that choice; nothing else changes."""
    deck = SmallDeck(tuple(range(7, 13)))
    game, rules = GAMES[name], rules_for(name, AS_OF)
    play = board.valued(game, rules, deck)
    classes, numbers = opening_classes(play)
    later: list[None] = [None] * (len(play.plan.steps) - 1)
    for choice in np.flatnonzero(play.plan.steps[0].legal[0]).tolist():
        first = opening_picks(play, np.full(len(classes.weights), choice, np.uint8))
        forced = board.played(game, rules, play.counts, play.plan, [first, *later])
        worth = int((play.opening[choice, numbers] * classes.weights).sum())
        whole = play.counts.pairs * play.counts.ways(0) * play.plan.unit
        assert forced.result.expected_value == Fraction(worth, whole)


@boards
def test_a_list_is_worth_what_playing_by_it_is_worth(name: str) -> None:
    """Without a sentence the least is wagered after the chart; played state by state, that is worth the same."""
    deck = SmallDeck(tuple(range(7, 13)))
    game, rules = GAMES[name], rules_for(name, AS_OF)
    play = board.valued(game, rules, deck)
    picks = [play.streets[0].picked]
    for street in play.streets[1:]:
        least = [min((outlay.wagered, choice) for choice, outlay in puts.items())[1] for puts in street.puts]
        every = np.ones((1, len(street.level.boards), play.counts.pairs), np.uint8)
        picks.append(np.array(least, np.uint8)[:, None, None] * every)
    forced = board.played(game, rules, play.counts, play.plan, picks)
    assert list_of(play, 0).expected_value == forced.result.expected_value
    lists = board_lists(play)
    assert [found.best for found in lists] == [play.result.expected_value] * len(lists)
    assert forced.result.expected_value < lists[0].expected_value <= lists[-1].expected_value < lists[0].best
    assert all(len(found.sentences) == len(game.course.decides) for found in lists)
