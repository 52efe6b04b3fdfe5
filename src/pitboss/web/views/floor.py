"""The floor: what waits for a supervisor over all tables, payout slips, the tables, and what needs a second person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from time import monotonic
from typing import Any, Final
from uuid import uuid4
from weakref import WeakKeyDictionary

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pitboss.clock import MICROSECONDS, day_of
from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.ledger.floor import Standing
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.preview import consequences
from pitboss.ledger.slips import due_slip
from pitboss.ledger.store import Reading
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import Cents, MoneyError, cents, show_dollars
from pitboss.names import several
from pitboss.reports.slip import slip_passages
from pitboss.table.bounds import Bounds
from pitboss.table.canonical import canonical
from pitboss.table.caption import WagerLimits, table_limits
from pitboss.table.events import CAGE, drop_account, inventory_account
from pitboss.table.guide import Step
from pitboss.table.kinds.house import TableOpened
from pitboss.table.permissions import may
from pitboss.table.roles import SUPERVISORS
from pitboss.table.ruling import rules_at
from pitboss.table.settling import Validate
from pitboss.table.state import Phase, Table
from pitboss.web.live import View
from pitboss.web.queue import floor_now, is_for, title_of
from pitboss.web.views.base import NOTICES, Visit, page, route
from pitboss.web.views.paper_page import document
from pitboss.web.views.proposals import answer, waiting
from pitboss.web.visitor import house

TICK_S: Final = 15
"""Seconds after which the floor is drawn again although nothing happened: it says for how long something waits."""
SIGNED: Final = "Signatures"
"""The part of a payout slip that is for paper only."""
BOUNDS: Final[Mapping[str, str]] = {
    "act": "Most chips in one act",
    "inventory": "Most chips at a table",
    "wager": "Greatest table limit",
}
ACTS: Final[Mapping[str, str]] = {
    "limits": "table.change_limits",
    "close": "table.close_table",
    "reopen": "table.open_table",
}
"""What is done to a table from its card, and the permission for it."""


@dataclass(frozen=True)
class Waiting:
    """One thing that waits for the reader."""

    key: str
    """Stays the same while the same thing waits."""
    since: int
    table: str
    title: str
    text: str
    cite: str
    how_long: str
    command: str = ""
    """The command of a press, as JSON; empty where the act needs more than a press."""
    events: int = 0
    is_payout: bool = False
    is_proposal: bool = False


@dataclass(frozen=True)
class Slip:
    """A payout slip that waits to be validated."""

    table: str
    title: str
    amount: Cents
    html: str
    command: str
    events: int


@dataclass(frozen=True)
class Money:
    """Chips and cash of a table since it was opened. ``win``: tray and drop, less what came from the cage."""

    tray: Cents
    drop: Cents
    win: Cents


@dataclass(frozen=True)
class FloorCard:
    """A table as the floor shows it."""

    id: str
    title: str
    phase: str
    is_open: bool
    since: int
    """When something happened there last."""
    how_long: str
    step: Step | None
    is_mine: bool
    is_payout: bool
    limits: tuple[WagerLimits, ...]
    seats: int
    taken: frozenset[int]
    rounds: int
    money: Money | None
    acts: tuple[str, ...]


@dataclass(frozen=True)
class Confirm:
    """A question before an act at a table: what is to be typed, or what would follow."""

    act: str
    title: str
    table: str
    sentences: tuple[str, ...] = ()
    ready: bool = False
    """Whether the consequences are known, so that the act can be done."""
    findings: tuple[Finding, ...] = ()
    limits: tuple[WagerLimits, ...] = ()
    wager: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)


@dataclass
class _Facts:
    """What the ledger says of a table, read again only after its next event."""

    events: int
    since: int
    money: Money


_facts: WeakKeyDictionary[Pit, dict[str, _Facts]] = WeakKeyDictionary()


def _facts_of(pit: Pit, reading: Reading, table: Table) -> _Facts:
    cached = _facts.setdefault(pit, {})
    known = cached.get(table.id)
    if known is None or known.events != table.events:
        known = cached[table.id] = _Facts(table.events, reading.last_time(table.id), _money(reading, table.id))
    return known


def _money(reading: Reading, table: str) -> Money:
    tray, drop = (reading.balance(account(table)) for account in (inventory_account, drop_account))
    opened = reading.latest(TableOpened, table)
    caged = 0 if opened is None else reading.moved_at(CAGE, table, opened.seq - 1)
    return Money(tray // UNITS_PER_CENT, drop // UNITS_PER_CENT, (tray + drop + caged) // UNITS_PER_CENT)


def how_long(microseconds: int) -> str:
    """A time that has passed, coarsely.

    >>> [how_long(seconds * 1_000_000) for seconds in (59, 60, 3_700, 172_800)]
    ['less than a minute', '1 min', '1 h 1 min', '2 days']
    """
    minutes = microseconds // MICROSECONDS // 60
    if minutes < 1:
        return "less than a minute"
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return several(hours // 24, "day") if hours >= 48 else f"{hours} h {rest} min"


def _place(table: str) -> tuple[int, str]:
    """By the number at the end of the name, so that a table stays where it is.

    >>> sorted(["tcp-11", "sb-7", "cage"], key=_place)
    ['sb-7', 'tcp-11', 'cage']
    """
    digits = table[len(table.rstrip("0123456789")) :]
    return int(digits) if digits else 10**9, table


def look(visit: Visit) -> View:
    """The whole floor, for the person who looks; its forms carry their session's token."""
    with house().pit.store.reading() as reading:
        head = reading.head.seq
    state = head, int(monotonic() / TICK_S)
    viewpoint = visit.person, visit.who.csrf
    regions = "figures", "waits", "slips", "waiting", "tables"
    return View("floor.html", regions, None, viewpoint, state, lambda: _floor(visit))


