"""The meters page: a board with large figures that follows the ledger, and changes that need two people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from starlette.responses import Response
from starlette.routing import Route

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.ledger.consent import METER
from pitboss.ledger.kinds.meters import MeterAdjustment
from pitboss.ledger.meters import RESERVE
from pitboss.ledger.pit import Pit
from pitboss.ledger.store import Store
from pitboss.money import Cents, MoneyError, cents, show_dollars
from pitboss.names import shown as in_title
from pitboss.table.kinds.wagers import MeterPaid
from pitboss.table.permissions import may
from pitboss.web.live import View
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.proposals import answer, waiting
from pitboss.web.visitor import house

MOST_REASON: Final = 1000
Meters = Mapping[str, Mapping[str, Any]]


def read_change(
    amounts: Mapping[str, str], transfer_to: str, rate: Mapping[str, str], seed: Mapping[str, str], reason: str
) -> MeterAdjustment:
    """A change from what was typed, in dollars; a field left empty changes nothing.

    >>> read_change({"meter": "1,250.50", "reserve": ""}, "", {}, {}, "the sign was replaced").amounts
    {'meter': 125050}
    """
    try:
        return MeterAdjustment(
            amounts={name: cents(text.strip()) for name, text in amounts.items() if text.strip()},
            transfer_to=transfer_to,
            rate={name: text.strip() for name, text in rate.items() if text.strip()},
            seed={name: cents(text.strip()) for name, text in seed.items() if text.strip()},
            reason=reason.strip()[:MOST_REASON],
        )
    except MoneyError as problem:
        raise UnreadableError(f"{problem}.") from None


def change_words(title: str, known: Mapping[str, Any], change: MeterAdjustment) -> tuple[str, ...]:
    """What a change would do to what the sign shows, a sentence each."""
    sentences = []
    for tier, amount in change.amounts.items():
        now = known["amounts"].get(tier, known[RESERVE])
        by = f"{show_dollars(abs(amount - now))} {'less' if amount < now else 'more'} than now"
        sentences.append(f"{title}, {tier}: {show_dollars(now)} becomes {show_dollars(amount)}, {by}.")
    sentences += [f"{title}, {tier}: grows by {rate} of each wager from then on." for tier, rate in change.rate.items()]
    sentences += [f"{title}, {tier}: starts again at {show_dollars(seed)}." for tier, seed in change.seed.items()]
    if change.transfer_to:
        other = meter_title(change.transfer_to, "")
        sentences.append(f"Everything of {title} goes to {other}, and its sign shows nothing.")
    return tuple(sentences)


@dataclass(frozen=True)
class LastJackpot:
    """What a meter paid last: when, where and how much."""

    amount: Cents
    table: str
    round: int
    at: int
    whole: bool
    """Whether the meter started again."""


@dataclass
class Jackpots:
    """The last jackpot of each meter; only events since the last look are read."""

    store: Store
    after: int = 0
    last: dict[str, LastJackpot] = field(default_factory=dict)

    def look(self) -> Mapping[str, LastJackpot]:
        with self.store.reading() as reading:
            paid, head = reading.events(after=self.after, kinds=(MeterPaid,)), reading.head.seq
        for event in paid:
            paid_out = event.of(MeterPaid)
            self.last[paid_out.meter] = LastJackpot(
                paid_out.amount, event.stream, event.round, event.at, paid_out.reseeded
            )
        self.after = head
        return self.last


_jackpots: WeakKeyDictionary[Pit, Jackpots] = WeakKeyDictionary()


@dataclass(frozen=True)
class MeterCard:
    """A meter as the board shows it."""

    id: str
    title: str
    about: str
    amounts: tuple[tuple[str, Cents], ...]
    tables: tuple[str, ...]
    jackpot: LastJackpot | None


def meter_card(meter: str, known: Mapping[str, Any], jackpot: LastJackpot | None) -> MeterCard:
    game = GAMES[known["game"]].chapter.title if known["game"] in GAMES else known["game"]
    letter = "" if known["letter"] == "-" else f", pay table {known['letter']}"
    about = f"{game} · {in_title(known['name'])}{letter}"
    title, amounts = meter_title(meter, known["name"]), tuple(known["amounts"].items())
    return MeterCard(meter, title, about, amounts, tuple(known["tables"]), jackpot)


def sign(amount: Cents) -> str:
    """Always with cents, so that the figure does not change its width.

    >>> sign(1234567), sign(100)
    ('$12,345.67', '$1.00')
    """
    return f"${amount // 100:,}.{amount % 100:02d}"


def meter_title(meter: str, name: str) -> str:
    """A table's own meter is known by its wager and the table; a linked one by the name it was given.

    >>> meter_title("pit-1-grand_meter", "grand_meter"), meter_title("wide-area", "grand_meter")
    ('Grand Meter, pit-1', 'Wide area')
    """
    own = meter.removesuffix(f"-{name}")
    if own != meter:
        return f"{in_title(name)}, {own}"
    return meter.replace("-", " ").replace("_", " ").capitalize()


def board_order(meters: Meters) -> list[str]:
    """Meters that can be played for now come first, the largest before the others."""
    return sorted(
        meters, key=lambda meter: (not meters[meter]["tables"], -max(meters[meter]["amounts"].values()), meter)
    )


def columns(count: int) -> int:
    """How many meters stand side by side on a wall screen.

    >>> [columns(count) for count in (1, 2, 4, 5, 9, 10, 16)]
    [1, 2, 2, 3, 3, 4, 4]
    """
    return 1 if count <= 1 else 2 if count <= 4 else 3 if count <= 9 else 4


def look(visit: Visit) -> View:
    """The board, and the changes that wait; all windows of a job function share the drawing but for proposals."""
    is_board = visit.given("board") == "1"
    consents = not is_board and may(visit.person.role, "consent.read")
    pit = house().pit
    with pit.store.reading() as reading:
        head = reading.head.seq

    def known() -> dict[str, Any]:
        meters, last = pit.meters(), dict(_jackpots.setdefault(pit, Jackpots(pit.store)).look())
        order = board_order(meters)
        shown = [meter for meter in order if meters[meter]["tables"]] or order if is_board else order
        cards = [meter_card(meter, meters[meter], last.get(meter)) for meter in shown]
        found = waiting(visit, (METER,)) if consents else ()
        shape = {"is_board": is_board, "columns": columns(len(cards)), "sign": sign}
        return {**shape, "cards": cards, "waiting": found, "who": visit.who}

    viewpoint = (is_board, visit.who.csrf) if consents else (is_board, "")  # a form carries the session's token
    blocks = ("board", "waiting") if consents else ("board",)
    return View("meters.html", blocks, None, viewpoint, head, known)


def meters(visit: Visit) -> Response:
    return _page(visit)


def _page(visit: Visit, confirm: tuple[str, ...] = ()) -> Response:
    proposes, known = may(visit.person.role, "meter.propose"), house().pit.meters()
    chosen = visit.given("meter") if visit.given("meter") in known else next(iter(known), "")
    return page(
        visit,
        "meters.html",
        "Progressive meters",
        view=look(visit),
        consents=may(visit.person.role, "consent.read"),
        proposes=proposes and bool(known),
        titles=[(meter, meter_title(meter, each["name"])) for meter, each in known.items()],
        chosen=chosen,
        meter=known.get(chosen),
        reserve=RESERVE,
        confirm=confirm,
    )


def press(visit: Visit) -> str | Response:
    """Answer a proposal, or propose a change: first what would follow, then the proposal itself."""
    if visit.typed("do") in ("approve", "reject"):
        return answer(visit)
    pit, meter = house().pit, visit.given("meter")
    pit.demand(visit.person, "meter.propose")
    known = pit.meters()
    meter = meter if meter in known else next(iter(known), "")
    if not meter:
        raise UnreadableError("The house has no meter.")
    typed: dict[str, dict[str, str]] = {"amounts": {}, "rate": {}, "seed": {}}
    for name, text in visit.form.items():
        kind, _, tier = name.partition(".")
        if kind in typed:
            typed[kind][tier] = text
    change = read_change(transfer_to=visit.typed("transfer"), reason=visit.typed("reason"), **typed)
    if visit.typed("do") == "preview":
        sentences = change_words(meter_title(meter, known[meter]["name"]), known[meter], change)
        if sentences:
            return _page(visit, sentences)
    number = pit.propose(meter, change, visit.person)
    return f"Proposal {number} waits for a second person."


ROUTES: Final[tuple[Route, ...]] = (route("/meters", meters, press, look),)
