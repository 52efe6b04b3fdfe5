"""Envy Bonuses as lines: what a hand of one seat earns another, found by settling a round in which it is held."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from pitboss.cards import DECK, Card, Hand
from pitboss.games.contract import Game
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.rules import Rules
from pitboss.games.settle import opening_meters
from pitboss.games.settlement import Book
from pitboss.hands.facets import Facet
from pitboss.hands.labels import row_of
from pitboss.simulate.evaluators import flush_hands, plain_hands
from pitboss.simulate.groups import Group
from pitboss.simulate.lines import LineOf, Wagers


def envy_lines(game: Game, rules: Rules, groups: tuple[Group, ...], wagers: Wagers) -> Iterator[LineOf]:
    """For every pair of seats and every progressive wager, what each code of the one's hand pays the other."""
    numbers = sorted(wagers)
    for wager, tables in rules.envies.items():
        labels = {
            label for table in tables for label in game.lines.domains[_fact(game, wager)] if row_of(table.rows, label)
        }
        for place, number in enumerate(numbers):
            others = [other for other in numbers if other != number and wager in wagers[other]]
            if not others or not any(table.stake == wagers[other][wager] for table in tables for other in others):
                continue
            paid = {
                (label, folded): _paid(game, rules, wagers, number, wager, label, folded)
                for label in sorted(labels)
                for folded in (False, True)
            }
            reads = game.lines.rules[wager].reads
            group = next(at for at, each in enumerate(groups) if each.covers(reads))
            facts = groups[group].decode()
            for receiver in others:
                cents = np.array([_amount(paid, each, _fact(game, wager), receiver) for each in facts], np.int64)
                if cents.any():
                    line = tables[0].line
                    stake = wagers[receiver][wager]
                    never = (False,) * len(cents)
                    yield LineOf(line, line, numbers.index(receiver), place, group, stake, cents, never, wager)


def _fact(game: Game, wager: str) -> str:
    return next(name for name in game.lines.rules[wager].reads if name != "folded")


def _amount(paid: dict[tuple[str, bool], dict[int, int]], facts: dict[str, Any], fact: str, receiver: int) -> int:
    return paid.get((facts[fact], bool(facts.get("folded"))), {}).get(receiver, 0)


def _paid(
    game: Game, rules: Rules, wagers: Wagers, holder: int, wager: str, label: str, folded: bool
) -> dict[int, int]:
    """What each seat is paid because the holder has a hand of this label, by the game's own settlement."""
    if folded and "ante" not in wagers[holder]:
        return {}
    played = _example(game, rules, wagers, holder, _fact(game, wager), label, folded)
    book = Book(rules, opening_meters(rules, played, {}, {}))
    game.settle(rules, played, book)
    lines = {table.line for table in rules.envies[wager]}
    found: dict[int, int] = {}
    for line in book.lines:
        if line.holder == holder and line.wager in lines:
            found[line.seat] = found.get(line.seat, 0) + line.net
    return found


def _example(game: Game, rules: Rules, wagers: Wagers, holder: int, fact: str, label: str, folded: bool) -> Round:
    """A round in which the holder has a hand of this label; everybody else has what is left of the deck."""
    cards = example_hand(game.facets[fact], label)
    own, rest = cards[: rules.figure("player_cards")], cards[rules.figure("player_cards") :]
    left = [card for card in DECK if card not in cards]

    def take(count: int, given: Hand = ()) -> Hand:
        return given + tuple(left.pop(0) for _ in range(count - len(given)))

    extras: dict[str, Hand] = {}
    made = {name for stakes in wagers.values() for name in stakes}
    from_dealer = rest
    for wager in rules.wagers.values():
        if wager.extra and wager.name in made and wager.extra not in extras:
            community = wager.extra == "community"
            extras[wager.extra] = take(2 if community else 1, rest if community and len(rest) == 2 else ())
            from_dealer = () if community and len(rest) == 2 else from_dealer
    dealer = take(rules.figure("dealer_cards"), from_dealer)
    verb = next(choice for choice in game.decisions if choice != "fold")
    seats = []
    for number in sorted(wagers):
        hand = own if number == holder else take(len(own))
        stakes = wagers[number]
        plays = number == holder and not folded
        decision = Decision(verb, stakes["ante"]) if plays and "ante" in stakes else Decision("fold")
        seats.append(Seat(number, hand, stakes, decided(decision if "ante" in stakes else None)))
    played = Round(dealer, tuple(seats), extras)
    seat = next(seat for seat in seats if seat.number == holder)
    assert getattr(game.outcome(rules, played, seat), fact) == label, f"no example of {label}"
    return played


@lru_cache(maxsize=64)
def example_hand(facet: Facet, label: str) -> Hand:
    """A hand of this label, looked for among one of each kind."""
    size = facet.order.size if facet.order is not None else facet.cards
    for _, _, hands in flush_hands(size, facet.cards):
        for hand in hands:
            cards = tuple(Card(int(card)) for card in hand)
            if facet.label(cards) == label:
                return cards
    for hand in plain_hands(facet.cards)[1]:
        cards = tuple(Card(int(card)) for card in hand)
        if facet.label(cards) == label:
            return cards
    raise ValueError(f"{label} is no hand of {facet.cards} cards")
