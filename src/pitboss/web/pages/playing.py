"""The player's part of the table page: chips, wagers, decisions that are lawful now, and nothing else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pitboss.cards import show_card, show_cards
from pitboss.findings import Finding
from pitboss.games.chance import words_of
from pitboss.games.checks import BELOW_MINIMUM, verify_wagers
from pitboss.games.course import Betting, Decide, Option, Sight
from pitboss.games.round import Seat
from pitboss.money import Cents, show_dollars
from pitboss.table.autoplay import plain_wagers
from pitboss.table.deciding import deciding_now
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.source import card_words
from pitboss.table.state import BETWEEN_ROUNDS, Phase, Table
from pitboss.web.pages.feed import PracticeFeed, Scene, TableFeed
from pitboss.web.pages.hand import own_hand
from pitboss.web.pages.live import Act, Live, Panel, Tell, Typed, doing, field, row
from pitboss.web.pages.shell import escape, findings_html, whole
from pitboss.web.pages.steps import decision_name

CHIPS = (100, 500, 1000, 2500, 10_000)
HOW_TO_WAGER = (
    "Pick a chip, then a betting spot. A progressive spot takes its fixed amount; a second click takes it back."
)
WHERE_CHIPS = "To buy chips or to cash them, ask the floorperson or the cashier: they do it here, with a slip."


@dataclass(frozen=True)
class AskedSeat:
    """A seat that may decide now: at which step, with what in sight."""

    seat: Seat
    step: Decide
    sight: Sight
    options: tuple[Option, ...]

    @property
    def now(self) -> str:
        """What it has decided there already, while that may be changed."""
        made = None if isinstance(self.step, Betting) else self.seat.decisions.get(self.step.name)
        return "" if made is None else made.choice

    @property
    def turn(self) -> str:
        """Which of its choices in the round it is."""
        return f"{self.step.name} {len(self.seat.decisions)}" if isinstance(self.step, Betting) else self.step.name


def asked(table: Table, *, blind: bool = False) -> Iterator[AskedSeat]:
    """Every seat that may decide now, from the dealer's left; ``blind`` with what anybody may choose, whatever his
    cards are, for those who do not see them."""
    play = table.play
    if play is None or table.phase not in (Phase.DECIDING, Phase.DRAWING):
        return
    game, rules, (step, numbers) = game_at(table), rules_at(table), deciding_now(table)
    played = play.as_round()
    for seat in played.seats:
        if step is not None and seat.number in numbers:
            sight = game.sight(rules, played, seat, step)
            yield AskedSeat(seat, step, sight, step.options(rules, None if blind else sight))


@dataclass(frozen=True)
class Press:
    """One button for a decision: its words with what it costs, and the command."""

    label: str
    body: dict[str, Any]
    cost: Cents = 0


def presses(waits: AskedSeat) -> Iterator[Press]:
    """A button for each choice that needs nothing more to be said."""
    unit = waits.sight.stake
    for option in waits.options:
        if option.draws is not None and option.draws.discards:
            continue  # needs cards, chosen one by one
        for choice in option.choices():
            decision = choice.decision(unit)
            body = {"choice": option.name} | ({} if decision.amount is None else {"amount": decision.amount})
            back = sum(waits.seat.stake(wager) for wager in option.takes_back)
            cost = unit * sum(choice.puts.values())
            yield Press(_label(option, cost or back or option.price or 0), body, cost)


def _label(option: Option, amount: Cents) -> str:
    """Such as "Raise $20", "Buy 1 card $10" or "Withdraw $10": what it costs, or what comes back."""
    draws = f" {option.draws.most} card{'s' * (option.draws.most > 1)}" if option.draws else ""
    return f"{option.name.replace('_', ' ').capitalize()}{draws}" + (f" {show_dollars(amount)}" if amount else "")


@dataclass
class ChipTray:
    """The chip that a click on a betting spot puts down."""

    chip: Cents = 0

    def html(self, panel: Panel, scene: Scene, act: Act) -> str:
        self.chip = self.chip or _first_chip(scene)
        return row(*(self._chip(panel, chip, act) for chip in CHIPS), marks='role="radiogroup" aria-label="Chip"')

    def _chip(self, panel: Panel, chip: int, act: Act) -> str:
        chosen = chip == self.chip

        async def choose(_: Typed) -> None:
            self.chip = chip
            await act()

        checked = str(chosen).lower()
        return panel.button(show_dollars(chip), choose, main=chosen, role="radio", aria_checked=checked)

    def on(self, scene: Scene, seat: int, wager: str) -> dict[str, Any]:
        """The command of a click on a spot; a progressive wager has its fixed amount, and a second click takes it."""
        rules = rules_at(scene.table)
        known = rules.wager_named(wager)
        held = scene.table.staged.get(seat, {}).get(wager, 0)
        fixed = rules.choices.amounts.get(wager) if known and known.meter else None
        if fixed and held:
            return {"command": "withdraw", "seat": seat, "wager": wager}
        return {"command": "wager", "seat": seat, "wager": wager, "amount": fixed or held + self.chip}


class DecisionButtons:
    """The buttons of a decision: for a player at his own seat, and for the dealer who takes a patron's word."""

    def __init__(self, panel: Panel, act: Act, tell: Tell, *, own: bool) -> None:
        self.panel = panel
        self.act = act
        self.tell = tell
        self.own = own
        self.discard: dict[int, set[str]] = {}

    def html(self, scene: Scene, waits: AskedSeat, chips: Cents | None = None, *, keys: bool = False) -> str:
        """What may be chosen; with the ``chips`` at hand, what they do not suffice for cannot be pressed. With ``keys``
        the digits press it."""
        seat, number, rows = waits.seat.number, scene.table.playing.number, []
        short = []
        for at, press in enumerate(presses(waits), 1):
            act = doing(self.act, command="decide", seat=seat, **press.body)
            key = f"round {number}, seat {seat}, {waits.turn}: {press.label}"
            marks: dict[str, object] = {"data_choice": press.body["choice"]}
            if chips is not None and press.cost > chips:
                short.append(f"{press.label} needs {show_dollars(press.cost - chips)} more than you have.")
                marks |= {"disabled": "disabled"}
            if keys:
                marks |= {"data_key": at, "aria_keyshortcuts": at}
            main = press.body["choice"] != "fold"
            rows.append(self.panel.button(press.label, act, key=key, main=main, **marks))
        rest = (self._between(waits, option) + self._discards(waits, option, number) for option in waits.options)
        return row(*rows) + "".join(_said(each, small=True) for each in short) + "".join(rest)

    def _between(self, waits: AskedSeat, option: Option) -> str:
        """Any amount between the multiples, where the law asks for no whole ones."""
        times = next((each for each in option.puts.values() if each.said and not each.whole), None)
        if times is None or times.least == times.most:
            return ""
        least, most = (waits.sight.stake * each for each in (times.least, times.most))

        async def put(typed: Typed) -> None:
            amount = whole(typed["between"])
            if amount is None:
                self.tell(f"Give whole dollars from {show_dollars(least)} to {show_dollars(most)}.")
                return
            await self.act(command="decide", seat=waits.seat.number, choice=option.name, amount=100 * amount)

        name = option.name.capitalize()
        dollars = field(f"{name}, dollars, up to {show_dollars(most)}", "between", least // 100, kind="number")
        key = f"seat {waits.seat.number}: {name} this amount"
        return row(dollars, self.panel.button(f"{name} this amount", put, key=key, main=False))

    def _discards(self, waits: AskedSeat, option: Option, number: int) -> str:
        """Cards to be given up for others, chosen one by one; who does not see them writes them down."""
        draws, seat, hand = option.draws, waits.seat.number, waits.sight.cards
        if draws is None or not draws.discards:
            return ""
        name = option.name.capitalize()
        if not self.own:
            given = f"discard-{seat}"

            async def exchange(typed: Typed) -> None:
                cards = " ".join(map(_card_of, card_words(typed[given])))
                await self.act(command="decide", seat=seat, choice=option.name, discard=cards)

            entry = field(f"{name} {draws.least} to {draws.most} cards, such as Q♠ 6♦", given)
            return row(entry, self.panel.button(name, exchange, key=f"seat {seat}: {name}", main=False))
        chosen = self.discard.setdefault(seat, set())
        chosen &= {show_card(card) for card in hand}
        buttons = [self._card(seat, show_card(card)) for card in hand]
        if draws.least <= len(chosen) <= draws.most:
            cost = show_dollars(waits.sight.stake * sum(times.least for times in option.puts.values()))
            cards = show_cards(tuple(card for card in hand if show_card(card) in chosen))
            press = doing(self.act, command="decide", seat=seat, choice=option.name, discard=cards)
            key = f"round {number}, seat {seat}: {cards}"
            buttons.append(self.panel.button(f"{name} {len(chosen)} for {cost}", press, key=key))
            said = ""
        else:
            rest = f", not {len(chosen)}." if chosen else ": press those to discard."
            said = f"{name} {draws.least} to {draws.most} cards{rest}"
        return row(*buttons) + _said(said, small=True)

    def _card(self, seat: int, card: str) -> str:
        chosen = card in self.discard[seat]
        marks = {"aria_pressed": str(chosen).lower(), "aria_label": f"Discard {card}"}

        async def toggle(_: Typed) -> None:
            self.discard[seat] ^= {card}
            await self.act()

        return self.panel.button(card, toggle, key=f"{seat} {card}", main=chosen, **marks)


def _card_of(word: str) -> str:
    """As cards are written in a command."""
    return word[:-1].upper().replace("10", "T") + word[-1:].lower()


class PlayerPanel:
    """What a player does; the felt itself takes clicks on its betting spots."""

    def __init__(self, feed: TableFeed, act: Act, tell: Tell) -> None:
        self.feed = feed
        self.act = act
        self.tell = tell
        self.tray = ChipTray()
        self.four_colour = False

    def build(self, live: Live, classes: str) -> None:
        self.panel = Panel(live, classes)
        self.decisions = DecisionButtons(self.panel, self.act, self.tell, own=True)

    def seats(self, scene: Scene) -> list[int]:
        return sorted(seat for seat, player in scene.table.boxes.items() if player == self.feed.person)

    async def clicked(self, scene: Scene, seat: int, wager: str) -> None:
        """A chip on a spot; on somebody else's nothing, and on a free seat for whoever has none, that seat."""
        table = scene.table
        if table.boxes.get(seat) == self.feed.person:
            if wager:
                await self.act(**self.tray.on(scene, seat, wager))
        elif seat and seat not in table.boxes and not self.seats(scene):
            await self.act(command="sit", seat=seat)

    def draw(self, scene: Scene) -> None:
        held = f"<strong data-chips>{show_dollars(scene.chips)}</strong>"
        chips = f'<div class="pb-money"><span class="pb-soft">Your chips</span> {held}</div>'
        self.panel.show(chips + self._hands(scene) + self._offered(scene))

    def _hands(self, scene: Scene) -> str:
        """One's own cards, large, with the name of the hand."""
        return "".join(own_hand(scene, seat, four_colour=self.four_colour) for seat in self.seats(scene))

    def _offered(self, scene: Scene) -> str:
        table, mine = scene.table, self.seats(scene)
        if not mine:
            return self._sit(scene)
        if table.phase in BETWEEN_ROUNDS:
            return self._wagering(scene, mine)
        if waiting := [each for each in asked(table) if each.seat.number in mine]:
            return "".join(self._decision(scene, each) for each in waiting) + self._more_chips(scene, waiting)
        if isinstance(self.feed, PracticeFeed) and table.phase == Phase.COLLECTING:
            return _said("The round is over.") + row(self.panel.button("Next round", self._next, data_step="next"))
        return _said(_waiting(scene))

    def _decision(self, scene: Scene, waits: AskedSeat) -> str:
        several = len(game_at(scene.table).course.decides) > 1 and waits.step.name != "decision"
        told = (f", {decision_name(waits.step)}" if several else "") + (f" (now: {waits.now})" if waits.now else "")
        title = f"<strong>Seat {waits.seat.number}: your decision{escape(told)}</strong>"
        return title + self.decisions.html(scene, waits, scene.chips)

    def _more_chips(self, scene: Scene, waiting: Sequence[AskedSeat]) -> str:
        """Where chips do not suffice for a choice: how to come by more."""
        if all(press.cost <= scene.chips for each in waiting for press in presses(each)):
            return ""
        return self._buying() if isinstance(self.feed, PracticeFeed) else _said(WHERE_CHIPS, small=True)

    def _buying(self) -> str:
        dollars = field("Buy in, dollars", "dollars", 500, kind="number")
        return row(dollars, self.panel.button("Buy chips", lambda typed: self._buy(typed["dollars"]), main=False))

    async def _next(self, _: Typed) -> None:
        assert isinstance(self.feed, PracticeFeed)
        self.feed.next_round()
        await self.act()

    async def _anew(self, _: Typed) -> None:
        assert isinstance(self.feed, PracticeFeed)
        self.feed.start_anew()
        await self.act()

    def _sit(self, scene: Scene) -> str:
        seats = range(1, (scene.rules.seats if scene.rules else 0) + 1)
        free = [seat for seat in seats if seat not in scene.table.boxes]
        sit = {seat: doing(self.act, command="sit", seat=seat) for seat in free}
        return row(*(self.panel.button(f"Sit at {seat}", press, main=False) for seat, press in sit.items()))

    def _wagering(self, scene: Scene, mine: list[int]) -> str:
        button, practice = self.panel.button, isinstance(self.feed, PracticeFeed)
        usual = {seat: dict(plain_wagers(scene.table, seat)) for seat in mine}
        buttons = [button("Usual wagers", lambda _: self._put(scene, usual), main=False)]
        if last := self._last(scene, mine):
            total = show_dollars(sum(sum(made.values()) for made in last.values()))
            buttons.append(button(f"Rebet {total}", lambda _: self._put(scene, last), main=False))
        if any(seat in scene.table.staged and seat not in scene.table.stacks for seat in mine):
            buttons.append(button("Take wagers back", lambda _: self._take_back(scene, mine), main=False))
        if practice and any(seat in scene.table.staged for seat in mine):
            spoken = None if scene.rules is None else words_of(scene.rules)
            deal = doing(self.act, command="no_more_bets")
            buttons.append(button(spoken.button if spoken else "Deal", deal, data_step="next"))
        if practice:
            last_row = self._buying() + row(button("Start anew", self._anew, main=False))
        else:
            leave = button("Leave", doing(self.act, command="leave", seat=mine[0]), main=False)
            last_row = _said(WHERE_CHIPS, small=True) + row(leave)
        told = _said(HOW_TO_WAGER, small=True) + shortages_html(scene.table, mine)
        return self.tray.html(self.panel, scene, self.act) + told + row(*buttons) + last_row

    def _last(self, scene: Scene, mine: list[int]) -> dict[int, dict[str, Cents]]:
        """What was wagered before the cards in the last round, as far as it can be wagered again."""
        rules = rules_at(scene.table)
        made: dict[int, dict[str, Cents]] = {}
        for line in self.feed.results(scene).lines:
            wager = rules.wager_named(str(line["wager"]))
            wanted = line["seat"] in mine and line["seat"] not in scene.table.stacks
            if wanted and wager is not None and wager.placed == "before" and line["stake"]:
                made.setdefault(line["seat"], {})[str(line["wager"])] = line["stake"]
        order = list(rules.wagers)

        def placed(name: str) -> int:
            known = rules.wager_named(name)
            return order.index(known.name) if known is not None else len(order)

        return {seat: {name: wagers[name] for name in sorted(wagers, key=placed)} for seat, wagers in made.items()}

    async def _put(self, scene: Scene, wagers: Mapping[int, Mapping[str, Cents]]) -> None:
        for seat, made in wagers.items():
            for wager, amount in made.items():
                if scene.table.staged.get(seat, {}).get(wager) != amount:
                    await self.act(command="wager", seat=seat, wager=wager, amount=amount)

    async def _take_back(self, scene: Scene, mine: list[int]) -> None:
        for seat in mine:
            for wager in reversed(list(scene.table.staged.get(seat, {}))):
                await self.act(command="withdraw", seat=seat, wager=wager)

    async def _buy(self, dollars: str) -> None:
        amount = whole(dollars)
        if amount is None:
            self.tell("Chips are bought for whole dollars, such as 500.")
            return
        assert isinstance(self.feed, PracticeFeed)
        await self.act(command="buy_in", amount=100 * amount, player=self.feed.person, slip=self.feed.slip())


def shortages(table: Table, seats: Iterable[int]) -> Iterator[Finding]:
    """Wagers that lie below their minimum, and what each lacks; "no more bets" will not take them."""
    for seat in seats:
        if (made := table.staged.get(seat)) and seat not in table.stacks:
            found = verify_wagers(rules_at(table), Seat(seat, (), made))
            yield from (each for each in found if each.code == BELOW_MINIMUM)


def shortages_html(table: Table, seats: Iterable[int]) -> str:
    found = (replace(each, severity="note") for each in shortages(table, seats))
    return f"<div data-short>{findings_html(found)}</div>"


def _first_chip(scene: Scene) -> int:
    """The smallest that makes a lawful wager of the first kind by itself."""
    first = next(iter(scene.rules.wagers), "") if scene.rules else ""
    least = scene.rules.limits(first).minimum if scene.rules else CHIPS[0]
    return next((chip for chip in CHIPS if chip >= least), CHIPS[-1])


def _waiting(scene: Scene) -> str:
    """What a player waits for, and for whom."""
    step = scene.step
    if step is None:
        return "The table is closed."
    if step.seat is not None and step.command is None:
        return f"Seat {step.seat} decides."
    return f"The {scene.taker} is next: {step.say}"


def _said(text: str, *, small: bool = False) -> str:
    return f'<p class="pb-soft{" pb-small" if small else ""}">{escape(text)}</p>'
