"""What must hold of every question of the school: right answers are right, planted ones are not, and the settlement
of the round behind a question says the same as the question does."""
# ruff: noqa: ARG001 - a check looks only at what it needs

from collections.abc import Iterator

from pitboss.games.facts import Compare
from pitboss.games.registry import GAMES
from pitboss.games.settle import settle
from pitboss.games.settlement import Line, LineResult, Settlement
from pitboss.law.cite import Cite
from pitboss.money import cents, show_dollars
from pitboss.school.exercise import JOINED, NONE, Exercise, Item, grade
from pitboss.school.reading import BETTER, LOSES
from pitboss.school.rounds import SchoolRound, line_name, row_words
from pitboss.school.settling import BACK, FLOORPERSON, GIVEN_UP
from pitboss.school.sheet import YES


def faults(exercise: Exercise) -> Iterator[str]:
    """Every reason why a question may not be asked, as a sentence."""
    where = f"{exercise.kind} {exercise.game} {exercise.seed}"
    yield from (f"{where}: {fault}" for fault in (*_grades(exercise), *_shape(exercise), *_settled(exercise)))


def planted(exercise: Exercise) -> Iterator[tuple[Item, str]]:
    """Every wrong answer that can be planted, and nonsense."""
    for item in exercise.items:
        yield from ((item, wrong) for wrong in (*item.wrong(), "", "?", "999", "all of them"))


def _grades(exercise: Exercise) -> Iterator[str]:
    right = {item.key: item.right for item in exercise.items}
    best = grade(exercise, right)
    if best.right != len(exercise.items) or not all(mark for _, mark in best.marks):
        yield "the right answers are not graded right"
    if grade(exercise, right, late=True).right or grade(exercise, {}).right:
        yield "late or missing answers are graded right"
    for item, wrong in planted(exercise):
        graded = grade(exercise, {**right, item.key: wrong})
        marks = dict(graded.marks)
        if graded.right != len(exercise.items) - 1 or any(marks[cite] for cite in item.cites):
            yield f"{wrong!r} is graded right for {item.ask!r}"


def _shape(exercise: Exercise) -> Iterator[str]:
    if not exercise.items or len({item.key for item in exercise.items}) < len(exercise.items):
        yield "its items are none, or have one name twice"
    for item in exercise.items:
        if not item.cites or any(Cite.parse(cite).chapter != GAMES[exercise.game].number for cite in item.cites):
            yield f"{item.ask!r} cites {item.cites}"
        if len(set(item.options)) < len(item.options) or not list(item.wrong()):
            yield f"{item.ask!r} has an option twice, or nothing to choose"
    words = [exercise.ask, *exercise.told, *(f"{row.who} {row.words}" for row in exercise.laid.rows)]
    words += [text for item in exercise.items for text in (item.ask, item.why, *item.options)]
    if any("_" in text for text in words):
        yield f"an internal name is shown: {next(text for text in words if '_' in text)}"


def _settled(exercise: Exercise) -> Iterator[str]:
    done = exercise.basis
    if not isinstance(done, SchoolRound):
        return
    fresh = settle(done.rules, done.played, done.displayed)
    check = CHECKS.get(exercise.kind)
    if check is not None and not check({item.key: item for item in exercise.items}, exercise, done, fresh):
        yield "the settlement says something else"


