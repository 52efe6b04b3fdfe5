"""P5: two linked tables hit the jackpot together: one order, and the second is paid from the reseeded amount.

    python scripts/p05_jackpot_race.py --races 1000

At both tables the dealer keys in an ace, king and queen of spades for seat 1, the floorperson has validated both
payouts, and two threads settle at the same moment.
"""

import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from pitboss.cards import DECK, parse_cards, show_cards
from pitboss.findings import errors
from pitboss.ledger.audit import audit_store
from pitboss.ledger.pit import Pit
from pitboss.meters import UNITS_PER_CENT
from pitboss.table.dealing import slots_of
from pitboss.table.state import Phase
from scripts.common import DEALER, Clerk, Figures, arguments, available, opened, together
from scripts.house import go_on, linked_submission, open_links, open_table, play_until

TABLES = ("t1", "t2")
WAGER = "three_card_progressive"
ROYAL = parse_cards("As Ks Qs")
ACCOUNT = "meter:link-three-card-progressive:meter"
SEED = 100_000


def measure(races: int, databases: tuple[str, ...], seed: int = 1) -> Figures:
    figures = Figures("P5: two tables hit the linked jackpot together")
    for database in available(databases, figures):
        with opened(database) as pit:
            _race(pit, database, races, Random(seed), figures)
    return figures


def _race(pit: Pit, database: str, races: int, random: Random, figures: Figures) -> None:
    clerk = Clerk(pit.act)
    links = open_links(pit, linked_submission(), [WAGER])
    for table in TABLES:
        open_table(clerk, table, linked_submission(), {1: f"{table}-player"}, source="keyed", meters=links)
    firsts = dict.fromkeys(TABLES, 0)
    for number in range(races):
        for table in TABLES:
            _to_the_jackpot(pit, clerk, table)
        standing = _meter(pit)
        with pit.store.reading() as reading:
            head = reading.head.seq
        _together(pit, number, random.sample(TABLES, len(TABLES)))
        with pit.store.reading() as reading:
            paid = [event for event in reading.events(after=head) if event.kind == "meter.paid"]
        first = standing // UNITS_PER_CENT
        left = standing - first * UNITS_PER_CENT
        second = SEED + left // UNITS_PER_CENT
        amounts = [event.data["amount"] for event in paid]
        figures.expect(amounts == [first, second], f"{database} race {number}: paid {amounts}, not {[first, second]}")
        figures.expect({event.stream for event in paid} == {*TABLES}, f"{database} race {number}: a table unpaid")
        after = standing - (first + second - 2 * SEED) * UNITS_PER_CENT
        figures.expect(_meter(pit) == after, f"{database} race {number}: the meter holds {_meter(pit)}, not {after}")
        firsts[paid[0].stream] += 1
        for table in TABLES:
            play_until(pit, clerk, table, Phase.WAGERING)
    findings = errors(audit_store(pit.store))
    figures.expect(not findings, f"{database}: {findings}")
    figures.add(f"{database}: races", races)
    figures.add(f"{database}: first was t1 / t2", f"{firsts['t1']:,} / {firsts['t2']:,}")
    figures.add(f"{database}: jackpots paid", 2 * races)


def _meter(pit: Pit) -> int:
    with pit.store.reading() as reading:
        return reading.balance(ACCOUNT)


def _to_the_jackpot(pit: Pit, clerk: Clerk, table: str) -> None:
    """A round up to the settlement of a validated jackpot."""
    clerk.do(table, DEALER, "wager", seat=1, wager="ante", amount=1000)
    clerk.do(table, DEALER, "wager", seat=1, wager=WAGER, amount=100)
    play_until(pit, clerk, table, Phase.DEALING)
    standing = pit.table(table)
    assert standing.play is not None
    rest = [card for card in DECK if card not in ROYAL]
    royal = list(ROYAL)
    places = [slot.to for slot in slots_of(standing, standing.play)]
    cards = [royal.pop(0) if place == "seat 1" else rest.pop(0) for place in places]
    clerk.do(table, DEALER, "deal", cards=show_cards(cards))
    play_until(pit, clerk, table, Phase.DECIDING)
    clerk.do(table, DEALER, "decide", seat=1, choice="play", amount=1000)
    play_until(pit, clerk, table, Phase.SETTLING)
    reply = go_on(pit, clerk, table)
    assert reply is not None
    assert reply.body["events"][0]["kind"] == "payout.validated", reply.text


def _together(pit: Pit, number: int, order: Sequence[str]) -> None:
    """Who reaches the barrier last tends to go first, hence the order."""
    barrier = threading.Barrier(len(TABLES))

    def settle(table: str) -> None:
        barrier.wait()
        reply = pit.act(table, {"command": "settle"}, DEALER, f"race-{number}-{table}")
        assert reply.accepted, reply.text

    for failure in together([partial(settle, table) for table in order]):
        raise RuntimeError(failure)


if __name__ == "__main__":
    given = arguments(__doc__, races=(1_000, 20))
    sys.exit(measure(given.races, given.databases, given.seed).show())
