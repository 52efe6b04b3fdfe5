"""The house's part of a table page: the dealer's console and pad, and the supervisors' acts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from pitboss.findings import Finding, UnreadableError
from pitboss.ledger.people import microseconds
from pitboss.money import show_dollars
from pitboss.table.declaring import may_be_paid_at_once
from pitboss.table.opening import next_slip
from pitboss.table.permissions import may
from pitboss.table.roles import Role
from pitboss.table.settling import SettleTurns, Validate, conceding
from pitboss.table.source import card_words
from pitboss.table.state import BETWEEN_ROUNDS, Phase
from pitboss.web.choices import CHIPS, AskedSeat, chip_command, first_chip
from pitboss.web.scene import Scene, feed_of
from pitboss.web.views import board, drawers, pad
from pitboss.web.views.base import Visit
from pitboss.web.views.moves import STALE, between_of, decision_at, spots_by_name, value
from pitboss.web.visitor import house

if TYPE_CHECKING:
    from pitboss.web.views.table import Doing

BLOCKS: Final = ("status", "board", "patrons", "keying", "console", "drawers", "settled", "about")
"""The regions of console.html."""
VIEWPOINT: Final = ("command", "declares")
"""Parameters of the address by which the windows of one person may differ."""
TAKE_OFF: Final = "off"
"""What the tray says where a press takes the chips off a spot."""
Findings = tuple[Finding, ...]


# What the page shows


def known(scene: Scene, visit: Visit, role: Role) -> dict[str, Any]:
    """What the regions need besides what every table page has."""
    table, person, rules = scene.table, visit.person.id, scene.rules
    feed = feed_of(house().pit, visit.person, table.id)
    step = pad.step_shown(scene, role)
    command = scene.step.command if scene.step else None
    ready, waiting = feed.turns() if isinstance(command, SettleTurns | Validate) else ((), None)
    due = waiting if isinstance(command, Validate) else ready[0] if ready else None
    shown = pad.turned_up(table, due, scene.shown)
    is_layout = rules is not None and board.is_drawn(rules)
    given = visit.given("chip")
    patrons = pad.patrons(scene, role, int(given) if given.isdecimal() and int(given[:7]) in CHIPS else 0)
    slip, last = next_slip(table, microseconds()), None
    if patrons is not None and patrons.chips:
        last = feed.last_act(scene)
    return {
        "who": visit.who,
        "role": role,
        "moment": pad.moment_of(table),
        "course": pad.course(table),
        "step": step,
        "warning": scene.shown["warning"],
        "is_layout": is_layout,
        "drawn": _drawn(scene, narrow=visit.given("narrow") == "1") if is_layout else "",
        "wagering": table.phase in BETWEEN_ROUNDS and may(role, "table.wager"),
        "later": {wager.name for wager in rules.wagers.values() if wager.placed != "before"} if rules else (),
        "board": board.board(replace(scene, shown=shown), range(1, rules.seats + 1)) if rules else None,
        "due": pad.payment(table, [due]) if due is not None and due.lines else None,
        "after": pad.payments(table, ready) if is_layout else (),
        "hands": pad.hands(table, due.seat, shown) if due is not None and not is_layout else (),
        "entry": pad.entry(scene, step),
        "declared": pad.declared_entry(table, role, _number(visit.given("declares"))),
        "throw": pad.throw_pad(scene, step, person),
        "correction": pad.correction(table, role, person),
        "asked": pad.asked_shown(scene, role, person),
        "patrons": patrons,
        "spots": spots_by_name(rules, 0) if is_layout and rules and patrons and patrons.chips else [],
        "log": feed.log(scene),
        "last_act": last and (last[0], value("undo", n=table.events)),
        "slip": slip,
        "players": [(each, each) for each in sorted(table.homes)],
        "irregulars": drawers.irregulars(table, role),
        "chip_acts": drawers.CHIP_ACTS if may(role, "table.buy_in") and table.phase != Phase.CLOSED else {},
        "commands": drawers.commands(table, role),
        "form": drawers.form_of(scene, role, visit.given("command")),
        "here": visit.path,
    }


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0


def _drawn(scene: Scene, *, narrow: bool) -> str:
    """The layout that all patrons bet on; upright on a phone."""
    wagers = scene.table.phase in BETWEEN_ROUNDS
    if not narrow:
        return board.layout(scene, interactive=wagers)
    served = next(iter(sorted(scene.table.boxes)), 0)
    behind = scene.table.boxes.get(served, "")
    return board.felt(scene, behind, narrow=True, four_color=False, interactive=wagers)


# What is pressed


def press(doing: "Doing") -> Findings | Response:
    """Carry out a press of the house's own people."""
    name = str(doing.done.get("do", ""))
    body = doing.done.get("body")
    if name == "sure" and isinstance(body, dict) and isinstance(body.get("command"), str):
        return doing.act(**body)
    act = ACTS.get(name)
    if not name:
        return ()
    if act is None:
        raise UnreadableError("This page knows no such act. Nothing was changed.")
    return act(doing)


