"""What lies on a table in front of its dealer, and what its wagers are called. Cards face down stay covered."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pitboss.cards import Card, Hand, parse_cards, show_card
from pitboss.games.chance import shown_faces, spoken_of, thrown
from pitboss.games.numbers import covered
from pitboss.games.round import Decision, Round, owner
from pitboss.games.rules import Rules
from pitboss.money import Cents, show_dollars
from pitboss.names import several, shown
from pitboss.school.exercise import LaidTable, TableRow
from pitboss.table.happened import HIDDEN

SPOKEN = {"Straight": "Straight up", "Line": "Six line"}
MOST_LISTED = 4
"""Numbers of a wager that are named one by one."""


def wager_title(rules: Rules, name: str) -> str:
    """A wager or a line as people call it; where the player picks something, with what was picked."""
    wager = rules.wager_named(name)
    if wager is None:
        return shown(name)
    if wager.name == name:
        return _plain(wager.title)
    if wager.on_another_seat:
        return f"{wager.title.split(' Wager')[0]} on seat {wager.picked(name)[0]}"
    step, picked, called = thrown(rules), wager.picked(name), shown(wager.name)
    if step is None or step.dice > 1:
        return f"{called} {' and '.join(map(str, picked))}"
    numbers = [*map(str, sorted(covered(rules, name), key=int))]
    if len(numbers) > 2 * MOST_LISTED:
        return f"{called} {picked[0]}"
    listed = "-".join(numbers) if len(numbers) <= MOST_LISTED else f"{numbers[0]} to {numbers[-1]}"
    return f"{SPOKEN.get(called, called)} {listed}"


def _plain(title: str) -> str:
    """A title of the law as people shorten it.

    >>> _plain("Great Wager 9"), _plain("Sum Value Bet of 99"), _plain("Great Payout Wager")
    ('Bet 9', 'Sum 99', 'Great')
    >>> _plain("Great Wager on the house")
    'Great on the house'
    """
    *_, number = title.rpartition(" Wager ")
    if number.isdigit():
        return f"Bet {number}"
    words = title.replace(" Wager on ", " on ").replace(" Value Bet of ", " ").replace(" Value of Bet ", " ")
    return words.removesuffix(" Wager").removesuffix(" Payout").removesuffix(" Bet")


def choice_words(decision: Decision) -> str:
    amount = f" {show_dollars(decision.amount)}" if decision.amount is not None else ""
    return f"{decision.choice.replace('_', ' ')}{amount}"


def of_round(rules: Rules, played: Round, up: Collection[Card] | None = None) -> LaidTable:
    """A round as it lies; ``up`` names the cards that lie face up, if not all do."""

    def lie(cards: Hand) -> list[str]:
        return [show_card(card) if up is None or card in up else HIDDEN for card in cards]

    seats = played.clockwise()
    places = {"dealer": played.dealer, **played.extras, **{f"seat {each.number}": each.final_cards for each in seats}}
    decisions: dict[str, Any] = {
        str(each.number): {
            step: {"choice": made.choice, "amount": made.amount, "discard": [], "drawn": []}
            for step, made in each.decisions.items()
        }
        for each in seats
    }
    view = {
        "seats": {},
        "wagers": {},
        "round": {
            "players": {str(each.number): f"Seat {each.number}" for each in seats},
            "wagers": {str(each.number): dict(each.wagers) for each in seats},
            "hands": {place: lie(cards) for place, cards in places.items() if cards},
            "decisions": decisions,
            "dice": list(played.dice),
            "magic_card": None if played.magic_card is None else show_card(played.magic_card),
            "unused": "",
            "lines": [],
        },
    }
    return of_view(rules, view)


def of_wagers(rules: Rules, wagers: Mapping[int, Mapping[str, Cents]]) -> LaidTable:
    """Chips on the layout before the cards."""
    lying = {str(seat): dict(made) for seat, made in wagers.items()}
    return of_view(rules, {"seats": {seat: f"Seat {seat}" for seat in lying}, "wagers": lying, "round": None})


def of_cards(**hands: Hand) -> LaidTable:
    """Cards alone, each hand under whose it is."""
    return LaidTable(tuple(TableRow(whose, cards) for whose, cards in hands.items()))


def of_view(rules: Rules, view: dict[str, Any]) -> LaidTable:
    """A table as a view shows it."""
    return LaidTable(tuple(_rows(rules, view)), rules, view)


def _rows(rules: Rules, view: Mapping[str, Any]) -> Iterator[TableRow]:
    played = view["round"] or {"players": view["seats"], "wagers": view["wagers"], "hands": {}, "decisions": {}}
    if played.get("dice"):
        words = spoken_of(rules).shows
        yield TableRow(f"{words[:1].upper()}{words[1:]}", (), shown_faces(played["dice"]))
    hands: Mapping[str, list[str]] = played["hands"]
    for place in sorted((place for place in hands if owner(place) is None), key=lambda place: place != "dealer"):
        yield _row(shown(place), hands[place])
    for seat in sorted(map(int, played["players"] | view["seats"])):
        made = played["wagers"].get(str(seat), {})
        words = ", ".join(f"{wager_title(rules, name)} {show_dollars(stake)}" for name, stake in made.items())
        steps = played["decisions"].get(str(seat), {}).values()
        said = ", then ".join(choice_words(Decision(each["choice"], each["amount"])) for each in steps)
        yield _row(f"Seat {seat}", hands.get(f"seat {seat}", ()), "; ".join(filter(None, (words or "no wager", said))))
        for place in (place for place in hands if owner(place) == seat and place != f"seat {seat}"):
            yield _row(f"Seat {seat}, {shown(place.rpartition(' ')[0])}", hands[place])


def _row(who: str, cards: Collection[str], words: str = "") -> TableRow:
    seen = [card for card in cards if card != HIDDEN]
    down = f"{several(len(cards) - len(seen), 'card')} face down" if len(seen) < len(cards) else ""
    return TableRow(who, parse_cards(" ".join(seen)), "; ".join(filter(None, (down, words))))
