"""Best play of a game with a draw, laid out: by hand and up card, or state by state."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitboss.cards import RANKS, Card, show_card
from pitboss.exact.cache import Arrays, fingerprint, kept
from pitboss.exact.decks import Ints
from pitboss.exact.draw import DUEL, FIVE, GAME, DrawSolved, facts_of, pays
from pitboss.exact.draw_kernels import ABSENT, BUY
from pitboss.exact.draw_rows import drawing_result, exchanged, key_of, solved_states
from pitboss.exact.duel import SUITS, Progress
from pitboss.exact.edge import tables_behind
from pitboss.games.rules import Rules

EXCHANGE = "exchange"
Line = tuple[int, list[str]]


@dataclass(frozen=True)
class DrawTable:
    """How many pairs of hand and up card make each first choice, by hand in words and rank of the up card."""

    names: tuple[str, ...]
    """The choices; an exchange by how many cards it gives up."""
    hands: tuple[str, ...]
    """The lowest first."""
    ups: tuple[int, ...]
    pairs: Ints
    restriction: str = ""
    """What even this play leaves out, under pays that are not the law's."""

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(RANKS[rank].replace("T", "10") for rank in self.ups)

    @property
    def kinds(self) -> dict[str, Ints]:
        """Pairs by up card and choice for each kind of hand, the best first: all flushes are one, pairs go by rank."""
        found: dict[str, Ints] = {}
        for hand, made in zip(reversed(self.hands), self.pairs[::-1], strict=True):
            kind = hand.partition(",")[0]
            found[kind] = found[kind] + made if kind in found else made
        return found

    def lines(self) -> Iterator[Line]:
        """The rows of a file: hand, up card, pairs, the commonest choice, whether it is the only one, the shares."""
        for hand, up in np.ndindex(self.pairs.shape[:2]):
            made = self.pairs[hand, up]
            if weight := int(made.sum()):
                shares = [f"{int(count)}/{weight}" for count in made]
                only = "yes" if int(made.max()) == weight else "no"
                best = self.names[int(made.argmax())]
                yield weight, [self.hands[hand], self.columns[up], str(weight), best, only, *shares]


HEAD, FULL_HEAD = ("hand", "up", "weight", "best", "only"), ("cards", "up", "weight", "best", "discards")


def _choices(solved: DrawSolved) -> tuple[tuple[str, ...], Ints, Ints, str]:
    """Names of first choices, the smallest wager first; the choice and the discards as a mask; what is left out.

    Choices and discards are by rank of the up card and class; where the class holds the up card a choice is negative.
    """
    found, left_out = exchanged(solved)
    first = pays(solved.rules, solved.counts.five_codes, DUEL.options)
    staying = tuple(sorted(first.names, key=lambda name: first.wagered[first.names.index(name)]))
    names = (*staying, "buy", *(f"{EXCHANGE} {count}" for count in range(2, FIVE + 1)))
    place = np.zeros(256, np.int64)
    place[[*range(len(solved.names)), BUY]] = [*map(staying.index, solved.names), len(staying)]
    gone = np.array([mask.bit_count() for mask in range(1 << FIVE)])[found.picked]
    made = np.where(gone, len(staying) - 1 + gone, place[solved.picked])
    return names, np.where(solved.counts.five_counts == ABSENT, -1, made), found.picked.astype(np.int64), left_out


def draw_table(rules: Rules, progress: Progress | None = None) -> DrawTable:
    """The whole game by hand and up card; kept."""

    def make() -> tuple[Arrays, Mapping[str, Any]]:
        solved = solved_states(rules, progress)
        counts = solved.counts
        names, made, _, left_out = _choices(solved)
        scores, of_class = np.unique(facts_of(counts.deck.cards[counts.five_hands])[0], return_inverse=True)
        words = [DUEL.order.describe(int(score)) for score in scores]
        place = {hand: at for at, hand in enumerate(dict.fromkeys(words))}
        row = np.array([place[hand] for hand in words])[of_class.reshape(-1)]
        pairs = np.zeros((len(place), len(counts.deck.ranks), len(names)), np.int64)
        for up in range(len(counts.deck.ranks)):
            there = made[up] >= 0
            np.add.at(pairs, (row[there], up, made[up][there]), SUITS * counts.five_weights[there])
        return {"pairs": pairs}, {"names": list(names), "hands": list(place), "left_out": left_out}

    # Exchanges may be solved at any time under pays that are not the law's.
    solved_for = drawing_result(rules, GAME.readings[0], progress)[1]
    key = fingerprint(key_of(rules, solved_for, tables_behind(GAME, rules)), ("exact/draw_table.py",))
    arrays, figures = kept(f"{GAME.name}-table", key, make)
    names, hands = tuple(figures["names"]), tuple(figures["hands"])
    return DrawTable(names, hands, tuple(range(len(RANKS))), np.asarray(arrays["pairs"]), figures["left_out"])


def state_lines(rules: Rules, progress: Progress | None = None) -> Iterator[Line]:
    """Every state with its first choice, states that differ in the names of suits as one."""
    solved = solved_states(rules, progress)
    counts = solved.counts
    names, made, gone, _ = _choices(solved)
    named = [show_card(Card(int(card))) for card in counts.deck.cards]
    hands, weights = counts.five_hands.tolist(), counts.five_weights.tolist()
    for up in range(len(counts.deck.ranks)):
        rows = zip(hands, weights, made[up].tolist(), gone[up].tolist(), strict=True)
        for cards, weight, choice, mask in rows:
            if choice >= 0:
                given = " ".join(named[card] for place, card in enumerate(cards) if mask >> place & 1)
                shown = " ".join(named[card] for card in cards)
                yield SUITS * weight, [shown, named[SUITS * up], str(SUITS * weight), names[choice], given]
