"""The dealer school on a terminal."""

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from pitboss.cli.screen import table_of
from pitboss.cli.screen.rounds import cards_text
from pitboss.games.registry import GAMES
from pitboss.names import several
from pitboss.school.exams import PASS_PERCENT, ExamResult
from pitboss.school.exercise import JOINED, Exercise, Graded, Item
from pitboss.school.kinds import DRILLS


def show_kinds(out: Console) -> None:
    """Every kind of drill, and for how many games it is there."""
    table = table_of(("kind", "what it asks"), ("games",))
    for name, drill in DRILLS.items():
        table.add_row(name, drill.title, str(sum(drill.fits(game) for game in GAMES.values())))
    out.print(table)


def show_exercise(out: Console, exercise: Exercise, number: int, of: int) -> None:
    title = GAMES[exercise.game].chapter.title
    timed = f", {exercise.seconds} seconds" if exercise.seconds else ""
    out.rule(f"{number} of {of}: {title}, {DRILLS[exercise.kind].title}{timed}", align="left")
    out.print(f"[bold]{escape(exercise.ask)}[/bold]")
    if exercise.laid.rows:
        table = table_of(wrapped=("", "cards", ""))
        for row in exercise.laid.rows:
            table.add_row(row.who, cards_text(row.cards), escape(row.words))
        out.print(table)
    for sentence in (*exercise.told, *(each.sentence for each in exercise.posted)):
        out.print(escape(sentence))


def show_item(out: Console, item: Item) -> None:
    out.print(Text(f"\n{item.ask}"))
    for number, option in enumerate(item.options, 1):
        out.print(Text(f"  {number}  {option}"))


def show_answers(out: Console, exercise: Exercise) -> None:
    """The right answers, for an instructor."""
    for item in exercise.items:
        show_item(out, item)
        show_right(out, item)


def show_right(out: Console, item: Item) -> None:
    right = item.right.replace(JOINED, ", then " if item.form == "order" else ", ")
    out.print(Text(f"  Right: {right} [{', '.join(item.cites)}]", style="green"))
    if item.why:
        out.print(Text(f"  {item.why}", style="dim"))


def show_grade(out: Console, graded: Graded) -> None:
    """What was right, and what would have been."""
    out.print()
    if graded.late:
        out.print(Text(f"Too late: a dealer has {graded.exercise.seconds} seconds.", style="red"))
    for each in graded.items:
        good = each.is_right and not graded.late
        out.print(Text(f"{'Right' if good else 'Wrong'}: {each.item.ask}", style="green" if good else "red"))
        if not each.is_right or each.item.why:
            show_right(out, each.item)


def show_result(out: Console, result: ExamResult) -> None:
    passed = "passed" if result.is_passed else f"not passed, {PASS_PERCENT}% needed"
    asked, examined = several(result.exam.questions, "question"), several(len(result.paragraphs()), "paragraph")
    out.print(
        f"{result.right} of {result.items} right, {len(result.attempts)} of {asked} answered: "
        f"{result.score}%, {passed}. {examined} examined."
    )
