"""What each code pays in cents. The game's own lines say what an outcome earns, and its book turns that into money."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pitboss.exact.lunar import options_after_draw
from pitboss.games.contract import Game
from pitboss.games.five_card_hand import HANDS
from pitboss.games.lunar_poker import ON_SEAT
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Pay
from pitboss.games.structure import Outlay
from pitboss.law.odds import MeterShare
from pitboss.money import Cents
from pitboss.simulate.groups import CHOICE, MAIN, NOBODY, Group
from pitboss.simulate.words import Ints

Wagers = Mapping[int, Mapping[str, Cents]]
"""What each seat stakes before the cards, by seat number."""


@dataclass(frozen=True)
class LineOf:
    """One line that one seat has at stake: whose hand decides it, by which group, and what every code pays."""

    wager: str
    line: str
    seat: int
    """Place of the seat that made the wager, from 0."""
    holder: int
    """Place of the seat whose codes decide it."""
    group: int
    stake: Cents
    cents: Ints
    shares: tuple[bool, ...]
    """Codes that win a share of a meter; they count as a lost stake here."""
    paid_on: str
    """The wager whose stake it is: its own, or the one that a bonus is paid with."""


def display_name(wager: str) -> str:
    """``super_on_seat_3`` as ``super_on_seat``: wagers of one kind are one row of the results."""
    head, _, tail = wager.rpartition("_")
    return head if tail.isdecimal() else wager


def cents_of(rules: Rules, wager: str, stake: Cents, pay: Pay | None) -> Cents:
    """What the book would enter for a line; a share of a meter counts as a lost stake."""
    if pay is None:
        return 0
    if isinstance(pay.odds, MeterShare):
        return -stake
    book = Book(rules, {})
    book.enter(1, wager, stake, pay)
    return book.lines[-1].net


def main_option(game: Game, rules: Rules, facts: Mapping[str, Any]) -> Outlay | None:
    """What a choice puts at stake, as the game itself lists it; nothing if it is not allowed with these facts."""
    assert game.duel is not None
    if facts.get("drew"):
        listed = options_after_draw(rules, facts)
        wanted = "bet" if facts[CHOICE] == "draw, bet" else "fold"
    else:
        # Raises differ in what is allowed, not in what they pay, so a choice is looked up among all of them.
        listed = game.duel.options(rules, facts)
        wanted = facts[CHOICE]
    return next((option for option in listed if option.name == wanted), None)


def main_cents(game: Game, rules: Rules, ante: Cents, facts: Mapping[str, Any]) -> dict[str, Cents]:
    """What the main wagers move with these facts, by line, entered in one book so that a payout limit is seen."""
    if facts[CHOICE] == NOBODY:
        return {}
    option = main_option(game, rules, facts)
    if option is None:
        return {}
    blank = {field.name: None for field in fields(game.lines.outcome)}
    known = {name: value for name, value in facts.items() if name in blank}
    outcome = game.lines.outcome(**{**blank, **known, **option.facts})
    book = Book(rules, {})
    for line in game.lines.rules:
        if line in option.stakes:
            stake = option.stakes[line] * ante
            assert stake.denominator == 1, "choices are whole multiples of the Ante"
            book.enter(1, line, int(stake), game.lines.pay(line, rules, outcome))
    return {line.wager: line.net for line in book.lines}


def lines_of(game: Game, rules: Rules, groups: tuple[Group, ...], wagers: Wagers) -> Iterator[LineOf]:
    """Every line at stake: the main wagers together, then each other wager and what is paid with it."""
    numbers = sorted(wagers)
    decoded = [group.decode() for group in groups]
    main = main_lines(game, rules, groups[0])
    for place, number in enumerate(numbers):
        made = wagers[number]
        if "ante" in made:
            cents = [sum(main_cents(game, rules, made["ante"], facts).values()) for facts in decoded[0]]
            never = (False,) * len(cents)
            yield LineOf(MAIN, MAIN, place, place, 0, made["ante"], np.array(cents, np.int64), never, "ante")
        for wager, stake in made.items():
            if wager in main:
                continue
            line, holder = wager, place
            if wager.startswith(ON_SEAT):
                line, holder = "super", numbers.index(int(wager.removeprefix(ON_SEAT)))
            for name in (line, *_paid_with(rules, line)):
                own = wager if name == line else name
                yield line_of(game, rules, groups, decoded, own, name, place, holder, stake, display_name(wager))


def main_lines(game: Game, rules: Rules, main: Group) -> set[str]:
    """Lines whose stakes the choices name."""
    options = (main_option(game, rules, facts) for facts in main.decode() if facts[CHOICE] != NOBODY)
    return {line for option in options if option is not None for line in option.stakes}


def _paid_with(rules: Rules, line: str) -> list[str]:
    """Magic Card and Lucky Bonus, which are paid on the stake of another wager."""
    whose = next((hand.whose for hand in HANDS if hand.wager == line), None)
    if whose is None:
        return []
    return [f"{name} {whose}" for name in ("magic_card", "lucky_bonus") if name in rules.tables]


def line_of(
    game: Game,
    rules: Rules,
    groups: tuple[Group, ...],
    decoded: list[list[dict[str, Any]]],
    wager: str,
    line: str,
    seat: int,
    holder: int,
    stake: Cents,
    paid_on: str,
) -> LineOf:
    reads = game.lines.rules[line].reads
    group = next(place for place, each in enumerate(groups) if each.covers(reads))
    table = game.lines.tabulate(line, rules)
    pays = [table[tuple(facts[name] for name in reads)] for facts in decoded[group]]
    cents = np.array([cents_of(rules, wager, stake, pay) for pay in pays], np.int64)
    shares = tuple(pay is not None and isinstance(pay.odds, MeterShare) for pay in pays)
    return LineOf(wager, line, seat, holder, group, stake, cents, shares, paid_on)