def _floor(visit: Visit) -> dict[str, Any]:
    pit, person = house().pit, visit.person
    now, clock = floor_now(pit), pit.clock()
    with pit.store.reading() as reading:
        facts = {each.table.id: _facts_of(pit, reading, each.table) for each in now.tables}
    shows_money = may(person.role, "balances.read")
    cards = [
        _card(each, facts[each.table.id], person, clock, shows_money=shows_money)
        for each in sorted((*now.open, *now.closed), key=lambda each: _place(each.table.id))
    ]
    steps = now.steps_for(person) if person.role in SUPERVISORS else ()
    waits = [_step(each, facts[each.table.id].since, clock) for each in steps if each.step is not None]
    waits += [
        Waiting(
            f"proposal-{each.number}", each.at, each.table, "", each.says(), "",
            how_long(clock - each.at), is_proposal=True,
        )
        for each in now.proposals_for(person)
    ]  # fmt: skip
    is_open = [each for each in cards if each.is_open]
    return {
        "who": visit.who,
        "count": len(waits),
        "waits": sorted(waits, key=lambda each: (each.since, each.key)),
        "slips": [slip for each in steps if (slip := _slip(each)) is not None],
        "waiting": waiting(visit),
        "cards": cards,
        "open": len(is_open),
        "players": sum(len(each.taken) for each in is_open),
        "totals": _total([each.money for each in is_open if each.money is not None]),
        "day": day_of(clock),
    }


def _total(money: Sequence[Money]) -> Money | None:
    if not money:
        return None
    return Money(*(sum(getattr(each, name) for each in money) for name in ("tray", "drop", "win")))


def _command(step: Step) -> dict[str, Any]:
    assert step.command is not None
    return {name: value for name, value in step.command.as_dict().items() if value is not None}


def _step(standing: Standing, since: int, clock: int) -> Waiting:
    step, table = standing.step, standing.table
    assert step is not None
    command = canonical(_command(step)) if step.command is not None else ""
    about = sha256(f"{table.rounds} {step.say} {command}".encode()).hexdigest()[:8]
    return Waiting(
        f"{table.id}-{about}",
        since,
        table.id,
        title_of(standing),
        step.say,
        step.cite,
        how_long(clock - since),
        command=command,
        events=table.events,
        is_payout=isinstance(step.command, Validate),
    )


