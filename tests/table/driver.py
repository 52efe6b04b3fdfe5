"""Driving tables in tests: submissions for every device, people, and a table without a database."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from pitboss.cards import DECK, parse_cards, show_cards
from pitboss.findings import Finding, FindingsError
from pitboss.games.course import Deal
from pitboss.games.registry import GAMES
from pitboss.meters import Meter
from pitboss.submission import Shuffler, read_submission, starting_point, template
from pitboss.table.autoplay import automatic, plain_wagers
from pitboss.table.command import Command, carry_out, read_command, verify
from pitboss.table.dealing import TakesCards, slots_left
from pitboss.table.deciding import drawing_now
from pitboss.table.desk import MemoryDesk
from pitboss.table.events import Event
from pitboss.table.opening import next_slip
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at, thrown_at
from pitboss.table.shaking import ReadDice
from pitboss.table.source import SeededRandomness
from pitboss.table.state import DICE, VIRTUAL, Phase, Table

DAY = date(2024, 6, 1)
GAME_NAMES = tuple(GAMES)
CARD_GAMES = tuple(name for name in GAMES if GAMES[name].course.has(Deal))
PRINTED = tuple(name for name in GAMES if not any(entry.source for entry in GAMES[name].chapter.procedures))
"""Games whose chapters print every procedure, so that a test can name its paragraph."""
DEVICE_NAMES = ("manual-shoe", "hand", "automated-shoe")
CHAPTERS = {name: game.number for name, game in GAMES.items()}
Hands = Mapping[int | str, str]
"""Cards by seat number, or by the place where they lie: dealer, community, draw 2."""
PEOPLE = {
    Role.DEALER: "dealer-1", Role.FLOORPERSON: "floor-1", Role.PIT_MANAGER: "manager-1", Role.CASHIER: "cashier-1",
}  # fmt: skip


def every_game(*paragraphs: str, but: Collection[str] = ()) -> list[ParameterSet]:
    """One parameter for each game, with a mark that names the paragraphs in its own chapter."""
    return [
        pytest.param(
            game, id=game, marks=pytest.mark.law(*(f"{CHAPTERS[game]}.{paragraph}" for paragraph in paragraphs))
        )
        for game in PRINTED
        if game not in but
    ]


def devices_of(game: str) -> tuple[str, ...]:
    return GAMES[game].chapter.devices(DAY)


@lru_cache
def _template(game: str) -> str:
    return template(game, DAY)


def submission_text(
    game: str,
    dealing: str = "manual-shoe",
    *,
    shuffler: bool | None = None,
    counts: bool = False,
    decks: int = 1,
    reshuffles: bool = False,
) -> str:
    """A lawful submission of a game with everything on offer; dealing from the hand needs a shuffler."""
    base = starting_point(game, DAY)
    if game not in CARD_GAMES:
        if dealing not in devices_of(game)[1:]:
            return _template(game)
        # What needs a device of its own is left out with the others.
        only = [wager.name for wager in GAMES[game].chapter.wagers if wager.offer == "choice" and wager.only]
        wagers = {name: replace(each, offered=each.offered and name not in only) for name, each in base.wagers.items()}
        return template(game, DAY, replace(base, dealing=dealing, wagers=wagers))
    used = shuffler if shuffler is not None else dealing == "hand" or counts or decks == 2 or reshuffles
    # A device that reshuffles counts, section .5(g).
    devices = Shuffler(used=used, counts_cards=counts or reshuffles, decks=decks, reshuffles=reshuffles)
    known = dealing if dealing in devices_of(game) else base.dealing
    return template(game, DAY, replace(base, dealing=known, shuffler=devices))


def with_choices(text: str, **changes: Any) -> str:
    """A submission with other choices."""
    filed = read_submission(text)
    return template(filed.game, filed.effective, replace(filed, **changes))


def with_letter(text: str, wager: str, letter: str, *, linked: bool = False) -> str:
    """A submission with one letter for a progressive wager, linked to other tables or not."""
    wagers = read_submission(text).wagers
    return with_choices(text, wagers={**wagers, wager: replace(wagers[wager], paytable=letter, linked=linked)})


@dataclass
class Bench:
    """One table on a workbench: every command says who acts, money is posted in memory, events are kept."""

    game: str
    text: str = ""
    source: str = "virtual"
    seed: int = 1
    table: Table = field(default_factory=lambda: Table("t1"))
    desk: MemoryDesk = field(default_factory=MemoryDesk)
    log: list[Event] = field(default_factory=list)
    plan: dict[str, str] = field(default_factory=dict)
    """At a keyed-in table: the cards of a place in order, and what a seat draws under ``draw 2``."""

    def __post_init__(self) -> None:
        self.desk.randomness = SeededRandomness(self.seed)
        self.text = self.text or submission_text(self.game)

    def do(self, role: Role, command: Command | Mapping[str, Any], person: str = "") -> tuple[Event, ...]:
        wanted = command if isinstance(command, Command) else read_command(command)
        self.desk.role, self.desk.person = role, person or PEOPLE.get(role, str(role))
        self.table, events = carry_out(self.table, wanted, self.desk)
        self.desk.keep(self.table.id, events)
        self.log += events
        return events

    def why_not(self, role: Role, command: Command | Mapping[str, Any], person: str = "") -> tuple[Finding, ...]:
        wanted = command if isinstance(command, Command) else read_command(command)
        self.desk.role, self.desk.person = role, person or PEOPLE.get(role, str(role))
        return verify(self.table, wanted, self.desk)

    def dealer(self, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.DEALER, {"command": name, **fields})

    def floor(self, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.FLOORPERSON, {"command": name, **fields})

    def manager(self, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.PIT_MANAGER, {"command": name, **fields})

    def player(self, person: str, name: str, **fields: Any) -> tuple[Event, ...]:
        return self.do(Role.PLAYER, {"command": name, **fields}, person)

    def refused(self, role: Role, name: str, **fields: Any) -> tuple[str, str]:
        """Code and cite of the first finding against a command; the table is left as it was."""
        before = self.table
        findings = self.why_not(role, {"command": name, **fields})
        assert findings, f"{name} was expected to be refused"
        assert self.table is before
        return findings[0].code, findings[0].cite

    def denied(self, role: Role, name: str, person: str = "", **fields: Any) -> tuple[str, str]:
        """A command that must fail: code and cite of the first reason; cards, money and record stay as they were."""
        before = self.table, dict(self.desk.balances), dict(self.desk.decks), len(self.log)
        with pytest.raises(FindingsError) as refusal:
            self.do(role, {"command": name, **fields}, person)
        assert (self.table, self.desk.balances, self.desk.decks, len(self.log)) == before
        return refusal.value.findings[0].code, refusal.value.findings[0].cite

    def opened(self, *seats: int, chips: int = 1_000_000) -> "Bench":
        """Open, seat players p1, p2, ... and bring the cards to the first wager."""
        self.manager("open_table", submission=self.text, source=self.source, fill=50_000_000)
        self.seed_meters()
        for seat in seats:
            self.dealer("sit", seat=seat, player=f"p{seat}")
            self.buy_in(f"p{seat}", chips)
        return self

    def buy_in(self, player: str, amount: int) -> tuple[Event, ...]:
        """Chips from the pit manager, whom no limit stops."""
        return self.manager("buy_in", amount=amount, player=player, slip=self.slip())

    def slip(self) -> int:
        return next_slip(self.table, self.desk.now)

    def seed_meters(self) -> None:
        rules = rules_at(self.table)
        for name, house_name in self.table.meters.items():
            stakes = [a for wager, a in rules.choices.amounts.items() if rules.wagers[wager].meter == name]
            if house_name not in self.desk.settings:
                self.desk.open_meter(house_name, Meter.seeded(name, rules.meters[name], min(stakes or [100])))

    def wager_all(self, *seats: int) -> None:
        for seat in seats:
            for wager, amount in plain_wagers(self.table, seat).items():
                self.dealer("wager", seat=seat, wager=wager, amount=amount)

    def step(self) -> tuple[Event, ...]:
        """Whatever the procedure asks for next, by whom it asks."""
        following = automatic(self.table, self.desk)
        assert following is not None, f"nothing to do in {self.table.phase}"
        asked, command = following
        if isinstance(command, TakesCards) and self.table.source != VIRTUAL:
            command = replace(command, cards=self.cards_to_key(len(command.places(self.table))))
        if isinstance(command, ReadDice) and self.table.source == "keyed":
            step = thrown_at(self.table)
            assert step is not None
            command = replace(command, dice=self.plan.get(DICE, "2 3 5" if step.dice == 3 else "17"))
        return self.do(Role.DEALER if asked.role == Role.PLAYER else asked.role, command)

    def cards_to_key(self, count: int) -> str:
        """The next cards of a keyed-in table: those planned for each place, and cards nobody has for the rest."""
        play = self.table.play
        assert play is not None
        planned = {place: list(parse_cards(cards)) for place, cards in self.plan.items()}
        kept = {card for cards in planned.values() for card in cards}
        spare = [card for card in DECK if card not in kept and card not in play.left_deck]
        if self.table.phase == Phase.DRAWING:
            drawn = planned.get(f"draw {drawing_now(self.table)}", [])
            return show_cards((*drawn, *spare)[:count])
        cards, laid = [], Counter(dealt.to for dealt in play.dealt)
        slots = [slot for slot in slots_left(self.table) if slot.face_up or not self.table.physical]
        for slot in slots[:count]:
            own = planned.get(slot.to, [])
            cards.append(own[laid[slot.to]] if laid[slot.to] < len(own) else spare.pop(0))
            laid[slot.to] += 1
        return show_cards([*cards, *spare[: count - len(cards)]])  # a physical hand that is turned up has no slots

    def until(self, *phases: str, most: int = 300) -> "Bench":
        """Go on step by step until the table is in one of the phases."""
        for _ in range(most):
            if self.table.phase in phases:
                return self
            self.step()
        raise AssertionError(f"the table never came to {phases}, it is {self.table.phase}")

    def ready(self) -> "Bench":
        """Bring the table to the point where wagers are placed."""
        return self.until("wagering")

    def round(self, *seats: int) -> tuple[Event, ...]:
        """One whole round with the demonstration wagers at the seats."""
        self.ready()
        self.wager_all(*seats)
        before, start = self.table.rounds, len(self.log)
        for _ in range(300):
            self.step()
            if self.table.rounds > before and self.table.play is None:
                break
        return tuple(self.log[start:])

    def dealt(self, wagers: Mapping[int, Mapping[str, int]], hands: Hands) -> "Bench":
        """At a keyed-in table: these wagers, and these cards by seat number or place; then the decisions."""
        self.plan = {f"seat {place}" if isinstance(place, int) else place: cards for place, cards in hands.items()}
        self.ready()
        for seat, made in wagers.items():
            for wager, amount in made.items():
                self.dealer("wager", seat=seat, wager=wager, amount=amount)
        return self.until("deciding", "revealing")

    def lines(self, start: int = 0) -> list[Mapping[str, Any]]:
        """The lines settled since an event."""
        return [event.data for event in self.log[start:] if event.kind == "line.settled"]

    def held(self, account: str) -> int:
        """What an account holds, in units of 1/10,000 cent."""
        return self.desk.balances.get(account, 0)

    def fork(self) -> "Bench":
        """The same table with books of its own, to try what else could happen; its chance starts again."""
        desk = self.desk
        books = replace(desk, balances=dict(desk.balances), settings=dict(desk.settings), decks=dict(desk.decks))
        return replace(self, desk=books, log=list(self.log), plan=dict(self.plan))

    def kinds(self, start: int = 0) -> list[str]:
        return [event.kind for event in self.log[start:]]

    def chips(self, player: str) -> int:
        return self.desk.balances.get(f"player:{player}", 0) // 10_000
