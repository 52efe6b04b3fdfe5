"""A Rules Submission as a form on paper: every choice, its paragraph and hold, and the findings against it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from pitboss.findings import Finding, errors
from pitboss.games.options import kind_of
from pitboss.games.registry import game_named
from pitboss.games.rules import Rules
from pitboss.law.model import SINGLE, Chapter
from pitboss.money import show_dollars
from pitboss.names import shown, shown_key
from pitboss.paper.model import Block, CellKind, Column, Datum, Figures, Listing, Paper, Remark, Row, passages
from pitboss.paper.say import percent
from pitboss.reports.offer import limits_text, offered_tables, share_text
from pitboss.reports.sources import not_printed
from pitboss.reports.stamp import imprint
from pitboss.submission import Submission, check, rules_of
from pitboss.submission.registry import entries_for, entries_of, tables
from pitboss.submission.resolve import Case

if TYPE_CHECKING:
    from pitboss.exact.duel import Progress

SIGNATURES = ("For the certificate holder", "Title", "Date")
NO_FINDINGS = "No findings: this submission complies with the chapter as carried here."
PARAGRAPH = Column("paragraph", "Paragraph", CellKind.CITES)
RESTS_ON = Column("rests on", "Rests on", CellKind.SENTENCE, rank=3)
CHOICES = (Column("choice", "Choice", CellKind.SENTENCE), Column("chosen", "Chosen", CellKind.SENTENCE), PARAGRAPH)
WAGERS = (
    Column("wager", "Wager on offer"), Column("table", "Table"), Column("dollars", "Dollars", rank=2),
    Column("hold", "Hold", CellKind.SENTENCE), PARAGRAPH, RESTS_ON,
)  # fmt: skip
PAYTABLES = (
    Column("pay table", "Pay table", CellKind.SENTENCE), Column("letter", "Letter"),
    Column("reading", "Reading", rank=2), PARAGRAPH, Column("rows", "Rows", CellKind.SENTENCE, rank=3),
)  # fmt: skip
METERS = (
    Column("meter", "Meter"), Column("seed", "Seed"), Column("rate", "Rate"), Column("by", "By", rank=2),
    Column("linked", "Linked", rank=2), PARAGRAPH,
)  # fmt: skip
FACTS = (
    Column("fact", "Fact"), Column("value", "Value"), PARAGRAPH,
    Column("taken from", "Taken from", CellKind.SENTENCE, rank=3),
)  # fmt: skip


def form_paper(submission: Submission, holds: Mapping[str, str] | None = None, printed: int | None = None) -> Paper:
    """The form, lawful or not: its findings stand in it. ``holds`` come from ``holds_of``."""
    chapter = game_named(submission.game).chapter
    rules, _ = rules_of(submission)
    chapter = rules.chapter if rules is not None else chapter
    findings = check(submission)
    return Paper(
        "form",
        f"Rules Submission: {chapter.title}",
        (submission.certificate_holder, f"58 Pa. Code Chapter {chapter.chapter}, effective {submission.effective}"),
        passages(
            ("Findings", tuple(_findings(findings))),
            ("The table", [table_listing(submission, chapter)]),
            ("Wagers", tuple(_wagers(submission, rules, holds)) if rules is not None else ()),
            ("Pay tables", [Listing("pay tables", PAYTABLES, _paytables(rules))] if rules is not None else ()),
            ("Progressive meters", _meters(submission, rules) if rules is not None and rules.meters else ()),
            ("Options", [Listing("options", CHOICES, _options(submission, chapter))]),
            ("Facts that are not printed", _facts(submission, chapter)),
            ("Signature", [Figures(tuple(Datum(label, None, CellKind.BLANK) for label in SIGNATURES))]),
            ("Notes on the text of the law", tuple(_notes(findings))),
        ),
        imprint(submission.effective, printed),
        main="wagers" if rules is not None else "table",
    )


def form_record(submission: Submission, holds: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The submission with its findings, and its holds if they were counted, as plain values. Amounts are in cents."""
    return {"submission": _plain(submission), "findings": check(submission), "holds": holds}


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [*map(_plain, value)]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def holds_of(submission: Submission, rules: Rules, progress: "Progress | None" = None) -> dict[str, str]:
    """The hold of each wager as text; the main wagers by their first reading."""
    from pitboss.reports.holds import counted, full_table

    shown: dict[str, str] = {}
    for each in counted(submission, rules, progress):
        text = f"{percent(each.hold)} of the {each.unit}"
        if each.progressive is not None:
            text = f"{percent(each.progressive.long_run_hold)} in the long run with one seat, meter included"
            text = "; ".join((text, *full_table(rules, each.progressive)))
        shown.setdefault(each.wager, text)
    return shown


