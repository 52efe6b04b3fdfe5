"""What the Analyst asks of the exact engines: functions of a question that a worker can answer, and nothing on show.

A question names the rules as the command line does, changed rows in its form (``TABLE.flush=7 to 1``), so that
every figure here is the one that the command line prints. Engines are imported inside the functions: the server itself
never loads them.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cache
from io import StringIO
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from pitboss.findings import UnreadableError
from pitboss.games.course import Decide, Draw, TurnUp
from pitboss.games.facts import Derived, Label
from pitboss.games.registry import GAMES
from pitboss.law.model import in_force
from pitboss.names import shown
from pitboss.reports.offer import offered_tables, row_title
from pitboss.reports.sources import not_printed
from pitboss.web.pages.workroom import tell

if TYPE_CHECKING:
    from pitboss.exact.edge import Variant
    from pitboss.games.contract import Game
    from pitboss.games.rules import Rules

MAIN: Final = "main"
LONGEST: Final = 60
MOST_CHANGES: Final = 80
EXACT_TITLES: Final = {
    "expected_value": "expected value",
    "house_edge": "house edge",
    "house_edge_required": "house edge, of required wagers",
    "element_of_risk": "element of risk",
    "average_total_wager": "average total wager, in units",
    "variance": "variance",
    "hit_frequency": "hit frequency",
}
OF_SIDES: Final = ("expected_value", "house_edge", "variance", "hit_frequency")
Cell = tuple[str, str]
"""A pay table and a row of it."""


@dataclass(frozen=True)
class Question:
    """A wager under the law of a day, one letter and one reading, with rows that pay something else."""

    game: str
    as_of: date
    wager: str = MAIN
    letter: str | None = None
    reading: str | None = None
    changes: tuple[str, ...] = ()
    stake: int = 500

    @property
    def unit(self) -> str:
        """What its figures are a share of."""
        return GAMES[self.game].chapter.unit_title if self.wager == MAIN else "wager"

    @property
    def lawful(self) -> "Question":
        return replace(self, changes=())

    @property
    def main(self) -> "Question":
        """The main game that goes with the question: for a side wager the one at its defaults."""
        return self if self.wager == MAIN else Question(self.game, self.as_of)


@dataclass(frozen=True)
class EditableTable:
    """A pay table as it is shown for editing."""

    name: str
    title: str
    cite: str
    rows: Mapping[str, str]
    rests: str = ""
    """On what, where it is not printed."""
    more: tuple[str, ...] = ()
    """Hands that have no row and would be paid if they had one."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Each row as the law prints it in this table."""


@dataclass(frozen=True)
class Offer:
    """Everything to choose from for one game."""

    title: str
    chapter: str
    wagers: Mapping[str, str]
    variants: Mapping[str, tuple[tuple[str, str], ...]]
    """Letters with readings, by wager."""
    meters: frozenset[str]
    own: int
    """Cards that a player holds when first asked."""
    seen: tuple[int, ...]
    """Cards that lie face up at each decision about those cards; none where nothing is decided."""
    faced: str
    """Whose cards those are, in words."""


@dataclass(frozen=True)
class EdgeFigures:
    """The figures of one question: the row of ``pitboss edge``, and what a plot and a reader of fractions need."""

    row: Mapping[str, Any]
    distribution: Mapping[Fraction, Fraction] = field(default_factory=dict)
    exact: Mapping[str, str] = field(default_factory=dict)
    """Fractions, under the names of the row."""


@cache
def offer(game: str, as_of: date) -> Offer:
    from pitboss.exact.edge import variants

    played = GAMES[game]
    wagers: dict[str, str] = {}
    found: dict[str, list[tuple[str, str]]] = {}
    for variant in variants(played, as_of):
        wagers.setdefault(variant.wager, wager_title(game, variant.wager))
        found.setdefault(variant.wager, []).append((variant.letter, variant.reading))
    chapter = played.chapter
    meters = frozenset(wager.name for wager in chapter.wagers if wager.meter and wager.name in found)
    listed = {wager: tuple(each) for wager, each in found.items()}
    return Offer(chapter.title, chapter.chapter, wagers, listed, meters, *_sights(played, as_of))


def _sights(game: "Game", as_of: date) -> tuple[int, tuple[int, ...], str]:
    """A player's cards, and how many cards of which place lie face up at each decision before any draw."""
    steps = in_force(game.chapter.deals, as_of)[0].steps
    own = sum(step.cards * step.times for step in steps if step.to.startswith("players"))
    dealt = [step for step in steps if step.face_up and step.to == "dealer"]
    up, faced, seen = sum(step.cards * step.times for step in dealt), "Dealer's up card", []
    for step in takewhile(lambda step: not isinstance(step, Draw), game.course.flat):
        if isinstance(step, TurnUp) and step.cards:
            up, faced = up + step.cards, f"{shown(step.place)} cards turned up"
        elif isinstance(step, Decide) and not step.even:
            seen.append(up)
    return own, tuple(seen), faced


