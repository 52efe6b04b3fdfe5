"""The course of a round as a flow chart: its steps with their paragraphs, and where a choice leads."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pitboss.games.course import FOLD, FORFEITS, HANDS, Betting, Deal, Decide, EachSeat, Option, Settle, Step, Times
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import in_force
from pitboss.names import listed, several, shown
from pitboss.paper.model import Block, CellKind, Column, Drawing, Listing
from pitboss.reports.svg import FONT, Markup, drawing, element, label, rect, wrapped
from pitboss.school.procedures import step_words
from pitboss.school.rounds import procedure_cite
from pitboss.school.sheet import words

STEPS: Final = (
    Column("no", "Step", CellKind.COUNT),
    Column("step", "What", CellKind.SENTENCE),
    Column("leads", "Where a choice leads", CellKind.SENTENCE, rank=3),
    Column("paragraph", "Paragraph", CellKind.CITES),
)
BOARD, MIDDLE, WIDE, SIDE_AT, SIDE = 720.0, 225.0, 400.0, 480.0, 230.0
TYPE, SMALL, LINE, GAP, EDGE = 14.0, 11.5, 18.0, 26.0, 10.0
"""Sizes of type, the height of a line, and the space between boxes and inside them."""
MOST_NAMED: Final = 9
"""Wagers that a box names."""
PAGE: Final = (7.2, 8.4)
"""Inches that a drawing may take on Letter paper."""
INK, SOFT, PLAIN, CHOICE, OUT = "#14211b", "#56635b", "#f4f1e6", "#d9ebe2", "#f3dcdc"


@dataclass(frozen=True)
class FlowStep:
    """One box of the chart."""

    words: str
    cite: str
    choice: bool = False
    goes_on: tuple[str, ...] = ()
    """Choices after which the seat goes on to the next step."""
    leaves: tuple[str, ...] = ()
    """Choices after which the seat has no further decision, each with what follows."""

    def as_dict(self) -> dict[str, Any]:
        return {"step": self.words, "cite": self.cite, "goes_on": [*self.goes_on], "leaves": [*self.leaves]}

    @property
    def leads(self) -> str:
        """Where its choices lead, in words."""
        on = f"With {listed(self.goes_on)} the seat goes on." if self.goes_on else ""
        return " ".join((on, *(f"{_capital(each)}." for each in self.leaves))).strip()


def flow_of(rules: Rules) -> tuple[FlowStep, ...]:
    """The steps of the course; parts of the settlement that follow each other and are of one kind are one step."""
    found: list[FlowStep] = []
    for step in _merged(GAMES[rules.game].course.steps):
        each = _flow_step(rules, step)
        if isinstance(step, tuple) and step[0].stage == FORFEITS and found and found[-1].choice and not each.cite:
            each = replace(each, cite=found[-1].cite)
        if each.words and each not in found[-1:]:
            found.append(each)
    return tuple(found)


def _merged(steps: Iterable[Step]) -> Iterator[Step | tuple[Settle, ...]]:
    """The steps one by one, and what is settled at each seat in turn as one."""
    settles: list[Settle] = []
    for step in steps:
        flat = step.steps if isinstance(step, EachSeat) else (step,)
        for each in flat:
            if isinstance(each, Settle) and (not settles or each.stage == settles[0].stage):
                settles.append(each)
                continue
            if settles:
                yield tuple(settles)
                settles = []
            if isinstance(each, Settle):
                settles.append(each)
            else:
                yield each
    if settles:
        yield tuple(settles)


def _flow_step(rules: Rules, step: Step | tuple[Settle, ...]) -> FlowStep:
    if isinstance(step, tuple):
        return _settlement(rules, step)
    said, cite = step_words(rules, step)
    if isinstance(step, Deal) and step.before:
        said = f"More cards are dealt to those still in, before {words(step.before)}"
    if not isinstance(step, Decide):
        return FlowStep(said, cite)
    at = "" if len(GAMES[rules.game].course.decides) == 1 else f": {words(step.name)}"
    if isinstance(step, Betting):
        stay = listed(words(name) for name in step.names if name != FOLD.name)
        return FlowStep(f"Players bet in turn{at}", cite, True, (stay,), (f"{FOLD.name}: the seat is out",))
    player = f"player with a {_title(rules, step.on)}" if step.on else "player"
    who = "All players choose together" if step.together else f"Each {player} chooses in turn"
    options = step.options(rules, None)
    return FlowStep(
        f"{who}{at}",
        cite,
        True,
        tuple(_option(rules, option) for option in options if not option.ends),
        tuple(_ending(rules, option) for option in options if option.ends),
    )


def _option(rules: Rules, option: Option) -> str:
    """An option with what it stakes, takes back and draws."""
    unit = rules.chapter.unit_title
    parts = [f"{_title(rules, wager)} {_times(times, unit)}" for wager, times in option.puts.items()]
    parts += [f"{_title(rules, wager)} comes back" for wager in option.takes_back]
    if (draws := option.draws) is not None:
        most = str(draws.least) if draws.least == draws.most else f"{draws.least} to {draws.most}"
        parts.append(f"{'exchanges' if draws.discards else 'buys'} {most} cards" if most != "1" else "buys 1 card")
    return words(option.name) + (f" ({', '.join(parts)})" if parts else "")


def _title(rules: Rules, wager: str) -> str:
    return rules.wagers[wager].title if wager in rules.wagers else shown(wager)


def _times(times: Times, unit: str) -> str:
    count = f"{times.least}" if times.least == times.most else f"{times.least} to {times.most}"
    return f"{count} × {unit}"


def _ending(rules: Rules, option: Option) -> str:
    if option.name == FOLD.name:
        return f"{_option(rules, option)}: the seat is out, and what a fold gives up is collected"
    return f"{_option(rules, option)}: the seat has no further decision"


def _settlement(rules: Rules, settles: Sequence[Settle]) -> FlowStep:
    """What is settled, by the wagers on offer; a long list of them by their number."""
    first, posts = settles[0], [post for step in settles for post in step.posts]
    kinds = (rules.wager_named(post.wager) for post in posts if not post.bonus)
    titles = [*dict.fromkeys(wager.title for wager in kinds if wager is not None)]
    what = joined(titles) if len(titles) <= MOST_NAMED else several(len(titles), "kind of wager", "kinds of wager")
    side = f"from the dealer's {first.first}"
    cite = procedure_cite(rules, "settle-in-turn")
    if first.stage == FORFEITS:
        said = f"What folded hands give up is collected, {side}: {what}"
        return FlowStep(said, _forfeit_cite(rules))
    if first.losing is not None:
        return FlowStep("Losing wagers are collected" if first.losing else "Winning wagers are paid", cite)
    stage = "Hands are settled" if first.stage == HANDS else f"{_capital(words(first.stage))}: what is due is settled"
    known = first.stage == HANDS or GAMES[rules.game].course.contest
    return FlowStep(f"{stage}, {side}{f': {what}' if titles else ''}", cite if known else "")


def _forfeit_cite(rules: Rules) -> str:
    """The paragraph by which what a fold gives up is collected; none where players may fold more than once."""
    if sum(FOLD.name in step.names for step in GAMES[rules.game].course.decides) > 1:
        return ""
    known = (each for each in in_force(rules.chapter.procedures, rules.as_of) if each.act.startswith("collect"))
    return next((str(each.cite) for each in known if "forfeit" in each.act or "fold" in each.act), "")


def flow_blocks(rules: Rules) -> list[Block]:
    """The chart, and its steps as a table."""
    steps = flow_of(rules)
    rows = tuple((number, f"{each.words}.", each.leads, _cites(each)) for number, each in enumerate(steps, 1))
    return [flow_drawing(rules, steps), Listing("flow", STEPS, rows, title="The same in words")]


def flow_drawing(rules: Rules, steps: Sequence[FlowStep]) -> Drawing:
    """The chart, small enough for one page; its words say every step in order."""
    title = f"Course of a round of {rules.chapter.title}"
    said = " ".join(f"{number}. {each.words}. {each.leads}".strip() for number, each in enumerate(steps, 1))
    drawn, y = [], EDGE
    for number, each in enumerate(steps, 1):
        box, high = _box(each, number, y)
        drawn.append(box)
        y += high
        if number < len(steps):
            drawn.append(_arrow(MIDDLE, y, MIDDLE, y + GAP))
        y += GAP
    high = y - GAP + EDGE
    back = rect(0, 0, BOARD, high, fill="#ffffff")
    svg = drawing(title, said, (BOARD, high), _head(), back, *drawn, font_family=FONT)
    return Drawing(svg, f"{title}: {said}", min(PAGE[0], PAGE[1] * BOARD / high))


def _box(each: FlowStep, number: int, y: float) -> tuple[Markup, float]:
    """A step with its choices and the box beside it for those who leave; and how high both are."""
    inside = WIDE - 44
    lines: list[tuple[str, float, str | None]] = [
        (line, TYPE, "bold") for line in wrapped(f"{number}. {each.words}", TYPE * 1.05, inside)
    ]
    lines += [(line, TYPE, None) for option in each.goes_on for line in wrapped(f"• {option}", TYPE, inside)]
    if each.cite:
        lines.append((f"§ {each.cite}", SMALL, None))
    beside = [line for leaves in each.leaves for line in wrapped(leaves, SMALL * 1.05, SIDE - 20)]
    high = LINE * len(lines) + 16
    total = max(high, LINE * len(beside) + 16)
    at = y + (total - high) / 2
    left = MIDDLE - WIDE / 2
    shape = rect(left, at, WIDE, high, rx=22 if each.choice else 3, fill=CHOICE if each.choice else PLAIN,
                 stroke=INK, stroke_width=1.2)  # fmt: skip
    parts = [shape, *_written(lines, MIDDLE, at + 8)]
    if at > y:
        parts.append(element("path", d=f"M{MIDDLE:g} {y:g}V{at:g}M{MIDDLE:g} {at + high:g}V{y + total:g}",
                             stroke=INK, stroke_width=1.4))  # fmt: skip
    if beside:
        tall = LINE * len(beside) + 16
        top = y + (total - tall) / 2
        parts.append(rect(SIDE_AT, top, SIDE, tall, rx=3, fill=OUT, stroke=INK, stroke_width=1.2))
        parts += _written([(line, SMALL, None) for line in beside], SIDE_AT + SIDE / 2, top + 8)
        parts.append(_arrow(left + WIDE, y + total / 2, SIDE_AT, y + total / 2))
    return element("g", *parts), total


def _written(lines: Iterable[tuple[str, float, str | None]], x: float, top: float) -> Iterator[Markup]:
    for at, (line, size, weight) in enumerate(lines):
        soft = SOFT if line.startswith("§") else INK
        yield label(line, x, top + LINE * at + 13, size, fill=soft, font_weight=weight)


def _head() -> Markup:
    tip = element("path", d="M0 0L8 4L0 8Z", fill=INK)
    marker = element("marker", tip, id="tip", viewBox="0 0 8 8", refX=8, refY=4, markerWidth=8, markerHeight=8,
                     orient="auto", markerUnits="userSpaceOnUse")  # fmt: skip
    return element("defs", marker)


def _arrow(x: float, y: float, to_x: float, to_y: float) -> Markup:
    return element("path", d=f"M{x:g} {y:g}L{to_x:g} {to_y:g}", stroke=INK, stroke_width=1.4, fill="none",
                   marker_end="url(#tip)")  # fmt: skip


def joined(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    >>> joined(["one", "two", "three"]), joined(["one"])
    ('one, two and three', 'one')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _cites(each: FlowStep) -> tuple[str, ...]:
    return (each.cite,) if each.cite else ()


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
