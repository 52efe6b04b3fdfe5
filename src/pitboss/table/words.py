"""Words that the sentences of several kinds of event share."""

from collections.abc import Iterable

from pitboss.cards import Card, show_card
from pitboss.games.registry import GAMES
from pitboss.names import shown

REASONS = {"due": "replacement due"}
"""Reasons that a command gives by itself, in words."""


def in_words(words: str) -> str:
    return words.replace("_", " ").replace("-", " ")


def comma_list(words: Iterable[object]) -> str:
    return ", ".join(map(str, words)) or "none"


def seats_in_words(numbers: tuple[int, ...]) -> str:
    return f"seat{'s' if len(numbers) > 1 else ''} {comma_list(numbers)}"


def because(reason: str) -> str:
    """Return a reason as the end of a sentence; nothing where none was given.

    >>> because("due"), because("")
    (': replacement due', '')
    """
    return f": {REASONS.get(reason, reason)}" if reason else ""


def game_title(name: str) -> str:
    return GAMES[name].chapter.title if name in GAMES else name


def meter_words(meter: str) -> str:
    """Return a table's own meter by its wager and its table, a linked one by its name.

    >>> meter_words("t-1-grand_meter"), meter_words("wide-area")
    ('Grand Meter of t-1', 'wide-area')
    """
    table, _, name = meter.rpartition("-")
    return f"{shown(name)} of {table}" if table and "_" in name else meter


def account_words(account: str) -> str:
    """Return an account of a meter as its meter, and the tier where it has several.

    >>> account_words("meter:t-1-grand_meter:meter"), account_words("meter:wide-area:major")
    ('Grand Meter of t-1', 'wide-area, major')
    """
    meter, _, tier = account.removeprefix("meter:").rpartition(":")
    return meter_words(meter) + (f", {tier}" if tier != "meter" else "")


def card_words(cards: Iterable[int | str]) -> str:
    """Return cards of a decision; those that lie face down for the reader come as marks already."""
    return " ".join(card if isinstance(card, str) else show_card(Card(card)) for card in cards)


def face_down(cards: Iterable[str]) -> str:
    """Return the cards of one place in words where none is known: how many there are; else nothing.

    >>> face_down(["??", "??"]), face_down(["??"]), face_down(["As", "??"])
    ('2 cards not turned up', '1 card not turned up', '')
    """
    every = [*cards]
    if not every or {*every} != {"??"}:
        return ""
    return f"{len(every)} card{'s' if len(every) > 1 else ''} not turned up"
