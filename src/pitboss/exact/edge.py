"""Every wager, pay table and reading of a game, the rules of each, and the count of its main wagers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from pitboss.exact.conditions import Conditions, conditions_of
from pitboss.exact.duel import Progress
from pitboss.exact.engine import play_of
from pitboss.exact.facets import NotCountedError, line_counts
from pitboss.exact.plan import Staged
from pitboss.exact.side import (
    bonus_on,
    kind_of,
    line_of,
    side_lines,
    table_of,
)
from pitboss.exact.value import Result, Valued
from pitboss.games.chance import counted
from pitboss.games.contract import Game
from pitboss.games.facts import Followed
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.structure import PRINTED
from pitboss.law.facts import with_facts
from pitboss.law.model import SINGLE, PayTable, in_force
from pitboss.money import Cents
from pitboss.names import shown
from pitboss.public import public
from pitboss.records import Fixed

if TYPE_CHECKING:
    from pitboss.exact.draw_rows import DrawList
    from pitboss.exact.draw_table import DrawTable
    from pitboss.exact.exposed import KnownCards
    from pitboss.exact.figures import EdgeFigures

MAIN = "main"
DEFAULT_STAKE: Cents = 500
"""The stake at which fixed sums are turned into odds where none is given."""
Facts = Mapping[str, str]
"""What is not printed and is set otherwise, as a Rules Submission may."""
NO_FACTS: Facts = Fixed({})


@dataclass(frozen=True)
class Variant:
    """One pay table of one wager, under one reading."""

    wager: str
    table: str
    letter: str
    reading: str
    cite: str


@public
def variants(game: Game, as_of: date, wager: str | None = None, facts: Facts = NO_FACTS) -> Iterator[Variant]:
    """Every wager of a game with every letter and every reading that changes a number."""
    tables = in_force(with_facts(game.chapter, as_of, facts)[0].paytables, as_of)
    if wager in (None, MAIN) and game.main_posts:
        table = main_table(game)
        for printed in _letters(tables, table):
            for reading in game.readings:
                yield Variant(MAIN, table, printed.letter, reading, str(printed.cite))
    for kind in dict.fromkeys(kind_of(game, line) for line in side_lines(game)):
        on = bonus_on(game, kind)
        if wager in (None, kind) and (on is None or on in game.course.main):
            # Of a wager whose odds are not known there is no table.
            paid_by = [each for each in _letters(tables, table_of(game, kind)) if kind not in each.open_rows]
            for printed, reading in product(paid_by, devices_of(game, kind, as_of)):
                first = Variant(kind, printed.wager, printed.letter, reading, str(printed.cite))
                yield first
                yield from _other_readings(game, first, printed, tables, as_of, facts)


def devices_of(game: Game, kind: str, as_of: date) -> tuple[str, ...]:
    """Where chances differ by device, those that a wager can be made with, as readings; elsewhere, and for what is
    followed over several throws with one device, the text as it is printed."""
    wager = next((wager for wager in game.chapter.wagers if wager.name == kind), None)
    steps = {deal.device: step for deal in in_force(game.chapter.deals, as_of) for step in deal.steps if step.dice}
    if wager is None or follows(game, kind) or len(set(map(counted, steps.values()))) < 2:
        return (PRINTED,)
    return tuple(device for device in steps if wager.names(1, device))


def follows(game: Game, kind: str) -> bool:
    """Whether what comes of a wager depends on several throws, in which the rules have a say."""
    reads = game.lines.rules[line_of(game, kind)].reads
    return any(isinstance(game.lines.facts.by_name[name], Followed) for name in reads)


def main_table(game: Game) -> str:
    """The pay table whose letters distinguish versions of the main game: the one that it names, or the unit's."""
    return game.paytable or table_of(game, game.course.unit)


def _letters(tables: Iterable[PayTable], table: str) -> list[PayTable]:
    return [each for each in tables if each.wager == table and not each.reading]


