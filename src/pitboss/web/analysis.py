"""What the Analyst asks of the exact engines: functions of a question that a worker can answer.

A question names the rules as the command line does, changed rows in its form (``TABLE.flush=7 to 1``), so that
every figure here is the one that the command line prints. Engines are imported inside the functions: the server itself
never loads them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cache, partial
from io import StringIO
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from pitboss.findings import UnreadableError
from pitboss.games.course import Decide, Draw, TurnUp
from pitboss.games.facts import Derived, Label
from pitboss.games.registry import GAMES
from pitboss.games.repaying import changed_text, changed_words, if_changed
from pitboss.law.model import in_force
from pitboss.names import shown
from pitboss.paper.model import Datum, Passage, Remark
from pitboss.reports.export import exported
from pitboss.reports.offer import offered_tables, row_title
from pitboss.reports.sources import not_printed
from pitboss.spreadsheet import SpreadsheetWriter
from pitboss.typed import typed_percent
from pitboss.web.workroom import tell

if TYPE_CHECKING:
    from pitboss.exact.edge import Variant
    from pitboss.exact.figures import EdgeFigures
    from pitboss.exact.target import TargetSearch
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
    def kind(self) -> tuple[str, bool, bool]:
        """What takes about as long to count."""
        return self.game, self.wager == MAIN, bool(self.changes)

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
    titles: Mapping[str, str]
    """Each row as the law prints it in this table."""
    rests: str = ""
    """On what, where it is not printed."""


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
class EdgeAnswer:
    """The figures of one question as plain values, so that the server need not load the engines to read them."""

    row: Mapping[str, Any]
    """As ``pitboss edge --json`` prints it."""
    data: tuple[Datum, ...] = ()
    """The figures to show."""
    remarks: tuple[Remark, ...] = ()
    """What the figures hold under, and what else there is to say of them."""
    distribution: Mapping[Fraction, Fraction] = field(default_factory=dict)
    exact: Mapping[str, str] = field(default_factory=dict)
    """Fractions, under the names of the row."""


@cache
def offer(game: str, as_of: date) -> Offer:
    from pitboss.exact.edge import variants

    played = GAMES[game]
    if not in_force(played.chapter.deals, as_of):
        raise UnreadableError(f"{played.chapter.title} is not in the law of {as_of}. Choose a later day.")
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
    return tuple(_sheet(rules, name) for name in tables_of(rules, variant))


def _sheet(rules: "Rules", name: str) -> EditableTable:
    table = rules.tables[name]
    title = next((each.title for each in offered_tables(rules) if each.name == name), shown(name))
    if len(title) > LONGEST:  # a table of all wagers of a game
        title = shown(name)
    rows = {row: str(odds) for row, odds in table.rows.items()}
    return EditableTable(
        name, title, str(table.cite), rows, {row: row_title(row, table) for row in rows}, not_printed(table)
    )


def more_rows(question: Question) -> dict[Cell, str]:
    """Rows that the question's pay tables don't have and that would be paid, with their titles."""
    from pitboss.exact.whatif import tables_of

    variant, rules = settled(question.lawful)
    found: dict[Cell, str] = {}
    names = tables_of(rules, variant)
    for at, name in enumerate(names):
        tell("looking for rows", at / len(names))
        found |= {(name, row): row_title(row, rules.tables[name]) for row in _more(variant, rules, name)}
    return found


def _more(variant: "Variant", rules: "Rules", name: str) -> Iterator[str]:
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
    for label in dict.fromkeys(str(label) for fact in hands for label in lines.domains[fact]):
        if label in TITLES and label not in table.rows and label != NOTHING:
            added = with_rows(rules, name, {label: odd})
            pays = any(lines.tabulate(line, added) != now[line] for line in paid)
            if pays and differs(game, rules, added, variant):
                yield label


@dataclass(frozen=True)
class Grid:
    """An edited pay table as read: changes against the law, and a sentence for each row that cannot be read."""

    changes: tuple[str, ...] = ()
    problems: Mapping[Cell, str] = field(default_factory=dict)
    typed: Mapping[Cell, str] = field(default_factory=dict)
    """What stands in each cell that was changed."""


def read_grid(question: Question) -> Grid:
    """The question's changes as typed, read row by row; an empty cell takes the row out.

    Nothing is lost: a row that cannot be read gets its sentence, the others are read all the same.
    """
    from pitboss.exact.whatif import parse_change

    variant, rules = settled(question.lawful)
    changes: dict[Cell, str] = {}
    problems: dict[Cell, str] = {}
    cells: dict[Cell, str] = {}
    for change in question.changes[:MOST_CHANGES]:
        path, _, text = change.partition("=")
        table, _, row = path.strip().rpartition(".")
        table, typed = table or variant.table, " ".join(text.split())
        if table not in rules.tables or not row.isidentifier():
            continue  # an address of another wager, or of nothing
        cells[table, row] = "" if typed == "none" else typed[: 2 * LONGEST]
        try:
            if len(typed) > LONGEST:
                raise UnreadableError("That is too long for odds: write them like '35 to 1'.")
            name, _, odds = parse_change(f"{table}.{row}={typed or 'none'}", rules, variant.table)
        except UnreadableError as problem:
            problems[table, row] = _sentence(str(problem))
            continue
        if odds == rules.tables[name].rows.get(row):
            del cells[table, row]
        else:
            changes[table, row] = f"{table}.{row}={'none' if odds is None else odds}"
    return Grid(tuple(changes.values()), problems, cells)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def counted(question: Question) -> "EdgeFigures":
    """The figures with their rules and conditions; for a worker, since they are the engine's own."""
    from pitboss.exact.figures import figures_of

    variant, rules = settled(question)
    stake = None if variant.wager == MAIN else question.stake
    return figures_of(GAMES[question.game], rules, variant, stake, tell)


