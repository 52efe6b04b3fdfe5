"""Players against each other: random hands of two to nine players through the live commands, against PokerKit.

    python scripts/every_hand.py --hands 10000 --workers 2 --ledger 100
    python scripts/every_hand.py --hands 1000 --seed 4          # the fourth thousand of them

Every hand is played at a table by commands as anybody would give them. After each the pot in the books is that of the
engine and no chip is lost; the hand history loads in PokerKit and gives the same stacks; the table folded again from
its events is the table. ``--ledger`` hands are played over a SQLite ledger as well, whose audit must find nothing.
"""

import sys
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.table.contest import against_pokerkit, opened, random_hand, stakes, tally

from pitboss.table.fold import apply_all
from pitboss.table.state import Table
from scripts.common import Figures, arguments, ledger

CHUNK = 50
TERMS: tuple[dict[str, object], ...] = (
    {"ante": 1, "rake_percent": 5, "rake_most": 4},
    {},
    {"ante": 0.5, "smallest_chip": 0.5, "raises": 2, "disclosure": "true"},
    {"ante": 2, "bring_in": 5, "small_bet": 15, "big_bet": 30, "rake_percent": 10},
)


def hands(seed: int, count: int) -> tuple[Counter[str], str]:
    """So many hands at one table; what they were, and how one failed, if it did."""
    random, found = Random(f"hands {seed}"), Counter[str]()
    bench = opened(seed, **TERMS[seed % len(TERMS)])
    try:
        for _ in range(count):
            start = len(bench.log)
            hand = random_hand(bench, random, random.randint(2, 9), folds=random.choice((0.05, 0.2, 0.5)))
            against_pokerkit(bench, hand)
            tally(hand, found)
            found["acts"] += sum(event.kind == "decision.made" for event in bench.log[start:])
        assert apply_all(Table("t1"), bench.log) == bench.table
    except Exception:  # noqa: BLE001 - any failure at all is a violation, with its story
        return found, f"table {seed}: {traceback.format_exc()}"
    return found, ""


def audited(count: int, figures: Figures) -> None:
    """Hands over a ledger: the audit computes every act again, and the replay is the table."""
    from tests.ledger.house import House

    from pitboss.ledger.audit import audit_store
    from pitboss.ledger.review import review
    from pitboss.ledger.store import Store
    from pitboss.table.roles import Role
    from pitboss.table.ruling import hand_at

    random = Random("ledger")
    with ledger("sqlite") as (url, anchor), Store(url, anchor) as store:
        house = House(store).opened("t1", "seven-card-stud", "hand", tuple(range(1, 10)), chips=4_000_000)
        for _ in range(count):
            house.until("t1", "wagering")
            for command, fields in stakes(house.pit.table("t1"), random, random.randint(2, 9)):
                house.do("t1", Role.DEALER, command, **fields)
            house.until("t1", "deciding")
            while (table := house.pit.table("t1")).play is not None:
                hand = hand_at(table)
                if table.phase == "deciding" and hand is not None:
                    choice = random.choice(hand.options).name
                    house.do("t1", Role.DEALER, "decide", seat=hand.asked, choice=choice)
                else:
                    house.step("t1")
        figures.expect(review(house.store, live=house.pit.tables()) == (), "the review of the ledger found something")
        figures.expect(audit_store(house.store) == (), "the audit of the ledger found something")
        figures.add("hands over a ledger", count)


def measure(count: int, workers: int, over_ledger: int, part: int) -> Figures:
    figures = Figures("Hands of players against each other")
    sizes = [min(CHUNK, count - start) for start in range(0, count, CHUNK)]
    jobs = [((part - 1) * len(sizes) + place, size) for place, size in enumerate(sizes)]
    total = Counter[str]()
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for found, failed in pool.map(hands, *zip(*jobs, strict=True)):
            total += found
            figures.expect(not failed, failed)
    for name, value in total.items():
        figures.add(name, value)
    figures.expect(total["hands"] == count, f"{total['hands']} hands were played")
    if over_ledger:
        audited(over_ledger, figures)
    return figures


if __name__ == "__main__":
    given = arguments(__doc__, hands=(10_000, 100), workers=(2, 2), ledger=(100, 3))
    sys.exit(measure(given.hands, given.workers, given.ledger, given.seed).show())
