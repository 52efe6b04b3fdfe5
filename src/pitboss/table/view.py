"""The table as one person may see it: a card that lies face down is seen by its own player and nobody else."""

from collections.abc import Iterator, Mapping
from typing import Any

from pitboss.cards import show_card, show_cards
from pitboss.games.course import HANDS
from pitboss.games.settlement import LineResult
from pitboss.table.chips import handover_at
from pitboss.table.codec import encode
from pitboss.table.deciding import warning
from pitboss.table.happened import HIDDEN
from pitboss.table.kinds.settlement import SECRET_LATER, secret
from pitboss.table.place import is_known, open_cards
from pitboss.table.ruling import hand_at, thrown_at
from pitboss.table.state import Dealt, LiveRound, Settled, Table

PUBLIC = (
    "id", "phase", "game", "as_of", "source", "meters", "dealing", "shuffling", "failed", "covered", "decks", "limits",
    "rounds", "events", "carried",
)  # fmt: skip
"""The public state of a table; the rest is redacted seat by seat."""
PUBLIC_IN_ROUND = ("number", "left", "paperwork", "validated", "lucky_position", "dice")


def own_seats(table: Table, person: str) -> frozenset[int]:
    """Seats whose cards a person may look at."""
    if table.play is None:
        return frozenset(seat for seat, player in table.boxes.items() if player == person)
    return frozenset(seat for seat, player in table.play.players.items() if player == person)


def view(table: Table, person: str) -> dict[str, Any]:
    """Everything about the table except what this person may not see."""
    return {
        **{name: encode(getattr(table, name)) for name in PUBLIC},
        "deck": table.active,
        "seats": {str(seat): player for seat, player in sorted(table.boxes.items())},
        "wagers": {str(seat): dict(made) for seat, made in sorted(table.staged.items())},
        "warning": warning(table),
        "round": None if table.play is None else _play(table, table.play, person),
    }


def turned_up(table: Table, play: LiveRound) -> frozenset[int]:
    """Seats whose cards have been turned face up: their hand was settled, or paid while others lay face down."""
    if (hand := hand_at(table)) is not None:
        return frozenset(hand.shown if play.turned else ())
    if table.physical:  # a known card lies face up on the table
        return frozenset(seat for seat in play.wagers if play.hand(f"seat {seat}"))
    return frozenset(
        line.turn for line in play.lines if line.stage == HANDS or (line.face_down and line.result == LineResult.WIN)
    )


def seen_cards(table: Table, play: LiveRound, mine: frozenset[int]) -> Iterator[tuple[Dealt, bool]]:
    """Every card on the layout, and whether somebody with these seats sees it: own, dealt face up, or turned up."""
    seats, opened = turned_up(table, play) | mine, open_cards(table)
    laid: dict[str, int] = {}
    for dealt in play.dealt:
        place = laid[dealt.to] = laid.get(dealt.to, 0) + 1
        own = dealt.to.startswith("seat ") and int(dealt.to.removeprefix("seat ")) in seats
        known = dealt.card is not None
        yield dealt, known and (table.physical or dealt.face_up or own or place <= opened.get(dealt.to, 0))


def _play(table: Table, play: LiveRound, person: str) -> dict[str, Any]:
    mine = own_seats(table, person)
    open_seats = turned_up(table, play) | mine
    hands: dict[str, list[str]] = {}
    for dealt, seen in seen_cards(table, play, mine):
        hands.setdefault(dealt.to, []).append(show_card(dealt.card) if seen and dealt.card is not None else HIDDEN)
    for seat in play.drew:
        last = play.last.get(seat)
        hands[f"seat {seat}"] = [HIDDEN] * play.held(seat) if last is None else [*map(show_card, last)]
    return {
        **{name: encode(getattr(play, name)) for name in PUBLIC_IN_ROUND},
        "wagers": {str(seat): dict(made) for seat, made in sorted(play.wagers.items())},
        "players": {str(seat): player for seat, player in sorted(play.players.items())},
        "hands": hands,
        "unused": show_cards(play.unused),
        "decisions": {
            str(seat): {step: _decision(encode(decision), seat in open_seats) for step, decision in made.items()}
            for seat, made in sorted(play.decisions.items())
        },
        "locked": bool(play.locked),
        "revealed": is_known(table),
        "lines": [_line(table, line, mine) for line in play.lines],
        "magic_card": None if play.magic_card is None else show_card(play.magic_card),
        "cards_left": 0 if thrown_at(table) else play.in_deck,
        **_chips(table),
    }


def _chips(table: Table) -> dict[str, Any]:
    """What everybody sees of chips that players bet against each other, and what the next of them may do."""
    if (hand := hand_at(table)) is None:
        return {}
    return {
        "pots": [{"amount": pot.amount, "seats": list(pot.seats)} for pot in hand.in_pots],
        "bets": {str(seat): hand.bet(seat) for seat in hand.numbers if hand.bet(seat)},
        "stacks": {str(seat): hand.stack(seat) for seat in hand.numbers},
        "options": [{"choice": option.name, "price": option.price or 0} for option in hand.options],
    }


def _decision(decision: Mapping[str, Any], own: bool) -> dict[str, Any]:
    """What somebody decided is public; which cards were discarded and drawn is not."""
    cards = {name: [show_card(card) if own else HIDDEN for card in decision[name]] for name in ("discard", "drawn")}
    return {**decision, **cards}


def _line(table: Table, line: Settled, mine: frozenset[int]) -> dict[str, Any]:
    shown = {**encode(line), **handover_at(table, line).as_dict()}
    if line.turn not in mine and secret(line.result, face_down=line.face_down):
        shown["why"] = SECRET_LATER
    return shown
