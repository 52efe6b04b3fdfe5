"""The dealer school: drills for everybody, progress and exams for those who have logged in, a class for instructors."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from secrets import randbelow
from typing import Any, Final

from fastapi import Request
from nicegui import app, run, ui
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.rows import shown_time
from pitboss.ledger.schooling import (
    Sitting,
    answered,
    attempts_of,
    begin_exam,
    everybody,
    exams_set,
    set_exam,
    sitting,
    sittings,
)
from pitboss.reports.certificate import certificate_html, certificate_sheets
from pitboss.school.exams import Exam
from pitboss.school.exercise import Exercise, grade
from pitboss.school.kinds import ask, kinds_of
from pitboss.school.live import MOMENTS
from pitboss.school.progress import Attempt, following
from pitboss.table.opening import day_of
from pitboss.table.permissions import may, why_not
from pitboss.web.pages import school_html as shown
from pitboss.web.pages.shell import (
    Visitor,
    add_own_page,
    carried_out,
    end_with_session,
    frame,
    house,
    markup,
    said,
    sheet,
    show_findings,
    visitor,
    whole,
)

STYLE: Final = sheet("school.html")
SUBMIT: Final = """(event) => {
  event.preventDefault();
  const sent = [...new FormData(event.target, event.submitter)].filter(([, value]) => typeof value === 'string');
  emit({sent: sent.map(([name, value]) => [name, value.slice(0, 200)])});
}"""
LARGEST_SEED: Final = 2**31

Sent = Sequence[Sequence[str]]


def _today() -> date:
    return day_of(house().pit.clock())


def _region(submitted: Callable[[Sent], Awaitable[None]]) -> ui.html:
    """A part of the page whose forms are answered by the server."""
    part = markup("", "w-full").props('aria-live="polite"')

    async def on(event: Any) -> None:
        sent = event.args.get("sent", []) if isinstance(event.args, dict) else []
        await submitted([each for each in sent if isinstance(each, list) and len(each) == 2])

    part.on("submit", on, js_handler=SUBMIT)
    return part


class QuestionPage:
    """One open window with questions: shown, answered, graded, and on to the next."""

    def __init__(self, who: Visitor, here: str) -> None:
        ui.add_head_html(STYLE)
        self.who, self.here, self.client = who, here, ui.context.client
        self.said = ui.column().classes("w-full pb-maybe").props('aria-live="assertive"')
        self.part = _region(self._submitted)
        self.exercise: Exercise | None = None
        self.asked_at = 0
        self.graded = False

    def show(self, exercise: Exercise, number: str, until: int = 0, button: str = "Answer") -> None:
        now = house().pit.clock()
        if exercise.seconds and not until:
            until = now // 1000 + 1000 * exercise.seconds
        self.exercise, self.asked_at, self.graded = exercise, now, False
        question = shown.exercise_html(exercise, number, until)
        self.part.content = f'<div class="sc-cols">{question}{shown.form_html(exercise, button)}</div>'
        self._focus("i0")

    def _focus(self, id: str) -> None:
        self.client.run_javascript(f"requestAnimationFrame(() => window.pbSchool && window.pbSchool('{id}'))")

    @property
    def seconds(self) -> int:
        return (house().pit.clock() - self.asked_at) // 1_000_000

    async def _submitted(self, sent: Sent) -> None:
        with self.client:
            if self.graded or self.exercise is None:
                await self.go_on()
            else:
                await self.answer(self.exercise, shown.typed_answers(self.exercise, sent))

    def unreadable(self, exercise: Exercise, answers: dict[str, str]) -> bool:
        """Whether something cannot be read; it is said on the page, and nothing is graded."""
        for item in exercise.items:
            try:
                item.read(answers.get(item.key, ""))
            except UnreadableError as problem:
                show_findings(said(f"{item.ask}: {problem}"), into=self.said)
                return True
        self.said.clear()
        return False

    async def answer(self, exercise: Exercise, answers: dict[str, str]) -> None:
        raise NotImplementedError

    async def go_on(self) -> None:
        raise NotImplementedError


class DrillPage(QuestionPage):
    """Drills of one game: whoever has logged in gets what is difficult sooner."""

    def __init__(self, who: Visitor, game: str, kind: str, seed: int) -> None:
        super().__init__(who, f"/school?game={game}")
        self.game, self.kind, self.seed, self.number = game, kind, seed, 0
        self.attempts: list[Attempt] = [*attempts_of(house().pit.store, who.id)] if who.person else []

    def _next(self) -> Exercise:
        kinds, day = kinds_of(self.game), _today()
        if self.kind:
            return ask(self.kind, self.game, day, self.seed)
        if self.who.person is not None:
            return following(self.attempts, self.game, day, self.seed)
        return ask(kinds[self.seed % len(kinds)], self.game, day, self.seed)

    async def go_on(self) -> None:
        self.number += 1
        self.seed = (self.seed + 1) % LARGEST_SEED
        exercise = await run.io_bound(self._next)
        if exercise is not None:  # nothing while the server stops
            self.show(exercise, f"Question {self.number}")

    async def answer(self, exercise: Exercise, answers: dict[str, str]) -> None:
        seconds = self.seconds
        late = bool(exercise.seconds) and seconds > exercise.seconds
        if not late and self.unreadable(exercise, answers):
            return
        graded = grade(exercise, answers, late=late)
        pit = house().pit

        def record(person: Person) -> None:
            self.attempts.append(answered(pit.store, person, graded, seconds, pit.clock()))

        if self.who.person is not None and not carried_out(self.who, self.here, self.said, record):
            return
        self.graded = True
        question = shown.exercise_html(exercise, f"Question {self.number}")
        self.part.content = f'<div class="sc-cols">{question}{shown.grade_html(graded, "Next question")}</div>'
        self._focus("following")


class ExamPage(QuestionPage):
    """An exam under way: the clock runs on the server, and a page that was closed goes on where it was."""

    def __init__(self, who: Visitor, number: int) -> None:
        super().__init__(who, f"/school/exam?number={number}")
        self.number, self.place = number, 0

    def _sitting(self) -> Sitting:
        found = sitting(house().pit.store, self.number)
        if found.person != self.who.id:
            raise UnreadableError(f"Exam {self.number} is somebody else's.")
        return found

    async def go_on(self) -> None:
        found = self._sitting()
        place, of = found.following, found.result.exam.questions
        if not place or found.is_over(house().pit.clock()):
            self.exercise, link = None, f"/school/certificate?number={self.number}"
            missing = "" if found.result.is_complete else " The time is over."
            self.part.content = (
                f'<section class="pb-card" aria-label="Result"><h2>{shown.result_words(found.result)}</h2><p>'
                f"{found.result.right} of {found.result.items} answers were right.{missing}</p>"
                f'<div class="pb-presses"><a class="pb-press" href="{link}">Show the paper with the paragraphs</a>'
                f'<a class="pb-press plain" href="{link}&pdf=true">As PDF</a></div></section>'
            )
            return
        exercise = await run.io_bound(found.result.exam.exercise, place)
        if exercise is not None:
            self.place = place
            self.show(exercise, f"Question {place} of {of}", found.ends // 1000, "Answer and go on")

    async def answer(self, exercise: Exercise, answers: dict[str, str]) -> None:
        if self.unreadable(exercise, answers):
            return
        pit, graded, seconds, place = house().pit, grade(exercise, answers), self.seconds, self.place

        def record(person: Person) -> None:
            answered(pit.store, person, graded, seconds, pit.clock(), self.number, place)

        carried_out(self.who, self.here, self.said, record)
        await self.go_on()


def _overview(who: Visitor) -> None:
    ui.add_head_html(STYLE)
    store, now = house().pit.store, house().pit.clock()
    attempts = attempts_of(store, who.id) if who.person else ()
    box = ui.column().classes("w-full pb-maybe")
    markup(shown.picker_html("", ""), "w-full")
    if who.person is None:
        markup(
            '<p style="margin:0">Anybody may drill. <a href="/login?then=/school">Log in</a> to keep your progress and '
            "to sit exams.</p>"
        )
    else:
        sets = exams_set(store)

        async def begin(sent: Sent) -> None:
            number = next((whole(value) for name, value in sent if name == "begin"), None)
            chosen = next((each for each in sets if each.number == number), None)
            begun: list[int] = []
            if chosen is not None and carried_out(
                who, "/school", box,
                lambda person: begun.append(begin_exam(store, person, chosen.title, chosen.exam, house().pit.clock())),
            ):  # fmt: skip
                ui.navigate.to(f"/school/exam?number={begun[0]}")

        _region(begin).content = shown.exams_html(sets, sittings(store, who.id), now)
        end_with_session(who, "/school")
    markup(shown.games_html(attempts), "w-full")
    if progress := shown.progress_html(attempts):
        markup(progress, "w-full")


def _class(who: Visitor, person: Person) -> None:
    if not may(person.role, "school.read-class"):
        show_findings([why_not(person.role, "school.read-class")])
        return
    ui.add_head_html(STYLE)
    box = ui.column().classes("w-full pb-maybe")
    pit, client = house().pit, ui.context.client

    async def set_it(sent: Sent) -> None:
        given = {each[0]: each[1] for each in sent}

        def act(by: Person) -> None:
            numbers = {name: whole(given.get(name, "")) for name in ("questions", "minutes", "seed")}
            if None in numbers.values():
                raise UnreadableError("Questions, minutes and seed are whole numbers.")
            game = given.get("game", "")
            count, minutes, seed = (numbers[name] or 0 for name in ("questions", "minutes", "seed"))
            exam = Exam(game if game in GAMES else "", _today(), seed, count, minutes)
            set_exam(pit.store, by, given.get("title", ""), exam, pit.clock())

        with client:
            if carried_out(who, "/school/class", box, act):
                show_findings(said("The exam is set; trainees find it on the school's page.", note=True), into=box)
                draw()

    form = _region(set_it)
    form.content = shown.set_exam_html(randbelow(100_000))
    part = markup("", "w-full")

    def draw() -> None:
        people = {account.person.id: account.person for account in house().people.everyone()}
        shows = shown.class_html(people, everybody(pit.store), exams_set(pit.store), sittings(pit.store), pit.clock())
        part.content = f'<div class="pb-stack">{shows}</div>'

    draw()


def certificate(who: Visitor, number: int, pdf: bool = False) -> Response:
    """The paper of an exam, for whoever sat it and for instructors."""
    try:
        found = sitting(house().pit.store, number)
    except (UnreadableError, LedgerError) as problem:
        return PlainTextResponse(str(problem), 404)
    if who.person is None or (found.person != who.id and not may(who.person.role, "school.read-class")):
        return PlainTextResponse("Only whoever sat the exam and instructors see its paper.", 403)
    people = {account.person.id: account.person for account in house().people.everyone()}
    name = people[found.person].name if found.person in people else found.person
    paper = (found.result, name, shown_time(found.at)[:10])
    if pdf:
        return Response(certificate_sheets(*paper).pdf(), media_type="application/pdf")
    return HTMLResponse(certificate_html(*paper))


def add_school_pages() -> None:
    @ui.page("/school")
    async def school(request: Request, game: str = "", kind: str = "", seed: int = -1) -> None:
        who = visitor(request)
        if game not in GAMES:
            with frame("Dealer school", who, "/school"):
                _overview(who)
            return
        title = GAMES[game].chapter.title
        with frame(f"Dealer school: {title}", who, "/school"):
            markup(shown.picker_html(game, kind), "w-full")
            first = seed if 0 <= seed < LARGEST_SEED else randbelow(LARGEST_SEED // MOMENTS) * MOMENTS
            page = DrillPage(who, game, kind if kind in kinds_of(game) else "", first - 1)
            await page.go_on()
            if who.person is not None:
                end_with_session(who, "/school")

    @ui.page("/school/exam")
    async def exam(request: Request, number: int = 0) -> None:
        who = visitor(request)
        if who.person is None:
            ui.navigate.to(f"/login?then=/school/exam?number={number}")
            return
        with frame("Exam", who, "/school"):
            ui.add_head_html(STYLE)
            end_with_session(who, "/school")
            page = ExamPage(who, number)
            try:
                await page.go_on()
            except (UnreadableError, LedgerError) as problem:
                show_findings(said(problem), into=page.said)

    @app.get("/school/certificate")
    def paper(request: Request, number: int = 0, pdf: bool = False) -> Response:
        return certificate(visitor(request), number, pdf)

    add_own_page("/school/class", "The class", _class)
