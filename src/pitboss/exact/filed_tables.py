"""What-if pay tables in submissions: the choice or the facts that file a table, or why no submission can offer it."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from pitboss.exact.whatif import rules_with_table
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.law.model import PayTable, in_force
from pitboss.names import all_shown, shown
from pitboss.submission import Submission, rules_of, starting_point, template
from pitboss.submission.letters import letters_in_force
from pitboss.submission.resolve import with_letter


def template_with_table(game: str, day: date, path: Path) -> str:
    """The law's template with the pay table of a what-if file.

    A table that the law prints is chosen by its letter, one that isn't printed is set as facts. Any other can't be
    offered: raise ``UnreadableError`` with the paragraph.
    """
    base = starting_point(game, day)
    rules, _ = rules_of(base)
    assert rules is not None, "the law's template has rules"
    made, name = rules_with_table(rules, _only_table(rules), path)
    wanted = made.tables[name].rows
    letters = [table for table in in_force(GAMES[game].chapter.paytables, day) if table.wager == name]
    for table in letters:
        if dict(table.rows) == dict(wanted) and not table.reading:
            return template(game, day, _chosen(base, table))
    for table in letters:
        facts = _facts(base, table, {row: str(odds) for row, odds in wanted.items()})
        if set(wanted) == set(table.rows) and facts is not None:
            return template(game, day, replace(_chosen(base, table), facts={**base.facts, **facts}))
    cites = ", ".join(dict.fromkeys(str(table.cite) for table in letters))
    listed = all_shown(dict.fromkeys(table.printed_letter for table in letters))
    raise UnreadableError(
        f"{path}: no pay table of {shown(name)} ({listed}) pays so, and its rows are printed: a submission can't offer "
        f"it. pitboss edge, simulate and report read it with --table. ({cites})"
    )


def _only_table(rules: Rules) -> str:
    """Where a file doesn't name its wager: the pay table of a game that has one; else none."""
    return next(iter(rules.tables)) if len(rules.tables) == 1 else ""


def _chosen(submission: Submission, table: PayTable) -> Submission:
    """The submission with the letter of a table, where letters are to choose from."""
    letters = letters_in_force(GAMES[submission.game].chapter, table.wager, submission.effective)
    return with_letter(submission, table.wager, table.letter) if table.letter in letters else submission


def _facts(submission: Submission, table: PayTable, wanted: dict[str, str]) -> dict[str, str] | None:
    """The rows that aren't printed, as facts; nothing where one of them is printed."""
    facts = {fact.name: fact.value for fact in GAMES[submission.game].chapter.facts(submission.effective)}
    rows = {f"{table.place}.{row}": odds for row, odds in wanted.items()}
    if not rows.keys() <= facts.keys():
        return None
    return {name: odds for name, odds in rows.items() if odds != facts[name]}
