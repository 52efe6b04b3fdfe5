"""The dealer school: drills for everybody, exams and progress for people with an account, the class for instructors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pitboss.cards import show_card
from pitboss.clock import MICROSECONDS, day_of, local
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.ledger.classbook import class_book
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import Person
from pitboss.ledger.schooling import (
    SetExam,
    Sitting,
    answered,
    attempts_of,
    begin_exam,
    exams_set,
    question,
    set_exam,
    sitting,
    sittings,
)
from pitboss.names import several
from pitboss.paper.model import Passage
from pitboss.reports.certificate import certificate_paper, certificate_record
from pitboss.reports.felt import draw_felt
from pitboss.reports.school import HARDEST, class_paper, progress_listing, progress_paper, progress_record, weakest
from pitboss.school.exams import ATTEMPTS, PASS_PERCENT, Exam, ExamResult
from pitboss.school.exercise import JOINED, Exercise, Graded, Item, grade
from pitboss.school.kinds import DRILLS, kinds_of
from pitboss.school.progress import Attempt, due, mastery
from pitboss.table.permissions import may
from pitboss.web.links import law_address
from pitboss.web.papers import addresses, as_file
from pitboss.web.render import joined
from pitboss.web.views import board
from pitboss.web.views.base import Visit, page, route, sentence
from pitboss.web.views.drill import BETWEEN, QUESTIONS, OpenDrill, missed, typed_answers
from pitboss.web.views.paper_page import document, no_paper, paper_page
from pitboss.web.visitor import house

MOST_LISTED: Final = 6
"""Paragraphs that a drill lists as coming back."""
PAPER: Final = "/school/certificate?number={}"


# A question


@dataclass(frozen=True)
class ItemField:
    """An item of a question as a form asks it."""

    name: str
    item: Item
    values: tuple[str, ...]
    """What was typed: one text, or one for each option of an order or of boxes to tick."""


def _fields(exercise: Exercise, form: Mapping[str, str]) -> list[ItemField]:
    found = []
    for place, item in enumerate(exercise.items):
        name = f"i{place}"
        several_names = [f"{name}.{number}" for number in range(1, len(item.options) + 1)]
        names = several_names if item.form in ("order", "some") else [name]
        found.append(ItemField(name, item, tuple(form.get(each, "") for each in names)))
    return found


def _read(exercise: Exercise, form: Mapping[str, str]) -> dict[str, str]:
    """The answers of a form. Raise ``UnreadableError`` if one can't be read: then nothing is graded."""
    answers = typed_answers(exercise, form)
    for item in exercise.items:
        try:
            item.read(answers.get(item.key, ""))
        except UnreadableError as problem:
            raise UnreadableError(f"{item.ask} {problem}") from None
    return answers


def _table(exercise: Exercise) -> dict[str, Any]:
    """What lies on the table as its dealer sees it: no hand is named, and no card face down is shown."""
    laid = exercise.laid
    if laid.rules is None:
        places = [
            board.CardPlace("cards", row.who, board.faces(map(show_card, row.cards), "red"), 0)
            for row in laid.rows
            if row.cards
        ]
        return {"board": {"places": places, "pots": (), "large": (), "meters": ()} if places else None, "drawn": ""}
    if board.is_drawn(laid.rules):
        return {"board": None, "drawn": joined([str(draw_felt(laid.view, laid.rules))]), "rows": laid.rows}
    return {"board": board.unnamed(laid.view, laid.rules), "drawn": ""}


def _asking(exercise: Exercise, form: Mapping[str, str], left: int | None) -> dict[str, Any]:
    """What both a drill and an exam need to show a question."""
    return {
        "exercise": exercise,
        "game_title": GAMES[exercise.game].chapter.title,
        "kind_title": DRILLS[exercise.kind].title,
        "fields": _fields(exercise, form),
        "left": left,
        "sheet_file": "cards.svg",
        "joined": JOINED,
        **_table(exercise),
    }


@dataclass(frozen=True)
class GradeShown:
    """A graded question in short: its title, and each item that was answered wrong."""

    title: str
    right: bool
    late: str
    items: tuple[tuple[str, str, str, str, tuple[str, ...], bool], ...]
    """What was asked, the answer given, the right one, why, the paragraphs, and whether it was right."""


def _verdict(graded: Graded, *, wrong: bool = False) -> GradeShown:
    """The whole grade, or what is ``wrong`` alone."""
    good = graded.right == len(graded.items)
    title = "Right" if good else f"{graded.right} of {len(graded.items)} right" if graded.right else "Wrong"
    late = f"Too late: a dealer has {graded.exercise.seconds} seconds." if graded.late else ""
    items = tuple(
        (
            each.item.ask,
            _said(each.item, each.given) or "nothing that could be read",
            _said(each.item, each.item.right),
            each.item.why,
            each.item.cites,
            each.is_right and not graded.late,
        )
        for each in graded.items
        if not (wrong and each.is_right)
    )
    return GradeShown(title, good, late, items)


