"""What-if pay tables in submissions: the choice or the facts that file a table, or why no submission can offer it."""

import re
from datetime import date
from pathlib import Path

from pitboss.exact.whatif import rules_with_table
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import PayTable, in_force
from pitboss.names import all_shown, shown
from pitboss.submission import read_submission, rules_of, template


def template_with_table(game: str, day: date, path: Path) -> str:
    """The law's template with the pay table of a what-if file.

    A table that the law prints is chosen by its letter, one that isn't printed is set as facts. Any other can't be
    offered: raise ``UnreadableError`` with the paragraph.
    """
    text = template(game, day)
    rules, _ = rules_of(read_submission(text))
    assert rules is not None, "the law's template has rules"
    made, name = rules_with_table(rules, _only_table(rules), path)
    wanted = made.tables[name].rows
    letters = [table for table in in_force(GAMES[game].chapter.paytables, day) if table.wager == name]
    for table in letters:
        if dict(table.rows) == dict(wanted) and not table.reading:
            return _chosen(text, game, day, table)
    for table in letters:
        written = _facts_set(text, table, {row: str(odds) for row, odds in wanted.items()})
        if set(wanted) == set(table.rows) and written:
            return _chosen(written, game, day, table)
    cites = ", ".join(dict.fromkeys(str(table.cite) for table in letters))
    listed = all_shown(dict.fromkeys(table.printed_letter for table in letters))
    raise UnreadableError(
        f"{path}: no pay table of {shown(name)} ({listed}) pays so, and its rows are printed: a submission can't offer "
        f"it. pitboss edge, simulate and report read it with --table. ({cites})"
    )


def _only_table(rules: Rules) -> str:
    """Where a file doesn't name its wager: the pay table of a game that has one; else none."""
    return next(iter(rules.tables)) if len(rules.tables) == 1 else ""


def _chosen(text: str, game: str, day: date, table: PayTable) -> str:
    """The template with the letter of a table, where letters are to choose from."""
    paid_by = {f"[wagers.{wager.name}]" for wager in in_force(GAMES[game].chapter.wagers, day)
               if wager.paytable == table.wager}  # fmt: skip
    section, lines = "", []
    for line in text.split("\n"):
        section = line if line.startswith("[") else section
        keys = {"paytable"} if section in paid_by else {table.wager} if section == "[paytables]" else set()
        key, sign, rest = line.partition(' = "')
        lines.append(f'{key} = "{table.letter}"{rest.partition(chr(34))[2]}' if sign and key in keys else line)
    return "\n".join(lines)


def _facts_set(text: str, table: PayTable, wanted: dict[str, str]) -> str:
    """The template with rows that aren't printed set as facts; empty where one of them is printed."""
    for row, odds in wanted.items():
        place = re.escape(f'"{table.place}.{row}" = ')
        found = re.search(rf'^(?:# )?({place})"([^"]*)"', text, re.MULTILINE)
        if found is None:
            return ""
        if found[2] != odds:
            text = f'{text[: found.start()]}{found[1]}"{odds}"{text[found.end() :]}'
    return text
