"""Named readings: where the text allows two, the law as implemented and the other are both at hand."""

import re
from collections import Counter
from datetime import date
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from pitboss.api import rules_for
from pitboss.cards import RANKS, Card, Hand, card_of, parse_cards, rank_of, suit_of
from pitboss.exact.decks import FULL, SmallDeck, suit_classes, suit_masks
from pitboss.exact.duel import solve
from pitboss.exact.edge import edge_rows
from pitboss.exact.engine import duel_of
from pitboss.exact.facets import facet_counts
from pitboss.exact.side import side_result
from pitboss.exact.value import value
from pitboss.findings import FindingsError
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.rules import Choices
from pitboss.games.settle import settle
from pitboss.hands import facets
from pitboss.law.loader import chapter
from pitboss.law.model import in_force
from pitboss.law.odds import ForOne, ToOne

TODAY = date(2024, 6, 1)


def nets(game: str, played: Round, readings: dict[str, str]) -> dict[str, int]:
    settlement = settle(rules_for(game, TODAY, Choices(readings=readings)), played)
    assert settlement.findings == ()
    return {line.wager: line.net for line in settlement.lines}


@pytest.mark.law("641a.12(b)")
def test_ante_bonus_of_641a_for_a_beaten_hand() -> None:
    seat = Seat(1, parse_cards("9c 9d 9h 5s 2d"), {"ante": 1000}, decided(Decision("play", 1000)))
    played = Round(parse_cards("Tc Td Th 8s 3d 4c"), (seat,))
    assert nets("four-card-poker", played, {})["ante_bonus"] == 2000
    assert "ante_bonus" not in nets("four-card-poker", played, {"ante_bonus": "ante-bonus-unless-beaten"})


@pytest.mark.law("649a.12(b)", "649a.11(c)(3)(i)")
@pytest.mark.parametrize(
    ("dealer", "paid"), [("Qc Jd Th", False), ("Tc Td Ts", False), ("Jc 8d 2h", True), ("7s 8h 9s", True)]
)
def test_ante_bonus_of_649a_for_a_beaten_hand(dealer: str, paid: bool) -> None:
    """A straight against a higher straight, a three-of-a-kind, no qualifying hand, and an equal straight."""
    seat = Seat(1, parse_cards("7c 8c 9d"), {"ante": 1000}, decided(Decision("play")))
    played = Round(parse_cards(dealer), (seat,))
    assert nets("three-card-poker", played, {})["ante_bonus"] == 1000
    other = nets("three-card-poker", played, {"ante_bonus": "ante-bonus-unless-beaten"})
    assert ("ante_bonus" in other) is paid


@pytest.mark.law("671a.11(f)(2)(ii)")
def test_a_straight_remade_with_the_other_card_of_a_pair() -> None:
    """With a bought nine beside 9-8-7-6-5: a second straight at 4 to 1, or only the pair of nines at 1 to 1."""
    bought = decided(Decision("buy", drawn=parse_cards("9d")), "bet")
    seat = Seat(1, parse_cards("5c 6d 7h 8s 9c"), {"ante": 1000, "super": 1000}, bought)
    played = Round(parse_cards("Ah Ks 4d 3h 2c"), (seat,))
    for reading, paid in (("", 8000), ("second-combination-any", 8000), ("second-combination-distinct", 2000)):
        assert nets("lunar-poker", played, {"bet": reading} if reading else {})["second_combination"] == paid
    with pytest.raises(FindingsError, match="no reading called"):
        nets("lunar-poker", played, {"bet": "second-combination-never"})


ONLY_IF_HIGHER = "ante-bonus-only-if-higher"


@pytest.mark.law("649a.11(c)(3)(ii)(B)", "649a.11(c)(3)(ii)(C)", "649a.11(c)(3)(i)")
@pytest.mark.parametrize(
    ("dealer", "paid"),
    [("Qc 4d 2h", True), ("Qc Jd Th", False), ("Jc 8d 2h", False), ("7s 8h 9s", False)],
)
def test_ante_bonus_by_the_words_of_649a_11(dealer: str, paid: bool) -> None:
    """A straight against queen high, a higher straight, no qualifying hand, and an equal straight."""
    seat = Seat(1, parse_cards("7c 8c 9d"), {"ante": 1000}, decided(Decision("play")))
    found = nets("three-card-poker", Round(parse_cards(dealer), (seat,)), {"ante_bonus": ONLY_IF_HIGHER})
    assert ("ante_bonus" in found) is paid


