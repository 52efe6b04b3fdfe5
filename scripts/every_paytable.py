"""Every wager and pay table of all games: simulated mean against exact value, in standard errors.

    python scripts/every_paytable.py [ROUNDS] [SEED] [WORKERS]

One run for each game, one seat with every wager; Lunar Poker three times, by what players do: fold or bet, also buy a
sixth card, also exchange. A row is one letter and one reading. The last column of a row is how far the mean lies from
the exact value; the run fails if one lies more than four standard errors off. Afterwards one row of a pay
table of each game is made to pay one more than it should, and the same check must find it.
"""

import sys
from datetime import date
from decimal import Decimal
from time import perf_counter

from pitboss.api import rules_for
from pitboss.exact.whatif import changed_rules
from pitboss.games.registry import GAMES
from pitboss.games.structure import PRINTED
from pitboss.law.odds import ToOne
from pitboss.simulate.letters import every_row
from pitboss.simulate.plan import every_wager, make_plan
from pitboss.simulate.runs import simulate
from pitboss.simulate.totals import Totals

AS_OF = date(2024, 6, 1)
MOST = 4
PLANTED = {
    "three-card-poker": ("pair_plus", "straight"),
    "four-card-poker": ("aces_up", "flush"),
    "four-card-frenzy": ("all_six", "flush"),
    "lunar-poker": ("super", "three_of_a_kind"),
}
"""A row of each game that pays one more than it should when the check itself is checked."""


def main() -> int:
    given = dict(enumerate(sys.argv[1:]))
    rounds, seed, workers = int(Decimal(given.get(0, "1e8"))), int(given.get(1, "1")), int(given.get(2, "2"))
    worst, checked, missed = 0.0, 0, 0
    for name in GAMES:
        strategies = ("no-draw", "no-exchange", "optimal") if name == "lunar-poker" else ("optimal",)
        for strategy in strategies:
            rules = rules_for(name, AS_OF)
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
            if strategy in ("optimal", "no-draw"):
                missed += not found(totals, name)
    print(f"\n{checked} wagers and pay tables, largest |z| {worst:.2f}; planted errors missed: {missed}")
    return int(worst > MOST or missed > 0)


def found(totals: Totals, name: str) -> bool:
    """Whether the check sees one changed row of a pay table."""
    table, planted = PLANTED[name]
    rules = totals.plan.rules
    letter, odds = rules.tables[table].letter, rules.tables[table].rows[planted]
    assert isinstance(odds, ToOne)
    changed = changed_rules(rules, table, [f"{planted}={odds.rate + 1}"])
    for row in every_row(totals, changed):
        if (row.wager, row.paytable, row.reading) == (table, letter, PRINTED):
            paid = changed.tables[table].rows[planted]
            print(f"  planted: {table} {letter} pays a {planted} {paid}, not {odds}: z {row.z:+.1f}")
            return row.z is not None and abs(row.z) > MOST
    return False


if __name__ == "__main__":
    sys.exit(main())