def _other_readings(
    game: Game, first: Variant, printed: PayTable, tables: Iterable[PayTable], as_of: date, facts: Facts
) -> Iterator[Variant]:
    """Readings that have a table of their own, and those noted for the table's paragraph, if they change a pay."""
    same = [t.reading for t in tables if (t.wager, t.letter) == (printed.wager, printed.letter)]
    notes = in_force(game.chapter.notes, as_of)
    noted = [name for note in notes if printed.cite in (note.cite, *note.also) for name in note.readings]
    for reading in dict.fromkeys(name for name in (*same, *noted) if name not in ("", PRINTED)):
        other = replace(first, reading=reading)
        one, two = (_paid(game, rules_of_variant(game, as_of, each, facts), first.wager) for each in (first, other))
        if one != two:
            yield other


def _paid(game: Game, rules: Rules, kind: str) -> list[object]:
    """What each outcome pays and, where the rules have a say in what comes of a throw, how often it occurs."""
    line = line_of(game, kind)
    pays = game.lines.tabulate(line, rules).values()
    found: list[object] = [None if pay is None else (pay.result, pay.odds) for pay in pays]
    if follows(game, kind):
        counted_ways = line_counts(game, line, rules=rules)
        found += sorted((code, Fraction(ways, counted_ways.deals)) for code, ways in counted_ways.counts.items())
    return found


def rules_of_variant(game: Game, as_of: date, variant: Variant, facts: Facts = NO_FACTS) -> Rules:
    """The rules under which a row is computed: one letter, one reading, everything else at its default."""
    part = variant.wager == MAIN and variant.reading in game.scopes
    on_device = variant.reading in game.chapter.devices(as_of)
    readings = {} if part or on_device or variant.reading == PRINTED else {variant.table: variant.reading}
    readings |= game.scope(variant.reading).readings if part else {}
    choices = Choices(letters={variant.table: variant.letter}, readings=readings, facts=facts)
    choices = replace(choices, device=variant.reading) if on_device else choices
    rules, findings = resolve(game.chapter, as_of, choices)
    assert rules is not None, findings
    assert not findings, findings
    return rules


def edge_figures(
    game: Game,
    as_of: date,
    wager: str | None = None,
    paytable: str | None = None,
    stake: Cents | None = None,
    progress: Progress | None = None,
    reading: str | None = None,
    facts: Facts = NO_FACTS,
    known: "KnownCards | None" = None,
    refused: list[str] | None = None,
) -> "Iterator[EdgeFigures]":
    """The figures of a game's wagers, one after the other as they are counted.

    With a list for them, pay tables that are not counted are left out, and why; unless none is counted.
    """
    from pitboss.exact.figures import figures_of

    found_any, problem = False, None
    for variant in variants(game, as_of, wager, facts):
        if paytable in (None, variant.letter) and reading in (None, variant.reading):
            rules = rules_of_variant(game, as_of, variant, facts)
            try:
                yield figures_of(game, rules, variant, stake, progress, known)
                found_any = True
            except NotCountedError as error:
                if refused is None:
                    raise
                named = f"{shown(variant.table)} {variant.letter}" if variant.letter != SINGLE else shown(variant.table)
                refused.append(f"{named} is left out: {error}")
                problem = error
    if problem is not None and not found_any:
        raise problem


@public
def edge_rows(
    game: Game,
    as_of: date,
    wager: str | None = None,
    paytable: str | None = None,
    stake: Cents | None = None,
    progress: Progress | None = None,
    reading: str | None = None,
    facts: Facts = NO_FACTS,
    known: "KnownCards | None" = None,
) -> Iterator[dict[str, Any]]:
    """The same as plain values, as ``pitboss edge --json`` prints them."""
    for each in edge_figures(game, as_of, wager, paytable, stake, progress, reading, facts, known):
        yield each.as_dict()


def conditions_of_variant(rules: Rules, variant: Variant, restriction: str = "", known: str = "") -> Conditions:
    return conditions_of(
        rules,
        variant.wager,
        letter=variant.letter,
        reading=variant.reading,
        cite=variant.cite,
        restriction=restriction,
        known=known,
    )