def rank_by_hand(cards: Hand) -> tuple[int, ...]:
    """A three-card hand by the list of 649a.6(b), written here once more: category, then what breaks its ties."""
    ranks = sorted(map(rank_of, cards), reverse=True)
    flush = len(set(map(suit_of, cards))) == 1
    run = ranks[0] - ranks[1] == ranks[1] - ranks[2] == 1
    pair = next((rank for rank, many in Counter(ranks).items() if many == 2), None)
    if run and flush:
        return 5, ranks[0]
    if len(set(ranks)) == 1:
        return 4, ranks[0]
    if run:
        return 3, ranks[0]
    if flush:
        return 2, *ranks
    if pair is not None:
        return 1, pair, *(rank for rank in ranks if rank != pair)
    return 0, *ranks


@pytest.mark.law("649a.11(c)(3)(ii)(B)")
@pytest.mark.parametrize("letter", ["A", "B", "C"])
def test_ante_bonus_by_the_words_of_649a_11_against_plain_enumeration(letter: str) -> None:
    """Queens, jacks, tens and eights: every player's hand against every dealer's, paid as the paragraph reads."""
    bonus = {5: {"A": 5, "B": 5, "C": 4}[letter], 4: {"A": 4, "B": 3, "C": 3}[letter], 3: 1}
    names = sorted(RANKS.index(rank) for rank in "QJT8")
    deck = [card_of(rank, suit) for rank in names for suit in range(4)]
    queen_high = (0, RANKS.index("Q"))
    scores: dict[tuple[Card, ...], tuple[int, ...]] = {hand: rank_by_hand(hand) for hand in combinations(deck, 3)}
    total, deals = Fraction(0), 0
    for hand, own in scores.items():
        played = against = 0
        for dealer, theirs in scores.items():
            if not set(hand) & set(dealer):
                against += 1
                if theirs < queen_high:
                    played += 1
                elif own != theirs:
                    played += 2 + bonus.get(own[0], 0) if own > theirs else -2
        total, deals = total + max(played, -against), deals + against
    game = GAMES["three-card-poker"]
    rules = rules_for(
        game.name, TODAY, Choices(letters={"ante_bonus": letter}, readings={"ante_bonus": ONLY_IF_HIGHER})
    )
    duel = duel_of(game)
    found = value(game, rules, solve(duel, SmallDeck(tuple(names))), duel).result
    assert (found.expected_value, found.deals) == (total / deals, deals)
    other = value(game, rules_for(game.name, TODAY), solve(duel, SmallDeck(tuple(names))), duel).result
    assert other.expected_value > found.expected_value


def test_the_three_readings_of_the_ante_bonus_stand_beside_each_other() -> None:
    rows = list(edge_rows(GAMES["three-card-poker"], TODAY, "main"))
    found = {(row["paytable"], row["reading"]): row["expected_value"] for row in rows}
    printed, unless = "printed", "ante-bonus-unless-beaten"
    assert {letter for letter, _ in found} == {"A", "B", "C", "c:A", "c:B", "c:C"}
    for letter in ("A", "B", "C", "c:A", "c:B", "c:C"):
        worth = [Fraction(found[letter, reading]) for reading in (printed, unless, ONLY_IF_HIGHER)]
        assert worth == sorted(worth, reverse=True)
        assert len(set(worth)) == 3
    assert found["A", ONLY_IF_HIGHER] == "-5132301/101792600"


@pytest.mark.law("671a.6(d)", "671a.12(b)")
@pytest.mark.parametrize(("hand", "printed"), [("Ah Kh Qh Jh Th", 5), ("9s 8s 7s 6s 5s", 2)])
def test_super_wager_on_a_straight_flush(hand: str, printed: int) -> None:
    seat = Seat(1, parse_cards(hand), {"ante": 100, "super": 100})
    played = Round(parse_cards("2c 4d 6h 8c Jc"), (seat,))
    assert nets("lunar-poker", played, {})["super"] == 100 * printed
    assert nets("lunar-poker", played, {"super": "super-straight-flush-as-flush"})["super"] == 6000


def test_an_unknown_reading_is_a_finding() -> None:
    with pytest.raises(FindingsError, match="no reading called 'guess'"):
        rules_for("lunar-poker", TODAY, Choices(readings={"super": "guess"}))


