"""Rules that several chapters state in the same words, written once."""

from typing import Any, TypeVar

from pitboss.games.contract import Lines, PayFunction
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, lose, win
from pitboss.hands.labels import NOTHING, TITLES

O = TypeVar("O")  # noqa: E741
UNLESS_BEATEN = "ante-bonus-unless-beaten"
"""The other reading of 641a.12(b) and 649a.12(b): no Ante Bonus for a hand that the dealer beat."""


def by_table(rules: Rules, table: str, label: str, cite: str, lose_cite: str = "") -> Pay:
    """A wager against a posted pay table: the row of the hand, or the stake is lost."""
    paid = rules.odds(table, label)
    if paid is None:
        why = "No hand of the pay table." if label == NOTHING else f"{TITLES[label]} is not in the pay table."
        return lose(lose_cite or cite, why)
    row, odds = paid
    return win(cite, f"{TITLES[row]} pays {odds}.", odds, rules.table_cite(table))


def table_line(
    lines: Lines[O], wager: str, fact: str, cite: str, lose_cite: str = "", *, folded: Pay | None = None
) -> PayFunction[O]:
    """A wager that its pay table alone decides, by one fact of the outcome; ``folded`` where folding forfeits it."""

    def pay(rules: Rules, outcome: Any) -> Pay:
        if folded is not None and outcome.folded:
            return folded
        return by_table(rules, wager, getattr(outcome, fact), cite, lose_cite)

    pay.__module__, pay.__qualname__ = lines.outcome.__module__, wager
    return lines.rule(wager, [*([] if folded is None else ["folded"]), fact])(pay)


def bonus(rules: Rules, table: str, label: str, cite: str) -> Pay | None:
    """A bonus on a wager already settled: a line only if the table has a row for the hand."""
    paid = rules.odds(table, label)
    if paid is None:
        return None
    row, odds = paid
    return win(cite, f"{TITLES[row]} earns a bonus of {odds}.", odds, rules.table_cite(table), additional=True)


def matched(rules: Rules, table: str, hit: bool, cite: str, why: str) -> Pay | None:
    """Magic Card and Lucky Bonus: an additional payout when the system's selection matches."""
    if not hit or table not in rules.tables:
        return None
    odds = rules.tables[table].rows["match"]
    return win(cite, why, odds, rules.table_cite(table), additional=True)
