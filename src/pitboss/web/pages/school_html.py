"""The dealer school as markup: the question, its form, the grade, progress and the class."""

from collections.abc import Iterable, Mapping, Sequence

from pitboss.cards import Card, Hand, is_red, show_card, suit_of
from pitboss.games.registry import GAMES
from pitboss.ledger.people import Person
from pitboss.ledger.schooling import SetExam, Sitting
from pitboss.names import several
from pitboss.school.exams import PASS_PERCENT, Exam, ExamResult
from pitboss.school.exercise import JOINED, NONE, Exercise, Graded, Item
from pitboss.school.kinds import DRILLS, kinds_of
from pitboss.school.progress import Attempt, due, mastery
from pitboss.web.pages.law import law_link
from pitboss.web.pages.shell import escape, table_html

SUITS = "♣♦♥♠"
HARDEST = 12


def cards_html(cards: Hand) -> str:
    return "".join(
        f'<span class="sc-card{" red" if is_red(card) else ""}">{_rank(card)}{SUITS[suit_of(card)]}</span>'
        for card in cards
    )


def _rank(card: Card) -> str:
    text = show_card(card)[0]
    return "10" if text == "T" else text


def exercise_html(exercise: Exercise, number: str, until: int = 0) -> str:
    """What is shown; ``until`` is the moment at which the time is over, in milliseconds."""
    rows = "".join(
        f"<dt>{escape(row.who)}</dt><dd>{cards_html(row.cards)}<span>{escape(row.words)}</span></dd>"
        for row in exercise.laid
    )
    laid = f'<dl class="sc-table">{rows}</dl>' if rows else ""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in exercise.told)
    told = f'<ul class="sc-told">{items}</ul>' if items else ""
    clock = f' · <span class="sc-clock" data-until="{until}" aria-label="Time left"></span>' if until else ""
    title = f"{escape(GAMES[exercise.game].chapter.title)} · {escape(DRILLS[exercise.kind].title)}"
    return (
        f'<section class="pb-card" aria-label="Question"><p class="pb-soft pb-small" style="margin:0">{escape(number)} '
        f"· {title}{clock}</p><h2>{escape(exercise.ask)}</h2>{laid}{told}</section>"
    )


def form_html(exercise: Exercise, button: str = "Answer", more: str = "") -> str:
    """The form of a question: native fields, so that the keyboard works as everywhere."""
    parts = "".join(_fieldset(place, item) for place, item in enumerate(exercise.items))
    return (
        f'<section class="pb-card" aria-label="Your answer"><form class="sc-form" autocomplete="off">{parts}'
        f'<div class="pb-presses"><button class="pb-press" type="submit">{escape(button)}</button>{more}</div>'
        f'<p class="pb-soft pb-small" style="margin:0">Enter answers; 1 to 9 choose.</p></form></section>'
    )


def _fieldset(place: int, item: Item) -> str:
    name, options = f"i{place}", list(enumerate(item.options, 1))
    if item.form == "money":
        body = (
            f'<span class="sc-money"><span aria-hidden="true">$</span><input type="text" name="{name}" id="{name}" '
            f'inputmode="text" required maxlength="20" aria-label="{escape(item.ask)}, dollars" placeholder="0"></span>'
        )
    elif item.form == "order":
        body = "".join(
            f'<label class="sc-option"><select name="{name}.{number}" required aria-label="Place of {escape(option)}">'
            f'<option value="">–</option>{"".join(f"<option>{at}</option>" for at, _ in options)}</select>'
            f"<span>{escape(option)}</span></label>"
            for number, option in options
        )
    else:
        kind = "radio" if item.form == "one" else "checkbox"
        need = " required" if kind == "radio" else ""
        body = "".join(
            f'<label class="sc-option"><input type="{kind}" name="{name}" value="{number}"{need}>'
            f"<span>{escape(option)}</span></label>"
            for number, option in options
        )
    hint = {"some": " (tick all that apply, or none)", "order": " (give each its place)"}.get(item.form, "")
    return f"<fieldset><legend>{escape(item.ask)}{hint}</legend>{body}</fieldset>"


