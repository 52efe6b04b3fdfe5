"""A table as a page sees it: live over the pit's ledger, or a practice table that lives only in this window."""

import hmac
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from secrets import token_bytes, token_hex
from time import monotonic
from typing import Any, Protocol
from uuid import uuid4
from weakref import WeakKeyDictionary, proxy

from pitboss.findings import Finding, FindingsError, UnreadableError
from pitboss.games.rules import Rules
from pitboss.law.model import Face
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.files import private_file, private_folder
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit
from pitboss.ledger.recall import RoundSummary, recent
from pitboss.money import Cents
from pitboss.submission import template
from pitboss.table.autoplay import automatic, plain_wagers
from pitboss.table.command import read_command
from pitboss.table.desk import MICROSECONDS, MemoryDesk, chips
from pitboss.table.guide import Step
from pitboss.table.memory import LiveTable
from pitboss.table.opening import next_slip
from pitboss.table.roles import Role
from pitboss.table.ruling import game_at, rules_at, unattended
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase, Table
from pitboss.table.view import view
from pitboss.web.pages.coaching import Coached
from pitboss.web.pages.results import Results, recalled
from pitboss.web.pages.shell import said

Amounts = Mapping[str, Mapping[str, Cents]]
PRACTICING = "you"
PRACTICE_CHIPS = 200_000
LEAST_CHIPS = 50_000
OPPONENTS = (1, 5, 7)
MOST_KEPT = 100_000_000_000
NEXT_ROUND = "next_round"
LAST_ROUNDS = 10
FRESH = 0.2
"""Seconds for which the head of the ledger need not be asked again."""


@dataclass(frozen=True)
class Scene:
    """Everything a page draws from, of one moment."""

    table: Table
    shown: dict[str, Any]
    """What this person may see."""
    rules: Rules | None
    step: Step | None
    chips: Cents
    meters: Amounts
    head: int
    closed: bool = False
    """Whether the whole house is closed to play."""

    @property
    def key(self) -> tuple[Any, ...]:
        """What a viewer would notice; while it stays, nothing has to be drawn again. A step may follow the clock."""
        return self.table.events, self.step, self.chips, self.meters, self.closed

    @property
    def taker(self) -> str:
        """Whose the next step is; what would be a dealer's is the software's at a table without one."""
        if self.step is None:
            return ""
        return "software" if self.step.role == Role.DEALER and unattended(self.table) else str(self.step.role)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Lines of the round in play; a finished round is recalled from its record."""
        play = self.shown["round"]
        return list(play["lines"]) if play else []


class TableFeed(Protocol):
    """Where a page's table comes from and where its commands go."""

    @property
    def person(self) -> str: ...
    def head(self) -> int:
        """A number that grows with everything that happens; cheap to ask."""

    def scene(self) -> Scene: ...
    def act(self, **body: Any) -> tuple[Finding, ...]:
        """Carry out a command; the findings say why not, and then nothing has happened."""

    def results(self, scene: Scene) -> Results:
        """What has been settled in the round, or in the last one."""

    def rounds(self, scene: Scene, /) -> tuple[RoundSummary, ...]:
        """The last rounds, newest first."""

    def throws(self, scene: Scene, /) -> Sequence[Sequence[Face]]:
        """What dice or a wheel have shown at the table, oldest first; nothing where there are cards."""


@dataclass
class HeadWatch:
    """What all pages of a house would otherwise ask the ledger for, each by itself: its head."""

    pit: Pit
    _head: tuple[float, int] = (-1.0, -1)

    def head(self) -> int:
        if monotonic() - self._head[0] > FRESH:
            with self.pit.store.reading() as reading:
                self._head = (monotonic(), reading.head.seq)
        return self._head[1]


_watches: WeakKeyDictionary[Pit, HeadWatch] = WeakKeyDictionary()


