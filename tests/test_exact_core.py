"""The counting itself: classes of hands, sweeps against brute force, and solved games against published integers."""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.api import rules_for
from pitboss.cards import RANKS, parse_cards
from pitboss.exact.decks import FULL, SmallDeck, all_subsets, suit_classes
from pitboss.exact.engine import duel_of, solved, valued
from pitboss.exact.sweep import count_below
from pitboss.exact.value import CELLS, Result, Valued, weigh
from pitboss.games.contract import Game
from pitboss.games.facts import Versus
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.rules import Choices
from pitboss.hands.labels import LUNAR_LABELS
from pitboss.hands.orders import LUNAR
from tests.states import closed_form_deals

AS_OF = date(2024, 6, 1)


# Decks and classes.


@pytest.mark.parametrize("fixed", range(4))
@pytest.mark.parametrize(("ranks", "size"), [(3, 1), (3, 4), (4, 3), (5, 5), (4, 6), (13, 3), (13, 4)])
def test_classes_stand_for_every_hand(ranks: int, size: int, fixed: int) -> None:
    deck = SmallDeck(tuple(range(ranks)))
    classes = suit_classes(deck, size, fixed)
    assert classes.weights.sum() == comb(deck.size, size)
    assert (np.diff(classes.hands.astype(np.int16), axis=1) > 0).all()


@pytest.mark.parametrize("fixed", range(4))
@pytest.mark.parametrize(("ranks", "size"), [(2, 3), (3, 4), (4, 3), (3, 6)])
def test_a_class_is_what_renaming_suits_can_reach(ranks: int, size: int, fixed: int) -> None:
    deck = SmallDeck(tuple(range(ranks)))
    classes = suit_classes(deck, size, fixed)
    reached: list[tuple[int, ...]] = []
    for row, weight in zip(classes.hands.tolist(), classes.weights.tolist(), strict=True):
        names = [(*range(fixed), *others) for others in permutations(range(fixed, 4))]
        orbit = {tuple(sorted(place & ~3 | suits[place & 3] for place in row)) for suits in names}
        assert len(orbit) == weight
        reached += orbit
    assert Counter(reached) == Counter(combinations(range(deck.size), size))


@pytest.mark.parametrize(("n", "size"), [(5, 1), (8, 3), (9, 4), (6, 6)])
def test_subsets_come_once_each_in_colex_order(n: int, size: int) -> None:
    hands = np.empty((comb(n, size), size), np.uint8)
    all_subsets(n, size, hands)
    assert list(map(tuple, hands.tolist())) == sorted(combinations(range(n), size), key=lambda hand: hand[::-1])


