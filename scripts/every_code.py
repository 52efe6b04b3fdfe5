"""Compiled rounds against the scalar rules: every outcome code of a million random deals of each game.

    python scripts/every_code.py --deals 1000000 --workers 2

One seat with every wager, by the optimal strategy; where cards can be drawn also without exchanges and without any
draw. Every deal is dealt, decided and named by the game's own rules and must give the codes that the compiled round
gave; of every hundredth the amounts are compared too. ``--workers`` is the number of processes.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.simulate.plans import GAME_STRATEGIES, plan_of

from pitboss.simulate.batches import list_codes, list_nets
from pitboss.simulate.scalar import ScalarTable, fixed_net
from scripts.common import Figures, arguments

CHUNK = 5_000
SETTLED = 100
"""One round in so many is settled too."""


@lru_cache
def _table(game: str, strategy: str) -> ScalarTable:
    return ScalarTable(plan_of(game, 1, strategy, magic=True))


def wrong(game: str, strategy: str, seed: int, start: int, count: int) -> list[int]:
    """Numbers of the rounds in which the compiled round and the rules differ."""
    table = _table(game, strategy)
    work = table.plan.work
    codes = list_codes(work, seed, start, count).tolist()
    nets = list_nets(work, seed, start, count)[0].tolist()
    found = []
    for place in range(count):
        played = table.play(seed, start + place)
        same = table.codes(played) == codes[place]
        if place % SETTLED == 0:
            same &= fixed_net(table.settle(played, table.plan.meters())) == nets[place]
        if not same:
            found.append(start + place)
    return found


def measure(deals: int, workers: int, seed: int = 1) -> Figures:
    figures = Figures("Outcome codes of compiled rounds and of the rules")
    ways = Counter(game for game, _ in GAME_STRATEGIES)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for game, strategy in GAME_STRATEGIES:
            each = list(_chunks(deals // ways[game]))
            lists = pool.map(wrong, *zip(*((game, strategy, seed, *chunk) for chunk in each), strict=True))
            numbers = [number for found in lists for number in found]
            figures.violations += [f"{game}, {strategy}: round {number} of seed {seed}" for number in numbers]
            figures.add(f"{game}, {strategy}: deals", sum(count for _, count in each))
            figures.add(f"{game}, {strategy}: with other codes", len(numbers))
    return figures


def _chunks(deals: int) -> Iterator[tuple[int, int]]:
    for start in range(0, deals, CHUNK):
        yield start, min(CHUNK, deals - start)


if __name__ == "__main__":
    given = arguments(__doc__, deals=(1_000_000, 3_000), workers=(2, 2))
    sys.exit(measure(given.deals, given.workers, given.seed).show())
