"""Write the small ledgers that a later version must still open: ``python -m tests.ledger.old.make FOLDER [boards]``.

Run with the version whose events are to be stored; then pack the files as ``ledger-NNNN.db.gz`` and ``.anchor.gz``.
"""

import sys
from pathlib import Path

from tests.events import event_of
from tests.ledger.house import House

from pitboss.cards import show_cards
from pitboss.ledger import checkpoint
from pitboss.ledger.people import Cost, People
from pitboss.ledger.review import review
from pitboss.ledger.selfcheck import program_files
from pitboss.ledger.store import HOUSE_STREAM, Store
from pitboss.table.roles import Role

GAMES = {"three": "three-card-poker", "four": "four-card-poker", "frenzy": "four-card-frenzy", "lunar": "lunar-poker"}
BOARDS = {
    "hand": ("texas-hold-em-bonus", "bet"),
    "automated-shoe": ("ultimate-texas-hold-em", "check"),
    "manual-shoe": ("heads-up-hold-em", "check"),
}
"""By device: a game whose board was dealt with the hands, and a choice that takes each seat past the Flop."""


def begin(store: Store) -> House:
    """Start without the hashes of the law, so that later versions recompute every line under their own."""
    house = House(store, seed=5)
    with store.writing() as writing:
        start = event_of("system.started", {"version": "before", "program": program_files()})
        writing.append([start], stream=HOUSE_STREAM, round=0, actor="pitboss", role="system", at=house.clock())
    return house


def write(folder: Path) -> None:
    with Store(f"sqlite:///{folder}/ledger.db", anchor=folder / "ledger.anchor") as store:
        house = begin(store)
        people = People(store, house.clock, Cost(8, 1, 1))
        first = people.create("admin-1", "A. Admin", Role.ADMINISTRATOR, "nine green chips", None, printed=True)
        for name, role in (("dealer-1", Role.DEALER), ("floor-1", Role.FLOORPERSON), ("manager-1", Role.PIT_MANAGER)):
            people.create(name, name, role, "nine green chips", first, printed=True)
        for name, game in GAMES.items():
            house.opened(name, game).rounds(name, 3).trouble(name)
        house.round("lunar")
        _void_by_two(house)
        for phase in ("counting", "dealing", "stub", "deciding", "revealing", "settling", "collecting"):
            house.opened(phase, GAMES["three"]).wagers(phase).until(phase, phase)
        house.dealer("dealing", "deal", count=3)
        house.step("deciding")
        house.step("settling")
        for name, stop in (("first", 0), ("locked", 1), ("drawing", 2), ("drawn", 3), ("turned", 4), ("paid", 5)):
            _drawing(house, name, stop)
        checkpoint.EVERY = 1
        assert review(store, keep=True) == ()
        house.step("revealing")


def _void_by_two(house: House) -> None:
    house.wagers("four").until("four", "settling")
    house.by_two("four", Role.FLOORPERSON, "irregularity", what="wrong-number-of-cards", seat=1, note="seen late")


def _drawing(house: House, name: str, stop: int) -> None:
    """A table where seat 1 bets, seat 2 buys a card and seat 3 exchanges two, stopped on the way."""
    house.opened(name, GAMES["lunar"], seats=(1, 2, 3)).wagers(name).until(name, "deciding")
    house.dealer(name, "decide", seat=1, choice="bet")
    house.dealer(name, "decide", seat=2, choice="buy")
    if not stop:
        return
    hand = house.pit.table(name).play.hand("seat 3")  # type: ignore[union-attr]
    house.dealer(name, "decide", seat=3, choice="exchange", discard=show_cards(hand[:2]))
    house.dealer(name, "lock_decisions")
    if stop > 1:
        house.until(name, "drawing")
    if stop > 2:
        house.dealer(name, "draw")
    if stop > 3:
        house.dealer(name, "decide", seat=2, choice="fold")
        house.dealer(name, "draw")
    if stop > 4:
        house.dealer(name, "decide", seat=3, choice="bet")
        house.until(name, "settling").step(name)


def write_boards(folder: Path) -> None:
    """Three games with a board, the cards of one keyed in, each stopped before the Flop, after it and in settlement."""
    with Store(f"sqlite:///{folder}/ledger.db", anchor=folder / "ledger.anchor") as store:
        house = begin(store)
        for dealing, (game, choice) in BOARDS.items():
            source = "keyed" if dealing == "manual-shoe" else "virtual"
            for stop in ("stub", "before", "after", "settling"):
                table = f"{dealing}-{stop}"
                house.opened(table, game, dealing, source=source, shuffler=dealing != "manual-shoe")
                house.wagers(table).until(table, "dealing")
                if source == "keyed":
                    house.key_in(table, {})
                house.until(table, "stub" if stop == "stub" else "deciding")
                if stop == "after":
                    for seat in (1, 2):
                        house.dealer(table, "decide", seat=seat, choice=choice)
                    house.until(table, "revealing").step(table)
                if stop == "settling":
                    house.until(table, "settling").step(table)
        assert review(store) == ()


if __name__ == "__main__":
    (write_boards if "boards" in sys.argv[2:] else write)(Path(sys.argv[1]))
