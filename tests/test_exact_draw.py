"""Lunar Poker's draw: compiled facts against the scalar rules, and the counting against plain enumeration."""

from collections import Counter
from collections.abc import Iterable
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
from pitboss.games.contract import Versus  # noqa: E402
from pitboss.games.lunar_poker import ACE_KING, INSTANT, LINES, Ending, Outcome  # noqa: E402
from pitboss.games.round import Decision, Round, Seat, decided  # noqa: E402
from pitboss.games.rules import Choices, Rules  # noqa: E402
from pitboss.games.second_combination import DISTINCT, combinations_in, second_label  # noqa: E402
from pitboss.hands import LUNAR  # noqa: E402
from pitboss.hands.labels import NOTHING, lunar_label  # noqa: E402
from pitboss.law.odds import ToOne  # noqa: E402
from pitboss.simulate.exchange import COUNTED  # noqa: E402
from pitboss.simulate.operations import dealers_against  # noqa: E402

RULES = rules_for("lunar-poker", date(2024, 6, 1), Choices())
BROADWAY = SmallDeck((8, 9, 10, 11, 12))
FOUR_RANKS = SmallDeck((7, 10, 11, 12))
FEE, BET = 1, 2
Spread = Counter[Fraction]
Dealers = tuple[Any, Any]


def with_bet_table(**rates: int) -> Rules:
    """The same rules with some rows of the Bet table changed."""
    table = RULES.tables["bet"]
    rows = {**table.rows, **{name: ToOne(Fraction(rate)) for name, rate in rates.items()}}
    tables = {**RULES.tables, "bet": replace(table, rows=MappingProxyType(rows))}
    return replace(RULES, tables=MappingProxyType(tables))


UPSIDE_DOWN = with_bet_table(pair=9, ace_king=8, straight=1, flush=1)


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
        for rules in (RULES, UPSIDE_DOWN):
            assert draw.second_of(rules, int(code)) == second_label(rules, cards)
            assert draw.second_of(rules, int(code), DISTINCT) == scalar_distinct(rules, cards)
        seen.add(fact_code(int(code)).category)
    assert seen == set(LUNAR.categories)


def test_kernel_gives_the_scalar_facts_of_every_class_of_a_small_deck() -> None:
    hands = BROADWAY.cards[suit_classes(BROADWAY, 6).hands]
    codes = draw.facts_of(hands)[1]
    for row, code in zip(hands, codes, strict=True):
        cards = tuple(Card(int(card)) for card in row)
        assert draw.second_of(RULES, int(code)) == second_label(RULES, cards)
        assert draw.second_of(RULES, int(code), DISTINCT) == scalar_distinct(RULES, cards)


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
    assert (draw.second_of(RULES, code), draw.second_of(RULES, code, DISTINCT)) == (literal, distinct)


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
        self.scores: dict[tuple[int, ...], int] = {
            places: LUNAR.score(deck.hand(places)) for places in combinations(range(deck.size), 5)
        }
        self.net = lru_cache(None)(lambda *facts: net(rules, *facts))
        self.facts = lru_cache(None)(self._facts)

    def _facts(self, places: tuple[int, ...]) -> tuple[int, str, str]:
        cards = self.deck.hand(places)
        return LUNAR.best(cards)[0], lunar_label(cards), self.second(self.rules, cards)  # type: ignore[operator]

    def dealers(self, up: int) -> Dealers:
        """The dealer's hands with this up card, as bit sets of places, and their scores, which ascend."""
        fours = [four for four in combinations(range(self.deck.size), 4) if up not in four]
        fours.sort(key=lambda four: self.scores[tuple(sorted((*four, up)))])
        masks = np.array([bits(four) for four in fours], np.int64)
        return masks, np.array([self.scores[tuple(sorted((*four, up)))] for four in fours], np.int64)

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


