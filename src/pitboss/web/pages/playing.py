"""The player's part of the table page: chips, wagers, decisions that are lawful now, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pitboss.cards import show_card, show_cards
from pitboss.money import show_dollars
from pitboss.table.autoplay import plain_wagers
from pitboss.table.deciding import decision_findings, drawing, locks_in, must_decide, stake_of, undecided
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import BETWEEN_ROUNDS, Decided, Phase, Table
from pitboss.web.pages.feed import Feed, PracticeFeed, Scene
from pitboss.web.pages.live import Act, Live, Panel, Tell, Typed, doing, field, row
from pitboss.web.pages.shell import escape, whole

CHIPS = (100, 500, 1000, 2500, 10_000)
WHERE_CHIPS = "To buy chips or to cash them, ask the floorperson or the cashier: they do it here, with a slip."


@dataclass(frozen=True)
class Choice:
    """One thing a player may decide now, with what it costs."""

    label: str
    body: dict[str, Any]


def choices(table: Table, seat: int) -> Iterator[Choice]:
    """The lawful decisions of a seat: what the game's own check has nothing against."""
    play = table.play
    assert play is not None
    game, ante = game_at(table), play.staked(seat).get("ante", 0)
    if table.phase == Phase.DRAWING:
        for then in ("bet", "fold"):
            yield Choice(_label(then, 2 * ante if then == "bet" else 0), {"choice": then})
        return
    for name in game.decisions:
        if name == "exchange":
            continue  # needs cards, chosen one by one
        amounts: list[int | None] = [None, ante, 2 * ante, 3 * ante]
        seen = set()
        for amount in amounts:
            decision = Decided(name, amount)
            if any(True for _ in decision_findings(table, play, seat, decision)):
                continue
            cost = stake_of(table, play, seat, decision)
            if cost in seen:
                continue
            seen.add(cost)
            body = {"choice": name} | ({"amount": amount} if amount is not None else {})
            yield Choice(_label(name, cost), body)


def _label(name: str, cost: int) -> str:
    words = {"buy": "Buy a sixth card", "bet": "Bet", "fold": "Fold", "play": "Play", "raise": "Raise"}
    return words.get(name, name.capitalize()) + (f" {show_dollars(cost)}" if cost else "")