def _findings(findings: Iterable[Finding]) -> Iterator[Remark]:
    wrong = errors(findings)
    if not wrong:
        yield Remark(NO_FINDINGS, tone="good")
    yield from (_finding(finding, "bad") for finding in wrong)


def _notes(findings: Iterable[Finding]) -> Iterator[Remark]:
    """Defects of the text that touch the choices; they forbid nothing."""
    yield from (_finding(finding) for finding in findings if finding.severity == "note")


def _finding(finding: Finding, tone: str = "") -> Remark:
    where = f"{shown_key(finding.where)}: " if finding.where else ""
    return Remark(f"{where}{finding.sentence}", (finding.cite,) if finding.cite else (), tone)


def table_listing(submission: Submission, chapter: Chapter) -> Listing:
    """Choices about the table as a whole: seats, dealing device, shuffler and decks."""
    return Listing("table", CHOICES, tuple(_table(submission, chapter)))


def _table(submission: Submission, chapter: Chapter) -> Iterator[Row]:
    """Every choice that the law asks for or that was made; the game and the day stand above."""
    case = Case(chapter, submission.effective, None, submission)
    for table in (None, *tables()):
        if table is None or not table.by_wager:
            for entry in entries_of(submission, table):
                choice = entry.choice
                is_asked = table is None or choice.ask(case, choice, None) is not None
                if choice.on_paper and not choice.required and (is_asked or entry.value != choice.default):
                    yield choice.title, choice.kind.said(entry.value), (choice.cite(case, entry),)


def _wager_choices(submission: Submission, rules: Rules) -> Iterator[Row]:
    """Choices about wagers that no listing of the resolved rules has."""
    case = Case(rules.chapter, rules.as_of, rules, submission)
    for wager, record in case.offered:
        for entry in entries_for(wager, record):
            choice = entry.choice
            if choice.on_paper and choice.ask(case, choice, wager) is not None:
                yield f"{wager.title}: {choice.title}", choice.kind.said(entry.value), (choice.cite(case, entry),)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _wagers(submission: Submission, rules: Rules, holds: Mapping[str, str] | None) -> Iterator[Block]:
    known, rows = holds or {}, []
    for wager in rules.wagers.values():
        pay = rules.tables.get(wager.paytable)
        letter = "" if pay is None or pay.letter == SINGLE else pay.letter
        hold = known.get(wager.name) or (known.get("main", "") if wager.role == "unit" else "")
        cites = (str(wager.cite),)
        rows.append((wager.title, letter, limits_text(rules, wager), hold, cites, not_printed(wager)))
    yield Listing("wagers", WAGERS, tuple(rows))
    beside = f"The hold beside the {rules.chapter.unit_title} is that of the main wagers together."
    yield Remark("Holds were not computed." if holds is None else beside)
    if others := tuple(_wager_choices(submission, rules)):
        yield Listing("choices of wagers", CHOICES, others)


def _paytables(rules: Rules) -> tuple[Row, ...]:
    return tuple(
        (
            offered.title,
            offered.letter,
            offered.table.reading or rules.reading(offered.name) or "printed",
            (offered.cited,),
            "; ".join(f"{row} {odds}" for row, odds in offered.rows),
        )
        for offered in offered_tables(rules)
    )


def _meters(submission: Submission, rules: Rules) -> list[Listing]:
    rows = []
    for name, spec in rules.meters.items():
        linked = any(
            choice.linked
            for key, choice in submission.wagers.items()
            if getattr(rules.wagers.get(key), "meter", "") == name
        )
        for tier, seed in spec.seed.items():
            rows.append(
                (
                    shown(name) + (f", {tier}" if len(spec.seed) > 1 else ""),
                    show_dollars(seed) + ("" if spec.chosen else " per dollar wagered"),
                    share_text(spec.rate[tier]) if tier in spec.rate else "not given",
                    "chosen" if spec.chosen else "fixed by law",
                    _yes(linked),
                    (str(spec.cite),),
                )
            )
    return [Listing("meters", METERS, tuple(rows))]


def _options(submission: Submission, chapter: Chapter) -> tuple[Row, ...]:
    options: Iterator[Row] = (
        (
            f"{choice.title} {choice.unit}".strip(),
            kind_of(choice).said(choice, submission.options.get(choice.name)),
            (str(choice.cite),),
        )
        for choice in chapter.options(submission.effective).values()
    )
    readings = ", ".join(f"{shown(name)}: {reading}" for name, reading in submission.readings.items())
    return *options, ("Readings other than the printed text", readings or "none", ())


def _facts(submission: Submission, chapter: Chapter) -> list[Listing]:
    """What the text at hand does not print, and what the submission says of it."""
    facts = chapter.facts(submission.effective)
    rows = ((shown_key(each.name), str(each.value), (str(each.cite),), str(each.source)) for each in facts)
    return [Listing("facts", FACTS, tuple(rows))] if facts else []
