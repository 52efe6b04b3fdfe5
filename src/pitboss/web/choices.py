"""What a player may do now, as plain values: decisions, wagers and chips. Pages draw buttons from them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pitboss.findings import Finding
from pitboss.games.checks import BELOW_MINIMUM, verify_wagers
from pitboss.games.course import Betting, Decide, Draws, Option, Sight
from pitboss.games.round import Seat
from pitboss.games.rules import Rules
from pitboss.money import Cents, show_dollars
from pitboss.names import several
from pitboss.table.deciding import choices_when_left, deciding_now
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import Phase, Table

CHIPS: Final = (100, 500, 1000, 2500, 10_000)
Wagers = Mapping[int, Mapping[str, Cents]]
"""Amounts by seat and wager."""


@dataclass(frozen=True)
class AskedSeat:
    """A seat that may decide now: at which step, with what in sight."""

    seat: Seat
    step: Decide
    sight: Sight
    options: tuple[Option, ...]

    @property
    def now(self) -> str:
        """What it has decided there already, while that may be changed."""
        made = None if isinstance(self.step, Betting) else self.seat.decisions.get(self.step.name)
        return "" if made is None else made.choice

    @property
    def turn(self) -> str:
        """Which of its choices in the round it is."""
        return f"{self.step.name} {len(self.seat.decisions)}" if isinstance(self.step, Betting) else self.step.name


def asked(table: Table, *, blind: bool = False) -> Iterator[AskedSeat]:
    """Every seat that may decide now, from the dealer's left; ``blind`` with what anybody may choose, whatever his
    cards are, for those who do not see them."""
    play = table.play
    if play is None or table.phase not in (Phase.DECIDING, Phase.DRAWING):
        return
    game, rules, (step, numbers) = game_at(table), rules_at(table), deciding_now(table)
    played = play.as_round()
    for seat in played.seats:
        if step is not None and seat.number in numbers:
            sight = game.sight(rules, played, seat, step)
            left, unseen = seat.number in play.left, blind and not isinstance(step, Betting)  # bets hang on no cards
            options = (
                choices_when_left(table, seat.number, step) if left else step.offered(rules, None if unseen else sight)
            )
            yield AskedSeat(seat, step, sight, options)


@dataclass(frozen=True)
class Press:
    """One button for a decision: its words with what it costs, and the command."""

    label: str
    body: dict[str, Any]
    cost: Cents = 0


def presses(waits: AskedSeat) -> Iterator[Press]:
    """A button for each choice that needs nothing more to be said."""
    unit = waits.sight.stake
    for option in waits.options:
        if option.draws is not None and option.draws.discards:
            if waits.sight.covered:  # only the player knows which
                yield from _exchanges(option, option.draws, unit)
            continue  # else needs cards, chosen one by one
        for choice in option.choices():
            decision = choice.decision(unit)
            body = {"choice": option.name} | ({} if decision.amount is None else {"amount": decision.amount})
            back = sum(waits.seat.stake(wager) for wager in option.takes_back)
            cost = unit * sum(choice.puts.values())
            yield Press(_label(option, cost or back or option.price or 0), body, cost)


def _exchanges(option: Option, draws: Draws, unit: Cents) -> Iterator[Press]:
    cost = unit * sum(times.least for times in option.puts.values())
    for count in range(draws.least, draws.most + 1):
        label = f"{option.name.capitalize()} {several(count, 'card')} {show_dollars(cost)}"
        yield Press(label, {"choice": option.name, "unseen": count}, cost)


def _label(option: Option, amount: Cents) -> str:
    """Such as "Raise $20", "Buy 1 card $10" or "Withdraw $10": what it costs, or what comes back."""
    draws = f" {option.draws.most} card{'s' * (option.draws.most > 1)}" if option.draws else ""
    return f"{option.name.replace('_', ' ').capitalize()}{draws}" + (f" {show_dollars(amount)}" if amount else "")


def chip_command(table: Table, seat: int, wager: str, chip: Cents) -> dict[str, Any]:
    """Return the command of a chip put on a spot. A progressive takes its fixed amount; a second chip takes it back."""
    rules = rules_at(table)
    known = rules.wager_named(wager)
    held = table.staged.get(seat, {}).get(wager, 0)
    fixed = rules.choices.amounts.get(wager) if known and known.meter else None
    if fixed and held:
        return {"command": "withdraw", "seat": seat, "wager": wager}
    return {"command": "wager", "seat": seat, "wager": wager, "amount": fixed or held + chip}


def first_chip(rules: Rules | None) -> Cents:
    """Return the smallest chip that makes a lawful wager of the first kind by itself."""
    first = next(iter(rules.wagers), "") if rules else ""
    least = rules.limits(first).minimum if rules else CHIPS[0]
    return next((chip for chip in CHIPS if chip >= least), CHIPS[-1])


def last_wagers(table: Table, lines: Iterable[Mapping[str, Any]], seats: Sequence[int]) -> Wagers:
    """Return what some seats wagered before the cards in the round of these lines, as far as they can do so again."""
    rules = rules_at(table)
    made: dict[int, dict[str, Cents]] = {}
    for line in lines:
        wager = rules.wager_named(str(line["wager"]))
        wanted = line["seat"] in seats and line["seat"] not in table.stacks
        if wanted and wager is not None and wager.placed == "before" and line["stake"]:
            made.setdefault(line["seat"], {})[str(line["wager"])] = line["stake"]
    order = list(rules.wagers)

    def placed(name: str) -> int:
        known = rules.wager_named(name)
        return order.index(known.name) if known is not None else len(order)

    return {seat: {name: wagers[name] for name in sorted(wagers, key=placed)} for seat, wagers in made.items()}


def shortages(table: Table, seats: Iterable[int]) -> Iterator[Finding]:
    """Wagers that lie below their minimum, and what each lacks; "no more bets" will not take them."""
    for seat in seats:
        if (made := table.staged.get(seat)) and seat not in table.stacks:
            found = verify_wagers(rules_at(table), Seat(seat, (), made))
            yield from (each for each in found if each.code == BELOW_MINIMUM)