def typed_answers(exercise: Exercise, entries: Iterable[Sequence[str]]) -> dict[str, str]:
    """What a form sent, as answers; what nobody filled in is left out, and nothing ticked is none."""
    sent: dict[str, list[str]] = {}
    for name, value in entries:
        sent.setdefault(str(name), []).append(str(value))
    found = {}
    for place, item in enumerate(exercise.items):
        name = f"i{place}"
        if item.form == "order":
            given = {number: sent.get(f"{name}.{number}", [""])[0] for number in range(1, len(item.options) + 1)}
            ordered = sorted(given, key=lambda number: given[number].zfill(3))
            unique = len(set(given.values())) == len(given)
            found[item.key] = " ".join(map(str, ordered)) if unique and all(given.values()) else ""
        elif item.form == "some":
            found[item.key] = " ".join(sent.get(name, [])) or NONE
        else:
            found[item.key] = sent.get(name, [""])[0]
    return found


def grade_html(graded: Graded, following: str) -> str:
    """Every item with what was right and the paragraph that says so."""
    parts = []
    for each in graded.items:
        good = each.is_right and not graded.late
        right = escape(each.item.right.replace(JOINED, " → " if each.item.form == "order" else ", "))
        given = escape(each.given.replace(JOINED, ", ")) or "nothing that could be read"
        said = "" if each.is_right else f"<div>You said: {given}</div>"
        cites = ", ".join(law_link(cite) for cite in each.item.cites)
        parts.append(
            f'<div class="{"sc-right" if good else "sc-wrong"}"><strong>{"Right" if good else "Wrong"}</strong>: '
            f"{escape(each.item.ask)}{said}<div>Answer: <strong>{right}</strong> {cites}</div>"
            f'<div class="pb-small">{escape(each.item.why)}</div></div>'
        )
    late = f"<p>Too late: a dealer has {graded.exercise.seconds} seconds.</p>" if graded.late else ""
    return (
        '<section class="pb-card" aria-label="Grade" role="status">'
        f"<h2>{graded.right} of {len(graded.items)} right</h2>"
        f'{late}{"".join(parts)}<form class="sc-form"><div class="pb-presses">'
        f'<button class="pb-press" id="following" type="submit">{escape(following)}</button></div></form></section>'
    )


def picker_html(game: str, kind: str) -> str:
    """Which game and which kind; an address, so that it can be kept."""
    games = "".join(
        f'<option value="{name}"{" selected" if name == game else ""}>{escape(known.chapter.title)}</option>'
        for name, known in GAMES.items()
    )
    kinds = "".join(
        f'<option value="{name}"{" selected" if name == kind else ""}>{escape(DRILLS[name].title)}</option>'
        for name in (kinds_of(game) if game else DRILLS)
    )
    return (
        '<form class="sc-pick pb-card" method="get" action="/school" style="flex-direction:row">'
        f'<label>Game<select name="game">{games}</select></label>'
        f'<label>Kind of question<select name="kind"><option value="">All, what is difficult first</option>{kinds}'
        '</select></label><button class="pb-press" type="submit">Drill</button></form>'
    )


def games_html(attempts: Sequence[Attempt]) -> str:
    """Every game with how a trainee stands in it."""
    links = ""
    for name, game in GAMES.items():
        own = [each for each in attempts if each.game == name]
        known = mastery(own)
        right, items = sum(each.right for each in own), sum(each.items for each in own)
        said = (
            f"{several(len(known), 'paragraph')}, {100 * right // max(1, items)} % right"
            if own
            else f"{len(kinds_of(name))} kinds of question"
        )
        links += f'<a href="/school?game={name}"><strong>{escape(game.chapter.title)}</strong>{said}</a>'
    games = f'<div class="sc-games">{links}</div>'
    return f'<section class="pb-card" aria-label="Games"><h2>Learn to deal</h2>{games}</section>'


