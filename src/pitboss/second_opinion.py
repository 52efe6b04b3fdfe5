"""A second opinion on a mathematics report: derive its headline figures again, by other and simpler means.

    python -m pitboss.second_opinion report.json        or        python second_opinion.py report.json

It stands alone with Python's standard library and NumPy, knows the games from their rules, and takes pays, letters and
readings from the report. It counts every case where that takes minutes, else it samples with an error. Exit code 1: a
counted figure differs at all, or a sampled one by more than four standard errors.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, combinations_with_replacement, groupby, pairwise, product
from math import comb, lcm, prod, sqrt
from operator import itemgetter, mul
from typing import Any, NamedTuple

import numpy as np

Wager = dict[str, Any]
Array = Any  # of NumPy
Nets = list[Any]  # if a dealer who does not qualify is higher, level, lower, and the same of one who does
ACE, KING, QUEEN, JACK, TEN, SIX = 12, 11, 10, 9, 8, 4  # a card is 4 * rank + suit; clubs, diamonds, hearts, spades
DIAMONDS, SPADES = 1, 3
PAIRS = {ACE: "aces", KING: "kings", QUEEN: "queens", JACK: "jacks", TEN: "tens", SIX: "sixes"}
FAR, DRAWS, LOST, LARGEST = 4.0, 4000, Fraction(-1), 1 << 22  # at most 4 MiB are read; reports have about a tenth
LADDERS = {  # categories by the number of cards that rank, the highest first
    3: ["straight_flush", "three_of_a_kind", "straight", "flush", "pair", "high_card"],
    4: ["four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pair", "pair", "high_card"],
    5: ["straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind", "two_pair", "pair",
        "high_card"],
}  # fmt: skip
PARTS = {"four_of_a_kind": 4, "two_pair": 4, "three_of_a_kind": 3, "pair": 2, "ace_king": 2, "high_card": 0}  # others 5
LUNAR = {name: (place, PARTS.get(name, 5), name) for place, name in enumerate(["royal_flush", *LADDERS[5], "ace_king"])}
Theirs = tuple[Array, Array, int, int]  # a dealer's hands: scores, cards as bits, the least to qualify, how many rank
Label = tuple[str, int, int, int]  # category, leading rank, second rank, and the suit of a straight flush or -1


class Opinion(NamedTuple):
    """What came of one wager."""

    wager: str
    paytable: str
    reading: str
    claimed: float
    derived: float | None
    error: float  # the standard error of a sampled figure
    outcome: str
    method: str


def straight_top(ranks: set[int], size: int) -> int:
    """The top rank of the highest straight of some ranks, the ace also below the 2; -1 without one."""
    tops = range(ACE, size - 3, -1)
    return next((top for top in tops if all(rank % 13 in ranks for rank in range(top - size + 1, top + 1))), -1)


def label_of(counts: tuple[tuple[int, int], ...], suited: tuple[int, ...], suit: int, size: int) -> Label:
    """What the best ``size`` cards are called; ranks with their numbers, and those of one suit."""
    by_count = sorted(counts, key=lambda pair: (pair[1], pair[0]), reverse=True)
    ranks, (lead, most), (second, more) = {rank for rank, _ in counts}, by_count[0], [*by_count, (-1, 0)][1]
    flush, straight = straight_top(set(suited), size), straight_top(ranks, size)
    fits = {
        "straight_flush": (flush >= 0, flush), "flush": (len(suited) >= size, max(suited, default=-1)),
        "straight": (straight >= 0, straight), "full_house": (most == 3 and more >= 2 and size == 5, lead),
        "four_of_a_kind": (most == 4, lead), "three_of_a_kind": (most >= 3, lead), "pair": (most == 2, lead),
        "two_pair": (most == more == 2 and size > 3, lead), "high_card": (True, max(ranks)),
    }  # fmt: skip
    name = next(name for name in LADDERS[size] if fits[name][0])
    return name, fits[name][1], second, suit if name == "straight_flush" else -1


@cache
def labels(cards: int, size: int) -> Counter[Label]:
    """In how many hands of so many cards the best ``size`` are called what: by ranks, then flushes are put right."""
    found: Counter[Label] = Counter()
    for ranks in combinations_with_replacement(range(13), cards):
        counts = tuple(Counter(ranks).items())
        found[label_of(counts, (), -1, size)] += prod(comb(4, count) for _, count in counts)
    for many in range(size, cards + 1):
        for suited in combinations(range(13), many):
            for rest in combinations_with_replacement(range(13), cards - many):
                counts = tuple((Counter(suited) + Counter(rest)).items())
                if ways := prod(comb(3, count) for count in Counter(rest).values()):
                    found[label_of(counts, (), -1, size)] -= 4 * ways
                    for suit in range(4):
                        found[label_of(counts, suited, suit, size)] += ways
    assert sum(found.values()) == comb(52, cards)
    return found


def names_of(label: Label, size: int) -> Iterator[str]:
    """The rows of a pay table that fit a hand, the most special first."""
    category, lead, second, suit = label
    ace, kind = lead == ACE, {3: "mini_royal", 5: "royal_flush"}.get(size, "royal_flush")
    royal, pair, alike = category == "straight_flush" and ace, category == "pair", "of_a_kind" in category
    special = {
        f"{kind}_of_spades": royal and suit == SPADES and size != 4, kind: royal,
        f"{category.partition('_')[0]}_aces": alike and ace and size == 4, f"pair_of_{PAIRS.get(lead)}": pair,
        "aces_and_queens": category == "two_pair" and (lead, second) == (ACE, QUEEN),
        "ace_king": category == "high_card" and (lead, second) == (ACE, KING),
        **{f"pair_of_{name}_or_better": pair and lead >= least for least, name in PAIRS.items()},
    }  # fmt: skip
    better = LADDERS[size][LADDERS[size].index(category) :]
    yield from [*(name for name, true in special.items() if true), category, *(f"{name}_or_better" for name in better)]


def exact(text: Any) -> Fraction:
    """Parse a number of the report. Exponents are refused, because writing them out could take forever."""
    if not re.fullmatch(r"-?[0-9]{1,100}(\.[0-9]{1,100}|/[0-9]{1,100})?", str(text)):
        raise ValueError(f"{str(text)[:40]!r} is no number")
    return Fraction(str(text))


def pays_of(wager: Wager, table: str = "") -> dict[str, Fraction]:
    """The net of each row of a pay table for each unit; a share of a meter counts as a lost stake."""
    stake, found = exact(wager.get("stake_dollars", 5)), {}
    for row, odds in wager["tables"][table or next(iter(wager["tables"]))]["rows"].items():
        rate = exact(odds["rate"])
        found[row] = {"to one": rate, "for one": rate - 1, "dollars": rate / stake, "of a meter": LOST}[odds["pays"]]
    return found


def net_of(pays: dict[str, Any], names: Iterable[str], without: Any = LOST) -> Any:
    """What the first row that a table has is paid."""
    return next((pays[name] for name in names if name in pays), without)


def hand_wager(cards: int, size: int, wager: Wager) -> Fraction:
    """A wager that the best ``size`` of so many cards decide alone."""
    pays = pays_of(wager)
    found = sum((net_of(pays, names_of(each, size)) * n for each, n in labels(cards, size).items()), Fraction(0))
    for suit in range(4) if cards == 6 else ():  # the one hand of a suit in sequence from ace to nine
        usual = [*names_of(("straight_flush", ACE, -1, suit), size)]
        six = [*["six_card_royal_of_diamonds"] * (suit == DIAMONDS), "six_card_royal", *usual]
        found += net_of(pays, six) - net_of(pays, usual)
    return found / comb(52, cards)


def color_wager(wager: Wager) -> Fraction:
    """Cards of one color: of a player's three (with the dealer's three), or of five."""
    pays = pays_of(wager)
    if "three_same_color" in pays:
        three, six = (Fraction(2 * comb(26, n), comb(52, n)) for n in (3, 6))
        return six * pays["six_same_color"] + (three - six) * pays["three_same_color"] - (1 - three)
    nets = (LOST, pays["four_same_color"], pays["five_same_color"])
    return sum((net * 2 * comb(26, n) * comb(26, 5 - n) for n, net in enumerate(nets, 3)), Fraction(0)) / comb(52, 5)


def pocket_wager(wager: Wager) -> Fraction:
    """A player's two cards; where a table has it, two aces against the dealer's two aces."""
    pays, total = pays_of(wager), Fraction(0)
    for one, other in combinations(range(52), 2):
        low, high, suits = one // 4, other // 4, "suited" if one % 4 == other % 4 else "offsuit"
        names = [f"ace_king_{suits}" if low == KING else f"ace_queen_or_jack_{suits}"] * (high == ACE and low >= JACK)
        if low == high:
            names = ["pair_of_aces" if low == ACE else "pair_of_jacks_to_kings" if low >= JACK else "pair", "pair"]
        net = net_of(pays, names)
        if low == high == ACE and "aces_against_aces" in pays:
            net += Fraction(1, comb(50, 2)) * (pays["aces_against_aces"] - net)
        total += net
    return total / comb(52, 2)


def pair_bonus(wager: Wager) -> Fraction:
    """Three cards, paid by another table if a fourth card is a 2."""
    plain, two, total = pays_of(wager, "pair_bonus"), pays_of(wager, "pair_bonus_with_two"), Fraction(0)
    for hand, count in kinds(3).items():
        twos = 4 - sum(card < 4 for card in hand)
        total += count * (first_row(plain, hand, 3) * (49 - twos) + first_row(two, hand, 3) * twos) / 49
    return total / comb(52, 3)


def dice_wager(wager: Wager) -> Fraction:
    """Three dice, every one of the 216 throws; a wager on numbers is tried on its first ones."""
    pays, name, total = pays_of(wager), wager["line"], Fraction(0)
    for throw in product(range(1, 7), repeat=3):
        ones, twos, triple, points = throw.count(1), throw.count(2), len(set(throw)) == 1, sum(throw)
        hits = {
            "two_of_a_kind": ones == 2 or (ones == 3 and wager["reading"] != "two-of-a-kind-exactly"),
            "three_of_a_kind": ones == 3, "two_dice_combination": ones > 0 and twos > 0, "any_three_of_a_kind": triple,
            "small": 4 <= points <= 10 and not triple, "big": 11 <= points <= 17 and not triple,
        }  # fmt: skip
        row = name if hits.get(name, name == f"total_{points}") else ""
        row = ("", "one_die", "two_dice", "three_dice")[ones] if name == "one_of_a_kind" else row
        total += pays[row] if row else LOST
    return total / 216


COVERED = {"straight": 1, "split": 2, "street": 3, "corner": 4, "five_number": 5, "line": 6, "five_adjacent": 5,
           "column": 12, "dozen": 12, "red": 18, "black": 18, "odd": 18, "even": 18, "low": 18, "high": 18}  # fmt: skip


def wheel_wager(wager: Wager) -> Fraction:
    """Numbers of a wheel, by how many a wager covers."""
    pockets, numbers = 38 if wager["device"] in ("", "double-zero", None) else 37, COVERED[wager["line"]]
    return (numbers * pays_of(wager)[wager["line"]] - (pockets - numbers)) / pockets


def first_row(pays: dict[str, Any], hand: tuple[int, ...], size: int = 5, without: Any = LOST) -> Any:
    """What the best ``size`` cards of a hand are paid, or what they are without a row."""
    best = hand if len(hand) <= size else max(combinations(hand, size), key=lambda some: score_of(*some))
    suited = tuple(card // 4 for card in best) if len({card % 4 for card in best}) == 1 else ()
    rows = names_of(label_of(tuple(Counter(card // 4 for card in best).items()), suited, best[0] % 4, size), size)
    return net_of(pays, rows, without)


def canonical(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The same cards with suits renamed in a fixed way: sets that differ by the names of suits become alike."""
    suits = sorted((tuple(sorted(card // 4 for card in cards if card % 4 == suit)) for suit in range(4)), reverse=True)
    return tuple(sorted(4 * rank + suit for suit, ranks in enumerate(suits) for rank in ranks))


def kinds(cards: int) -> Counter[tuple[int, ...]]:
    """How many hands of so many cards are alike but for the names of suits."""
    return Counter(canonical(hand) for hand in combinations(range(52), cards))


def streets(start: int, choices: tuple[int, ...], pushes: dict[str, Fraction], wager: Wager) -> Fraction:
    """Cards up to five, one by one: each time a choice of wagers to add to the first, or a fold, which loses all."""
    pays = pays_of(wager) | pushes

    @cache
    def mean(seen: tuple[int, ...]) -> Fraction:
        return sum((first_row(pays, (*seen, card)) for card in range(52) if card not in seen), Fraction(0)) / 48

    @cache
    def worth(seen: tuple[int, ...], staked: int) -> Fraction:
        if len(seen) == 4:
            return max(Fraction(-staked), *((staked + more) * mean(seen) for more in choices))
        others = [canonical((*seen, card)) for card in range(52) if card not in seen]
        sums = (sum((worth(each, staked + more) for each in others), Fraction(0)) for more in choices)
        return max(Fraction(-staked), *(total / len(others) for total in sums))

    return sum((count * worth(hand, 1) for hand, count in kinds(start).items()), Fraction(0)) / comb(52, start)


@cache
def table(size: int) -> Array:
    """The scores of all hands of exactly ``size`` cards, at the number of sorted ranks and one suit."""
    found = np.zeros(2 * 13**size, np.int64)
    for ranks, suited in product(combinations_with_replacement(range(13), size), (False, True)):
        counts = Counter(ranks)
        category, lead, _, _ = label_of(tuple(counts.items()), ranks if suited else (), 0, size)
        score = len(LADDERS[size]) - LADDERS[size].index(category)
        order = sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True)
        for rank in [lead] * size if "straight" in category else order:
            score = score * 16 + rank
        found[2 * sum(rank * 13**place for place, rank in enumerate(ranks)) + suited] = score
    return found


def best_scores(hands: Array, size: int) -> Array:
    """Ranks of the best ``size`` cards of hands as numbers: more is higher, equal is a tie."""
    (ranks, suits), found = np.divmod(np.sort(hands, axis=1).astype(np.int32), 4), np.zeros(len(hands), np.int64)
    for kept in combinations(range(hands.shape[1]), size):
        code = sum(ranks[:, column] * 13**place for place, column in enumerate(kept))
        suited = np.all([suits[:, column] == suits[:, kept[0]] for column in kept[1:]], axis=0)
        found = np.maximum(found, table(size)[2 * code + suited])
    return found


def score_of(*cards: int) -> int:
    return int(best_scores(np.array([cards]), len(cards))[0])


def best(fold: int, choices: list[Nets], theirs: Theirs, hand: tuple[int, ...]) -> Fraction:
    """The best choice, each by what it nets where the dealer is higher, level, lower: not qualified, and qualified."""
    scores, masks, least, size = theirs
    free, mine = scores[(masks & sum(1 << card for card in hand)) == 0], best_scores(np.array([hand]), size)[0]
    tests = free > mine, free == mine, free < mine
    cells = [int((part & test).sum()) for part in (free < least, free >= least) for test in tests]
    return max(Fraction(fold), *(sum(map(mul, nets, cells), Fraction(0)) / len(free) for nets in choices))


def three_card(wager: Wager) -> Fraction:
    """Three cards each, every hand against every other; the dealer needs a queen."""
    hands, tables = np.array([*combinations(range(52), 3)]), {name: pays_of(wager, name) for name in wager["tables"]}
    theirs, total = (best_scores(hands, 3), (1 << hands).sum(axis=1), score_of(4 * QUEEN, 4, 1), 3), Fraction(0)
    kept = {"ante-bonus-unless-beaten": (0, 1, 1, 0, 1, 1), "ante-bonus-only-if-higher": (0, 0, 0, 0, 0, 1)}
    for hand, count in kinds(3).items():
        if "ante_bonus" not in tables:
            paid, beaten = first_row(tables["play"], hand, 3, tables["play"]["any"]), tables["bad_beat_bonus"]
            nets = [paid, paid, paid, first_row(beaten, hand, 3) - 1, paid, paid + 1]
        else:  # a bonus can depend on the suit, which a kind of hand has lost: each of the four is as likely
            turned = [tuple(card - card % 4 + (card + turn) % 4 for card in hand) for turn in range(4)]
            bonus = sum((first_row(tables["ante_bonus"], each, 3, Fraction(0)) for each in turned), Fraction(0)) / 4
            times = kept.get(wager["reading"], (1,) * 6)
            nets = [net + bonus * many for net, many in zip((1, 1, 1, -2, 0, 2), times, strict=True)]
        total += count * best(-1, [nets], theirs, hand)
    return total / comb(52, 3)


def sampled(game: str, wager: Wager, draws: int, seed: int) -> tuple[float, float]:
    """The mean over hands against every hand of the dealer's, and its error: two of each stratum, finer at the top."""
    (choose, fold, dealer, size, up, least), random = SAMPLED[game], np.random.default_rng(seed)
    hands = np.array([*combinations(range(52), 5)], np.uint8)
    order, many = np.argsort(best_scores(hands, size), kind="stable"), len(hands)
    parts = [(0.0, 0.9, 0.5), (0.9, 0.995, 0.26), (0.995, 0.9995, 0.14), (0.9995, 1.0, 0.1)]
    cuts = sorted({int(many * x) for a, b, share in parts for x in np.linspace(a, b, int(draws * share / 2) + 1)})
    states = []
    for stratum, (first, last) in enumerate(pairwise(cuts)):
        for which, place in enumerate(random.choice(np.arange(first, last), 2, replace=last - first < 2)):
            cards = hands[order[place]].tolist()
            shown = int(random.choice([card for card in range(52) if card not in cards])) if up else -1
            cards = (card - card % 4 + (card - shown * up) % 4 for card in cards)  # so that the up card is a club
            states.append((shown - shown % 4 * up, stratum, which, tuple(cards)))
    values = np.zeros((len(cuts) - 1, 2))
    for shown, some in groupby(sorted(states), key=itemgetter(0)):
        dealt = np.array([*combinations({*range(52)} - {shown}, dealer - up)], np.uint8)
        scores = best_scores(np.insert(dealt, 0, shown, axis=1) if up else dealt, size)
        theirs = scores, (np.int64(1) << dealt).sum(axis=1), score_of(*least), size
        for _, stratum, which, cards in some:
            values[stratum, which] = best(fold, choose(wager, cards), theirs, cards)
            if "buy" in wager["reading"]:  # a sixth card for one Ante; an instant payout is more than it can bring
                six = [(*cards, card) for card in range(52) if card not in (*cards, shown)]
                bought = sum(best(fold, choose(wager, hand), theirs, hand) for hand in six) / len(six) - 1
                values[stratum, which] = max(values[stratum, which], bought)
    weights, (one, other) = np.diff(cuts) / many, values.T
    return float(weights @ (one + other)) / 2, sqrt(weights**2 @ (one - other) ** 2) / 2


def caribbean(wager: Wager, cards: tuple[int, ...]) -> list[Nets]:
    pays = pays_of(wager, "bet")
    return [[1, 1, 1, -3, 0, 1 + 2 * first_row(pays, cards, 5, pays["any"])]]


def four_card(wager: Wager, cards: tuple[int, ...]) -> list[Nets]:
    """One to three Antes to play; ties are the player's, and the Ante Bonus is paid to hands that are beaten too."""
    bonus = first_row(pays_of(wager, "ante_bonus"), cards, 4, Fraction(0))
    beaten = 0 if wager["reading"] == "ante-bonus-unless-beaten" else bonus
    return [[0, 0, 0, beaten - more, bonus + more, bonus + more] for more in (2, 3, 4)]


def crazy_or_frenzy(wager: Wager, cards: tuple[int, ...]) -> list[Nets]:
    """Best four of five each, the dealer needs a king; three Antes with a pair of aces or better, else one."""
    crazy = "super_bonus" in wager["tables"]
    bets = (1, 2, 3) if best_scores(np.array([cards]), 4)[0] >= score_of(48, 49, 0, 5) else (1,)
    kept = first_row(pays_of(wager, "super_bonus" if crazy else "odds_win"), cards, 4, Fraction(0))
    lost = first_row(pays_of(wager, "super_bonus" if crazy else "odds"), cards, 4)
    if crazy:  # a tie with a dealer who plays returns Ante and Play
        first = kept if wager["reading"] == "printed" else lost
        return [[first + bet, kept + bet, kept + bet, lost - 1 - bet, kept, kept + 1 + bet] for bet in bets]
    # a tie is the player's, and a higher hand of the dealer's wins the Raise even if it does not qualify
    return [[lost - bet, kept + bet, kept + bet, lost - 1 - bet, kept + 1 + bet, kept + 1 + bet] for bet in bets]


def lunar(wager: Wager, cards: tuple[int, ...]) -> list[Nets]:
    """Two Antes to play; paid with it is the best other combination that takes a card outside the highest."""
    pays, unqualified, instant = (pays_of(wager, name) for name in ("bet", "ante_unqualified", "instant_payout"))
    if len(cards) == 5 and (paid := first_row(instant, cards, 5, Fraction(0))):
        return [[paid] * 6]
    subsets = (some for many in range(2, 6) for some in combinations(sorted(cards), many))
    named = ((*first_row(LUNAR, some, 5, (0, 0, "")), [card // 4 for card in some], some) for some in subsets)
    made = [(-place, ranks, some, pays[name]) for place, many, name, ranks, some in named if many == len(some)]
    place, ranks, first, rate = max(made, default=(-len(LUNAR), [], cards, Fraction(0)))
    same: Any = (place, ranks) if "distinct" in wager["reading"] else None
    rate += max((each[3] for each in made if {*each[2]} - {*first} and each[:2] != same), default=Fraction(0))
    ante = unqualified["straight_or_higher" if -place <= LUNAR["straight"][0] else "any"]
    return [[ante, ante, ante, -3, 0, 2 * rate]]


TWOS = np.array([*combinations(range(52), 2)])
HELD = np.array([[card in two for two in combinations(range(52), 2)] for card in range(52)])
POCKET = (TWOS // 4) @ (26, 2) + (TWOS[:, 0] % 4 == TWOS[:, 1] % 4)
SORTS: Array = [np.sort(TWOS // 4 * 2 + (suit == TWOS % 4)) @ (26, 1) for suit in range(5)]
SORTS = np.unique(SORTS, return_inverse=True)[1].reshape(5, -1)  # alike by ranks, and by whether of one suit


def against_all(board: tuple[int, ...], twos: Array) -> tuple[Array, Array, Array, Array]:
    """Of any two more cards: their score, and of the other 990 twos how many are lower, higher, and below a pair."""
    scores, pair = best_scores(np.hstack([twos, np.tile(board, (len(twos), 1))]), 5), score_of(0, 1, 4, 8, 12)
    unique, places = np.unique(scores, return_inverse=True)
    at = np.array([places, places + 1, np.full(len(twos), np.searchsorted(unique, pair))])
    held = np.bincount((twos.T * (len(unique) + 1) + at[1]).ravel(), minlength=52 * (len(unique) + 1))
    below = held.reshape(52, -1).cumsum(axis=1)  # how many twos hold a card and are below a place
    lower, upto, weak = below.sum(axis=0)[at] // 2 - below[twos[:, 0], at] - below[twos[:, 1], at]
    return scores, lower, 989 - upto, weak + (scores < pair)


def hold_em(most: int, wager: Wager) -> Fraction:
    """Every two cards on every board: raise ``most``, then 2, then 1 Antes, or fold; or 2 or fold, twice 1 or 0."""
    pays, known = {name: pays_of(wager, name) for name in wager["tables"]}, dict[tuple[int, ...], Array]()
    names = [*((name, -1, -1, -1) for name in reversed(LADDERS[5])), ("straight_flush", ACE, -1, -1)]
    parts = (pays.get("blind") or pays.get("odds") or pays["ante"], Fraction(0)), (pays.get("bad_beat_bonus", {}), LOST)
    nets = [[net_of(part, names_of(each, 5), without) for each in names] for part, without in parts]
    unit, total = lcm(*(net.denominator for each in nets for net in each)), np.zeros((POCKET.max() + 1, 2), np.int64)
    won, lost = np.array([[int(unit * net) for net in each] for each in nets], np.int64)
    for size, (seen, count) in ((some, each) for some in ((3,) if most else (3, 4)) for each in kinds(some).items()):
        sums, first = np.zeros((3, len(TWOS)), np.int64), size == 3
        for more in combinations([card for card in range(52) if card not in seen], 5 - len(seen)):
            board, free = (*seen, *more), ~HELD[(*seen, *more),].any(axis=0)
            suit = next((suit for suit in range(4) if sum(card % 4 == suit for card in board) > 2), 4)
            key = tuple(sorted(card // 4 * 2 + (card % 4 == suit) for card in board))
            if key not in known:  # boards of a key are alike but for suits that can't matter
                scores, lower, higher, weak = against_all(board, TWOS[free])
                made = np.where(scores >> 16 == 9 * 16 + ACE, 10, scores >> 20) - 1
                gain, side = unit * (lower - higher), lower * won[made] + higher * lost[made]
                if most:  # an Ante apart needs a dealer's pair; who goes on to the end raises by one or folds
                    side += unit * np.where(made, lower - weak - higher, weak - 990)
                    later = np.maximum(gain + side, -2 * 990 * unit)
                else:
                    tied = unit * (990 - lower - higher) * (wager["reading"] == "tie-loses")
                    gain, side, later = gain - tied, 2 * gain + side - 3 * tied, np.full(len(gain), -990 * unit)
                known[key] = np.zeros((3, SORTS.max() + 1), np.int64)
                known[key][:, SORTS[suit][free]] = gain, side, later
            sums += known[key][:, SORTS[suit]] * free
        gain, side, later = sums
        later = np.maximum(2 * gain + side, later) if most else later * first
        now = most * gain + side * first + np.maximum(gain, 0) * (0 if most else size - 2)
        np.add.at(total, POCKET, count * np.array([now, later]).T)
    return Fraction(int(total.max(axis=1).sum()), unit * 10 * 990 * comb(50, 5) * len(TWOS))


SAMPLED: dict[str, tuple[Any, int, int, int, bool, tuple[int, ...]]] = {  # fold; dealer's cards, best, one shown, least
    "caribbean-stud": (caribbean, -1, 5, 5, True, (4 * ACE, 4 * KING, 8, 4, 1)),
    "lunar-poker": (lunar, -1, 5, 5, True, (4 * ACE, 4 * KING, 8, 4, 1)),
    "four-card-poker": (four_card, -1, 6, 4, True, (17, 8, 4, 0)),
    **dict.fromkeys(("crazy-4-poker", "four-card-frenzy"), (crazy_or_frenzy, -2, 5, 4, False, (4 * KING, 8, 4, 1))),
}  # fmt: skip
MAIN: dict[str, Callable[[Wager], Fraction]] = {
    **dict.fromkeys(("three-card-poker", "three-card-prime"), three_card),
    "mississippi-stud": partial(streets, 2, (1, 2, 3), {"pair_of_sixes_or_better": Fraction(0)}),
    "let-it-ride": partial(streets, 3, (0, 1), {}), "ultimate-texas-hold-em": partial(hold_em, 4),
    "heads-up-hold-em": partial(hold_em, 3), "texas-hold-em-bonus": partial(hold_em, 0),
}  # fmt: skip
HANDS = {
    (3, 3): ("pair_plus", "three_card_progressive", "three_card_bonus"), (7, 5): ("trips", "trips_plus"),
    (5, 4): ("aces_up", "queens_up", "four_card_bonus", "four_card_progressive"),
    (5, 5): ("five_card_hand_player", "five_card_hand_dealer", "five_card_hand", "five_card_progressive",
             "five_card_bonus", "progressive"), (6, 5): ("six_card_bonus", "all_six", "five_of_six_progressive"),
}  # fmt: skip
OTHERS: dict[str, Callable[[Wager], Fraction]] = {
    **{name: partial(hand_wager, *sizes) for sizes, names in HANDS.items() for name in names}, "pair_bonus": pair_bonus,
    **dict.fromkeys(COVERED, wheel_wager), "bonus": pocket_wager, "pocket_bonus": pocket_wager, "prime": color_wager,
}  # fmt: skip
REASONS = {
    "lunar-poker main": "exchanges of cards need more than this file; the scopes without them are checked",
    **dict.fromkeys(("super", "super_on_dealer"), "the text leaves open what a straight flush is paid as"),
    "bad_beat": "two hands are compared", "touchdown": "its five spins follow a text with several readings",
}  # fmt: skip


def adds_up(wager: Wager) -> bool:
    """Whether rows and lines sum to the cycle, the expected value and the hold that the report states."""
    mean, cycle, rows = exact(wager["expected_value"]), wager["cycle"], wager["rows"]
    parts = [[exact(part["contribution"]) for part in listed] for listed in (rows, wager["lines"]) if listed]
    right = [sum(row["ways"] for row in rows) == cycle, abs(float(-mean) - wager["house_edge"]) < 1e-12]
    right += [exact(row["net"]) * row["ways"] == part * cycle for row, part in zip(rows, parts[0], strict=True)]
    return all(right) and all(sum(part, Fraction(0)) == mean for part in parts)


def opinions(report: Any, draws: int = DRAWS, seed: int = 1) -> Iterator[Opinion]:
    """What comes of each wager of a report."""
    for wager in report["wagers"]:
        game, line, mean = report["game"], wager["line"], exact(wager["expected_value"])
        derive = MAIN.get(game) if line == "main" else dice_wager if game == "sic-bo" else OTHERS.get(line)
        derived, error, outcome, how = None, 0.0, "not checked", "every case counted"
        if not adds_up(wager):
            outcome, how = "differs", "its own rows don't sum to its cycle, expected value and hold"
        elif derive is not None:
            derived = -float(value := derive(wager | {"device": report["device"]}))
            outcome = "agrees exactly" if value == mean else "differs"
        elif line == "main" and game in SAMPLED and not wager["reading"].startswith("full"):
            found, error = sampled(game, wager, many := draws * (10 if game == "caribbean-stud" else 1), seed)
            derived, far = -found, abs(found - float(mean)) / error
            how = f"a stratified sample of {many:,} hands, seed {seed}, each against every dealer's hand"
            how += "".join(f"; {part}" for part in wager.get("leaves_out", ()))
            outcome = f"{'agrees' if far <= FAR else 'differs'}: {far:.1f} standard errors of {error:.5f}"
        else:
            how = REASONS.get(f"{game} {line}", REASONS.get(line, "this file doesn't know the wager"))
        yield Opinion(wager["wager"], wager["paytable"], wager["reading"], -float(mean), derived, error, outcome, how)


def main() -> int:
    parser = argparse.ArgumentParser(description="Derive the headline figures of a report again.")
    parser.add_argument("report", type=argparse.FileType("rb"), help="a report as JSON: pitboss report ... -o x.json")
    parser.add_argument("--draws", type=int, default=DRAWS, help="hands of each sample")
    parser.add_argument("--seed", type=int, default=1, help="which hands are sampled")
    given, wrong = parser.parse_args(), 0
    try:
        for each in opinions(json.loads(given.report.read(LARGEST)), given.draws, given.seed):
            wrong += each.outcome.startswith("differs")
            again = "" if each.derived is None else f", derived {each.derived:.6%}"
            figures = f"{each.wager} {each.paytable} {each.reading}: hold {each.claimed:.6%}{again}"
            print(f"{figures}; {each.outcome} ({each.method})", flush=True)  # noqa: T201
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as problem:
        parser.error(f"{given.report.name} isn't a report as pitboss writes one: {type(problem).__name__}: {problem}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