@dataclass
class LiveFeed:
    """A table of the house."""

    pit: Pit
    who: Person
    table: str
    _results: tuple[tuple[int, bool, int], Results] = ((-1, False, 0), Results(0))
    _rounds: tuple[tuple[int, bool], tuple[RoundSummary, ...]] = ((-1, False), ())
    _throws: list[Sequence[Face]] = field(default_factory=list)
    _thrown: tuple[tuple[int, Sequence[Face]], int] = ((-1, ()), 0)
    """When they were last looked for, and the last event that was found."""

    @property
    def person(self) -> str:
        return self.who.id

    def head(self) -> int:
        return _watches.setdefault(self.pit, HeadWatch(proxy(self.pit))).head()

    def scene(self) -> Scene:
        sight = self.pit.look(self.table, self.who)
        table = sight.table
        rules = rules_at(table) if table.game else None
        # In the order of the rules: a table read back from the ledger has lost any other.
        meters = {name: sight.meters[name] for name in (rules.meters if rules else ()) if name in sight.meters}
        closed = bool(self.pit.reasons_to_stop())
        return Scene(table, view(table, self.who.id), rules, sight.step, sight.chips, meters, sight.head, closed)

    def act(self, **body: Any) -> tuple[Finding, ...]:
        try:
            reply = self.pit.act(self.table, body, self.who, f"page-{uuid4().hex}")
        except FindingsError as refused:
            return refused.findings
        except (UnreadableError, LedgerError) as problem:
            return said(problem)
        return () if reply.accepted else tuple(Finding(**finding) for finding in reply.body["findings"])

    def results(self, scene: Scene) -> Results:
        table = scene.table
        now = (table.rounds, table.play is None, table.events if scene.lines else 0)
        if self._results[0] != now:
            self._results = (now, recalled(self.pit.store, table, scene.lines, self.who))
        return self._results[1]

    def rounds(self, scene: Scene) -> tuple[RoundSummary, ...]:
        now = (scene.table.rounds, scene.table.play is None)
        if self._rounds[0] != now:
            self._rounds = (now, recent(self.pit.store, self.table, LAST_ROUNDS, self.who)[:LAST_ROUNDS])
        return self._rounds[1]

    def throws(self, scene: Scene) -> Sequence[Sequence[Face]]:
        play = scene.table.play
        now = (scene.table.rounds, play.dice if play is not None else ())
        if self._thrown[0] != now:
            with self.pit.store.reading() as reading:
                new = reading.events(self.table, after=self._thrown[1], kinds=("dice.rolled",))
            self._throws += [event.data["dice"] for event in new if not event.data.get("void")]
            self._thrown = (now, new[-1].seq if new else self._thrown[1])
        return self._throws


MOST_ACTS = 300
"""Acts of a practice game that are done again when it is resumed; a longer game goes on with its chips alone."""
_own_key = token_bytes(32)


def practice_key(folder: Path) -> bytes:
    """The house's secret from which the cards of practice follow. It lies beside the anchor, so that a game outlives
    the program; the browser keeps what was done, from which nobody learns a card."""
    try:
        private_folder(folder)
        file = private_file(folder / "practice.key")
        try:
            key = os.read(file, 32)
            if len(key) < 32:
                key = token_bytes(32)
                os.pwrite(file, key, 0)
            return key
        finally:
            os.close(file)
    except (LedgerError, OSError):
        return _own_key  # then it lives as long as the program


class PracticeTable(LiveTable):
    """The table of one window."""

    name = "practice"