def wager_title(game: str, wager: str) -> str:
    chapter = GAMES[game].chapter
    if wager == MAIN:
        main = GAMES[game].course.main
        names = [w.title.removesuffix(" Wager") for w in chapter.wagers if w.role == "later" or w.name in main]
        return f"Main game ({', '.join(names)})"
    named = next((w.title for w in chapter.wagers if w.name == wager), wager.replace("_", " ").capitalize())
    return named.replace(" Wager", "")


def settled(question: Question) -> tuple["Variant", "Rules"]:
    """The variant that is meant and its rules, changed rows included; refuses in a sentence what there is not."""
    from pitboss.exact.edge import find_variant, rules_of_variant
    from pitboss.exact.whatif import what_if

    if question.game not in GAMES:
        raise UnreadableError(f"There is no game called {question.game[:40]!r}; the games are {', '.join(GAMES)}.")
    game = GAMES[question.game]
    variant = find_variant(game, question.as_of, question.wager, question.letter, question.reading)
    if variant is None:
        raise UnreadableError(f"{game.chapter.title} has no such wager, pay table and reading.")
    if len(question.changes) > MOST_CHANGES or any(len(change) > 2 * LONGEST for change in question.changes):
        raise UnreadableError("These are more changes, or longer ones, than any pay table has.")
    rules = rules_of_variant(game, question.as_of, variant)
    return variant, what_if(game, rules, variant, question.changes, question.stake)


def sheets(question: Question) -> tuple[EditableTable, ...]:
    """The pay tables behind the figures, as the law has them; for the main game all that its wagers use."""
    from pitboss.exact.whatif import tables_of

    variant, rules = settled(question.lawful)
    return tuple(_sheet(variant, rules, name) for name in tables_of(rules, variant))


def _sheet(variant: "Variant", rules: "Rules", name: str) -> EditableTable:
    from pitboss.exact.whatif import differs
    from pitboss.games.repaying import with_rows
    from pitboss.hands.labels import NOTHING, TITLES
    from pitboss.law.odds import ToOne

    table, game, lines = rules.tables[name], GAMES[rules.game], GAMES[rules.game].lines
    odd = ToOne(Fraction(9973))
    now = {line: lines.tabulate(line, rules) for line in lines.rules}
    other = with_rows(rules, name, dict.fromkeys(table.rows, odd))
    paid = [line for line in now if lines.tabulate(line, other) != now[line]]
    facts = dict.fromkeys(fact for line in paid for fact in lines.rules[line].reads)
    hands = (fact for fact in facts if isinstance(lines.facts.by_name[fact], Label | Derived))
    labels = dict.fromkeys(str(label) for fact in hands for label in lines.domains[fact])
    more: list[str] = []
    for label in labels:
        if label in TITLES and label not in table.rows and label != NOTHING:
            added = with_rows(rules, name, {label: odd})
            pays = any(lines.tabulate(line, added) != now[line] for line in paid)
            more += [label] if pays and differs(game, rules, added, variant) else []
    title = next((each.title for each in offered_tables(rules) if each.name == name), shown(name))
    rows = {row: str(odds) for row, odds in table.rows.items()}
    titles = {row: row_title(row, table) for row in (*rows, *more)}
    return EditableTable(name, title, str(table.cite), rows, not_printed(table), tuple(more), titles)


@dataclass(frozen=True)
class Grid:
    """An edited grid as read: changes against the law, and a sentence for each cell that cannot be read."""

    changes: tuple[str, ...] = ()
    problems: Mapping[Cell, str] = field(default_factory=dict)
    general: str = ""

    @property
    def readable(self) -> bool:
        return not self.problems and not self.general


