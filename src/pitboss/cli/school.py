"""The dealer school at the terminal: drills, a shift, exams with their certificate, and how a trainee stands."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import AsOf, Json, PaperFile, day_of, give_out, print_json
from pitboss.cli.pit import Db, ledger
from pitboss.findings import PitbossError

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.school.exercise import Exercise, Graded
    from pitboss.school.progress import Attempt

school_app = typer.Typer(
    help="The dealer school: drills and exams made from the games themselves, graded by paragraph.",
    rich_markup_mode=None,
)
Game = Annotated[str, typer.Argument(metavar="[GAME]", help="A game, as `pitboss games` names it; all if left out.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Ask the same questions again.")]
Count = Annotated[int, typer.Option(min=1, max=1000, help="How many questions.")]
Answers = Annotated[bool, typer.Option("--answers", help="Print questions with their answers, and ask nothing.")]
Trainee = Annotated[
    str | None, typer.Option("--as", metavar="ID", help="Record the answers for this account; asks for its password.")
]
HELP = "Type an answer and Enter; ? repeats how, q stops."
STOP = frozenset({"q", "quit", "stop"})


class StoppedError(PitbossError):
    """The trainee has had enough."""


def register(app: typer.Typer) -> None:
    app.add_typer(school_app, name="school")


@school_app.callback(invoke_without_command=True)
def kinds(context: typer.Context) -> None:
    """Without a command: the kinds of drill."""
    if context.invoked_subcommand is None:
        from pitboss.cli.screen import console
        from pitboss.cli.screen.school import show_kinds

        show_kinds(console())
        typer.echo("pitboss school drill GAME asks; pitboss school exam GAME --seed 1 examines.")


@school_app.command("drill")
def drill(
    game: Game = "",
    kind: Annotated[str, typer.Option("--kind", help="One kind; all that the game has if left out.")] = "",
    seed: Seed = None,
    count: Count = 10,
    answers: Answers = False,
    who: Trainee = None,
    db: Db = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Questions one after the other, each graded with its paragraphs. Difficult paragraphs come back sooner."""
    from pitboss.games.registry import GAMES, game_named
    from pitboss.school.kinds import ask, drill_named, kinds_of
    from pitboss.school.progress import Attempt, following

    if kind:
        drill_named(kind)
    games = [game_named(game).name] if game else [name for name in GAMES if not kind or kind in kinds_of(name)]
    first, day = _seed(seed), day_of(as_of)

    def asked(known: list[Attempt]) -> "Iterator[Exercise]":
        for place in range(count):
            name = games[place % len(games)]
            own = kinds_of(name)
            if who is not None and not kind:
                yield following(known, name, day, first + place)
            else:
                yield ask(kind or own[(first + place // len(games)) % len(own)], name, day, first + place)

    with _recording(who, db) as (known, record):
        _run(asked(known), count, first, answers, json, record)


@school_app.command("shift")
def shift(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, as `pitboss games` names it.")],
    seed: Seed = None,
    count: Count = 20,
    answers: Answers = False,
    who: Trainee = None,
    db: Db = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """A shift at one table: patrons act, hesitate, misplace chips and leave; say what comes next."""
    from pitboss.games.registry import game_named
    from pitboss.school.kinds import ask
    from pitboss.school.live import MOMENTS

    first, name, day = _seed(seed), game_named(game).name, day_of(as_of)
    found = (ask("shift", name, day, first * MOMENTS + place) for place in range(count))
    with _recording(who, db) as (_, record):
        _run(found, count, first, answers, json, record)


@school_app.command("exam")
def exam(
    game: Game = "",
    seed: Seed = None,
    questions: Annotated[int, typer.Option(help="How many questions.")] = 20,
    minutes: Annotated[int, typer.Option(help="The time limit.")] = 30,
    name: Annotated[str, typer.Option(help="The name on the certificate.")] = "",
    answers: Answers = False,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """An exam for practice, with a time limit; the same seed gives the same exam. -o writes its paper.

    Nothing is recorded. Exams that count are set on /school/class and sat on /school.
    """
    from pitboss.cli.screen import console
    from pitboss.cli.screen.school import show_result
    from pitboss.school.exams import Exam, result_of
    from pitboss.school.progress import Attempt, attempt_of

    wanted = Exam(game, day_of(as_of), _seed(seed), questions, minutes)
    wanted.check()
    ends = time.monotonic() + 60 * minutes
    attempts: list[Attempt] = []

    def note(graded: "Graded", seconds: int) -> None:
        attempts.append(attempt_of(graded, seconds, number=len(attempts) + 1))

    exercises = (wanted.exercise(number) for number in range(1, questions + 1))
    _run(exercises, questions, wanted.seed or 0, answers, json, note, ends)
    if not answers and not json:
        result = result_of(wanted, attempts)
        show_result(console(), result)
        if output is not None:
            from pitboss.clock import local
            from pitboss.reports.certificate import certificate_paper, certificate_record

            paper = (result, name or "Name of the trainee", local(time.time_ns() // 1000).date())
            give_out(output, json, certificate_record(*paper), partial(certificate_paper, *paper))


@school_app.command("progress")
def progress(
    person: Annotated[str, typer.Argument(metavar="ID", help="The account of a trainee.")],
    db: Db = None,
    output: PaperFile = None,
    json: Json = False,
) -> None:
    """Every paragraph that a trainee was asked about, how often right, and what comes back now."""
    with ledger(db) as store:
        from pitboss.ledger.schooling import attempts_of
        from pitboss.reports.school import progress_paper, progress_record

        attempts = attempts_of(store, person)
    give_out(output, json, progress_record(person, attempts), partial(progress_paper, person, attempts))


@school_app.command("class")
def show_class(db: Db = None, output: PaperFile = None, json: Json = False) -> None:
    """The class: exams set and taken, how every trainee stands, and what is difficult for all."""
    with ledger(db) as store:
        from pitboss.ledger.classbook import class_book
        from pitboss.ledger.watch import microseconds
        from pitboss.reports.school import class_paper

        book = class_book(store, microseconds())
    give_out(output, json, book, partial(class_paper, book))


def _seed(given: int | None) -> int:
    from secrets import randbelow

    return randbelow(2**31) if given is None else given


Note = Callable[["Graded", int], None]


@contextmanager
def _recording(who: str | None, db: str | None) -> "Iterator[tuple[list[Attempt], Note]]":
    """What is known of a trainee, and where answers go: to the ledger if somebody is named, nowhere otherwise."""
    if who is None:
        yield [], lambda _graded, _seconds: None
        return
    with ledger(db) as store:
        from pitboss.ledger.people import People
        from pitboss.ledger.schooling import answered, attempts_of
        from pitboss.ledger.watch import microseconds

        person = People(store).confirmed(who, typer.prompt(f"Password of {who}", hide_input=True))
        known = [*attempts_of(store, person.id)]
        yield known, lambda graded, seconds: known.append(answered(store, person, graded, seconds, microseconds()))


def _run(
    exercises: "Iterable[Exercise]",
    count: int,
    seed: int,
    answers: bool,
    json: bool,
    note: Note,
    ends: float | None = None,
) -> None:
    """Ask them all, or print them with their answers."""
    from pitboss.cli.screen import console
    from pitboss.cli.screen.school import show_answers, show_exercise

    if json:
        print_json({"seed": seed, "questions": [_as_dict(each) for each in exercises]})
        return
    out, right, items = console(), 0, 0
    if not answers:
        typer.echo(f"Seed {seed}. {HELP}")
    try:
        for number, exercise in enumerate(exercises, 1):
            show_exercise(out, exercise, number, count)
            if answers:
                show_answers(out, exercise)
                continue
            graded, seconds = _ask(out, exercise, ends)
            note(graded, seconds)
            right, items = right + graded.right, items + len(graded.items)
    except StoppedError as stopped:
        typer.echo(f"\n{stopped}")
    if not answers:
        typer.echo(f"{right} of {items} right.")


def _ask(out: "Console", exercise: "Exercise", ends: float | None) -> "tuple[Graded, int]":
    from pitboss.cli.screen.school import show_grade, show_item
    from pitboss.findings import UnreadableError
    from pitboss.school.exercise import grade

    given, began = {}, time.monotonic()
    for item in exercise.items:
        show_item(out, item)
        while item.key not in given:
            if ends is not None and time.monotonic() > ends:
                raise StoppedError("The time is over.")
            try:
                typed = input("> ").strip()
            except EOFError:
                raise StoppedError("Nothing more was typed.") from None
            if typed.lower() in STOP:
                raise StoppedError("Stopped.")
            if typed == "?":
                typer.echo(f"An answer is {item.hint}.")
                continue
            try:
                given[item.key] = item.read(typed)
            except UnreadableError as problem:
                typer.echo(str(problem))
    seconds = int(time.monotonic() - began)
    graded = grade(exercise, given, late=bool(exercise.seconds) and seconds > exercise.seconds)
    show_grade(out, graded)
    return graded, seconds


def _as_dict(exercise: "Exercise") -> dict[str, object]:
    """A question as JSON, with its answers."""
    from pitboss.cards import show_cards

    return {
        "kind": exercise.kind,
        "game": exercise.game,
        "as_of": str(exercise.as_of),
        "seed": exercise.seed,
        "ask": exercise.ask,
        "table": [{"who": row.who, "cards": show_cards(row.cards), "words": row.words} for row in exercise.laid.rows],
        "told": [*exercise.told, *(each.sentence for each in exercise.posted)],
        "items": [
            {
                "ask": item.ask, "form": item.form, "options": list(item.options), "right": item.right,
                "cites": list(item.cites), "why": item.why,
            }
            for item in exercise.items
        ],
    }  # fmt: skip
