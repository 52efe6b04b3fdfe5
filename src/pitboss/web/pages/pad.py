"""The dealer's pad: cards of a physical deck as they are keyed in, and whose card comes next."""

import json
from collections.abc import Collection, Sequence
from typing import Final

from pitboss.cards import DECK, Card, is_red, show_card, suit_of
from pitboss.reports.cards import card_name
from pitboss.table.dealing import slots_of
from pitboss.table.deciding import DrawCards, drawing_now
from pitboss.table.state import Phase, Table
from pitboss.web.pages.live import field
from pitboss.web.pages.shell import escape, sheet
from pitboss.web.pages.steps import place

PAD: Final = sheet("pad.html")
SIGNS: Final = "♣♦♥♠"
PICKER: Final = sorted(DECK, key=lambda card: (suit_of(card), card), reverse=True)
"""Spades first, each suit from the ace down."""


def sign_of(card: Card) -> str:
    """A card with the sign of its suit.

    >>> sign_of(DECK[51]), sign_of(DECK[33])
    ('A♠', '10♦')
    """
    name = show_card(card)
    return name[:-1].replace("T", "10") + SIGNS[suit_of(card)]


def slot_names(table: Table) -> list[str]:
    """Where the cards that are still to be keyed in go, in the order in which they leave the deck."""
    if table.phase == Phase.DRAWING:
        return [_named(f"seat {drawing_now(table)}")] * DrawCards().wanted(table)
    return [_named(slot.to) for slot in slots_of(table, table.playing)[len(table.playing.dealt) :]]


def _named(to: str) -> str:
    words = place(to).removeprefix("the ")
    return words[:1].upper() + words[1:]


def entry_html(label: str, name: str, slots: Sequence[str], gone: Collection[Card]) -> str:
    """A field for cards with all 52 of them to pick from; what lies in it is shown by place, and can be replaced."""
    first = f"Next: {slots[0]} · {len(slots)} of {len(slots)} left" if slots else "All cards are keyed in"
    places = "".join(f'<div><span class="pb-place">{escape(each)}</span></div>' for each in dict.fromkeys(slots))
    return (
        f'<div class="pb-entry" data-slots="{escape(json.dumps(slots))}">'
        f'<p class="pb-next-card" data-next aria-live="polite">{escape(first)}</p>'
        f'<div class="pb-keyed" data-keyed-cards>{places}</div>{field(label, name, wide=True)}'
        f'<div class="pb-picker" role="group" aria-label="Cards">{"".join(_pick(card, gone) for card in PICKER)}'
        f'<button type="button" class="pb-pick wide" data-back>Take the last back</button></div></div>'
    )


def _pick(card: Card, gone: Collection[Card]) -> str:
    out = " data-gone disabled" if card in gone else ""
    red = " red" if is_red(card) else ""
    name = escape(card_name(show_card(card)))
    return (
        f'<button type="button" class="pb-pick{red}" data-card="{show_card(card)}" aria-label="{name}"{out}>'
        f"{sign_of(card)}</button>"
    )
