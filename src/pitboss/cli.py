"""The ``pitboss`` command: a thin layer over the public interface. Everything heavy is imported when it is needed."""

import json as json_module
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from pitboss.cli_accounts import register as register_accounts
from pitboss.cli_math import lint_mathematics
from pitboss.cli_math import register as register_mathematics
from pitboss.cli_pit import register as register_pit
from pitboss.cli_reports import register as register_reports
from pitboss.cli_sim import register as register_simulation

FOUND, UNREADABLE = 1, 2
"""Exit codes: a check found something; something could not be read."""
LONGEST_PATH = 200

app = typer.Typer(
    help="Pennsylvania's table-game regulations (58 Pa. Code, Subpart K) as cited, dated, executable law. "
    "For training, analysis and demonstration; not approved for wagering money.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
law_app = typer.Typer(help="The law as the software knows it.", no_args_is_help=True, rich_markup_mode=None)
submission_app = typer.Typer(
    help="Rules Submissions: the operator's choices.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(law_app, name="law")
app.add_typer(submission_app, name="submission")

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
AsOf = Annotated[
    datetime | None,
    typer.Option("--as-of", formats=["%Y-%m-%d"], help="The day whose law applies (YYYY-MM-DD); today if left out."),
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="three-card-poker, four-card-poker, ...")]


def _day(given: datetime | None) -> date:
    return given.date() if given else date.today()


def _print_json(value: Any) -> None:
    typer.echo(json_module.dumps(value, indent=2, ensure_ascii=False))


def _stop(sentence: object, code: int = UNREADABLE) -> NoReturn:
    typer.echo(f"pitboss: {sentence}", err=True)
    raise typer.Exit(code)


def _version(wanted: bool) -> None:
    if wanted:
        from pitboss import __version__

        typer.echo(f"pitboss {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    del version


@app.command()
def games(json: Json = False, as_of: AsOf = None) -> None:
    """The games, with their wagers and pay tables in force."""
    from pitboss.catalog import catalog

    entries = catalog(_day(as_of))
    if json:
        _print_json(entries)
        return
    from pitboss.terminal.rounds import console

    out = console()
    for entry in entries:
        out.print(
            f"[bold]{entry['name']}[/bold]  {entry['title']}, chapter {entry['chapter']}, up to {entry['seats']} seats"
        )
        for wager in entry["wagers"]:
            letters = f"  pay tables {' '.join(wager['paytables'])}" if wager["paytables"] else ""
            offer = "optional" if wager["optional"] else ""
            out.print(f"  {wager['title']:<52}{wager['cite']:<16}{offer:<10}in files: {wager['name']}{letters}")


@app.command()
def settle(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A round in TOML.")],
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Settle a round file, each line with its paragraph."""
    from pitboss.api import settle_file

    settlement = settle_file(file, _day(as_of))
    if json:
        _print_json(settlement.as_dict())
    elif not settlement.findings:
        from pitboss.terminal.rounds import console, show_settlement

        show_settlement(console(), settlement)
    if settlement.findings:
        for finding in settlement.findings:
            typer.echo(f"pitboss: {finding}", err=True)
        typer.echo("pitboss: nothing was settled.", err=True)
        raise typer.Exit(FOUND)


@app.command()
def deal(
    game: GameName,
    seats: Annotated[int | None, typer.Option(help="How many seats play; three if left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="Deal the same round again.")] = None,
    submission: Annotated[Path | None, typer.Option(help="A Rules Submission to play under.")] = None,
    device: Annotated[str | None, typer.Option(help="manual-shoe, hand or automated-shoe.")] = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Deal a round by the book, play it, settle it."""
    from pitboss.demonstration import demonstrate

    shown = demonstrate(game, _day(as_of), seats=seats, seed=seed, submission=submission, device=device)
    if json:
        _print_json(shown.as_dict())
    else:
        from pitboss.terminal.rounds import console

        shown.show(console())


@app.command()
def demo(seed: Annotated[int, typer.Option(help="Which rounds.")] = 11, as_of: AsOf = None) -> None:
    """Deal and settle one demonstration round of every game."""
    from pitboss.api import game_names
    from pitboss.demonstration import NOTICE, demonstrate
    from pitboss.terminal.rounds import console

    out = console()
    for name in game_names():
        out.rule(name)
        demonstrate(name, _day(as_of), seed=seed).show(out)
    out.print(NOTICE)


register_mathematics(app)
register_pit(app)
register_accounts(app)
register_reports(app)
register_simulation(app)


@law_app.command("show")
def law_show(
    cite: Annotated[str, typer.Argument(metavar="CITE", help="For example 641a.11(c)(3).")], json: Json = False
) -> None:
    """What the software does for a paragraph, where, and which tests prove it."""
    from pitboss.law.report import paragraph_report

    report = paragraph_report(cite)
    if json:
        _print_json(report)
        return
    from pitboss.terminal.law import show_paragraph
    from pitboss.terminal.rounds import console

    show_paragraph(console(), report)


@law_app.command("coverage")
def law_coverage(
    json: Json = False,
    status: Annotated[
        str | None, typer.Option("--list", help="List paragraphs: tested, encoded, physical or missing.")
    ] = None,
) -> None:
    """How many paragraphs are tested, encoded, physical or missing."""
    from pitboss.law.coverage import STATUSES, coverage, with_status

    if status is not None:
        wanted = next((known for known in STATUSES if known == status), None)
        if wanted is None:
            _stop(f"{status!r} is not a status: {', '.join(STATUSES)}")
        rows = [{"cite": str(p.cite), "does": p.does} for p in with_status(wanted)]
        if json:
            _print_json(rows)
        else:
            for row in rows:
                typer.echo(f"{row['cite']:<24}{row['does']}")
        return
    counts = coverage()
    if json:
        _print_json({"chapters": counts})
        return
    from pitboss.terminal.law import show_coverage
    from pitboss.terminal.rounds import console

    show_coverage(console(), counts)


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
    from pitboss.findings import errors
    from pitboss.law.lint import lint

    if texts is not None and not texts.is_dir():
        _stop(f"{texts} is not a folder.")
    findings = [*lint(texts), *(lint_mathematics(_day(as_of)) if mathematics else ())]
    _report(findings, json, "The rulebook is in order.")
    if errors(findings):
        raise typer.Exit(FOUND)


@law_app.command("notes")
def law_notes(
    number: Annotated[
        str | None, typer.Argument(metavar="[CHAPTER]", help="For example 684a; all if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Defects and ambiguities of the text, with the reading that is implemented."""
    from pitboss.law.notes import notes

    found = notes(number)
    if json:
        _print_json({"notes": found})
        return
    for note in found:
        typer.echo(f"{note['cite']}  {note['name']}\n    {note['text']}")


@submission_app.command("new")
def submission_new(
    game: GameName,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead of the screen.")
    ] = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Write a commented Rules Submission with every choice of a game."""
    from pitboss.submission import template

    text = template(game, _day(as_of))
    if output is None:
        if json:
            _print_json({"game": game, "template": text})
        else:
            typer.echo(text, nl=False)
        return
    if output.exists():
        _stop(f"{output} exists already; nothing was written.")
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as problem:
        _stop(f"{output} cannot be written: {problem.strerror}.")
    if json:
        _print_json({"game": game, "file": str(output)})
    else:
        typer.echo(f"Wrote {output}.")


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
        _print_json({"findings": [f.as_dict() for f in wrong], "notes": [f.as_dict() for f in remarks]})
    else:
        _report(everything if notes else wrong, json, "The submission agrees with the law.")
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
        _print_json({"changes": [change.as_dict() for change in changes]})
        return
    for change in changes:
        typer.echo(str(change))
    if not changes:
        typer.echo("The two submissions make the same choices.")


def _report(findings: Any, json: bool, clean: str) -> None:
    if json:
        _print_json({"findings": [finding.as_dict() for finding in findings]})
        return
    from pitboss.findings import errors
    from pitboss.terminal.rounds import console, show_findings

    show_findings(console(), findings)
    if not errors(findings):
        typer.echo(clean)


def main() -> None:
    """Run the command; what the user can mend is said in a sentence, never in a traceback."""
    # Importing these costs nothing to `pitboss --help`: they are small and stand alone.
    from pitboss.findings import FindingsError, UnreadableError

    try:
        app()
    except UnreadableError as problem:
        typer.echo(f"pitboss: {problem}", err=True)
        sys.exit(UNREADABLE)
    except FindingsError as problem:
        for finding in problem.findings:
            typer.echo(f"pitboss: {finding}", err=True)
        sys.exit(FOUND)
    except ModuleNotFoundError as missing:
        from pitboss.extras import sentence_of

        typer.echo(f"pitboss: {sentence_of(missing)}", err=True)
        sys.exit(UNREADABLE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as problem:
        # A path of the user's that the machine will not have: too long, a folder, a disk that is full.
        what = problem.filename if isinstance(problem.filename, str) else "A file"
        shown = what if len(what) <= LONGEST_PATH else f"{what[:LONGEST_PATH]}..."
        typer.echo(f"pitboss: {shown} cannot be used: {problem.strerror or problem}.", err=True)
        sys.exit(UNREADABLE)


if __name__ == "__main__":
    main()