class PlayerPanel:
    """What a player does; the felt itself takes clicks on its betting spots."""

    def __init__(self, feed: Feed, act: Act, tell: Tell) -> None:
        self.feed = feed
        self.act = act
        self.tell = tell
        self.chip = 0
        self.discard: dict[int, set[str]] = {}

    def build(self, live: Live, classes: str) -> None:
        self.panel = Panel(live, classes)

    def seats(self, scene: Scene) -> list[int]:
        return sorted(seat for seat, player in scene.table.boxes.items() if player == self.feed.person)

    async def clicked(self, scene: Scene, seat: int, wager: str) -> None:
        """A chip on a spot; a progressive wager has its fixed amount."""
        rules = rules_at(scene.table)
        known = rules.wager_named(wager)
        held = scene.table.staged.get(seat, {}).get(wager, 0)
        fixed = rules.choices.amounts.get(wager) if known and known.meter else None
        if fixed and held:
            await self.act(command="withdraw", seat=seat, wager=wager)
        else:
            await self.act(command="wager", seat=seat, wager=wager, amount=fixed or held + self.chip)

    def draw(self, scene: Scene) -> None:
        if not self.chip:
            self.chip = _first_chip(scene)
        held = f"<strong data-chips>{show_dollars(scene.chips)}</strong>"
        chips = f'<div class="pb-money"><span class="pb-soft">Your chips</span> {held}</div>'
        self.panel.show(chips + self._offered(scene))

    def _offered(self, scene: Scene) -> str:
        table, mine = scene.table, self.seats(scene)
        if not mine:
            return self._sit(scene)
        if table.phase in BETWEEN_ROUNDS:
            return self._wagering(scene, mine)
        if asked := self.asked(scene):
            return "".join(self._decision(table, seat) for seat in asked)
        if isinstance(self.feed, PracticeFeed) and table.phase == Phase.COLLECTING:
            return _said("The round is over.") + row(self.panel.button("Next round", self._next))
        return _said(_waiting(scene))

    async def _next(self, _: Typed) -> None:
        assert isinstance(self.feed, PracticeFeed)
        self.feed.next_round()
        await self.act()

    def _sit(self, scene: Scene) -> str:
        seats = range(1, (scene.rules.seats if scene.rules else 0) + 1)
        free = [seat for seat in seats if seat not in scene.table.boxes]
        return row(
            *(
                self.panel.button(f"Sit at {seat}", doing(self.act, command="sit", seat=seat), main=False)
                for seat in free
            )
        )

    def _wagering(self, scene: Scene, mine: list[int]) -> str:
        button, practice = self.panel.button, isinstance(self.feed, PracticeFeed)
        buttons = [button("Usual wagers", lambda _: self._usual(scene, mine), main=False)]
        if any(seat in scene.table.staged for seat in mine):
            buttons.append(button("Take wagers back", lambda _: self._take_back(scene, mine), main=False))
        if practice and scene.table.staged:
            buttons.append(button("Deal", doing(self.act, command="no_more_bets")))
        if practice:
            last = row(
                field("Buy in, dollars", "dollars", 500, kind="number"),
                button("Buy chips", lambda typed: self._buy(typed["dollars"]), main=False),
            )
        else:
            leave = button("Leave", doing(self.act, command="leave", seat=mine[0]), main=False)
            last = _said(WHERE_CHIPS, small=True) + row(leave)
        told = _said(
            "Pick a chip, then a betting spot. A progressive spot takes its fixed amount; a second click takes it "
            "back.",
            small=True,
        )
        chips = row(*map(self._chip, CHIPS), marks='role="radiogroup" aria-label="Chip"')
        return chips + told + row(*buttons) + last

    def _chip(self, chip: int) -> str:
        chosen = chip == self.chip
        checked = str(chosen).lower()

        async def choose(_: Typed) -> None:
            self.chip = chip
            await self.act()

        return self.panel.button(show_dollars(chip), choose, main=chosen, role="radio", aria_checked=checked)

    async def _usual(self, scene: Scene, mine: list[int]) -> None:
        for seat in mine:
            for wager, amount in plain_wagers(scene.table).items():
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

    def asked(self, scene: Scene) -> list[int]:
        """Own seats that may decide now."""
        table, play, mine = scene.table, scene.table.play, self.seats(scene)
        if play is None or table.phase not in (Phase.DECIDING, Phase.DRAWING):
            return []
        if table.phase == Phase.DRAWING:
            return [seat for seat in drawing(table, play)[:1] if play.decisions[seat].drawn and seat in mine]
        if locks_in(table):
            return [seat for seat in must_decide(table, play) if seat in mine]
        return [seat for seat in undecided(table, play)[:1] if seat in mine]

    def _decision(self, table: Table, seat: int) -> str:
        play = table.play
        assert play is not None
        made = play.decisions.get(seat)
        told = f" (now: {made.choice})" if made is not None and table.phase == Phase.DECIDING else ""
        buttons = []
        for choice in choices(table, seat):
            press = doing(self.act, command="decide", seat=seat, **choice.body)
            fold = choice.body["choice"] == "fold"
            key = f"round {play.number}, seat {seat}: {choice.label}"
            buttons.append(self.panel.button(choice.label, press, key=key, main=not fold))
        shown = f"<strong>Seat {seat}: your decision{escape(told)}</strong>{row(*buttons)}"
        if table.phase == Phase.DECIDING and "exchange" in game_at(table).decisions:
            shown += self._exchange(table, seat)
        return shown

    def _exchange(self, table: Table, seat: int) -> str:
        play = table.play
        assert play is not None
        hand = play.hand(f"seat {seat}")
        chosen = self.discard.setdefault(seat, set())
        chosen &= {show_card(card) for card in hand}
        buttons = [self._card(seat, show_card(card)) for card in hand]
        decision = Decided("exchange", discard=tuple(card for card in hand if show_card(card) in chosen))
        against = [*decision_findings(table, play, seat, decision)] if chosen else []
        if chosen and not against:
            cost = show_dollars(stake_of(table, play, seat, decision))
            cards = show_cards(decision.discard)
            press = doing(self.act, command="decide", seat=seat, choice="exchange", discard=cards)
            key = f"round {play.number}, seat {seat}: {cards}"
            buttons.append(self.panel.button(f"Exchange {len(chosen)} for {cost}", press, key=key))
        said = against[0].sentence if against else "" if chosen else "To exchange cards, press those to discard."
        return row(*buttons) + _said(said, small=True)

    def _card(self, seat: int, card: str) -> str:
        chosen = card in self.discard[seat]
        return self.panel.button(
            card,
            lambda _: self._toggle(seat, card),
            key=f"{seat} {card}",
            main=chosen,
            aria_pressed=str(chosen).lower(),
            aria_label=f"Discard {card}",
        )

    async def _toggle(self, seat: int, card: str) -> None:
        self.discard.setdefault(seat, set()).symmetric_difference_update({card})
        await self.act()


def _first_chip(scene: Scene) -> int:
    """The smallest that makes a lawful Ante by itself."""
    least = scene.rules.limits("ante").minimum if scene.rules and "ante" in scene.rules.wagers else CHIPS[0]
    return next((chip for chip in CHIPS if chip >= least), CHIPS[-1])


def _waiting(scene: Scene) -> str:
    """What a player waits for, and for whom."""
    step = scene.step
    if step is None:
        return "The table is closed."
    if step.seat is not None and step.command is None:
        return f"Seat {step.seat} decides."
    return f"The {step.role} is next: {step.say}"


def _said(text: str, *, small: bool = False) -> str:
    return f'<p class="pb-soft{" pb-small" if small else ""}">{escape(text)}</p>'
