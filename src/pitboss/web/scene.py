"""A table of the house as a page shows it to one viewer, and where the viewer's commands go."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any, Final
from weakref import WeakKeyDictionary, proxy

from pitboss.clock import local_clock
from pitboss.findings import Finding, FindingsError, UnreadableError, refusal
from pitboss.games.rules import Rules
from pitboss.games.settlement import Turn
from pitboss.law.model import Face
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.pit import KeyReusedError, Pit
from pitboss.ledger.recall import RoundSummary, recent
from pitboss.ledger.rows import Recorded
from pitboss.ledger.sentences import tell
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.table.guide import Step
from pitboss.table.kinds.cards import CardCorrected, CardsShown, CardsTurnedUp, DealerRevealed, HandsShown
from pitboss.table.kinds.chance import DiceCorrected, DiceRolled, Read
from pitboss.table.kinds.decisions import ChoiceRuled, HandConceded, HandDeclared, PlayerDecided
from pitboss.table.kinds.house import PlayerBoughtIn, TableOpened
from pitboss.table.kinds.seats import SeatTaken
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.wagers import WagerPlaced, WagerWithdrawn
from pitboss.table.redaction import redacted
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at, unattended
from pitboss.table.state import Table
from pitboss.table.view import view
from pitboss.web.results import Results, recalled

Amounts = Mapping[str, Mapping[str, Cents]]
LAST_ROUNDS: Final = 10
LOGGED: Final = (
    DiceRolled, DiceCorrected, CardCorrected, DealerRevealed, CardsTurnedUp, CardsShown, HandsShown, PlayerDecided,
    ChoiceRuled, HandDeclared, HandConceded, LineSettled,
)  # fmt: skip
"""What the pad's log of a round shows."""
FRESH_S: Final = 1.0
"""How long a scene stands while nothing happens: steps may follow the clock."""
MOST_FEEDS: Final = 200
"""Viewers of tables whose last rounds are cached."""


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
    opened: TableOpened | None = None
    """How a closed table was opened last."""

    @property
    def state(self) -> tuple[Any, ...]:
        """What a viewer would notice; while it stays, nothing has to be drawn again. A step may follow the clock."""
        meters = tuple(tuple(amounts.items()) for amounts in self.meters.values())
        return self.table.events, repr(self.step), self.chips, meters, self.closed

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


@dataclass
class Throws:
    """What dice or a wheel have shown at one table, read again only after another throw."""

    faces: list[Sequence[Face]] = field(default_factory=list)
    """Empty where a throw did not count."""
    read: tuple[int, Sequence[Face]] = (-1, ())
    """The round and its throw when they were read last."""
    seq: int = 0
    """The last event that was read."""
    lock: Lock = field(default_factory=Lock)


