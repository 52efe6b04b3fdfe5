"""The mathematics of a submission as a document: every wager with its exact figures, published ones beside them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pitboss.clock import MICROSECONDS
from pitboss.exact.duel import Progress
from pitboss.exact.figures import EdgeFigures
from pitboss.games.repaying import changed_text
from pitboss.games.rules import Rules
from pitboss.law.cite import Cite
from pitboss.law.model import Note
from pitboss.paper.files import file_of, kind_of
from pitboss.paper.model import Block, CellKind, Column, Listing, Paper, Remark, Row, passages
from pitboss.reports.analysis import Analysis, analysis_blocks, analysis_of, readings_listing, rows_dict, skill_blocks
from pitboss.reports.figures import details, name_of, summary
from pitboss.reports.holds import counted, filed_dict
from pitboss.reports.method import NOBODY, Provenance, method_blocks, signing_blocks
from pitboss.reports.offer import offered_tables
from pitboss.reports.sources import NOT_PRINTED, unprinted
from pitboss.reports.stamp import imprint, printing_time
from pitboss.reports.strategies import strategy_passages
from pitboss.submission import Submission

if TYPE_CHECKING:
    from pitboss.second_opinion import Opinion

METHOD = (
    "Every figure is counted, not sampled: all deals are enumerated, the player takes the best choice of each state, "
    "and pays come from the same rules that settle a live round. Expected values are exact fractions; decimals are "
    "rounded only here."
)
PART = "Main wagers whose figures are of a part of the game name the part: more choices are worth more to the player."
OPINION = (
    Column("wager", "Wager"),
    Column("claimed", "Hold here", CellKind.PERCENT),
    Column("derived", "Derived again", CellKind.PERCENT),
    Column("outcome", "Outcome"),
    Column("method", "How", CellKind.SENTENCE, rank=3),
)
OPINION_AGAIN = "python -m pitboss.second_opinion report.json"
OPINION_NOTE = f"Derived from this report's JSON by one file that imports nothing of pitboss; repeat: {OPINION_AGAIN}"
PAY_TABLES = (
    Column("table", "Table"),
    Column("hand", "Hand"),
    Column("pays", "Pays", CellKind.ODDS),
    Column("cite", "Paragraph", CellKind.CITES, rank=2),
)
ENTRIES = (
    Column("entry", "Entry"),
    Column("cite", "Paragraph", CellKind.CITES),
    Column("rests_on", "Rests on", CellKind.SENTENCE),
)


@dataclass(frozen=True)
class ReportParts:
    """What a report has in it besides the figures of each wager."""

    provenance: Provenance = NOBODY
    play: bool = False
    """Best play, lists to learn, and what other play costs: some seconds, for a hold'em game a minute and 3 GB."""
    rounds: int = 0
    """Rounds to simulate as evidence."""
    seed: int = 1
    second_opinion: bool = False
    """Whether the figures are derived again by ``pitboss.second_opinion``, which is printed in the report."""


FIGURES = ReportParts()


