"""Commands of the law as the software knows it."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.mathematics import lint_mathematics
from pitboss.cli.options import (
    FOUND,
    AsOf,
    Json,
    PaperFile,
    day_of,
    give_out,
    present,
    print_json,
    report_findings,
)
from pitboss.findings import UnreadableError, errors

law_app = typer.Typer(help="The law as the software knows it.", no_args_is_help=True, rich_markup_mode=None)


def register(app: typer.Typer) -> None:
    app.add_typer(law_app, name="law")


@law_app.command("show")
def law_show(
    cite: Annotated[str, typer.Argument(metavar="CITE", help="A paragraph, written like 111a.11(c)(3).")],
    json: Json = False,
) -> None:
    """What the software does for a paragraph, where, and which tests prove it."""
    from pitboss.cli.screen.law import show_paragraph
    from pitboss.law.report import paragraph_report

    report = paragraph_report(cite)
    present(json, report, lambda out: show_paragraph(out, report))


@law_app.command("coverage")
def law_coverage(
    output: PaperFile = None,
    json: Json = False,
    status: Annotated[
        str | None, typer.Option("--list", help="List paragraphs: tested, named, encoded, physical or missing.")
    ] = None,
) -> None:
    """How many paragraphs are tested, named by a test, encoded, physical or missing."""
    from pitboss.law.coverage import STATUSES, with_status
    from pitboss.reports.coverage import coverage_figures, coverage_paper

    if status is not None:
        wanted = next((known for known in STATUSES if known == status), None)
        if wanted is None:
            raise UnreadableError(f"{status!r} is not a status: {', '.join(STATUSES)}")
        rows = [{"cite": str(p.cite), "does": p.does} for p in with_status(wanted)]
        if json:
            print_json(rows)
        else:
            for row in rows:
                typer.echo(f"{row['cite']:<24}{row['does']}")
        return
    found = coverage_figures()
    give_out(output, json, found, partial(coverage_paper, found))


@law_app.command("lint")
def law_lint(
    texts: Annotated[
        Path | None, typer.Option(help="A folder with the texts of the chapters, to compare every figure.")
    ] = None,
    mathematics: Annotated[bool, typer.Option(help="Also compute the hold of every pay table (some seconds).")] = True,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Check the rulebook itself: citations, dates, odd pay tables, holds and, with --texts, every figure."""
    from pitboss.law.lint import lint

    if texts is not None and not texts.is_dir():
        raise UnreadableError(f"{texts} is not a folder.")
    findings = [*lint(texts), *(lint_mathematics(day_of(as_of)) if mathematics else ())]
    report_findings(findings, json, "The rulebook is in order.")
    if errors(findings):
        raise typer.Exit(FOUND)


@law_app.command("notes")
def law_notes(
    number: Annotated[
        str | None, typer.Argument(metavar="[CHAPTER]", help="Its number, written like 111a; all if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Defects and ambiguities of the text, with the reading that is implemented."""
    from pitboss.law.notes import notes

    found = notes(number)
    if json:
        print_json({"notes": found})
        return
    for note in found:
        typer.echo(f"{note['cite']}  {note['name']}\n    {note['text']}")
