"""What happens in the shift, table by table: ordinary rounds, and everything that can go wrong once."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pitboss.cards import DECK, show_cards
from pitboss.demo.driver import LINK, TABLES, Shift, TablePlan
from pitboss.games.registry import GAMES
from pitboss.table.deciding import deciding_now
from pitboss.table.desk import HOUR
from pitboss.table.irregular import UNFILLED
from pitboss.table.ruling import rules_at
from pitboss.table.state import SHOE, SHUFFLER, Phase

FIRST = TABLES[0]


def rounds(shift: Shift, plan: TablePlan) -> None:
    for _ in range(shift.rounds):
        shift.round(plan)


def ordinary(shift: Shift, plan: TablePlan) -> None:
    """Nothing but rounds."""
    shift.open(plan, preinspected=True)
    rounds(shift, plan)


def by_the_book(shift: Shift, plan: TablePlan) -> None:
    """A table opened by the book: inspected, verified, spread, washed, shuffled by hand, cut."""
    shift.open(plan, preinspected=False)
    rounds(shift, plan)
    shift.until(plan, Phase.WAGERING)
    shift.act(plan.id, "floor-1", "order_recut", reason="the cover card was put in at an angle")
    shift.act(plan.id, "dealer-1", "cut", at=30)
    shift.up_to(plan, Phase.DEALING)
    shift.act(plan.id, "dealer-1", "deal", count=4)
    shift.act(plan.id, "dealer-1", "irregularity", what="card-face-up-in-shoe")
    shift.finish(plan)
    shift.up_to(plan, Phase.DEALING)
    shift.act(plan.id, "dealer-1", "irregularity", what="card-drawn-in-error")
    shift.act(plan.id, "dealer-1", "irregularity", what="card-face-up-in-shoe", count=2)
    shift.up_to(plan, Phase.DECIDING)
    shift.act(plan.id, "dealer-1", "irregularity", what="wrong-number-of-cards", seat=2)
    shift.up_to(plan, Phase.STUB)
    play = shift.look(plan.id).play
    assert play is not None
    shift.act(plan.id, "dealer-1", "stub", count=len(DECK) - len(play.left_deck) + 1, misdealt=True)
    shift.until(plan, Phase.SHUFFLING)
    shift.act(plan.id, "dealer-1", "spread_idle")
    shift.act(plan.id, "player-1", "player_inspected")
    shift.act(plan.id, "dealer-1", "wash_cards")
    shift.round(plan)


def two_decks(shift: Shift, plan: TablePlan) -> None:
    """Dealt from the hand with two decks; the shuffler jams, fails, is covered, and the table deals from a shoe."""
    shift.open(plan, preinspected=True)
    rounds(shift, plan)
    shift.up_to(plan, Phase.DECIDING)
    shift.act(plan.id, "dealer-1", "shuffle")
    shift.act(plan.id, "dealer-1", "irregularity", what="shuffler-jam")
    shift.finish(plan)
    shift.until(plan, Phase.SHUFFLING, Phase.WAGERING)
    shift.act(plan.id, "dealer-1", "irregularity", what="device-out-of-order", device=SHUFFLER)
    shift.act(plan.id, "dealer-1", "cover_device", device=SHUFFLER, how="sign")
    shift.act(plan.id, "floor-1", "change_method", shuffling="hand", dealing="manual-shoe")
    shift.round(plan)
    shift.until(plan, Phase.SHUFFLING)
    shift.act(plan.id, "floor-1", "repair_device", device=SHUFFLER)
    shift.up_to(plan, Phase.DECIDING)
    shift.act(plan.id, "player-3", "leave", seat=3)
    shift.act(plan.id, "floor-1", "abandon", seat=3)
    shift.finish(plan)
    shift.act(plan.id, "player-3", "sit", seat=3)


def automated_shoe(shift: Shift, plan: TablePlan) -> None:
    """An automated shoe: a card of the dealer's exposed while decisions are open, a jam, and a shoe out of order."""
    shift.open(plan, preinspected=True)
    rounds(shift, plan)
    shift.up_to(plan, Phase.DECIDING)
    shift.act(plan.id, "dealer-1", "irregularity", what="dealer-card-exposed")
    shift.up_to(plan, Phase.DEALING)
    shift.act(plan.id, "dealer-1", "deal", count=7)
    shift.act(plan.id, "dealer-1", "irregularity", what="shoe-jam")
    shift.act(plan.id, "dealer-1", "irregularity", what="device-out-of-order", device=SHOE)
    shift.act(plan.id, "dealer-1", "cover_device", device=SHOE)
    shift.act(plan.id, "floor-1", "change_method", dealing="manual-shoe")
    shift.round(plan)
    shift.up_to(plan, Phase.STUB)
    shift.act(plan.id, "dealer-1", "stub", count=5, misdealt=False)
    shift.act(plan.id, "floor-1", "receive_decks", preinspected=True)
    shift.round(plan)