@dataclass(frozen=True)
class MathReport:
    """The mathematics of a submission, counted once for every medium."""

    submission: Submission
    rules: Rules
    analysis: Analysis
    printed: int | None = None
    provenance: Provenance = NOBODY
    opinion: tuple["Opinion", ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Everything that ``pitboss.second_opinion`` reads, and everything that the report says."""
        submission, rules, analysis = self.submission, self.rules, self.analysis
        printed = self.printed or 0
        return {
            "report": "mathematics",
            "game": rules.game,
            "chapter": str(rules.chapter.chapter),
            "certificate_holder": submission.certificate_holder,
            "effective": str(submission.effective),
            "seats": rules.seats,
            "readings": dict(rules.choices.readings),
            "device": rules.choices.device,
            **self.provenance.as_dict(submission, rules, printed),
            "wagers": [filed_dict(each) | rows_dict(analysis, number) for number, each in enumerate(analysis.found, 1)],
            **({} if analysis.strategy is None else {"best_play": analysis.strategy.as_dict()}),
            **({"skill_range": [each.as_dict() for each in analysis.skill]} if analysis.skill else {}),
            **({} if analysis.simulation is None else {"simulation": analysis.simulation.as_dict()}),
            **({"second_opinion": [each._asdict() for each in self.opinion]} if self.opinion else {}),
        }

    def paper(self) -> Paper:
        """The report as a document."""
        submission, rules, analysis = self.submission, self.rules, self.analysis
        found = analysis.found
        law = f"58 Pa. Code Chapter {rules.chapter.chapter}, law of {rules.as_of}"
        about = f"{law}; submission effective {submission.effective}; {rules.seats} seats"
        part = (PART,) if any(each.conditions.restriction for each in found) else ()
        changed = changed_text(rules.changes)
        priced = readings_listing(found)
        parts: list[tuple[str, Sequence[Block]]] = [
            ("", (Remark(f"Not the law's table; {changed}.", tone="warning"),) if changed else ()),
            ("Summary", (summary(found),)),
            *(
                (name_of(each), [*details(each, number), *analysis_blocks(analysis, number)])
                for number, each in enumerate(found, 1)
            ),
            ("Skill range", skill_blocks(analysis)),
            *_best_play(analysis),
            ("Pay tables", (pay_tables(rules),)),
            ("Readings and notes of the text", (*([priced] if priced else []), *_notes(rules, found))),
            ("Not printed", _unprinted(rules)),
            *_simulated(analysis),
            ("Second opinion", [*opinion_blocks(self.opinion, [name_of(each) for each in found])]),
            ("Method", tuple(method_blocks(self.provenance, submission, METHOD, self.printed))),
            ("Signed", tuple(signing_blocks(self.provenance))),
        ]
        return Paper(
            "mathematics",
            f"Mathematics of {rules.chapter.title}",
            (submission.certificate_holder, about, *part),
            passages(*parts),
            imprint(rules.as_of, self.printed),
            main="summary",
        )


def report_of(
    submission: Submission,
    rules: Rules,
    progress: Progress | None = None,
    wanted: ReportParts = FIGURES,
    printed: int | None = None,
) -> MathReport:
    """Count the report of a submission whose rules were resolved."""
    run = _simulation(rules, wanted) if wanted.rounds else None
    analysis = analysis_of(counted(submission, rules, progress), progress, play=wanted.play, simulation=run)
    found = MathReport(submission, rules, analysis, printed, wanted.provenance)
    if not wanted.second_opinion:
        return found
    from pitboss.second_opinion import opinions

    return replace(found, opinion=tuple(opinions(json.loads(_json(found)))))


def report_file(
    submission: Submission,
    rules: Rules,
    kind: str,
    progress: Progress | None = None,
    wanted: ReportParts = FIGURES,
) -> bytes:
    """The report as a file, written now; JSON is the figures as plain values."""
    printed = printing_time() // MICROSECONDS * MICROSECONDS
    found = report_of(submission, rules, progress, wanted, printed)
    return _json(found).encode() if kind == "json" else file_of(found.paper(), kind_of(f"report.{kind}"))


def mathematics_paper(
    submission: Submission, rules: Rules, progress: Progress | None = None, printed: int | None = None
) -> Paper:
    """The report without what needs the states of the whole game."""
    return report_of(submission, rules, progress, printed=printed).paper()


def _json(found: MathReport) -> str:
    return json.dumps(found.as_dict(), indent=2, ensure_ascii=False) + "\n"


def _simulation(rules: Rules, wanted: ReportParts) -> Any:
    """Rounds of one seat on every wager, played as well as can be."""
    from pitboss.simulate.figures import run_figures
    from pitboss.simulate.plan import every_wager, make_plan
    from pitboss.simulate.runs import simulate

    return run_figures(simulate(make_plan(rules, every_wager(rules, 1)), wanted.rounds, wanted.seed, workers=1))


def _simulated(analysis: Analysis) -> Iterator[tuple[str, Sequence[Block]]]:
    if analysis.simulation is None:
        return
    from pitboss.reports.simulations import run_paper

    run = analysis.simulation
    for each in run_paper(run).passages:
        title = f"Simulation of {run.rounds:,} rounds, seed {run.seed}: {each.title.lower()}"
        yield title, [replace(b, key=f"run_{b.key}") if isinstance(b, Listing) else b for b in each.blocks]


def _best_play(analysis: Analysis) -> Iterator[tuple[str, Sequence[Block]]]:
    if analysis.strategy is not None:
        for each in strategy_passages(analysis.strategy):
            title = each.title.removeprefix("Best play ")
            yield f"Best play{f': {title[:1].lower()}{title[1:]}' if title else ''}", each.blocks


def opinion_blocks(opinion: Sequence["Opinion"], names: Sequence[str]) -> Iterator[Block]:
    """What the second opinion says of each wager; ``names`` are those of the report, in the same order."""
    if opinion:
        rows = tuple(
            (name, each.claimed, each.derived, each.outcome, each.method)
            for name, each in zip(names, opinion, strict=True)
        )
        yield Listing("second_opinion", OPINION, rows)
        yield Remark(OPINION_NOTE)


def pay_tables(rules: Rules) -> Listing:
    """Every row of every table on offer."""
    return Listing("pay_tables", PAY_TABLES, tuple(_pay_rows(rules)))


def _pay_rows(rules: Rules) -> Iterator[Row]:
    for offered in offered_tables(rules):
        title = f"{offered.short_title}, table {offered.letter}" if offered.letter else offered.short_title
        for hand, odds in offered.rows:
            yield title, hand, odds, (offered.cited,)


def _notes(rules: Rules, found: Iterable[EdgeFigures]) -> Iterator[Block]:
    """What the text leaves open in the paragraphs that the figures rest on."""
    cites = {Cite.parse(each.conditions.cite) for each in found if each.conditions.cite}
    cites |= {offered.table.cite for offered in offered_tables(rules)}
    notes: dict[str, Note] = {}
    for cite in sorted(cites):
        for note in rules.chapter.notes_on(cite):
            if note.period.covers(rules.as_of):
                notes.setdefault(note.name, note)
    for note in notes.values():
        yield Remark(note.text, (str(note.cite),))


def _unprinted(rules: Rules) -> Sequence[Block]:
    rows = tuple((what, (cite,), source) for what, cite, source in unprinted(rules))
    return (Remark(NOT_PRINTED), Listing("unprinted", ENTRIES, rows)) if rows else ()
