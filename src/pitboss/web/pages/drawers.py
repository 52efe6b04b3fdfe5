"""The drawers of the house's panel: irregularities with their remedy, chips, and every other command as a form."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import partial
from operator import eq
from typing import Any, TypeVar, get_type_hints

from nicegui import ui

from pitboss.ledger.people import microseconds
from pitboss.money import MoneyError, cents, show_dollars
from pitboss.table.command import COMMANDS
from pitboss.table.irregular import UNFILLED, WHEN, WRONG_NUMBER
from pitboss.table.opening import next_slip
from pitboss.table.permissions import may
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.ruling import cite_of, procedure_of, rules_at
from pitboss.table.state import SHOE, SHUFFLER, Phase, Table
from pitboss.web.pages.feed import Scene
from pitboss.web.pages.live import Act, Tell
from pitboss.web.pages.shell import button, escape, markup, whole

W = TypeVar("W", bound=ui.element)
DOLLARS = ("fill", "chip_limit", "minimum", "maximum", "amount")
"""Fields of commands that are sums of money."""
CHIP_ACTS = {
    "buy_in": "Buy in: cash for chips",
    "cash_out": "Cash out: chips for cash",
    "fill": "Fill: chips from the cage",
    "credit": "Credit: chips to the cage",
    "repay": "Repay: chips owed since a void round",
}
NO_PLAYER = ("fill", "credit")
IN_DRAWERS = ("irregularity", *CHIP_ACTS)
"""Commands with a drawer of their own."""
REMEDIES: Mapping[str, str] = {
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
ENDS = {"return": "go back", "settle": "are settled"}
"""What a remedy does with the wagers that it names."""


def _named(what: str) -> str:
    """An irregularity as the law names it."""
    return WRONG_NUMBER if what == UNFILLED else what


def remedy_of(table: Table, what: str) -> str:
    """What the law does about an irregularity, in a line."""
    procedure = procedure_of(table, what)
    parts = procedure.remedy if procedure is not None else ()
    return "; ".join(REMEDIES.get(part.partition(":")[0]) or _wagers_named(table, part) for part in parts)


def _wagers_named(table: Table, part: str) -> str:
    verb, _, names = part.partition(": ")
    wagers = [wager for wager in rules_at(table).chapter.wagers if wager.name in names.split(", ")]
    titles = [wager.title.removesuffix(" Wager") for wager in wagers]
    return f"{', '.join(titles)} {ENDS[verb]}" if titles and verb in ENDS else part.replace("-", " ")


class Drawers:
    """Filled when they are opened. What has not changed is not drawn again, so that nobody loses a drawer he has opened
    or what he is typing."""

    def __init__(self, role: Role, act: Act, tell: Tell) -> None:
        self.role = role
        self.act = act
        self.tell = tell
        self.filled: dict[str, tuple[Any, ...]] = {}
        self.open: set[str] = set()
        self._wagers: dict[str, str] = {}

    def build(self) -> None:
        titles = ("Irregularity", "Chips", "All commands")
        self.drawers = {title: ui.element("div").classes("w-full") for title in titles}

    def draw(self, scene: Scene) -> None:
        table, slip = scene.table, next_slip(scene.table, microseconds())
        is_open, names = table.phase != Phase.CLOSED, self._commands(table)
        game = (table.phase, table.source, table.game, table.as_of, table.dealing)
        reports = is_open and self.role in (Role.DEALER, *SUPERVISORS)
        sells = is_open and may(self.role, "table.buy_in")
        if scene.rules is not None:
            self._wagers = {wager.name: wager.title for wager in scene.rules.wagers.values() if not wager.picks}
        # Chips are sold at any time of a round: only what the form itself shows takes what somebody is typing away.
        chips = (sells, sorted(table.homes), table.chip_limit, slip)
        self._drawer("Irregularity", "report_problem", (reports, *game), lambda: self._irregular(table))
        self._drawer("Chips", "payments", chips, lambda: self._chips(table, slip))
        self._drawer("All commands", "list", (bool(names), names), lambda: self._any(names))

    def _drawer(self, title: str, icon: str, shows: tuple[Any, ...], fill: Callable[[], None]) -> None:
        """A drawer with what it ``shows``, of which the first says whether it is there at all."""
        if shows == self.filled.get(title):
            return
        self.filled[title] = shows
        self.drawers[title].clear()
        if not shows[0]:
            return
        with self.drawers[title]:
            drawer = ui.expansion(title, icon=icon, value=title in self.open).classes("w-full")

        def pulled() -> None:
            if not drawer.value:
                self.open.discard(title)
                return
            self.open.add(title)
            if not drawer.default_slot.children:
                with drawer:
                    fill()

        drawer.on_value_change(pulled)
        pulled()

    def _irregular(self, table: Table) -> None:
        now = (what for what, phases in WHEN.items() if table.phase in phases)
        possible = {what: words(what) for what in now if procedure_of(table, _named(what)) is not None}
        if not possible:
            markup('<p class="pb-soft" style="margin:0">Nothing can go wrong with the cards now.</p>')
            return
        select = _wide(ui.select(possible, label="What happened"))
        remedy = markup("")
        seat = _wide(ui.number("Seat (empty: the dealer)", format="%d"))
        count = _wide(ui.number("How many cards", value=1, format="%d"))
        device = _wide(ui.select([SHUFFLER, SHOE], label="Device"))
        cards = _wide(ui.input("Cards found (physical deck)"))
        face_up = "card-face-up-in-shoe"
        asked = {seat: "wrong-number-of-cards", count: face_up, device: "device-out-of-order"}
        for shown, name in {**asked, cards: face_up if table.source == "keyed" else ""}.items():
            shown.bind_visibility_from(select, "value", partial(eq, name))

        def told() -> None:
            what = _named(str(select.value))
            cite = f'<span class="pb-cite">[{escape(cite_of(table, what))}]</span>'
            remedy.content = f'<div class="pb-note">Remedy: {escape(remedy_of(table, what))} {cite}</div>'

        select.on_value_change(told)

        async def report() -> None:
            body: dict[str, Any] = {"command": "irregularity", "what": select.value or ""}
            if select.value == "wrong-number-of-cards" and seat.value:
                body["seat"] = int(seat.value)
            if select.value == "card-face-up-in-shoe":
                body |= {"count": int(count.value or 1), "cards": cards.value or ""}
            if select.value == "device-out-of-order":
                body["device"] = device.value or ""
            await self.act(**body)

        button("Report it", report, danger=True)

    def _chips(self, table: Table, slip: int) -> None:
        """Buy-ins, cash-outs, fills and credits, each with the next slip of the table's day."""
        limit = f"At most {show_dollars(table.chip_limit)} in one act; above it a pit manager does it."
        markup(f'<p class="pb-small pb-soft" style="margin:0">{escape(limit)}</p>')
        what = _wide(ui.select(CHIP_ACTS, value=next(iter(CHIP_ACTS)), label="What"))
        seated = sorted(table.homes)
        player = _wide(ui.select(seated, label="Player", value=seated[0] if len(seated) == 1 else None))
        dollars = _wide(ui.input("Dollars", value="500"))
        number = _wide(ui.input("Slip number", value=str(slip)))
        player.bind_visibility_from(what, "value", lambda act: act not in NO_PLAYER)

        async def send() -> None:
            amount, numbered = whole(dollars.value or ""), whole(number.value or "")
            if amount is None or numbered is None:
                self.tell("Give whole dollars, such as 500, and the number on the slip.")
                return
            whose = {} if what.value in NO_PLAYER else {"player": player.value or ""}
            await self.act(command=what.value, amount=100 * amount, slip=numbered, **whose)

        button("Move the chips", send)

    def _commands(self, table: Table) -> list[str]:
        """Every other command of this job function that the phase allows."""
        return sorted(
            name
            for name, kind in COMMANDS.items()
            if may(self.role, f"table.{name}") and table.phase in kind.phases and name not in IN_DRAWERS
        )

    def _any(self, names: list[str]) -> None:
        """Each of them as a small form."""
        chosen = _wide(ui.select({name: words(name) for name in names}, label="Command"))
        form = ui.column().classes("w-full")
        chosen.on_value_change(lambda: self._form(form, str(chosen.value)))

    def _form(self, form: ui.column, name: str) -> None:
        form.clear()
        kind = COMMANDS[name]
        hints = get_type_hints(kind)
        inputs: dict[str, Any] = {}
        with form:
            if kind.__doc__ and not kind.__doc__.startswith(kind.__name__):
                markup(f'<p class="pb-small pb-soft" style="margin:0">{escape(kind.__doc__)}</p>')
            for known in fields(kind):
                title = words(known.name) + (", dollars" if known.name in DOLLARS else "")
                default = None if known.default is MISSING else known.default
                if known.name == "wager":
                    inputs[known.name] = _wide(ui.select(self._wagers, label=title))
                elif known.name in DOLLARS:
                    inputs[known.name] = _wide(ui.input(title, value=_dollars(default)))
                elif hints[known.name] in (bool, bool | None):
                    inputs[known.name] = ui.checkbox(title, value=bool(default))
                elif hints[known.name] in (int, int | None):
                    amount = default if isinstance(default, int) else None
                    inputs[known.name] = _wide(ui.number(title, value=amount, format="%d"))
                elif hints[known.name] is str:
                    inputs[known.name] = _wide(ui.input(title, value=default if isinstance(default, str) else ""))

            async def send() -> None:
                typed = {named: made.value for named, made in inputs.items() if made.value not in (None, "")}
                try:
                    money = {named: cents(value) for named, value in typed.items() if named in DOLLARS}
                except MoneyError as problem:
                    self.tell(f"{problem}; write one such as 25 or 2.50.")
                    return
                body = {named: int(value) if isinstance(value, float) else value for named, value in typed.items()}
                await self.act(command=name, **body | money)

            button(words(name), send, main=False)


def _dollars(amount: object) -> str:
    return show_dollars(amount) if isinstance(amount, int) and amount else ""


def _wide(made: W) -> W:
    """A field of a drawer."""
    return made.classes("w-full").props("outlined dense")


def words(name: str) -> str:
    """A command, a field or an irregularity as a person calls it."""
    return name.replace("_", " ").replace("-", " ").capitalize()