def test_places_and_cards_of_a_small_deck_are_inverse() -> None:
    deck = SmallDeck((2, 5, 12))
    assert deck.places(deck.hand([1, 6, 11])) == (1, 6, 11)
    assert [RANKS[card // 4] for card in deck.hand([0, 4, 8])] == ["4", "7", "A"]


# The sweep.


@dataclass(frozen=True)
class Question:
    """A deck, the rank of each dealer's hand on it, and what some players know and ask."""

    n: int
    size: int
    ranks: list[int]
    known: list[list[int]]
    thresholds: list[list[int]]
    up: int | None


@st.composite
def questions(draw: st.DrawFn) -> Question:
    with_up = draw(st.booleans())
    size = draw(st.integers(2 if with_up else 1, 4))
    n = draw(st.integers(size + 2, 10))
    most = draw(st.integers(0, 9))
    ranks = draw(st.lists(st.integers(0, most), min_size=comb(n, size), max_size=comb(n, size)))
    up = draw(st.integers(0, n - 1)) if with_up else None
    held = draw(st.integers(1, min(6, n - 1)))
    unseen = [place for place in range(n) if place != up]
    hands = draw(st.lists(st.permutations(unseen), min_size=1, max_size=4))
    asked = draw(st.integers(1, 3))
    rows = st.lists(st.integers(0, most + 1), min_size=asked, max_size=asked)
    thresholds = draw(st.lists(rows, min_size=len(hands), max_size=len(hands)))
    return Question(n, size, ranks, [sorted(hand[:held]) for hand in hands], thresholds, up)


@settings(max_examples=150, deadline=None)
@given(questions())
def test_the_sweep_counts_what_brute_force_counts(asked: Question) -> None:
    dealt = sorted(combinations(range(asked.n), asked.size), key=lambda hand: hand[::-1])
    expected = [
        [
            sum(
                rank < threshold and not set(hand) & set(known) and (asked.up is None or asked.up in hand)
                for hand, rank in zip(dealt, asked.ranks, strict=True)
            )
            for threshold in thresholds
        ]
        for known, thresholds in zip(asked.known, asked.thresholds, strict=True)
    ]
    counted = count_below(
        asked.n,
        np.array(asked.ranks, np.int32),
        asked.size,
        np.array(asked.known, np.uint8),
        np.array(asked.thresholds, np.int32),
        asked.up,
    )
    assert counted.tolist() == expected


# Caribbean Stud, the best documented game in which an up card is seen.


@cache
def _caribbean() -> Valued:
    return valued(GAMES["caribbean-stud"], rules_for("caribbean-stud", AS_OF))


def _tally(played: Valued, choice: str, **wanted: Any) -> int:
    total = 0
    for row, facts in enumerate(played.grid.facts):
        for cell, (qualifies, versus) in enumerate(CELLS):
            known = {"qualifies": qualifies, "versus": versus, **facts}
            if all(known[name] == one for name, one in wanted.items()):
                total += int(played.tallies[row, played.grid.names.index(choice), cell])
    return total


@pytest.mark.law("639a.12")
def test_caribbean_stud_has_the_published_combinations() -> None:
    """The thirteen outcomes of perfect play, to the last unit."""
    played = _caribbean()
    wins = {hand: _tally(played, "bet", qualifies=True, versus=Versus.HIGHER, hand=hand) for hand in LUNAR_LABELS}
    assert played.result.deals == 19_933_230_517_200
    assert [wins[hand] for hand in LUNAR_LABELS[:8]] == [
        16_759_740,
        156_929_720,
        2_832_435_800,
        16_624_475_280,
        21_856_990_280,
        43_805_516_100,
        234_242_908_320,
        488_012_139_360,
    ]
    assert sum(wins[hand] for hand in LUNAR_LABELS[8:]) == 2_343_248_003_808
    assert _tally(played, "bet", qualifies=False) == 4_532_514_033_720
    assert _tally(played, "bet", qualifies=True, versus=Versus.EQUAL) == 321_623_100
    assert _tally(played, "fold") == 9_523_005_974_460
    assert _tally(played, "bet", qualifies=True, versus=Versus.LOWER) == 2_726_592_727_512


def _percent(share: Fraction, digits: int) -> float:
    return round(float(100 * share), digits)


def test_caribbean_stud_has_the_published_figures() -> None:
    result = _caribbean().result
    assert -result.expected_value * result.deals == 1_041_372_912_372
    assert _percent(result.house_edge_required, 3) == 5.224
    assert _percent(result.element_of_risk, 3) == 2.555
    assert round(result.standard_deviation, 2) == 2.24


def _lost_by_betting(bets: npt.NDArray[np.bool_]) -> int:
    """What betting these states and folding all others loses over all deals, in units."""
    played = _caribbean()
    bet, fold = (played.grid.names.index(name) for name in ("bet", "fold"))
    forced = np.where(bets, bet, fold).astype(np.uint8)
    result = weigh(played.solved, played.grid, played.required, forced).result
    return int(-result.expected_value * result.deals)


def _at_least(hand: str) -> npt.NDArray[np.bool_]:
    """The states with this hand or a better one."""
    solved = _caribbean().solved
    scores = np.array([LUNAR.score(solved.deck.hand(places)) for places in solved.kind_hands])
    return np.asarray((scores >= LUNAR.score(parse_cards(hand)))[solved.kinds])


PAIR, ACE_KING = "2c 2d 5h 4s 3c", "Ac Kd 4h 3s 2c"


@pytest.mark.parametrize(
    ("hand", "lost"),
    [
        ("Ac Kd Jh 8s 3c", 1_059_715_400_580),
        (PAIR, 1_090_272_101_460),
        (ACE_KING, 1_132_600_203_540),
        ("7c 5d 4h 3s 2c", 3_310_360_338_060),
    ],
    ids=["ace-king-jack-8-3", "any pair", "any ace-king", "blind"],
)
def test_caribbean_stud_loses_what_is_published_by_simpler_strategies(hand: str, lost: int) -> None:
    assert _lost_by_betting(_at_least(hand)) == lost


def test_caribbean_stud_loses_what_is_published_by_three_rules() -> None:
    """Ace-king bets when the up card is matched below a king, is high beside a queen or jack, or is low beside a
    queen."""
    solved = _caribbean().solved
    held, up = solved.hands // 4, (solved.ups // 4)[:, None]
    queen, jack = ((held == RANKS.index(rank)).any(axis=1) for rank in "QJ")
    matched, high = (held == up).any(axis=1), up[:, 0] >= RANKS.index("K")
    rules = (matched & ~high) | (high & (queen | jack)) | (~matched & queen & (up[:, 0] < held[:, 1]))
    assert _lost_by_betting(_at_least(PAIR) | (_at_least(ACE_KING) & rules)) == 1_041_417_758_724


def test_caribbean_stud_with_the_whole_dealers_hand_known() -> None:
    """Bet whatever is not lost, fold the rest. Grosjean prints +64.27 %, and 5.23 % for the game itself."""
    played = _caribbean()
    every = np.full(len(played.solved.kinds), played.grid.names.index("bet"), np.uint8)
    blind = weigh(played.solved, played.grid, played.required, every)
    gained = sum((max(net, Fraction(-1)) * count for net, count in blind.result.distribution.items()), Fraction(0))
    assert _percent(gained / blind.result.deals, 4) == 64.2816


# Published figures of the games of the house.


def _main(game: str, letter: str = "") -> Result:
    rules = rules_for(game, AS_OF, Choices(letters={GAMES[game].paytable: letter} if letter else {}))
    return valued(GAMES[game], rules).result


@pytest.mark.law("649a.11(c)(3)(i)", "649a.11(c)(3)(ii)", "649a.12(a)", "649a.12(b)")
def test_three_card_poker_has_the_published_figures() -> None:
    letters = {
        letter: [str(odds) for odds in rules_for("three-card-poker", AS_OF, Choices(letters={"ante_bonus": letter}))
        .tables["ante_bonus"].rows.values()]
        for letter in "ABC"
    }  # fmt: skip
    by_bonus = {tuple(pays): _main("three-card-poker", letter) for letter, pays in letters.items()}
    common = by_bonus["5 to 1", "4 to 1", "1 to 1"]
    assert common.deals == 407_170_400
    assert _percent(common.house_edge_required, 2) == 3.37
    assert _percent(common.element_of_risk, 2) == 2.01
    assert round(common.standard_deviation, 2) == 1.64
    assert _percent(by_bonus["5 to 1", "3 to 1", "1 to 1"].element_of_risk, 2) == 2.16


@pytest.mark.law("641a.11(c)(3)(i)", "641a.11(c)(3)(ii)", "641a.12(a)", "641a.12(b)")
def test_four_card_poker_has_the_published_figures() -> None:
    result = _main("four-card-poker")
    assert _percent(result.house_edge_required, 2) == 2.79
    assert _percent(result.element_of_risk, 2) == 1.30


@pytest.mark.law("684a.11(c)(2)", "684a.11(c)(3)", "684a.11(c)(4)", "684a.12(b)", "684a.12(c)")
def test_four_card_frenzy_holds_what_the_rulemaking_approved() -> None:
    """Required wagers 1.19 % to 1.67 % over the four tables, as printed: the lower end is cut, not rounded."""
    holds = sorted(100 * _main("four-card-frenzy", letter).house_edge_required for letter in "ABCD")
    assert int(holds[0] * 100) == 119
    assert int(holds[-1] * 100) == 167


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.duel], ids=lambda game: game.name)
def test_every_deal_is_counted(game: Game) -> None:
    counted = solved(game)
    assert counted.deck == FULL
    assert counted.deals == closed_form_deals(duel_of(game))
    assert sum(_main(game.name).distribution.values()) == counted.deals