@dataclass
class LiveFeed:
    """A table of the house, for one viewer."""

    pit: Pit
    who: Person
    table: str
    _results: tuple[tuple[int, bool, int], Results] = ((-1, False, 0), Results(0))
    _rounds: tuple[tuple[int, bool], tuple[RoundSummary, ...]] = ((-1, False), ())
    _scene: tuple[float, Scene | None] = (0.0, None)
    thrown: Throws = field(default_factory=Throws)

    def scene(self) -> Scene:
        """The table now. Windows of one viewer that are woken by the same event share it."""
        with self.pit.store.reading() as reading:
            head = reading.head.seq
        closed, (at, scene) = bool(self.pit.reasons_to_stop()), self._scene
        if scene is None or (scene.head, scene.closed) != (head, closed) or monotonic() - at > FRESH_S:
            at, scene = self._scene = monotonic(), self._look()
        return scene

    def _look(self) -> Scene:
        sight = self.pit.look(self.table, self.who)
        table = sight.table
        rules = rules_at(table) if table.game else None
        # In the order of the rules: a table read back from the ledger has lost any other.
        meters = {name: sight.meters[name] for name in (rules.meters if rules else ()) if name in sight.meters}
        closed = bool(self.pit.reasons_to_stop())
        opened = None if table.game else self.pit.opening(table)
        shown = view(table, self.who.id)
        return Scene(table, shown, rules, sight.step, sight.chips, meters, sight.head, closed, opened)

    def act(self, body: Mapping[str, Any], key: str) -> tuple[Finding, ...]:
        """Carry out a command; the findings say why not, and then nothing has happened. A request key that was used
        before belongs to a press that was sent twice and has been carried out."""
        try:
            reply = self.pit.act(self.table, body, self.who, key)
        except KeyReusedError:
            return ()
        except FindingsError as refused:
            return refused.findings
        except (UnreadableError, LedgerError) as problem:
            return (refusal("page", "", "", str(problem)),)
        return () if reply.accepted else tuple(Finding(**finding) for finding in reply.body["findings"])

    def results(self, scene: Scene) -> Results:
        """What has been settled in the round, or in the last one."""
        table = scene.table
        now = (table.rounds, table.play is None, table.events if scene.lines else 0)
        if self._results[0] != now:
            self._results = (now, recalled(self.pit.store, table, scene.lines, self.who))
        return self._results[1]

    def rounds(self, scene: Scene) -> tuple[RoundSummary, ...]:
        """The last rounds, newest first."""
        now = (scene.table.rounds, scene.table.play is None)
        if self._rounds[0] != now:
            self._rounds = (now, recent(self.pit.store, self.table, LAST_ROUNDS, self.who)[:LAST_ROUNDS])
        return self._rounds[1]

    def throws(self, scene: Scene) -> Sequence[Sequence[Face]]:
        """What dice or a wheel have shown at the table, oldest first; nothing where there are cards."""
        known = self.thrown
        play = scene.table.play
        now = (scene.table.rounds, play.dice if play is not None else ())
        with known.lock:
            if known.read != now:
                with self.pit.store.reading() as reading:
                    new = reading.events(self.table, after=known.seq, kinds=(DiceRolled, DiceCorrected))
                for event in new:
                    if isinstance(event.fact, DiceCorrected):
                        known.faces.pop()
                    if isinstance(event.fact, Read):
                        known.faces.append(() if event.fact.void else event.fact.dice)
                known.read, known.seq = now, new[-1].seq if new else known.seq
            return tuple(filter(None, known.faces))

    def turns(self) -> tuple[tuple[Turn, ...], Turn | None]:
        """The turns of the settlement that can be settled now, and the one that waits for something."""
        return self.pit.turns(self.table, self.who)

    def log(self, scene: Scene) -> tuple[tuple[str, str], ...]:
        """The last acts of the round, newest first: when, and what happened, as anybody at the table may know it."""
        if scene.table.play is None:
            return ()
        with self.pit.store.reading() as reading:
            events = reading.events(self.table, round=scene.table.rounds, kinds=LOGGED)
        acts: list[tuple[int, int, str, list[str]]] = []
        for event in events:
            line = event.fact
            if not isinstance(line, LineSettled):
                seen = redacted(event, None, live=True)
                acts.append((event.at, 0, tell(event if seen is None else seen), []))
                continue
            if not acts or acts[-1][1] != line.turn:
                acts.append((event.at, line.turn, f"Seat {line.turn} settled: ", []))
            came = f"{'won' if line.net > 0 else 'lost'} {show_dollars(abs(line.net))}" if line.net else "pushed"
            acts[-1][3].append(f"{shown(line.wager)} {came}")
        return tuple((local_clock(at), words + ", ".join(parts)) for at, _, words, parts in acts[-1:-4:-1])

    def last_act(self, scene: Scene) -> tuple[str, dict[str, Any]] | None:
        """The viewer's last act on a spot or a seat since the last round that can be taken back: in words, and the
        command that does it."""
        table = scene.table
        with self.pit.store.reading() as reading:
            made = reading.events(
                self.table, round=table.rounds + 1, kinds=(SeatTaken, WagerPlaced, WagerWithdrawn, PlayerBoughtIn)
            )
        lying: dict[tuple[int, str], list[int]] = {}
        last: Recorded | None = None
        before = 0
        for event in made:
            fact = event.fact
            if isinstance(fact, WagerPlaced | WagerWithdrawn):
                heap = lying.setdefault((fact.seat, fact.wager), [0])
                before = heap[-1]
                heap.append(fact.amount if isinstance(fact, WagerPlaced) else 0)
            if event.actor == self.who.id and not isinstance(fact, PlayerBoughtIn):
                last, amount = event, before
        if last is None:
            return None
        done = last.fact
        if isinstance(done, SeatTaken):
            alone = table.boxes.get(done.seat) == done.player and last is made[-1]
            words = f"Seat {done.seat} was given to {done.player}"
            return (words, {"command": "leave", "seat": done.seat}) if alone else None
        if not isinstance(done, WagerPlaced | WagerWithdrawn):
            return None
        seat, wager = done.seat, done.wager
        spot = {"seat": seat, "wager": wager}
        if table.staged.get(seat, {}).get(wager, 0) != lying[seat, wager][-1] or seat not in table.boxes:
            return None
        words = f"seat {seat}, {shown(wager)}"
        if amount:
            return f"Back to {show_dollars(amount)}: {words}", {"command": "wager", **spot, "amount": amount}
        if isinstance(done, WagerPlaced):
            return f"Take off {show_dollars(done.amount)}: {words}", {"command": "withdraw", **spot}
        return None


@dataclass
class _Feeds:
    """The viewers of one house's tables."""

    by_viewer: OrderedDict[tuple[str, Person], LiveFeed] = field(default_factory=OrderedDict)
    throws: dict[str, Throws] = field(default_factory=dict)


_feeds: WeakKeyDictionary[Pit, _Feeds] = WeakKeyDictionary()
_lock: Final = Lock()


def feed_of(pit: Pit, who: Person, table: str) -> LiveFeed:
    """The table for one viewer, the same for all of the viewer's windows."""
    with _lock:
        feeds = _feeds.setdefault(pit, _Feeds())
        feed = feeds.by_viewer.get((table, who))
        if feed is None:
            thrown = feeds.throws.setdefault(table, Throws())
            feed = feeds.by_viewer[table, who] = LiveFeed(proxy(pit), who, table, thrown=thrown)
        feeds.by_viewer.move_to_end((table, who))
        while len(feeds.by_viewer) > MOST_FEEDS:
            feeds.by_viewer.popitem(last=False)
    return feed
