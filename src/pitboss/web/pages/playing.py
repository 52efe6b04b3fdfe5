"""The player's part of the table page: chips, wagers, decisions that are lawful now, and nothing else."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nicegui import ui

from pitboss.cards import show_card, show_cards
from pitboss.games.round import Decision
from pitboss.money import show_dollars
from pitboss.table.autoplay import plain_wagers
from pitboss.table.deciding import decision_findings, drawing, locks_in, must_decide, stake_of, undecided
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import BETWEEN_ROUNDS, Phase, Table
from pitboss.web.pages.feed import Feed, PracticeFeed, Scene
from pitboss.web.pages.shell import button, escape, markup

CHIPS = (100, 500, 1000, 2500, 10_000)
Act = Callable[..., None]


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
            decision = Decision(name, amount)
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


@dataclass
class PlayerPanel:
    """What a player does; the felt itself takes clicks on its betting spots."""

    feed: Feed
    act: Act
    chip: int = 0
    discard: dict[int, set[str]] = field(default_factory=dict)

    def seats(self, scene: Scene) -> list[int]:
        return sorted(seat for seat, player in scene.table.boxes.items() if player == self.feed.person)

    def clicked(self, scene: Scene, seat: int, wager: str) -> None:
        """A chip on a spot; a progressive wager has its fixed amount."""
        rules = rules_at(scene.table)
        known = rules.wager_named(wager)
        held = scene.table.staged.get(seat, {}).get(wager, 0)
        fixed = rules.choices.amounts.get(wager) if known and known.meter else None
        if fixed and held:
            self.act(command="withdraw", seat=seat, wager=wager)
        else:
            self.act(command="wager", seat=seat, wager=wager, amount=fixed or held + self.chip)

    def draw(self, scene: Scene) -> None:
        table, mine = scene.table, self.seats(scene)
        if not self.chip:
            self.chip = _first_chip(scene)
        held = f"<strong data-chips>{show_dollars(scene.chips)}</strong>"
        markup(f'<div class="pb-money"><span class="pb-soft">Your chips</span> {held}</div>')
        if not mine:
            self._sit(scene)
            return
        if table.phase in BETWEEN_ROUNDS:
            self._wagering(scene, mine)
        elif table.phase in (Phase.DECIDING, Phase.DRAWING):
            self._deciding(scene)
        elif isinstance(self.feed, PracticeFeed) and table.phase == Phase.COLLECTING:
            markup('<p class="pb-soft" style="margin:0">The round is over.</p>')
            button("Next round", self._next)
        else:
            _waiting(scene)

    def _next(self) -> None:
        assert isinstance(self.feed, PracticeFeed)
        self.feed.next_round()
        self.act()

    def _sit(self, scene: Scene) -> None:
        rules = scene.rules
        free = [seat for seat in range(1, (rules.seats if rules else 0) + 1) if seat not in scene.table.boxes]
        with ui.row().classes("items-center"):
            for seat in free:
                button(f"Sit at {seat}", lambda seat=seat: self.act(command="sit", seat=seat), main=False)

    def _wagering(self, scene: Scene, mine: list[int]) -> None:
        with ui.row().classes("items-center").props('role="radiogroup" aria-label="Chip"'):
            for chip in CHIPS:
                self._chip(chip)
        markup(
            '<p class="pb-small pb-soft" style="margin:0">Pick a chip, then a betting spot. A progressive spot takes '
            "its fixed amount; a second click takes it back.</p>"
        )
        with ui.row():
            button("Usual wagers", lambda: self._usual(scene, mine), main=False)
            if any(seat in scene.table.staged for seat in mine):
                button("Take wagers back", lambda: self._take_back(scene, mine), main=False)
            if isinstance(self.feed, PracticeFeed) and scene.table.staged:
                button("Deal", lambda: self.act(command="no_more_bets"))
        with ui.row().classes("items-center"):
            amount = ui.number("Buy in, dollars", value=500, min=1, format="%d").classes("w-40").props("outlined dense")
            button("Buy chips", lambda: self._buy(amount.value), main=False)
            if not isinstance(self.feed, PracticeFeed):
                button("Leave", lambda: self.act(command="leave", seat=mine[0]), main=False)

    def _chip(self, chip: int) -> None:
        chosen = chip == self.chip
        made = button(show_dollars(chip), lambda: self._choose(chip), main=chosen)
        made.props(f'role="radio" aria-checked="{str(chosen).lower()}"')

    def _choose(self, chip: int) -> None:
        self.chip = chip
        self.act()

    def _usual(self, scene: Scene, mine: list[int]) -> None:
        for seat in mine:
            for wager, amount in plain_wagers(scene.table).items():
                if scene.table.staged.get(seat, {}).get(wager) != amount:
                    self.act(command="wager", seat=seat, wager=wager, amount=amount)

    def _take_back(self, scene: Scene, mine: list[int]) -> None:
        for seat in mine:
            for wager in reversed(list(scene.table.staged.get(seat, {}))):
                self.act(command="withdraw", seat=seat, wager=wager)

    def _buy(self, dollars: float | None) -> None:
        body: dict[str, Any] = {"command": "buy_in", "amount": int(dollars or 0) * 100}
        if isinstance(self.feed, PracticeFeed):
            body["player"] = self.feed.person
        self.act(**body)

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

    def offered(self, scene: Scene) -> tuple[Any, ...]:
        """Everything that the panel is drawn from and nothing else.

        A press on a button that is being replaced is lost, so what others do must not replace one's buttons.
        """
        table, mine, asked = scene.table, self.seats(scene), self.asked(scene)
        made = table.play.decisions if table.play else {}
        waits = scene.step if table.phase not in BETWEEN_ROUNDS and not asked else None
        free = () if mine else tuple(sorted(table.boxes))
        staged = [dict(table.staged.get(seat, {})) for seat in mine]
        dealable = bool(table.staged) and isinstance(self.feed, PracticeFeed)
        decided = [made.get(seat) for seat in mine]
        return (
            table.phase,
            waits,
            scene.chips,
            mine,
            asked,
            free,
            staged,
            dealable,
            decided,
            self.chip,
            str(self.discard),
        )

    def _deciding(self, scene: Scene) -> None:
        asked = self.asked(scene)
        if not asked:
            _waiting(scene)
        for seat in asked:
            self._decision(scene.table, seat)

    def _decision(self, table: Table, seat: int) -> None:
        play = table.play
        assert play is not None
        made = play.decisions.get(seat)
        told = f" (now: {made.choice})" if made is not None and table.phase == Phase.DECIDING else ""
        markup(f"<strong>Seat {seat}: your decision{escape(told)}</strong>")
        with ui.row():
            for choice in choices(table, seat):
                fold = choice.body["choice"] == "fold"
                body = {"command": "decide", "seat": seat, **choice.body}
                button(choice.label, lambda body=body: self.act(**body), main=not fold)
        if table.phase == Phase.DECIDING and "exchange" in game_at(table).decisions:
            self._exchange(table, seat)

    def _exchange(self, table: Table, seat: int) -> None:
        play = table.play
        assert play is not None
        hand = play.hand(f"seat {seat}")
        chosen = self.discard.setdefault(seat, set())
        chosen &= {show_card(card) for card in hand}
        with ui.row().classes("items-center"):
            for card in hand:
                text = show_card(card)
                button(text, lambda text=text: self._toggle(seat, text), main=text in chosen).props(
                    f'aria-pressed="{str(text in chosen).lower()}" aria-label="Discard {text}"'
                )
            decision = Decision("exchange", discard=tuple(card for card in hand if show_card(card) in chosen))
            against = [*decision_findings(table, play, seat, decision)] if chosen else []
            if chosen and not against:
                cards = show_cards(decision.discard)
                button(
                    f"Exchange {len(chosen)} for {show_dollars(stake_of(table, play, seat, decision))}",
                    lambda: self.act(command="decide", seat=seat, choice="exchange", discard=cards),
                )
        said = against[0].sentence if against else "" if chosen else "To exchange cards, press those to discard."
        markup(f'<p class="pb-small pb-soft" style="margin:0">{escape(said)}</p>')

    def _toggle(self, seat: int, card: str) -> None:
        self.discard.setdefault(seat, set()).symmetric_difference_update({card})
        self.act()


def _first_chip(scene: Scene) -> int:
    """The smallest that makes a lawful Ante by itself."""
    least = scene.rules.limits("ante").minimum if scene.rules and "ante" in scene.rules.wagers else CHIPS[0]
    return next((chip for chip in CHIPS if chip >= least), CHIPS[-1])


def _waiting(scene: Scene) -> None:
    """What a player waits for, and for whom."""
    step = scene.step
    if step is None:
        said = "The table is closed."
    elif step.seat is not None and step.command is None:
        said = f"Seat {step.seat} decides."
    else:
        said = f"The {step.role} is next: {step.say}"
    markup(f'<p class="pb-soft" style="margin:0">{escape(said)}</p>')
