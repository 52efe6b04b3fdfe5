"""The exact figures of what a table offers, wager by wager, for reports and forms. Needs the extra ``exact``."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN, counted_result, main_table, optimal_play
from pitboss.exact.progressive import ProgressiveReport, progressive_report
from pitboss.exact.published import published
from pitboss.exact.side import Jackpot, kind_of, line_of, reads_folded, side_lines, side_result
from pitboss.exact.value import Moments, Result
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules, resolve
from pitboss.games.structure import PRINTED
from pitboss.law.model import SINGLE, Wager, in_force
from pitboss.money import Cents
from pitboss.reports.offer import percent
from pitboss.submission import Submission


@dataclass(frozen=True)
class Counted:
    """One wager, or the main wagers together, under the rules of a submission."""

    wager: str
    title: str
    paytable: str
    letter: str
    reading: str
    cite: str
    unit: str
    """What the figures are a share of: the wager of which others are multiples, or the wager itself."""
    result: Moments
    published: str | None = None
    jackpots: tuple[Jackpot, ...] = ()
    folding: Fraction | None = None
    """The hold where folds of a well played main game forfeit the wager."""
    progressive: ProgressiveReport | None = None
    stake: Cents = 0
    same_as: str = ""
    """The wager whose count this one shares."""
    restriction: str = ""
    """What the figures leave out of the game."""

    @property
    def main(self) -> Result | None:
        """The result of the main wagers, where it is theirs."""
        return self.result if isinstance(self.result, Result) else None

    @property
    def hold(self) -> Fraction:
        return self.result.house_edge


def counted(submission: Submission, rules: Rules, progress: Progress | None = None) -> Iterator[Counted]:
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
            yield replace(_side(game, submission, rules, like), wager=wager.name, title=wager.title, same_as=like.title)


def _alike(rules: Rules, wager: Wager, lines: list[str]) -> Wager | None:
    """A counted wager with the same pay table: the cards of every place are alike."""
    return next((rules.wagers[line] for line in lines if rules.wagers[line].paytable == wager.paytable), None)


def _main(game: Game, rules: Rules, progress: Progress | None) -> Iterator[Counted]:
    name = main_table(game)
    table = rules.tables.get(name)
    letter = table.letter if table is not None else SINGLE
    aside = {rules.wagers[line].paytable for line in side_lines(game) if line in rules.wagers}
    parts = dict.fromkeys(w.title.split(" Wager")[0] for w in rules.wagers.values() if w.paytable not in aside)
    for reading in game.readings_by(rules):
        result, restriction = counted_result(game, _read(game, rules, reading), reading, progress)
        yield Counted(
            wager=MAIN,
            title=", ".join(parts),
            paytable=name,
            letter=letter,
            reading=reading,
            cite=str(table.cite if table else ""),
            unit=game.chapter.unit_title,
            result=result,
            published=published(game.name, MAIN, letter, reading),
            restriction=restriction,
        )


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
    return found or rules


def _otherwise_read(rules: Rules, name: str) -> Iterator[Rules]:
    """The same rules under each other reading that has a table of its own."""
    now = rules.tables[name]
    for table in in_force(rules.chapter.paytables, rules.as_of):
        if (table.wager, table.letter) == (name, now.letter) and table.reading != now.reading:
            yield _read_as(rules, name, table.reading)


def _side(game: Game, submission: Submission, rules: Rules, wager: Wager) -> Counted:
    stake = stake_of(rules, wager)
    result = side_result(game, rules, wager.name, stake)
    table = rules.tables[wager.paytable]
    reading = table.reading or rules.reading(wager.paytable) or PRINTED
    folding = None
    if reads_folded(game, line_of(game, wager.name)):
        folding = side_result(game, rules, wager.name, stake, folds=optimal_play(game, rules)).house_edge
    return Counted(
        wager=wager.name,
        title=wager.title,
        paytable=wager.paytable,
        letter=table.letter,
        reading=reading,
        cite=str(table.cite),
        unit="wager",
        result=result,
        jackpots=result.jackpots,
        published=published(game.name, wager.name, table.letter, reading),
        folding=folding,
        progressive=_progressive(game, submission, rules, wager, stake),
        stake=stake,
    )


def stake_of(rules: Rules, wager: Wager) -> Cents:
    """What is wagered where a table pays fixed sums: the amount offered, or the least wager."""
    return rules.choices.amounts.get(wager.name) or rules.limits(wager.name).minimum


def _progressive(
    game: Game, submission: Submission, rules: Rules, wager: Wager, stake: Cents
) -> ProgressiveReport | None:
    spec = rules.meters.get(wager.meter)
    if spec is None or not spec.rate:
        return None
    seats, chances = range(rules.seats), submission.chances
    return progressive_report(game, rules, wager.name, other_seats=seats, stake=stake, chances=chances)


def full_table(rules: Rules, report: ProgressiveReport) -> tuple[str, ...]:
    """The long-run holds of a full table in words, where they are not those of one seat."""
    most = max(report.other_seats) + 1
    found = []
    for each in report.by_seats():
        if each.seats == most and each.hold != report.long_run_hold:
            also = "".join(f", all also on the {rules.wagers[name].title}" for name in each.others)
            found.append(f"{percent(each.hold)} with {most} seats{also}, meter and Envy Bonuses included")
    return tuple(found)
