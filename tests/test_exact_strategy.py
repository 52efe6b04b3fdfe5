"""Strategy tables, rule lists and the analysis of one hand, against plain enumeration and published figures."""

import csv
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from pitboss.api import rules_for
from pitboss.cards import RANKS, Card, Hand, parse_card, parse_cards, rank_of, show_card
from pitboss.exact import strategy
from pitboss.exact.decks import SmallDeck
from pitboss.exact.duel import NO_UP, solve
from pitboss.exact.engine import duel_of, valued
from pitboss.exact.rulelist import RuleFinder, RuleList, duel_lists, state_cells, threshold_words
from pitboss.exact.strategy import analyse_duel, grouped_rows, write_table
from pitboss.exact.value import Valued, value
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game, Versus
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.rules import Rules
from pitboss.hands.orders import FOUR_CARD, LUNAR, ORDERS, THREE_CARD, RankOrder

from .book import book_of
from .naive import ANTE, main_net, wagers_of
from .states import given, strategy_rows

TODAY = date(2024, 6, 1)
DUELS = [name for name in GAMES if GAMES[name].duel is not None]
names = pytest.mark.parametrize("name", DUELS)


def ranks_of(name: str) -> tuple[int, ...]:
    """Ranks with which some dealers qualify and some do not, and other borders of a game occur."""
    return tuple(RANKS.index(rank) for rank in book_of(name)["small"])


@lru_cache
def table_of(name: str) -> tuple[Game, Rules]:
    return GAMES[name], rules_for(name, TODAY)


@lru_cache
def small(name: str) -> Valued:
    game, rules = table_of(name)
    duel = duel_of(game)
    return value(game, rules, solve(duel, SmallDeck(ranks_of(name))), duel)


@lru_cache
def full(name: str) -> Valued:
    return valued(*table_of(name))


@lru_cache
def full_lists(name: str) -> dict[str, RuleList]:
    return {each.name: each for each in duel_lists(table_of(name)[0], full(name))}


def decision(choice: str) -> Decision | None:
    verb, _, times = choice.partition(" ")
    if verb == "instant":
        return None
    return Decision(verb, int(times.removesuffix("x")) * ANTE if times else None)


def settled(rules: Rules, cards: Hand, dealer: Hand, made: Decision | None, then: str | None = None) -> Fraction:
    """The main game's result in Antes as the table settles it."""
    seat = Seat(1, cards, wagers_of(rules), decided(made, then))
    return main_net(rules, Round(dealer, (seat,)))


class Plain:
    """Every deal on a small deck, one by one; deals of one hand that compare alike are settled once."""

    def __init__(self, name: str) -> None:
        self.game, self.rules = table_of(name)
        self.duel = duel_of(self.game)
        self.deck = SmallDeck(ranks_of(name))
        self.cards = tuple(Card(int(card)) for card in self.deck.cards)
        hands = combinations(self.cards, self.duel.dealer_cards)
        self.scores = {hand: self.duel.order.best(hand)[0] for hand in hands}

    def states(self) -> Iterator[tuple[Hand, Card | None, list[tuple[object, int, Hand]]]]:
        """Player's cards, up card, and of each comparison with the dealer how often it occurs and one dealer's hand."""
        for cards in combinations(self.cards, self.duel.player_cards):
            own = self.duel.order.best(cards)[0]
            rest = [card for card in self.cards if card not in cards]
            for up in rest if self.duel.up_card else (None,):
                seen: dict[tuple[Versus, bool], tuple[int, Hand]] = {}
                for dealer in combinations(rest, self.duel.dealer_cards):
                    if up is None or up in dealer:
                        score = self.scores[dealer]
                        key = Versus.of(own, score), score >= (self.duel.qualifies or 0)
                        seen[key] = seen.get(key, (0,))[0] + 1, dealer
                yield cards, up, [(key, count, dealer) for key, (count, dealer) in seen.items()]

    def choice(self, followed: RuleList, cards: Hand, up: Card | None) -> str:
        """What the sentences of the list tell a player to do."""
        score = self.duel.order.best(cards)[0]
        if self.game.name == "lunar-poker" and LUNAR.category(score) in ("royal_flush", "straight_flush"):
            return "instant"
        place = 0
        if up is not None and len(followed.rules) > 1:
            place = self.deck.ranks.index(rank_of(up))
            if len(followed.rules) > len(self.deck.ranks):
                place = 2 * place + (rank_of(up) in map(rank_of, cards))
        rule = followed.rules[place]
        return next((each.choice for each in rule.thresholds if score >= each.score), rule.below)


