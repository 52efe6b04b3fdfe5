"""The table as one person may see it: a card that lies face down is seen by its own player and nobody else."""

from collections.abc import Mapping
from typing import Any

from pitboss.cards import show_card, show_cards
from pitboss.games.settlement import Result, Stage
from pitboss.table.codec import encode
from pitboss.table.drawing import warning
from pitboss.table.events import Event
from pitboss.table.state import Play, Settled, Table

HIDDEN = "??"
SECRET_LATER = "The reason is shown when the round is over."


def own_seats(table: Table, person: str) -> frozenset[int]:
    """Seats whose cards a person may look at."""
    if table.play is None:
        return frozenset(seat for seat, player in table.boxes.items() if player == person)
    return frozenset(seat for seat, player in table.play.players.items() if player == person)


def view(table: Table, person: str) -> dict[str, Any]:
    """Everything about the table except what this person may not see."""
    shown: dict[str, Any] = {
        "id": table.id,
        "phase": str(table.phase),
        "game": table.game,
        "as_of": table.as_of,
        "source": table.source,
        "meters": dict(table.meters),
        "dealing": table.dealing,
        "shuffling": table.shuffling,
        "failed": list(table.failed),
        "covered": dict(table.covered),
        "deck": table.active,
        "decks": {name: encode(deck) for name, deck in table.decks.items()},
        "seats": {str(seat): player for seat, player in sorted(table.boxes.items())},
        "wagers": {str(seat): dict(made) for seat, made in sorted(table.staged.items())},
        "limits": {name: list(limits) for name, limits in table.limits.items()},
        "rounds": table.rounds,
        "events": table.events,
        "warning": warning(table),
        "round": None if table.play is None else _play(table, table.play, person),
    }
    return shown


def turned_up(play: Play) -> frozenset[int]:
    """Seats whose cards have been turned face up: settled against the dealer, or paid a declared hand."""
    return frozenset(
        line.turn
        for line in play.lines
        if line.stage == Stage.HANDS or (_before_draw(line) and line.result == Result.WIN)
    )


def _before_draw(line: Settled) -> bool:
    return line.stage == Stage.LOCKED_IN


def _play(table: Table, play: Play, person: str) -> dict[str, Any]:
    mine = own_seats(table, person)
    open_seats = turned_up(play) | mine
    hands: dict[str, list[str]] = {}
    for dealt in play.dealt:
        number = dealt.to.removeprefix("seat ")
        seen = dealt.face_up or (number.isdigit() and int(number) in open_seats) or _after_reveal(play, dealt.to)
        hands.setdefault(dealt.to, []).append(show_card(dealt.card) if seen else HIDDEN)
    return {
        "number": play.number,
        "wagers": {str(seat): dict(made) for seat, made in sorted(play.wagers.items())},
        "players": {str(seat): player for seat, player in sorted(play.players.items())},
        "hands": hands,
        "unused": show_cards(play.unused),
        "decisions": {
            str(seat): _decision(encode(decision), seat in open_seats)
            for seat, decision in sorted(play.decisions.items())
        },
        "locked": play.locked,
        "revealed": play.revealed,
        "lines": [_line(line, mine) for line in play.lines],
        "left": list(play.left),
        "paperwork": play.paperwork,
        "validated": list(play.validated),
        "magic_card": None if play.magic_card is None else show_card(play.magic_card),
        "lucky_position": play.lucky_position,
        "cards_left": 52 - len(play.left_deck),
    }


def _after_reveal(play: Play, to: str) -> bool:
    """The dealer's hand, and cards that everybody shares, are turned up together."""
    return play.revealed and not to.startswith("seat ") and to != "discard"


def _decision(decision: Mapping[str, Any], own: bool) -> dict[str, Any]:
    """What somebody decided is public; which cards were discarded and drawn is not."""
    cards = {name: [show_card(card) if own else HIDDEN for card in decision[name]] for name in ("discard", "drawn")}
    return {**decision, **cards}


def _line(line: Settled, mine: frozenset[int]) -> dict[str, Any]:
    shown = encode(line)
    if _hides_reason(line.stage, line.result, line.turn, mine):
        shown["why"] = SECRET_LATER
    return dict(shown)


def _hides_reason(stage: str, result: str, turn: int, mine: frozenset[int]) -> bool:
    """The reason of a loss before the draw names cards that stay face down."""
    return stage == Stage.LOCKED_IN and result != Result.WIN and turn not in mine


def seen_event(event: Event, mine: frozenset[int]) -> dict[str, Any]:
    """The data of an event as somebody with these seats may see it while the round lasts."""
    data = dict(event.data)
    if event.kind in ("cards.dealt", "cards.drawn"):
        data["cards"] = [[card if up or _is_mine(to, mine) else HIDDEN, to, up] for card, to, up in event.data["cards"]]
    elif event.kind == "decision.made" and data["seat"] not in mine:
        data["decision"] = _hidden_decision(data["decision"])
    elif event.kind == "line.settled" and _hides_reason(data["stage"], data["result"], data["turn"], mine):
        data["why"] = SECRET_LATER
    elif event.kind == "wagers.abandoned" and data["seat"] not in mine and data["fold"]:
        data["fold"] = _hidden_decision(data["fold"])
    return data


def _hidden_decision(decision: Mapping[str, Any]) -> dict[str, Any]:
    cards: dict[str, list[str]] = {name: [HIDDEN] * len(decision[name]) for name in ("discard", "drawn")}
    return {**decision, **cards}


def _is_mine(to: str, mine: frozenset[int]) -> bool:
    number = to.removeprefix("seat ")
    return number.isdigit() and int(number) in mine
