"""Commands of Rules Submissions: written, checked, compared."""

from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.options import FOUND, AsOf, GameName, Json, Output, day_of, print_json, report_findings, write_text

submission_app = typer.Typer(
    help="Rules Submissions: the operator's choices.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    app.add_typer(submission_app, name="submission")


@submission_app.command("new")
def submission_new(
    game: GameName,
    output: Output = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Write a commented Rules Submission with every choice of a game."""
    from pitboss.submission import template

    text = template(game, day_of(as_of))
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
    json: Json = False,
) -> None:
    """Check a Rules Submission against the law: all findings at once, each with its paragraph."""
    from pitboss.findings import errors
    from pitboss.submission import check, read_submission

    everything = check(read_submission(file))
    wrong = errors(everything)
    remarks = [finding for finding in everything if finding not in wrong]
    if json:
        print_json({"findings": wrong, "notes": remarks})
    else:
        report_findings(everything if notes else wrong, json, "The submission agrees with the law.")
        if remarks and not notes:
            typer.echo(f"{len(remarks)} notes on the text of the law behind these choices; --notes shows them.")
    if wrong:
        raise typer.Exit(FOUND)


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
