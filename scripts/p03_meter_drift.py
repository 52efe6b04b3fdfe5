"""P3: a meter is its seed, plus what was added, less what it paid: no unit lost in a million wagers at 13.37 %.

    python scripts/p03_meter_drift.py --wagers 1000000

Three counts are compared: ``Meter`` step by step, the entries of events stored in a ledger (value, and fold of the
stored events), and one multiplication of whole numbers for each jackpot that knows nothing of either.
"""

import sys
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random
from types import MappingProxyType

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.events import event_of

from pitboss.law.cite import Cite
from pitboss.law.model import MeterSpec, Period
from pitboss.ledger.store import Store
from pitboss.meters import UNITS_PER_CENT, Meter
from pitboss.table.events import HOUSE, joined, meter_account, moved
from pitboss.table.wagering import meter_entries
from scripts.common import Figures, arguments, available, ledger

RATE, RESERVE = Fraction(1337, 10_000), Fraction(1, 100)
SEED = 1_000_000
STAKES = (100, 500, 25, 75, 1)
BATCH = 2_000
AWARDS = 20
NAME = "link-drift"


def meter() -> Meter:
    spec = MeterSpec(
        "drift",
        "",
        MappingProxyType({"meter": SEED}),
        MappingProxyType({"meter": SEED}),
        MappingProxyType({"meter": RATE}),
        RESERVE,
        True,
        cite=Cite.parse("649a.12(e)(3)"),
        period=Period(date(2024, 1, 1)),
    )
    return Meter.seeded("drift", spec, 100)


def measure(wagers: int, databases: tuple[str, ...], seed: int = 1) -> Figures:
    figures = Figures("P3: meter drift")
    figures.add("wagers", wagers)
    figures.add("rate, reserve", "13.37 %, 1 %")
    for database in available(databases, figures):
        with ledger(database) as (url, anchor), Store(url, anchor) as store:
            _drift(store, database, wagers, Random(seed), figures)
    return figures


def _drift(store: Store, database: str, wagers: int, random: Random, figures: Figures) -> None:
    here = meter()
    opening = joined(moved(HOUSE, meter_account(NAME, tier), units) for tier, units in here.amounts.items())
    staked, paid, from_house, awards, waiting = 0, 0, 0, 0, [event_of("meter.opened", {}, (), opening)]
    for number in range(1, wagers + 1):
        stake = random.choice(STAKES)
        staked += stake
        here, movements = here.contribute(stake)
        added = tuple(meter_entries(NAME, movements, "t1"))
        waiting.append(event_of("meter.incremented", {"staked": stake}, (), added))
        if number % max(1, wagers // AWARDS) == 0:
            share = random.choice((Fraction(1), Fraction(1, 10)))
            award = here.award("meter", share, random.choice((1, 3)))
            here, awards = award.meter, awards + 1
            paid += sum(m.amount for m in award.movements if m.reason == "award")
            from_house += sum(m.amount for m in award.movements if m.reason == "reseed")
            entries = tuple(meter_entries(NAME, award.movements, "t1"))
            waiting.append(event_of("meter.paid", {"amount": paid // UNITS_PER_CENT}, (), entries))
        if len(waiting) >= BATCH or number == wagers:
            with store.writing() as writing:
                writing.append(waiting, stream="t1", round=number, actor="d", role="dealer", at=number)
            waiting = []
    with store.reading() as reading:
        stored = sum(reading.balances(f"meter:{NAME}:").values())
        folded = 0
        after = 0
        while events := reading.events("t1", after=after, limit=50_000):
            after = events[-1].seq
            folded += sum(e.units for event in events for e in event.entries if e.account.startswith(f"meter:{NAME}:"))
        total = sum(reading.balances().values())
    # 13.37 % and 1 % of a cent are 1,337 and 100 units of 1/10,000 cent.
    recount = SEED * 10_000 + staked * (1_337 + 100) - paid + from_house
    model = sum(here.amounts.values()) + here.reserve
    figures.add(f"{database}: events", after)
    figures.add(f"{database}: awards", awards)
    figures.add(f"{database}: meter by recount (units)", recount)
    for name, found in (("Meter", model), ("stored balance", stored), ("fold of events", folded)):
        figures.add(f"{database}: drift of {name}", found - recount)
        figures.expect(found == recount, f"{database}: {name} is {found - recount} units off")
    figures.expect(total == 0, f"{database}: all balances sum to {total}")


if __name__ == "__main__":
    given = arguments(__doc__, wagers=(1_000_000, 20_000))
    sys.exit(measure(given.wagers, given.databases, given.seed).show())