def figures(question: Question) -> EdgeAnswer:
    """The figures that ``pitboss edge`` prints for the question, with the distribution and exact fractions."""
    from pitboss.reports.figures import condition_remarks, figure_data, more_remarks

    found = counted(question)
    result, names = found.result, OF_SIDES if found.main is None else tuple(EXACT_TITLES)
    assert result is not None, "a question knows no cards, so all results are counted"
    exact = {name: str(getattr(result, name)) for name in names}
    remarks = (*condition_remarks(found), *more_remarks(found))
    return EdgeAnswer(found.as_dict(), figure_data(found), remarks, result.chances, exact)


@dataclass(frozen=True)
class RowBesideLaw:
    """A changed row beside what the law's pay tables pay for it."""

    title: str
    pays: str
    printed: tuple[tuple[str, str], ...]
    """What it pays in each pay table, by letter; one entry where all pay the same."""
    somewhere: bool
    """Whether one of them pays so."""


@dataclass(frozen=True)
class Printed:
    """Whether a changed pay table is one that the law prints."""

    cite: str
    letter: str = ""
    """The letter of the printed table that it equals."""
    rows: tuple[RowBesideLaw, ...] = ()
    """The changed rows, where it equals none."""


def printed(question: Question) -> Printed:
    """Look for a changed pay table among those that the law prints for the wager."""
    from pitboss.exact.edge import rules_of_variant, variants
    from pitboss.exact.whatif import parse_change, tables_of
    from pitboss.games.repaying import with_rows

    variant, rules = settled(question.lawful)
    changed, cells = rules, []
    for change in question.changes:
        name, row, odds = parse_change(change, rules, variant.table)
        changed = with_rows(changed, name, {row: odds})
        cells.append((name, row, odds))
    game, names = GAMES[question.game], tables_of(rules, variant)
    others = {
        each.letter: rules_of_variant(game, question.as_of, each)
        for each in variants(game, question.as_of, question.wager)
        if each.reading == variant.reading and each.table == variant.table
    }
    for letter, law in others.items():
        if all(name in law.tables and law.tables[name].rows == changed.tables[name].rows for name in names):
            return Printed(str(law.tables[variant.table].cite), letter)
    rows = []
    for name, row, odds in cells:
        pays = {letter: law.tables[name].rows.get(row) for letter, law in others.items() if name in law.tables}
        words = tuple((letter, "nothing" if each is None else str(each)) for letter, each in pays.items())
        one = words[:1] if len({text for _, text in words}) == 1 else words
        title = row_title(row, rules.tables[name])
        rows.append(RowBesideLaw(title, "nothing" if odds is None else str(odds), one, odds in pays.values()))
    return Printed(str(rules.tables[variant.table].cite), rows=tuple(rows))


@dataclass(frozen=True)
class FiguresAnswer:
    """The figures of a question beside those of the law's table, and whether the law prints its table."""

    answer: EdgeAnswer
    law: EdgeAnswer | None = None
    printed: Printed | None = None


def beside(question: Question) -> FiguresAnswer:
    """Everything that follows at once from a changed row."""
    if not question.changes:
        return FiguresAnswer(figures(question))
    tell("your pay table", 0.0)
    answer = figures(question)
    tell("the law's pay table", 0.9)
    return FiguresAnswer(answer, figures(question.lawful), printed(question))


@dataclass(frozen=True)
class RowEffect:
    """What a row does to the hold, in shares of the unit."""

    title: str
    own: Fraction | None
    """Its change alone; ``None`` where it is not changed."""
    more: Fraction | None
    """One unit more than it pays now; ``None`` for sums of money and shares of a meter."""


