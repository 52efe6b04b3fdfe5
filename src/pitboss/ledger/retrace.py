"""One table played again from its events: each act is computed a second time, each deal held against its commitment."""

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.findings import Finding, Severity
from pitboss.games.settlement import stake_faults
from pitboss.ledger.consent import CONSENTED
from pitboss.ledger.recompute import BY_CHANCE, Books, differences, expected, same_way, shown_entries
from pitboss.ledger.replay import round_of
from pitboss.ledger.rows import Recorded
from pitboss.money import show_signed
from pitboss.table.events import Event
from pitboss.table.fold import apply
from pitboss.table.happened import Happened
from pitboss.table.kinds.cards import DeckLost, DeckRevealed
from pitboss.table.kinds.rounds import RoundCompleted, RoundEnded, RoundVoided
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.kinds.wagers import BetsClosed, MeterAward, MeterIncremented
from pitboss.table.place import is_known
from pitboss.table.source import check_disclosed
from pitboss.table.state import Table
from pitboss.table.voiding import due_of

MOST = 20
"""Findings of one code that are spelled out."""
WRONG = (AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What fold and rules raise over a record that cannot have come from them."""


class Report:
    """What is wrong, in the order in which it was found."""

    def __init__(self) -> None:
        self._found: list[Finding] = []
        self._counts: Counter[str] = Counter()

    def say(self, code: str, due: str, found: str, event: Recorded, what: str, severity: Severity = "error") -> None:
        place = f"round {event.round} of {event.stream}" if event.stream else "the house"
        cite = event.cites[0] if event.cites else ""
        self.add(Finding(code, cite, due, found, f"{place}: {what}", f"event {event.seq}", severity))

    def add(self, finding: Finding) -> None:
        self._counts[finding.code] += 1
        if self._counts[finding.code] <= MOST:
            self._found.append(finding)

    def differs(self, event: Recorded, odd: Mapping[str, tuple[Any, Any]]) -> None:
        line = event.fact if isinstance(event.fact, LineSettled) else None
        what = event.kind if line is None else f"{line.wager} of seat {line.seat}"
        parts = [
            f"{name} is {_said(name, found)} where the rules give {_said(name, due)}"
            for name, (due, found) in odd.items()
        ]
        name, (due, found) = next(iter(odd.items()))
        code = "replay-event" if line is None else "replay-line"
        self.say(
            code, f"{name} {_said(name, due)}", f"{name} {_said(name, found)}", event, f"{what}: {'; '.join(parts)}"
        )

    def findings(self) -> tuple[Finding, ...]:
        more = (
            Finding(code, "", "0", str(count), f"and {count - MOST} more findings {code}")
            for code, count in self._counts.items()
            if count > MOST
        )
        return (*self._found, *more)


@dataclass
class Retraced:
    """One table on the way through its events."""

    table: Table
    _books: Books
    _report: Report
    shown: bool = False
    """Whether the deck of the round was revealed."""
    due: deque[Event] = field(default_factory=deque)
    """What must still follow within the act that is being recorded."""
    act: str = ""
    broken: bool = False

    def follow(self, event: Recorded, *, law: bool, program: bool) -> None:
        """Whether ``law`` and ``program`` are those of the day; under others it is only folded."""
        number = round_of(self.table)
        if event.round != number:
            sentence = f"it stands under round {event.round}, but belongs to round {number}"
            self._report.say("replay-round", f"round {number}", f"round {event.round}", event, sentence)
        if law:
            self._recompute(event, strict=program)
        try:
            match event.fact:
                case DeckRevealed() as revealed:
                    self._deal(event, revealed)
                case DeckLost(deck=deck, commitment=commitment):
                    self.shown = True
                    sentence = f"the {deck} deck was no longer under seal, so that its deal cannot be proved"
                    self._report.say("deck-lost", commitment, "no deck", event, sentence, "note")
                case BetsClosed():
                    self.shown = False
                case RoundCompleted() if law:
                    self._unsettled(event)
                case RoundVoided():
                    self._alone(event)
            if isinstance(event.fact, RoundEnded) and self.table.source == "virtual" and not self.shown:
                sentence = "the deck of its round was never revealed"
                self._report.say("deal-unproved", "a revealed deck", "none", event, sentence)
            self.table = apply(self.table, event.fact)
        except WRONG as error:
            self.broken = True
            self._report.say(
                "replay-fold", "an event that can follow", event.kind, event,
                f"{event.kind} cannot follow on what stands before it ({error!r}); the rest of {event.stream} was not "
                "replayed",
            )  # fmt: skip

    def _unsettled(self, event: Recorded) -> None:
        """Every stake of a round that was played to its end left the layout with exactly one line."""
        play = self.table.play
        assert play is not None
        settled = [(line.seat, line.settles) for line in play.lines if line.settles]
        for seat, wager, sentence in stake_faults(due_of(self.table, play), settled):
            self._report.say("stake-unsettled", f"one line for {wager} of seat {seat}", "not one", event, sentence)

    def _alone(self, event: Recorded) -> None:
        """A round is void after the reveal by two people; events without a salt are older than that rule."""
        if is_known(self.table) and event.salt and not event.request.startswith(CONSENTED):
            sentence = "a round whose dealer's cards were revealed was made void without a second person's consent"
            self._report.say("two-people", "a consent", event.actor, event, sentence)

    def _recompute(self, event: Recorded, *, strict: bool) -> None:
        if self.due and self.act != event.request:
            self._missing(event)
        if isinstance(event.fact, BY_CHANCE):
            self._free(event)
            return
        if not self.due:
            try:
                ways = expected(self.table, event, self._books)
            except WRONG as error:
                sentence = f"the rules cannot arrive at {event.kind} here ({error!r})"
                self._report.say("replay-event", "an act the rules allow", event.kind, event, sentence)
                return
            if not ways:
                self._free(event)
                return
            self.due, self.act = deque(same_way(ways, event, strict=strict)), event.request
        if not self.due:
            self._report.differs(event, {"kind": ("no such event", event.kind)})
            return
        odd = differences(self._next(event), event, strict=strict)
        if odd:
            if "kind" in odd:
                self.due.clear()
            self._report.differs(event, odd)

    def _next(self, event: Recorded) -> Event:
        """The event that is due. Several meters of one act may come in any order, for a table does not fix it."""
        fact = event.fact
        if event.kind == self.due[0].kind and isinstance(fact, MeterAward | MeterIncremented):
            same = (each for each in self.due if each.kind == event.kind and _meter(each.fact) == fact.meter)
            if (found := next(same, None)) is not None:
                self.due.remove(found)
                return found
        return self.due.popleft()

    def _free(self, event: Recorded) -> None:
        """What no rule fixes moves no money."""
        if event.entries:
            found = shown_entries(event.entries)
            sentence = f"{event.kind} moves money, which no rule makes it do"
            self._report.say("replay-money", "no money", found, event, sentence)

    @property
    def lacking(self) -> str:
        """The kinds of event without which the act is not complete."""
        return ", ".join(dict.fromkeys(event.kind for event in self.due))

    def _missing(self, event: Recorded) -> None:
        kinds = self.lacking
        self.due.clear()
        sentence = f"by the rules {kinds} must come before it, and does not"
        self._report.say("replay-missing", kinds, event.kind, event, sentence)

    def _deal(self, event: Recorded, revealed: DeckRevealed) -> None:
        """The cards against the commitment that was published before they were dealt."""
        play, deck = self.table.play, self.table.deck
        assert play is not None
        assert deck is not None
        self.shown = True
        cards, salt = revealed.cards or "", bytes.fromhex(revealed.salt or "")
        said = (revealed.commitment, [*revealed.cuts], revealed.left_deck, revealed.deck)
        folded = (deck.commitment, [*deck.cuts], play.left_device, self.table.active)
        for name, one, other in zip(("commitment", "cuts", "cards dealt", "deck"), folded, said, strict=True):
            if one != other:
                sentence = f"the {name} disclosed differ from those recorded before"
                self._report.say("deal", str(one), str(other), event, sentence)
        for finding in check_disclosed(deck.commitment, cards, salt, deck.cuts, play.left_device):
            self._report.say(finding.code, finding.expected, finding.found, event, finding.sentence)


def _meter(fact: Happened) -> str:
    return fact.meter if isinstance(fact, MeterAward | MeterIncremented) else ""


def _said(name: str, value: Any) -> str:
    return show_signed(value) if name in ("net", "stake", "amount") and isinstance(value, int) else str(value)
