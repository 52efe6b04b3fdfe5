"""Rules with other pays than the law's: rows of a pay table changed, added or taken out, to see what would follow."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pitboss.findings import UnknownName, UnreadableError
from pitboss.games.options import Law, kind_of
from pitboss.games.rules import Rules
from pitboss.games.structure import PRINTED
from pitboss.hands.labels import TITLES
from pitboss.law.model import SINGLE, PayTable, in_force
from pitboss.law.odds import MOST_RATE, FixedSum, ForOne, MeterShare, Odds, OddsError, ToOne, parse_odds
from pitboss.names import all_shown, name_of, shown
from pitboss.records import Fixed

Paid = Odds | Fraction | int | str | None
"""What a row pays: odds, a bare number in the way of its table, a text such as ``"3 to 2"``, or nothing."""
CHANGED = "changed"
"""The word beside a letter or a paragraph of the law wherever the table is not the law's."""


@dataclass(frozen=True)
class ChangedRow:
    """A row of a pay table that does not pay what the law's table of that letter pays."""

    table: str
    row: str
    law: Odds | None
    pays: Odds | None

    def __str__(self) -> str:
        return changed_words(**self.as_dict())

    def as_dict(self) -> dict[str, Any]:
        law, pays = (None if each is None else str(each) for each in (self.law, self.pays))
        return {"table": self.table, "row": self.row, "law": law, "pays": pays}


def changed_words(table: str, row: str, law: str | None, pays: str | None) -> str:
    """A changed row in words, from its plain values.

    >>> changed_words("pair_plus", "flush", "4 to 1", None)
    'Pair Plus flush nothing instead of 4 to 1'
    """
    return f"{shown(table)} {row.replace('_', ' ')} {pays or 'nothing'} instead of {law or 'nothing'}"


def changed_text(changes: Iterable[object]) -> str:
    """Changed rows in words; empty where the table is the law's.

    >>> changed_text(["Pair Plus flush 0 to 1 instead of 4 to 1"])
    'changed: Pair Plus flush 0 to 1 instead of 4 to 1'
    """
    text = ", ".join(map(str, changes))
    return f"{CHANGED}: {text}" if text else ""


def if_changed(text: str, changed: object) -> str:
    """A letter, a reading or a paragraph of the law, marked where the table beside it is changed.

    >>> if_changed("A", True), if_changed("A", False), if_changed("-", True), if_changed("printed", True)
    ('A, changed', 'A', 'changed', 'changed')
    """
    if not changed:
        return text
    return CHANGED if text in ("", SINGLE, PRINTED) else f"{text}, {CHANGED}"


def changed_rows(rules: Rules) -> tuple[ChangedRow, ...]:
    """Every row that differs from the law's table of the same letter and reading, facts and options applied."""
    return tuple(
        ChangedRow(name, row, law.get(row), table.rows.get(row))
        for name, table, law in _beside_the_law(rules)
        for row in dict.fromkeys((*law, *table.rows))
        if law.get(row) != table.rows.get(row)
    )


def _beside_the_law(rules: Rules) -> Iterator[tuple[str, PayTable, Mapping[str, Odds]]]:
    """Each pay table with the rows that the law of the day has for it; none where the law has no such table."""
    printed = {(t.wager, t.letter, t.reading): t for t in in_force(rules.chapter.paytables, rules.as_of)}
    lawful = {
        name: printed[key]
        for name, table in rules.tables.items()
        if (key := (table.wager, table.letter, table.reading)) in printed
    }
    law, paid = Law(rules.chapter, rules.as_of), {wager.paytable for wager in rules.wagers.values()}
    for choice, value in rules.chosen:
        for _ in kind_of(choice).applied(choice, value, law, lawful, paid):
            pass  # a lawful option has no findings; its rows are in ``lawful`` now
    for name, table in rules.tables.items():
        yield name, table, lawful[name].rows if name in lawful else {}


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
        rate = Fraction(text) if len(text) <= 40 else Fraction(MOST_RATE + 1)
        return countable(ForOne(rate) if kinds.count(ForOne) > kinds.count(ToOne) else ToOne(rate))
    try:
        return countable(parse_odds(text))
    except OddsError as problem:
        raise UnreadableError(str(problem)) from None


def countable(odds: Odds) -> Odds:
    """Odds that somebody could mean; an absurd figure is a slip of the keys."""
    match odds:
        case ToOne(rate) | ForOne(rate):
            if rate.denominator > MOST_RATE:
                raise UnreadableError("Odds are given to nine places at most, as in 1.5 to 1.")
            absurd = rate > MOST_RATE
        case MeterShare(share):
            absurd = share > 1
        case FixedSum(amount):
            absurd = amount > 100 * MOST_RATE
    if absurd:
        raise UnreadableError(
            f"A row can't pay so much. The most is odds of {MOST_RATE:,} to 1, ${MOST_RATE:,} or 100% of a meter."
        )
    return odds
