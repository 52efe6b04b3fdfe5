"""Practice games and tables that play by themselves: in memory only, each at an address that nobody can guess."""

import hmac
import json
import os
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from fractions import Fraction
from itertools import count
from pathlib import Path
from secrets import token_bytes, token_hex
from threading import Lock, RLock
from typing import Any, ClassVar, Final, TypeVar

from pitboss.clock import MICROSECONDS
from pitboss.findings import Finding, FindingsError, UnreadableError, refusal
from pitboss.games.registry import GAMES
from pitboss.law.model import Face
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.files import private_file, private_folder
from pitboss.ledger.recall import RoundSummary
from pitboss.ledger.sentences import tell
from pitboss.money import Cents
from pitboss.submission import starting_point, template
from pitboss.table.autoplay import automatic, plain_wagers
from pitboss.table.command import read_command
from pitboss.table.desk import MemoryDesk, chips
from pitboss.table.happened import Eyes
from pitboss.table.memory import LiveTable
from pitboss.table.opening import next_slip
from pitboss.table.roles import Role
from pitboss.table.ruling import game_at
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase, Table
from pitboss.table.view import own_seats
from pitboss.web.coaching import Coached, Noted, RuleSheet
from pitboss.web.results import Results
from pitboss.web.scene import LAST_ROUNDS, Scene

PRACTICING: Final = "you"
PRACTICE_CHIPS: Final[Cents] = 200_000
LAW_DAY: Final = date(2026, 1, 1)
LEAST_CHIPS: Final[Cents] = 50_000
OPPONENTS: Final = (1, 5, 7)
MOST_CHIPS: Final[Cents] = 100_000_000_000
MOST_ACTS: Final = 300
"""Acts of a practice game that are done again when it is resumed; a longer game goes on with its chips alone."""
MOST_SAVED: Final = 200_000
"""Bytes of a saved game, once unpacked."""
MOST_GAMES: Final = 400
"""Games in memory. One that has to make room is resumed from what its page carries."""
MOST_ROUNDS: Final = 1000
"""Rounds of a session that are remembered, for its line and its throws."""
NEXT_ROUND: Final = "next_round"
TOKEN: Final = re.compile("[0-9a-f]{32}")
T = TypeVar("T", bound="PracticeGame")
_own_key = token_bytes(32)


def practice_key(folder: Path) -> bytes:
    """Return the house's secret from which the cards of practice follow. It lies beside the anchor, so that a game
    outlives the program; the browser stores the acts, from which nobody learns a card."""
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
    """The table of one game."""

    name = "practice"


@dataclass(frozen=True)
class PlayedRound:
    """What a round of the session came to for the player."""

    key: tuple[int, int]
    """The leg and the round in it, as the coach counts them."""
    net: Cents
    stakes: Mapping[str, Cents]
    """What was wagered before the cards, by wager."""