def short_stub(shift: Shift, plan: TablePlan) -> None:
    """Five players who all give up their whole hand: the stub cannot fill it, and the round is void."""
    shift.open(plan, preinspected=True)
    rounds(shift, plan)
    shift.up_to(plan, Phase.DECIDING)
    table = shift.look(plan.id)
    assert table.play is not None
    options = GAMES[plan.game].course.decides[0].options(rules_at(table), None)
    choice = next(option.name for option in options if option.draws is not None and option.draws.discards)
    for seat in deciding_now(table)[1]:
        cards = show_cards(table.play.hand(f"seat {seat}"))
        shift.act(plan.id, f"player-{seat}", "decide", seat=seat, choice=choice, discard=cards)
    shift.until(plan, Phase.DRAWING)
    while len(shift.look(plan.id).play.left_deck) + 5 <= len(DECK):  # type: ignore[union-attr]
        shift.step(plan)
    shift.act(plan.id, "dealer-1", "irregularity", what=UNFILLED)
    shift.round(plan)


def jackpot(shift: Shift, plan: TablePlan) -> None:
    """A table whose shoe reads the cards: a hand takes the linked meter."""
    shift.open(plan, preinspected=True)
    rounds(shift, plan)
    shift.up_to(plan, Phase.DEALING)
    cards = shift.keyed(shift.look(plan.id), plan.hands)
    shift.act(plan.id, "dealer-1", "deal", cards=cards)
    shift.finish(plan)


def supervision(shift: Shift) -> None:
    """Refusals, a change of limits and a change of a meter, each by two people."""
    shift.act(FIRST.id, "player-1", "no_more_bets", expect=403)
    shift.until(FIRST, Phase.WAGERING)
    limits = {"wager": GAMES[FIRST.game].course.unit, "minimum": 500, "maximum": 100_000}
    waiting = shift.act(FIRST.id, "manager-1", "change_limits", expect=202, **limits)["proposal"]
    shift.ask("floor-1", "POST", f"/api/changes/{waiting}/approve")
    change = {"amounts": {"meter": 2_500_000}, "reason": "correction after the meter board was repaired"}
    number = shift.ask("manager-1", "POST", f"/api/meters/{LINK}/changes", change)["number"]
    shift.ask("manager-1", "POST", f"/api/changes/{number}/approve", expect=422)
    shift.ask("floor-1", "POST", f"/api/changes/{number}/approve")
    shift.clock.now += 8 * HOUR
    shift.until(FIRST, Phase.WAGERING)
    shift.wagers(replace(FIRST, seats=(1,)))
    shift.act(FIRST.id, "dealer-1", "no_more_bets", expect=422)
    for wager in list(shift.look(FIRST.id).staged[1])[::-1]:
        shift.act(FIRST.id, "player-1", "withdraw", seat=1, wager=wager)
    shift.act(FIRST.id, "floor-1", "change_decks")
    shift.act(FIRST.id, "floor-1", "receive_decks", preinspected=True)
    shift.round(FIRST)


def closing(shift: Shift) -> None:
    """Players cash out and leave; the tables close."""
    for plan in TABLES:
        shift.until(plan, Phase.SHUFFLING, Phase.WAGERING, Phase.CUTTING)
        for player, seat in list(shift.look(plan.id).homes.items()):
            shift.act(plan.id, player, "leave", seat=seat)
        shift.act(plan.id, "floor-1", "close_table", reason="end of the shift")


STORIES: Mapping[str, Callable[[Shift, TablePlan], None]] = {
    story.__name__: story for story in (ordinary, by_the_book, two_decks, automated_shoe, short_stub, jackpot)
}


def play_all(shift: Shift) -> None:
    """The story of every table, then what concerns the whole pit."""
    for plan in TABLES:
        shift.tell(plan.title)
        STORIES[plan.story](shift, plan)
    shift.tell("supervision: refusals, limits, a meter changed by two people, a deck change due")
    supervision(shift)
    shift.tell("closing")
    closing(shift)
