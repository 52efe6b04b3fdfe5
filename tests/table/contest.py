"""Random hands of players against each other, through the commands of a live table, checked against PokerKit itself."""

import warnings
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from pitboss.games.betting import Contest, PokerHand
from pitboss.games.handhistory import contest_named, read, written
from pitboss.table.deciding import deciding_now
from pitboss.table.events import pot_account
from pitboss.table.fold import apply_all
from pitboss.table.ruling import hand_at, rules_at
from pitboss.table.state import Table
from tests.table.driver import Bench, submission_text

GAME = "seven-card-stud"
CENT = 10_000
STAKES = (25, 40, 60, 100, 400)
"""Dollars: some are soon all-in, so that side pots come about."""


def submission(**options: object) -> str:
    """A lawful submission with these options."""
    text = submission_text(GAME, "hand")
    for name, value in options.items():
        text = text.replace(f"\n# {name} = ", f"\n{name} = {value} # ")
    return text


def opened(seed: int = 1, **options: object) -> Bench:
    return Bench(GAME, submission(**options), seed=seed).opened(*range(1, 10), chips=5_000_000)


def money(bench: Bench) -> int:
    """All chips of players, layout, pot and inventory."""
    accounts = [f"player:p{seat}" for seat in range(1, 10)]
    return sum(map(bench.held, (*accounts, "layout:t1", "pot:t1", "inventory:t1")))


def stakes(table: Table, random: Random, players: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Commands by which so many players take part: others take what is left to them and go, who has nothing left puts
    a stake down, and who has may add to it."""
    rules, seats = rules_at(table), sorted(random.sample(range(1, 10), players))
    terms = contest_named(GAME).terms(rules)
    least = (terms.ante + terms.big_bet) * terms.chip
    most = rules.limits("table_stake").maximum
    for seat in range(1, 10):
        left = table.stacks.get(seat, 0)
        if seat in seats:
            if not left or (left < most and random.random() < 0.2):
                amount = min(most, left + max(least, 100 * random.choice(STAKES)))
                yield "wager", {"seat": seat, "wager": "table_stake", "amount": amount}
        elif left:
            yield "leave", {"seat": seat}
            yield "sit", {"seat": seat, "player": f"p{seat}"}


def random_hand(bench: Bench, random: Random, players: int, folds: float = 0.1) -> PokerHand:
    """One hand from the stakes to the rack; the pot is PokerKit's after every act, and no chip is lost."""
    bench.ready()
    for command, fields in stakes(bench.table, random, players):
        bench.dealer(command, **fields)
    whole, rounds, hand = money(bench), bench.table.rounds, None
    while bench.table.rounds == rounds or bench.table.play is not None:
        if bench.table.phase == "deciding":
            now = hand_at(bench.table)
            assert now is not None
            (seat,) = deciding_now(bench.table)[1]
            names = [option.name for option in now.options]
            weights = [folds if name == "fold" else 1.0 for name in names]
            bench.dealer("decide", seat=seat, choice=random.choices(names, weights)[0])
        else:
            bench.step()
        if bench.table.play is not None and not bench.table.play.lines:
            hand = hand_at(bench.table)
            assert hand is not None
            staked = sum(hand.state.starting_stacks) - sum(hand.state.stacks)
            in_pot = bench.held(pot_account("t1")) // (CENT * hand.terms.chip)
            assert in_pot == sum(hand.put.values()) // hand.terms.chip
            assert in_pot >= staked  # what nobody calls goes back when the round of betting ends
            assert hand.asked is None or in_pot == hand.state.total_pot_amount == staked
        assert money(bench) == whole
    assert hand is not None
    assert hand.is_over
    assert bench.held(pot_account("t1")) == 0
    assert bench.table.stacks == {seat: stack for seat in hand.numbers if (stack := hand.stack(seat))}
    return hand


def against_pokerkit(bench: Bench, hand: PokerHand) -> None:
    """The hand history of the round gives PokerKit the same stacks, and us the same round."""
    from pokerkit import HandHistory

    rules, game = rules_at(bench.table), contest_named(GAME)
    played = played_of(bench, game, hand)
    text = written(rules, played)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, end = HandHistory.loads(text, rake=hand.terms.rake)
    assert list(end.stacks) == [hand.stack(seat) // hand.terms.chip for seat in hand.numbers]
    assert read(text, rules.as_of)[1].seats == played.seats


def played_of(bench: Bench, game: Contest, hand: PokerHand) -> Any:
    """The last round of the table, put together from its events."""
    table, last = Table("t1"), None
    start = max(at for at, event in enumerate(bench.log) if event.kind == "bets.closed")
    stakes: dict[int, int] = {}
    for event in bench.log[:start]:
        if event.kind == "wager.placed":
            stakes[event.data["seat"]] = event.data["amount"]
    table = apply_all(table, [event for event in bench.log[:start] if event.kind in ("table.opened", "seat.taken")])
    staged = {seat: {game.course.unit: stakes[seat]} for seat in hand.numbers}
    from pitboss.records import replace

    table = replace(table, staged=staged)
    for event in bench.log[start:]:
        table = apply_all(table, [event])
        if table.play is not None:
            last = table.play
    assert last is not None
    return last.as_round()


def tally(hand: PokerHand, found: Counter[str]) -> None:
    """What kinds of hands there were."""
    shared = any(slot.to == "community" for slot in hand.slots)
    nine = len(hand.numbers) == 9 and all(map(hand.is_in, hand.numbers))
    assert shared or not nine  # 63 cards of 52
    found["hands"] += 1
    found["nine to seventh street"] += nine
    found["side pots"] += len(hand.pots) > 1
    found["showdowns"] += bool(hand.shown)
    found["cards for all"] += shared
    found["split pots"] += any(len(pot.won or {}) > 1 for pot in hand.pots)
    found["raked"] += hand.rake > 0
