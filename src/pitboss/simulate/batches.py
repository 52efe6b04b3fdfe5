"""A batch: some consecutive rounds of a plan, as whole numbers that add up. Any process can compute any batch."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pitboss.meters import UNITS_PER_CENT
from pitboss.simulate import kernel
from pitboss.simulate.operations import TOGETHER, Codes
from pitboss.simulate.plan import Work
from pitboss.simulate.words import Bytes, Ints

CODES = 1 << 16
"""Codes that are held at a time: they stay in the processor's cache."""


@dataclass
class Batch:
    """What some rounds amounted to."""

    start: int
    rounds: int
    counts: Ints
    """By seat and code."""
    sums: list[int]
    """Of what each wager moved to the players over all seats, and last of all wagers together, in cents."""
    squares: list[int]
    """Of the same, round by round."""
    events: Ints
    """Numbers of the rounds in which a share of a meter was won."""
    house: "Sessions"
    player: "Sessions"


@dataclass
class Sessions:
    """Result and drawdown of each whole session in a batch, in units of 1/10,000 cent; empty where none are wanted.

    The house's result is what it wins less what it puts on the meters; shares of meters count as lost stakes.
    """

    results: Ints
    drawdowns: Ints


def no_sessions() -> Sessions:
    return Sessions(np.zeros(0, np.int64), np.zeros(0, np.int64))


Fill = Callable[[int, int, Codes], None]
"""What writes the codes of consecutive rounds: given a seed, the first round and room for them."""


def list_codes(work: Work, seed: int, start: int, count: int, fill: Fill | None = None) -> Codes:
    """The codes of consecutive rounds: by round, seat and group."""
    codes = np.zeros((count, work.seats, len(work.offsets)), np.uint16)
    (fill or work.program.play)(seed, start, codes)
    return codes


def list_nets(work: Work, seed: int, start: int, count: int, fill: Fill | None = None) -> tuple[Ints, Ints]:
    """What consecutive rounds moved to all players and to the first of them, shares of meters as lost stakes."""
    codes = list_codes(work, seed, start, count, fill)
    return weighed(work, codes, work.pays.nets)[0], weighed(work, codes, work.pays.first)[0]


def weighed(work: Work, codes: Codes, nets: Ints) -> tuple[Ints, Bytes]:
    """What each round moves by these nets, and whether it has a share of a meter."""
    moved, flagged = np.zeros(len(codes), np.int64), np.zeros(len(codes), np.uint8)
    kernel.count(codes, work.offsets, nets, work.pays.rare, np.zeros_like(nets), moved, flagged)
    return moved, flagged


def run_batch(work: Work, seed: int, start: int, count: int, session: int = 0, fill: Fill | None = None) -> Batch:
    """Play ``count`` rounds from number ``start`` on; sessions of ``session`` rounds begin at multiples of it."""
    pays, offsets = work.pays, work.offsets
    write = fill or work.program.play
    wagers = work.wagers
    counts = np.zeros(pays.nets.shape, np.int64)
    sums, squares = np.zeros(wagers + 1, np.int64), np.zeros((wagers + 1, 2), np.uint64)
    totals = np.zeros(wagers, np.int64)
    seats, facts = work.seats, len(offsets)
    block = max(1, CODES // (seats * facts * TOGETHER)) * TOGETHER
    codes = np.zeros((block, seats, facts), np.uint16)
    moved, flagged = np.zeros(block, np.int64), np.zeros(block, np.uint8)
    wanted = count if session else 0
    everybody, first = np.zeros(wanted, np.int64), np.zeros(wanted, np.int64)
    events = []
    for done in range(0, count, block):
        size = min(block, count - done)
        part = codes[:size]
        write(seed, start + done, part)
        kernel.count(part, offsets, pays.nets, pays.rare, counts, moved[:size], flagged[:size])
        kernel.add_moments(moved[:size], sums, squares, wagers)
        if work.several:
            kernel.add_wagers(part, pays.seats, pays.groups, pays.starts, pays.wagers, pays.pays, totals, sums, squares)
        if pays.any_rare:
            events.append(np.flatnonzero(flagged[:size]) + (start + done))
        if session:
            everybody[done : done + size] = moved[:size]
            first[done : done + size] = weighed(work, part, pays.first)[0]
    return Batch(
        start,
        count,
        counts,
        [int(value) for value in sums],
        [int(low) + (int(high) << 64) for low, high in squares],
        np.concatenate(events) if events else np.zeros(0, np.int64),
        sessions_of(-everybody * UNITS_PER_CENT - work.increment, session) if session else no_sessions(),
        sessions_of(first * UNITS_PER_CENT, session) if session else no_sessions(),
    )


def sessions_of(nets: Ints, session: int) -> Sessions:
    """Cut rounds into whole sessions; a drawdown is the largest fall from the best standing so far."""
    whole = len(nets) // session
    results, drawdowns = np.zeros(whole, np.int64), np.zeros(whole, np.int64)
    kernel.fall(nets, session, results, drawdowns)
    return Sessions(results, drawdowns)