def _slip(standing: Standing) -> Slip | None:
    step, table = standing.step, standing.table
    if step is None or not isinstance(step.command, Validate):
        return None
    slip = due_slip(house().pit, table.id)
    if slip is None:
        return None
    shown = document(each for each in slip_passages(slip) if each.title != SIGNED)
    return Slip(table.id, title_of(standing), slip.amount, shown, canonical(_command(step)), table.events)


def _card(standing: Standing, facts: _Facts, person: Person, clock: int, *, shows_money: bool) -> FloorCard:
    table, step = standing.table, standing.step
    is_open = table.phase != Phase.CLOSED
    acts = ("limits", "close") if is_open else ("reopen",)
    return FloorCard(
        table.id,
        title_of(standing),
        str(table.phase),
        is_open,
        facts.since,
        how_long(clock - facts.since),
        step,
        person.role in SUPERVISORS and is_for(standing, person),
        step is not None and isinstance(step.command, Validate),
        tuple(table_limits(table)) if is_open else (),
        rules_at(table).seats if is_open else 0,
        frozenset(table.homes.values()),
        table.rounds,
        facts.money if shows_money and is_open else None,
        tuple(act for act in acts if may(person.role, ACTS[act])),
    )


def floor(visit: Visit, *, preview: bool = False) -> Response:
    view = look(visit)
    known = view.known()
    count, role, now = known["count"], visit.person.role, house().pit.bounds()
    return page(
        visit,
        "floor.html",
        f"({count}) Floor" if count else "Floor",
        view=replace(view, known=lambda: known),
        confirm=_confirm(visit, preview=preview),
        bounds=[(name, title, getattr(now, name)) for name, title in BOUNDS.items()],
        proposes=may(role, "property.propose"),
        plain=plain_dollars,
    )


# Acts at a table: first what would follow, then the act


def _confirm(visit: Visit, *, preview: bool) -> Confirm | None:
    """The question that the address asks, with what was typed so far."""
    pit, act, name = house().pit, visit.given("act"), visit.given("table")
    standing = next((each for each in floor_now(pit).tables if each.table.id == name), None)
    if standing is None or act not in ACTS or not may(visit.person.role, ACTS[act]):
        return None
    table = standing.table
    if (table.phase == Phase.CLOSED) != (act == "reopen"):
        return None
    title = {"limits": f"Limits at {name}", "close": f"Close table {name}", "reopen": f"Open table {name} again"}[act]
    limits = table_limits(table) if act == "limits" else ()
    wager = next((each for each in limits if each.wager == visit.given("wager")), limits[0] if limits else None)
    typed = {"reason": visit.typed("reason"), "fill": visit.typed("fill") or "50000"}
    if wager is not None:
        typed |= {
            "minimum": visit.typed("minimum") or plain_dollars(wager.now.minimum),
            "maximum": visit.typed("maximum") or plain_dollars(wager.now.maximum),
        }
    chosen = wager.wager if wager is not None else ""
    question = Confirm(act, title, name, limits=limits, wager=chosen, typed=typed)
    if not preview and act != "close":
        return question
    if act == "reopen":
        fill = show_dollars(_body(visit, table)["fill"])
        told: tuple[str, ...] = (
            f"{title_of(standing)} opens under the same submission, with new cards and a fill of {fill}.",
            "On the gaming day on which the table was closed, a second person consents first.",
        )
    else:
        try:
            told = consequences(pit, name, _body(visit, table), visit.person)
        except FindingsError as refused:
            return Confirm(act, title, name, findings=refused.findings, limits=limits, wager=chosen, typed=typed)
    return Confirm(act, title, name, told, True, (), limits, chosen, typed)


