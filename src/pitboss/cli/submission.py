"""Commands of Rules Submissions: written, checked, compared."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import (
    FOUND,
    AsOf,
    GameName,
    Json,
    Output,
    PaperFile,
    check_format,
    day_of,
    print_json,
    report_findings,
    write_paper,
    write_text,
)
from pitboss.cli.questions import TableFile

if TYPE_CHECKING:
    from pitboss.findings import Finding
    from pitboss.submission import Submission

submission_app = typer.Typer(
    help="Rules Submissions: the operator's choices.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    app.add_typer(submission_app, name="submission")


@submission_app.command("new")
def submission_new(
    game: GameName,
    output: Output = None,
    table: TableFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Write a commented Rules Submission with every choice of a game, with --table with a pay table of yours."""
    from pitboss.submission import template

    check_format(output, ".toml")
    if table is None:
        text = template(game, day_of(as_of))
    else:
        from pitboss.exact.filed_tables import template_with_table

        text = template_with_table(game, day_of(as_of), table)
    if json and output is None:
        print_json({"game": game, "template": text})
        return
    write_text(output, text, quiet=json)
    if json:
        print_json({"game": game, "file": str(output)})


@submission_app.command("check")
def submission_check(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    notes: Annotated[bool, typer.Option(help="Also show notes on the text of the law behind the choices.")] = False,
    output: PaperFile = None,
    json: Json = False,
) -> None:
    """Check a Rules Submission against the law: all findings at once, each with its paragraph.

    What it pays otherwise than the law's own data is shown, and the hold of each wager concerned is counted. -o writes
    all of it as a paper beside what the screen shows.
    """
    from pitboss.exact.filed_holds import hold_findings
    from pitboss.findings import errors
    from pitboss.games.payorder import PAY_ORDER
    from pitboss.submission import check, departures, read_submission

    filed = read_submission(file)
    everything, differing = check(filed), departures(filed)
    if differing and not errors(everything):
        everything += hold_findings(filed)
    wrong = errors(everything)
    warnings = [finding for finding in everything if finding.code == PAY_ORDER]
    remarks = [finding for finding in everything if finding not in (*wrong, *warnings)]
    warnings += [] if wrong else _warnings(filed)
    record = {"findings": wrong, "notes": [*warnings, *remarks], "differences": differing}
    if output is not None:
        from pitboss.reports.filing import filing_paper

        shown = remarks if notes else []
        write_paper(output, record, partial(filing_paper, filed, wrong, warnings, shown, differing), quiet=json)
    if json:
        print_json(record)
    else:
        if differing:
            typer.echo("Otherwise than the law's own data has it; opening a table with it needs a second person:")
        for difference in differing:
            typer.echo(f"  {difference}")
        report_findings(everything if notes else wrong, json, "The submission agrees with the law.")
        for warning in warnings:
            typer.echo(f"Warning: {warning}")
        if remarks and not notes:
            typer.echo(f"{len(remarks)} notes on the text of the law behind these choices; --notes shows them.")
    if wrong:
        raise typer.Exit(FOUND)


def _warnings(filed: "Submission") -> "list[Finding]":
    """What the holds of the filed choices warn of; nothing where the extra for exact mathematics isn't installed."""
    from pitboss.games.registry import GAMES
    from pitboss.submission import rules_of

    try:
        from pitboss.cli.questions import counting
        from pitboss.exact.limit import limit_findings
    except ModuleNotFoundError:
        return []
    rules, _ = rules_of(filed)
    if rules is None:
        return []
    with counting() as progress:
        return list(limit_findings(GAMES[rules.game], rules, progress))


@submission_app.command("diff")
def submission_diff(
    before: Annotated[Path, typer.Argument(metavar="BEFORE")],
    after: Annotated[Path, typer.Argument(metavar="AFTER")],
    json: Json = False,
) -> None:
    """What changes from one Rules Submission to another."""
    from pitboss.submission import diff, read_submission

    changes = diff(read_submission(before), read_submission(after))
    if json:
        print_json({"changes": changes})
        return
    for change in changes:
        typer.echo(str(change))
    if not changes:
        typer.echo("The two submissions make the same choices.")