@dataclass
class PracticeGame:
    """One player against an automatic dealer, or against players who do what the game's plain strategy says; nothing is
    recorded, and no account is needed."""

    game: str
    seats: tuple[int, ...] = (3,)
    others: tuple[int, ...] | None = None
    """Seats of players who play by themselves; where players play against each other, there are some."""
    person: str = PRACTICING
    live: LiveTable = field(init=False)
    version: int = 0
    """Grows with everything that a page of the game would show."""
    past: tuple[RoundSummary, ...] = ()
    played: tuple[PlayedRound, ...] = ()
    thrown: tuple[Sequence[Face], ...] = ()
    last: Results = field(default_factory=lambda: Results(0))
    coached: Coached = field(default_factory=Coached)
    key: bytes = field(default=_own_key, repr=False)
    token: str = field(default_factory=lambda: token_hex(16))
    """The address of the game. With the key and the leg it gives the decks; alone it says nothing."""
    leg: int = 0
    """How often the game has begun with other decks: when the player starts over, or the acts become too many."""
    began: int = field(default_factory=lambda: int(datetime.now(UTC).timestamp()))
    chips: Cents = PRACTICE_CHIPS
    """What the player had at the beginning of the leg."""
    done: list[dict[str, Any]] = field(default_factory=list)
    """Every act of the leg that was accepted."""
    coach_on: bool = True
    four_color: bool = False
    chip: Cents = 0
    """The chip that was placed last."""
    asked: Noted | None = None
    """The decision about which the player asked the coach beforehand."""
    sheet: "RuleSheet | str" = ""
    wants_sheet: bool = False
    progress: str = ""
    """What the coach is counting."""
    counting: bool = False
    shares: dict[str, Fraction | None] = field(default_factory=dict)
    """What a side wager gains on average per unit, as far as it has been counted."""
    serial: int = field(default_factory=count().__next__)
    """Which game of this process it is: another one at the same address may come to the same version."""
    lock: RLock = field(default_factory=RLock, repr=False)
    STAYS: ClassVar = (
        "lock", "serial", "version", "coached", "coach_on", "four_color", "chip", "sheet", "shares", "counting",
    )  # fmt: skip
    """What another leg of the game takes over."""

    def __post_init__(self) -> None:
        seed = hmac.digest(self.key, f"{self.game} {self.token} {self.leg}".encode(), "sha256").hex()
        desk = MemoryDesk(now=self.began * MICROSECONDS, randomness=SeededRandomness(seed))
        base = starting_point(self.game, LAW_DAY)
        chosen = replace(base, shuffler=replace(base.shuffler, decks=1))
        text = template(self.game, LAW_DAY, chosen)
        self.live = PracticeTable(self.game, LAW_DAY, submission=text, fill=100_000_000, desk=desk)
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

    @property
    def stream(self) -> str:
        """The name by which the channel wakes windows at this game; no table's name has a space."""
        return f"practice {self.token}"

    @property
    def state(self) -> tuple[int, int]:
        """What pages are drawn from: while it stays, they stay."""
        return self.serial, self.version

    @property
    def round(self) -> int:
        """The round in play, or the next one."""
        return self.table.play.number if self.table.play else self.table.rounds + 1

    def saved(self) -> str:
        """Return what a browser stores of the game."""
        record = {"token": self.token, "leg": self.leg, "began": self.began, "chips": self.chips, "acts": self.done}
        return urlsafe_b64encode(zlib.compress(json.dumps(record, separators=(",", ":")).encode())).decode()

    def resume(self, text: str) -> bool:
        """Continue from a saved game if it is ahead of this one, act by act. Ignore anything invalid."""
        try:
            saved = unpacked(text)
            token, leg, began, chips, acts = (saved[name] for name in ("token", "leg", "began", "chips", "acts"))
            if token != self.token or not (0 < began < 2**33 and 0 <= chips <= MOST_CHIPS and 0 <= leg < 2**31):
                return False
            if len(acts) > MOST_ACTS or (leg, len(acts)) <= (self.leg, len(self.done)):
                return False
            again = PracticeGame(
                self.game, self.seats, key=self.key, token=token, leg=leg, began=began, chips=chips, coached=Coached()
            )
            for body in acts:
                if body["command"] == NEXT_ROUND:
                    again.next_round()
                elif again.act(**body):
                    return False
        except (ValueError, TypeError, KeyError, AttributeError, LedgerError, FindingsError):
            return False
        self._become(again)
        self.coached = again.coached
        return True

    def start_anew(self) -> None:
        """Begin again, with other cards and the chips of the beginning."""
        self._become(self._next_leg(PRACTICE_CHIPS))
        self.coached = Coached()

    def _next_leg(self, chips: Cents) -> "PracticeGame":
        return PracticeGame(self.game, self.seats, key=self.key, token=self.token, leg=self.leg + 1, chips=chips)

    def _become(self, other: "PracticeGame") -> None:
        stays = {name: self.__dict__[name] for name in self.STAYS}
        self.__dict__.update(other.__dict__)
        self.__dict__.update(stays)
        self.version += other.version + 1

    def slip(self) -> int:
        """The number of the next slip with which the player gets chips."""
        return next_slip(self.table, self.desk.now)

    def scene(self) -> Scene:
        live = self.live
        meters = {
            name: {str(tier): amount for tier, amount in meter.displayed().items()}
            for name, house in self.table.meters.items()
            if (meter := self.desk.meter(house)) is not None
        }
        shown = live.view(self.person)
        return Scene(self.table, shown, live.rules, live.next_step, live.chips(self.person), meters, self.version)

    def act(self, **body: Any) -> tuple[Finding, ...]:
        """Do the player's own act, or end the wagering; then the dealer goes on until the player is asked again."""
        self.version += 1
        staff = {"no_more_bets": Role.DEALER, "withdraw": Role.DEALER, "buy_in": Role.CASHIER}
        role = staff.get(str(body.get("command")), Role.PLAYER)
        before = self.table
        try:
            self._do(role, **body)
        except FindingsError as refused:
            return refused.findings
        except UnreadableError as problem:
            return (refusal("page", "", "", str(problem)),)
        self.coached.note(self.leg, before, read_command(body))
        self.asked = None
        self._advance()
        self.done.append(body)
        return ()

    def next_round(self) -> None:
        """Collect the cards and make the next round ready."""
        self.version += 1
        if len(self.done) > MOST_ACTS - 50 and self.table.phase == Phase.COLLECTING:
            self.results(self.scene())
            self._remember()
            past, last, played, thrown = self.past, self.last, self.played, self.thrown
            self._become(self._next_leg(self.live.chips(self.person)))
            self.past, self.last, self.played, self.thrown = past, last, played, thrown
            return
        self.done.append({"command": NEXT_ROUND})
        if self.table.phase == Phase.COLLECTING:
            self.results(self.scene())
            self._remember()
            self._do(Role.DEALER, command="discard")
        self._advance()

    def results(self, scene: Scene) -> Results:
        """Return what has been settled in the round, or in the last one."""
        if not scene.lines:
            return self.last
        assert scene.table.play is not None
        net = sum(line["net"] for line in scene.lines if line["seat"] in self.seats)
        over = scene.table.phase == Phase.COLLECTING
        balances = ((self.person, scene.chips - net, scene.chips),) if over and self.person else ()
        self.last = Results(scene.table.play.number, tuple(scene.lines), balances)
        return self.last

    @property
    def rounds(self) -> tuple[RoundSummary, ...]:
        """The last rounds, newest first."""
        return self.past[:LAST_ROUNDS]

    @property
    def throws(self) -> tuple[Sequence[Face], ...]:
        """What dice or a wheel have shown, oldest first, with the round in play."""
        play = self.table.play
        return (*self.thrown, play.dice) if play is not None and play.dice else self.thrown

    def session(self) -> tuple[PlayedRound, ...]:
        """The rounds of the session, with one that is settled but not yet collected."""
        over = self.table.phase == Phase.COLLECTING
        return (*self.played, self._settled()) if over and self.seats else self.played

    def _settled(self) -> PlayedRound:
        play = self.table.playing
        stakes: Counter[str] = Counter()
        for seat in self.seats:
            stakes.update(play.wagers.get(seat, {}))
        net = sum(line.net for line in play.lines if line.seat in self.seats)
        return PlayedRound((self.leg, play.number), net, dict(stakes))

    def last_wagers(self) -> dict[int, dict[str, Cents]]:
        """What the player wagered before the cards in the last round, as far as it does not lie there already."""
        session, table = self.session(), self.table
        made: dict[int, dict[str, Cents]] = {}
        for seat in self.seats if session else ():
            if seat not in table.stacks:
                lies = table.carried.get(seat, {})
                again = {name: amount for name, amount in session[-1].stakes.items() if name not in lies}
                made |= {seat: again} if again else {}
        return made

    def _remember(self) -> None:
        play = self.table.playing
        totals: Counter[int] = Counter()
        for line in play.lines:
            totals[line.seat] += line.net
        self.past = (RoundSummary(self.table.id, play.number, "completed", "", totals), *self.past)[: 2 * LAST_ROUNDS]
        self.thrown = (*self.thrown, play.dice)[-MOST_ROUNDS:] if play.dice else ()
        self.played = (*self.played, self._settled())[-MOST_ROUNDS:]

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
        """Do everything that is up to the dealer, the floor or another player."""
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


