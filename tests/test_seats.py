"""Cards that other seats show, and the next card: against plain enumeration of small decks."""

from collections import defaultdict
from datetime import date
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, perm
from typing import Any

import numpy as np
import pytest

from pitboss.exact import seats, solo
from pitboss.exact.board_counts import board_of
from pitboss.exact.decks import SmallDeck, subsets_of, suit_classes
from pitboss.exact.duel import hand_scores
from pitboss.exact.edge import MAIN, find_variant, main_result, rules_of_variant
from pitboss.exact.engine import play_of, solved_duel
from pitboss.exact.facets import NotCountedError
from pitboss.exact.next_card import next_card
from pitboss.exact.plan import ENDED
from pitboss.exact.seat_pairs import seats_covariance
from pitboss.exact.seats import SharedCards, shared_cards
from pitboss.exact.seats_board import BoardGains
from pitboss.exact.value import CELLS, Valued, option_nets
from pitboss.findings import UnreadableError
from pitboss.games.facts import Versus
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.hands import batch

DAY = date(2024, 6, 1)


def ruled(game: str) -> Rules:
    variant = find_variant(GAMES[game], DAY, MAIN, None)
    assert variant is not None
    return rules_of_variant(GAMES[game], DAY, variant)


def test_one_other_seat_of_three_card_poker_by_plain_enumeration() -> None:
    deck, game, rules = SmallDeck((2, 10, 12)), GAMES["three-card-poker"], ruled("three-card-poker")
    duel = game.duel
    assert duel is not None
    assert duel.qualifies is not None
    hands = [*combinations(range(deck.size), 3)]
    masks = np.array([sum(1 << card for card in hand) for hand in hands])
    scores = [duel.order.score(deck.hand(hand)) for hand in hands]
    total, deals = Fraction(0), 0
    for own, mine in enumerate(scores):
        facts = duel.facts(rules, deck.hand(hands[own]))
        nets = [option_nets(game, rules, facts, choice) for choice in duel.options(rules, facts)]
        cells = np.array([CELLS.index((theirs >= duel.qualifies, Versus.of(mine, theirs))) for theirs in scores])
        for other in np.flatnonzero(masks & masks[own] == 0):
            counts = np.bincount(cells[masks & (masks[own] | masks[other]) == 0], minlength=len(CELLS)).tolist()
            total += max(sum(ways * net for ways, net in zip(counts, each, strict=True)) for each in nets)
            deals += sum(counts)
    found = shared_cards(game, rules, 2, deck=deck)
    assert (found.error, found.deals) == (None, deals)
    assert found.expected_value == total / deals


@pytest.mark.parametrize(
    ("name", "ranks", "together", "sample"),
    [
        ("three-card-poker", (2, 10, 11, 12), 3, 30),
        ("caribbean-stud", (0, 2, 5, 10, 11, 12), 2, 12),
        ("four-card-poker", (0, 2, 5, 8, 10, 12), 2, 10),
    ],
)
def test_a_sampled_deal_weighs_all_hands_of_the_dealer(
    name: str, ranks: tuple[int, ...], together: int, sample: int
) -> None:
    """The mean of a few sampled deals, each valued by hand: the gain over the choice of basic strategy."""
    deck, game, rules = SmallDeck(ranks), GAMES[name], ruled(name)
    duel = game.duel
    assert duel is not None
    size, hidden = duel.player_cards, duel.dealer_cards - duel.up_card
    scores = {
        tuple(hand): score
        for cards in {size, duel.dealer_cards}
        for hand, score in zip(
            subsets_of(deck.size, cards).tolist(), hand_scores(duel.order, deck, cards).tolist(), strict=True
        )
    }

    def worth_of(own: tuple[int, ...], gone: set[int], shown: tuple[int, ...]) -> list[Fraction]:
        facts = duel.facts(rules, deck.hand(own))
        nets = [option_nets(game, rules, facts, choice) for choice in duel.options(rules, facts)]
        left = [card for card in range(deck.size) if card not in gone]
        counts = dict.fromkeys(CELLS, 0)
        for rest in combinations(left, hidden):
            theirs = scores[tuple(sorted((*rest, *shown)))]
            counts[theirs >= (duel.qualifies or 0), Versus.of(scores[own], theirs)] += 1
        whole = sum(counts.values())
        return [
            sum((n * net for n, net in zip(counts.values(), each, strict=True)), Fraction(0)) / whole for each in nets
        ]

    (dealt,) = seats._dealt_out(deck, together * size + duel.up_card, sample, 7)
    gain = Fraction(0)
    for row in dealt.tolist():
        own, shown = tuple(sorted(row[:size])), tuple(row[-1:] if duel.up_card else [])
        basic, shared = worth_of(own, {*own, *shown}, shown), worth_of(own, {*row}, shown)
        gain += max(shared) - shared[basic.index(max(basic))]
    found = shared_cards(game, rules, together, sample, 7, deck)
    assert found.gain == gain / sample
    assert found.gain > 0


