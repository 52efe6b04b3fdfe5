"""What if a row paid something else: rules with changed pay tables, and the rows that bring a hold into a range."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from pitboss.documents import read_toml
from pitboss.exact.board import BoardPlay
from pitboss.exact.edge import DEFAULT_STAKE, MAIN, Variant, optimal_play, tables_behind
from pitboss.exact.engine import play_of
from pitboss.exact.side import side_result
from pitboss.findings import FieldsError, UnreadableError, shortlist
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.repaying import checked, countable, payable, with_rows
from pitboss.games.rules import Rules
from pitboss.hands.labels import TITLES
from pitboss.law.odds import MOST_RATE, ForOne, Odds, ToOne, parse_odds
from pitboss.money import Cents
from pitboss.names import all_shown, name_of, shown
from pitboss.public import public
from pitboss.reader import MOST_FINDINGS, Parsed, below, meant, misfit, quoted, read
from pitboss.records import Fixed


def parse_change(text: str, rules: Rules, table: str) -> tuple[str, str, Odds | None]:
    """``flush=7``, ``flush=3 to 2``, ``odds_win.flush=2`` or ``flush=none``: table, row and odds.

    A bare number pays in the way of the table: "to 1", or "for 1" where the table's rows are "for 1".
    """
    name, sign, paid = text.partition("=")
    head, dot, row = (name_of(part) if part != "." else part for part in name.strip().rpartition("."))
    wanted = head if dot else table
    if not sign or not row:
        raise UnreadableError(f"{text!r} is not a change of a pay row: write ROW=ODDS, for example flush=7.")
    if wanted not in rules.tables:
        raise UnreadableError(f"{rules.chapter.title} has no pay table {wanted!r}: {all_shown(rules.tables)}.")
    return wanted, row, checked(rules, wanted, row, paid.strip())


@public
def what_if(game: Game, rules: Rules, variant: Variant, changes: Iterable[str], stake: Cents = DEFAULT_STAKE) -> Rules:
    """The rules of a wager with every change of the form ROW=ODDS; one that would change no figure of it is refused."""
    seen: set[tuple[str, str]] = set()
    for text in changes:
        name, row, odds = parse_change(text, rules, variant.table)
        now = rules.tables[name].rows.get(row)
        if (name, row) in seen:
            raise UnreadableError(f"{cell(name, row)} is changed twice: write each row once.")
        if odds == now:
            pays = f"pays {now} already" if now is not None else "pays nothing as it is"
            raise UnreadableError(f"{cell(name, row)} {pays}: nothing would change. {_changeable(rules, variant)}")
        changed = with_rows(rules, name, {row: odds})
        if not differs(game, rules, changed, variant, stake):
            raise UnreadableError(
                f"{cell(name, row)} has no part in {shown(variant.wager)}: paying it otherwise would change nothing. "
                f"{_changeable(rules, variant)}"
            )
        seen.add((name, row))
        rules = changed
    return rules


def differs(game: Game, one: Rules, other: Rules, variant: Variant, stake: Cents = DEFAULT_STAKE) -> bool:
    """Whether a wager is worth something else under other rules, or wins another share of a meter."""
    if variant.wager != MAIN:
        before, after = (side_result(game, rules, variant.wager, stake) for rules in (one, other))
        return (before.distribution, before.jackpots) != (after.distribution, after.jackpots)
    only_plain_odds(other, tables_behind(game, other))
    play = optimal_play(game, one)
    same = play.under(other) if isinstance(play, BoardPlay) else None
    # The best play under the new rules is worth no less than the old play is.
    if same is not None and same.expected_value > play.result.expected_value:
        return True
    if play_of(game, other).result.expected_value != play.result.expected_value:
        return True
    if not game.scope(variant.reading).draws:
        return False
    from pitboss.exact.draw_rows import drawn_differs

    return drawn_differs(one, other)


def tables_of(rules: Rules, variant: Variant) -> tuple[str, ...]:
    """The pay tables that a wager is paid by, the one with its letter first."""
    return tuple(dict.fromkeys((variant.table, *tables_behind(GAMES[rules.game], rules, variant.wager))))


def cell(table: str, row: str) -> str:
    """A row in words, as ``parse_change`` reads it: ``Bet.Flush``."""
    return f"{shown(table)}.{shown(row)}"


def _changeable(rules: Rules, variant: Variant) -> str:
    rows = (cell(name, row) for name in tables_of(rules, variant) for row in rules.tables[name].rows)
    return (
        f"{shown(variant.wager)} can be changed in {', '.join(rows)}, or by a row for another hand that it could pay."
    )


def only_plain_odds(rules: Rules, tables: Iterable[str]) -> None:
    """Main wagers are valued per unit staked: a sum of money or a share of a meter has no place in their tables."""
    rates = [Fraction(1)]
    for name in tables:
        for row, odds in rules.tables[name].rows.items() if name in rules.tables else ():
            if not isinstance(odds, ToOne | ForOne):
                raise UnreadableError(f"{cell(name, row)} cannot pay {odds}: main wagers pay odds such as '7 to 1'.")
            rates.append(odds.rate)
    if max(rates) * lcm(*(rate.denominator for rate in rates)) > MOST_RATE:
        raise UnreadableError("These odds are too large, or too fine, to be counted exactly: use smaller numbers.")


def what_if_table(game: Game, rules: Rules, variant: Variant, path: Path, stake: Cents = DEFAULT_STAKE) -> Rules:
    """The rules of a wager with a new pay table; one that changes no figure, or has a row never paid, is refused."""
    made, name = rules_with_table(rules, variant.table, path)
    if not differs(game, rules, made, variant, stake):
        raise UnreadableError(
            f"{path}: this table of {shown(name)} would change nothing of {shown(variant.wager)}. "
            f"{_changeable(rules, variant)}"
        )
    for row in made.tables[name].rows:
        new = row not in rules.tables[name].rows
        if new and not differs(game, with_rows(made, name, {row: None}), made, variant, stake):
            part = f"{cell(name, row)} has no part in {shown(variant.wager)}"
            raise UnreadableError(f"{path}: {part}. {_changeable(rules, variant)}")
    return made


def what_if_file(rules: Rules, path: Path) -> Rules:
    """The rules of a whole game with the pay table of a file, which names its table.

    Raise ``UnreadableError`` where the table pays as it does already.
    """
    made, name = rules_with_table(rules, "", path)
    if made.tables[name].rows == rules.tables[name].rows:
        raise UnreadableError(f"{path}: {shown(name)} pays so already: nothing would change.")
    return made


def _countable(text: str) -> Odds:
    return countable(parse_odds(text))


@dataclass(frozen=True, kw_only=True)
class TableKeys:
    """A pay table in a file: the highest hand first."""

    wager: Annotated[str, Meta(description="the name of a pay table")] = ""
    rows: Annotated[
        Mapping[str, Annotated[Odds, Parsed("odds such as '7 to 1'", str, _countable)]],
        Meta(min_length=1, description='a table such as { flush = "7 to 1" }'),
    ]


def rules_with_table(rules: Rules, table: str, path: Path) -> tuple[Rules, str]:
    """Rules with a whole new pay table from a TOML file: ``rows = { flush = "7 to 1", ... }``, the highest first."""
    data = read_toml(path)
    keys, findings = read(TableKeys, data, str(path))
    name = str(data.get("wager", table))
    if name not in rules.tables:
        known = all_shown(rules.tables)
        missing = f"has no pay table {quoted(name)}" if name else 'has several pay tables: name one as wager = "NAME"'
        findings += (misfit("wager", f"{path}: {rules.chapter.title} {missing}. There are {known}."),)
    elif isinstance(given := data.get("rows"), dict):
        unknown = [row for row in given if row not in TITLES and row not in rules.tables[name].rows]
        hands = [*rules.tables[name].rows, *TITLES]
        findings += tuple(
            misfit(place := below("rows", row), f"{path}: {place} names no hand; {meant(row, hands)}")
            for row in unknown
        )
    if keys is None or findings:
        raise FieldsError(shortlist(findings, MOST_FINDINGS))
    rows = dict(keys.rows)
    for row in rules.tables[name].rows:
        if row not in rows and not payable(with_rows(rules, name, {row: None})):
            raise UnreadableError(f"{path}: {name}.{row} has to pay something: it is what the wager pays for winning.")
    changed = replace(rules.tables[name], rows=Fixed(rows))
    return replace(rules, tables=Fixed({**rules.tables, name: changed})), name
