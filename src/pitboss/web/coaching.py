"""The coach of practice: decisions are noted as they are made, judged by a worker, and shown when it has counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pitboss.cards import Hand
from pitboss.findings import PitbossError
from pitboss.games.course import Sight
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision
from pitboss.money import Cents
from pitboss.paper.model import Passage
from pitboss.table.command import Command
from pitboss.table.deciding import MakeDecision, deciding_now
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import Table
from pitboss.web.workroom import tell

if TYPE_CHECKING:
    from pitboss.exact.coach import Score, Verdict


@dataclass(frozen=True)
class PracticeRules:
    """All that makes the rules of a table, in words: a worker makes the same of it."""

    game: str
    submission: str
    as_of: str
    dealing: str

    @classmethod
    def of(cls, table: Table) -> "PracticeRules":
        return cls(table.game, table.submission, table.as_of, table.dealing)

    @property
    def unit(self) -> str:
        """What values are counted in, in one word."""
        title = GAMES[self.game].chapter.unit_title
        return title if title.isalpha() else "unit"

    @property
    def table(self) -> Table:
        return Table("practice", game=self.game, submission=self.submission, as_of=self.as_of, dealing=self.dealing)


@dataclass(frozen=True)
class Noted:
    """One decision as it was made: where, with what in sight, and what was chosen."""

    rules: PracticeRules
    step: str
    cards: Hand
    up: Hand
    stake: Cents
    before: tuple[tuple[str, Decision], ...]
    made: Decision


MOST_NOTED = 2000
"""Decisions of a session that are remembered."""
Key = tuple[int, int, int, str]
"""A decision of a session: leg, round, seat and step."""


@dataclass
class Coached:
    """The decisions of a practice session and what has been found about them."""

    noted: dict[Key, Noted] = field(default_factory=dict)
    judged: dict[Noted, "Verdict | str"] = field(default_factory=dict)
    """A verdict, or why there is none."""
    seen: set[Key] = field(default_factory=set)
    """Mistakes that the player has read."""

    def note(self, leg: int, table: Table, wanted: Command) -> None:
        """Note a decision that is about to be made. One that is changed in time counts as made last."""
        if not isinstance(wanted, MakeDecision) or not table.play:
            return
        noted = note_of(table, wanted)
        if noted is not None:
            self.noted[leg, table.playing.number, wanted.seat, noted.step] = noted
        while len(self.noted) > MOST_NOTED:
            oldest = next(iter(self.noted))
            self.judged.pop(self.noted.pop(oldest), None)

    def waiting(self) -> Iterator[Noted]:
        """Decisions that are not judged yet, the last one first."""
        return (each for each in reversed(self.noted.values()) if each not in self.judged)

    def verdict(self, key: Key) -> "Verdict | str | None":
        return self.judged.get(self.noted[key])

    def of_round(self, leg: int, number: int) -> list[Key]:
        """The decisions of a round, in their order."""
        return [key for key in self.noted if key[:2] == (leg, number)]

    @property
    def mistakes(self) -> list[Key]:
        """Decisions that cost something, in their order."""
        from pitboss.exact.coach import Verdict

        return [key for key in self.noted if isinstance(found := self.verdict(key), Verdict) and found.cost]

    @property
    def rounds(self) -> int:
        """Seats of rounds in which something was decided and judged."""
        return len({key[:3] for key, each in self.noted.items() if not isinstance(self.judged.get(each, ""), str)})

    @property
    def score(self) -> "Score":
        from pitboss.exact.coach import Score, Verdict

        found = Score()
        for each in self.noted.values():
            if isinstance(verdict := self.judged.get(each), Verdict):
                found = found.after(verdict)
        return found

    @property
    def cost(self) -> Fraction:
        """What the mistakes cost on average, in cents."""
        return sum((self.cost_of(key) for key in self.mistakes), Fraction(0))

    def cost_of(self, key: Key) -> Fraction:
        from pitboss.exact.coach import Verdict

        found = self.verdict(key)
        return found.cost * self.noted[key].stake if isinstance(found, Verdict) else Fraction(0)


def note_of(table: Table, wanted: MakeDecision) -> Noted | None:
    """Return a decision with everything in sight; ``None`` if all choices are worth the same."""
    step, _ = deciding_now(table)
    if step is None or step.even:
        return None
    played = table.playing.as_round()
    seat = next((each for each in played.seats if each.number == wanted.seat), None)
    if seat is None:
        return None
    sight = game_at(table).sight(rules_at(table), played, seat, step)
    before = tuple(sight.chosen.items())
    return Noted(PracticeRules.of(table), step.name, sight.cards, sight.up, sight.stake, before, wanted.decision())


def side_share(rules: PracticeRules, wager: str) -> Fraction | None:
    """Return what a wager beside the main ones gains on average per unit, without shares of a meter; ``None`` if it
    can't be counted by itself. For a worker."""
    from pitboss.exact.side import side_result

    try:
        return side_result(game_at(rules.table), rules_at(rules.table), wager).expected_value
    except (PitbossError, LookupError, ValueError, StopIteration):
        return None


def judged(noted: Noted) -> "Verdict | str":
    """What the choices were worth; for a worker to find."""
    from pitboss.exact.coach import judge

    table = noted.rules.table
    sight = Sight(noted.cards, noted.up, noted.stake, dict(noted.before))
    tell("counting", 0.0)
    try:
        return judge(game_at(table), rules_at(table), noted.step, sight, noted.made, tell)
    except PitbossError as problem:
        return str(problem)
    finally:
        tell("", 0.0)


@dataclass(frozen=True)
class RuleSheet:
    """The best play at a glance, and a strategy in sentences with what it costs in units a round."""

    sentences: tuple[str, ...]
    cost: Fraction
    unit: str
    left_out: str
    glance: tuple[Passage, ...] = ()


def rule_sheet(rules: PracticeRules) -> RuleSheet:
    """The best of the strategies in words that are not too long to be read beside a table; for a worker to find."""
    from pitboss.exact.edge import whole_game
    from pitboss.exact.engine import play_of
    from pitboss.exact.rulelist import rule_lists
    from pitboss.reports.strategies import drawn_glance, glance_of

    game, played = game_at(rules.table), rules_at(rules.table)
    tell("counting", 0.0)
    whole = whole_game(game, played, tell, lists=True)
    glance = drawn_glance(whole.table) if whole is not None else ()
    if whole is None:
        best = play_of(game, played, tell)
        tell("looking for rules", 0.5)
        lists: Sequence[Any] = rule_lists(game, best)
        glance = glance_of(game, best, lists)
    else:
        lists = whole.lists
    tell("", 0.0)
    short = [found for found in lists if len(found.sentences) <= MOST_SENTENCES] or lists[:1]
    found = min(short, key=lambda each: each.cost)
    return RuleSheet(found.sentences, found.cost, rules.unit, "" if whole is None else whole.restriction, glance)


MOST_SENTENCES = 6
