"""The dealer's pad: cards of a physical deck as they are keyed in, and whose card comes next."""

import json
from collections.abc import Collection, Sequence
from typing import Final

from pitboss.cards import ACE, DECK, Card, is_red, rank_of, show_card, suit_of
from pitboss.games.chance import spoken_of
from pitboss.games.course import Bets, Deal, Decide, Draw, Roll, Settle, Step, TurnUp
from pitboss.reports.cards import card_name
from pitboss.table.dealing import slots_of
from pitboss.table.deciding import DrawCards, drawing_now
from pitboss.table.place import place_of
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import Phase, Table
from pitboss.web.pages.live import field, row
from pitboss.web.pages.shell import escape, sheet
from pitboss.web.pages.steps import decision_name, place

PAD: Final = sheet("pad.html")
SIGNS: Final = "♣♦♥♠"
BACK: Final = '<button type="button" class="pb-press plain" data-back>Take the last back</button>'
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


def entry_html(label: str, name: str, slots: Sequence[str], gone: Collection[Card], *press: str) -> str:
    """A field for cards with the button that sends them, and all 52 to pick from; what lies in it is shown by place,
    and can be replaced."""
    first = f"Next: {slots[0]} · {len(slots)} of {len(slots)} left" if slots else "All cards are keyed in"
    places = "".join(f'<div><span class="pb-place">{escape(each)}</span></div>' for each in dict.fromkeys(slots))
    return (
        f'<div class="pb-entry" data-slots="{escape(json.dumps(slots))}">'
        f'<p class="pb-next-card" data-next aria-live="polite">{escape(first)}</p>'
        f'<div class="pb-keyed" data-keyed-cards>{places}</div>{field(label, name, wide=True)}{row(*press, BACK)}'
        f'<div class="pb-picker" role="group" aria-label="Cards">{"".join(_pick(card, gone) for card in PICKER)}</div>'
        "</div>"
    )


def _pick(card: Card, gone: Collection[Card]) -> str:
    out = " data-gone disabled" if card in gone else ""
    red = (" red" if is_red(card) else "") + (" first" if rank_of(card) == ACE else "")
    name = escape(card_name(show_card(card)))
    return (
        f'<button type="button" class="pb-pick{red}" data-card="{show_card(card)}" aria-label="{name}"{out}>'
        f"{sign_of(card)}</button>"
    )


def course_html(table: Table) -> str:
    """All steps of a round, the present one marked."""
    if table.phase in (Phase.CLOSED, Phase.OPENING, Phase.IDLE):
        return ""
    course = game_at(table).course
    now = _now(table, course.flat)
    shown: list[tuple[str, bool]] = []
    for step in course.flat:
        word = _word(table, step)
        if shown and shown[-1][0] == word:
            shown[-1] = (word, shown[-1][1] or step is now)
        else:
            shown.append((word, step is now))
    shown.append(("Collect", table.phase in (Phase.COLLECTING, Phase.DECK_COUNT)))
    parts = (f"<li{' aria-current=step' if here else ''}>{escape(word)}</li>" for word, here in shown)
    return f'<ol class="pb-course" aria-label="Steps of the round">{"".join(parts)}</ol>'


def _now(table: Table, steps: Sequence[Step]) -> Step | None:
    """The step that the table has come to."""
    if table.play is None:
        return next((step for step in steps if isinstance(step, Bets)), None)
    if table.phase in (Phase.COUNTING, Phase.DEALING, Phase.STUB):
        return next((step for step in steps if isinstance(step, Deal | Roll)), None)
    if table.phase in (Phase.SETTLING, Phase.LOCKED):
        settled = {line.stage for line in table.play.lines}
        open_ones = [step for step in steps if isinstance(step, Settle) and step.stage not in settled]
        return next(iter(open_ones), None) or next((step for step in reversed(steps) if isinstance(step, Settle)), None)
    return None if table.phase in (Phase.COLLECTING, Phase.DECK_COUNT) else place_of(table).step


def _word(table: Table, step: Step) -> str:
    match step:
        case Bets():
            return "Wagers"
        case Roll():
            return spoken_of(rules_at(table)).button
        case Decide():
            return "Decisions" if len(game_at(table).course.decides) == 1 else decision_name(step)
        case TurnUp():
            return f"Turn up {_named(step.place).lower()}"
    return {Deal: "Deal", Settle: "Settle", Draw: "Draw"}.get(type(step), type(step).__name__)
