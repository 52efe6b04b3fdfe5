"""The house's part of the table page: the next step, cards keyed in, patrons, and below them the drawers."""

from collections.abc import Mapping
from typing import Any, TypeVar

from nicegui import ui

from pitboss.cards import Card, show_card
from pitboss.games.chance import words_of
from pitboss.ledger.people import microseconds
from pitboss.reports.felt import before_seat, is_shared
from pitboss.table.guide import Step
from pitboss.table.opening import next_slip
from pitboss.table.permissions import may
from pitboss.table.roles import SUPERVISORS, Role
from pitboss.table.ruling import rules_at
from pitboss.table.state import BETWEEN_ROUNDS, Phase, Table
from pitboss.web.pages.drawers import Drawers, words
from pitboss.web.pages.feed import Scene
from pitboss.web.pages.live import Act, Live, Panel, Press, Tell, Typed, doing, field, row
from pitboss.web.pages.pad import course_html, entry_html, sign_of, slot_names
from pitboss.web.pages.playing import ChipTray, DecisionButtons, asked, shortages_html
from pitboss.web.pages.shell import escape, markup, whole
from pitboss.web.pages.steps import place

W = TypeVar("W", bound=ui.element)
CARDS_DEALT = "Cards in the order dealt, such as qs6d4c or Q♠ 6♦ 4♣"
KEYED = {"deal": "Deal these", "draw": "Deal these", "roll": "Read these"}
"""Where cards, dice or a wheel are real: the button under what is keyed in."""
SHORTCUTS = (
    ("Space or Enter", "the next step"),
    ("1, 2, 3 ...", "the decisions of the seat that is asked, in their order"),
    ("a rank or a suit", "begins to key a card in"),
)
COUNTED = {
    "count_chips": "{} chips counted",
    "stub": "Stub counted: {} cards",
    "count_deck": "Deck counted: {} cards",
}


class Console:
    """The dealer's and the floor's panel: what comes next, and below it everything else that they may do."""

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
        self.drawers = Drawers(role, act, tell)

    def build_at_seats(self, live: Live) -> None:
        """Over the felt: the decisions of the seats that are asked."""
        self.at_seats = Panel(live, "pb-at-seats")

        async def decide(**body: Any) -> None:
            self.seat = None  # the next one is asked
            await self.act(**body)

        self.decisions = DecisionButtons(self.at_seats, decide, self.tell, own=False)

    def build(self, live: Live) -> None:
        self.next = Panel(live, "pb-stack")
        markup(KEYS, "w-full")
        self.drawers.build()

    def draw(self, scene: Scene, *, narrow: bool = False) -> None:
        """``narrow``: the felt shows one seat, and what it may choose stands below."""
        table, warning = scene.table, scene.shown["warning"]
        noted = f'<div class="pb-note">{escape(warning)}</div>' if warning else ""
        self.next.show(
            course_html(table) + self._step(scene, scene.step) + noted + self._patrons(scene) + self._keyed(table)
        )
        self.at_seats.show(self._asked(scene, narrow=narrow))
        self.drawers.draw(scene)

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
        return entry_html(CARDS_DEALT, name, slot_names(table), table.playing.left_deck, press, HINT)

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

        put = self.next.button("Correct the card", correct, key=f"correct {show_card(wrong)}")
        entry = entry_html(f"Instead of {sign_of(wrong)}", name, [f"instead of {sign_of(wrong)}"], play.left_deck, put)
        return f'<div class="pb-stack" data-correct>{told}{entry}</div>'

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
        seat = seat or self.served(table)  # areas that all seats share are nobody's
        if wager and seat in table.boxes and table.phase in BETWEEN_ROUNDS and may(self.role, "table.wager"):
            await self.act(**self.tray.on(scene, seat, wager))
            return
        self.seat = None if seat == self.seat else seat
        await self.act()

    def served(self, table: Table) -> int:
        """The seat whose chips go on areas that all seats share: the one that was pressed, or the first."""
        return self.seat if self.seat in table.boxes else next(iter(sorted(table.boxes)), 0)

    def _whose(self, table: Table) -> str:
        """Where all seats bet on the same areas: whose chip the next one is."""
        served = self.served(table)
        seats = (
            self.next.button(
                f"{seat} {player}",
                self._choosing(seat),
                key=f"whose {seat}",
                main=seat == served,
                role="radio",
                aria_checked=str(seat == served).lower(),
            )
            for seat, player in sorted(table.boxes.items())
        )
        return row(*seats, marks='role="radiogroup" aria-label="Whose chip"')

    def _patrons(self, scene: Scene) -> str:
        """Chips for the patrons' spots while wagers are open, and whoever sits at the seat that was pressed."""
        table = scene.table
        if table.phase == Phase.CLOSED:
            return ""
        parts = []
        if table.boxes and table.phase in BETWEEN_ROUNDS and may(self.role, "table.wager"):
            shared = scene.rules is not None and is_shared(scene.rules)
            what = "whose it is and the chip" if shared else "it"
            parts += [_said(f"A chip on a patron's spot: pick {what} here, then press the spot on the felt.")]
            parts += [self._whose(table)] if shared else []
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

    def _asked(self, scene: Scene, *, narrow: bool) -> str:
        """The choices of the seat that is asked, before it; from what anybody may choose, unless the dealer has keyed
        the cards in himself. Where several choose together: of the seat that was pressed, or the first that has not."""
        table, rules = scene.table, scene.rules
        if rules is None or not may(self.role, "table.decide"):
            return ""
        keyed = table.play is not None and table.source == "keyed" and table.play.dealer == self.person
        asking = [*asked(table, blind=not keyed)]
        pressed = (each for each in asking if each.seat.number == self.seat)
        waits = next(pressed, None) or next((each for each in asking if not each.now), None)
        if waits is None:
            return ""
        x, foot = before_seat(rules, waits.seat.number)
        now = f" (now: {escape(waits.now)})" if waits.now else ""
        title = f"<strong>Seat {waits.seat.number}{now}</strong>"
        chosen = sum(bool(each.now) for each in asking)
        others = f"{chosen} of {len(asking)} have chosen; press another name for that seat." if len(asking) > 1 else ""
        style = f"left:{x:.1f}%;bottom:{foot:.1f}%;transform:translateX(-{x:.1f}%)"  # so it never leaves the felt
        style = "position:static" if narrow else style
        choices = self.decisions.html(scene, waits, keys=True) + (_said(others) if others else "")
        return f'<div class="pb-at-seat" style="{style}">{title}{choices}</div>'

    def _cut(self, body: dict[str, Any]) -> str:
        async def cut(typed: Typed) -> None:
            at = whole(typed["at"])
            if at is None:
                self.tell("How many cards lie above the cover card is a whole number, such as 26.")
            else:
                await self.act(command="cut", at=at)

        above = field("Cards above the cover card", "at", body["at"], kind="number")
        return row(above, self.next.button("Cut", cut, data_step="next"), HINT)


def _said(text: str) -> str:
    return f'<p class="pb-soft pb-small">{escape(text)}</p>'


HINT = '<span class="pb-soft pb-small pb-keys">or <kbd>Space</kbd></span>'
KEYS = "<details><summary>Keys</summary><dl class='pb-shortcuts'>{}</dl></details>".format(
    "".join(f"<dt><kbd>{escape(key)}</kbd></dt><dd>{escape(does)}</dd>" for key, does in SHORTCUTS)
)


def _title(body: Mapping[str, Any]) -> str:
    name, count = str(body["command"]), body.get("count")
    return COUNTED[name].format(count) if name in COUNTED and count is not None else words(name)
