"""Rules that several chapters state in the same words, written once."""

from typing import Any, TypeVar

from pitboss.games.contract import Lines, PayFunction
from pitboss.games.facts import Versus
from pitboss.games.rules import Rules
from pitboss.games.settlement import Pay, lose, push, win
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


def even_money(rules: Rules, wager: str, cite: str, why: str) -> Pay:
    """A wager that its table pays at one rate."""
    odds = rules.tables[wager].rows["win"]
    return win(cite, f"{why} pays {odds}.", odds, rules.table_cite(wager))


def not_won(versus: Versus, lost: str, tied: str = "", what: str = "wager") -> Pay | None:
    """What becomes of a wager on a hand that is not higher than the dealer's; nothing of one on a hand that is."""
    if versus == Versus.LOWER:
        return lose(lost, "The dealer's hand is higher.")
    return push(tied or lost, f"The hands are equal and the {what} is returned.") if versus == Versus.EQUAL else None


def higher_wins(
    rules: Rules, wager: str, versus: Versus, lost: str, tied: str = "", won: str = "", what: str = "wager"
) -> Pay:
    """A wager against the dealer's hand: lost to a higher one, returned for an equal one, else paid at one rate."""
    why = "The hand is higher than the dealer's and"
    return not_won(versus, lost, tied, what) or even_money(rules, wager, won or lost, why)


def bad_beat_bonus(rules: Rules, hand: str, lost: str, won: str) -> Pay:
    """What a hand that the dealer beat is paid all the same, if its table has a row for it."""
    paid = rules.odds("bad_beat_bonus", hand)
    if paid is None:
        return lose(lost, "The dealer's hand is higher.")
    why = f"The dealer's hand is higher; {TITLES[paid[0]].lower()} earns the Bad Beat Bonus, {paid[1]}."
    return win(won, why, paid[1], rules.table_cite("bad_beat_bonus"))


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