def _is_late(doing: "Doing") -> bool:
    """Whether the press belongs to another moment of the round than the present one."""
    return doing.done.get("at") != pad.moment_of(doing.table)


def _step(doing: "Doing") -> Findings:
    """The next step of the procedure, with what the dealer has keyed in for it."""
    step, visit = doing.scene.step, doing.visit
    if step is None or step.command is None or not pad.is_mine(visit.person.role, step) or _is_late(doing):
        return (STALE,)
    body = {name: each for name, each in step.command.as_dict().items() if each is not None}
    match pad.step_shown(doing.scene, visit.person.role).kind:
        case "throw":
            body["dice"] = str(doing.done.get("dice") or visit.typed("dice"))
        case "keying":
            body["cards"] = visit.typed("cards")
        case "cut":
            body["at"] = drawers.whole(visit.typed("above"), "Cards above the cover card")
        case "rule":
            body |= {"stands": bool(doing.done.get("stands")), "why": visit.typed("why")}
    return doing.act(**body)


def _settle_all(doing: "Doing") -> Findings:
    return (STALE,) if _is_late(doing) else doing.act(command="settle")


def _concede(doing: "Doing") -> Findings:
    seat = conceding(doing.table)
    return (STALE,) if _is_late(doing) or seat != doing.done.get("seat") else doing.act(command="concede", seat=seat)


def _correct(doing: "Doing") -> Findings:
    """The card that was pressed instead of the one that is wrong."""
    wrong, right = doing.visit.typed("wrong"), str(doing.done.get("right", ""))
    if not wrong:
        raise UnreadableError("Press the card that is wrong first, then the right one.")
    return doing.act(command="correct_card", wrong=wrong, right=right)


def _correct_throw(doing: "Doing") -> Findings:
    """What was thrown, instead of what was called just now."""
    return (STALE,) if _is_late(doing) else doing.act(command="correct_throw", dice=str(doing.done.get("dice", "")))


def _chip(doing: "Doing") -> Findings:
    """A chip on a patron's spot, or all chips off it."""
    table, visit = doing.table, doing.visit
    seat = _number(str(doing.done.get("seat") or visit.typed("seat"))) or next(iter(sorted(table.boxes)), 0)
    wager, typed = str(doing.done.get("wager") or visit.typed("spot")), visit.typed("chip")
    if seat not in table.boxes or table.phase not in BETWEEN_ROUNDS:
        return (STALE,)
    if typed == TAKE_OFF:
        return doing.act(command="withdraw", seat=seat, wager=wager)
    chip = int(typed) if typed.isdecimal() and int(typed[:7]) in CHIPS else first_chip(doing.scene.rules)
    return doing.act(**chip_command(table, seat, wager, chip))


def _undo(doing: "Doing") -> Findings:
    last = doing.feed.last_act(doing.scene)
    if last is None or doing.done.get("n") != doing.table.events:
        return (STALE,)
    return doing.act(**last[1])