def main_result(game: Game, rules: Rules, reading: str, progress: Progress | None = None) -> Result:
    """The main wagers under a reading: the whole game, or a part of it."""
    return counted_result(game, rules, reading, progress)[0]


def counted_result(game: Game, rules: Rules, reading: str, progress: Progress | None = None) -> tuple[Result, str]:
    """The main wagers under a reading, and what the figures leave out of the game."""
    scope = game.scope(reading)
    if not scope.draws:
        return play_of(game, rules, progress).result, scope.restriction
    from pitboss.exact.draw_rows import drawing_result

    result, left_out = drawing_result(rules, reading, progress)
    return result, scope.restriction or left_out


@dataclass(frozen=True)
class Whole:
    """The whole game, for reports that show figures of a part of it."""

    unit: str
    result: Result
    restriction: str
    """What even this leaves out, under pays that are not the law's."""
    lists: tuple["DrawList", ...] = ()
    """Lists to learn, exchanges included, where they are asked for."""
    table: "DrawTable | None" = None
    """The best play by hand and up card, with the lists."""
    parts: Mapping[str, tuple[Fraction, str]] = field(default_factory=dict)
    """Parts of the game that read it alike, with the lists: what best play of each is worth, and what it leaves out."""


def whole_game(game: Game, rules: Rules, progress: Progress | None = None, *, lists: bool = False) -> Whole | None:
    """The whole game, where the engine of single choices counts only a part of it."""
    if game.whole is None:
        return None
    whole = Whole(rules.chapter.unit_title, *counted_result(game, rules, game.whole, progress))
    if not lists:
        return whole
    from pitboss.exact.draw_rows import draw_lists
    from pitboss.exact.draw_table import draw_table

    parts = {
        reading: (main_result(game, rules, reading, progress).expected_value, game.scope(reading).restriction)
        for reading in game.readings
        if game.scope(reading).restriction and (game.reads_alike(rules, reading) or not game.scope(reading).draws)
    }
    learned = draw_lists(rules, game.whole, progress)
    return replace(whole, lists=learned, table=draw_table(rules, progress), parts=parts)


_OPTIMAL: dict[tuple[object, ...], Valued | Staged] = {}


def optimal_play(game: Game, rules: Rules) -> Valued | Staged:
    """The main game played optimally; remembered for the rules that its own pay tables make the same."""
    rows = tuple((name, *rules.tables[name].rows.items()) for name in tables_behind(game, rules))
    key = (game.name, rules.as_of, rules.unit_stake, rules.caps, *rows, *rules.choices.readings.items())
    if key not in _OPTIMAL:
        _OPTIMAL[key] = play_of(game, rules)
    return _OPTIMAL[key]


_TABLES_READ: dict[tuple[object, ...], tuple[str, ...]] = {}


def tables_behind(game: Game, rules: Rules, wager: str = MAIN) -> tuple[str, ...]:
    """The pay tables that a wager, or the main wagers, are paid by."""
    lines = [post.line for post in game.main_posts] if wager == MAIN else [line_of(game, wager)]
    return tables_read(game, rules, lines)


def tables_read(game: Game, rules: Rules, lines: Iterable[str]) -> tuple[str, ...]:
    """The pay tables that lines look at."""
    key = (game.name, *lines, *rules.tables)
    if key not in _TABLES_READ:
        _TABLES_READ[key] = game.lines.tables_behind(lines, rules)
    return _TABLES_READ[key]


def find_variant(
    game: Game, as_of: date, wager: str, paytable: str | None, reading: str | None = None, facts: Facts = NO_FACTS
) -> Variant | None:
    """The variant that a user means; without letter or reading the first one."""
    found: Iterable[Variant] = variants(game, as_of, wager, facts)
    if paytable is not None:
        found = [v for v in found if v.letter == paytable]
    if reading is not None:
        found = [v for v in found if v.reading == reading]
    return next(iter(found), None)
