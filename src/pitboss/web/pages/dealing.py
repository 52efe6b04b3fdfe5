"""The house's part of the table page: the next step, irregularities with their remedy, every command."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import partial
from operator import eq
from typing import Any, TypeVar, get_type_hints

from nicegui import ui

from pitboss.cards import Card, show_card
from pitboss.games.chance import words_of
from pitboss.ledger.people import microseconds
from pitboss.money import MoneyError, cents, show_dollars
from pitboss.reports.felt import at_seat
from pitboss.table.command import COMMANDS
from pitboss.table.guide import Step
from pitboss.table.irregular import UNFILLED, WHEN, WRONG_NUMBER
from pitboss.table.opening import next_slip
from pitboss.table.permissions import may
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.ruling import cite_of, procedure_of, rules_at
from pitboss.table.state import BETWEEN_ROUNDS, SHOE, SHUFFLER, Phase, Table
from pitboss.web.pages.feed import Scene
from pitboss.web.pages.live import Act, Live, Panel, Press, Tell, Typed, doing, field, row
from pitboss.web.pages.pad import entry_html, sign_of, slot_names
from pitboss.web.pages.playing import ChipTray, Decisions, asked, shortages_html
from pitboss.web.pages.shell import button, escape, markup, whole
from pitboss.web.pages.steps import place

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
CARDS_DEALT = "Cards in the order dealt, such as qs6d4c or Q♠ 6♦ 4♣"
KEYED = {"deal": "Deal these", "draw": "Deal these", "roll": "Read these"}
"""Where cards, dice or a wheel are real: the button under what is keyed in."""
SHORTCUTS = (
    ("Space or Enter", "the next step"),
    ("1, 2, 3 ...", "the decisions of the seat that is asked, in their order"),
    ("a rank or a suit", "begins to key a card in"),
)
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
COUNTED = {
    "count_chips": "{} chips counted",
    "stub": "Stub counted: {} cards",
    "count_deck": "Deck counted: {} cards",
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


class Console:
    """The dealer's and the floor's panel: what comes next, and below it drawers that are filled when they are opened.

    What has not changed is not drawn again, so that nobody loses a drawer he has opened or what he is typing.
    """

    def __init__(self, role: Role, person: str, act: Act, tell: Tell) -> None:
        self.role = role
        self.person = person
        self.act = act
        self.tell = tell
        self.tray = ChipTray()
        self.seat: int | None = None
        """The seat on the felt that was pressed."""
        self.wrong: Card | None = None
        """The card that is being corrected."""
        self.filled: dict[str, tuple[Any, ...]] = {}
        self._wagers: dict[str, str] = {}
        self.open: set[str] = set()

    def build_at_seats(self, live: Live) -> None:
        """Over the felt: the decisions of the seats that are asked."""
        self.at_seats = Panel(live, "pb-at-seats")
        self.decisions = Decisions(self.at_seats, self.act, self.tell, own=False)

    def build(self, live: Live) -> None:
        self.next = Panel(live, "pb-stack")
        markup(KEYS, "w-full")
        titles = ("Irregularity", "Chips", "All commands")
        self.drawers = {title: ui.element("div").classes("w-full") for title in titles}

    def draw(self, scene: Scene) -> None:
        table, warning = scene.table, scene.shown["warning"]
        noted = f'<div class="pb-note">{escape(warning)}</div>' if warning else ""
        self.next.show(self._step(scene, scene.step) + noted + self._patrons(scene) + self._keyed(table))
        self.at_seats.show(self._asked(scene))
        slip = next_slip(table, microseconds())
        is_open, names = table.phase != Phase.CLOSED, self._commands(table)
        game = (table.phase, table.source, table.game, table.as_of, table.dealing)
        reports = is_open and self.role in (Role.DEALER, *SUPERVISORS)
        sells = is_open and may(self.role, "table.buy_in")
        # Chips are sold at any time of a round: only what the form itself shows takes what somebody is typing away.
        chips = (sells, sorted(table.homes), table.chip_limit, slip)
        self._drawer("Irregularity", "report_problem", (reports, *game), lambda: self._irregular(table))
        self._drawer("Chips", "payments", chips, lambda: self._chips(table, slip))
        if scene.rules is not None:
            self._wagers = {wager.name: wager.title for wager in scene.rules.wagers.values() if not wager.picks}
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

    def _step(self, scene: Scene, step: Step | None) -> str:
        if step is None:
            return "<p>The table is closed.</p>"
        cite = f' <span class="pb-cite">[{escape(step.cite)}]</span>' if step.cite else ""
        who = "" if self._mine(step) else f'<span class="pb-soft">Waiting for the {escape(step.role)}: </span>'
        told = f'<div style="font-size:1.1rem">{who}<strong>{escape(step.say)}</strong>{cite}</div>'
        if step.command is None or not self._mine(step):
            return told
        body = {name: value for name, value in step.command.as_dict().items() if value is not None}
        if body["command"] in KEYED and scene.table.source == "keyed":
            return told + self._key_in(scene, body)
        if body["command"] == "cut":
            return told + self._cut(body)
        title, settled = _title(body), len(scene.lines)  # a second click must not settle the next player's wager
        buttons = [self.next.button(title, doing(self.act, **body), key=f"{title} {settled}", data_step="next")]
        if body["command"] == "settle":
            title, press = "Settle everything that is ready", doing(self.act, command="settle")
            buttons.append(self.next.button(title, press, key=f"{title} {settled}", main=False))
        short = shortages_html(scene.table, scene.table.staged) if body["command"] == "no_more_bets" else ""
        return told + short + row(*buttons, HINT)

    def _mine(self, step: Step) -> bool:
        return step.role == self.role or (step.role in SUPERVISORS and self.role in SUPERVISORS)

    def _key_in(self, scene: Scene, body: dict[str, Any]) -> str:
        """What a real deck, real dice or a real wheel have shown."""
        table, title = scene.table, KEYED[body["command"]]
        spoken = None if scene.rules is None else words_of(scene.rules)
        what, name = ("dice", "dice") if spoken else ("cards", f"cards-{len(table.playing.left_deck)}")

        async def keyed(typed: Typed) -> None:
            await self.act(**{**body, what: typed[name]})

        press = self.next.button(title, keyed, key=f"{title} {name}", data_step="next")
        if spoken:
            return row(field(spoken.keyed, name, wide=True), press, HINT)
        return entry_html(CARDS_DEALT, name, slot_names(table), table.playing.left_deck) + row(press, HINT)

    def _keyed(self, table: Table) -> str:
        """The cards just keyed in, which whoever deals the round may still correct."""
        play = table.play
        if play is None or not play.keyed or play.dealer != self.person or not may(self.role, "table.correct_card"):
            self.wrong = None
            return ""
        where = {each.card: each.to for each in play.dealt}
        if self.wrong not in play.keyed:
            self.wrong = None
        buttons = [self._wrong(card, where.get(card, "")) for card in play.keyed]
        told = '<p class="pb-soft pb-small">Keyed in; press a card that is not right.</p>' + row(*buttons)
        if self.wrong is None:
            return f'<div class="pb-stack" data-correct>{told}</div>'
        wrong, name = self.wrong, f"right-{show_card(self.wrong)}"

        async def correct(typed: Typed) -> None:
            self.wrong = None
            await self.act(command="correct_card", wrong=show_card(wrong), right=typed[name])

        entry = entry_html(f"Instead of {sign_of(wrong)}", name, [f"instead of {sign_of(wrong)}"], play.left_deck)
        put = self.next.button("Correct the card", correct, key=f"correct {show_card(wrong)}")
        return f'<div class="pb-stack" data-correct>{told}{entry}{row(put)}</div>'

    def _wrong(self, card: Card, to: str) -> str:
        chosen = card == self.wrong

        async def choose(_: Typed) -> None:
            self.wrong = None if chosen else card
            await self.act()

        marks = {"aria_pressed": str(chosen).lower(), "aria_label": f"{sign_of(card)}, {place(to)}" if to else None}
        return self.next.button(sign_of(card), choose, key=f"wrong {show_card(card)}", main=chosen, **marks)

    # Patrons

    async def clicked(self, scene: Scene, seat: int, wager: str) -> None:
        """A chip on a patron's spot; a free seat or a name is chosen, to seat somebody there or to sell chips."""
        table = scene.table
        seat = seat or (self.seat or 0) or next(iter(table.boxes), 0)  # areas that all seats share are nobody's
        if wager and seat in table.boxes and table.phase in BETWEEN_ROUNDS and may(self.role, "table.wager"):
            await self.act(**self.tray.on(scene, seat, wager))
            return
        self.seat = None if seat == self.seat else seat
        await self.act()

    def _patrons(self, scene: Scene) -> str:
        """Chips for the patrons' spots while wagers are open, and whoever sits at the seat that was pressed."""
        table = scene.table
        if table.phase == Phase.CLOSED:
            return ""
        parts = []
        if table.boxes and table.phase in BETWEEN_ROUNDS and may(self.role, "table.wager"):
            parts += [_said("A chip on a patron's spot: pick it here, then press the spot on the felt.")]
            parts += [self.tray.html(self.next, scene, self.act)]
        first = table.phase in (Phase.OPENING, Phase.IDLE) and not table.homes
        free = [seat for seat in range(1, rules_at(table).seats + 1) if seat not in table.boxes]
        if self.seat in table.boxes:
            parts.append(self._patron(table, self.seat))
        elif may(self.role, "table.sit") and free and (self.seat in free or first):
            parts.append(self._seating(self.seat or free[0]))
        elif may(self.role, "table.sit") and free and not table.in_round:
            parts.append(row(self.next.button("Seat a patron", self._choosing(free[0]), main=False)))
        return "".join(parts)

    def _choosing(self, seat: int) -> Press:
        async def choose(_: Typed) -> None:
            self.seat = seat
            await self.act()

        return choose

    def _seating(self, seat: int) -> str:
        name = f"patron-{seat}"

        async def sit(typed: Typed) -> None:
            self.seat = None
            await self.act(command="sit", seat=seat, player=typed[name].strip())

        return row(field(f"Patron for seat {seat}", name), self.next.button(f"Seat at {seat}", sit))

    def _patron(self, table: Table, seat: int) -> str:
        player, slip = table.boxes[seat], next_slip(table, microseconds())
        told = _said(f"Seat {seat}: {player}")
        buttons = []
        if may(self.role, "table.buy_in"):

            async def buy(typed: Typed) -> None:
                amount = whole(typed["buy"])
                if amount is None:
                    self.tell("Chips are bought for whole dollars, such as 500.")
                else:
                    await self.act(command="buy_in", player=player, amount=100 * amount, slip=slip)

            told += row(
                field("Buy in, dollars", "buy", 500, kind="number"),
                self.next.button(f"Buy in, slip {slip}", buy, key=f"buy {seat} {slip}", main=False),
            )
        else:
            told += _said("Cash is changed into chips by the floorperson or the cashier, with a slip.")
        if may(self.role, "table.leave"):
            leave = doing(self.act, command="leave", seat=seat)
            buttons.append(self.next.button("Leaves the table", leave, key=f"leave {seat}", main=False))
        return told + row(*buttons)

    def _asked(self, scene: Scene) -> str:
        """The choices of each seat that is asked, where it sits; from what anybody may choose, unless the dealer has
        keyed the cards in himself."""
        table, rules = scene.table, scene.rules
        if rules is None or not may(self.role, "table.decide"):
            return ""
        keyed = table.play is not None and table.source == "keyed" and table.play.dealer == self.person
        shown = []
        for waits in asked(table, blind=not keyed):
            x, y = at_seat(rules, "dealer", waits.seat.number)
            now = f" (now: {escape(waits.now)})" if waits.now else ""
            title = f"<strong>Seat {waits.seat.number}{now}</strong>"
            style = f"left:{min(max(x, 14), 86):.1f}%;top:{y:.1f}%"
            shown.append(f'<div class="pb-at-seat" style="{style}">{title}{self.decisions.html(scene, waits)}</div>')
        return "".join(shown)

    def _cut(self, body: dict[str, Any]) -> str:
        async def cut(typed: Typed) -> None:
            at = whole(typed["at"])
            if at is None:
                self.tell("How many cards lie above the cover card is a whole number, such as 26.")
            else:
                await self.act(command="cut", at=at)

        above = field("Cards above the cover card", "at", body["at"], kind="number")
        return row(above, self.next.button("Cut", cut, data_step="next"), HINT)

    def _irregular(self, table: Table) -> None:
        now = (what for what, phases in WHEN.items() if table.phase in phases)
        possible = {what: _words(what) for what in now if procedure_of(table, _named(what)) is not None}
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
        chosen = _wide(ui.select({name: _words(name) for name in names}, label="Command"))
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
                title = _words(known.name) + (", dollars" if known.name in DOLLARS else "")
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

            button(_words(name), send, main=False)


def _dollars(amount: object) -> str:
    return show_dollars(amount) if isinstance(amount, int) and amount else ""


def _said(text: str) -> str:
    return f'<p class="pb-soft pb-small">{escape(text)}</p>'


HINT = '<span class="pb-soft pb-small pb-keys">or <kbd>Space</kbd></span>'
KEYS = "<details><summary>Keys</summary><dl class='pb-shortcuts'>{}</dl></details>".format(
    "".join(f"<dt><kbd>{escape(key)}</kbd></dt><dd>{escape(does)}</dd>" for key, does in SHORTCUTS)
)


def _wide(made: W) -> W:
    """A field of a drawer."""
    return made.classes("w-full").props("outlined dense")


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").capitalize()


def _title(body: Mapping[str, Any]) -> str:
    name, count = str(body["command"]), body.get("count")
    return COUNTED[name].format(count) if name in COUNTED and count is not None else _words(name)
