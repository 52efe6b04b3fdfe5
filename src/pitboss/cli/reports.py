"""Commands that print: payout sign, layout drawing, submission form and mathematics report."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import Output, write_bytes, write_text

if TYPE_CHECKING:
    from pitboss.games.rules import Rules
    from pitboss.submission import Submission

Submitted = Annotated[Path, typer.Argument(metavar="SUBMISSION", help="A Rules Submission, as TOML.")]
Size = Annotated[str, typer.Option("--format", help="letter, tabloid (11 by 17) or large (24 by 36 inches).")]


def register(app: typer.Typer) -> None:
    for command in (sign, layout, form, report):
        app.command()(command)


def sign(submission: Submitted, output: Output = None, format: Size = "letter") -> None:
    """The payout sign of a submission, as a page to print; as sheets that it fits where the file is a PDF."""
    from pitboss.findings import UnreadableError
    from pitboss.reports.page import FORMATS
    from pitboss.reports.sign import sign_html, sign_sheets

    size = next((known for known in FORMATS if known == format), None)
    if size is None:
        raise UnreadableError(f"There is no format {format!r}; the formats are {', '.join(FORMATS)}.")
    if output is not None and output.suffix.lower() == ".pdf":
        sheets = sign_sheets(*_lawful(submission), size)
        write_bytes(output, sheets.pdf())
        typer.echo(sheets.said)
        return
    write_text(output, sign_html(*_lawful(submission), size))


def layout(submission: Submitted, output: Output = None) -> None:
    """The layout of a submission drawn to scale, every area with its paragraph, as SVG or PDF."""
    from pitboss.reports.layout import layout_pdf, layout_svg

    if output is not None and output.suffix.lower() == ".pdf":
        write_bytes(output, layout_pdf(*_lawful(submission)))
        return
    write_text(output, layout_svg(*_lawful(submission)))


def form(
    submission: Submitted,
    output: Output = None,
    holds: Annotated[bool, typer.Option(help="Count the hold of every wager (seconds to minutes).")] = True,
) -> None:
    """The submission as a form to print, with findings and holds."""
    from pitboss.cli.mathematics import counting
    from pitboss.reports.form import form_html, holds_of
    from pitboss.submission import read_submission, rules_of

    read = read_submission(submission)
    rules, findings = rules_of(read)
    counts = None
    if holds and rules is not None and not findings:
        with counting() as progress:
            counts = holds_of(read, rules, progress)
    write_text(output, form_html(read, holds=counts))


def report(submission: Submitted, output: Output = None) -> None:
    """The mathematics of a submission, as a page to print."""
    from pitboss.cli.mathematics import counting
    from pitboss.reports.math_report import math_report_html

    read, rules = _lawful(submission)
    with counting() as progress:
        page = math_report_html(read, rules, progress)
    write_text(output, page)


def _lawful(path: Path) -> "tuple[Submission, Rules]":
    """A submission that the law has nothing against; a sign or layout of another one would mislead."""
    from pitboss.api import lawful_rules, load_submission

    read = load_submission(path)
    return read, lawful_rules(read)
