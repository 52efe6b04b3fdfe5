"""Rules with other pays than the law's: rows of a pay table changed, added or taken out, to see what would follow."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from pitboss.findings import UnknownName, UnreadableError
from pitboss.games.rules import Rules
from pitboss.hands.labels import TITLES
from pitboss.law.model import PayTable
from pitboss.law.odds import FixedSum, ForOne, MeterShare, Odds, OddsError, ToOne, parse_odds
from pitboss.names import all_shown, name_of, shown
from pitboss.records import Fixed

LARGEST = 10**9
"""The largest rate of a main wager times the common denominator of all: beyond it machine integers could overflow."""
Paid = Odds | Fraction | int | str | None
"""What a row pays: odds, a bare number in the way of its table, a text such as ``"3 to 2"``, or nothing."""


def with_pay(rules: Rules, wager: str, changes: Mapping[str, Paid]) -> Rules:
    """The same rules with rows of one pay table, named by itself or by its wager, paying something else."""
    table = table_named(rules, wager)
    for row, paid in changes.items():
        rules = with_rows(rules, table, {row: checked(rules, table, row, paid)})
    return rules


def table_named(rules: Rules, name: str) -> str:
    """The pay table of that name, or of the wager of that name."""
    plain = name_of(name) if isinstance(name, str) else ""
    wager = rules.wagers.get(plain) or rules.wager_named(plain)
    for found in (plain, wager.paytable if wager is not None else ""):
        if found in rules.tables:
            return found
    raise UnknownName(f"{rules.chapter.title} has no pay table {name!r}: {all_shown(rules.tables)}.")


def checked(rules: Rules, table: str, row: str, paid: Paid) -> Odds | None:
    """The odds that a row of a table is to pay, if there is such a hand and it can."""
    if row not in TITLES and row not in rules.tables[table].rows:
        rows = all_shown(rules.tables[table].rows)
        raise UnknownName(f"{row!r} is not the name of a hand; the rows of {shown(table)} are {rows}.")
    odds = read_odds(paid, rules.tables[table])
    if odds is None and not payable(with_rows(rules, table, {row: None})):
        raise UnreadableError(
            f"{shown(row)} of {shown(table)} has to pay something: it is what the wager pays for winning."
        )
    return odds


def with_rows(rules: Rules, table: str, changes: Mapping[str, Odds | None], letter: str | None = None) -> Rules:
    """The same rules with some rows of one pay table changed, added, or taken out."""
    old = rules.tables[table]
    rows: dict[str, Odds] = {}
    for row in (*old.rows, *(row for row in changes if row not in old.rows)):
        odds = changes.get(row, old.rows.get(row))
        if odds is not None:
            rows[row] = odds
    changed = replace(old, rows=Fixed(rows), letter=letter or old.letter)
    return replace(rules, tables=Fixed({**rules.tables, table: changed}))


def payable(rules: Rules) -> bool:
    """Whether every line knows its pay; a row that names no hand but the winning itself cannot be left out."""
    from pitboss.games.registry import GAMES

    lines = GAMES[rules.game].lines
    try:
        for line in lines.rules:
            lines.tabulate(line, rules)
    except KeyError:
        return False
    return True


def read_odds(paid: Paid, table: PayTable) -> Odds | None:
    """A bare number pays in the way of the table: "to 1", or "for 1" where the table's rows are "for 1"."""
    if isinstance(paid, ToOne | ForOne | MeterShare | FixedSum):
        return countable(paid)
    if isinstance(paid, bool) or not isinstance(paid, int | Fraction | str | None):
        raise UnreadableError(f"A row pays odds such as 7, Fraction(3, 2) or '3 to 2', not {paid!r}.")
    text = "none" if paid is None else str(paid)
    if text in ("", "none", "N/A"):
        return None
    if re.fullmatch(r"\d+(\.\d+|/0*[1-9]\d*)?", text):
        kinds = [type(odds) for odds in table.rows.values()]
        rate = Fraction(text) if len(text) <= 40 else Fraction(LARGEST + 1)
        return countable(ForOne(rate) if kinds.count(ForOne) > kinds.count(ToOne) else ToOne(rate))
    try:
        return countable(parse_odds(text))
    except OddsError as problem:
        raise UnreadableError(str(problem)) from None


def countable(odds: Odds) -> Odds:
    """Odds that somebody could mean; an absurd figure is a slip of the keys."""
    match odds:
        case ToOne(rate) | ForOne(rate):
            if rate.denominator > LARGEST:
                raise UnreadableError("Odds are given to nine places at most, as in 1.5 to 1.")
            absurd = rate > LARGEST
        case MeterShare(share):
            absurd = share > 1
        case FixedSum(amount):
            absurd = amount > 100 * LARGEST
    if absurd:
        raise UnreadableError(
            f"A row cannot pay so much; the most is odds of {LARGEST:,} to 1, a sum of ${LARGEST:,} or 100% of a meter."
        )
    return odds