@pytest.mark.parametrize("reading", [draw.LITERAL, DISTINCT])
@pytest.mark.parametrize("rules", [RULES, UPSIDE_DOWN], ids=["printed", "what-if"])
def test_states_of_a_deck_with_straights_equal_plain_enumeration(
    rules: Rules, reading: str, broadway: draw.DrawCounts
) -> None:
    solved = draw.fold_bet_buy(rules, counts=broadway, reading=reading)
    naive = Naive(rules, BROADWAY, scalar_distinct if reading else second_label)
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


@pytest.mark.parametrize("reading", [draw.LITERAL, DISTINCT])
def test_values_of_one_state_equal_plain_enumeration(reading: str) -> None:
    naive = Naive(RULES, BROADWAY, scalar_distinct if reading else second_label)
    table = exchange.DrawValues(RULES, BROADWAY, reading)
    rng = Random(3)
    for _ in range(2):
        *cards, up = rng.sample(range(BROADWAY.size), 6)
        five = tuple(sorted(cards))
        assert {**table.first(five, up), "buy": table.buy(five, up)} == best_of_state(naive, five, up)
        rest = [place for place in range(BROADWAY.size) if place not in (*five, up)]
        dealers = naive.dealers(up)
        for discard in (five[:2], five[1:4], five[1:], five):
            keep = tuple(sorted(set(five) - set(discard)))
            right = drawn_value(naive, keep, discard, len(discard), rest, dealers)
            wrong = drawn_value(naive, keep, (), len(discard), rest, dealers)
            assert table.exchange(five, up, discard) == right
            assert table.exchange(five, up, discard, dead=False) == wrong
            assert right != wrong


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
    result = redraw.whole_game(rules, counts, draw.LITERAL, found)
    assert sum(result.distribution.values()) == result.deals
    assert sum(result.choices.values()) == 1
    scale = len(asked.turns) * counts.five_dealer_hands * asked.common
    fold = int(asked.pay.nets[0, asked.pay.names.index("fold"), 0])
    total = 0
    for up in asked.ups:
        facing, rows = asked.facing(up)
        stay, may = asked.stay[up][rows], asked.may[rows]
        best = redraw.Compiled().best(facing, stay, asked.factors)[1]
        worth_of = np.where(
            may, best + fold * scale, solved.totals[up][rows] * (scale * asked.pay.unit // solved.scale)
        )
        total += 4 * int((worth_of * facing.weights).sum())
    assert result.expected_value == Fraction(total, counts.pairs * scale * asked.pay.unit)
    assert result.expected_value > solved.result.expected_value


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
    """Exact values under two tables of instant payouts, by both readings."""
    whole = {
        ("A", "full"): Fraction(97957629225283109, 7065233890668954000),
        ("C", "full"): Fraction(5442391713925477, 415601993568762000),
        ("A", f"full {DISTINCT}"): Fraction(5174596630457, 2947531869282000),
    }
    for (letter, reading), value in whole.items():
        rules = rules_for("lunar-poker", date(2024, 6, 1), Choices(letters={"instant_payout": letter}))
        result, left_out = draw_rows.drawing_result(rules, reading)
        assert (result.expected_value, left_out) == (value, "")
        assert sum(result.distribution.values()) == result.deals
    for part in draw_rows.draw_lists(RULES, "full"):
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
        pay = draw.pays(RULES, codes, draw.options_after_draw, draw.LITERAL)
        score = LUNAR.score(dealer)
        versus = list(Versus).index(Versus.of(int(best[0]), score))
        cell = 3 * (score >= ACE_KING) + versus
        assert Fraction(nets, 100) == Fraction(int(pay.nets[0, pay.names.index(then), cell]), pay.unit)


def test_unknown_reading_is_refused(broadway: draw.DrawCounts) -> None:
    with pytest.raises(ValueError, match="no reading 'other'"):
        draw.fold_bet_buy(RULES, counts=broadway, reading="other")


def test_bought_states_are_marked(broadway: draw.DrawCounts) -> None:
    solved = draw.fold_bet_buy(RULES, counts=broadway)
    assert (solved.picked == BUY).any()
    assert sum(solved.result.choices.values()) == 1
    assert sum(solved.after_buying.values()) == solved.result.choices["buy"]