@dataclass
class WatchedGame(PracticeGame):
    """Three players and a dealer who do what the game's plain strategy says, a step at a time."""

    seats: tuple[int, ...] = ()
    others: tuple[int, ...] | None = (1, 3, 5)
    person: str = ""
    """Viewers see what lies face up, and nothing else."""
    chips: Cents = 0
    sentence: str = ""
    """What the last step was, in a sentence."""

    def __post_init__(self) -> None:
        super().__post_init__()
        while self.table.phase != Phase.WAGERING:
            self.tick()

    def _advance(self) -> None:
        """Nothing happens but by ``tick``."""

    def tick(self) -> None:
        """Take one step of the round."""
        self.version += 1
        before = len(self.live.events)
        if self.table.phase == Phase.COLLECTING and not self.table.playing.paperwork:
            self.results(self.scene())
            self._remember()
            self.played = self.played[-1:]
            self._do(Role.DEALER, command="discard")
        elif self.table.phase == Phase.WAGERING and not {*(self.others or ())} <= {*self.table.staged}:
            self._stake_others()
        elif (following := automatic(self.table, self.desk)) is not None:
            step, wanted = following
            body = {name: value for name, value in wanted.as_dict().items() if value is not None}
            self._do(Role.DEALER if step.role == Role.PLAYER else step.role, **body)
        new, nobody = self.live.events[before:], own_seats(self.table, "")
        if new:
            self.sentence = " ".join(
                tell(replace(each, fact=each.fact.covered(Eyes(seats=nobody)))) for each in new[:4]
            )
        del self.live.events[:-50]


