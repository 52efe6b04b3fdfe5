"""What a table offers, in the words of a sign: pay tables with titles, limits and meters."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.games.repaying import ChangedRow, if_changed
from pitboss.games.rules import Rules
from pitboss.hands.labels import TITLES
from pitboss.law.loader import chapter
from pitboss.law.model import SINGLE, EnvyTable, PayTable, Wager
from pitboss.money import show_dollars
from pitboss.names import shown
from pitboss.spoken import also_known

MOST_NAMED: Final = 4
"""Wagers that the heading of a table they share can name."""


@dataclass(frozen=True)
class Offered:
    """A pay table that applies at the table, and the wagers it pays; none for a bonus that is no wager."""

    name: str
    title: str
    table: PayTable
    wagers: tuple[Wager, ...]
    rules: Rules

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Each row as the law names it, with its odds."""
        return tuple((row_title(row, self.table), self.rules.worded(odds)) for row, odds in self.table.rows.items())

    @property
    def short_title(self) -> str:
        """The wagers by name, or the table's own name where there are too many of them."""
        return self.title if len(self.wagers) <= MOST_NAMED else shown(self.name)

    @property
    def letter(self) -> str:
        """As printed, and whether rows of the table were changed."""
        letter = "" if self.table.letter == SINGLE else self.table.letter
        return if_changed(letter, self.changes)

    @property
    def cited(self) -> str:
        """The paragraph, and whether rows of the table were changed."""
        return if_changed(str(self.table.cite), self.changes)

    @property
    def changes(self) -> tuple[ChangedRow, ...]:
        """Rows that do not pay what the law's table pays."""
        return tuple(each for each in self.rules.changes if each.table == self.name)


def offered_tables(rules: Rules) -> tuple[Offered, ...]:
    """Every pay table of a wager on offer, and every bonus that comes with one, in the order of the chapter."""
    return tuple(_offered(rules))


def _offered(rules: Rules) -> Iterator[Offered]:
    owned = {wager.paytable for wager in rules.chapter.wagers}
    for name, table in rules.tables.items():
        wagers = tuple(wager for wager in rules.wagers.values() if wager.paytable == name)
        if wagers:
            titles = dict.fromkeys(wager.title.partition(" on ")[0] for wager in wagers)
            yield Offered(name, table.title or " and ".join(titles), table, wagers, rules)
        elif name not in owned and _belongs(rules, table, owned):
            yield Offered(name, table.title or shown(name), table, (), rules)


def _belongs(rules: Rules, table: PayTable, owned: set[str]) -> bool:
    """A bonus printed in the subsection of a wager's table goes with that wager; any other with the game."""
    near = [t for t in rules.tables.values() if t.wager in owned and t.cite.steps[:1] == table.cite.steps[:1]]
    paid = {wager.paytable for wager in rules.wagers.values()}
    return not near or any(t.wager in paid for t in near)


def row_title(row: str, table: PayTable | EnvyTable | None = None) -> str:
    """A row as the law prints it in that table; in general words where it prints none, or no table is meant."""
    printed = None if table is None else chapter(table.cite.chapter).row_name(row, table)
    title = printed or TITLES.get(row) or shown(row)
    return title if table is None else also_known(title, row, table.wager)


def limits_text(rules: Rules, wager: Wager) -> str:
    """What may be wagered: an amount, or a range.

    A wager made after the cards has no limits of its own: it follows from the one that it is a multiple of.
    """
    if wager.placed == "after":
        return f"as the {rules.chapter.unit_title} allows"
    amount = rules.choices.amounts.get(wager.name)
    if amount is not None:
        return show_dollars(amount)
    limits = rules.choices.limits.get(wager.name)
    if limits is None:
        return "not given"
    if limits.minimum == limits.maximum:
        return show_dollars(limits.minimum)
    return f"{show_dollars(limits.minimum)} to {show_dollars(limits.maximum)}"


def share_text(share: Fraction) -> str:
    """A share as short as it is exact: ``21 %``, ``13.37 %``."""
    return f"{float(share * 100):g} %"
