"""Lunar Poker's draw: compiled facts against the scalar rules, and the counting against plain enumeration."""

import os
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from pitboss import settle  # noqa: E402
from pitboss.api import rules_for  # noqa: E402
from pitboss.cards import DECK, Card, Hand, card_of, parse_cards, rank_of  # noqa: E402
from pitboss.exact import draw, draw_rows, exchange, redraw, redraw_kernels  # noqa: E402
from pitboss.exact.decks import FULL, SmallDeck, suit_classes  # noqa: E402
from pitboss.exact.draw_kernels import BUY, fact_code  # noqa: E402
from pitboss.exact.duel import SUITS  # noqa: E402
from pitboss.exact.side import side_result  # noqa: E402
from pitboss.exact.value import root  # noqa: E402
from pitboss.games.contract import Versus  # noqa: E402
from pitboss.games.lunar_poker import ACE_KING, INSTANT, LINES, Ending, LunarPoker, Outcome  # noqa: E402
from pitboss.games.registry import GAMES  # noqa: E402
from pitboss.games.round import Decision, Round, Seat, decided  # noqa: E402
from pitboss.games.rules import Choices, Rules  # noqa: E402
from pitboss.games.second_combination import DISTINCT, combinations_in, second_label  # noqa: E402
from pitboss.hands import LUNAR  # noqa: E402
from pitboss.hands.labels import NOTHING, lunar_label  # noqa: E402
from pitboss.law.odds import ToOne  # noqa: E402
from pitboss.simulate.cluster import Cluster, answers_on  # noqa: E402
from pitboss.simulate.exchange import COUNTED  # noqa: E402
from pitboss.simulate.operations import dealers_against  # noqa: E402

RULES = rules_for("lunar-poker", date(2024, 6, 1), Choices())
READ_DISTINCT = rules_for("lunar-poker", date(2024, 6, 1), Choices(readings={"bet": DISTINCT}))
BROADWAY = SmallDeck((8, 9, 10, 11, 12))
FOUR_RANKS = SmallDeck((7, 10, 11, 12))
TORTURE = bool(os.environ.get("PITBOSS_TORTURE"))
FEE, BET = 1, 2
Spread = Counter[Fraction]
Dealers = tuple[Any, Any]


def with_bet_table(rules: Rules = RULES, **rates: int) -> Rules:
    """The same rules with some rows of the Bet table changed."""
    table = rules.tables["bet"]
    rows = {**table.rows, **{name: ToOne(Fraction(rate)) for name, rate in rates.items()}}
    tables = {**rules.tables, "bet": replace(table, rows=MappingProxyType(rows))}
    return replace(rules, tables=MappingProxyType(tables))


UPSIDE_DOWN, DISTINCT_TOO = (
    with_bet_table(rules, pair=9, ace_king=8, straight=1, flush=1) for rules in (RULES, READ_DISTINCT)
)


def biased_hands(count: int, size: int, seed: int) -> list[Hand]:
    """Hands with many flushes, straights and pairs: cards from few ranks or few suits."""
    rng = Random(seed)
    hands = []
    for turn in range(count):
        low = rng.randrange(13)
        near = [(low + step) % 13 for step in range(rng.choice((3, 6, 7, 13)))]
        suits = rng.choice(((0, 1, 2, 3), (0, 1), (0, 0, 0, 0, 1), (2,)))
        pool = sorted({card_of(rank, suit) for rank in near for suit in suits})
        pool = pool if len(pool) >= size and turn % 8 else list(DECK)
        hands.append(tuple(sorted(rng.sample(pool, size))))
    return hands


def scalar_distinct(rules: Rules, cards: Hand) -> str:
    """The second combination under the distinct reading, from the scalar list of combinations."""
    best = LUNAR.best(cards)[1]
    category = LUNAR.category(LUNAR.score(best))
    winning = next((made for name, made in combinations_in(best) if name == category), frozenset(best))
    same = Counter(map(rank_of, winning))
    rows = rules.tables["bet"].rows
    others = [
        name
        for name, made in combinations_in(cards)
        if name in rows and not made <= winning and not (name == category and Counter(map(rank_of, made)) == same)
    ]
    return max(others, key=lambda name: rows[name].rate, default=NOTHING)  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [5, 6])