def _table(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    amounts = [cents(items[f"line {number}"].right) for number in range(1, len(fresh.lines) + 1)]
    return amounts == [_moved(done, line) for line in fresh.lines] and (
        "order" not in items or _in_order(items["order"].right, done)
    )


def _moved(done: SchoolRound, line: Line) -> int:
    """What a line moves: its net, and what the house or the pot has held of its stake since before the cards."""
    wager = done.rules.wager_named(line.settles) if line.settles else None
    seat = done.played.seat(line.seat)
    assert seat is not None
    if done.game.course.contest:
        hand = done.game.hand(done.rules, done.played)
        assert hand is not None
        return line.net + hand.put[line.seat]
    return line.net + (line.stake if wager is not None and wager.meter else 0)


def _in_order(right: str, done: SchoolRound) -> bool:
    """Each part of the settlement runs from the side of the dealer that the course names. Dice and wheels name none."""
    if done.played.dice:
        return right == JOINED.join(("Losing wagers", "Winning wagers"))
    first = {step.stage.capitalize(): group[0].first for group in done.game.course.settle_groups for step in group}
    seats: dict[str, list[int]] = {}
    for turn in right.split(JOINED):
        stage, _, seat = turn.partition(": seat ")
        seats.setdefault(stage, []).append(int(seat))
    named = {" ".join(stage.split()).lower(): side for stage, side in first.items()}
    return all(
        found == sorted(found, reverse=named[" ".join(stage.split()).lower()] == "right")
        for stage, found in seats.items()
        if len(found) == len(set(found))
    )


def _mistake(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    wrong = [
        line
        for line, told in zip(fresh.lines, exercise.told, strict=False)
        if told.startswith(line_name(done.rules, line)) and not told.endswith(f": {_paid(_moved(done, line))}")
    ]
    return (
        len(wrong) == 1
        and items["amount"].right == show_dollars(_moved(done, wrong[0]))
        and items["which"].right.startswith(line_name(done.rules, wrong[0]))
    )


def _paid(amount: int) -> str:
    return f"{show_dollars(abs(amount))} {'paid' if amount > 0 else 'taken'}" if amount else "nothing paid or taken"


def _stands(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    seat = done.played.clockwise()[0]
    gone = {each.settles for each in fresh.lines if each.seat == seat.number and each.result == LineResult.FORFEIT}
    kept = {each.settles for each in fresh.lines if each.seat == seat.number} - gone
    judged = {GIVEN_UP: gone, BACK: set(seat.wagers) - gone - kept}
    return all(key in judged.get(item.right, kept) for key, item in items.items())


def _row(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    right = items["row"].right
    if right == LOSES:
        return any(line.net < 0 for line in fresh.lines)
    found = [
        str(odds)
        for table in done.rules.tables.values()
        for row, odds in table.rows.items()
        if row_words(done.rules, row, table) == right
    ]
    return any(line.odds in found and line.cite in items["row"].cites for line in fresh.lines)


def _compare(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    outcome = done.game.outcome(done.rules, done.played, done.played.seats[0])
    facts = done.game.lines.facts.by_name
    name = next(name for name, fact in facts.items() if isinstance(fact, Compare))
    return items["better"].right == BETTER[getattr(outcome, name)] and bool(fresh.lines)


def _envy(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    envies = {table.line for tables in done.rules.envies.values() for table in tables}
    paid = [line for line in fresh.lines if line.holder is not None and line.wager in envies]
    asked = [line for line in paid if line.cite in items["who"].cites]
    seats = {f"Seat {line.seat}" for line in asked}
    right = set() if items["who"].right == NONE else set(items["who"].right.split(JOINED))
    return right == seats and cents(items["sum"].right) == sum(line.net for line in asked)


def _meter(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    after = {f"{tier} after": amount for meter in fresh.meters.values() for tier, amount in meter.displayed().items()}
    shown = {key: cents(item.right) for key, item in items.items()}
    tiers = [meter.displayed() for meter in fresh.meters.values()]
    paid = {(f"seat {line.seat}", line.net + line.stake) for line in fresh.lines if line.from_meter}
    same = any({f"{tier} after": amount for tier, amount in each.items()}.items() <= shown.items() for each in tiers)
    return bool(after) and same and all((key, shown[key]) in paid for key in shown if key.startswith("seat"))


def _floor(items: dict[str, Item], exercise: Exercise, done: SchoolRound, fresh: Settlement) -> bool:
    needs = {f"floor {line.wager}": any(act.actor == FLOORPERSON for act in line.acts) for line in fresh.lines}
    return all(needs[key] == (item.right == YES) for key, item in items.items() if key in needs)


CHECKS = {
    "settle": _table, "mistake": _mistake, "stands": _stands, "read": _row, "compare": _compare, "envy": _envy,
    "meter": _meter, "floor": _floor,
}  # fmt: skip