def _suitless(cards: Hand) -> tuple[tuple[int, ...], ...]:
    """The same for hands that differ only by the names of suits; no deck here has a hand named after a suit."""
    return tuple(sorted(tuple(rank_of(card) for card in cards if card % 4 == suit) for suit in range(4)))


@names
def test_every_list_is_worth_what_plain_enumeration_of_its_sentences_gives(name: str) -> None:
    plain = Plain(name)
    lists = duel_lists(plain.game, small(name))
    totals, deals = [Fraction(0)] * len(lists), 0
    nets: dict[tuple[object, ...], Fraction] = {}
    for cards, up, compared in plain.states():
        deals += sum(count for _, count, _ in compared)
        for place, followed in enumerate(lists):
            choice = plain.choice(followed, cards, up)
            for versus, count, dealer in compared:
                key = (_suitless(cards), versus, choice)
                if key not in nets:
                    nets[key] = settled(plain.rules, cards, dealer, decision(choice))
                totals[place] += count * nets[key]
    assert deals == small(name).solved.deals
    assert [total / deals for total in totals] == [followed.expected_value for followed in lists]
    assert all(followed.cost >= 0 for followed in lists)


def test_no_other_single_threshold_is_better_in_three_card_poker() -> None:
    finder = RuleFinder(table_of("three-card-poker")[0], small("three-card-poker"))
    every = [given(finder, "", {"play": int(score)}) for score in finder.ladder.scores]
    found = finder.found(finder.splits[0])
    assert found.expected_value == max(each.expected_value for each in every)
    assert len({each.expected_value for each in every}) > 10


def test_no_other_pair_of_thresholds_is_better_in_four_card_frenzy() -> None:
    finder = RuleFinder(table_of("four-card-frenzy")[0], small("four-card-frenzy"))
    scores = sorted(set(finder.ladder.scores.tolist()))
    every = [
        given(finder, "", {"raise 1x": low, "raise 3x": high}).expected_value
        for place, low in enumerate(scores)
        for high in scores[place:]
    ]
    assert finder.found(finder.splits[0]).expected_value >= max(every)


@names
def test_a_finer_list_never_costs_more(name: str) -> None:
    lists = list(full_lists(name).values())
    always = [each.cost for each in lists if each.name.startswith("always")]
    found = [each for each in lists if not each.name.startswith("always")]
    whole, exact = found[::2], found[1::2]
    for coarse, fine in zip(whole, exact, strict=True):
        assert 0 <= fine.cost <= coarse.cost
    for steps in (whole, exact):
        costs = [each.cost for each in steps]
        assert costs == sorted(costs, reverse=True)
    assert exact[0].cost < min(always)
    assert len(found) == (6 if duel_of(GAMES[name]).up_card else 2)


@names
def test_lists_follow_the_rules_and_take_part_of_the_best_play(name: str) -> None:
    best = full(name)
    legal = best.grid.legal[best.grid.fact_of_kind]
    for followed in full_lists(name).values():
        assert legal[best.solved.kinds, followed.valued.picked].all()
        assert followed.best == best.result.expected_value
        assert followed.cost == best.result.expected_value - followed.expected_value


def test_three_card_poker_lists_reproduce_the_published_edges() -> None:
    lists = full_lists("three-card-poker")
    assert lists["exact thresholds"].sentences == ("Play with Q-6-4 or better; otherwise fold.",)
    assert lists["exact thresholds"].cost == 0
    assert lists["whole hands"].sentences == ("Play with queen high or better; otherwise fold.",)
    edges = {key: round(float(-lists[key].expected_value), 4) for key in ("whole hands", "always play", "always fold")}
    assert edges == {"whole hands": 0.0345, "always play": 0.0765, "always fold": 1.0}


def test_four_card_poker_simple_strategy_of_ko_and_how() -> None:
    """The published 3.40 % is the pamphlet's strategy, which also folds deuces; playing every pair costs more."""
    finder = RuleFinder(table_of("four-card-poker")[0], full("four-card-poker"))
    threes, tens = FOUR_CARD.at_least("pair", 1), FOUR_CARD.at_least("pair", 8)
    pamphlet = given(finder, "pamphlet", {"play 1x": threes, "play 3x": tens})
    every_pair = given(finder, "every pair", {"play 1x": FOUR_CARD.at_least("pair"), "play 3x": tens})
    assert pamphlet.sentences == full_lists("four-card-poker")["whole hands"].sentences
    assert every_pair.sentences == (
        "Play 3x with a pair of 10s or better; play 1x with any pair or better; otherwise fold.",
    )
    assert [round(float(-each.expected_value), 4) for each in (pamphlet, every_pair)] == [0.0340, 0.0354]