@pytest.mark.parametrize(("name", "together"), [("mississippi-stud", 4), ("let-it-ride", 3)])
def test_a_sampled_deal_weighs_every_order_of_the_board(name: str, together: int) -> None:
    """Two deals to the other seats for each class of own cards, every order of the board played through."""
    deck, game, rules = SmallDeck((0, 1, 2, 7, 11)), GAMES[name], ruled(name)
    structure = solo.solo_of(game)
    counts = solo.count(structure, deck, renamed=False)
    plan = solo.plan_of(game, rules, counts)
    assert plan is not None
    kind = {label: at for at, labels in enumerate(counts.kinds) for label in labels}
    turned = structure.facet.cards - structure.own

    named: dict[frozenset[int], int] = {}

    def best(own: tuple[int, ...], left: list[int], policy: dict[object, int] | None) -> tuple[int, dict[object, int]]:
        """Best play summed over all orders, or a policy's; and the choices taken."""
        sums = {}
        for order in permutations(left, turned):
            cards = frozenset((*own, *order))
            if cards not in named:
                named[cards] = kind[structure.facet.label(deck.hand(sorted(cards)))]
            sums[order] = plan.nets[:, named[cards]], 1
        taken: dict[object, int] = {}
        for place in reversed(range(len(plan.steps))):
            choosing = plan.steps[place]
            groups = defaultdict(list)
            for order, worth in sums.items():
                groups[order[: choosing.seen - structure.own]].append(worth)
            sums = {}
            for shown, each in groups.items():
                after, ways = np.sum([worth for worth, _ in each], axis=0), sum(ways for _, ways in each)
                values = []
                for history in range(len(choosing.legal)):
                    options = {
                        choice: int(choosing.ended[history, choice]) * ways
                        if choosing.follows[history, choice] == ENDED
                        else int(after[choosing.follows[history, choice]])
                        for choice in np.flatnonzero(choosing.legal[history]).tolist()
                    }
                    key = place, shown, history
                    pick = max(options, key=lambda choice: options[choice]) if policy is None else policy[key]
                    taken[key] = pick
                    values.append(options[pick])
                sums[shown] = np.array(values), ways
        (((worth, *_), _),) = sums.values()
        return int(worth), taken

    found = shared_cards(game, rules, together, 2, 3, deck)
    classes, total = suit_classes(deck, structure.own), 0
    for at, own in enumerate(classes.hands):
        left = np.setdiff1d(np.arange(deck.size), own)
        _, policy = best(tuple(own), left.tolist(), None)
        picks = left[
            np.random.default_rng((3, at)).random((2, len(left))).argsort(axis=1)[:, : (together - 1) * structure.own]
        ]
        gains = []
        for others in picks.tolist():
            rest = [card for card in left.tolist() if card not in others]
            gains.append(best(tuple(own), rest, None)[0] - best(tuple(own), rest, policy)[0])
        total += int(classes.weights[at]) * sum(gains)
    ways = perm(deck.size - together * structure.own, turned) * plan.unit
    assert found.gain == Fraction(total, 2 * int(classes.weights.sum()) * ways)
    assert found.gain > 0


