"""What happens in the shift, table by table: ordinary rounds, and everything that can go wrong once."""

from collections.abc import Callable
from dataclasses import replace

from pitboss.cards import show_cards
from pitboss.demo.driver import LINK, TABLES, Plan, Shift
from pitboss.table.deciding import undecided
from pitboss.table.desk import HOUR
from pitboss.table.state import SHOE, SHUFFLER, Phase

THREE, FOUR, FRENZY, LUNAR, KEYED = TABLES
ROYAL = {"seat 2": "As Ks Qs", "seat 1": "7h 7d 2c", "seat 3": "9c 8d 4h", "dealer": "Jd 6c 3h"}
"""The whole Three-Card Progressive meter goes to seat 2."""


def ordinary(shift: Shift, plan: Plan) -> None:
    for _ in range(shift.rounds):
        shift.round(plan)


def three_card_poker(shift: Shift) -> None:
    """A table opened by the book: inspected, verified, spread, washed, shuffled by hand, cut."""
    shift.open(THREE, preinspected=False)
    ordinary(shift, THREE)
    shift.until(THREE, Phase.WAGERING)
    shift.act(THREE.id, "floor-1", "order_recut", reason="the cover card was put in at an angle")
    shift.act(THREE.id, "dealer-1", "cut", at=30)
    shift.up_to(THREE, Phase.DEALING)
    shift.act(THREE.id, "dealer-1", "deal", count=4)
    shift.act(THREE.id, "dealer-1", "irregularity", what="card-face-up-in-shoe")
    shift.finish(THREE)
    shift.up_to(THREE, Phase.DEALING)
    shift.act(THREE.id, "dealer-1", "irregularity", what="card-drawn-in-error")
    shift.act(THREE.id, "dealer-1", "irregularity", what="card-face-up-in-shoe", count=2)
    shift.up_to(THREE, Phase.DECIDING)
    shift.act(THREE.id, "dealer-1", "irregularity", what="wrong-number-of-cards", seat=2)
    shift.up_to(THREE, Phase.STUB)
    stub = 52 - 3 * (len(THREE.seats) + 1)
    shift.act(THREE.id, "dealer-1", "stub", count=stub + 1, misdealt=True)
    shift.until(THREE, Phase.SHUFFLING)
    shift.act(THREE.id, "dealer-1", "spread_idle")
    shift.act(THREE.id, "player-1", "player_inspected")
    shift.act(THREE.id, "dealer-1", "wash_cards")
    shift.round(THREE)


def four_card_poker(shift: Shift) -> None:
    """Dealt from the hand with two decks; the shuffler jams, fails, is covered, and the table deals from a shoe."""
    shift.open(FOUR, preinspected=True)
    ordinary(shift, FOUR)
    shift.up_to(FOUR, Phase.DECIDING)
    shift.act(FOUR.id, "dealer-1", "shuffle")
    shift.act(FOUR.id, "dealer-1", "irregularity", what="shuffler-jam")
    shift.finish(FOUR)
    shift.until(FOUR, Phase.SHUFFLING, Phase.WAGERING)
    shift.act(FOUR.id, "dealer-1", "irregularity", what="device-out-of-order", device=SHUFFLER)
    shift.act(FOUR.id, "dealer-1", "cover_device", device=SHUFFLER, how="sign")
    shift.act(FOUR.id, "floor-1", "change_method", shuffling="hand", dealing="manual-shoe")
    shift.round(FOUR)
    shift.until(FOUR, Phase.SHUFFLING)
    shift.act(FOUR.id, "floor-1", "repair_device", device=SHUFFLER)
    shift.up_to(FOUR, Phase.DECIDING)
    shift.act(FOUR.id, "player-3", "leave", seat=3)
    shift.act(FOUR.id, "floor-1", "abandon", seat=3)
    shift.finish(FOUR)
    shift.act(FOUR.id, "player-3", "sit", seat=3)


def four_card_frenzy(shift: Shift) -> None:
    """An automated shoe: a card of the dealer's exposed while Raises are open, a jam, and a shoe out of order."""
    shift.open(FRENZY, preinspected=True)
    ordinary(shift, FRENZY)
    shift.up_to(FRENZY, Phase.DECIDING)
    shift.act(FRENZY.id, "dealer-1", "irregularity", what="dealer-card-exposed")
    shift.up_to(FRENZY, Phase.DEALING)
    shift.act(FRENZY.id, "dealer-1", "deal", count=7)
    shift.act(FRENZY.id, "dealer-1", "irregularity", what="shoe-jam")
    shift.act(FRENZY.id, "dealer-1", "irregularity", what="device-out-of-order", device=SHOE)
    shift.act(FRENZY.id, "dealer-1", "cover_device", device=SHOE)
    shift.act(FRENZY.id, "floor-1", "change_method", dealing="manual-shoe")
    shift.round(FRENZY)
    shift.up_to(FRENZY, Phase.STUB)
    shift.act(FRENZY.id, "dealer-1", "stub", count=5, misdealt=False)
    shift.act(FRENZY.id, "floor-1", "receive_decks", preinspected=True)
    shift.round(FRENZY)