def test_four_card_frenzy_list_names_the_border_and_raises_three_with_aces() -> None:
    (sentence,) = full_lists("four-card-frenzy")["exact thresholds"].sentences
    assert sentence == "Raise 3x with a pair of aces or better; raise 1x with K-Q-8-4 or better; otherwise fold."
    assert "always raise 3x where allowed" in full_lists("four-card-frenzy")


def test_up_cards_that_are_played_alike_share_a_sentence() -> None:
    sentences = full_lists("four-card-poker")["whole hands by up card"].sentences
    assert sentences[-1].startswith("Dealer shows king or ace: play 3x with a pair of kings or better;")
    assert full_lists("lunar-poker")["whole hands by up card"].sentences == (
        "Bet with any pair or better; otherwise fold.",
    )


@pytest.mark.parametrize(
    ("order", "hand", "words"),
    [
        (THREE_CARD, "Qc 6d 4h", "Q-6-4"),
        (THREE_CARD, "Qc 3d 2h", "queen high"),
        (THREE_CARD, "Tc 6d 2h", "10-6"),
        (THREE_CARD, "5c 3d 2h", "any hand"),
        (FOUR_CARD, "Tc Td 3h 2s", "a pair of 10s"),
        (FOUR_CARD, "Tc Td Jh 5s", "a pair of 10s with J-5"),
        (FOUR_CARD, "2c 2d 4h 3s", "any pair"),
        (FOUR_CARD, "Kc Kd 2h 2s", "two pair, kings up"),
        (FOUR_CARD, "Kc Kd 4h 4s", "two pair, kings and 4s"),
        (FOUR_CARD, "6c 5d 4h 3s", "a straight, 6 high"),
        (LUNAR, "Ac Kd 4h 3s 2c", "ace-king"),
        (LUNAR, "Ac Kd Qh 3s 2c", "A-K-Q"),
        (LUNAR, "9c 9d 9h 3s 2c", "three 9s"),
    ],
)
def test_thresholds_are_named_with_the_kickers_they_need(order: RankOrder, hand: str, words: str) -> None:
    scores = sorted({order.score(cards) for cards in _samples(order)})
    assert threshold_words(order, order.score(parse_cards(hand)), scores) == words


@lru_cache
def _samples(order: RankOrder) -> tuple[Hand, ...]:
    """Hands of mixed suits with every multiset of ranks."""
    suits = {3: "cdh", 4: "cdhs", 5: "cdhsc"}[order.size]
    hands = set()
    for places in combinations(range(13 + order.size - 1), order.size):
        ranks = [place - shift for shift, place in enumerate(places)]
        cards = tuple(Card(4 * rank + "cdhs".index(suit)) for rank, suit in zip(ranks, suits, strict=True))
        if len(set(cards)) == order.size:
            hands.add(cards)
    return tuple(hands)


def test_samples_reach_the_lowest_hand_of_every_order() -> None:
    assert all(min(map(order.score, _samples(order))) >> 20 == 0 for order in ORDERS)


@names
def test_one_hand_is_worth_what_the_solved_table_says(name: str) -> None:
    game, rules = table_of(name)
    best = full(name)
    solved = best.solved
    random = np.random.default_rng(641)
    for state in random.choice(len(solved.kinds), 6, replace=False):
        suits = random.permutation(4)
        cards = tuple(_renamed(card, suits) for card in solved.deck.hand(solved.hands[state]))
        up = int(solved.ups[state])
        shown = None if up == NO_UP else _renamed(Card(int(solved.deck.cards[up])), suits)
        found = analyse_duel(game, rules, cards, shown, exchange=False)
        counted = state_cells(solved, slice(state, state + 1))[0]
        assert list(found.cells.values()) == counted.tolist()
        fact = best.grid.fact_of_kind[solved.kinds[state]]
        if name == "three-card-poker":  # a mini-royal of spades is not a mini-royal of hearts
            fact = next(row for row, each in enumerate(best.grid.facts) if each == duel_of(game).facts(rules, cards))
        for column, choice in enumerate(best.grid.names):
            assert (choice in found.values) == bool(best.grid.legal[fact, column])
            if choice in found.values:
                total = sum(int(n) * int(net) for n, net in zip(counted, best.grid.nets[fact, column], strict=True))
                assert found.values[choice] == Fraction(total, solved.dealer_hands * best.grid.unit)
        if "buy" not in found.values:
            assert found.best == best.grid.names[best.picked[state]]


