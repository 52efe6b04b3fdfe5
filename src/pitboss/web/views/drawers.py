"""The drawers below the console: irregularities with their remedy, chips with slips, and every other command."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, Final, get_type_hints

from pitboss.findings import UnreadableError
from pitboss.money import Cents, MoneyError, cents, show_dollars
from pitboss.table.command import COMMANDS
from pitboss.table.irregular import EXPOSED, FACE_UP, OUT_OF_ORDER, UNFILLED, WHEN, WRONG_NUMBER, can_happen
from pitboss.table.permissions import may
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.ruling import cite_of, procedure_of, rules_at
from pitboss.table.standing import read_hands
from pitboss.table.state import SHOE, SHUFFLER, VIRTUAL, Phase, Table
from pitboss.web.scene import Scene
from pitboss.web.views.base import Visit
from pitboss.web.views.pad import words

DOLLARS: Final = ("fill", "chip_limit", "minimum", "maximum", "amount")
"""Fields of commands that are sums of money."""
CHIP_ACTS: Final[Mapping[str, str]] = {
    "buy_in": "Buy in: cash for chips",
    "cash_out": "Cash out: chips for cash",
    "fill": "Fill: chips from the cage",
    "credit": "Credit: chips to the cage",
    "repay": "Repay: chips owed since a void round",
}
NO_PLAYER: Final = ("fill", "credit")
IN_DRAWERS: Final = ("irregularity", *CHIP_ACTS)
"""Commands with a drawer of their own."""
LONG: Final = ("submission",)
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"device": (SHUFFLER, SHOE), "how": ("cover", "sign")}
"""Fields with only a few values."""
MOST_TEXT: Final = 200_000
REMEDIES: Final[Mapping[str, str]] = {
    "discard-card": "the card goes to the discard rack",
    "if-several": "more than one: hands void, wagers back, reshuffle",
    "use-as-next-card": "it is used as the next card",
    "void-hands": "all hands are void",
    "void-round": "the round is void",
    "return-wagers": "all wagers go back",
    "reshuffle": "the cards are reshuffled",
    "remove-cards-and-reshuffle": "the cards leave the device and are reshuffled with those dealt",
    "cover-or-sign-before-other-method": "cover or sign the device before another method is used",
}
ENDS: Final = {"return": "go back", "settle": "are settled"}
"""What a remedy does with the wagers that it names."""


@dataclass(frozen=True)
class FieldShown:
    """A field of a command."""

    name: str
    title: str
    kind: str
    """``text``, ``number``, ``long``, ``check`` or ``choice``."""
    start: str = ""
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Irregular:
    """Something that can go wrong now, and what the law does about it."""

    what: str
    title: str
    remedy: str
    cite: str
    fields: tuple[FieldShown, ...]


def _named(what: str) -> str:
    """An irregularity as the law names it."""
    return WRONG_NUMBER if what == UNFILLED else what


def remedy_of(table: Table, what: str) -> str:
    """What the law does about an irregularity, in a line."""
    procedure = procedure_of(table, what)
    parts = procedure.remedy if procedure is not None else ()
    said = "; ".join(REMEDIES.get(part.partition(":")[0]) or _wagers_named(table, part) for part in parts)
    return said[:1].upper() + said[1:]


def _wagers_named(table: Table, part: str) -> str:
    verb, _, names = part.partition(": ")
    wagers = [wager for wager in rules_at(table).chapter.wagers if wager.name in names.split(", ")]
    titles = [wager.title.removesuffix(" Wager") for wager in wagers]
    return f"{', '.join(titles)} {ENDS[verb]}" if titles and verb in ENDS else part.replace("-", " ")


def irregulars(table: Table, role: Role) -> tuple[Irregular, ...]:
    """What can go wrong with the cards and devices now."""
    if table.phase == Phase.CLOSED or role not in (Role.DEALER, *SUPERVISORS):
        return ()
    now = (what for what in WHEN if can_happen(table, what))
    return tuple(
        Irregular(
            what,
            words(what),
            remedy_of(table, _named(what)),
            cite_of(table, _named(what)),
            tuple(_irregular_fields(table, what)),
        )
        for what in now
        if procedure_of(table, _named(what)) is not None
    )


def _irregular_fields(table: Table, what: str) -> list[FieldShown]:
    found = []
    if what == WRONG_NUMBER:
        found.append(FieldShown(f"{what}.seat", "Seat (empty: the dealer)", "number"))
    if what == FACE_UP:
        found.append(FieldShown(f"{what}.count", "How many cards", "number", "1"))
        if table.source != VIRTUAL:
            found.append(FieldShown(f"{what}.cards", "Cards found", "text"))
    if what == OUT_OF_ORDER:
        found.append(FieldShown(f"{what}.device", "Device", "choice", "", _options(CHOICES["device"])))
    if what in EXPOSED and table.physical:
        title = "Hands that wagers stand on, such as seat 3: Qs 9h 4d 2c; all six card: 2h"
        found.append(FieldShown(f"{what}.hands", title, "text"))
    return found


def _options(values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((each, words(each)) for each in values)


def irregularity(visit: Visit, table: Table) -> dict[str, Any]:
    """The report as it was filled in."""
    what = visit.typed("what")
    body: dict[str, Any] = {"command": "irregularity", "what": what}
    given = {name: visit.typed(f"{what}.{name}").strip() for name in ("seat", "count", "cards", "device", "hands")}
    if given["seat"]:
        body["seat"] = whole(given["seat"], "Seat")
    if what == FACE_UP:
        body |= {"count": whole(given["count"] or "1", "How many cards"), "cards": given["cards"]}
    if what in EXPOSED and given["hands"] and table.physical:
        body["hands"] = read_hands(given["hands"])
    if what == OUT_OF_ORDER:
        body["device"] = given["device"]
    return body


def whole(text: str, title: str) -> int:
    if not (text.strip().isascii() and text.strip().isdecimal() and len(text.strip()) <= 9):
        raise UnreadableError(f"{title}: give a whole number, such as 3.")
    return int(text)


def dollars(text: str, title: str) -> Cents:
    try:
        return cents(text.strip())
    except MoneyError as problem:
        raise UnreadableError(f"{title}: {problem}; write one such as 25 or 2.50.") from None


def chips_moved(visit: Visit, slip: int) -> dict[str, Any]:
    """A buy-in, cash-out, fill or credit as it was filled in."""
    act = visit.typed("act")
    if act not in CHIP_ACTS:
        raise UnreadableError("Choose what is to be done with the chips.")
    body = {
        "command": act,
        "amount": dollars(visit.typed("amount"), "Dollars"),
        "slip": whole(visit.typed("slip") or str(slip), "Slip number"),
    }
    return body if act in NO_PLAYER else {**body, "player": visit.typed("player")}


def commands(table: Table, role: Role) -> tuple[tuple[str, str], ...]:
    """Every other command of this job function that the phase allows."""
    names = sorted(
        name
        for name, kind in COMMANDS.items()
        if may(role, f"table.{name}") and table.phase in kind.phases and name not in IN_DRAWERS
    )
    return tuple((name, words(name)) for name in names)


@dataclass(frozen=True)
class CommandForm:
    name: str
    title: str
    about: str
    fields: tuple[FieldShown, ...]


@cache
def _hints(name: str) -> dict[str, Any]:
    return get_type_hints(COMMANDS[name])


def command_form(scene: Scene, name: str) -> CommandForm:
    """A command as a small form."""
    kind = COMMANDS[name]
    about = kind.__doc__ if kind.__doc__ and not kind.__doc__.startswith(kind.__name__) else ""
    shown = (_field(scene, name, known.name, known.default) for known in fields(kind))
    return CommandForm(name, words(name), " ".join((about or "").split()), tuple(each for each in shown if each))


def form_of(scene: Scene, role: Role, name: str) -> CommandForm | None:
    """The form that the address asks for, if this job function has that command now."""
    return command_form(scene, name) if name in dict(commands(scene.table, role)) else None


def _field(scene: Scene, command: str, name: str, default: object) -> FieldShown | None:
    title, hint, start = words(name), _hints(command)[name], "" if default in (MISSING, None) else default
    if name == "wager" and scene.rules is not None:
        wagers = tuple((wager.name, wager.title) for wager in scene.rules.wagers.values() if not wager.picks)
        return FieldShown(f"f.{name}", title, "choice", "", wagers)
    if name in CHOICES:
        return FieldShown(f"f.{name}", title, "choice", str(start), _options(CHOICES[name]))
    if name in DOLLARS:
        amount = show_dollars(start) if isinstance(start, int) and start else ""
        return FieldShown(f"f.{name}", f"{title}, dollars", "text", amount)
    if hint in (bool, bool | None):
        return FieldShown(f"f.{name}", title, "check", "1" if default is True else "")
    if hint in (int, int | None):
        return FieldShown(f"f.{name}", title, "number", str(start))
    if hint is str:
        return FieldShown(f"f.{name}", title, "long" if name in LONG else "text", str(start))
    return None


def command_body(visit: Visit, name: str) -> dict[str, Any]:
    """A command as its form was filled in; an empty field has its default."""
    body: dict[str, Any] = {"command": name}
    for known in fields(COMMANDS[name]):
        typed, hint, title = visit.typed(f"f.{known.name}").strip(), _hints(name)[known.name], words(known.name)
        if hint in (bool, bool | None):
            if typed or (hint is bool and known.default is True):
                body[known.name] = bool(typed)
        elif not typed:
            continue
        elif known.name in DOLLARS:
            body[known.name] = dollars(typed, title)
        elif hint in (int, int | None):
            body[known.name] = whole(typed, title)
        else:
            body[known.name] = visit.typed(f"f.{known.name}")[:MOST_TEXT]
    return body