def row_effects(question: Question) -> dict[Cell, RowEffect]:
    """What the change of each row does alone, and what one unit more would do."""
    from pitboss.exact.figures import figures_of
    from pitboss.exact.whatif import parse_change, tables_of
    from pitboss.games.repaying import with_rows
    from pitboss.law.odds import ForOne, ToOne

    variant, rules = settled(question)
    _, law = settled(question.lawful)
    stake = None if variant.wager == MAIN else question.stake

    def hold(under: "Rules") -> Fraction:
        return figures_of(GAMES[question.game], under, variant, stake).hold

    now, before = hold(rules), hold(law)
    changes = {(name, row): odds for name, row, odds in
               (parse_change(change, law, variant.table) for change in question.changes)}  # fmt: skip
    names = tables_of(rules, variant)
    cells = [(name, row) for name in names for row in dict.fromkeys([*law.tables[name].rows, *rules.tables[name].rows])]
    titles = [row_title(row, law.tables[name]) for name, row in cells]
    found: dict[Cell, RowEffect] = {}
    for at, ((name, row), title) in enumerate(zip(cells, titles, strict=True)):
        odds = rules.tables[name].rows.get(row)
        if titles.count(title) > 1:
            title = f"{title}, {shown(name)}"
        tell(title.lower(), at / len(cells))
        own = None
        if (name, row) in changes:
            alone = with_rows(law, name, {row: changes[name, row]})
            own = (now if len(changes) == 1 else hold(alone)) - before
        more = None
        if isinstance(odds, ToOne | ForOne):
            more = hold(with_rows(rules, name, {row: type(odds)(odds.rate + 1)})) - now
        found[name, row] = RowEffect(title, own, more)
    return found


def figures_document(question: Question, kind: str) -> bytes:
    """The figures with every outcome as a file."""
    from pitboss.reports.figures import figures_file

    return figures_file([counted(question)], kind)


def target_search(question: Question, low: Fraction, high: Fraction) -> "TargetSearch":
    """Changes of a single row of the law's tables that bring the hold into a range."""
    from pitboss.exact.progressive import NoMeterError
    from pitboss.exact.target import search

    variant, rules = settled(question.lawful)
    try:
        return search(GAMES[question.game], rules, variant, low, high, question.stake, tell)
    except NoMeterError as problem:
        raise UnreadableError(str(problem)) from None


def targets(question: Question, low: Fraction, high: Fraction) -> tuple[Passage, ...]:
    """What ``pitboss target`` prints, as a document."""
    from pitboss.reports.targets import target_blocks

    return (Passage("", target_blocks(target_search(question, low, high))),)


def target_file(question: Question, low: str, high: str, kind: str) -> bytes:
    """What ``pitboss target`` prints, as a file; the range is typed in percent."""
    from pitboss.reports.targets import target_paper

    found = target_search(question, typed_percent(low), typed_percent(high))
    return exported(kind, found, partial(target_paper, found))


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

    variant, _ = settled(question.lawful)
    every = variants(GAMES[question.game], question.as_of, question.wager)
    others = [each for each in every if each.reading == variant.reading]
    found = []
    for at, other in enumerate(others):
        tell(f"pay table {other.letter}", at / (len(others) + 1))
        found.append(_compared(replace(question, letter=other.letter, reading=other.reading, changes=())))
    if question.changes:
        tell("your pay table", len(others) / (len(others) + 1))
        found.append(_compared(question))
    return tuple(found)


def _compared(question: Question) -> Compared:
    variant, rules = settled(question)
    pays = {row: str(odds) for row, odds in rules.tables[variant.table].rows.items()}
    return Compared(variant.letter, pays, figures(question).row, bool(question.changes))


def changed_note(row: Mapping[str, Any]) -> str:
    """The changed rows behind a row of figures, in words; empty for the law's table."""
    return changed_text(changed_words(**each) for each in row["changed"])


OF_THE_LAW: Final = ("paytable", "reading", "cite")
"""What a row has of the law's table, even where the table is changed."""


def figures_csv(answer: EdgeAnswer) -> str:
    """The figures, then the distribution, as a spreadsheet reads them."""
    out = StringIO()
    writer = SpreadsheetWriter(out)
    writer.row(["figure", "value", "exactly"])
    changes = answer.row["changed"]
    for name, value in answer.row.items():
        if isinstance(value, str | int | float):
            shown = if_changed(str(value), changes) if name in OF_THE_LAW else value
            writer.row([name, shown, answer.exact.get(name, "")])
    for change in changes:
        writer.row(["changed row", changed_words(**change), ""])
    for left_out in answer.row["leaves_out"]:
        writer.row(["leaves out", left_out, ""])
    if answer.distribution:
        writer.row([])
        writer.row(["net", "probability", "exactly"])
        for net, chance in sorted(answer.distribution.items()):
            writer.row([net, f"{float(chance):.15g}", chance])
    return out.getvalue()


def compare_csv(found: Iterable[Compared]) -> str:
    """Letters as columns, rows of the pay table and figures below each other."""
    columns = list(found)
    out = StringIO()
    writer = SpreadsheetWriter(out)
    writer.row(["", *(f"{each.letter} changed" if each.changed else each.letter for each in columns)])
    for row in dict.fromkeys(row for each in columns for row in each.pays):
        writer.row([row, *(each.pays.get(row, "") for each in columns)])
    changed = [changed_note(each.row) for each in columns]
    if any(changed):
        writer.row(["changed", *changed])
    for name in (
        "restriction", "expected_value", "house_edge", "element_of_risk", "standard_deviation", "hit_frequency",
    ):  # fmt: skip
        if any(each.row.get(name) is not None for each in columns):
            writer.row([name, *(each.row.get(name, "") for each in columns)])
    return out.getvalue()
