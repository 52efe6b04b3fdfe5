"""The submission desk: a Rules Submission as a form made of the law's choices, checked while it is filled in.

Nobody needs an account, and nothing is recorded: the browser keeps the submission while its window is open.
"""

from collections.abc import Mapping
from datetime import date
from json import dumps
from typing import Any, Final

from fastapi import Request
from nicegui import ui

from pitboss.findings import Finding, FindingsError, UnreadableError, errors
from pitboss.games.registry import GAMES
from pitboss.law.model import SINGLE, Chapter
from pitboss.reports.form import form_html
from pitboss.submission import Submission, check, diff, read_submission, template
from pitboss.table.opening import day_of
from pitboss.table.roles import Role
from pitboss.web.pages.shell import Visitor, button, card, escape, finding_html, frame, house, markup, visitor
from pitboss.web.pages.submission_fields import FormParts
from pitboss.web.pages.submission_form import field_of, law_day, parts_of, unknown_keys
from pitboss.web.pages.submission_holds import MAIN, Hold, holds, letters_for, question_of
from pitboss.web.pages.submission_parts import (
    KEPT,
    MOST,
    STYLE,
    changes_html,
    file_input,
    findings_html,
    kept_text,
    place_of,
    read_text,
    reader,
    summary,
    unread,
)
from pitboss.web.pages.submission_text import Value, Values, read_values, toml_of, values_of
from pitboss.web.pages.workroom import QUICK

LOOK_SECONDS: Final = 0.3
COMPUTING: Final = "Hold: computing…"
INTRODUCTION: Final = (
    "Every choice that the law of the effective date leaves to a certificate holder, with its paragraph. What the law "
    "has against the choices is said while you make them; the hold beside a choice is counted exactly."
)


def template_values(game: str, day: date) -> Values:
    """The law's template of a game; before the chapter was in force, that of its first day under the date asked for."""
    first = law_day(GAMES[game].chapter, day)
    return {**values_of(read_submission(template(game, first))), "effective": day.isoformat()}