def _said(item: Item, text: str) -> str:
    return text.replace(JOINED, " → " if item.form == "order" else ", ")


# Drills


def school(visit: Visit) -> Response:
    if visit.given("game") not in GAMES:
        return _overview(visit)
    try:
        return _drill(visit)
    except UnreadableError as problem:  # a kind that gave no question
        return _overview(replace(visit, findings=(*visit.findings, sentence(str(problem)))))


def _now() -> int:
    return house().pit.clock()


def _drill(visit: Visit) -> Response:
    drill = OpenDrill.at_address(visit, _now() // MICROSECONDS)
    attempts = attempts_of(house().pit.store, visit.who.id) if visit.who.person else None
    if not drill.is_over and not drill.is_asked:
        asked = drill.asking(attempts, _now() // MICROSECONDS)
        return RedirectResponse(asked.address, 303)
    title = GAMES[drill.game].chapter.title
    past = drill.past if drill.answers is None else drill.going_on().past
    known: dict[str, Any] = {
        "drill": drill,
        "marks": past,
        "most": QUESTIONS,
        "right": sum(each.right for each in past),
        "average": sum(each.seconds for each in past) // max(1, len(past)),
        "pins": [_verdict(drill.pinned(each), wrong=True) for each in drill.pins] if drill.at else [],
        "back": _coming_back(drill, attempts),
        "kinds": [("", "All, what is difficult first"), *((name, DRILLS[name].title) for name in kinds_of(drill.game))],
        "games": [(name, game.chapter.title) for name, game in GAMES.items()],
        "again": f"/school?game={drill.game}&kind={drill.kind}",
    }
    if drill.is_over:
        return page(visit, "drill.html", f"Drill of {title} finished", over=True, **known)
    exercise, graded = drill.exercise, None if drill.answers is None else drill.graded
    left = max(0, drill.at + exercise.seconds - _now() // MICROSECONDS) if exercise.seconds and not graded else None
    return page(
        visit,
        "drill.html",
        DRILLS[exercise.kind].title,
        over=False,
        number=len(drill.past) + 1,
        verdict=None if graded is None else _verdict(graded),
        following=(drill.skipping() if graded is None else drill.going_on()).address,
        **known,
        **_asking(exercise, visit.form, left),
    )


def _coming_back(drill: OpenDrill, attempts: Sequence[Attempt] | None) -> list[tuple[str, str]]:
    """Kinds of questions and paragraphs that were answered wrong last; of an account, or of this drill."""
    if attempts is not None:
        wrong = [each for each in mastery(attempts).values() if each.game == drill.game and not each.streak]
        return [(DRILLS[each.kind].title, each.cite) for each in weakest(wrong)[:MOST_LISTED] if each.kind in DRILLS]
    pinned = [(DRILLS[each.kind].title, drill.pinned(each)) for each in drill.pins] if drill.at else []
    return [*dict.fromkeys((title, cite) for title, graded in pinned for cite in sorted(missed(graded)))][:MOST_LISTED]


def press(visit: Visit) -> str | Response:
    """Answer a question of a drill, or begin an exam."""
    if visit.typed("begin"):
        return _begin(visit)
    drill = OpenDrill.at_address(visit, _now() // MICROSECONDS) if visit.given("game") in GAMES else None
    if drill is None or not drill.is_asked:
        raise UnreadableError("This question is more than a day old. Nothing was graded; here is another.")
    exercise, seconds = drill.exercise, max(0, _now() // MICROSECONDS - drill.at)
    late = bool(exercise.seconds) and seconds > exercise.seconds
    answers = typed_answers(exercise, visit.form) if late else _read(exercise, visit.form)
    if visit.who.person is not None:
        answered(house().pit.store, visit.who.person, grade(exercise, answers, late=late), seconds, _now())
    given = BETWEEN.join(answers.get(item.key, "") for item in exercise.items)
    return RedirectResponse(replace(drill, answers=given, seconds=seconds).address, 303)


# The page of the school


@dataclass(frozen=True)
class GameRow:
    """A game as the trainee stands in it."""

    name: str
    title: str
    about: str
    percent: int | None


def _overview(visit: Visit) -> Response:
    store, now = house().pit.store, _now()
    attempts = attempts_of(store, visit.who.id) if visit.who.person else ()
    mine = sittings(store, visit.who.id) if visit.who.person else ()
    known = mastery(attempts)
    listing = (Passage("", (progress_listing(attempts, HARDEST),)),) if known else ()
    return page(
        visit,
        "school.html",
        "Dealer school",
        titles=[(name, game.chapter.title) for name, game in GAMES.items()],
        games=[_game_row(name, [each for each in attempts if each.game == name]) for name in GAMES],
        kinds=[("", "All, what is difficult first"), *((name, drill.title) for name, drill in DRILLS.items())],
        sets=[(each, exam_words(each.exam), _standing(each, mine, now)) for each in exams_set(store)],
        sat=[(each, each.is_over(now), result_words(each.result)) for each in mine],
        next=next_drill(attempts),
        counts=(len(attempts), len(known), sum(each.streak > 0 for each in known.values()), len(due(attempts))),
        progress=document(listing) if listing else "",
        files=addresses("/school/progress.{}", {}),
    )


def _game_row(name: str, own: Sequence[Attempt]) -> GameRow:
    title = GAMES[name].chapter.title
    if not own:
        return GameRow(name, title, f"{len(kinds_of(name))} kinds of questions", None)
    percent = 100 * sum(each.right for each in own) // max(1, sum(each.items for each in own))
    return GameRow(name, title, f"{several(len(mastery(own)), 'paragraph')}, {percent}% right", percent)


def next_drill(attempts: Sequence[Attempt]) -> tuple[str, str, str, str, int] | None:
    """What comes back first: game, titles, paragraph, and how many come after it. ``None`` if nothing is due."""
    waiting = [each for each in due(attempts) if each.game in GAMES and each.kind in DRILLS]
    if not waiting:
        return None
    first = waiting[0]
    return first.game, GAMES[first.game].chapter.title, DRILLS[first.kind].title, first.cite, len(waiting) - 1


def _standing(exam: SetExam, mine: Sequence[Sitting], now: int) -> str:
    """Whether the exam can be begun; one that isn't over is gone on with."""
    own = [each for each in mine if each.is_of(exam)]
    if any(not each.is_over(now) for each in own):
        return "in progress"
    return "no attempt left" if len(own) >= exam.exam.attempts else ""


def exam_words(exam: Exam) -> str:
    counted = f"{several(exam.questions, 'question')} in {several(exam.minutes, 'minute')}"
    return f"{exam.title}, {counted}, {several(exam.attempts, 'attempt')}"


def result_words(result: ExamResult) -> str:
    return f"{result.score}%, {'passed' if result.is_passed else f'not passed, {PASS_PERCENT}% needed'}"


def desk(person: Person) -> dict[str, Any] | None:
    """What a trainee's desk says of the school; ``None`` if the ledger can't be read."""
    pit = house().pit
    try:
        attempts, sets, mine = attempts_of(pit.store, person.id), exams_set(pit.store), sittings(pit.store, person.id)
    except LedgerError:
        return None
    now = pit.clock()
    last = next((each.game for each in reversed(attempts) if each.game in GAMES), "")
    return {
        "running": [each for each in mine if not each.is_over(now)],
        "sets": [(each, exam_words(each.exam)) for each in sets if not any(sat.is_of(each) for sat in mine)],
        "next": next_drill(attempts),
        "last": (last, GAMES[last].chapter.title) if last else None,
    }


# Exams


def _begin(visit: Visit) -> Response:
    if visit.who.person is None:
        return RedirectResponse("/login?then=/school", 303)
    pit, wanted = house().pit, visit.typed("begin")
    chosen = next((each for each in exams_set(pit.store) if str(each.number) == wanted), None)
    if chosen is None:
        raise UnreadableError("There is no such exam. Choose one of the list.")
    number = begin_exam(pit.store, visit.who.person, chosen, pit.clock(), pit.randomness)
    return RedirectResponse(f"/school/exam?number={number}", 303)


def _sitting(visit: Visit) -> Sitting:
    """The sitting that the address names. Raise ``UnreadableError`` if there is none."""
    number = visit.given("number")
    if not (number.isascii() and number.isdigit() and len(number) <= 15):
        raise UnreadableError(f"{number[:20]!r} is not the number of an exam.")
    return sitting(house().pit.store, int(number))


def exam(visit: Visit) -> Response:
    """An exam under way. The clock runs on the server, and a page that was closed goes on where it was."""
    if not visit.given("number"):
        return RedirectResponse("/school", 303)
    try:
        found = _own(visit)
        place, now = found.following, _now()
        over = not place or found.is_over(now)
        exercise = None if over else question(house().pit.store, found, place)
    except UnreadableError as problem:
        return no_paper(visit, "Exam", str(problem), 404)
    known: dict[str, Any] = {"sitting": found, "place": place, "of": found.result.exam.questions, "over": over}
    if exercise is None:
        return page(visit, "exam.html", found.title, words=result_words(found.result), **known)
    left = max(0, (found.ends - now) // MICROSECONDS)
    form = visit.form if visit.typed("question") == str(place) else {}
    return page(visit, "exam.html", found.title, shown_at=now // MICROSECONDS, **known, **_asking(exercise, form, left))


def _own(visit: Visit) -> Sitting:
    found = _sitting(visit)
    if found.person != visit.who.id:
        raise UnreadableError(f"Exam {found.number} is another person's. Open your own on the school's page.")
    return found


def answer_exam(visit: Visit) -> str | Response:
    """Record the answer to the question of an exam that the page has shown. The first answer counts."""
    found, now = _own(visit), _now()
    typed, began = visit.typed("question"), visit.typed("shown")
    place = next((number for number in range(1, found.result.exam.questions + 1) if str(number) == typed), 0)
    here = RedirectResponse(visit.here, 303)
    if found.result.is_complete or place in found.result.attempts:
        return here
    exercise = question(house().pit.store, found, place or found.following)
    graded = grade(exercise, _read(exercise, visit.form))
    seconds = now // MICROSECONDS - int(began) if began.isascii() and began.isdigit() and len(began) <= 10 else 0
    seconds = min(max(seconds, 0), 60 * found.result.exam.minutes)
    try:
        answered(house().pit.store, visit.person, graded, seconds, now, found.number, place)
    except UnreadableError:
        if place in _sitting(visit).result.attempts:  # pressed twice: the other press was recorded
            return here
        raise
    return here


def certificate(visit: Visit) -> Response:
    """The document of an exam, for the trainee and for instructors."""
    if not visit.given("number"):
        return RedirectResponse("/school", 303)
    kind = visit.given("kind")
    try:
        found = _sitting(visit)
    except UnreadableError as problem:
        return PlainTextResponse(str(problem), 404) if kind else no_paper(visit, "Exam", str(problem), 404)
    if found.person != visit.who.id and not may(visit.person.role, "school.read-class"):
        text = "Only the trainee and instructors see the paper of an exam."
        return PlainTextResponse(text, 403) if kind else no_paper(visit, "Exam", text, 403)
    people = {account.person.id: account.person.name for account in house().people.everyone()}
    known = (found.result, people.get(found.person, found.person), local(found.at).date())
    build = partial(certificate_paper, *known)
    if kind:
        return as_file(kind, "certificate", certificate_record(*known), build)
    return paper_page(visit, build(None), addresses(f"{PAPER.format(found.number)}&kind={{}}", {}))


# The class


def _reference(text: str) -> str | None:
    """The page of an exam's paper, or of a paragraph."""
    kind, _, number = text.partition(" ")
    return PAPER.format(number) if kind == "exam" else law_address(text)


def show_class(visit: Visit) -> Response:
    book = class_book(house().pit.store, _now())
    return page(
        visit,
        "class.html",
        "The class",
        games=[("", "All games"), *((name, game.chapter.title) for name, game in GAMES.items())],
        attempts=ATTEMPTS,
        document=document(class_paper(book).passages, _reference),
        files=addresses("/school/class.{}", {}),
    )


def set_for_class(visit: Visit) -> str:
    numbers = [visit.typed(name) for name in ("questions", "minutes", "attempts")]
    if not all(each.isascii() and each.isdigit() and len(each) < 6 for each in numbers):
        raise UnreadableError("Questions, minutes and attempts are whole numbers.")
    game, (questions, minutes, attempts) = visit.typed("game"), map(int, numbers)
    chosen = Exam(game if game in GAMES else "", day_of(_now()), None, questions, minutes, attempts)
    set_exam(house().pit.store, visit.person, visit.typed("title"), chosen, _now())
    return "The exam is set. Trainees find it on the school's page."


def class_file(visit: Visit) -> Response:
    book = class_book(house().pit.store, _now())
    return as_file(visit.request.path_params["kind"], "class", book, partial(class_paper, book))


def progress_file(visit: Visit) -> Response:
    attempts = attempts_of(house().pit.store, visit.who.id)
    build = partial(progress_paper, visit.who.id, attempts)
    return as_file(visit.request.path_params["kind"], "progress", progress_record(visit.who.id, attempts), build)


ROUTES: Final[tuple[Route, ...]] = (
    route("/school", school, press),
    route("/school/exam", exam, answer_exam),
    route("/school/certificate", certificate),
    route("/school/progress.{kind}", progress_file),
    route("/school/class", show_class, set_for_class),
    route("/school/class.{kind}", class_file),
)
