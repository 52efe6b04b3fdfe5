"""What a coach says of decisions made in practice: noted as they are made, judged by a worker, shown when ready."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pitboss.cards import Hand, show_cards
from pitboss.findings import PitbossError
from pitboss.games.course import Sight
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.table.command import Command
from pitboss.table.deciding import MakeDecision, deciding_now
from pitboss.table.ruling import game_at, rules_at
from pitboss.table.state import Table
from pitboss.web.pages.shell import escape, table_html
from pitboss.web.pages.workroom import tell

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


@dataclass
class Coached:
    """The decisions of a practice session, by round, seat and step, and what has been found about them."""

    noted: dict[tuple[int, int, str], Noted] = field(default_factory=dict)
    judged: dict[Noted, "Verdict | str"] = field(default_factory=dict)
    """A verdict, or why there is none."""

    def note(self, table: Table, wanted: Command) -> None:
        """Remember a decision that is about to be made; one that is changed while it may be counts as made last."""
        step, _ = deciding_now(table) if isinstance(wanted, MakeDecision) and table.play else (None, ())
        if step is None or step.even or not isinstance(wanted, MakeDecision):
            return
        played = table.playing.as_round()
        seat = next(each for each in played.seats if each.number == wanted.seat)
        sight = game_at(table).sight(rules_at(table), played, seat, step)
        self.noted[table.playing.number, wanted.seat, step.name] = Noted(
            PracticeRules.of(table),
            step.name,
            sight.cards,
            sight.up,
            sight.stake,
            tuple(sight.chosen.items()),
            wanted.decision(),
        )

    def waiting(self) -> Iterator[Noted]:
        """What is not judged yet, the last decision first."""
        return (each for each in reversed(self.noted.values()) if each not in self.judged)

    @property
    def rounds(self) -> int:
        """Seats of rounds in which something was decided and judged."""
        return len({key[:2] for key, each in self.noted.items() if not isinstance(self.judged.get(each, ""), str)})

    @property
    def score(self) -> "Score":
        from pitboss.exact.coach import Score, Verdict

        found = Score()
        for each in self.noted.values():
            if isinstance(verdict := self.judged.get(each), Verdict):
                found = found.after(verdict)
        return found


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
    """A strategy in sentences, and what playing by it costs in units a round."""

    sentences: tuple[str, ...]
    cost: Fraction
    unit: str
    left_out: str


def rule_sheet(rules: PracticeRules) -> RuleSheet:
    """The best of the strategies in words that are not too long to be read beside a table; for a worker to find."""
    from pitboss.exact.edge import whole_game
    from pitboss.exact.engine import play_of
    from pitboss.exact.rulelist import rule_lists

    game, played = game_at(rules.table), rules_at(rules.table)
    tell("counting", 0.0)
    whole = whole_game(game, played, tell, lists=True)
    if whole is None:
        best = play_of(game, played, tell)
        tell("looking for rules", 0.5)
        lists: Sequence[Any] = rule_lists(game, best)
    else:
        lists = whole.lists
    tell("", 0.0)
    short = [found for found in lists if len(found.sentences) <= MOST_SENTENCES] or lists[:1]
    found = min(short, key=lambda each: each.cost)
    return RuleSheet(found.sentences, found.cost, rules.unit, "" if whole is None else whole.restriction)


MOST_SENTENCES = 6


def coach_html(coached: Coached, doing: str) -> str:
    """The last decision judged, or what is being worked on; then the score of the session."""
    if not coached.noted:
        return (
            "<h2>Coach</h2><p class='pb-soft'>After each decision: what every choice was worth, and the best play.</p>"
        )
    last = next(reversed(coached.noted.values()))
    verdict = coached.judged.get(last)
    if verdict is None:
        shown_last = f'<p class="pb-soft" data-coach="waiting">{escape(doing)}</p>'
    elif isinstance(verdict, str):
        shown_last = f'<p class="pb-soft" data-coach="refused">{escape(verdict)}</p>'
    else:
        shown_last = _verdict_html(last, verdict)
    return f"<h2>Coach</h2>{shown_last}{_score_html(coached)}"


def _verdict_html(noted: Noted, verdict: "Verdict") -> str:
    unit = noted.rules.unit
    cost = f"{float(verdict.cost):.4f} {unit}s, {show_dollars(round(noted.stake * verdict.cost))}"
    said = "Best play" if not verdict.cost else f"Mistake: it cost {cost}"
    values: Mapping[str, Fraction] = {**verdict.values, verdict.made: verdict.worth}
    rows = [
        (
            escape(shown(name)) + (" – best" if name in verdict.best else "") + (" – yours" * (name == verdict.made)),
            f"{float(value):+.4f}",
        )
        for name, value in sorted(values.items(), key=lambda each: each[1], reverse=True)
    ]
    cards = show_cards(noted.cards) + (f" with {show_cards(noted.up)}" if noted.up else "")
    mark = "mistake" if verdict.cost else "best"
    return (
        f'<p data-coach="{mark}"><strong>{escape(shown(verdict.made))}: {said}.</strong> '
        f'<span class="pb-soft">{escape(shown(verdict.step))}, {escape(cards)}</span></p>'
        f"{table_html(('Choice', f'Worth in {unit}s'), rows, numbers=(1,))}"
        f'<p class="pb-small">{escape(verdict.why(unit))}</p>'
    )


def _score_html(coached: Coached) -> str:
    score = coached.score
    if not score.decisions:
        return ""
    unit = next(iter(coached.noted.values())).rules.unit
    mistakes = f"{score.mistakes} mistake{'s' * (score.mistakes != 1)}"
    decisions = f"{score.decisions} decision{'s' * (score.decisions != 1)}"
    cost = f"{float(score.cost):.4f} {unit}s, {100 * score.share(coached.rounds):.2f} % of those wagered"
    return f'<p data-score="{score.decisions}"><strong>{decisions}, {mistakes}.</strong> Cost so far: {cost}.</p>'


def sheet_html(found: RuleSheet) -> str:
    said = "".join(f"<li>{escape(sentence)}</li>" for sentence in found.sentences)
    left_out = f" Covered: {escape(found.left_out)}." if found.left_out else ""
    cost = f"costs {float(found.cost):.4f} {found.unit}s a round" if found.cost else "is the best play"
    return (
        f"<details open data-rules><summary>Rules to play by</summary><ul class='pb-list'>{said}</ul>"
        f'<p class="pb-small pb-soft">Playing so {cost}.{left_out}</p></details>'
    )
