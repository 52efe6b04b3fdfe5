"""The meters page: a board with large figures that follows the ledger, and changes that need two people."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from fastapi import Request
from nicegui import run, ui

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.ledger.consent import METER
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.meters import RESERVE, MeterAdjustment
from pitboss.ledger.people import Person
from pitboss.ledger.rows import shown_time
from pitboss.ledger.store import Store
from pitboss.money import Cents, MoneyError, cents, show_dollars
from pitboss.names import shown as in_title
from pitboss.table.codec import encode
from pitboss.table.events import canonical
from pitboss.table.permissions import may
from pitboss.web.pages.floor import Waiting
from pitboss.web.pages.law import law_link
from pitboss.web.pages.shell import (
    Visitor,
    asked,
    button,
    card,
    carried_out,
    end_with_session,
    escape,
    findings_html,
    frame,
    house,
    markup,
    said,
    sheet,
    show_findings,
    visitor,
)

LOOK_SECONDS = 0.4
PAID: Final = "meter.paid"
FEWEST_SIGNS: Final = 11
"""Room for the next digit, so that a figure that grows stays in its place."""
STYLE: Final = sheet("meters.html")
BOARD_STYLE: Final = sheet("meter_board.html")
BOARD_LINKS: Final = """
<h1 style="position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden">Progressive meters</h1>
<div class="mt-top"><button type="button" onclick="document.documentElement.requestFullscreen()">Full screen</button>
<a href="/meters">Back</a></div>
"""
LINKS: Final = '<div class="mt-top"><a href="/meters?board=1">Show on a wall screen</a></div>'
SCRIPT: Final = sheet("meters_script.html")


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
            reason=reason.strip()[:1000],
        )
    except MoneyError as problem:
        raise UnreadableError(f"{problem}.") from None


def change_words(title: str, known: Mapping[str, Any], change: MeterAdjustment) -> tuple[str, ...]:
    """What a change would do to what the sign shows, a sentence each."""
    told = []
    for tier, amount in change.amounts.items():
        now = known["amounts"].get(tier, known[RESERVE])
        by = f"{show_dollars(abs(amount - now))} {'less' if amount < now else 'more'} than now"
        told.append(f"{title}, {tier}: {show_dollars(now)} becomes {show_dollars(amount)}, {by}.")
    told += [f"{title}, {tier}: grows by {rate} of each wager from then on." for tier, rate in change.rate.items()]
    told += [f"{title}, {tier}: starts again at {show_dollars(seed)}." for tier, seed in change.seed.items()]
    if change.transfer_to:
        told.append(f"Everything of {title} goes to {meter_title(change.transfer_to, '')}, and its sign shows nothing.")
    return tuple(told)


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
            paid, head = reading.events(after=self.after, kinds=(PAID,)), reading.head.seq
        for event in paid:
            amount, whole = event.data["amount"], bool(event.data["reseeded"])
            self.last[event.data["meter"]] = LastJackpot(amount, event.stream, event.round, event.at, whole)
        self.after = head
        return self.last


def amount_id(meter: str, tier: str) -> str:
    return f"amount-{meter}-{tier}"


def amounts_of(meters: Mapping[str, Mapping[str, Any]]) -> dict[str, Cents]:
    """Every amount on the board under the id of its place."""
    return {amount_id(m, tier): cents for m, known in meters.items() for tier, cents in known["amounts"].items()}


def sign(amount: Cents) -> str:
    """Always with cents, so that the figure does not change its width.

    >>> sign(1234567), sign(100)
    ('$12,345.67', '$1.00')
    """
    return f"${amount // 100:,}.{amount % 100:02d}"


def board_html(meters: Mapping[str, Mapping[str, Any]], last: Mapping[str, LastJackpot], *, links: bool) -> str:
    """Every meter; on a wall screen, which has no ``links``, those that can be played for, if there are any."""
    order = board_order(meters)
    order = order if links else [meter for meter in order if meters[meter]["tables"]] or order
    cards = [meter_html(meter, meters[meter], last.get(meter), links=links) for meter in order]
    wide = columns(len(cards))
    longest = max([FEWEST_SIGNS, *(len(sign(amount)) for amount in amounts_of(meters).values())])
    shape = f"--mt-cols:{wide};--mt-rows:{max(1, -(-len(cards) // wide))};--mt-wide:{longest * 0.53:g}"
    empty = '<p class="pb-soft">The house has no meter.</p>'
    return f'<div class="mt-board" style="{shape}">{"".join(cards) or empty}</div>'


def meter_html(meter: str, known: Mapping[str, Any], jackpot: LastJackpot | None, *, links: bool = True) -> str:
    tiers = known["amounts"]
    amounts = "".join(
        f'<div class="mt-tier{" mt-small" if len(tiers) > 1 and place else ""}">'
        f"{f'<span class=mt-name>{escape(tier)}</span>' if len(tiers) > 1 else ''}"
        f'<span class="mt-amount" id="{escape(amount_id(meter, tier))}">{sign(cents)}</span></div>'
        for place, (tier, cents) in enumerate(tiers.items())
    )
    game = GAMES[known["game"]].chapter.title if known["game"] in GAMES else known["game"]
    letter = "" if known["letter"] == "-" else f", pay table {known['letter']}"
    wager = in_title(known["name"])
    tables = [f'<a href="/table/{escape(t)}">{escape(t)}</a>' if links else escape(t) for t in known["tables"]]
    where = f"Played at {', '.join(tables)}" if tables else "No open table is linked"
    return (
        f'<section class="mt-meter" aria-label="Meter {escape(meter)}"><div>'
        f"<h2>{escape(meter_title(meter, known['name']))}</h2>"
        f'<div class="mt-game">{escape(game)} · {escape(wager)}{escape(letter)}</div></div>'
        f'{amounts}<div class="mt-foot"><span>{where}</span><span>{_jackpot_html(jackpot)}</span></div></section>'
    )


def _jackpot_html(jackpot: LastJackpot | None) -> str:
    if jackpot is None:
        return "Nothing paid yet"
    when = shown_time(jackpot.at)[:16].replace("T", " ")
    again = ", meter started again" if jackpot.whole else ""
    return (
        f"Last paid <strong>{show_dollars(jackpot.amount)}</strong> at {escape(jackpot.table)}, round "
        f"{jackpot.round}, {when} UTC{again}"
    )


def meter_title(meter: str, name: str) -> str:
    """A table's own meter is known by its wager and the table; a linked one by the name it was given.

    >>> meter_title("pit-1-grand_meter", "grand_meter"), meter_title("wide-area", "grand_meter")
    ('Grand Meter, pit-1', 'Wide area')
    """
    own = meter.removesuffix(f"-{name}")
    if own != meter:
        return f"{in_title(name)}, {own}"
    return meter.replace("-", " ").replace("_", " ").capitalize()


def _titles(meters: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {meter: meter_title(meter, known["name"]) for meter, known in meters.items()}


def board_order(meters: Mapping[str, Mapping[str, Any]]) -> list[str]:
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


class News(NamedTuple):
    """The meters of one moment."""

    head: int
    meters: dict[str, dict[str, Any]]
    jackpots: dict[str, LastJackpot]


class MetersPage:
    """One open window on the meters."""

    def __init__(self, who: Visitor, person: Person, *, board: bool) -> None:
        self.who, self.person, self.board = who, person, board
        self.jackpots = Jackpots(house().pit.store)
        self.seen = -1
        self.drawn = ""

    def build(self) -> None:
        ui.add_head_html(STYLE + (BOARD_STYLE if self.board else ""))
        ui.add_body_html(SCRIPT)
        markup(BOARD_LINKS if self.board else LINKS)
        self.trouble = markup("", "w-full")
        self.place = markup("", "w-full")
        if not self.board and may(self.person.role, "consent.read"):
            self._changes()
        if (found := self._news()) is not None:
            self._draw(found)
        ui.timer(LOOK_SECONDS, self.look)

    async def look(self) -> None:
        """Follow the ledger. It is asked in a thread: one that does not answer must not stop the other pages."""
        try:
            found = await run.io_bound(self._news)
        except LedgerError as problem:
            sentence = f"The ledger does not answer, so these figures may be old: {problem}"
            self._trouble(findings_html(said(sentence)))
            return
        self._trouble("")
        if found is not None:
            self._draw(found)

    def _trouble(self, text: str) -> None:
        if text != self.trouble.content:
            self.trouble.content = text

    def _news(self) -> News | None:
        pit = house().pit
        with pit.store.reading() as reading:
            head = reading.head.seq
        if head == self.seen:
            return None
        return News(head, pit.meters(), dict(self.jackpots.look()))

    def _draw(self, found: News) -> None:
        """Amounts run to their new value, everything else is drawn again when it has changed."""
        first, self.seen = self.seen < 0, found.head
        meters, last = found.meters, found.jackpots
        fixed = canonical([{m: [list(k["amounts"]), k["tables"]] for m, k in meters.items()}, encode(last)])
        if fixed != self.drawn:
            self.drawn = fixed
            self.place.content = board_html(meters, last, links=not self.board)
        if not first:
            ui.run_javascript(f"requestAnimationFrame(() => window.pbMeters({canonical(amounts_of(meters))}))")
        if hasattr(self, "waiting"):
            self.waiting.look()

    # Changes

    def _changes(self) -> None:
        self.said = ui.column().classes("w-full").props('aria-live="polite"')
        self.waiting = Waiting(self.person, self._do, {METER})
        if may(self.person.role, "meter.propose"):
            self._form()

    def _do(self, act: Callable[[Person], None]) -> None:
        if carried_out(self.who, "/meters", self.said, act) and (found := self._news()) is not None:
            self._draw(found)

    def _form(self) -> None:
        meters = house().pit.meters()
        if not meters:
            return
        with card("Propose a change"):
            markup(
                '<p class="pb-soft" style="margin:0">In dollars; what is left empty stays as it is. A change needs a '
                "reason and a second person, and waits until no table of the link is in a round.</p>"
            )
            chosen = ui.select(_titles(meters), label="Meter", value=next(iter(meters))).props("outlined dense")
            chosen.classes("w-80").on_value_change(lambda event: self._draw_fields(str(event.value)))
            self.fields = ui.element("div").classes("mt-fields")
            reason = ui.input("Reason").props("outlined dense maxlength=1000").classes("w-full")
            self._draw_fields(next(iter(meters)))

            def change() -> MeterAdjustment:
                typed = {kind: {n: str(f.value or "") for n, f in fs.items()} for kind, fs in self.typed.items()}
                return read_change(transfer_to=str(self.target.value or ""), reason=str(reason.value or ""), **typed)

            def ask() -> None:
                """What patrons would see, before anybody proposes it."""
                meter = str(chosen.value)
                try:
                    known = house().pit.meters()[meter]
                    told = change_words(meter_title(meter, known["name"]), known, change())
                except UnreadableError as problem:
                    show_findings(said(problem), into=self.said)
                    return
                asked("Propose this change", told, propose) if told else propose()

            def propose() -> None:
                def act(who: Person) -> None:
                    house().pit.propose(str(chosen.value), change(), who)
                    reason.value = ""
                    self._draw_fields(str(chosen.value))

                self._do(act)

            button("Propose", ask)

    def _draw_fields(self, meter: str) -> None:
        meters = house().pit.meters()
        known = meters[meter]
        self.typed: dict[str, dict[str, ui.input]] = {"amounts": {}, "rate": {}, "seed": {}}
        self.fields.clear()
        with self.fields:
            for tier, now in {**known["amounts"], RESERVE: known[RESERVE]}.items():
                self._field("amounts", tier, f"New amount: {tier}", sign(now))
            if known["chosen"]:
                for tier, seed in known["seed"].items():
                    self._field("rate", tier, f"New rate: {tier}", known["rate"].get(tier, "7/50"))
                    self._field("seed", tier, f"New seed: {tier}", sign(seed))
            others = {"": "nowhere", **_titles({other: meters[other] for other in meters if other != meter})}
            self.target = ui.select(others, label="Move everything to", value="").props("outlined dense")
            markup(
                f'<p class="pb-small pb-soft" style="margin:0">Rate and seed: {law_link(known["cite"])}'
                f"{'' if known['chosen'] else ', fixed by the law'}</p>"
            )

    def _field(self, kind: str, tier: str, label: str, hint: str) -> None:
        self.typed[kind][tier] = ui.input(label, placeholder=hint).props("outlined dense stack-label")


def add_meters_page() -> None:
    @ui.page("/meters")
    def meters(request: Request, board: int = 0) -> None:
        who = visitor(request)
        if who.person is None:
            ui.navigate.to(f"/login?then=/meters{'?board=1' if board else ''}")
            return
        with frame("Progressive meters", who, "/meters", heading=not board):
            end_with_session(who, "/meters")
            MetersPage(who, who.person, board=bool(board)).build()