def _sit(doing: "Doing") -> Findings:
    seat = _number(str(doing.done.get("seat")))
    return doing.act(command="sit", seat=seat, player=doing.visit.typed(f"patron.{seat}").strip())


def _leave(doing: "Doing") -> Findings:
    return doing.act(command="leave", seat=_number(str(doing.done.get("seat"))))


def _cash(doing: "Doing") -> Findings:
    """Chips for the cash of the patron at a seat, or cash for chips."""
    table, seat, act = doing.table, _number(str(doing.done.get("seat"))), str(doing.done.get("act"))
    amount = drawers.dollars(doing.visit.typed(f"cash.{seat}"), "Dollars")
    slip = next_slip(table, microseconds())
    if act not in ("buy_in", "cash_out") or slip != doing.done.get("slip"):
        return (STALE,)
    return doing.act(command=act, player=table.boxes.get(seat, ""), amount=amount, slip=slip)


def _waits(doing: "Doing") -> AskedSeat | None:
    """The decision that a press is about, if the table still waits for it."""
    found = pad.asking(doing.table, doing.visit.person.id)
    return next((each for each in found if decision_at(doing.table, each) == doing.done.get("at")), None)


def _decide(doing: "Doing") -> Findings:
    waits, done, visit = _waits(doing), doing.done, doing.visit
    if waits is None:
        return (STALE,)
    choice = str(done.get("choice"))
    body: dict[str, Any] = {"command": "decide", "seat": waits.seat.number, "choice": choice}
    match done["do"]:
        case "decide":
            body |= {name: done[name] for name in ("amount", "unseen") if isinstance(done.get(name), int)}
        case "between":
            option = next((each for each in waits.options if each.name == choice), None)
            range_ = between_of(waits, option) if option is not None else None
            dollars = visit.typed(f"between.{choice}").strip()
            if range_ is None or not dollars.isdecimal() or len(dollars) > 9:
                least, most = map(show_dollars, range_ or (0, 0))
                raise UnreadableError(f"Give whole dollars from {least} to {most}.")
            body["amount"] = 100 * int(dollars)
        case "exchange":
            cards = (_card_of(word) for word in card_words(visit.typed(f"discard.{choice}")))
            body["discard"] = " ".join(cards)
    return doing.act(**body)


def _card_of(word: str) -> str:
    """A card as commands write it.

    >>> _card_of("10h"), _card_of("qS")
    ('Th', 'Qs')
    """
    return word[:-1].upper().replace("10", "T") + word[-1:].lower()


def _declare(doing: "Doing") -> Findings:
    return (STALE,) if _waits(doing) is None else doing.act(command="declare", seat=doing.done.get("seat"))


def _declared(doing: "Doing") -> Findings:
    """The cards of a hand that is paid at once."""
    seat = _number(str(doing.done.get("seat")))
    if doing.table.play is None or not may_be_paid_at_once(doing.table, seat):
        return (STALE,)
    return doing.act(command="declare", seat=seat, cards=doing.visit.typed("declared"))


def _irregular(doing: "Doing") -> Findings:
    return doing.act(**drawers.irregularity(doing.visit, doing.table))


def _move_chips(doing: "Doing") -> Findings:
    return doing.act(**drawers.chips_moved(doing.visit, next_slip(doing.table, microseconds())))


def _command(doing: "Doing") -> Findings:
    name = str(doing.done.get("command"))
    if name not in dict(drawers.commands(doing.table, doing.visit.person.role)):
        return (STALE,)
    return doing.act(**drawers.command_body(doing.visit, name))


ACTS: Final[Mapping[str, Callable[["Doing"], Findings]]] = {
    "step": _step, "settle-all": _settle_all, "concede": _concede, "correct": _correct,
    "correct-throw": _correct_throw, "chip": _chip, "undo": _undo,
    "sit": _sit, "leave": _leave, "cash": _cash, "decide": _decide, "between": _decide, "exchange": _decide,
    "declare": _declare, "declared": _declared, "irregular": _irregular, "move-chips": _move_chips,
    "command": _command,
}  # fmt: skip
