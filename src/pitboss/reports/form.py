"""A Rules Submission as a form on paper: every choice, its paragraph and hold, and what the law has against it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pitboss.findings import Finding, errors
from pitboss.games.options import kind_of
from pitboss.games.registry import game_named
from pitboss.games.rules import Rules
from pitboss.law.model import SINGLE, Chapter
from pitboss.money import show_dollars
from pitboss.names import shown, shown_key
from pitboss.reports.offer import limits_text, offered_tables, percent, share_text
from pitboss.reports.page import cited, heading, notice, page, section, table
from pitboss.reports.sources import not_printed
from pitboss.reports.stamp import stamp_of
from pitboss.reports.svg import Markup, element, together
from pitboss.submission import Submission, check, rules_of

if TYPE_CHECKING:
    from pitboss.exact.duel import Progress

SIGNATURES = ("For the certificate holder", "Title", "Date")
NOT_COUNTED = "Holds were not computed: that needs the extra 'exact'."


def form_html(submission: Submission, *, holds: Mapping[str, str] | None = None) -> str:
    """The form, lawful or not: what is wrong stands in it. ``holds`` come from ``holds_of``."""
    chapter = game_named(submission.game).chapter
    rules, _ = rules_of(submission)
    chapter = rules.chapter if rules is not None else chapter
    findings = check(submission)
    title, about = f"Rules Submission: {chapter.title}", f"58 Pa. Code Chapter {chapter.chapter}"
    return page(
        f"{title}, {submission.certificate_holder}",
        stamp_of(submission.effective),
        heading(title, submission.certificate_holder, f"{about}, effective {submission.effective}"),
        section("Findings", *_findings(findings)),
        section("The table", _table(submission, chapter)),
        section("Wagers", _wagers(rules, holds)) if rules is not None else None,
        section("Pay tables", _paytables(rules)) if rules is not None else None,
        section("Progressive meters", _meters(submission, rules)) if rules is not None and rules.meters else None,
        section("Options", _options(submission, chapter)),
        section("Facts that are not printed", facts) if (facts := _facts(submission, chapter)) else None,
        section("Signature", _signature()),
        section("Notes on the text of the law", *notes) if (notes := tuple(_notes(findings))) else None,
    )


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


def _findings(findings: Iterable[Finding]) -> Iterator[Markup]:
    wrong = errors(findings)
    if not wrong:
        yield element("p", "The law has nothing against this submission.")
    for finding in wrong:
        yield _finding(finding, "finding")


def _notes(findings: Iterable[Finding]) -> Iterator[Markup]:
    """Defects of the text that touch the choices; they forbid nothing."""
    yield from (_finding(finding, "note") for finding in findings if finding.severity == "note")


def _finding(finding: Finding, kind: str) -> Markup:
    where = f"{shown_key(finding.where)}: " if finding.where else ""
    return notice(f"{where}{finding.sentence}", finding.cite or None, kind)


def _table(submission: Submission, chapter: Chapter) -> Markup:
    shuffler, cite = submission.shuffler, chapter.cite_of
    counts, reshuffles = cited(cite("check-shuffler-count")), cited(cite("use-approved-reshuffling-shoe"))
    boxes = cited(cite("adjacent_boxes", "wagers"))
    rows = [
        ("Certificate holder", submission.certificate_holder or "not given", cited(cite("certificate_holder"))),
        ("Seats", _given(submission.seats), cited(cite("seats"))),
        ("Adjacent boxes for one player", _given(submission.adjacent_boxes), boxes),
        ("Dealing", submission.dealing or "not given", cited(cite("deals"))),
    ]
    if any(figure.name == "decks" for figure in chapter.figures):
        rows += [
            ("Automated shuffler", _yes(shuffler.used), counts),
            ("It counts the cards", _yes(shuffler.counts_cards), counts),
            ("It reshuffles by itself", _yes(shuffler.reshuffles), reshuffles),
            ("Decks", str(shuffler.decks), cited(cite("decks_with_shuffler", "decks"))),
        ]
    return table(("Choice", "Chosen", "Paragraph"), rows)


def _given(value: object) -> str:
    return "not given" if value is None else str(value)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _wagers(rules: Rules, holds: Mapping[str, str] | None) -> Markup:
    rows = []
    for wager in rules.wagers.values():
        pay = rules.tables.get(wager.paytable)
        letter = "" if pay is None or pay.letter == SINGLE else pay.letter
        known = holds or {}
        hold = known.get(wager.name) or (known.get("main", "") if wager.role == "unit" else "")
        rows.append((wager.title, letter, limits_text(rules, wager), hold, cited(wager.cite, not_printed(wager))))
    missing = element("p", NOT_COUNTED, class_="quiet") if holds is None else None
    beside = f"The hold beside the {rules.chapter.unit_title} is that of the main wagers together."
    remark = element("p", beside, class_="quiet")
    heads = ("Wager on offer", "Table", "Dollars", "Hold", "Paragraph")
    return together(table(heads, rows), missing if holds is None else remark)


def _paytables(rules: Rules) -> Markup:
    rows = [
        (
            offered.title,
            offered.letter,
            "; ".join(f"{row} {odds}" for row, odds in offered.rows),
            offered.table.reading or rules.reading(offered.name) or "printed",
            cited(offered.table.cite),
        )
        for offered in offered_tables(rules)
    ]
    return table(("Pay table", "Letter", "Rows", "Reading", "Paragraph"), rows)


def _meters(submission: Submission, rules: Rules) -> Markup:
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
                    share_text(spec.rate[tier]),
                    "chosen" if spec.chosen else "fixed by law",
                    _yes(linked),
                    cited(spec.cite),
                )
            )
    return table(("Meter", "Seed", "Rate", "By", "Linked", "Paragraph"), rows)


def _options(submission: Submission, chapter: Chapter) -> Markup:
    rows: list[tuple[object, ...]] = [
        (
            f"{choice.title} {choice.unit}".strip(),
            kind_of(choice).said(choice, submission.options.get(choice.name)),
            cited(choice.cite),
        )
        for choice in chapter.options(submission.effective).values()
    ]
    readings = ", ".join(f"{shown(name)}: {reading}" for name, reading in submission.readings.items())
    rows.append(("Readings other than the printed text", readings or "none", ""))
    return table(("Choice", "Chosen", "Paragraph"), rows)


def _facts(submission: Submission, chapter: Chapter) -> Markup | None:
    """What the text at hand does not print, and what the submission says of it."""
    rows = [
        (shown_key(fact.name), fact.value, str(fact.source), cited(fact.cite))
        for fact in chapter.facts(submission.effective)
    ]
    return table(("Fact", "Value", "Taken from", "Paragraph"), rows) if rows else None


def _signature() -> Markup:
    rows = [(name, element("span", class_="blank")) for name in SIGNATURES]
    return table((), rows)
