"""What seen cards are worth: against published figures, plain enumeration and a second way to count."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from pitboss.cards import RANKS, Card, Hand, parse_cards, rank_of
from pitboss.exact import solo
from pitboss.exact.backs import Backs, by_backs, read_backs
from pitboss.exact.board_folds import both_hands
from pitboss.exact.decks import SUITS, SmallDeck, suit_classes, suit_keys
from pitboss.exact.edge import MAIN, Variant, find_variant, main_result, rules_of_variant
from pitboss.exact.engine import solved_duel
from pitboss.exact.exposed import exposed, read_known
from pitboss.exact.facets import NotCountedError, facts_of, sides_of
from pitboss.exact.plan import ENDED
from pitboss.exact.protect import Knowledge, Protection, protect
from pitboss.exact.review import break_even, exposing, notice, overpaying, sparing
from pitboss.exact.rulelist import state_cells
from pitboss.exact.seen_card import seen_card
from pitboss.exact.several import facing_several
from pitboss.exact.side import side_result
from pitboss.exact.value import CELLS, option_nets, pay_grid, value
from pitboss.findings import UnreadableError
from pitboss.games.facts import Label, Versus
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.hands import batch
from pitboss.hands.orders import THREE_CARD
from pitboss.paper.say import percent
from pitboss.reports.protection import protection_paper, sheet_paper

DAY = date(2024, 6, 1)
SMALL = SmallDeck((0, 3, 9, 10, 11, 12))


def ruled(game: str, wager: str = MAIN, letter: str | None = None) -> tuple[Rules, Variant]:
    variant = find_variant(GAMES[game], DAY, wager, letter)
    assert variant is not None
    return rules_of_variant(GAMES[game], DAY, variant), variant


def known(game: str, words: str) -> Knowledge:
    rules, variant = ruled(game)
    (row,) = protect(GAMES[game], rules, variant, known=[read_known(GAMES[game], words.split())]).rows
    return row


def test_a_card_of_the_dealer_of_three_card_poker_as_printed() -> None:
    row = known("three-card-poker", "dealer=1")
    assert row.hits is not None
    assert (percent(row.expected_value), percent(row.hits)) == ("3.4829 %", "54.2203 %")
    assert row.deviation == pytest.approx(1.7417, abs=5e-5)
    assert row.desirability == pytest.approx(19.9966, abs=5e-4)


@pytest.mark.parametrize(
    ("game", "words", "printed"),
    [
        ("mississippi-stud", "community=1", "54.8660"),
        ("mississippi-stud", "community=3", "104.47"),
        ("let-it-ride", "community=2", "24.43"),
    ],
)
def test_cards_of_the_table_as_printed(game: str, words: str, printed: str) -> None:
    places = len(printed.partition(".")[2])
    assert percent(known(game, words).expected_value, places) == f"{printed} %"


def test_the_list_by_heart_for_a_seen_card() -> None:
    """Always against 2 to J; from Q-9-2, K-9-2 and A-9-2 on against queen, king and ace."""
    game, (rules, _) = GAMES["three-card-poker"], ruled("three-card-poker")
    assert game.duel is not None
    duel = replace(game.duel, up_card=True)
    counted = solved_duel(game.name, duel)
    grid = pay_grid(game, rules, counted, duel)
    scores = batch.evaluate(duel.order, counted.deck.cards[counted.kind_hands])[counted.kinds]
    needed = np.zeros(len(RANKS), np.int64)
    for rank, hand in (("Q", "Qc 9d 2h"), ("K", "Kc 9d 2h"), ("A", "Ac 9d 2h")):
        needed[RANKS.index(rank)] = THREE_CARD.score(parse_cards(hand))
    plays = scores >= needed[counted.ups // SUITS]
    forced = np.where(plays, grid.names.index("play"), grid.names.index("fold")).astype(np.uint8)
    listed = value(game, rules, counted, duel, forced).result.expected_value
    best = value(game, rules, counted, duel).result.expected_value
    assert 0 <= best - listed < Fraction(1, 10**5)
    learned = exposed(game, rules, read_known(game, ["dealer=1"])).by_heart
    assert learned is not None
    assert listed <= learned <= best


def test_backs_of_three_card_poker_as_printed() -> None:
    found = by_backs(GAMES["three-card-poker"], ruled("three-card-poker")[0], read_backs("QKA"), 1)
    assert percent(found.expected_value) == "1.8378 %"  # printed cut off: 1.837
    assert found.rules[0] == "1 of AKQ: play with K-8-5 or better."


def test_backs_of_let_it_ride_and_mississippi_stud_as_printed() -> None:
    """Of 38.489 % and 39.489 %, both in print for the jacks of Mississippi Stud, the second is a misprint."""
    for name, ranks, printed in (("let-it-ride", "T", "2.022 %"), ("mississippi-stud", "J", "38.489 %")):
        found = by_backs(GAMES[name], ruled(name)[0], read_backs(ranks))
        assert percent(found.expected_value, 3) == printed


def test_one_back_is_a_seen_card_with_its_ranks_merged() -> None:
    """The states of a card that lies face up, those of one hand and one class decided together."""
    game, (rules, _) = GAMES["three-card-poker"], ruled("three-card-poker")
    assert game.duel is not None
    duel, backs = replace(game.duel, up_card=True), read_backs("AK/Q2")
    counted = solved_duel(game.name, duel, SMALL)
    grid = pay_grid(game, rules, counted, duel)
    cells = state_cells(counted, slice(None)) * counted.weights.astype(np.int64)[:, None]
    worth = np.einsum("sx,scx->sc", cells, grid.nets[grid.fact_of_kind[counted.kinds]])
    classes = backs.of_rank[np.array(SMALL.ranks)[counted.ups // SUITS]]
    together: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for key, seen, row in zip(suit_keys(counted.hands).tolist(), classes.tolist(), worth.tolist(), strict=True):
        together[key, seen] = [old + more for old, more in zip(together[key, seen], row, strict=True)]
    best = Fraction(sum(map(max, together.values())), counted.deals * grid.unit)
    assert by_backs(game, rules, backs, 1, SMALL).expected_value == best


def test_one_known_card_is_counted_alike_in_two_ways() -> None:
    game, (rules, _) = GAMES["three-card-poker"], ruled("three-card-poker")
    assert game.duel is not None
    shown = exposed(game, rules, read_known(game, ["dealer=1"]), SMALL)
    several = facing_several(game, rules, game.duel, 1, SMALL, None)
    assert several.result.distribution == (shown.result and shown.result.distribution)
    assert [*several.by_cards.values()] == [*shown.by_card.values()][::-1]


@pytest.mark.parametrize(
    ("name", "ranks", "many"),
    [
        ("three-card-poker", (7, 10, 11, 12), 2),
        ("three-card-poker", (7, 10, 11, 12), 3),
        ("caribbean-stud", (0, 11, 12), 2),
        ("caribbean-stud", (0, 11, 12), 4),
    ],
)
def test_several_known_cards_by_plain_enumeration(name: str, ranks: tuple[int, ...], many: int) -> None:
    """Every deal of a small deck, decided by the player's hand and the known cards."""
    deck, game, (rules, _) = SmallDeck(ranks), GAMES[name], ruled(name)
    duel = game.duel
    assert duel is not None
    assert duel.qualifies is not None
    size = duel.player_cards
    hands = [*combinations(range(deck.size), size)]
    scores = {hand: duel.order.score(deck.hand(hand)) for hand in hands}
    nets = {}
    for hand in hands:
        facts = duel.facts(rules, deck.hand(hand))
        nets[hand] = [option_nets(game, rules, facts, choice) for choice in duel.options(rules, facts)]
    total = Fraction(0)
    for own in hands:
        worth: dict[tuple[int, ...], list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 2)
        for theirs in hands:
            if not {*own} & {*theirs}:
                cell = CELLS.index((scores[theirs] >= duel.qualifies, Versus.of(scores[own], scores[theirs])))
                for seen in combinations(theirs, many):
                    worth[seen] = [old + net[cell] for old, net in zip(worth[seen], nets[own], strict=True)]
        total += sum(map(max, worth.values()), Fraction(0))
    deals = comb(deck.size, size) * comb(deck.size - size, size) * comb(size, many)
    hidden = many - duel.up_card
    known_cards = read_known(game, [f"dealer={','.join(map(str, range(1, hidden + 1)))}"])
    assert exposed(game, rules, known_cards, deck).expected_value == total / deals


