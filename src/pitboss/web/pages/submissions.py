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
from pitboss.web.pages.shell import Visitor, button, escape, frame, house, markup, visitor
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
    place_of,
    summary,
)
from pitboss.web.pages.submission_text import Value, Values, read_values, toml_of, values_of
from pitboss.web.pages.workroom import QUICK

LOOK_SECONDS: Final = 0.3
COMPUTING: Final = "computing…"
INTRODUCTION: Final = (
    "Every choice that the law of the effective date leaves to a certificate holder, with its paragraph. What the law "
    "has against the choices is said while you make them; the hold beside a choice is counted exactly."
)


def read_text(text: str) -> Submission:
    """A submission that somebody pasted or chose as a file."""
    if not text.strip():
        raise UnreadableError("There is nothing to read: paste the TOML of a submission, or choose its file.")
    if len(text) > MOST:
        raise UnreadableError(f"A submission has at most {MOST // 1024} KiB.")
    return read_submission(text)


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
        with ui.element("section").classes("pb-card").props('aria-label="Game and date"'):
            with ui.row().classes("items-start w-full").style("gap:1rem"):
                titles = {name: f"{game.chapter.title} ({game.chapter.chapter})" for name, game in GAMES.items()}
                self.game = ui.select(titles, label="Game", value=self.submission.game, on_change=self._game_chosen)
                self.game.props("outlined dense options-dense").classes("w-64").style("max-width:100%")
                with ui.element("div").props(f'id="{place_of("effective")}"'):
                    self.date = ui.input("Effective date", on_change=self._date_typed, value=self.day.isoformat())
                    self.date.props("outlined dense type=date stack-label debounce=500").classes("w-48")
                button("Start again from the law's template", self._reset, main=False)
            with ui.element("details").classes("w-full"):
                summary("Read a submission from a file or from text")
                self._reader()
        with ui.element("div").classes("sd-desk"):
            self.form = ui.element("div").classes("sd-form")
            with ui.element("div").classes("sd-side"):
                with ui.element("section").classes("pb-card").props('aria-label="Findings"'):
                    markup("<h2>Findings</h2>")
                    self.summary = markup("", "w-full").props('role="status" aria-live="polite"')
                    self.findings = markup("", "w-full")
                self._uses()
        self._difference()
        self.parts = FormParts(self.form, self._typed, self._removed)
        ui.timer(0.05, self._start, once=True)
        ui.timer(LOOK_SECONDS, self._count)

    def _reader(self) -> None:
        with ui.column().classes("w-full").style("gap:.75rem;padding-top:.75rem"):
            self.pasted = ui.textarea("TOML of a submission").props(f"outlined autogrow maxlength={MOST}")
            self.pasted.classes("w-full")
            with ui.element("div").classes("sd-tools"):
                button("Read it into the form", lambda: self._read(str(self.pasted.value or "")))
                markup(file_input("or choose a file", "desk-file"))
            self.unread = markup("", "w-full").props('role="alert"')
        ui.on("desk-file", lambda event: self._read(file_text(event.args)))

    def _uses(self) -> None:
        with ui.element("section").classes("pb-card").props('aria-label="This submission"'):
            markup("<h2>This submission</h2>")
            with ui.element("div").classes("sd-tools"):
                button("Download TOML", lambda: ui.download.content(self.text, f"{self._file_name()}.toml"))
                button("Print the form", self._print, main=False)
                button("Download the form", self._download_form, main=False)
            markup('<a href="/signs?from=desk">Signs and layout of this submission</a>')
            if self.who.is_any(Role.PIT_MANAGER):
                markup('<a href="/?desk=1">Open a table with it, in the lobby</a>')
            else:
                markup(
                    '<span class="pb-small pb-soft">Opening a table with it takes the pit manager; '
                    '<a href="/login?then=/submissions">log in</a>.</span>'
                )
            with ui.element("details").classes("w-full"):
                summary("As TOML")
                self.shown = markup("", "w-full")

    def _difference(self) -> None:
        with ui.element("section").classes("pb-card").props('aria-label="Difference"'):
            markup("<h2>Difference against another submission</h2>")
            with ui.element("div").classes("sd-tools"):
                button("Compare with the law's template", lambda: self._compare(None), main=False)
                markup(file_input("or with a file", "desk-other"))
            other = ui.textarea("or with this TOML").props(f"outlined autogrow maxlength={MOST}").classes("w-full")
            button("Compare with the text", lambda: self._compare(str(other.value or "")), main=False)
            self.changes = markup("", "w-full").props('role="status"')
        ui.on("desk-other", lambda event: self._compare(file_text(event.args)))

    # What people do

    async def _start(self) -> None:
        """Go on with what the browser has kept."""
        kept = await ui.run_javascript(f"sessionStorage.getItem('{KEPT}')", timeout=5.0)
        try:
            self._load(values_of(read_text(str(kept or ""))))
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
            said = f"{problem}. The form is unchanged.".replace("..", ".")
            self.unread.set_content(f'<div class="pb-finding">{escape(said)}</div>')
            return
        self.unread.set_content("")
        self._load(values)
        ui.notify("The submission has been read into the form.")

    def _reset(self) -> None:
        self._load(template_values(self.submission.game, self.day))

    def _game_chosen(self, event: Any) -> None:
        """Another game brings its own choices; who offers it, and from when, stays."""
        if self.setting:
            return
        fresh = template_values(str(event.value), self.day)
        holder = self.values.get("certificate_holder", "")
        self._load({**fresh, "certificate_holder": holder})

    def _date_typed(self, event: Any) -> None:
        if not self.setting:
            self.values["effective"] = str(event.value or "")
            self._look()

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
            self.changes.set_content(f'<div class="pb-finding">{escape(problem)}</div>')
            return
        self._show_difference()

    def _print(self) -> None:
        ui.run_javascript(f"pbPrint({dumps(self._form_html())})")

    def _download_form(self) -> None:
        ui.download.content(self._form_html(), f"{self._file_name()}.html")

    def _form_html(self) -> str:
        if self._open_questions():
            ui.notify("Holds that are still being computed are not on this copy of the form.")
        known = {wager: hold for wager in self.questions if (hold := self._hold(wager))}
        return form_html(self.submission, holds={wager: str(hold) for wager, hold in known.items()})

    def _file_name(self) -> str:
        return f"submission-{self.submission.game}-{self.submission.effective}"

    # What follows from it

    def _look(self, *, fresh: bool = False) -> None:
        """Read the form, check it, and show what has changed."""
        read = read_values(self.values, self.day)
        self.submission, self.day = read.submission, read.submission.effective
        parts = parts_of(self.chapter, self.day)
        unknown = unknown_keys(self.values, parts, self.chapter, self.day)
        if fresh or not self.parts.stands(parts, unknown):
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
        names = {where: self.parts.name_of(key) for where, key in targets.items() if key}
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

    def _open_questions(self) -> list[str]:
        return [
            wager
            for wager, question in self.questions.items()
            if question and self.answers.get(wager, ("", {}, ""))[0] != question
        ]

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

    def _hold(self, wager: str) -> Hold | None:
        """The hold of what is chosen now, if it has been counted for the form as it is."""
        question, found, _ = self.answers.get(wager, ("", {}, ""))
        if not question or question != self.questions.get(wager):
            return None
        _, key, letters = letters_for(self.chapter, wager, law_day(self.chapter, self.day))
        return found.get(SINGLE if letters == (SINGLE,) else str(self.values.get(key, "")))

    def _show_holds(self) -> None:
        for part, wager in self.parts.counted(self.chapter):
            question = self.questions.get(wager)
            asked, found, problem = self.answers.get(wager, ("", {}, ""))
            done = bool(question) and asked == question
            waiting = ""
            if question == "":
                waiting = "Hold: once its findings are settled"
            elif question and not done:
                waiting = f"Hold: {COMPUTING}"
            letter = str(self.values.get(letters_for(self.chapter, wager, law_day(self.chapter, self.day))[1], ""))
            self.parts.show_hold(
                part, letter, self._hold(wager), found if done else None, problem if done else waiting, question is None
            )


def _counted(wrong: int, notes: int) -> str:
    if not wrong:
        said = '<span class="pb-good">✓ The law has nothing against this submission.</span>'
    else:
        said = f'<span class="pb-bad">{wrong} finding{"s" if wrong > 1 else ""} against this submission.</span>'
    more = f" {notes} note{'s' if notes > 1 else ''} on the text of the law." if notes else ""
    return f"<strong>{said}</strong>{more}"


def file_text(args: Any) -> str:
    """What the browser has read; a file that is too large comes as its size alone."""
    given = args if isinstance(args, dict) else {}
    return str(given.get("text", "")) if "large" not in given else " " * MOST + "…"


def add_submissions_page() -> None:
    @ui.page("/submissions")
    def submissions(request: Request) -> None:
        who = visitor(request)
        with frame("Submission desk", who, "/submissions"):
            SubmissionDesk(who, day_of(house().pit.clock())).build()
