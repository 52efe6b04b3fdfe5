"""The meters page: a board that follows the ledger, and changes that need two people."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fastapi import Request
from nicegui import run, ui

from pitboss.findings import UnreadableError
from pitboss.ledger.consent import METER
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.meters import RESERVE, MeterAdjustment
from pitboss.ledger.people import Person
from pitboss.money import MoneyError, cents
from pitboss.table.codec import encode
from pitboss.table.events import canonical
from pitboss.table.permissions import may
from pitboss.web.pages.consents import Waiting
from pitboss.web.pages.law import law_link
from pitboss.web.pages.meterboard import (
    BOARD_LINKS,
    BOARD_STYLE,
    LINKS,
    SCRIPT,
    STYLE,
    Jackpots,
    LastJackpot,
    amounts_of,
    board_html,
    sign,
)
from pitboss.web.pages.shell import (
    Visitor,
    button,
    card,
    carried_out,
    end_with_session,
    findings_html,
    frame,
    house,
    markup,
    said,
    visitor,
)

LOOK_SECONDS = 0.4


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
            chosen = ui.select(list(meters), label="Meter", value=next(iter(meters))).props("outlined dense")
            chosen.classes("w-80").on_value_change(lambda event: self._draw_fields(str(event.value)))
            self.fields = ui.element("div").classes("mt-fields")
            reason = ui.input("Reason").props("outlined dense maxlength=1000").classes("w-full")
            self._draw_fields(next(iter(meters)))

            def propose() -> None:
                def act(who: Person) -> None:
                    typed = {kind: {n: str(f.value or "") for n, f in fs.items()} for kind, fs in self.typed.items()}
                    change = read_change(
                        transfer_to=str(self.target.value or ""), reason=str(reason.value or ""), **typed
                    )
                    house().pit.propose(str(chosen.value), change, who)
                    reason.value = ""
                    self._draw_fields(str(chosen.value))

                self._do(act)

            button("Propose", propose)

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
            others = {"": "nowhere", **{other: other for other in meters if other != meter}}
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