def _body(visit: Visit, table: Table) -> dict[str, Any]:
    """The command of the question that the address asks."""
    act = visit.given("act")
    if act == "close":
        return {"command": "close_table", "reason": visit.typed("reason")[:200]}
    if act == "limits":
        low, high = (_dollars(visit, name, name.capitalize()) for name in ("minimum", "maximum"))
        wager = visit.given("wager") or next((each.wager for each in table_limits(table)), "")
        return {"command": "change_limits", "wager": wager, "minimum": low, "maximum": high}
    before = house().pit.opening(table)
    if before is None:
        raise UnreadableError(f"Table {table.id} was never opened.")
    links = {name: meter for name, meter in before.meters.items() if meter != f"{table.id}-{name}"}
    same = {"submission": before.submission, "source": before.source}
    return {"command": "open_table", "meters": links, **same, "fill": _dollars(visit, "fill", "Fill")}


def _dollars(visit: Visit, name: str, title: str) -> Cents:
    try:
        return cents(visit.typed(name).strip() or ("50000" if name == "fill" else ""))
    except MoneyError as problem:
        raise UnreadableError(f"{title}: {problem}.") from None


def plain_dollars(amount: Cents) -> str:
    """An amount as people type it.

    >>> plain_dollars(100_000_000), plain_dollars(150)
    ('1000000', '1.50')
    """
    return f"{amount // 100}" + (f".{amount % 100:02}" if amount % 100 else "")


def press(visit: Visit) -> str | Response:
    """Answer a proposal, take the step that waits, or do to a table what its question has foretold."""
    match visit.typed("do"):
        case "approve" | "reject":
            return answer(visit)
        case "step":
            return _take_step(visit)
        case "preview":
            return floor(visit, preview=True)
        case "yes" if visit.given("act") in ACTS:
            return _act(visit)
        case "propose":
            wanted = Bounds(**{name: _dollars(visit, name, title) for name, title in BOUNDS.items()})
            number = house().pit.propose_bounds(wanted, visit.person)
            return f"Proposal {number} waits for a second person."
    raise UnreadableError("This page knows no such act. Nothing was changed.")


def _take_step(visit: Visit) -> str:
    """The step of the button, if the table still waits for it."""
    pit, name = house().pit, visit.typed("table")
    standing = pit.standing(name, visit.person)
    step = standing.step
    fresh = step is not None and step.command is not None and canonical(_command(step)) == visit.typed("command")
    if not fresh or str(standing.table.events) != visit.typed("events"):
        raise UnreadableError(f"Table {name} has moved on. Nothing was done; look at what it waits for now.")
    assert step is not None
    return _carried_out(visit, name, _command(step)) or f"Done at table {name}: {step.say}"


def _act(visit: Visit) -> Response:
    pit, name = house().pit, visit.given("table")
    table = pit.table(name)
    body = _body(visit, table)
    if body["command"] == "open_table" and may(visit.person.role, ACTS["reopen"]):
        pit.count_holds(body)
    done = {"close_table": "is closed", "change_limits": "has new limits", "open_table": "is open again"}
    said = _carried_out(visit, name, body) or f"Table {name} {done[body['command']]}."
    NOTICES.leave(visit.who.token, visit.path, said)
    return RedirectResponse(visit.path, 303)


def _carried_out(visit: Visit, table: str, body: Mapping[str, Any]) -> str:
    """Carry out a command; the answer says so where it waits for a second person."""
    reply = house().pit.act(table, body, visit.person, f"page-{uuid4().hex}")
    if reply.accepted:
        return ""
    findings = tuple(Finding(**each) for each in reply.body["findings"])
    if "proposal" not in reply.body:
        raise FindingsError(findings)
    return " ".join(each.sentence for each in findings)


def moved(visit: Visit) -> Response:  # noqa: ARG001
    """What waits for a second person is on the floor page now."""
    return RedirectResponse("/floor", 303)


ROUTES: Final[tuple[Route, ...]] = (route("/floor", floor, press, look), route("/consents", moved))
