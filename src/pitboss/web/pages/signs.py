"""Signs and layout: the payout sign and the layout drawing of a submission, on the screen and on paper."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from json import dumps
from typing import Any, Final

from fastapi import Request
from nicegui import ui

from pitboss.findings import FindingsError, UnreadableError, errors
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.reports.layout import areas_of, layout_pdf, layout_svg
from pitboss.reports.page import FORMATS, Format
from pitboss.reports.sign import sign_sheets
from pitboss.submission import Submission, check, rules_of, template
from pitboss.table.opening import day_of
from pitboss.web.pages.shell import (
    button,
    card,
    escape,
    finding_html,
    findings_html,
    frame,
    house,
    markup,
    sheet,
    table_html,
    visitor,
)
from pitboss.web.pages.submission_parts import STYLE, cite_html, kept_text, read_text, reader, unread

DESK: Final = "desk"
SIZES: Final[dict[str, str]] = {
    "letter": "Letter, 8.5 × 11 in",
    "tabloid": "Tabloid, 11 × 17 in",
    "large": "Large format, 24 × 36 in",
}
SIGNS_STYLE: Final = sheet("signs.html")
Paper = Callable[[Submission, Rules], None]


def layout_page(drawn: str, title: str, size: Format) -> str:
    """A drawing as a page of its own that fills one sheet, wide side across."""
    high, wide = FORMATS[size]
    margin = 0.4 if size == "letter" else 1.0
    style = (
        f"@page {{ size: {wide}in {high}in; margin: {margin}in; }} html, body {{ margin: 0; }}"
        f" svg {{ display: block; width: {wide - 2 * margin:g}in; height: {high - 2 * margin - 0.05:g}in; }}"
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style></head><body>{drawn}</body></html>"
    )


class SignsPage:
    """One open window on the signs."""

    def __init__(self, day: date, source: str) -> None:
        self.day = day
        self.first = source
        self.submission: Submission | None = None
        self.rules: Rules | None = None
        self.kept = ""
        self.setting = False

    def build(self) -> None:
        ui.add_head_html(STYLE + SIGNS_STYLE)
        with ui.element("section").classes("pb-card pb-noprint").props('aria-label="Submission"'):
            with ui.row().classes("items-end w-full").style("gap:1rem"):
                titles = {name: f"The law's template: {game.chapter.title}" for name, game in GAMES.items()}
                self.source = ui.select({DESK: "The submission on the desk", **titles}, label="Made from")
                self.source.props("outlined dense options-dense").classes("w-96").style("max-width:100%")
                self.source.value = next(iter(GAMES))
                self.source.on_value_change(self._chosen)
                self.size = ui.select(SIZES, label="Size of the paper", value="letter", on_change=self._show)
                self.size.props("outlined dense options-dense").classes("w-64")
            reader("Draw it", "signs-file", self._take)
            self.said = markup("", "w-full").props('role="status"')
        with card("", label="Payout sign"):
            self._head("Payout sign", {"Print the sign": self._print_sign, "Download PDF": self._download_sign})
            self.sign = markup("", "w-full")
        with card("", label="Layout"):
            papers = {"Print the layout": self._print_layout, "Download PDF": self._layout_pdf}
            self._head("Layout", {**papers, "Download SVG": self._layout_svg})
            self.layout = markup("", "w-full")
            self.areas = markup("", "w-full")
        ui.timer(0.05, self._start, once=True)

    def _head(self, title: str, papers: Mapping[str, Paper]) -> None:
        """A heading, and beside it what can be done with the paper, once there is one."""

        def make(paper: Paper) -> None:
            if self.submission is not None and self.rules is not None:
                paper(self.submission, self.rules)

        with ui.element("div").classes("sd-head"):
            markup(f"<h2>{title}</h2>")
            with ui.element("div").classes("sd-tools"):
                for place, (name, paper) in enumerate(papers.items()):
                    button(name, partial(make, paper), main=not place)

    # What people do

    async def _start(self) -> None:
        """The desk's submission, if there is one; else the law's template of the first game."""
        self.kept = await kept_text()
        wanted = self.first or (DESK if self.kept else next(iter(GAMES)))
        self.setting = True
        self.source.value = wanted
        self.setting = False
        self._choose(wanted)

    def _chosen(self, event: Any) -> None:
        if not self.setting:
            self._choose(str(event.value))

    def _choose(self, source: str) -> None:
        if source in GAMES:
            try:
                self._take(template(source, self.day))
            except FindingsError as problem:
                self._say(str(problem))
        elif self.kept:
            self._take(self.kept)
        else:
            self._say("There is nothing on the submission desk in this window yet.")

    def _take(self, text: str) -> None:
        try:
            self._draw(read_text(text))
        except UnreadableError as problem:
            self.said.set_content(unread(problem, "The drawings are"))

    def _draw(self, submission: Submission) -> None:
        rules, _ = rules_of(submission)
        if rules is None:
            self._say(" ".join(finding.sentence for finding in errors(check(submission))))
            return
        self.submission, self.rules = submission, rules
        findings = check(submission)
        against = len(errors(findings))
        chapter = rules.chapter
        said = (
            f"{escape(chapter.title)}, {escape(submission.certificate_holder) or 'no certificate holder'}, "
            f"law of {rules.as_of}. "
        )
        if against:
            number = "finding stands" if against == 1 else "findings stand"
            said += (
                f'<strong class="pb-bad">{against} {number} against this submission</strong>; what is drawn here is '
                'not yet lawful. <a href="/submissions">See the desk</a>.'
            )
        else:
            said += '<span class="pb-good">The law has nothing against it.</span>'
        named = findings_html(finding for finding in findings if finding.where == "certificate_holder")
        self.said.set_content(f"<div>{said}</div>{named}")
        self._show()

    def _say(self, sentence: str) -> None:
        self.said.set_content(finding_html(sentence))

    # What is shown

    @property
    def format(self) -> Format:
        return next((size for size in FORMATS if size == self.size.value), "letter")

    def _show(self) -> None:
        if self.submission is None or self.rules is None:
            return
        wide = FORMATS[self.format][0]
        sheets = sign_sheets(self.submission, self.rules, self.format)
        page = escape(sheets.html())
        self.sign.set_content(
            f'<p class="pb-soft" role="status" style="margin:0 0 .5rem">{escape(sheets.said)}</p>'
            f'<div class="sg-paper"><div class="sg-sheet" id="sg-sign" data-wide="{wide}">'
            f'<iframe title="Payout sign" srcdoc="{page}" onload="pbFit(\'sg-sign\', {wide})"></iframe></div></div>'
        )
        drawn = layout_svg(self.submission, self.rules)
        self.layout.set_content(f'<div class="sg-layout" tabindex="0" aria-label="Layout drawing">{drawn}</div>')
        rows = [
            (str(area.number), escape(area.words), "each seat" if area.item.per == "player" else "table",
             escape(area.measure), cite_html(str(area.item.cite)))
            for area in areas_of(self.submission, self.rules)
        ]  # fmt: skip
        heads = ("No.", "Area or inscription", "For", "Measure proposed", "Paragraph")
        self.areas.set_content(
            f"<h3>Areas and their paragraphs</h3><div class=sd-scroll>{table_html(heads, rows)}</div>"
        )

    # Paper

    def _print_sign(self, submission: Submission, rules: Rules) -> None:
        ui.run_javascript(f"pbPrint({dumps(sign_sheets(submission, rules, self.format).html())})")

    def _download_sign(self, submission: Submission, rules: Rules) -> None:
        name = f"sign-{submission.game}-{submission.effective}-{self.format}.pdf"
        ui.download.content(sign_sheets(submission, rules, self.format).pdf(), name)

    def _print_layout(self, submission: Submission, rules: Rules) -> None:
        page = layout_page(layout_svg(submission, rules), f"Layout of {rules.chapter.title}", self.format)
        ui.run_javascript(f"pbPrint({dumps(page)})")

    def _layout_pdf(self, submission: Submission, rules: Rules) -> None:
        ui.download.content(layout_pdf(submission, rules), f"layout-{submission.game}-{submission.effective}.pdf")

    def _layout_svg(self, submission: Submission, rules: Rules) -> None:
        ui.download.content(layout_svg(submission, rules), f"layout-{submission.game}-{submission.effective}.svg")


def add_signs_page() -> None:
    @ui.page("/signs")
    def signs(request: Request) -> None:
        wanted = request.query_params.get("from", "")
        with frame("Signs and layout", visitor(request), "/signs"):
            SignsPage(day_of(house().pit.clock()), wanted if wanted in (DESK, *GAMES) else "").build()
