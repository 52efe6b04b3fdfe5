"""Lists to learn for players who see cards: against plain play of every deal, and beside best play."""

from datetime import date
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from pitboss.cards import RANKS
from pitboss.exact import several, solo
from pitboss.exact.board_ahead import played_ahead
from pitboss.exact.board_counts import board_of
from pitboss.exact.decks import FULL, SUITS, SmallDeck, suit_classes
from pitboss.exact.edge import MAIN, edge_figures, find_variant, main_result, rules_of_variant
from pitboss.exact.exposed import read_known
from pitboss.exact.facets import NotCountedError
from pitboss.exact.learned import list_prices
from pitboss.exact.protect import protect
from pitboss.exact.shared_lists import SampledDeals, dealt_out, glimpsed, played_shared
from pitboss.exact.value import net_of
from pitboss.games.facts import Versus
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.structure import Ahead, Glimpse
from pitboss.reports.protection import protection_paper

DAY = date(2024, 6, 1)


def ruled(game: str) -> Rules:
    variant = find_variant(GAMES[game], DAY, MAIN, None)
    assert variant is not None
    return rules_of_variant(GAMES[game], DAY, variant)


def test_printed_lists_against_one_card_are_the_best_play() -> None:
    game = GAMES["three-card-poker"]
    card, face = list_prices(game, ruled(game.name))
    assert (card.expected_value, card.cost) == (Fraction(443162, 12724075), Fraction(0))
    assert (face.sees, face.cost) == ("backs=KQJ/A*1", Fraction(0))
    assert card.sentences[0] == "Against Q: play with Q-9 or better, otherwise fold."