def test_kernel_gives_the_scalar_facts_of_random_hands(size: int) -> None:
    hands = biased_hands(5000 if size == 6 else 3000, size, seed=size)
    best, codes = draw.facts_of(np.array(hands, np.uint8))
    seen = set()
    for cards, score, code in zip(hands, best, codes, strict=True):
        assert score == LUNAR.best(cards)[0]
        assert fact_code(int(code)).category == lunar_label(cards)
        for rules, distinct in ((RULES, READ_DISTINCT), (UPSIDE_DOWN, DISTINCT_TOO)):
            assert draw.second_of(rules, int(code)) == second_label(rules, cards)
            assert draw.second_of(distinct, int(code)) == second_label(distinct, cards) == scalar_distinct(rules, cards)
        seen.add(fact_code(int(code)).category)
    assert seen == set(LUNAR.categories)


def test_kernel_gives_the_scalar_facts_of_every_class_of_a_small_deck() -> None:
    hands = BROADWAY.cards[suit_classes(BROADWAY, 6).hands]
    codes = draw.facts_of(hands)[1]
    for row, code in zip(hands, codes, strict=True):
        cards = tuple(Card(int(card)) for card in row)
        assert draw.second_of(RULES, int(code)) == second_label(RULES, cards)
        assert draw.second_of(READ_DISTINCT, int(code)) == scalar_distinct(RULES, cards)


@pytest.mark.parametrize(
    ("text", "literal", "distinct"),
    [
        ("5c 6d 7h 8s 9c 9d", "straight", "pair"),  # remade with the other nine
        ("4h 5c 6d 7h 8s 9c", "straight", "straight"),  # a lower straight has other ranks
        ("Ac Ad Ah Kc Kd Kh", "full_house", "full_house"),  # kings over aces
        ("Ac Kd Qh Js Tc Ad", "straight", "pair"),
    ],
)
def test_readings_of_the_second_combination(text: str, literal: str, distinct: str) -> None:
    code = int(draw.facts_of(np.array([sorted(parse_cards(text))], np.uint8))[1][0])
    assert (draw.second_of(RULES, code), draw.second_of(READ_DISTINCT, code)) == (literal, distinct)


def net(rules: Rules, ending: Ending, drew: bool, cell: tuple[bool, Versus], hand: str, second: str) -> Fraction:
    """Antes won by one finished hand, line by line."""
    outcome = Outcome(ending, drew, *cell, hand, hand, second, NOTHING, NOTHING)
    stakes = {
        Ending.INSTANT: {"instant_payout": 1},
        Ending.FOLD: {"ante": 1},
        Ending.BET: {"ante": 1, "bet": BET, "second_combination": BET},
    }[ending] | ({"options_fee": FEE} if drew else {})
    total = Fraction(0)
    for line, stake in stakes.items():
        pay = LINES.pay(line, rules, outcome)
        per_unit = None if pay is None else pay.per_unit()
        total += stake * (per_unit or 0)
    return total