def progress_html(attempts: Sequence[Attempt]) -> str:
    """Paragraph by paragraph, the weakest first."""
    known = mastery(attempts)
    if not known:
        return ""
    waiting = {each.cite for each in due(attempts)}
    weak = sorted(known.values(), key=lambda each: (each.streak, each.right / each.asked, each.cite))[:HARDEST]
    rows = [
        (law_link(each.cite), f"{each.right} of {each.asked}", "comes back now" if each.cite in waiting else "")
        for each in weak
    ]
    table = table_html(("Paragraph", "Right", "When"), rows, caption="The weakest first")
    mastered = sum(each.streak > 0 for each in known.values())
    return (
        '<section class="pb-card" aria-label="Progress"><h2>Your progress</h2><p style="margin:0">'
        f"{several(len(attempts), 'question')}, {several(len(known), 'paragraph')} examined, {mastered} of them right "
        "the last time, "
        f"{len(waiting)} due now.</p>"
        f'<div class="pb-scroll">{table}</div></section>'
    )


def exams_html(sets: Sequence[SetExam], mine: Sequence[Sitting], now: int) -> str:
    """Exams that were set for the class, and those that somebody has sat."""
    parts = "".join(
        f"<li><span><strong>{escape(each.title)}</strong> {escape(exam_words(each.exam))}</span>"
        f'<button class="pb-press" type="submit" name="begin" value="{each.number}" '
        f'aria-label="Begin {escape(each.title)}">Begin</button></li>'
        for each in sets
    )
    done = "".join(
        f"<li><span><strong>{escape(each.title)}</strong> "
        f"{result_words(each.result) if each.is_over(now) else 'in progress'}</span>{_sitting_link(each, now)}</li>"
        for each in mine
    )
    begun = f'<h3>Your exams</h3><ul class="sc-list">{done}</ul>' if done else ""
    form = f'<form class="sc-form"><ul class="sc-list">{parts}</ul></form>' if parts else "<p>No exam is set.</p>"
    return f'<section class="pb-card" aria-label="Exams"><h2>Exams</h2>{form}{begun}</section>'


def next_html(attempts: Sequence[Attempt], sets: Sequence[SetExam], mine: Sequence[Sitting], now: int) -> str:
    """For a trainee's desk: exams to sit or to finish, and the next drill."""
    sat = {(each.title, each.result.exam) for each in mine}
    rows = [
        f"Your exam {escape(each.title)} is not over: {_sitting_link(each, now)}"
        for each in mine
        if not each.is_over(now)
    ]
    rows += [
        f'<a href="/school">{escape(each.title)}</a> is set: {escape(exam_words(each.exam))}'
        for each in sets
        if (each.title, each.exam) not in sat
    ]
    if waiting := due(attempts):
        first, others = waiting[0], len(waiting) - 1
        drill, game = DRILLS[first.kind].title, GAMES[first.game].chapter.title
        more = f", and {several(others, 'more paragraph')} after it" if others else ""
        link = f'<a href="/school?game={first.game}">{escape(drill)}</a>'
        rows.append(f"Your next drill: {link} ({escape(game)}); {law_link(first.cite)} comes back{more}")
    elif attempts:
        game = attempts[-1].game
        rows.append(f'Go on with <a href="/school?game={game}">{escape(GAMES[game].chapter.title)}</a>; nothing is due')
    else:
        rows.append('<a href="/school">Begin with a drill</a>: settle a table, read a hand, say what comes next')
    listed = f'<ul class="pb-list">{"".join(f"<li>{row}.</li>" for row in rows)}</ul>'
    return f'<section class="pb-card" aria-label="Dealer school"><h2>Dealer school</h2>{listed}</section>'


def exam_words(exam: Exam) -> str:
    return f"{exam.title}, {several(exam.questions, 'question')} in {several(exam.minutes, 'minute')}, seed {exam.seed}"