def lunar_poker(shift: Shift) -> None:
    """Five players who all exchange five cards: the stub cannot fill it, and the round is void."""
    shift.open(LUNAR, preinspected=True)
    ordinary(shift, LUNAR)
    shift.up_to(LUNAR, Phase.DECIDING)
    table = shift.look(LUNAR.id)
    assert table.play is not None
    for seat in undecided(table, table.play):
        cards = show_cards(table.play.hand(f"seat {seat}"))
        shift.act(LUNAR.id, f"player-{seat}", "decide", seat=seat, choice="exchange", discard=cards)
    shift.until(LUNAR, Phase.DRAWING)
    while len(shift.look(LUNAR.id).play.left_deck) + 5 <= 52:  # type: ignore[union-attr]
        shift.step(LUNAR)
    shift.act(LUNAR.id, "dealer-1", "irregularity", what="exchange-unfilled")
    shift.round(LUNAR)


def jackpot(shift: Shift) -> None:
    """A physical table whose cards are keyed in: an ace-king-queen of spades takes the linked meter."""
    shift.open(KEYED, preinspected=True)
    ordinary(shift, KEYED)
    shift.up_to(KEYED, Phase.DEALING)
    cards = shift.keyed(shift.look(KEYED.id), ROYAL)
    shift.act(KEYED.id, "dealer-1", "deal", cards=cards)
    shift.finish(KEYED)


def supervision(shift: Shift) -> None:
    """Refusals, a change of limits and a change of a meter, each by two people."""
    shift.act(THREE.id, "player-1", "no_more_bets", expect=403)
    shift.until(THREE, Phase.WAGERING)
    limits = {"wager": "ante", "minimum": 500, "maximum": 100_000}
    waiting = shift.act(THREE.id, "manager-1", "change_limits", expect=202, **limits)["proposal"]
    shift.ask("floor-1", "POST", f"/api/changes/{waiting}/approve")
    change = {"amounts": {"meter": 2_500_000}, "reason": "correction after the meter board was repaired"}
    number = shift.ask("manager-1", "POST", f"/api/meters/{LINK}/changes", change)["number"]
    shift.ask("manager-1", "POST", f"/api/changes/{number}/approve", expect=422)
    shift.ask("floor-1", "POST", f"/api/changes/{number}/approve")
    shift.clock.now += 8 * HOUR
    shift.until(THREE, Phase.WAGERING)
    shift.wagers(replace(THREE, seats=(1,)))
    shift.act(THREE.id, "dealer-1", "no_more_bets", expect=422)
    for wager in list(shift.look(THREE.id).staged[1])[::-1]:
        shift.act(THREE.id, "player-1", "withdraw", seat=1, wager=wager)
    shift.act(THREE.id, "floor-1", "change_decks")
    shift.act(THREE.id, "floor-1", "receive_decks", preinspected=True)
    shift.round(THREE)


def closing(shift: Shift) -> None:
    """Players cash out and leave; the tables close."""
    for plan in TABLES:
        shift.until(plan, Phase.SHUFFLING, Phase.WAGERING, Phase.CUTTING)
        for player, seat in list(shift.look(plan.id).homes.items()):
            shift.act(plan.id, player, "leave", seat=seat)
        shift.act(plan.id, "floor-1", "close_table", reason="end of the shift")


STORIES: tuple[tuple[str, Callable[[Shift], None]], ...] = (
    ("tcp-1   Three Card Poker, manual shoe, shuffled by hand", three_card_poker),
    ("fcp-2   Four Card Poker, dealt from the hand, two decks", four_card_poker),
    ("frenzy-3 Four Card Frenzy, automated shoe", four_card_frenzy),
    ("lunar-4 Lunar Poker, manual shoe, shuffler", lunar_poker),
    ("tcp-5   Three Card Poker, physical cards keyed in, a jackpot", jackpot),
    ("supervision: refusals, limits, a meter changed by two people, a deck change due", supervision),
    ("closing", closing),
)