class Naive:
    """Every hand against every dealer's hand: no suit classes, no inclusion-exclusion, the scalar rules."""

    def __init__(self, rules: Rules, deck: SmallDeck, second: object = second_label) -> None:
        self.rules, self.deck, self.second = rules, deck, second
        self.net = lru_cache(None)(lambda *facts: net(rules, *facts))
        self.facts = lru_cache(None)(self._facts)
        self.kinds: dict[tuple[object, ...], tuple[int, str, str]] = {}

    def _facts(self, places: tuple[int, ...]) -> tuple[int, str, str]:
        """Five cards of the same ranks are alike but for a flush, so one hand of each kind is looked at."""
        cards = self.deck.hand(places)
        suits = {place % SUITS for place in places}
        kind = (*(place // SUITS for place in places), len(suits) == 1) if len(places) == 5 else places
        if kind not in self.kinds:
            second = self.second(self.rules, cards)  # type: ignore[operator]
            self.kinds[kind] = LUNAR.best(cards)[0], lunar_label(cards), second
        return self.kinds[kind]

    def dealers(self, up: int) -> Dealers:
        """The dealer's hands with this up card, as bit sets of places, and their scores, which ascend."""
        fours = [four for four in combinations(range(self.deck.size), 4) if up not in four]
        scores = {four: self.facts(tuple(sorted((*four, up))))[0] for four in fours}
        fours.sort(key=scores.__getitem__)
        masks = np.array([bits(four) for four in fours], np.int64)
        return masks, np.array([scores[four] for four in fours], np.int64)

    def spread(self, places: tuple[int, ...], known: int, dealers: Dealers, ending: Ending, drew: bool) -> Spread:
        """How often each net result occurs against the dealer's hands that avoid the known places."""
        masks, scores = dealers
        left = scores[(masks & known) == 0]
        own, hand, second = self.facts(places)
        if ending == Ending.FOLD:
            return Counter({self.net(ending, drew, (False, Versus.LOWER), hand, second): len(left)})
        result: Spread = Counter()
        qualified = left.searchsorted(ACE_KING)
        for qualifies, chosen in ((False, left[:qualified]), (True, left[qualified:])):
            lower, upto = chosen.searchsorted(own), chosen.searchsorted(own, "right")
            counts = {Versus.HIGHER: lower, Versus.EQUAL: upto - lower, Versus.LOWER: len(chosen) - upto}
            for versus, count in counts.items():
                if count:
                    result[self.net(ending, drew, (qualifies, versus), hand, second)] += int(count)
        return result


def total(spread: Spread) -> Fraction:
    return sum((value * count for value, count in spread.items()), Fraction(0))


def bits(places: tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


def naive_game(naive: Naive) -> tuple[Spread, Counter[str], Counter[str]]:
    """The distribution, the choices and the choices after buying of the whole game, by plain enumeration."""
    n = naive.deck.size
    draws = n - 10
    results: Spread = Counter()
    choices: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for up in range(n):
        dealers = naive.dealers(up)
        rest = [place for place in range(n) if place != up]
        sixes = {}
        for six in combinations(rest, 6):
            bet, fold = (naive.spread(six, bits(six), dealers, end, True) for end in (Ending.BET, Ending.FOLD))
            sixes[six] = ("fold", fold, total(fold)) if total(fold) > total(bet) else ("bet", bet, total(bet))
        for five in combinations(rest, 5):
            if naive.facts(five)[1] in INSTANT:
                chosen, spread = "instant", naive.spread(five, bits(five), dealers, Ending.INSTANT, False)
            else:
                bet, fold = (naive.spread(five, bits(five), dealers, end, False) for end in (Ending.BET, Ending.FOLD))
                chosen, spread = ("bet", bet) if total(bet) >= total(fold) else ("fold", fold)
                drawn = [sixes[tuple(sorted((*five, place)))] for place in rest if place not in five]
                if sum(value for _, _, value in drawn) > draws * total(spread):
                    chosen = "buy"
                    for name, bought, _ in drawn:
                        results.update(bought)
                        after[name] += bought.total()
            choices[chosen] += 1
            if chosen != "buy":
                results.update({value: draws * count for value, count in spread.items()})
    return results, choices, after


@pytest.fixture(scope="module")
def four_ranks() -> draw.DrawCounts:
    return draw.count_states(FOUR_RANKS)


def test_fold_bet_buy_equals_plain_enumeration(four_ranks: draw.DrawCounts) -> None:
    results, choices, after = naive_game(Naive(RULES, FOUR_RANKS))
    solved = draw.fold_bet_buy(RULES, counts=four_ranks)
    assert solved.result.distribution == dict(sorted(results.items()))
    assert results.total() == solved.result.deals == four_ranks.deals
    pairs = comb(16, 5) * 11
    assert {name: share * pairs for name, share in solved.result.choices.items() if share} == choices
    assert {name: share * solved.result.deals for name, share in solved.after_buying.items() if share} == after


def best_of_state(naive: Naive, five: tuple[int, ...], up: int) -> dict[str, Fraction]:
    """The value of bet, fold and buy in one state, by plain enumeration."""
    dealers = naive.dealers(up)
    hands = comb(naive.deck.size - 6, 4)
    values = {
        str(ending): total(naive.spread(five, bits(five), dealers, ending, False)) / hands
        for ending in (Ending.BET, Ending.FOLD)
    }
    rest = [place for place in range(naive.deck.size) if place not in (*five, up)]
    values["buy"] = drawn_value(naive, five, (), 1, rest, dealers)
    return values


def drawn_value(
    naive: Naive,
    keep: tuple[int, ...],
    dead: tuple[int, ...],
    count: int,
    rest: list[int],
    dealers: Dealers,
) -> Fraction:
    """The mean over all draws of the better of bet and fold, against every dealer's hand left."""
    value, draws = Fraction(0), 0
    for drawn in combinations(rest, count):
        final = tuple(sorted((*keep, *drawn)))
        known = bits(final) | bits(dead)
        spreads = [naive.spread(final, known, dealers, end, True) for end in (Ending.BET, Ending.FOLD)]
        value += max(total(spread) / spread.total() for spread in spreads)
        draws += 1
    return value / draws


@pytest.fixture(scope="module")
def broadway() -> draw.DrawCounts:
    return draw.count_states(BROADWAY)


@pytest.mark.parametrize("rules", [RULES, UPSIDE_DOWN, READ_DISTINCT, DISTINCT_TOO])
def test_states_of_a_deck_with_straights_equal_plain_enumeration(rules: Rules, broadway: draw.DrawCounts) -> None:
    solved = draw.fold_bet_buy(rules, counts=broadway)
    naive = Naive(rules, BROADWAY, scalar_distinct if rules.reading("bet") else second_label)
    rng = Random(11)
    seen = set()
    for _ in range(30):
        row, up = rng.randrange(len(broadway.five_hands)), rng.randrange(5)
        five = tuple(int(place) for place in broadway.five_hands[row])
        if 4 * up in five or naive.facts(five)[1] in INSTANT:
            continue
        values = best_of_state(naive, five, 4 * up)
        assert Fraction(int(solved.totals[up, row]), solved.scale) == max(values.values())
        assert values[solved.choice(up, row)] == max(values.values())
        seen.add(solved.choice(up, row))
    assert "buy" in seen


def every_option(naive: Naive, five: tuple[int, ...], up: int) -> dict[Any, Fraction]:
    """Bet, fold, buy, and every exchange by its discards: all draws against all of the dealer's hands, written out.

    Every hand that the dealer can have is held against every draw. No sums over subsets, no classes of suits.
    """
    values: dict[Any, Fraction] = {**best_of_state(naive, five, up)}
    masks, scores = naive.dealers(up)
    free = masks & bits(five) == 0
    masks, scores = masks[free].astype(np.int32), scores[free]
    rest = [place for place in range(naive.deck.size) if place not in (*five, up)]
    qualified, places = int(scores.searchsorted(ACE_KING)), dict[int, tuple[int, int]]()
    for count in range(2, 6):
        draws = list(combinations(rest, count))
        gone = np.array([bits(drawn) for drawn in draws], np.int32)
        # How many of the dealer's hands, from the lowest, avoid each draw.
        below = np.zeros((len(draws), len(masks) + 1), np.int16)
        for row in range(0, len(draws), 1000):
            avoids = gone[row : row + 1000, None] & masks == 0
            np.cumsum(avoids, axis=1, dtype=np.int16, out=below[row : row + 1000, 1:])
        for discard in combinations(five, count):
            keep = [place for place in five if place not in discard]
            value = Fraction(0)
            finals = Counter[tuple[str, str, int, int, int, int]]()
            for row, drawn in enumerate(draws):
                own, hand, second = naive.facts(tuple(sorted((*keep, *drawn))))
                if own not in places:
                    places[own] = int(scores.searchsorted(own)), int(scores.searchsorted(own, "right"))
                seen, (lower, upto) = below[row], places[own]
                finals[hand, second, int(seen[-1]), int(seen[qualified]), int(seen[lower]), int(seen[upto])] += 1
            for (hand, second, every, none, lower, upto), times in finals.items():
                value += times * _better(naive, hand, second, every, none, lower, upto)
            values[discard] = value / len(draws)
    return values


def _better(naive: Naive, hand: str, second: str, every: int, none: int, lower: int, upto: int) -> Fraction:
    """The better of bet and fold after a draw, by the dealer's hands in all, unqualified, below, and not above."""
    standing = {
        (False, Versus.HIGHER): min(lower, none),
        (False, Versus.EQUAL): min(upto, none) - min(lower, none),
        (False, Versus.LOWER): none - min(upto, none),
        (True, Versus.HIGHER): max(lower, none) - none,
        (True, Versus.EQUAL): max(upto, none) - max(lower, none),
        (True, Versus.LOWER): every - max(upto, none),
    }
    bet = sum(
        (count * naive.net(Ending.BET, True, cell, hand, second) for cell, count in standing.items()), Fraction(0)
    )
    return max(bet / every, naive.net(Ending.FOLD, True, (False, Versus.LOWER), hand, second))


STATES = {20: 4, 24: 2, 28: 1}
"""States tried of each deck; a hundred times as many with PITBOSS_TORTURE."""


@pytest.mark.parametrize(
    ("ranks", "rules"),
    [
        ((8, 9, 10, 11, 12), RULES),
        ((0, 1, 2, 3, 11, 12), DISTINCT_TOO),
        ((6, 7, 8, 9, 10, 11, 12), RULES),
        *([((8, 9, 10, 11, 12), DISTINCT_TOO), ((6, 7, 8, 9, 10, 11, 12), DISTINCT_TOO)] if TORTURE else []),
    ],
)
def test_every_option_is_worth_what_plain_enumeration_says(ranks: tuple[int, ...], rules: Rules) -> None:
    """By both counters, on decks of 20, 24 and 28 cards: the one of single states, and the one of final hands."""
    deck = SmallDeck(ranks)
    naive = Naive(rules, deck, scalar_distinct if rules.reading("bet") else second_label)
    solved = draw.fold_bet_buy(rules, counts=draw.count_states(deck))
    table, asked = exchange.DrawValues(rules, deck), redraw.ExchangeQuestion(solved)
    classes = {suit_keys_of(hand): row for row, hand in enumerate(solved.counts.five_hands.tolist())}
    rng = Random(len(ranks))
    up = rng.randrange(len(ranks))
    facing = asked.about(up)[0].facing
    totals = redraw.Compiled().totals(facing)
    left = STATES[deck.size] * (100 if TORTURE else 1)
    while left:
        five = tuple(sorted(rng.sample([place for place in range(deck.size) if place != SUITS * up], 5)))
        if naive.facts(five)[1] in INSTANT:
            continue
        left -= 1
        plain = every_option(naive, five, SUITS * up)
        single: dict[Any, Fraction] = {**table.first(five, SUITS * up), "buy": table.buy(five, SUITS * up)}
        exchanges = [gone for gone in plain if isinstance(gone, tuple)]
        assert len(exchanges) == 26
        assert {**single, **{gone: table.exchange(five, SUITS * up, gone) for gone in exchanges}} == plain
        stays = Fraction(int(solved.totals[up, classes[suit_keys_of(five)]]), solved.scale)
        assert stays == max(plain[name] for name in single)
        assert {gone: worth_by_final_hands(asked, facing, totals, five, gone) for gone in exchanges} == {
            g: plain[g] for g in exchanges
        }


def worth_by_final_hands(
    asked: redraw.ExchangeQuestion, facing: redraw.Facing, totals: Any, five: tuple[int, ...], gone: tuple[int, ...]
) -> Fraction:
    """What the counter of final hands has found for one exchange, over the names of suits."""
    total = 0
    for names in facing.names.tolist():
        kept, given = (
            sum(comb(place, at) for at, place in enumerate(sorted(names[c - (c > facing.up)] for c in cards), start=1))
            for cards in ([card for card in five if card not in gone], gone)
        )
        total += int(totals[len(gone)][kept, given])
    whole = len(facing.names) * asked.solved.counts.five_dealer_hands * asked.common
    fold = Fraction(int(asked.pay.nets[0, asked.pay.names.index(redraw.AFTER[1]), 0]), asked.pay.unit)
    return fold + Fraction(total * asked.factors[len(gone)], whole * asked.pay.unit)


def test_discards_are_dead() -> None:
    """Who takes them for cards that the dealer may hold is wrong, and by how much plain enumeration says too."""
    naive, table = Naive(RULES, BROADWAY), exchange.DrawValues(RULES, BROADWAY)
    *cards, up = Random(3).sample(range(BROADWAY.size), 6)
    five = tuple(sorted(cards))
    rest = [place for place in range(BROADWAY.size) if place not in (*five, up)]
    for discard in (five[:2], five[1:4], five[1:], five):
        keep = tuple(sorted(set(five) - set(discard)))
        wrong = drawn_value(naive, keep, (), len(discard), rest, naive.dealers(up))
        assert table.exchange(five, up, discard, dead=False) == wrong != table.exchange(five, up, discard)


def test_value_of_a_state_is_the_same_from_both_sweeps(broadway: draw.DrawCounts) -> None:
    solved = draw.fold_bet_buy(UPSIDE_DOWN, counts=broadway)
    table = exchange.DrawValues(UPSIDE_DOWN, BROADWAY)
    for row in range(0, len(broadway.five_hands), 40):
        five = [int(place) for place in broadway.five_hands[row]]
        up = next(rank for rank in range(5) if 4 * rank not in five)
        values = table.first(five, 4 * up)
        if "fold" in values:
            values["buy"] = table.buy(five, 4 * up)
        assert Fraction(int(solved.totals[up, row]), solved.scale) == max(values.values())


def worth(table: exchange.DrawValues, five: list[int], up: int, mask: int) -> Fraction:
    return table.exchange(five, up, [card for place, card in enumerate(five) if mask >> place & 1])


MASKS = sorted((mask for mask in range(32) if mask.bit_count() > 1), key=int.bit_count)


def by_the_slow_way(table: exchange.DrawValues, five: list[int], up: int) -> int:
    """The best discards as a mask, 0 where staying is as good: every exchange valued by itself."""
    values = table.first(five, up)
    if "fold" not in values:
        return 0
    best, picked = max([*values.values(), table.buy(five, up)]), 0
    for mask in MASKS:
        if (value := worth(table, five, up, mask)) > best:
            best, picked = value, mask
    return picked


@pytest.mark.parametrize("rules", [RULES, UPSIDE_DOWN], ids=["law", "upside down"])
def test_exchanges_are_chosen_as_every_exchange_valued_by_itself_says(
    broadway: draw.DrawCounts, rules: Rules, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The counter of final hands against the sweep of each state, whose own witness is plain enumeration."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    counts, deck = broadway, broadway.deck
    solved = draw.fold_bet_buy(rules, counts=counts)
    asked = redraw.ExchangeQuestion(solved)
    found = redraw.solve_exchanges(asked)
    assert redraw.solve_exchanges(asked, engine=None).picked.tolist() == found.picked.tolist(), (
        "taken up, not done anew"
    )
    table, rng = exchange.DrawValues(rules, deck), Random(7)
    for _ in range(40):
        up, row = rng.randrange(len(deck.ranks)), rng.randrange(len(counts.five_hands))
        five = [int(place) for place in counts.five_hands[row]]
        if 4 * up not in five:
            assert found.picked[up, row] == by_the_slow_way(table, five, 4 * up), (five, up)
    # The same value twice: from how rounds end, and as the mean over all states.
    result = redraw.whole_game(rules, counts, found)
    assert sum(result.distribution.values()) == result.deals
    assert sum(result.choices.values()) == 1
    scale = len(asked.turns) * counts.five_dealer_hands * asked.common
    fold = int(asked.pay.nets[0, asked.pay.names.index("fold"), 0])
    total = 0
    for up in asked.ups:
        part, rows = asked.about(up)
        facing = part.facing
        stay, may = asked.stay[up][rows], asked.may[rows]
        best = redraw.Compiled().best(facing, stay, asked.factors)[1]
        worth_of = np.where(
            may, best + fold * scale, solved.totals[up][rows] * (scale * asked.pay.unit // solved.scale)
        )
        total += 4 * int((worth_of * facing.weights).sum())
    assert result.expected_value == Fraction(total, counts.pairs * scale * asked.pay.unit)
    assert result.expected_value > solved.result.expected_value


def test_a_cluster_finds_the_same_exchanges(
    broadway: draw.DrawCounts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One up card for each worker at a time; one of them is killed, and what was found before is not asked again."""
    pytest.importorskip("distributed")
    asked = redraw.ExchangeQuestion(draw.fold_bet_buy(RULES, counts=broadway))
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "here"))
    here = redraw.solve_exchanges(asked)
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "there"))
    asked.keep(2, asked.about(2)[0].answer(redraw.Compiled()))
    given: list[int] = []

    def elsewhere(work: Any, jobs: Any, tell: Any) -> Iterator[tuple[int, Any]]:
        with Cluster("local", 2).client() as client:
            for place, found in answers_on(client, work, jobs, tell):
                if not given:
                    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
                given.append(place)
                yield place, found

    told: list[float] = []
    there = redraw.solve_exchanges(asked, progress=lambda _, share: told.append(share), elsewhere=elsewhere)
    assert sorted(given) == [0, 1, 2, 3], "of five up cards one was known"
    assert there.picked.tolist() == here.picked.tolist()
    assert {count: ends.tolist() for count, ends in there.ends.items()} == {
        count: ends.tolist() for count, ends in here.ends.items()
    }
    assert max(told) == 1
    assert any(share * 5 % 1 for share in told), "workers say how far they are"
    assert redraw.solve_exchanges(asked, elsewhere=elsewhere).picked.tolist() == here.picked.tolist()
    assert len(given) == 4, "nothing was left to ask"


def test_exchanges_and_bets_that_are_given_end_as_plain_enumeration_says(broadway: draw.DrawCounts) -> None:
    """One state at a time, discards and the bets after them at random: the draws and the dealer's hands written out."""
    counts, deck, rng = broadway, broadway.deck, Random(5)
    naive, asked = Naive(RULES, deck), redraw.ExchangeQuestion(draw.fold_bet_buy(RULES, counts=counts))
    class_of = {suit_keys_of(hand): row for row, hand in enumerate(counts.five_hands.tolist())}
    bet, fold = (asked.pay.names.index(name) for name in redraw.AFTER)
    for mask in (0b00011, 0b10100, 0b01011, 0b11101):
        up, row = rng.randrange(len(deck.ranks)), rng.randrange(len(counts.five_hands))
        hand = [int(place) for place in counts.five_hands[row]]
        if SUITS * up in hand:
            continue
        picked = np.zeros(len(counts.five_hands), np.uint8)
        picked[row] = mask
        then = np.array([rng.choice((0, 1, 2, 9, redraw_kernels.AS_IS_BEST)) for _ in picked], np.uint8)
        found: Spread = Counter()
        for ends in asked.ends(up, redraw.Compiled(), picked, then).values():
            for fact, end in np.argwhere(ends):
                choice, cell = (bet, end + 1) if end else (fold, 0)
                found[Fraction(int(asked.pay.nets[fact, choice, cell]), asked.pay.unit)] += int(ends[fact, end])
        gone = [card for place, card in enumerate(hand) if mask >> place & 1]
        keep = [card for card in hand if card not in gone]
        rest = [place for place in range(deck.size) if place not in (*hand, SUITS * up)]
        plain: Spread = Counter()
        dealers = naive.dealers(SUITS * up)
        alike = sum(card // SUITS == up for card in gone)
        for drawn in combinations(rest, len(gone)):
            final = tuple(sorted((*keep, *drawn)))
            known = bits(final) | bits(tuple(gone))
            spreads = [naive.spread(final, known, dealers, e, True) for e in (Ending.BET, Ending.FOLD)]
            need = int(then[class_of[suit_keys_of(final)]])
            best = total(spreads[0]) > total(spreads[1]) if need == redraw_kernels.AS_IS_BEST else alike >= need
            plain.update(spreads[0 if best else 1])
        each = found.total() // plain.total()
        assert found == Counter({net: each * count for net, count in plain.items()}), (hand, up, mask)


def test_dealers_hands_counted_on_the_spot_are_those_written_out() -> None:
    """Final hands of a pair at most, up cards and discards that often share their ranks and suits."""
    table, rng, seen = full(), Random(3), Counter[str]()
    while min(seen[name] for name in COUNTED) < 12:
        up, *cards = rng.sample(range(52), 14)
        close = sorted(cards, key=lambda card: card % SUITS != up % SUITS and card // SUITS != up // SUITS)
        own, gone = (close[:5], close[5:]) if rng.random() < 0.5 else (cards[:5], close)
        own = [*rng.sample(range(44, 52), 2), *own[2:]] if rng.random() < 0.3 else own
        gone = [card for card in gone if card not in own][: rng.randrange(2, 6)]
        hand = tuple(Card(card) for card in own)
        name = lunar_label(hand)
        if up in own or len(set(own)) < 5 or name not in COUNTED:
            continue
        found = np.zeros(4, np.int64)
        dealers_against(np.array(own, np.uint8), np.array([*own, *gone, up], np.uint8), up, found)
        score = LUNAR.score(hand)
        assert found.tolist() == written_out(table, [*own, *gone, up], up, score), (own, gone, up)
        seen[name] += 1


def written_out(table: exchange.DrawValues, known: list[int], up: int, own: int) -> list[int]:
    """Dealer's hands that do not qualify, and of those that do the better, level and lower ones."""
    ranks = table._rest(known, up)[1]
    scores = table._levels[ranks]
    does = scores >= ACE_KING
    return [int(n.sum()) for n in (~does, does & (scores > own), does & (scores == own), does & (scores < own))]


def suit_keys_of(hand: Iterable[int]) -> tuple[int, ...]:
    """The same for hands that differ in the names of suits only, but for the first suit."""
    masks = [sum(1 << card // SUITS for card in hand if card % SUITS == suit) for suit in range(SUITS)]
    return masks[0], *sorted(masks[1:])


@lru_cache
def full() -> exchange.DrawValues:
    return exchange.DrawValues(RULES)


@pytest.mark.law("671a.11(b)(3)", "671a.11(d)(1)(ii)")
def test_shipped_exchanges_are_the_best_of_random_states() -> None:
    """Of every kind: states that stay, and states that exchange two, three, four and all five cards."""
    found = redraw.shipped()[1]
    five = suit_classes(FULL, 5, fixed_suits=1).hands
    assert found.picked.shape == (13, len(five))
    rng, bits = Random(11), np.array([mask.bit_count() for mask in range(32)])[found.picked]
    for count in (0, 2, 3, 4, 5):
        ups, rows = np.nonzero((bits == count) & ~np.stack([(five == 4 * up).any(axis=1) for up in range(13)]))
        for place in rng.sample(range(len(ups)), 2):
            hand, up = [int(card) for card in five[rows[place]]], 4 * int(ups[place])
            assert by_the_slow_way(full(), hand, up) == found.picked[ups[place], rows[place]], (hand, up)


def test_the_whole_game_of_the_law_is_the_shipped_one() -> None:
    """Exact values under all tables of instant payouts, by both readings, as docs/mathematics.md has them."""
    said = (Path(__file__).parents[1] / "docs" / "mathematics.md").read_text(encoding="utf-8")
    whole = {
        ("A", "full"): Fraction(97957629225283109, 7065233890668954000),
        ("B", "full"): Fraction(97413932216428109, 7065233890668954000),
        ("C", "full"): Fraction(5442391713925477, 415601993568762000),
        ("A", f"full {DISTINCT}"): Fraction(5174596630457, 2947531869282000),
    }
    for (letter, reading), value in whole.items():
        readings = dict(GAMES["lunar-poker"].scope(reading).readings)
        choices = Choices(letters={"instant_payout": letter}, readings=readings)
        rules = rules_for("lunar-poker", date(2024, 6, 1), choices)
        result, left_out = draw_rows.drawing_result(rules, reading)
        assert (result.expected_value, left_out) == (value, "")
        assert sum(result.distribution.values()) == result.deals
        assert {str(value), hold_of(value)} <= set(said.replace("(", " ").replace(")", " ").replace(" %", "%").split())
        if letter == "A":
            # With the Super Wager that everybody makes.
            covariance, other = draw_rows.drawn_covariance(rules, "super"), side_result(LunarPoker(), rules, "super")
            both = (
                hold_of(value + other.expected_value),
                f"{root(result.variance + other.variance + 2 * covariance):.4f}",
            )
            assert all(text in said.replace(" %", "%") for text in (*both, f"{float(covariance):.4f}")), reading
    for part in draw_rows.draw_lists(RULES, "full"):
        assert f"{hold_of(-part.cost)} = {part.cost}" in said.replace(" %", "%")
        assert sum(part.result.distribution.values()) == part.result.deals, "every round that the list plays has an end"
        assert sum(part.result.choices.values()) == 1
    assert [part.cost for part in draw_rows.draw_lists(RULES, "full")] == [
        Fraction(72347678038993033, 4710155927112636000),
        Fraction(54788166551026373, 4710155927112636000),
    ]
    # What best play is worth by the first cards adds up to the whole, or this would not be given out.
    together = Fraction(641705885963205028806473, 117706796618544773640000)
    assert draw_rows.drawn_covariance(RULES, "super") == together
    result, left_out = draw_rows.drawing_result(with_bet_table(flush=9), "full")
    assert left_out == draw_rows.AS_THE_LAW_PAYS
    assert result.expected_value > whole["A", "full"], "a flush is paid better"


def hold_of(value: Fraction) -> str:
    return f"{-100 * float(value):.4f}%".replace("-", "−")


def test_pays_are_those_of_settled_rounds() -> None:
    """The net of random rounds in which a sixth card was bought, against the pays that the counting uses."""
    rng = Random(21)
    for _ in range(150):
        cards = tuple(rng.sample(DECK, 11))
        five, sixth, dealer = cards[:5], cards[5], cards[6:]
        if lunar_label(five) in INSTANT:
            continue
        then = rng.choice(("bet", "fold"))
        made = decided(Decision("buy", drawn=(sixth,)), then)
        seat = Seat(1, five, {"ante": 100, "super": 100}, made)
        settled = settle(RULES, Round(dealer, (seat,)))
        assert not settled.findings
        nets = sum(line.net for line in settled.lines if line.wager != "super")
        best, codes = draw.facts_of(np.array([sorted((*five, sixth))], np.uint8))
        pay = draw.pays(RULES, codes, draw.options_after_draw)
        score = LUNAR.score(dealer)
        versus = list(Versus).index(Versus.of(int(best[0]), score))
        cell = 3 * (score >= ACE_KING) + versus
        assert Fraction(nets, 100) == Fraction(int(pay.nets[0, pay.names.index(then), cell]), pay.unit)


def test_bought_states_are_marked(broadway: draw.DrawCounts) -> None:
    solved = draw.fold_bet_buy(RULES, counts=broadway)
    assert (solved.picked == BUY).any()
    assert sum(solved.result.choices.values()) == 1
    assert sum(solved.after_buying.values()) == solved.result.choices["buy"]
