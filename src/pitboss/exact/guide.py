"""Lists to learn where cards are drawn, priced exactly: what they choose in every state, and what that costs.

A list says what to do first and, by the cards of the up card's rank that have been seen, whether to bet with what was
drawn. So nothing in it depends on pays: how its rounds end is counted once and valued with any pay table.
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from pitboss.exact.decks import Ints, Places, suit_classes, suit_masks
from pitboss.exact.draw import DUEL, FIVE, SIX, DrawCounts, DrawSolved, pays
from pitboss.exact.draw_kernels import AWAY, BUY, FREE, fact_code
from pitboss.exact.duel import SUITS
from pitboss.exact.redraw import AFTER
from pitboss.games.structure import Guide, Held, Keep

NEVER = 9
"""More cards of a rank than anybody can see."""
_RANKS = 13
_STRAIGHTS = (1 << 12 | 0b1111, *(0b11111 << low for low in range(9)))
_POP = np.array([mask.bit_count() for mask in range(1 << _RANKS)], np.int64)


class Glance:
    """The hands of five cards as a person looks at them."""

    def __init__(self, counts: DrawCounts) -> None:
        self.counts = counts
        self.hands = counts.deck.cards[counts.five_hands]
        self.ranks: Ints = (self.hands // SUITS).astype(np.int64)
        self.category = _category_of(counts.five_codes)[counts.five_facts]
        self.held = np.zeros((len(self.ranks), _RANKS), np.int64)
        np.add.at(self.held, (np.arange(len(self.ranks))[:, None], self.ranks), 1)
        often = self.held * (_RANKS + 1) + (self.held > 0) * np.arange(_RANKS)
        self.lead = often.argmax(axis=1)
        besides = self.held > 0
        besides[np.arange(len(besides)), self.lead] = False
        self.second = _RANKS - 1 - besides[:, ::-1].argmax(axis=1)
        masks = suit_masks(self.hands)
        every = np.bitwise_or.reduce(masks, axis=1)
        longest = _POP[masks].argmax(axis=1)
        self.own_suit = (self.hands % SUITS) == longest[:, None]
        self.suited = self.own_suit.sum(axis=1)
        alone = np.take_along_axis(masks, longest[:, None], axis=1)[:, 0]
        self.run = sum((alone & ~straight == 0).astype(np.int64) for straight in _STRAIGHTS)
        self.straight = np.zeros(len(every), np.int64)
        for rank in range(_RANKS):
            more = every | 1 << rank
            made = np.any([more & straight == straight for straight in _STRAIGHTS], axis=0)
            self.straight += made & (more != every)

    def against(self, up: int) -> Held:
        """What is seen against an up card of one rank."""
        looks = self.category, self.lead, self.second, self.suited, self.straight, self.run, self.held[:, up]
        return Held(DUEL.order.categories, *looks, up)

    @cached_property
    def discards(self) -> dict[Keep, Places]:
        """The cards given up, as a mask, by what is kept."""
        same = np.take_along_axis(self.held, self.ranks, axis=1) > 1
        kept = {Keep.SAME: same, Keep.SUITED: self.own_suit}
        masks = {keep: (~cards @ (1 << np.arange(FIVE))).astype(np.uint8) for keep, cards in kept.items()}
        highest = {keep: np.full(len(same), (1 << FIVE - many) - 1, np.uint8) for keep, many in _HIGHEST.items()}
        return masks | highest


_HIGHEST = {Keep.ONE: 1, Keep.TWO: 2}


def _category_of(codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.array([DUEL.order.categories.index(fact_code(int(code)).category) for code in codes], np.int64)


@dataclass(frozen=True)
class GuidePlay:
    """What a list does in every state, by rank of the up card and class."""

    forced: Places
    """The first choice of five cards, ``AWAY`` for an exchange, ``FREE`` where there is none."""
    picked: Places
    """The discards of those that exchange, as masks."""
    then: Places
    """From how many discards of the up card's rank on a final hand bets."""

    @cached_property
    def key(self) -> str:
        """A name for the exchanges and the bets after them."""
        return sha256(self.picked.tobytes() + self.then.tobytes()).hexdigest()[:24]


def played(guide: Guide, solved: DrawSolved) -> GuidePlay:
    """Follow a list through every state in which there is a choice."""
    counts, names = solved.counts, solved.names
    first = pays(solved.rules, counts.five_codes, DUEL.options)
    may = first.legal[:, first.names.index(AFTER[1])][counts.five_facts]
    glance, shape, coded = Glance(counts), counts.five_counts.shape, {"buy": BUY, "exchange": AWAY}
    forced = np.full(shape, FREE, np.uint8)
    picked, then = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for up in range(shape[0]):
        rank = counts.deck.ranks[up]
        sees, open_ = glance.against(rank), may.copy()
        for each in guide.first:
            now = open_ & each.fits(sees)
            open_ &= ~now
            forced[up, now] = coded[each.choice] if each.choice in coded else names.index(each.choice)
            if each.choice == "exchange":
                picked[up, now] = glance.discards[each.keep][now]
        assert not open_.any(), "the last sentence of a list fits every hand"
        then[up] = bets(guide, rank, glance.category, glance.held[:, rank])
    return GuidePlay(forced, picked, then)


def bets(guide: Guide, up: int, category: Ints, seen: Ints) -> Places:
    """How many more cards of the up card's rank a final hand needs for a bet."""
    needed = np.array([min(guide.bets_from(name, up), NEVER) for name in DUEL.order.categories], np.int64)[category]
    return np.where(needed == NEVER, NEVER, np.maximum(needed - seen, 0)).astype(np.uint8)


def after_buying(guide: Guide, counts: DrawCounts) -> Places:
    """What the list chooses with six cards, as places in ``AFTER``, by rank of the up card and class."""
    hands = suit_classes(counts.deck, SIX, fixed_suits=1).hands
    category = _category_of(counts.six_codes)[counts.six_facts]
    ranks = counts.deck.cards[hands] // SUITS
    rows = [bets(guide, rank, category, (ranks == rank).sum(axis=1)) for rank in counts.deck.ranks]
    return (np.stack(rows) > 0).astype(np.uint8)
