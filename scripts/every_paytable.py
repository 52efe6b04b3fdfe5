"""Every wager and pay table of all games: simulated mean against exact value, in standard errors.

    python scripts/every_paytable.py [ROUNDS] [SEED] [WORKERS] [GAME ...]

One run for each game, one seat with every wager; where cards can be drawn three times, by what players do, and where
chances differ by device once for each. A row is one letter and one reading. The last column of a row is how far the
mean lies from the exact value; the run fails if one lies more than four standard errors off. Afterwards one row of a
pay table of each game is made to pay one more than it should, and the same check must find it.
"""

import sys
from decimal import Decimal
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.simulate.letters import every_row, with_planted_error
from tests.simulate.plans import AS_OF, EXACT, GAME_STRATEGIES

from pitboss.api import rules_for
from pitboss.exact.edge import variants
from pitboss.games.registry import GAMES
from pitboss.games.rules import Choices, Rules
from pitboss.simulate.plan import every_wager, make_plan
from pitboss.simulate.runs import simulate
from pitboss.simulate.totals import Totals

MOST = 4


def main() -> int:
    given = dict(enumerate(sys.argv[1:]))
    rounds, seed, workers = int(Decimal(given.get(0, "1e8"))), int(given.get(1, "1")), int(given.get(2, "2"))
    worst, checked, missed = 0.0, 0, 0
    for name, strategy in GAME_STRATEGIES:
        if sys.argv[4:] and name not in sys.argv[4:]:
            continue
        for rules in by_device(name):
            plan = make_plan(rules, every_wager(rules, 1), strategy)
            start = perf_counter()
            totals = simulate(plan, rounds, seed, workers=workers)
            seconds = perf_counter() - start
            print(f"\n{name}, {strategy}: {rounds:,} rounds, seed {seed}, {workers} workers, {seconds:.0f} s")
            for row in every_row(totals):
                exact = "" if row.exact is None else f"{float(row.exact):+.7f}"
                z = "" if row.z is None else f"{row.z:+.2f}"
                print(f"  {row.wager:<26}{row.paytable:<6}{row.reading:<30}{float(row.mean):+.7f}  {exact:>11}  {z:>6}")
                if row.z is not None:
                    worst, checked = max(worst, abs(row.z)), checked + 1
            if strategy == EXACT[name]:
                missed += not found(totals)
    print(f"\n{checked} wagers and pay tables, largest |z| {worst:.2f}; planted errors missed: {missed}")
    return int(worst > MOST or missed > 0)


def by_device(name: str) -> list[Rules]:
    """The rules of a game with each device that has chances of its own, or with the usual one."""
    devices = GAMES[name].chapter.devices(AS_OF)
    differing = dict.fromkeys(each.reading for each in variants(GAMES[name], AS_OF) if each.reading in devices)
    return [rules_for(name, AS_OF, Choices(device=device)) for device in differing or devices[:1]]


def found(totals: Totals) -> bool:
    """Whether the check sees one changed row of a pay table."""
    right, wrong = with_planted_error(totals)
    print(f"  planted in {right.wager} {right.paytable}: z {wrong.z:+.1f}")
    return wrong.z is not None and abs(wrong.z) > MOST


if __name__ == "__main__":
    sys.exit(main())