@pytest.mark.parametrize(
    ("name", "many"),
    [("caribbean-stud", 3), ("caribbean-stud", 4), ("crazy-4-poker", 3), ("four-card-poker", 2)],
)
def test_groups_of_hands_count_as_hands_told_apart_do(name: str, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushes open and closed on a deck of six ranks: the same result where every suit is told apart."""
    game, rules, deck = GAMES[name], ruled(name), SmallDeck((0, 3, 8, 10, 11, 12))
    assert game.duel is not None
    grouped = several.facing_several(game, rules, game.duel, many, deck, None)
    monkeypatch.setattr(several, "_told_apart", lambda *_: (SUITS, SUITS))
    apart = several.facing_several(game, rules, game.duel, many, deck, None)
    assert grouped.result.distribution == apart.result.distribution
    assert grouped.result.choices == apart.result.choices
    assert (grouped.by_cards, grouped.by_heart) == (apart.by_cards, apart.by_heart)


def test_a_list_that_plays_when_ahead_by_every_deal() -> None:
    """All deals of three ranks, own cards up to the names of suits; ties and both ways to end a decision occur."""
    game, rules, deck = GAMES["ultimate-texas-hold-em"], ruled("ultimate-texas-hold-em"), SmallDeck((8, 10, 12))
    board, (learned,) = board_of(game), [each for each in game.learned if each.sees == "dealer=1,2"]
    steps = {step: each for step, each in learned.play.items() if isinstance(each, Ahead)}  # type: ignore[union-attr]
    assert board is not None
    assert board.qualifies is not None
    (reaches, least), asked = board.qualifies, {step.name: step for step in game.course.weighed}

    def laid(**names: str) -> object:
        chosen = {step: next(c for c in asked[step].choices(rules) if c.name == name) for step, name in names.items()}
        return game.outlay(rules, chosen)

    ends = [
        laid(preflop="play 4x"),
        laid(preflop="check", flop="play"),
        laid(preflop="check", flop="check", river="play"),
        laid(preflop="check", flop="check", river="fold"),
    ]

    @cache
    def score(cards: tuple[int, ...]) -> int:
        return board.order.best(deck.hand(cards))[0]

    @cache
    def net(end: int, mine: tuple[int, ...], theirs: tuple[int, ...]) -> Fraction:
        one, other = score(mine), score(theirs)
        names = {name: facet.label(deck.hand(mine)) for name, facet in board.labels}
        facts = {**names, board.compare: Versus.of(one, other), reaches: other >= least}
        return net_of(game, rules, ends[end], facts)  # type: ignore[arg-type]

    def two(cards: tuple[int, ...]) -> tuple[bool, int, int]:
        low, high = sorted(card // SUITS for card in cards)
        return low == high, high, low

    def joined(*parts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(card for part in parts for card in part))

    total, classes = Fraction(0), suit_classes(deck, 2)
    for own, weight in zip(map(tuple, classes.hands.tolist()), classes.weights.tolist(), strict=True):
        rest = [card for card in range(deck.size) if card not in own]
        for theirs in combinations(rest, 2):
            for lying in combinations([card for card in rest if card not in theirs], board.cards):
                mine, other = joined(own, lying), joined(theirs, lying)
                late = 2 if score(mine) >= score(other) else 3
                for flop in combinations(lying, 3):
                    ahead = score(joined(own, flop)) > score(joined(theirs, flop))
                    end = 0 if two(own) > two(theirs) else 1 if ahead else late
                    total += weight * net(end, mine, other)
    deals = comb(12, 2) * comb(10, 2) * comb(8, 5) * comb(5, 3)
    found = played_ahead(game, rules, steps, deck)
    assert found.expected_value == total / deals
    assert sum(found.choices.values()) == 1


def test_a_list_for_shared_cards_plays_each_deal_as_its_sentences_say() -> None:
    """Some deals by the game's own pays: what is seen, what is chosen and every last card, one after the other."""
    game, rules, deals = GAMES["mississippi-stud"], ruled("mississippi-stud"), 40
    (learned,) = game.learned
    steps: Any = learned.play
    normal, structure = solo.valued(game, rules), solo.solo_of(game)
    table = SampledDeals(normal, steps, 6)
    cards = dealt_out((3, 0), deals, 14)
    won = table._won(cards, listed=True)
    assert len({tuple(row) for row in cards.tolist()}) == deals
    assert all(len({*row}) == 14 for row in cards.tolist())
    for row, dealt in enumerate(cards.tolist()):
        hand, chosen = [*dealt[:2], *dealt[12:]], {}
        for step, many in zip(game.course.weighed, structure.seen, strict=True):
            seen = plain_glimpse(hand[:many], dealt[2:12])
            name = next(each.choice for each in steps[step.name] if each.fits(seen).all())
            chosen[step.name] = next(each for each in step.choices(rules) if each.name == name)
            if name == "fold":
                break
        laid, left = game.outlay(rules, chosen), [card for card in range(FULL.size) if card not in dealt]
        nets = [
            net_of(game, rules, laid, {structure.fact: structure.facet.label(FULL.hand(sorted([*hand, last])))})
            for last in left
        ]
        assert won[row] == sum(nets) * normal.plan.unit


def plain_glimpse(hand: list[int], others: list[int]) -> Glimpse:
    """What one player sees, counted card by card."""
    ranks, gone = [card // SUITS for card in hand], {*hand, *others}
    left = [sum(SUITS * rank + suit not in gone for suit in range(SUITS)) for rank in range(len(RANKS))]
    runs = [{12, 0, 1, 2, 3}, *(set(range(low, low + 5)) for low in range(9))]
    short = [rank for rank in range(13) if rank not in ranks and any(run <= {*ranks, rank} for run in runs)]
    suits = {card % SUITS for card in hand}
    suit = suits.pop()
    flush = 0 if suits else sum(SUITS * rank + suit not in gone for rank in range(13))
    apart = [high - low for low, high in zip(sorted(ranks), sorted(ranks)[1:], strict=False)]
    return Glimpse(
        held=np.array([[ranks.count(rank) for rank in range(13)]]),
        left=np.array([left]),
        suited=np.array([not suits]),
        flush=np.array([flush]),
        straight=np.array([sum(left[rank] for rank in short)]),
        ranks_short=np.array([len(short)]),
        span=np.array([99 if 0 in apart else max(apart)]),
    )


def test_what_is_glimpsed_is_what_one_counts() -> None:
    cards = dealt_out((5, 0), 300, 14)
    hands = np.concatenate([cards[:, :2], cards[:, 12:]], axis=1)
    seen = glimpsed(hands, cards[:, 2:12])
    for row, (hand, others) in enumerate(zip(hands.tolist(), cards[:, 2:12].tolist(), strict=True)):
        for name, value in vars(plain_glimpse(hand, others)).items():
            assert (getattr(seen, name)[row] == value[0]).all(), name


def test_a_list_for_shared_cards_is_priced_within_its_error() -> None:
    """How prints about +0.5 %; the sample is the same for any number of threads."""
    game, rules = GAMES["mississippi-stud"], ruled("mississippi-stud")
    steps = game.learned[0].play
    found = played_shared(game, rules, steps, 6, 100_000)  # type: ignore[arg-type]
    assert abs(float(found.expected_value) - 0.005) < 3 * found.error < 0.02
    assert found.expected_value > main_result(game, rules, "printed").expected_value


def test_protect_shows_the_lists_for_what_is_asked() -> None:
    game, rules = GAMES["three-card-poker"], ruled("three-card-poker")
    variant = find_variant(game, DAY, MAIN, None)
    assert variant is not None
    found = protect(game, rules, variant)
    assert [each.sees for each in found.lists] == ["dealer=1"]
    every = protect(game, rules, variant, lists=True)
    assert [each["known"] for each in every.as_dict()["lists"]] == ["dealer=1", "backs=KQJ/A*1"]
    listing = protection_paper(every).listing("lists")
    at = [column.key for column in listing.columns].index("cost")
    assert [row[at] for row in listing.rows] == [0, 0]


def test_pay_tables_that_look_at_a_suit_are_left_out_beside_others() -> None:
    game, known, refused = GAMES["three-card-poker"], read_known(GAMES["three-card-poker"], ["dealer=1,2"]), list[str]()
    letters = [each.letter for each in edge_figures(game, DAY, MAIN, reading="printed", known=known, refused=refused)]
    assert "A" in letters
    assert len(refused) == 2
    assert all(each.startswith("Ante Bonus c:") and "A suit changes" in each for each in refused)
    with pytest.raises(NotCountedError, match="A suit changes"):
        list(edge_figures(game, DAY, MAIN, "c:A", known=known, refused=[]))
