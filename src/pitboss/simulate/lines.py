"""What each code pays in cents: the game's own settlement says what an outcome earns, its book turns it into money."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitboss.cards import DECK
from pitboss.games.contract import Game
from pitboss.games.course import Post, Settle
from pitboss.games.facts import Chosen, Holds, Position, Selected
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import opening_meters
from pitboss.games.settlement import Book, Pay
from pitboss.law.odds import Charged, MeterShare
from pitboss.money import Cents
from pitboss.simulate.groups import MAIN, FactGroup, is_main, lines_on
from pitboss.simulate.words import Flags, Ints

Wagers = Mapping[int, Mapping[str, Cents]]
"""What each seat stakes before the cards, by seat number."""


@dataclass(frozen=True, kw_only=True)
class AtStake:
    """One line that one seat has at stake: whose hand decides it, and what it reads."""

    wager: str
    line: str
    seat: int
    """Place of the seat that made the wager, from 0."""
    holder: int
    """Place of the seat whose codes decide it."""
    stake: Cents
    row: str
    """The row of the results that it belongs to: wagers of one kind are one."""
    paid_on: str
    """The wager whose stake it is: its own, or the one that a bonus is paid with."""
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LineOf(AtStake):
    """The same with the group whose codes decide it, and what every code pays."""

    group: int
    cents: Ints
    shares: Flags
    """Codes that win a share of a meter; they count as a lost stake here."""


def lines_at_stake(game: Game, rules: Rules, wagers: Wagers, magic: bool) -> Iterator[AtStake]:
    """Every line of every wager but the main ones, seat by seat; then what others' hands may earn."""
    numbers, facts = sorted(wagers), game.lines.facts.by_name
    for place, number in enumerate(numbers):
        for name, stake in wagers[number].items():
            wager = rules.wager_named(name)
            assert wager is not None, "wagers have been verified"
            if is_main(game.course, wager):
                continue
            on_seat = wager.picks == "seats"
            holder = numbers.index(int(wager.picked(name)[0])) if on_seat else place
            for line in lines_on(game, wager, name):
                reads = game.lines.rules[line].reads
                if not magic and all(isinstance(facts[fact], Holds | Selected) for fact in reads):
                    continue
                own = line == name or on_seat
                row = wager.name if own else line
                yield AtStake(
                    wager=name if own else line, line=line, seat=place, holder=holder, stake=stake, row=row,
                    paid_on=wager.name, reads=reads,
                )  # fmt: skip


def main_line(game: Game, rules: Rules, groups: tuple[FactGroup, ...], wagers: Wagers, place: int) -> LineOf:
    """The main wagers of a seat together."""
    made, unit = wagers[sorted(wagers)[place]], game.course.unit
    stakes = {name: made[name] for name in game.course.main}
    cents = [main_cents(game, rules, groups[0], stakes, facts) for facts in groups[0].decode()]
    main = AtStake(wager=MAIN, line=MAIN, seat=place, holder=place, stake=made[unit], row=MAIN, paid_on=unit)
    return _line(main, 0, cents)


def _line(wanted: AtStake, group: int, cents: list[int], shares: list[bool] | None = None) -> LineOf:
    won = np.array(shares or [False] * len(cents))
    return LineOf(**vars(wanted), group=group, cents=np.array(cents, np.int64), shares=won)


def main_cents(
    game: Game, rules: Rules, group: FactGroup, stakes: Mapping[str, Cents], facts: Mapping[str, Any]
) -> Cents:
    """What the main wagers move with these facts, settled by the game itself as the only ones of a round.

    The cards are any: what they are is known, and they are only looked at for words.
    """
    decisions = group.path_of(facts).decisions(stakes[game.course.unit])
    seat = Seat(1, DECK[:5], stakes, decisions)
    played = Round(DECK[5:10], (seat,))
    book = Book(rules, {})
    outcome = game.lines.outcome(**{name: facts.get(name, values[-1]) for name, values in game.lines.domains.items()})
    at, done = Position(rules, played, seat), set[tuple[int, str]]()
    for step in game.course.settles:
        if step.who is None or step.who(outcome):
            game.settle_seat(step, at, outcome, done, book)
    return sum(line.net for line in book.lines)