class SubmissionDesk:
    """One open window on the desk."""

    def __init__(self, who: Visitor, day: date) -> None:
        self.who = who
        self.day = day
        self.values: Values = template_values(next(iter(GAMES)), day)
        self.submission = read_values(self.values, day).submission
        self.other: Submission | None = None
        self.answers: dict[str, tuple[str, Mapping[str, Hold], str]] = {}
        """By wager: the question, its holds by letter, and why there are none."""
        self.questions: dict[str, str] = {}
        self.setting = False

    @property
    def chapter(self) -> Chapter:
        return GAMES[self.submission.game].chapter

    @property
    def text(self) -> str:
        remark = (
            f"Rules Submission for {self.chapter.title}, 58 Pa. Code Chapter {self.chapter.chapter}, "
            f"law of {self.submission.effective}."
        )
        return toml_of(values_of(self.submission), remark)

    # What stands on the page

    def build(self) -> None:
        ui.add_head_html(STYLE)
        markup(f'<p style="margin:0;max-width:90ch">{INTRODUCTION}</p>')
        with card("", label="Game and date"):
            with ui.row().classes("items-start w-full").style("gap:1rem"):
                titles = {name: f"{game.chapter.title} ({game.chapter.chapter})" for name, game in GAMES.items()}
                self.game = ui.select(titles, label="Game", value=self.submission.game, on_change=self._game_chosen)
                self.game.props("outlined dense options-dense").classes("w-64").style("max-width:100%")
                with ui.element("div").props(f'id="{place_of("effective")}"'):
                    self.date = ui.input("Effective date", on_change=self._date_typed, value=self.day.isoformat())
                    self.date.props("outlined dense type=date stack-label debounce=500").classes("w-48")
                button("Start again from the law's template", lambda: self._load(self._template()), main=False)
            reader("Read it into the form", "desk-file", self._read)
            self.unread = markup("", "w-full").props('role="alert"')
        with ui.element("div").classes("sd-desk"):
            self.form = ui.element("div").classes("sd-form")
            with ui.element("div").classes("sd-side"):
                with card("Findings"):
                    self.summary = markup("", "w-full").props('role="status" aria-live="polite"')
                    self.findings = markup("", "w-full")
                self._uses()
        self._difference()
        self.parts = FormParts(self.form, self._typed, self._removed)
        ui.timer(0.05, self._start, once=True)
        ui.timer(LOOK_SECONDS, self._count)

    def _uses(self) -> None:
        with card("This submission"):
            with ui.element("div").classes("sd-tools"):
                button("Download TOML", lambda: self._download(self.text, "toml"))
                button("Print the form", lambda: ui.run_javascript(f"pbPrint({dumps(self._form_html())})"), main=False)
                button("Download the form", lambda: self._download(self._form_html(), "html"), main=False)
            markup('<a href="/signs?from=desk">Signs and layout of this submission</a>', "pb-links")
            if self.who.is_any(Role.PIT_MANAGER):
                markup('<a href="/?desk=1">Open a table with it, in the lobby</a>', "pb-links")
            else:
                markup(
                    '<span class="pb-small pb-soft">Opening a table with it takes the pit manager; '
                    '<a href="/login?then=/submissions">log in</a>.</span>'
                )
            with ui.element("details").classes("w-full"):
                summary("As TOML")
                self.shown = markup("", "w-full")

    def _difference(self) -> None:
        with card("Difference against another submission", label="Difference"):
            with ui.element("div").classes("sd-tools"):
                button("Compare with the law's template", lambda: self._compare(None), main=False)
                file_input("or with a file", "desk-other", self._compare)
            other = ui.textarea("or with this TOML").props(f"outlined autogrow maxlength={MOST}").classes("w-full")
            button("Compare with the text", lambda: self._compare(str(other.value or "")), main=False)
            self.changes = markup("", "w-full").props('role="status"')

    # What people do

    async def _start(self) -> None:
        """Go on with what the browser has kept."""
        try:
            self._load(values_of(read_text(await kept_text())))
        except UnreadableError:
            self._load(self.values)

    def _load(self, values: Values) -> None:
        self.values = dict(values)
        self.setting = True
        self.game.value, self.date.value = values["game"], values["effective"]
        self.setting = False
        self._look(fresh=True)

    def _read(self, text: str) -> None:
        try:
            values = values_of(read_text(text))
        except UnreadableError as problem:
            self.unread.set_content(unread(problem, "The form is"))
            return
        self.unread.set_content("")
        self._load(values)
        ui.notify("The submission has been read into the form.")

    def _template(self, game: str = "") -> Values:
        return template_values(game or self.submission.game, self.day)

    def _game_chosen(self, event: Any) -> None:
        """Another game brings its own choices; who offers it, and from when, stays."""
        if self.setting:
            return
        holder = {"certificate_holder": self.values.get("certificate_holder", "")}
        self._load(self._template(str(event.value)) | holder)

    def _date_typed(self, event: Any) -> None:
        if not self.setting:
            self._typed("effective", str(event.value or ""))

    def _typed(self, key: str, value: Value) -> None:
        self.values[key] = value
        self._look()

    def _removed(self, key: str) -> None:
        self.values.pop(key, None)
        self._look(fresh=True)

    def _compare(self, text: str | None) -> None:
        day = self.submission.effective
        try:
            self.other = read_text(text) if text is not None else read_submission(template(self.submission.game, day))
        except (UnreadableError, FindingsError) as problem:
            self.changes.set_content(finding_html(problem))
            return
        self._show_difference()

    def _form_html(self) -> str:
        if self._open_questions():
            ui.notify("Holds that are still being computed are not on this copy of the form.")
        known = {wager: str(hold) for wager in self.questions if (hold := self._hold(wager)[1])}
        return form_html(self.submission, holds=known)

    def _download(self, content: str, kind: str) -> None:
        ui.download.content(content, f"submission-{self.submission.game}-{self.submission.effective}.{kind}")

    # What follows from it

    def _look(self, *, fresh: bool = False) -> None:
        """Read the form, check it, and show what has changed."""
        read = read_values(self.values, self.day)
        self.submission, self.day = read.submission, read.submission.effective
        parts = parts_of(self.chapter, self.day)
        unknown = unknown_keys(self.values, parts, self.chapter, self.day)
        if fresh or (parts, unknown) != (self.parts.parts, self.parts.unknown):
            self.parts.build(parts, unknown, self.values, self.chapter, self.day)
        # What cannot be read is not missing as well.
        told = {finding.where for finding in read.findings}
        findings = (*read.findings, *(each for each in check(self.submission) if each.where not in told))
        self._show_findings(findings)
        self.shown.set_content(f'<pre class="sd-toml" tabindex="0">{escape(self.text)}</pre>')
        self._show_difference()
        offered = {wager.name for wager, _ in self.submission.offered(self.chapter, self.day)}
        self.questions = {wager: question_of(self.submission, wager) for wager in (MAIN, *sorted(offered))}
        self._show_holds()
        ui.run_javascript(f"sessionStorage.setItem('{KEPT}', {dumps(self.text)})")

    def _show_findings(self, findings: tuple[Finding, ...]) -> None:
        keys = ("effective", *self.parts.keys)
        targets = {finding.where: field_of(finding.where, keys) for finding in findings}
        places = {where: place_of(key) for where, key in targets.items() if key}
        names = {where: self.parts.names.get(key, key) for where, key in targets.items() if key}
        wrong = errors(findings)
        notes = tuple(finding for finding in findings if finding.severity == "note")
        self.summary.set_content(_counted(len(wrong), len(notes)))
        self.findings.set_content(findings_html((*wrong, *notes), places, names))
        said: dict[str, str] = {}
        for finding in wrong:
            said.setdefault(targets[finding.where], finding.sentence)
        self.parts.mark(said)

    def _show_difference(self) -> None:
        if self.other is not None:
            self.changes.set_content(changes_html(diff(self.other, self.submission)))

    # Holds

    def _answer(self, wager: str) -> tuple[Mapping[str, Hold] | None, str]:
        """The holds by letter for the form as it is, or why there are none; of a wager not on offer neither."""
        if not (question := self.questions.get(wager)):
            return None, "" if question is None else "Hold: once its findings are settled"
        asked, found, problem = self.answers.get(wager, ("", {}, ""))
        return (found, problem) if asked == question else (None, COMPUTING)

    def _open_questions(self) -> list[str]:
        return [wager for wager in self.questions if self._answer(wager)[1] == COMPUTING]

    async def _count(self) -> None:
        """One question after the other, so that an answer is on show as soon as it is there."""
        while wagers := self._open_questions():
            wager = wagers[0]
            question = self.questions[wager]
            try:
                self.answers[wager] = question, await QUICK.ask(holds, question, wager), ""
            except ValueError as problem:
                self.answers[wager] = question, {}, str(problem)
            self._show_holds()

    def _hold(self, wager: str) -> tuple[str, Hold | None]:
        """The letter that is chosen now, and its hold if that has been counted."""
        _, key, letters = letters_for(self.chapter, wager, law_day(self.chapter, self.day))
        letter, found = str(self.values.get(key, "")), self._answer(wager)[0] or {}
        return letter, found.get(SINGLE if letters == (SINGLE,) else letter)

    def _show_holds(self) -> None:
        for part, wager in self.parts.counted(self.chapter):
            self.parts.show_hold(part, *self._hold(wager), *self._answer(wager), wager not in self.questions)


def _counted(wrong: int, notes: int) -> str:
    if not wrong:
        said = '<span class="pb-good">✓ The law has nothing against this submission.</span>'
    else:
        said = f'<span class="pb-bad">{wrong} finding{"s" if wrong > 1 else ""} against this submission.</span>'
    more = f" {notes} note{'s' if notes > 1 else ''} on the text of the law." if notes else ""
    return f"<strong>{said}</strong>{more}"


def add_submissions_page() -> None:
    @ui.page("/submissions")
    def submissions(request: Request) -> None:
        who = visitor(request)
        with frame("Submission desk", who, "/submissions"):
            SubmissionDesk(who, day_of(house().pit.clock())).build()