def test_samples_agree_with_all_deals_to_the_other_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every own hand with every hand of one other seat: the mean of the gains, from which samples differ by chance."""
    deck, game, rules = SmallDeck((0, 4, 9, 10, 12)), GAMES["let-it-ride"], ruled("let-it-ride")
    whole: list[Fraction] = []
    sampled = seats._Classes.sampled

    def every(classes: seats._Classes, *given: Any) -> SharedCards:
        total = 0
        for own, weight in zip(classes.classes.hands, classes.classes.weights.tolist(), strict=True):
            left = np.setdiff1d(np.arange(deck.size, dtype=np.uint8), own)
            gains, _ = classes.gains(own, left[subsets_of(len(left), 3)])
            total += weight * int(gains.sum())
        ways = comb(deck.size, 3) * comb(deck.size - 3, 3) * classes.units[0]
        whole.append(Fraction(total, ways))
        return sampled(classes, *given)

    monkeypatch.setattr(seats._Classes, "sampled", every)
    found = [shared_cards(game, rules, 2, 1_500, seed, deck) for seed in range(1, 7)]
    apart = [float(each.gain - whole[0]) / (each.error or 0) for each in found]
    assert max(map(abs, apart)) < 4
    assert abs(sum(apart)) < 3 * len(apart) ** 0.5


@pytest.mark.parametrize("name", ["ultimate-texas-hold-em", "texas-hold-em-bonus"])
def test_a_sampled_hold_em_deal_weighs_every_board_and_every_hand_of_the_dealer(name: str) -> None:
    """Deals to one other seat beside one pair of own cards, each valued street by street from scores of whole hands."""
    deck, game, rules = SmallDeck((0, 4, 10, 11, 12)), GAMES[name], ruled(name)
    board = board_of(game)
    assert board is not None
    valuing = BoardGains.of(game, rules, board, deck)
    plan, kinds = valuing.plan, valuing.counts.kinds
    hands = subsets_of(deck.size, 7)
    scores = {frozenset(hand): score for hand, score in zip(
        hands.tolist(), batch.evaluate(board.order, deck.cards[hands]).tolist(), strict=True)}  # fmt: skip
    nets = plan.nets.reshape(len(plan.finals), len(kinds), len(CELLS))
    steps = {step.seen - 2: (place, step) for place, step in enumerate(plan.steps)}
    facets = dict(board.labels)

    def worth_of(own: list[int], gone: set[int], policy: dict[object, int] | None) -> tuple[int, dict[object, int]]:
        taken: dict[object, int] = {}
        left = [card for card in range(deck.size) if card not in gone]

        def decide(lying: frozenset[int], after: Any, ways: int) -> Any:
            if len(lying) not in steps:
                return after
            place, step = steps[len(lying)]
            values = []
            for history in range(len(step.legal)):
                worth = {
                    choice: int(step.ended[history, choice]) * ways
                    if step.follows[history, choice] == ENDED
                    else int(after[step.follows[history, choice]])
                    for choice in np.flatnonzero(step.legal[history]).tolist()
                }
                key = place, lying, history
                taken[key] = max(worth, key=lambda choice: worth[choice]) if policy is None else policy[key]
                values.append(worth[taken[key]])
            return np.array(values)

        def whole(lying: frozenset[int]) -> Any:
            mine = scores[lying | {*own}]
            names = {fact: facet.label(deck.hand(sorted({*lying, *own}))) for fact, facet in facets.items()}
            qualifies = board.qualifies is None or mine >= board.qualifies[1]
            kind = next(at for at, each in enumerate(kinds) if each == {**names, "qualifies": qualifies})
            counts = dict.fromkeys(CELLS, 0)
            for pair in combinations([card for card in left if card not in lying], 2):
                theirs = scores[lying | {*pair}]
                counts[board.qualifies is None or theirs >= board.qualifies[1], Versus.of(mine, theirs)] += 1
            return decide(lying, nets[:, kind] @ np.array([*counts.values()]), sum(counts.values()))

        boards = {lying: whole(lying) for lying in map(frozenset, combinations(left, 5))}
        ways = comb(len(left) - 5, 2)
        for size in (4, 3):
            ways *= len(left) - size
            less: dict[frozenset[int], Any] = {}
            for lying, each in boards.items():
                for card in lying:
                    less[lying - {card}] = less.get(lying - {card}, 0) + each
            boards = {lying: decide(lying, each, ways) for lying, each in less.items()}
        (value,) = decide(frozenset(), sum(boards.values()), ways * len(boards))
        return int(value), taken

    own = [5, 18]
    others = np.array([[0, 19], [4, 7]], np.uint8)
    usual, policy = worth_of(own, {*own}, None)
    gains = [
        worth_of(own, {*own, *other}, None)[0] - worth_of(own, {*own, *other}, policy)[0] for other in others.tolist()
    ]
    found, normal = valuing.of_class(np.array(own, np.uint8), others)
    assert normal == usual
    assert found.tolist() == gains
    assert max(gains) > 0


def test_what_is_not_counted_is_refused_in_a_sentence() -> None:
    with pytest.raises(NotCountedError, match="next card is worth is not counted in lunar-poker"):
        next_card(GAMES["lunar-poker"], ruled("lunar-poker"))
    with pytest.raises(UnreadableError, match="not by 9"):
        shared_cards(GAMES["three-card-poker"], ruled("three-card-poker"), 9)


@pytest.mark.parametrize("name", ["three-card-poker", "let-it-ride", "heads-up-hold-em"])
def test_the_next_card_averages_to_normal_play(name: str) -> None:
    game, rules = GAMES[name], ruled(name)
    found = next_card(game, rules)
    assert found.normal == main_result(game, rules, game.played).expected_value
    assert sum(found.by_card[card] * found.share_of[card] for card in found.by_card) == found.normal
    assert sum(found.share_of.values()) == 1


def test_the_next_card_by_plain_enumeration() -> None:
    """What three cards that hold an ace are worth on average, each as often as an ace is its first card."""
    deck, game, rules = SmallDeck((2, 10, 12)), GAMES["three-card-poker"], ruled("three-card-poker")
    played = play_of(game, rules, deck=deck)
    duel = game.duel
    assert duel is not None
    counted = solved_duel(game.name, duel, deck)
    assert played.deals == counted.deals
    assert duel.qualifies is not None
    hands = [*combinations(range(deck.size), 3)]
    scores = {hand: duel.order.score(deck.hand(hand)) for hand in hands}
    total, ways = Fraction(0), 0
    for own in hands:
        aces = sum(card >= deck.size - 4 for card in own)
        facts = duel.facts(rules, deck.hand(own))
        nets = [option_nets(game, rules, facts, choice) for choice in duel.options(rules, facts)]
        counts = dict.fromkeys(CELLS, 0)
        for theirs in hands:
            if not {*own} & {*theirs}:
                counts[scores[theirs] >= duel.qualifies, Versus.of(scores[own], scores[theirs])] += 1
        worth = max(
            sum((ways * net for ways, net in zip(counts.values(), each, strict=True)), Fraction(0)) for each in nets
        )
        total, ways = total + aces * worth / sum(counts.values()), ways + aces
    assert next_card(game, rules, deck).by_card["A"] == total / ways


def test_two_seats_of_a_small_deck_by_plain_enumeration() -> None:
    """Every dealer's hand with every two seats beside it, each with the main wagers and Pair Plus."""
    deck, game, rules = SmallDeck((2, 10, 12)), GAMES["three-card-poker"], ruled("three-card-poker")
    played, duel = play_of(game, rules, deck=deck), game.duel
    assert isinstance(played, Valued)
    assert duel is not None
    assert duel.qualifies is not None
    hands = [*combinations(range(deck.size), 3)]
    masks = np.array([sum(1 << card for card in hand) for hand in hands])
    scores = [duel.order.score(deck.hand(hand)) for hand in hands]
    pays, reads = game.lines.tabulate("pair_plus", rules), game.lines.rules["pair_plus"].reads
    facet = next(fact.facet for name, fact in game.lines.facts.labels.items() if name in reads)
    won = np.zeros((len(hands), len(hands)), object)
    for own, hand in enumerate(hands):
        facts = duel.facts(rules, deck.hand(hand))
        nets = [option_nets(game, rules, facts, choice) for choice in duel.options(rules, facts)]
        cells = [CELLS.index((theirs >= duel.qualifies, Versus.of(scores[own], theirs))) for theirs in scores]
        apart = np.flatnonzero(masks & masks[own] == 0)
        worth = [sum(each[cells[row]] for row in apart) for each in nets]
        pick = worth.index(max(worth))
        folds = [choice.name for choice in duel.options(rules, facts)][pick] == "fold"
        code = tuple(folds if name == "folded" else facet.label(deck.hand(hand)) for name in reads)
        pay = pays[code]
        side = Fraction(0) if pay is None else pay.per_unit() or Fraction(0)
        for row in apart:
            won[own, row] = 2 * nets[pick][cells[row]] + side
    first = product = Fraction(0)
    ways = pairs = 0
    for dealer in range(len(hands)):
        free = np.flatnonzero(masks & masks[dealer] == 0)
        for one in free:
            first, ways = first + won[one, dealer], ways + 1
            for other in free:
                if not masks[one] & masks[other]:
                    product, pairs = product + won[one, dealer] * won[other, dealer], pairs + 1
    mean = first / ways
    found = seats_covariance(game, rules, {"main": 2, "pair_plus": 1}, played, deck)
    assert found == product / pairs - mean**2
    assert found != 0


def test_two_seats_with_more_cards_are_not_counted_together() -> None:
    game, rules = GAMES["caribbean-stud"], ruled("caribbean-stud")
    with pytest.raises(NotCountedError, match="covariance of two seats is not counted"):
        seats_covariance(game, rules, {"main": 2500}, play_of(GAMES["three-card-poker"], ruled("three-card-poker")))  # type: ignore[arg-type]