def line_of(game: Game, rules: Rules, groups: tuple[FactGroup, ...], wanted: AtStake) -> LineOf:
    """What every code of the group that a line belongs to pays it."""
    group = next(place for place, each in enumerate(groups) if each.covers(wanted.reads))
    table = game.lines.tabulate(wanted.line, rules)
    pays = [table[tuple(facts[name] for name in wanted.reads)] for facts in groups[group].decode()]
    cents = [_cents(rules, wanted.wager, wanted.stake, pay) for pay in pays]
    return _line(wanted, group, cents, [pay is not None and isinstance(pay.odds, MeterShare | Charged) for pay in pays])


def _cents(rules: Rules, wager: str, stake: Cents, pay: Pay | None) -> Cents:
    """What the book would enter for a line; a share of a meter counts as a lost stake."""
    if pay is None:
        return 0
    if isinstance(pay.odds, MeterShare):
        return -stake
    book = Book(rules, {})
    book.enter(1, wager, stake, pay)
    return book.lines[-1].net


def envies(game: Game, rules: Rules, wagers: Wagers) -> Iterator[tuple[Post, tuple[str, ...]]]:
    """Lines with Envy Bonuses, and the facts that say what a hand earns others: what it is, and whether it was folded
    where somebody who folds has nothing left on the layout."""
    standing = all({*made} - game.course.forfeited for made in wagers.values())
    chosen = tuple(name for name, fact in game.lines.facts.by_name.items() if isinstance(fact, Chosen))
    for post in (post for step in game.course.settles for post in step.posts):
        made = any(post.wager in made for made in wagers.values())
        if post.envy and made and rules.envies.get(post.wager) and len(wagers) > 1:
            yield post, (post.envy,) if standing or post.folded_too else (*chosen, post.envy)


def envy_lines(game: Game, rules: Rules, groups: tuple[FactGroup, ...], wagers: Wagers) -> Iterator[LineOf]:
    """For every pair of seats and every such line, what each code of the one's hand pays the other."""
    numbers = sorted(wagers)
    for post, reads in envies(game, rules, wagers):
        group = next(at for at, each in enumerate(groups) if each.covers(reads))
        for place, number in enumerate(numbers):
            others = [other for other in numbers if other != number and post.wager in wagers[other]]
            if not others:
                continue
            paid = [_envy(game, rules, wagers, number, post, groups[group], facts) for facts in groups[group].decode()]
            for receiver in others:
                cents = [each.get(receiver, 0) for each in paid]
                if any(cents):
                    line, stake = rules.envies[post.wager][0].line, wagers[receiver][post.wager]
                    wanted = AtStake(
                        wager=line, line=line, seat=numbers.index(receiver), holder=place, stake=stake, row=line,
                        paid_on=post.wager,
                    )  # fmt: skip
                    yield _line(wanted, group, cents)


def _envy(
    game: Game, rules: Rules, wagers: Wagers, holder: int, post: Post, group: FactGroup, facts: Mapping[str, Any]
) -> dict[int, int]:
    """What each seat is paid for the hand that the holder has, by the game's own settlement."""
    stakes = wagers[holder]
    decisions = group.path_of(facts).decisions(stakes[game.course.unit]) if game.course.unit in stakes else {}
    seats = {number: Seat(number, (), made, decisions if number == holder else {}) for number, made in wagers.items()}
    played = Round((), tuple(seats.values()))
    book = Book(rules, opening_meters(rules, played, {}, {}))
    outcome = game.lines.known(facts)
    # The holder's own line is taken for entered.
    game.settle_seat(Settle("", (post,)), Position(rules, played, seats[holder]), outcome, {(holder, post.line)}, book)
    found: dict[int, int] = {}
    for line in book.lines:
        found[line.seat] = found.get(line.seat, 0) + line.net
    return found
