"""The exact figures of what a table offers, wager by wager, for reports and forms. Needs the extra ``exact``."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN, Variant, main_table
from pitboss.exact.figures import EdgeFigures, figures_of
from pitboss.exact.progressive import ProgressiveReport
from pitboss.exact.side import kind_of, side_lines
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.repaying import ChangedRow, with_rows
from pitboss.games.rules import Rules, resolve
from pitboss.games.structure import PRINTED
from pitboss.law.model import SINGLE, Wager, in_force
from pitboss.money import Cents
from pitboss.paper.say import percent
from pitboss.submission import Submission


def filed_dict(each: EdgeFigures) -> dict[str, Any]:
    """The figures of a wager as ``pitboss report -o report.json`` writes them."""
    result, conditions, main = each.result, each.conditions, each.main
    assert result is not None, "a submission's wagers are counted with their distributions"
    return {
        "wager": each.wager,
        "title": each.name,
        "paytable": each.letter,
        "reading": each.reading,
        "cite": conditions.cite,
        "denominator": each.unit,
        "expected_value": str(result.expected_value),
        "house_edge": float(each.hold),
        "element_of_risk": float(result.element_of_risk),
        "standard_deviation": result.standard_deviation,
        "hit_frequency": float(result.hit_frequency),
        "largest_pay": float(result.largest_pay),
        "distribution": [{"net": str(net), "chance": str(chance)} for net, chance in result.chances.items()],
        **conditions.as_dict(),
        **({"choices": {name: float(share) for name, share in main.choices.items()}} if main else {}),
        **({"house_edge_where_folds_forfeit": float(each.folding.house_edge)} if each.folding is not None else {}),
        **({"stake_dollars": each.stake / 100} if each.stake else {}),
        **({"counted_as": each.same_as} if each.same_as else {}),
        **({"long_run": each.progressive.as_dict()} if each.progressive is not None else {}),
        **({} if each.limit is None else {"payout_limit": each.limit.as_dict()}),
    }


def counted(submission: Submission, rules: Rules, progress: Progress | None = None) -> Iterator[EdgeFigures]:
    """The main wagers under each counted reading, then every other wager on offer, in the order of the chapter, first
    as the submission reads its table and then as others do."""
    game = GAMES[rules.game]
    if game.main_posts:
        yield from _main(game, rules, progress)
    lines = [kind for kind in dict.fromkeys(kind_of(game, line) for line in side_lines(game)) if kind in rules.wagers]
    for wager in rules.wagers.values():
        if wager.name in lines:
            for read in (rules, *_otherwise_read(rules, wager.paytable)):
                yield _side(game, submission, read, wager)
        elif wager.role == "side" and (like := _alike(rules, wager, lines)) is not None:
            found = _side(game, submission, rules, like)
            conditions = replace(found.conditions, wager=wager.name)
            yield replace(found, conditions=conditions, title=wager.title, same_as=like.title)


def _alike(rules: Rules, wager: Wager, lines: list[str]) -> Wager | None:
    """A counted wager with the same pay table: the cards of every place are alike."""
    return next((rules.wagers[line] for line in lines if rules.wagers[line].paytable == wager.paytable), None)


def _main(game: Game, rules: Rules, progress: Progress | None) -> Iterator[EdgeFigures]:
    name = main_table(game)
    table = rules.tables.get(name)
    letter = table.letter if table is not None else SINGLE
    aside = {rules.wagers[line].paytable for line in side_lines(game) if line in rules.wagers}
    parts = dict.fromkeys(w.title.split(" Wager")[0] for w in rules.wagers.values() if w.paytable not in aside)
    for reading in game.readings_by(rules):
        variant = Variant(MAIN, name, letter, reading, str(table.cite if table else ""))
        found = figures_of(game, _read(game, rules, reading), variant, progress=progress)
        yield replace(found, title=", ".join(parts))


def _read(game: Game, rules: Rules, reading: str) -> Rules:
    """The rules under a reading of a pay table's paragraph; readings of other kinds change no rule here."""
    if reading in game.scopes:
        for name, _ in game.other_readings:
            rules = _read_as(rules, name, game.scope(reading).readings.get(name, ""))
        return rules
    for note in rules.chapter.notes:
        for table in rules.tables.values():
            if reading in note.readings and table.cite in (note.cite, *note.also):
                return _read_as(rules, table.wager, reading)
    return rules


def _read_as(rules: Rules, table: str, reading: str) -> Rules:
    readings = {**rules.choices.readings, table: reading}
    found, _ = resolve(rules.chapter, rules.as_of, replace(rules.choices, readings=readings))
    return rules if found is None else reduce(_changed, rules.changes, found)


def _changed(rules: Rules, change: ChangedRow) -> Rules:
    return with_rows(rules, change.table, {change.row: change.pays}) if change.table in rules.tables else rules


def _otherwise_read(rules: Rules, name: str) -> Iterator[Rules]:
    """The same rules under each other reading that has a table of its own."""
    now = rules.tables[name]
    for table in in_force(rules.chapter.paytables, rules.as_of):
        if (table.wager, table.letter) == (name, now.letter) and table.reading != now.reading:
            yield _read_as(rules, name, table.reading)


def _side(game: Game, submission: Submission, rules: Rules, wager: Wager) -> EdgeFigures:
    table = rules.tables[wager.paytable]
    reading = table.reading or rules.reading(wager.paytable) or PRINTED
    variant = Variant(wager.name, wager.paytable, table.letter, reading, str(table.cite))
    found = figures_of(game, rules, variant, stake_of(rules, wager), chances=submission.chances)
    return replace(found, title=wager.title)


def stake_of(rules: Rules, wager: Wager) -> Cents:
    """What is wagered where a table pays fixed sums: the amount offered, or the least wager."""
    return rules.choices.amounts.get(wager.name) or rules.limits(wager.name).minimum


def full_table(rules: Rules, report: ProgressiveReport) -> tuple[str, ...]:
    """The long-run holds of a full table in words, where they are not those of one seat."""
    most = max(report.other_seats) + 1
    found = []
    for each in report.by_seats():
        if each.seats == most and each.hold != report.long_run_hold:
            also = "".join(f", all also on the {rules.wagers[name].title}" for name in each.others)
            found.append(f"{percent(each.hold)} with {most} seats{also}, meter and Envy Bonuses included")
    return tuple(found)
