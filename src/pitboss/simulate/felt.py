"""What compiled rounds are given: places of the cards, tables of hands and of decisions, all as plain arrays."""

from typing import NamedTuple

import numpy as np

from pitboss.simulate.words import Bytes, Entries, Flags, Ints, Rows, Scores, Words


class Hands(NamedTuple):
    """One evaluator as the kernels read it."""

    rows: Rows
    entries: Entries
    one_colour: Entries
    flushes: Entries
    bias: np.uint64


class Lookups(NamedTuple):
    """One table of decisions as the kernels read it."""

    first: Bytes
    keys: Words
    picks: Bytes
    mode: int
    ranks: np.uint64
    """Ranks that the up card can have; 1 where none is seen."""


class Draws(NamedTuple):
    """What only a game with a draw needs; empty tables elsewhere."""

    six: Hands
    after_buying: Lookups
    bet_from: Ints
    """After an exchange: the least share of unqualified dealers with which to bet."""
    second_of: Bytes
    """The second combination by fact code."""
    scores: Scores
    """Scores of all hands of five cards, by number."""


class Felt(NamedTuple):
    """A table laid out for play. A seat's codes are numbered through all groups; ``offsets`` says where each starts."""

    kind: int
    cards: int
    """How many cards the deal and all draws can take at most."""
    dealt: int
    """How many cards the deal itself takes."""
    own: Bytes
    """Places of each seat's cards in the deck."""
    dealer: Bytes
    dealer_five: Bytes
    extra: Bytes
    """Places of a card or cards dealt for all."""
    up: int
    antes: Flags
    """Seats that made an Ante Wager and decide."""
    folds: Flags
    """Choices that forfeit."""
    nobody: int
    """The choice of a seat that has nothing to decide."""
    active: Flags
    offsets: Ints
    qualifies: np.uint32
    """The least level with which the dealer plays."""
    positions: int
    """Seats of the table, among which and the dealer a position is selected."""
    numbers: Bytes
    """The seat number at each place of ``own``."""
    player: Hands
    dealer_hands: Hands
    five: Hands
    six: Hands
    choices: Lookups
    draws: Draws