def unpacked(text: str) -> Any:
    """Return a saved game as plain values. Raise ``ValueError`` for anything else, however large."""
    parser = zlib.decompressobj()
    try:
        plain = parser.decompress(urlsafe_b64decode(text.encode("ascii", "replace")), MOST_SAVED)
    except (zlib.error, ValueError) as problem:
        raise ValueError("This is no saved game.") from problem
    if parser.unconsumed_tail:
        raise ValueError("This saved game is too large.")
    try:
        return json.loads(plain)
    except RecursionError as problem:
        raise ValueError("This saved game is nested too deeply.") from problem


class Games:
    """The games of one house, by kind, game and token; those unused for longest make room."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[type, str, str], PracticeGame] = OrderedDict()
        self._lock = Lock()

    def find(self, kind: type[T], game: str, token: str) -> T | None:
        """Return a game that is in memory."""
        with self._lock:
            found = self._games.get((kind, game, token))
            if found is not None:
                self._games.move_to_end((kind, game, token))
        return found if isinstance(found, kind) else None

    def at(self, kind: type[T], game: str, token: str, key: Callable[[], bytes]) -> T:
        """Return the game at an address; one that isn't in memory begins."""
        if game not in GAMES or not TOKEN.fullmatch(token):
            raise LookupError(game)
        found = self.find(kind, game, token)
        if found is None:
            new = kind(game, key=key(), token=token)
            with self._lock:
                stored = self._games.setdefault((kind, game, token), new)
                while len(self._games) > MOST_GAMES:
                    self._games.popitem(last=False)
            assert isinstance(stored, kind)
            found = stored
        return found
