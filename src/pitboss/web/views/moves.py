"""What a player may do now, as buttons, and what their presses say; for a live table and for practice."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pitboss.cards import show_cards
from pitboss.findings import UnreadableError, refusal
from pitboss.games.course import Option
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.money import Cents, show_dollars
from pitboss.reports.spots import shared_spots, spots_of
from pitboss.table.declaring import may_declare
from pitboss.table.ruling import game_at
from pitboss.table.state import Table
from pitboss.web.choices import CHIPS, AskedSeat, presses
from pitboss.web.film import decision_name
from pitboss.web.limits import check_json
from pitboss.web.views import board
from pitboss.web.views.base import Visit

MOST_PRESS: Final = 2000
"""Characters of the value of a button."""
HOW_TO_WAGER: Final = "Pick a chip, then a spot. A progressive takes its fixed amount; press it again to take it back."
STALE: Final = refusal("stale", "", "", "The table has moved on. Look again, then press.", severity="note")
_UNREADABLE: Final = "This press can't be read. Load the page again."


@dataclass(frozen=True)
class ChoiceButton:
    """A button: its words, what it costs or brings, the key, and the press it stands for."""

    id: str
    label: str
    about: str
    value: str
    key: str = ""
    lead: bool = False
    disabled: bool = False
    choice: str = ""
    step: bool = False


def value(do: str, **more: Any) -> str:
    """A press as the value of its button."""
    return json.dumps({"do": do, **more}, separators=(",", ":"))


def decision_choices(table: Table, chips: Cents, at: str, waits: AskedSeat) -> Iterator[ChoiceButton]:
    """The choices of a decision, with what each costs. ``at`` names the decision: a press on another one is stale."""
    stake, taken, course = waits.sight.stake, set[str](), game_at(table).course
    risk = sum(waits.seat.wagers.get(wager, 0) for wager in course.main)
    all_presses = list(presses(waits))
    lead = next((press for press in all_presses if press.body["choice"] != "fold"), None)
    for number, press in enumerate(all_presses):
        name = str(press.body["choice"])
        letter = next((each for each in name.upper() if each.isalpha() and each not in taken), "")
        taken.add(letter)
        about = "nothing more"
        if press.cost > chips:
            about = f"needs {show_dollars(press.cost - chips)} more than you have"
        elif press.cost:
            times = Fraction(press.cost, stake) if stake else Fraction(0)
            unit = GAMES[table.game].chapter.unit_title
            about = f"{show_dollars(press.cost)} more" + (f", {float(times):g}× the {unit}" if unit.isalpha() else "")
        elif course.contest:
            about = "from your stake" if "$" in press.label else "give up the hand" if name == "fold" else about
        elif "$" in press.label:
            about = "comes back"
        elif name == "fold":
            about = f"give up {show_dollars(risk)}" if risk else "give up the hand"
        yield ChoiceButton(
            f"decide-{marked(at)}-{number}",
            press.label,
            about,
            value("decide", at=at, **press.body),
            letter,
            press is lead,
            press.cost > chips,
            name,
        )
    if may_declare(table, waits.seat.number):
        yield ChoiceButton(f"declare-{marked(at)}", "Declare a winning hand", "", value("declare", at=at), "W")


def decision_at(table: Table, waits: AskedSeat) -> str:
    """The decision of a recorded table that a button belongs to."""
    return f"{table.playing.number}.{waits.seat.number}.{waits.turn}"


def between_of(waits: AskedSeat, option: Option) -> tuple[Cents, Cents] | None:
    """The least and the most, where the law asks for no whole multiples."""
    times = next((each for each in option.puts.values() if each.said and not each.whole), None)
    if times is None or times.least == times.most:
        return None
    return waits.sight.stake * times.least, waits.sight.stake * times.most


def marked(at: str) -> str:
    """A decision as part of an id."""
    return at.replace(".", "-").replace(" ", "-")


@dataclass(frozen=True)
class Extra:
    """What a choice needs besides a press: an amount, or cards."""

    choice: ChoiceButton
    least: int
    most: int
    field: str = ""
    """The name of the field for an amount; empty if cards are chosen."""
    typed: str = ""
    """The amount that was typed and refused."""


def extras(at: str, waits: AskedSeat) -> Iterator[Extra]:
    """The choices for which the player gives an amount, or marks cards."""
    stake, mark = waits.sight.stake, marked(at)
    for option in waits.options:
        name = option.name.capitalize()
        if (between := between_of(waits, option)) is not None:
            least, most = (amount // 100 for amount in between)
            about = f"{show_dollars(100 * least)} to {show_dollars(100 * most)}, whole dollars"
            press = value("between", at=at, choice=option.name)
            yield Extra(
                ChoiceButton(f"between-{mark}-{option.name}", f"{name} this amount", about, press),
                least,
                most,
                "between",
            )
        draws = option.draws
        if draws is not None and draws.discards and not waits.sight.covered:
            cost = show_dollars(stake * sum(each.least for each in option.puts.values()))
            press = value("exchange", at=at, choice=option.name)
            about = f"{draws.least} to {draws.most} cards, {cost}: mark them on your hand"
            yield Extra(
                ChoiceButton(
                    f"exchange-{mark}-{option.name}", f"{name} the marked cards", about, press, choice=option.name
                ),
                draws.least,
                draws.most,
            )


def decision_words(table: Table, waits: AskedSeat) -> str:
    """What a decision is called, with what was chosen already."""
    several = len(game_at(table).course.decides) > 1 and waits.step.name != "decision"
    return (decision_name(waits.step) if several else "Your decision") + (f" (now: {waits.now})" if waits.now else "")


def chip_tray(chosen: Cents) -> list[tuple[Cents, str, bool, str]]:
    """The chips to pick from: amount, words, whether it is the one, and its picture."""
    return [(each, show_dollars(each), each == chosen, board.chip_picture(each)) for each in CHIPS]


def spots_by_name(rules: Rules, seat: int) -> list[tuple[str, str]]:
    """Every spot of a drawn layout, for those who can't press the drawing."""
    return [(each.name, each.title) for each in (*shared_spots(rules), *spots_of(rules, seat))]