def read_grid(question: Question, cells: tuple[tuple[Cell, str], ...]) -> Grid:
    """What was typed into the cells of the question's pay tables; an empty cell takes the row out.

    Nothing is lost: a cell that cannot be read gets its sentence, the others are read all the same.
    """
    from pitboss.exact.whatif import parse_change

    variant, rules = settled(question.lawful)
    changes: list[str] = []
    problems: dict[Cell, str] = {}
    for (table, row), text in cells:
        typed = " ".join(text.split())
        change = f"{table}.{row}={typed or 'none'}"
        try:
            if len(typed) > LONGEST:
                raise UnreadableError("That is too long for odds: write them like '35 to 1'.")
            name, _, odds = parse_change(change, rules, variant.table)
        except UnreadableError as problem:
            problems[table, row] = _sentence(str(problem))
            continue
        if odds != rules.tables[name].rows.get(row):
            changes.append(f"{table}.{row}={'none' if odds is None else odds}")
    general = ""
    if not problems:
        try:
            settled(replace(question, changes=tuple(changes)))
        except UnreadableError as problem:
            general = _sentence(str(problem))
    return Grid(tuple(changes), problems, general)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def figures(question: Question) -> EdgeFigures:
    """The row that ``pitboss edge`` prints for the question, with the distribution and exact fractions."""
    from pitboss.exact.edge import main_result, row
    from pitboss.exact.side import side_result

    variant, rules = settled(question)
    game = GAMES[question.game]
    found = row(game, rules, variant, question.stake, tell)
    if question.changes:
        found |= {"changed": list(question.changes), "published": None}
    if variant.wager != MAIN:
        side = side_result(game, rules, variant.wager, question.stake)
        return EdgeFigures(found, side.distribution, {name: str(getattr(side, name)) for name in OF_SIDES})
    result = main_result(game, rules, variant.reading, tell)
    held = {"house_edge": -result.expected_value}
    exact = {name: str(held[name] if name in held else getattr(result, name)) for name in EXACT_TITLES}
    return EdgeFigures(found, result.chances, exact)


@dataclass(frozen=True)
class OneRow:
    """A row, what it pays, and the odds between which the hold comes to the target."""

    row: str
    was: str
    least: str
    most: str
    holds: tuple[float, float]


def target_rows(question: Question, low: Fraction, high: Fraction) -> tuple[OneRow, ...]:
    """Changes of a single row of the law's table that bring the hold into a range, as ``pitboss target`` finds them."""
    from pitboss.exact.progressive import NoMeterError
    from pitboss.exact.target import targets

    variant, rules = settled(question.lawful)
    game = GAMES[question.game]
    try:
        found = list(targets(game, rules, variant, low, high, question.stake))
    except NoMeterError as problem:
        raise UnreadableError(str(problem)) from None
    table = rules.tables[variant.table]
    return tuple(
        OneRow(
            row_title(each.row, table), str(each.was), str(each.least), str(each.most),
            (float(each.hold_at_least), float(each.hold_at_most)),
        )
        for each in found
    )  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """One letter beside the others: its pays by row, and its figures."""

    letter: str
    pays: Mapping[str, str]
    row: Mapping[str, Any]
    changed: bool = False


def compare(question: Question) -> tuple[Compared, ...]:
    """Every letter of the wager under the question's reading, and the changed table as the last one."""
    from pitboss.exact.edge import variants

    variant, _ = settled(question)
    found = []
    for other in variants(GAMES[question.game], question.as_of, question.wager):
        if other.reading == variant.reading:
            asked = replace(question, letter=other.letter, reading=other.reading, changes=())
            tell(f"pay table {other.letter}", 0.0)
            found.append(_compared(asked))
    if question.changes:
        found.append(_compared(question))
    return tuple(found)


def _compared(question: Question) -> Compared:
    variant, rules = settled(question)
    pays = {row: str(odds) for row, odds in rules.tables[variant.table].rows.items()}
    return Compared(variant.letter, pays, figures(question).row, bool(question.changes))


def figures_csv(question: Question, answer: EdgeFigures) -> str:
    """The figures, then the distribution, as a spreadsheet reads them."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(["figure", "value", "exactly"])
    for name, value in answer.row.items():
        if isinstance(value, str | int | float):
            writer.writerow([name, value, answer.exact.get(name, "")])
    for change in question.changes:
        writer.writerow(["changed row", change, ""])
    if answer.distribution:
        writer.writerow([])
        writer.writerow(["net", "probability", "exactly"])
        for net, chance in sorted(answer.distribution.items()):
            writer.writerow([net, f"{float(chance):.15g}", chance])
    return out.getvalue()


def compare_csv(found: Iterable[Compared]) -> str:
    """Letters as columns, rows of the pay table and figures below each other."""
    columns = list(found)
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(["", *(f"{each.letter} changed" if each.changed else each.letter for each in columns)])
    for row in dict.fromkeys(row for each in columns for row in each.pays):
        writer.writerow([row, *(each.pays.get(row, "") for each in columns)])
    for name in (
        "restriction", "expected_value", "house_edge", "element_of_risk", "standard_deviation", "hit_frequency",
    ):  # fmt: skip
        if any(each.row.get(name) is not None for each in columns):
            writer.writerow([name, *(each.row.get(name, "") for each in columns)])
    return out.getvalue()