def _sitting_link(each: Sitting, now: int) -> str:
    if not each.is_over(now):
        return f'<a href="/school/exam?number={each.number}">Go on</a>'
    return (
        f'<a href="/school/certificate?number={each.number}">{"Certificate" if each.result.is_passed else "Result"}</a>'
    )


def result_words(result: ExamResult) -> str:
    passed = "passed" if result.is_passed else f"not passed, {PASS_PERCENT} % needed"
    return f"{result.score} %, {passed}"


def class_html(
    people: Mapping[str, Person],
    answers: Mapping[str, Sequence[Attempt]],
    sets: Sequence[SetExam],
    sittings: Sequence[Sitting],
    now: int,
) -> str:
    """The class: who has answered how much, who has passed, and what is difficult for everybody."""
    rows = []
    for person in sorted({*answers, *(each.person for each in sittings)}):
        attempts = answers.get(person, ())
        right, items = sum(each.right for each in attempts), sum(each.items for each in attempts)
        own = [each for each in sittings if each.person == person]
        exams = ", ".join(
            f"{escape(each.title)}: {result_words(each.result)} {_sitting_link(each, now)}"
            for each in own
            if each.is_over(now)
        )
        name = people[person].name if person in people else person
        rows.append(
            (
                escape(name), str(len(attempts)), f"{100 * right // max(1, items)} %", str(len(mastery(attempts))),
                str(len(due(attempts))), exams or "none",
            )
        )  # fmt: skip
    everything = [attempt for attempts in answers.values() for attempt in attempts]
    hard = sorted(mastery(everything).values(), key=lambda each: (each.right / each.asked, -each.asked, each.cite))
    hardest = [(law_link(each.cite), f"{each.right} of {each.asked}") for each in hard[:HARDEST]]
    heads = ("Trainee", "Questions", "Right", "Paragraphs", "Due", "Exams")
    trainees = table_html(heads, rows, numbers=(1, 2, 3, 4)) if rows else "<p>Nobody has answered anything yet.</p>"
    listed = "".join(f"<li><strong>{escape(each.title)}</strong> {escape(exam_words(each.exam))}</li>" for each in sets)
    exams = f'<ul class="sc-list">{listed}</ul>' if listed else "<p>None yet.</p>"
    return (
        f'<section class="pb-card" aria-label="Exams set"><h2>Exams set</h2>{exams}</section>'
        '<section class="pb-card" aria-label="Class"><h2>Trainees</h2>'
        f'<div class="pb-scroll">{trainees}</div></section>'
        f'<section class="pb-card" aria-label="Difficult"><h2>Difficult for the class</h2><div class="pb-scroll">'
        f"{table_html(('Paragraph', 'Right'), hardest) if hardest else '<p>Nothing yet.</p>'}</div></section>"
    )


def set_exam_html(seed: int) -> str:
    """The form with which an instructor sets an exam."""
    games = '<option value="">All games</option>' + "".join(
        f'<option value="{name}">{escape(game.chapter.title)}</option>' for name, game in GAMES.items()
    )
    return (
        '<section class="pb-card" aria-label="Set an exam"><h2>Set an exam</h2><form class="sc-form">'
        '<div class="sc-pick">'
        '<label>Title<input type="text" name="title" maxlength="80" required></label>'
        f'<label>Game<select name="game">{games}</select></label>'
        '<label>Questions<input type="text" inputmode="numeric" name="questions" value="20" required></label>'
        '<label>Minutes<input type="text" inputmode="numeric" name="minutes" value="30" required></label>'
        f'<label>Seed<input type="text" inputmode="numeric" name="seed" value="{seed}" required></label>'
        '<button class="pb-press" type="submit">Set the exam</button></div>'
        '<p class="pb-soft pb-small" style="margin:0">The same seed gives the same exam to everybody, today and '
        "later.</p></form></section>"
    )