def test_the_best_list_tries_every_threshold() -> None:
    """Four ranks of Caribbean Stud, the up card and one other known or seen by their backs: each threshold tried."""
    deck, game, (rules, _) = SmallDeck((0, 6, 11, 12)), GAMES["caribbean-stud"], ruled("caribbean-stud")
    duel, backs = game.duel, read_backs("AK")
    assert duel is not None
    assert duel.qualifies is not None
    hands = [*combinations(range(deck.size), duel.player_cards)]
    scores = [duel.order.score(deck.hand(hand)) for hand in hands]
    masks = np.array([sum(1 << card for card in hand) for hand in hands])
    numbers = {hand: number for number, hand in enumerate(hands)}
    gains: dict[str, dict[object, dict[int, int]]] = {
        name: defaultdict(lambda: defaultdict(int)) for name in ("ranks", "backs", "count")
    }
    ranks = [deck.ranks[card // SUITS] for card in range(deck.size)]
    fold, classes = 0, suit_classes(deck, duel.player_cards)
    for each, weight in zip(classes.hands.tolist(), classes.weights.tolist(), strict=True):
        own = numbers[tuple(each)]
        mine, facts = scores[own], duel.facts(rules, deck.hand(each))
        bet, folded = (option_nets(game, rules, facts, choice) for choice in duel.options(rules, facts))
        for other in np.flatnonzero(masks & masks[own] == 0).tolist():
            cell = CELLS.index((scores[other] >= duel.qualifies, Versus.of(mine, scores[other])))
            gain, dealt = weight * int(bet[cell] - folded[cell]), [ranks[card] for card in hands[other]]
            high = sum(rank >= 11 for rank in dealt)
            fold += 20 * weight * int(folded[cell])
            for up, hidden in permutations(dealt, 2):
                gains["ranks"][min(up, hidden), max(up, hidden)][mine] += gain
                gains["backs"][up, high - (up >= 11)][mine] += gain
                gains["count"][high][mine] += gain

    def best(name: str) -> Fraction:
        total = fold
        for by_score in gains[name].values():
            total += max(
                sum(gain for score, gain in by_score.items() if score >= least) for least in [*by_score, 1 << 40]
            )
        return Fraction(total, 20 * comb(deck.size, 5) * comb(deck.size - 5, 5))

    known_cards = read_known(game, ["dealer=1"])
    assert exposed(game, rules, known_cards, deck).by_heart == best("ranks")
    found = by_backs(game, rules, backs, 4, deck)
    assert (found.by_heart, found.by_count) == (best("backs"), best("count"))


@pytest.mark.parametrize("name", ["mississippi-stud", "let-it-ride"])
def test_backs_of_the_table_by_plain_enumeration(name: str) -> None:
    """Every deal of a deck of four ranks; what a player knows is a dictionary key."""
    deck, game, (rules, _) = SmallDeck((8, 9, 10, 12)), GAMES[name], ruled(name)
    backs, structure = read_backs("TA"), solo.solo_of(game)
    counts = solo.count(structure, deck)
    plan = solo.plan_of(game, rules, counts)
    assert plan is not None
    hidden = structure.facet.cards - structure.own
    kind = {label: at for at, labels in enumerate(counts.kinds) for label in labels}
    ends: dict[frozenset[int], int] = {
        frozenset(each): kind[structure.facet.label(deck.hand(each))]
        for each in combinations(range(deck.size), structure.facet.cards)
    }
    # A history's worth by what is known, summed over deals: own cards, the cards turned up, and all classes.
    sums: dict[tuple[frozenset[int], tuple[int, ...], tuple[int, ...]], list[int]] = defaultdict(
        lambda: [0] * len(plan.finals)
    )
    ways: Mapping[object, int] = defaultdict(int)
    first = plan.steps[-1].seen - structure.own
    for own in combinations(range(deck.size), structure.own):
        rest = [place for place in range(deck.size) if place not in own]
        for order in permutations(rest, hidden):
            classes = tuple(int(backs.of_rank[deck.ranks[place // SUITS]]) for place in order)
            key = frozenset(own), order[:first], classes
            for final, net in enumerate(plan.nets[:, ends[frozenset((*own, *order))]].tolist()):
                sums[key][final] += net
            ways[key] += 1  # type: ignore[index]
    for place in reversed(range(len(plan.steps))):
        choosing = plan.steps[place]
        before: dict[object, list[int]] = {}
        after: dict[object, int] = defaultdict(int)
        less = plan.steps[place - 1].seen - structure.own if place else 0
        for key, worth in sums.items():
            own_cards, turned, classes = key
            best = [
                max(
                    int(choosing.ended[history, choice]) * ways[key]
                    if choosing.follows[history, choice] == ENDED
                    else worth[choosing.follows[history, choice]]
                    for choice in np.flatnonzero(choosing.legal[history])
                )
                for history in range(len(choosing.legal))
            ]
            smaller = own_cards, turned[:less], classes
            old = before.setdefault(smaller, [0] * len(best))
            before[smaller] = [one + other for one, other in zip(old, best, strict=True)]
            after[smaller] += ways[key]
        sums, ways = before, after  # type: ignore[assignment]
    total = sum(worth[0] for worth in sums.values())
    assert by_backs(game, rules, backs, None, deck).expected_value == Fraction(total, counts.deals * plan.unit)


@pytest.mark.parametrize("name", ["three-card-poker", "mississippi-stud"])
def test_backs_that_are_all_alike_are_worth_nothing(name: str) -> None:
    game, (rules, variant) = GAMES[name], ruled(name)
    normal = main_result(game, rules, variant.reading)
    alike = Backs((frozenset(range(len(RANKS))),))
    found = by_backs(game, rules, alike, 1)
    assert (found.expected_value, found.variance) == (normal.expected_value, normal.variance)


@pytest.mark.parametrize(("game", "wager"), [("three-card-poker", "pair_plus"), ("ultimate-texas-hold-em", "trips")])
def test_a_seen_card_weighs_as_the_wager_does(game: str, wager: str) -> None:
    rules, _ = ruled(game, wager)
    found = seen_card(GAMES[game], rules, wager, deck=SMALL)
    assert found.normal == side_result(GAMES[game], rules, wager, deck=SMALL).expected_value
    assert sum(found.share_of.values()) == 1


def test_a_seen_card_of_pair_plus_by_every_hand() -> None:
    game, (rules, _) = GAMES["three-card-poker"], ruled("three-card-poker", "pair_plus", "A")
    reads = game.lines.rules["pair_plus"].reads
    (name,) = [name for name in reads if isinstance(game.lines.facts.by_name[name], Label)]
    fact = game.lines.facts.by_name[name]
    assert isinstance(fact, Label)
    pays = {
        code[reads.index(name)]: pay
        for code, pay in game.lines.tabulate("pair_plus", rules).items()
        if not any(each is True for each in code)
    }
    found = seen_card(game, rules, "pair_plus")
    for rank in ("A", "7", "2"):
        card = Card(SUITS * RANKS.index(rank))
        hands: list[Hand] = [(card, *pair) for pair in combinations([Card(n) for n in range(52) if n != card], 2)]
        nets = [pay.per_unit() if (pay := pays[fact.facet.label(hand)]) else Fraction(0) for hand in hands]
        assert found.by_card[rank] == sum((net or 0 for net in nets), Fraction(0)) / len(hands)
        assert rank_of(card) == RANKS.index(rank)


def test_a_review_notices_at_the_rate_that_it_states() -> None:
    game, (rules, variant) = GAMES["three-card-poker"], ruled("three-card-poker")
    normal = main_result(game, rules, variant.reading).chances
    seen = exposed(game, rules, read_known(game, ["dealer=1"])).result
    assert seen is not None
    for scheme in (exposing(normal, seen.chances, 10), overpaying(normal, 20), sparing(normal, 20)):
        found = notice(normal, scheme, Fraction(1, 100), Fraction(9, 10))
        assert found is not None
        assert found.false_alarm == pytest.approx(0.01, rel=0.05)
        assert found.power == pytest.approx(0.9, rel=0.01)
    mixed = exposing(normal, seen.chances, 10).mean
    plain = sum((net * chance for net, chance in normal.items()), Fraction(0))
    assert mixed == (9 * plain + seen.expected_value) / 10
    every = break_even(plain, seen.expected_value)
    assert every is not None
    assert exposing(normal, seen.chances, every).mean >= 0 > exposing(normal, seen.chances, every + 1).mean


def test_the_documents_say_what_the_record_says() -> None:
    rules, variant = ruled("three-card-poker")
    found: Protection = protect(
        GAMES["three-card-poker"], rules, variant, backs=[read_backs("AKQ")], stakes=[1_000], rounds=50
    )
    paper, sheet = protection_paper(found), sheet_paper(found)
    listing = paper.listing("knowledge")
    at = [column.key for column in listing.columns].index("cost_1000")
    assert [row[at] for row in listing.rows] == [round(each.gain * 50_000) for each in found.rows]
    assert [passage.title for passage in sheet.passages] == [
        "Where to stand", "What to watch", "What it costs", "If it happens",
    ]  # fmt: skip
    assert any("649a.13(d)" in block.cites for block in sheet.passages[-1].blocks)  # type: ignore[union-attr]


@pytest.mark.parametrize("words", ["", "X", "AA", "A/", "23456789TJQKA"])
def test_backs_that_part_nothing_are_refused(words: str) -> None:
    with pytest.raises(UnreadableError, match="parts no ranks"):
        read_backs(words)


def test_protect_refuses_what_it_cannot_count_in_a_sentence() -> None:
    rules, variant = ruled("ultimate-texas-hold-em")
    with pytest.raises(NotCountedError, match="share the board"):
        protect(GAMES["ultimate-texas-hold-em"], rules, variant, backs=[read_backs("A")])


def test_losing_hands_of_the_bad_beat_bonus_as_printed() -> None:
    """Counts by How to the last deal; his table of 7500, 500, 50, 30, 20 and 9 holds 14.7868 %."""
    game = GAMES["ultimate-texas-hold-em"]
    facts = facts_of(game, [name for name in game.lines.rules["bad_beat"].reads if name != "folded"])
    sides = sides_of(facts)
    assert sides is not None
    found, deals = both_hands(game, sides)
    lost: dict[str, int] = defaultdict(int)
    for (versus, mine, theirs), count in found.items():
        lost["push" if versus == Versus.EQUAL else mine if versus == Versus.LOWER else theirs] += count
    printed = {
        "straight_flush": (10_300_592, 7500), "four_of_a_kind": (471_040_512, 500), "full_house": (8_435_225_376, 50),
        "flush": (19_434_208_592, 30), "straight": (18_271_076_976, 20), "three_of_a_kind": (64_049_759_448, 9),
        "two_pair": (399_099_149_640, -1), "pair": (1_366_512_556_968, -1), "high_card": (791_967_420_480, -1),
        "push": (113_130_263_816, -1),
    }  # fmt: skip
    assert dict(lost) == {name: count for name, (count, _) in printed.items()}
    assert deals == 2_781_381_002_400
    won = Fraction(sum(lost[name] * pay for name, (_, pay) in printed.items()), deals)
    assert percent(-won) == "14.7868 %"
