"""Streets in the ledger: each is one act that is computed again, and none can be changed unnoticed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.ledger.forger import Columns, forge, recorded
from tests.ledger.house import House

from pitboss.ledger.review import review
from pitboss.ledger.store import Store


def another_card(event: Columns) -> None:
    cards = event["data"]["cards"]
    cards[0][0] = next(card for card in ("2c", "3c", "4c", "5c") if card not in str(cards))


def other_cards(event: Columns) -> None:
    event["data"]["cards"] = "2c 3c 4c"


def no_mark(event: Columns) -> None:
    del event["data"]["streets"]


def a_mark(event: Columns) -> None:
    event["data"]["streets"] = True


def a_stub(event: Columns) -> None:
    event["data"]["phase"] = "stub"


FORGERIES = {
    "a card of the flop": ("cards.dealt", 1, another_card, "ultimate-texas-hold-em"),
    "the flop as it was turned up": ("cards.turned-up", 0, other_cards, "ultimate-texas-hold-em"),
    "the stub after the flop": ("cards.turned-up", 0, a_stub, "ultimate-texas-hold-em"),
    "no streets": ("table.opened", 0, no_mark, "ultimate-texas-hold-em"),
    "streets where there are none": ("table.opened", 0, a_mark, "mississippi-stud"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_street_is_found(tmp_path: Path, what: str) -> None:
    kind, nth, change, game = FORGERIES[what]
    forged: Callable[[Columns], None] = change
    with Store(f"sqlite:///{tmp_path}/ledger.db") as store:
        house = House(store, seed=3).opened("t1", game, "hand", shuffler=True)
        house.round("t1")
        assert review(store) == ()
        forge(store, {recorded(store, kind, nth).seq: forged})
        assert {each.code for each in review(store, full=True)} & {"replay-event", "replay-missing", "replay-deal"}


def test_a_keyed_round_verifies_after_each_act(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/ledger.db") as store:
        house = House(store, seed=3).opened("t1", "texas-hold-em-bonus", "hand", source="keyed", shuffler=True)
        house.wagers("t1")
        while house.pit.table("t1").play is not None or not house.pit.table("t1").rounds:
            house.step("t1")
            assert review(store, live=house.pit.tables()) == ()