def _renamed(card: Card, suits: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Card:
    return Card(card - card % 4 + int(suits[card % 4]))


@pytest.mark.law("671a.11(d)(1)(i)", "671a.11(d)(1)(ii)")
@pytest.mark.parametrize(
    ("ranks", "cards", "up", "discards"),
    [
        ((9, 10, 11, 12), "Ac Ad Kh Qs Jc", "Kd", ("Qs Jc", "Ac Ad Kh Qs Jc")),
        ((9, 10, 11, 12), "Ac Kc Qc Jd Jh", "As", ("Jd Jh Qc", "Ac Kc Qc Jd")),
        ((3, 5, 7, 9, 11, 12), "Jc Jd 9h 7h 5s", "5c", ("7h 5s",)),
        ((3, 5, 7, 9, 11, 12), "Kc Jh 9h 7h 5h", "7c", ("Kc Jh",)),
    ],
)
def test_drawing_is_worth_what_settling_every_draw_and_dealer_gives(
    ranks: tuple[int, ...], cards: str, up: str, discards: tuple[str, ...]
) -> None:
    game, rules = table_of("lunar-poker")
    deck = SmallDeck(ranks)
    held, shown = parse_cards(cards), parse_card(up)
    found = analyse_duel(game, rules, held, shown, deck)
    assert len(found.exchanges) == 26
    assert found.values["buy"] == _drawn(rules, deck, held, shown, ())
    for discard in discards:
        gone = tuple(card for card in held if card in parse_cards(discard))
        assert found.exchanges[gone] == _drawn(rules, deck, held, shown, gone)
    assert found.values["exchange"] == max(found.exchanges.values())
    assert (found.cells[False, Versus.LOWER] + found.cells[False, Versus.HIGHER] > 0) == (len(ranks) > 5)


def _drawn(rules: Rules, deck: SmallDeck, held: Hand, up: Card, discard: Hand) -> Fraction:
    """Buying (no discard) or exchanging: every draw, then the better of bet and fold over every dealer's hand."""
    unseen = [Card(int(card)) for card in deck.cards if card not in (*held, up)]
    dealers = {frozenset(rest): LUNAR.score((*rest, up)) for rest in combinations(unseen, 4)}
    values = []
    for drawn in combinations(unseen, len(discard) or 1):
        own = LUNAR.best((*(card for card in held if card not in discard), *drawn))[0]
        taken = frozenset(drawn)
        seen: dict[tuple[Versus, bool], tuple[int, Hand]] = {}
        for rest, score in dealers.items():
            if taken.isdisjoint(rest):
                key = Versus.of(own, score), score >= LUNAR.at_least("ace_king")
                seen[key] = seen.get(key, (0,))[0] + 1, (*rest, up)
        made = Decision("exchange" if discard else "buy", None, discard, drawn)
        worth = [
            sum(count * settled(rules, held, dealer, made, then) for count, dealer in seen.values())
            for then in ("bet", "fold")
        ]
        values.append(Fraction(max(worth), sum(count for count, _ in seen.values())))
    return sum(values, Fraction(0)) / len(values)


def test_an_instant_payout_leaves_nothing_to_choose() -> None:
    found = analyse_duel(*table_of("lunar-poker"), parse_cards("Tc Jc Qc Kc Ac"), parse_card("Kh"))
    assert list(found.values) == ["instant"] == [found.best]
    assert not found.exchanges


def test_a_choice_worth_as_much_as_the_best_is_reported() -> None:
    game, rules = table_of("four-card-poker")
    best = small("four-card-poker")
    tied = [row for row in strategy_rows(best) if row.ties]
    assert sum(row.weight for row in tied) == best.ties > 0
    for row in tied[:5]:
        assert all(row.values[name] == row.values[row.best] for name in row.ties)
        found = analyse_duel(game, rules, row.cards, row.up, best.solved.deck)
        assert (found.best, found.ties, found.values) == (row.best, row.ties, row.values)


@pytest.mark.parametrize(
    ("name", "cards", "up", "words"),
    [
        ("three-card-poker", "Qc 6d", None, "decides on 3 cards, not 2"),
        ("three-card-poker", "Qc 6d 4h", "As", "leave the up card out"),
        ("four-card-frenzy", "Qc 6d 4h 3s 2c", "As", "leave the up card out"),
        ("four-card-poker", "Qc 6d 4h 3s 2c", None, "name the up card"),
        ("lunar-poker", "Qc 6d 4h 3s 2c", None, "name the up card"),
        ("lunar-poker", "Qc 6d 4h 3s 2c", "6d", "6d is named twice"),
        ("four-card-frenzy", "Qc Qc 4h 3s 2c", None, "Qc is named twice"),
    ],
)
def test_cards_that_cannot_be_analysed_are_refused_with_a_sentence(
    name: str, cards: str, up: str | None, words: str
) -> None:
    with pytest.raises(UnreadableError, match=words):
        analyse_duel(*table_of(name), parse_cards(cards), parse_card(up) if up else None)


@pytest.mark.parametrize("name", [name for name in GAMES if "hands" in book_of(name)])
def test_published_values_of_single_hands(name: str) -> None:
    """Ours, rounded to the digits that were printed, is the published figure."""
    for each in book_of(name)["hands"]:
        cards, choice = parse_cards(each["cards"]), each["choice"]
        ours = analyse_duel(*table_of(name), cards, exchange=False).values[choice]
        assert round(ours, len(each["value"].partition(".")[2])) == Fraction(each["value"])


@names
def test_both_tables_add_up_to_the_value_of_the_game(name: str) -> None:
    game, rules = table_of(name)
    best = small(name)
    rows = list(strategy_rows(best))
    groups = list(grouped_rows(game, rules, best))
    assert [row.best for row in rows] == [best.grid.names[column] for column in best.picked]
    for weighed in (
        [(row.weight, row.values[row.best], max(row.values.values())) for row in rows],
        [(row.weight, row.values[row.best], row.values[row.best]) for row in groups],
    ):
        assert sum(weight for weight, _, _ in weighed) == best.solved.states
        assert all(taken == highest for _, taken, highest in weighed)
        total = sum((weight * taken for weight, taken, _ in weighed), Fraction(0))
        assert total / best.solved.states == best.result.expected_value
    assert len(groups) < len(rows)


def test_groups_say_where_equal_hands_are_played_differently() -> None:
    game, rules = table_of("four-card-frenzy")
    groups = list(grouped_rows(game, rules, full("four-card-frenzy")))
    played: dict[int, set[str]] = {}
    for row in groups:
        played.setdefault(FOUR_CARD.best(row.example)[0], set()).add(row.best)
    assert all(row.agree == (len(played[FOUR_CARD.best(row.example)[0]]) == 1) for row in groups)
    assert {row.best for row in groups if not row.agree} == {"raise 1x", "fold"}


@pytest.mark.parametrize("whole", [False, True])
def test_the_table_can_be_read_back(tmp_path: Path, whole: bool) -> None:
    game, rules = table_of("four-card-frenzy")
    best = small("four-card-frenzy")
    path = tmp_path / "table.csv"
    written = write_table(path, game, rules, best, full=whole)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == written == (len(best.solved.kinds) if whole else written)
    total = sum((int(row["weight"]) * Fraction(row[row["best"]]) for row in rows), Fraction(0))
    assert total / best.solved.states == best.result.expected_value
    assert all((row["raise 3x"] == "") == (row["raise 3x (decimal)"] == "") for row in rows)
    assert {row["raise 3x"] == "" for row in rows} == {True, False}


def test_the_full_table_has_the_rows_of_the_strategy(tmp_path: Path) -> None:
    for name in ("four-card-poker", "four-card-frenzy"):
        game, rules = table_of(name)
        write_table(tmp_path / name, game, rules, small(name), full=True)
        with (tmp_path / name).open(newline="", encoding="utf-8") as file:
            for line, row in zip(csv.DictReader(file), strategy_rows(small(name)), strict=True):
                assert (parse_cards(line["cards"]), line["best"]) == (row.cards, row.best)
                assert line["up"] == ("" if row.up is None else show_card(row.up))
                assert (int(line["weight"]), line["ties"]) == (row.weight, "; ".join(row.ties))
                exact = {choice: line[choice] for choice in small(name).grid.names if line[choice]}
                assert exact == {choice: str(worth) for choice, worth in row.values.items()}
                assert all(abs(float(line[f"{choice} (decimal)"]) - row.values[choice]) < 1e-9 for choice in exact)


def test_an_interrupted_table_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, rules = table_of("four-card-frenzy")
    rows = list(grouped_rows(game, rules, small("four-card-frenzy")))

    def interrupted(*_: object) -> Iterator[strategy.GroupRow]:
        yield from rows[:5]
        raise KeyboardInterrupt

    monkeypatch.setattr(strategy, "grouped_rows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_table(tmp_path / "table.csv", game, rules, small("four-card-frenzy"))
    assert list(tmp_path.iterdir()) == []
