"""What a side wager is worth to a player who knows one card of the hand that it is paid on before betting.

The hand is one of those that hold the card, so the hands of each name are counted with that card fixed. A card that
makes the wager worth more than nothing is one to bet on; with every other the player leaves the wager alone.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from pitboss.cards import RANKS, Card, show_card
from pitboss.exact.cache import COUNTING_CODE, fingerprint, kept_figures
from pitboss.exact.decks import FULL, SUITS, SmallDeck, subsets_of, suit_classes
from pitboss.exact.facets import (
    LABELLING_CODE,
    LARGEST_LISTED,
    LineCounts,
    NotCountedError,
    code_of,
    facts_of,
    tally,
)
from pitboss.exact.side import STAKE, line_of, weigh_line
from pitboss.games.contract import Game
from pitboss.games.facts import Chosen, Label
from pitboss.games.rules import Rules
from pitboss.hands.facets import Facet
from pitboss.money import Cents
from pitboss.names import listed

SEEN_CODE = (*COUNTING_CODE, *LABELLING_CODE, "exact/seen_card.py")


@dataclass(frozen=True)
class SeenCards:
    """A side wager by the card that is known; equal cards are together."""

    wager: str
    letter: str
    cards: int
    """Of the hand that the wager is paid on."""
    normal: Fraction
    """The expected value without knowledge, per unit wagered."""
    by_card: dict[str, Fraction]
    """The expected value by card or rank, the best for the player first."""
    share_of: dict[str, Fraction]
    """How often each is the card that is known."""

    @property
    def worst(self) -> tuple[str, Fraction]:
        """The card that costs the house most."""
        return next(iter(self.by_card.items()))

    @property
    def worth_betting(self) -> Fraction:
        """The share of rounds in which the wager is worth more than nothing."""
        return sum((self.share_of[card] for card, worth in self.by_card.items() if worth > 0), Fraction(0))

    @property
    def per_round(self) -> Fraction:
        """What a player wins per round who bets only then, in units of one wager."""
        return sum((self.share_of[card] * worth for card, worth in self.by_card.items() if worth > 0), Fraction(0))

    @property
    def per_bet(self) -> Fraction:
        """The same per wager made."""
        return self.per_round / self.worth_betting if self.worth_betting else Fraction(0)

    def as_dict(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "paytable": self.letter,
            "expected_value": str(self.normal),
            "worst_card": self.worst[0],
            "expected_value_with_it": str(self.worst[1]),
            "worth_betting": float(self.worth_betting),
            "per_round": str(self.per_round),
            "per_bet": str(self.per_bet),
            "by_card": {card: str(worth) for card, worth in self.by_card.items()},
        }


def seen_card(game: Game, rules: Rules, wager: str, stake: Cents = STAKE, deck: SmallDeck = FULL) -> SeenCards:
    """The wager by one known card of its hand; nobody folds, and a meter's share counts as a lost stake."""
    line = line_of(game, wager)
    reads = game.lines.rules[line].reads
    facts = {name: fact for name, fact in facts_of(game, reads).items() if not isinstance(fact, Chosen)}
    if len(facts) != 1 or not isinstance(label := next(iter(facts.values())), Label):
        raise NotCountedError(f"What a seen card is worth to {line!r} of {game.name} is not counted.")
    ((name, _),) = facts.items()
    by_card: dict[str, Fraction] = {}
    shares: dict[str, Fraction] = {}
    for card, share, counts in _card_counts(label.facet, deck):
        codes: Counter[Any] = Counter({code_of(game, reads, {name: each}): n for each, n in counts.items()})
        paid = weigh_line(game, rules, LineCounts(line, reads, codes, sum(counts.values())), stake)
        by_card[card], shares[card] = paid.expected_value, share
    together: dict[tuple[str, Fraction], list[str]] = {}
    for card, worth in by_card.items():
        together.setdefault((card[0], worth), []).append(card)
    named = {_named(cards): (worth, sum((shares[card] for card in cards), Fraction(0)))
             for (_, worth), cards in together.items()}  # fmt: skip
    ordered = sorted(named.items(), key=lambda item: -item[1][0])
    mean = sum((worth * share for worth, share in named.values()), Fraction(0))
    table = weigh_line(game, rules, LineCounts(line, reads, {}, 1), stake)
    return SeenCards(
        wager, table.letter, label.facet.cards, mean,
        {card: worth for card, (worth, _) in ordered}, {card: share for card, (_, share) in ordered},
    )  # fmt: skip


def _named(cards: list[str]) -> str:
    """Cards of one rank that are worth the same: the rank alone if all are."""
    return cards[0][0] if len(cards) == SUITS or len(cards[0]) == 1 else listed(cards)


Counted = tuple[tuple[str, Fraction, dict[str, int]], ...]


@lru_cache(maxsize=32)
def _card_counts(facet: Facet, deck: SmallDeck) -> Counted:
    """By card, or by rank where suits are alike: how often it is the known one, and its hands by name."""
    if deck != FULL:
        return _count(facet, deck)
    key = fingerprint((facet.cards, facet.label.__name__), SEEN_CODE)
    found = kept_figures("seen", key, lambda: {"cards": [[c, str(s), n] for c, s, n in _count(facet, FULL)]})
    return tuple((card, Fraction(share), dict(names)) for card, share, names in found["cards"])


def _count(facet: Facet, deck: SmallDeck) -> Counted:
    if facet.cards <= LARGEST_LISTED:
        return tuple(_each_card(facet, deck))
    if facet.colours or facet.suited_from is not None:
        raise NotCountedError(f"A seen card is not counted for hands of {facet.cards} cards whose suit matters.")
    return tuple(_each_rank(facet, deck))


def _each_card(facet: Facet, deck: SmallDeck) -> Any:
    """Every card by itself, because the name may look at its suit."""
    hands = subsets_of(deck.size, facet.cards)
    for place in range(deck.size):
        found = tally(facet, deck, hands[(hands == place).any(axis=1)])
        yield (
            show_card(Card(int(deck.cards[place]))),
            Fraction(1, deck.size),
            {name: n for (_, name), n in found.items()},
        )


def _each_rank(facet: Facet, deck: SmallDeck) -> Any:
    """All suits are alike: a class with so many cards of a rank has one of them fixed so often."""
    classes = suit_classes(deck, facet.cards)
    ranks = classes.hands >> 2
    for at, rank in enumerate(deck.ranks):
        held = (ranks == at).sum(axis=1)
        rows = held > 0
        found = tally(facet, deck, classes.hands[rows], (classes.weights * held)[rows], classes=True)
        counts = {name: n // SUITS for (_, name), n in found.items()}
        assert sum(counts.values()) == comb(deck.size - 1, facet.cards - 1), "every hand that holds the card"
        yield RANKS[rank], Fraction(1, len(deck.ranks)), counts