@dataclass
class PracticeFeed:
    """One player against an automatic dealer, or against players who do what the game's plain strategy says; nothing is
    recorded, and no account is needed."""

    game: str
    seats: tuple[int, ...] = (3,)
    others: tuple[int, ...] | None = None
    """Seats of players who play by themselves; where players play against each other, there are some."""
    person: str = PRACTICING
    live: LiveTable = field(init=False)
    acts: int = 0
    past: tuple[RoundSummary, ...] = ()
    thrown: tuple[Sequence[Face], ...] = ()
    last: Results = field(default_factory=lambda: Results(0))
    coached: Coached = field(default_factory=Coached)
    key: bytes = field(default=_own_key, repr=False)
    token: str = field(default_factory=lambda: token_hex(16))
    """With the key it gives the decks of this game; alone it tells nothing."""
    began: int = field(default_factory=lambda: int(datetime.now(UTC).timestamp()))
    chips: Cents = PRACTICE_CHIPS
    """With how much the player has begun."""
    done: list[dict[str, Any]] = field(default_factory=list)
    """Every act that was accepted since."""

    def __post_init__(self) -> None:
        seed = hmac.digest(self.key, f"{self.game} {self.token}".encode(), "sha256").hex()
        desk = MemoryDesk(now=self.began * MICROSECONDS, randomness=SeededRandomness(seed))
        text = template(self.game, date(2026, 1, 1))
        for old, new in (("counts_cards = false", "counts_cards = true"), ("decks = 2", "decks = 1")):
            text = text.replace(f"\n{old}", f"\n{new}")
        self.live = PracticeTable(self.game, date(2026, 1, 1), submission=text, fill=100_000_000, desk=desk)
        for seat in self.seats:
            self.live.sit(seat, self.person)
        if self.others is None:
            self.others = OPPONENTS if game_at(self.table).course.contest else ()
        for seat in self.others:
            self.live.sit(seat, f"player-{seat}")
        if self.chips:
            self._do(Role.PIT_MANAGER, command="buy_in", player=self.person, amount=self.chips, slip=self.slip())
        self._advance()

    @property
    def table(self) -> Table:
        return self.live.table

    @property
    def desk(self) -> MemoryDesk:
        return self.live.desk

    def saved(self) -> str:
        """What a browser keeps of the game."""
        return json.dumps({"token": self.token, "began": self.began, "chips": self.chips, "acts": self.done})

    def resume(self, text: str) -> bool:
        """Go on with a game that a browser has kept, act by act; whatever is none is left alone."""
        try:
            kept = json.loads(text)
            token, began, chips, acts = (kept[name] for name in ("token", "began", "chips", "acts"))
            bytes.fromhex(token)
            if not (0 < began < 2**33 and 0 <= chips <= MOST_KEPT and len(acts) <= MOST_ACTS):
                return False
            again = PracticeFeed(self.game, self.seats, key=self.key, token=token, began=began, chips=chips)
            for body in acts:
                if body["command"] == NEXT_ROUND:
                    again.next_round()
                elif again.act(**body):
                    return False
        except (ValueError, TypeError, KeyError, AttributeError, LedgerError, FindingsError):
            return False
        self._become(again)
        return True

    def start_anew(self, chips: Cents = PRACTICE_CHIPS) -> None:
        self._become(PracticeFeed(self.game, self.seats, key=self.key, chips=chips))

    def _become(self, other: "PracticeFeed") -> None:
        acts, coached = self.acts, self.coached
        coached.noted = other.coached.noted
        self.__dict__.update(other.__dict__)
        self.acts, self.coached = acts + other.acts + 1, coached

    def slip(self) -> int:
        """The number of the next slip with which the practicing player gets chips."""
        return next_slip(self.table, self.desk.now)

    def head(self) -> int:
        return self.acts

    def scene(self) -> Scene:
        live = self.live
        meters = {
            name: {str(tier): amount for tier, amount in meter.displayed().items()}
            for name, house in self.table.meters.items()
            if (meter := self.desk.meter(house)) is not None
        }
        shown = live.view(self.person)
        return Scene(self.table, shown, live.rules, live.next_step, live.chips(self.person), meters, self.acts)

    def act(self, **body: Any) -> tuple[Finding, ...]:
        """The player's own act, or the end of wagering; then the dealer goes on until the player is asked again."""
        self.acts += 1
        staff = {"no_more_bets": Role.DEALER, "withdraw": Role.DEALER, "buy_in": Role.CASHIER}
        role = staff.get(str(body.get("command")), Role.PLAYER)
        before = self.table
        try:
            self._do(role, **body)
        except FindingsError as refused:
            return refused.findings
        except UnreadableError as problem:
            return said(problem)
        self.coached.note(before, read_command(body))
        self._advance()
        self.done.append(body)
        return ()

    def next_round(self) -> None:
        """Collect the cards and make the next round ready."""
        self.acts += 1
        if len(self.done) > MOST_ACTS - 50:
            past, last = self.past, self.last
            self.start_anew(self.live.chips(self.person))
            self.past, self.last = past, last
            return
        self.done.append({"command": NEXT_ROUND})
        if self.table.phase == Phase.COLLECTING:
            self._remember()
            self._do(Role.DEALER, command="discard")
        self._advance()

    def results(self, scene: Scene) -> Results:
        if not scene.lines:
            return self.last
        assert scene.table.play is not None
        net = sum(line["net"] for line in scene.lines if line["seat"] in self.seats)
        over = scene.table.phase == Phase.COLLECTING
        balances = ((self.person, scene.chips - net, scene.chips),) if over and self.person else ()
        self.last = Results(scene.table.play.number, tuple(scene.lines), balances)
        return self.last

    def rounds(self, _: Scene) -> tuple[RoundSummary, ...]:
        return self.past[:LAST_ROUNDS]

    def throws(self, _: Scene) -> Sequence[Sequence[Face]]:
        return self.thrown

    def _remember(self) -> None:
        play = self.table.playing
        totals: Counter[int] = Counter()
        for line in play.lines:
            totals[line.seat] += line.net
        self.past = (RoundSummary(self.table.id, play.number, "completed", "", totals), *self.past)
        self.thrown += (play.dice,) if play.dice else ()

    def _stake_others(self) -> None:
        """Others make the plain wagers, and buy chips when they have run out of them."""
        for seat in self.others or ():
            if self.table.phase != Phase.WAGERING or seat in self.table.staged:
                continue
            if chips(self.desk, player := self.table.player_at(seat)) < LEAST_CHIPS:
                self._do(Role.PIT_MANAGER, command="buy_in", player=player, amount=PRACTICE_CHIPS, slip=self.slip())
            for wager, amount in plain_wagers(self.table).items():
                self._do(Role.DEALER, command="wager", seat=seat, wager=wager, amount=amount)

    def _do(self, role: Role, **body: Any) -> None:
        self.live.do(role, read_command(body), self.person if role == Role.PLAYER else "")

    def _advance(self) -> None:
        """Everything that is the dealer's, the floor's or another player's to do."""
        for _ in range(200):
            if self.table.phase in (Phase.WAGERING, Phase.COLLECTING):
                self._stake_others()
                return
            following = automatic(self.table, self.desk)
            if following is None:
                return
            step, wanted = following
            if step.role == Role.PLAYER and step.seat in self.seats:
                return
            body = {name: value for name, value in wanted.as_dict().items() if value is not None}
            self._do(Role.DEALER if step.role == Role.PLAYER else step.role, **body)