@pytest.mark.law("647a.12(d)(2)")
def test_a_progressive_on_seven_cards_would_pay_more_than_it_takes() -> None:
    """The note on the paragraph prices both readings: five cards with the flop, and the best five of seven."""
    rows = rules_for("texas-hold-em-bonus", TODAY).tables["progressive"].rows
    found = []
    for facet in (facets.FIVE, facets.FIVE_OF_SEVEN):
        counts = facet_counts(facet)
        fixed = sum(counts[row] * odds.rate for row, odds in rows.items() if isinstance(odds, ForOne))
        found.append(f"{float(fixed / comb(52, facet.cards)) * 100:.2f} %")
    note = next(note for note in chapter("647a").notes if str(note.cite) == "647a.12(d)(2)")
    assert found == re.findall(r"[\d.]+ %", note.text) == ["53.06 %", "483.30 %"]


def test_the_one_published_figure_of_trips_plus_is_met() -> None:
    """The table stands in for an unknown one; it returns the 96.66 % that is known of the wager."""
    rules = rules_for("heads-up-hold-em", TODAY)
    assert f"{float(1 - side_result(GAMES[rules.game], rules, 'trips_plus').house_edge) * 100:.2f}" == "96.66"


SIX_CARD_ORDER = [name for name, game in GAMES.items() if any(n.name == "six-card-order" for n in game.chapter.notes)]


def six_card_rows() -> dict[str, int]:
    """In how many of all hands of six cards each row is satisfied, by the words of 653a.6(d): rows overlap."""
    classes = suit_classes(FULL, 6)
    suits = suit_masks(classes.hands)
    held = np.stack([(suits >> rank & 1).sum(axis=1) for rank in range(len(RANKS))], axis=1)
    runs = [1 << 12 | 0b1111, *(0b11111 << low for low in range(9))]

    def run(ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        return np.asarray(np.any([ranks & each == each for each in runs], axis=0))

    def suited(ranks: int) -> npt.NDArray[np.bool_]:
        return np.asarray(np.any(suits & ranks == ranks, axis=1))

    found = {
        "six_card_royal": suited(0b111111 << 7),
        "royal_flush": suited(0b11111 << 8),
        "straight_flush": np.any([run(each) for each in suits.T], axis=0),
        "four_of_a_kind": (held == 4).any(axis=1),
        "full_house": (held >= 3).any(axis=1) & ((held >= 2).sum(axis=1) >= 2),
        "flush": (np.bitwise_count(suits) >= 5).any(axis=1),
        "straight": run(np.bitwise_or.reduce(suits, axis=1)),
        "three_of_a_kind": (held >= 3).any(axis=1),
    }
    weights = classes.weights
    every = {row: int(weights[met].sum()) for row, met in found.items()}
    royals = {"six_card_royal_of_diamonds": 1, "six_card_royal": every["six_card_royal"] - 1}
    return {**every, **royals, "": int(weights[~np.any([*found.values()], axis=0)].sum())}


@pytest.mark.law("653a.6(d)", "653a.11(m)")
def test_six_card_hands_paid_row_by_row_would_hold_what_the_notes_say() -> None:
    """And paid once, at the highest row, what edge says: the notes have both, for every chapter and letter."""
    rows, hands = six_card_rows(), comb(52, 6)
    assert len(SIX_CARD_ORDER) == 5
    for name in SIX_CARD_ORDER:
        printed = [row for row in edge_rows(GAMES[name], TODAY, "six_card_bonus") if row["reading"] == "printed"]
        tables = {t.letter: t for t in in_force(GAMES[name].chapter.paytables, TODAY) if t.wager == "six_card_bonus"}
        otherwise = []
        for row in printed:
            pays = {label: odds for label, odds in tables[row["paytable"]].rows.items() if isinstance(odds, ToOne)}
            paid = sum((odds.rate * rows[label] for label, odds in pays.items()), Fraction(0))
            otherwise.append(100 * (rows[""] - paid) / hands)
        (note,) = (note for note in GAMES[name].chapter.notes if note.name == "six-card-order")
        said = [float(figure) for figure in re.findall(r"-?[0-9]+\.[0-9]{4}", note.text)]
        assert said == [round(float(hold), 4) for hold in (*otherwise, *(100 * row["house_edge"] for row in printed))]


def test_a_tie_that_loses_is_a_row_of_its_own() -> None:
    rows = [*edge_rows(GAMES["texas-hold-em-bonus"], TODAY, "main", "straight")]
    assert [(row["reading"], f"{100 * row['house_edge']:.4f}") for row in rows] == [
        ("printed", "2.0369"),
        ("tie-loses", "15.2401"),
    ]