def read_press(visit: Visit) -> Mapping[str, Any]:
    """The button that was pressed. A press is checked as strictly as a request in JSON."""
    text = visit.typed("do") or "{}"
    if len(text) > MOST_PRESS:
        raise UnreadableError(_UNREADABLE)
    try:
        check_json(text.encode())
        done = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableError(_UNREADABLE) from None
    if not isinstance(done, dict):
        raise UnreadableError(_UNREADABLE)
    return done


def decision_command(visit: Visit, done: Mapping[str, Any], waits: AskedSeat) -> dict[str, Any]:
    """The command of a decision that was pressed, with the amount or the cards that stand in the form."""
    body: dict[str, Any] = {"command": "decide", "seat": waits.seat.number, "choice": str(done.get("choice"))}
    match done["do"]:
        case "decide":
            body |= {name: done[name] for name in ("amount", "unseen") if isinstance(done.get(name), int)}
        case "between":
            body["amount"] = 100 * whole_dollars(visit.typed("between"), "Give the amount in whole dollars.")
        case "exchange":
            cards = [
                card for card in (show_cards((each,)) for each in waits.sight.cards) if f"discard.{card}" in visit.form
            ]
            _check_count(next((each for each in waits.options if each.name == body["choice"]), None), len(cards))
            body["discard"] = " ".join(cards)
    return body


def whole_dollars(text: str, refusal: str) -> int:
    if not text.strip().isdecimal() or len(text.strip()) > 9:
        raise UnreadableError(refusal)
    return int(text)


def _check_count(option: Option | None, count: int) -> None:
    draws = option.draws if option is not None else None
    if option is not None and draws is not None and not draws.least <= count <= draws.most:
        many = f"{draws.least} to {draws.most} cards"
        raise UnreadableError(f"{option.name.capitalize()} {many}, not {count}. Mark them on your hand.")
