"""Commands that print: payout sign, layout drawing, submission form, petition and mathematics report."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import (
    FOUND,
    PAPER,
    Output,
    PaperFile,
    check_format,
    check_new,
    file_option,
    give_out,
    write_bytes,
    write_text,
)
from pitboss.cli.questions import TableFile
from pitboss.findings import UnreadableError

if TYPE_CHECKING:
    from pitboss.games.rules import Rules
    from pitboss.submission import Submission

Submitted = Annotated[Path, typer.Argument(metavar="SUBMISSION", help="A Rules Submission, as TOML.")]
Size = Annotated[str, typer.Option("--format", help="letter, tabloid (11 by 17) or large (24 by 36 inches).")]


signature_app = typer.Typer(
    help="Signatures of reports: Ed25519, as OpenSSL reads them.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    app.add_typer(signature_app, name="signature")
    for command in (sign, layout, form, petition, report):
        app.command()(command)


def sign(
    submission: Submitted,
    output: PaperFile = None,
    format: Size = "letter",
) -> None:
    """The payout sign of a submission. As PDF it fills one sheet, in type as large as there is room for."""
    from pitboss.reports.sign import sign_paper, sign_record

    size = _size(format)
    read, rules = _lawful(submission)
    build = partial(sign_paper, read, rules, size)
    if output is None or output.suffix.lower() != ".pdf":
        give_out(output, False, sign_record(read, rules), build)
        return
    from pitboss.paper.pdf import typeset
    from pitboss.reports.stamp import printing_time

    made = typeset(build(printing_time()))
    write_bytes(output, made.pdf())
    typer.echo(made.fit())


def layout(
    submission: Submitted,
    output: Annotated[Path | None, file_option(*PAPER, "svg")] = None,
    format: Size = "letter",
) -> None:
    """The layout of a submission drawn to scale, and its areas with their paragraphs. SVG is the drawing alone."""
    from pitboss.reports.layout import layout_paper, layout_record, layout_svg

    size = _size(format)
    read, rules = _lawful(submission)
    if output is not None and output.suffix.lower() == ".svg":
        write_text(output, layout_svg(read, rules))
        return
    give_out(output, False, layout_record(read, rules), partial(layout_paper, read, rules, size))


def form(
    submission: Submitted,
    output: PaperFile = None,
    holds: Annotated[bool, typer.Option(help="Count the hold of every wager (seconds to minutes).")] = True,
) -> None:
    """The submission as a form to sign, with findings and holds."""
    from pitboss.cli.questions import counting
    from pitboss.reports.form import form_paper, form_record, holds_of
    from pitboss.submission import read_submission, rules_of

    read = read_submission(submission)
    rules, findings = rules_of(read)
    counts = None
    if holds and rules is not None and not findings:
        with counting() as progress:
            counts = holds_of(read, rules, progress)
    give_out(output, False, form_record(read, counts), partial(form_paper, read, counts))


def petition(
    submission: Submitted,
    state: Annotated[str, typer.Option(help="Whose items: NJ, MA, MD, NV or PA.")],
    output: PaperFile = None,
    holds: Annotated[bool, typer.Option(help="Count every wager (seconds to minutes).")] = True,
    play: Annotated[
        bool, typer.Option(help="Basic play on the rack card: seconds; for a hold'em game a minute and 3 GB.")
    ] = True,
) -> None:
    """A petition for the game of a submission: what a state asks for, each item shown in it or named as missing."""
    from pitboss.cli.questions import counting
    from pitboss.reports.petition import petition_of

    read, rules = _lawful(submission)
    with counting() as progress:
        found = petition_of(read, rules, state.upper(), progress, holds=holds, play=play)
    give_out(output, False, found, found.paper)


def report(
    submission: Submitted,
    output: Output = None,
    play: Annotated[
        bool, typer.Option(help="Best play and what other play costs: seconds; for a hold'em game a minute and 3 GB.")
    ] = True,
    simulate: Annotated[str, typer.Option(metavar="ROUNDS", help="Play so many rounds as evidence: 1e6, ...")] = "0",
    seed: Annotated[int, typer.Option(help="Which rounds are played.")] = 1,
    second_opinion: Annotated[
        bool,
        typer.Option("--second-opinion", help="Derive the figures again by another program: hold'em takes minutes."),
    ] = False,
    table: TableFile = None,
    author: Annotated[str, typer.Option(help="Who answers for the report.")] = "",
    laboratory: Annotated[str, typer.Option(help="For which laboratory.")] = "",
    sign: Annotated[
        Path | None, typer.Option("--sign", metavar="KEY", help="Sign the file with this private key.")
    ] = None,
) -> None:
    """The mathematics of a submission as HTML, or as .pdf, .xlsx, .csv or .json by the name of the file."""
    from pitboss.cli.questions import counting
    from pitboss.paper.files import MEDIA, kind_of
    from pitboss.reports.math_report import ReportParts, report_file
    from pitboss.reports.method import Provenance
    from pitboss.typed import typed_count

    check_format(output, *(f".{kind}" for kind in MEDIA))
    private = None
    if sign is not None:
        from pitboss.reports.signing import read_private, signature_path

        private = read_private(sign)
        if output is None:
            raise UnreadableError("A signature lies beside a file: name the file with -o.")
        check_new(signature_path(output))
    read, rules = _lawful(submission)
    rounds = typed_count(simulate) if simulate != "0" else 0
    if table is not None:
        from pitboss.exact.whatif import what_if_file

        rules = what_if_file(rules, table)
    what_if = None if table is None else table.read_bytes()
    provenance = Provenance(author, laboratory, _command(submission), submission.read_bytes(), what_if)
    wanted = ReportParts(provenance, play, rounds, seed, second_opinion)
    with counting() as progress:
        written = report_file(read, rules, "html" if output is None else kind_of(output), progress, wanted)
    if output is None:
        write_text(None, written.decode())
        return
    write_bytes(output, written)
    if private is not None:
        from pitboss.reports.signing import signature_path, signed

        write_bytes(signature_path(output), signed(private, written))


def _command(submission: Path) -> str:
    """The command line as it was given, without the private key, which stays secret."""
    import shlex
    import sys

    words = sys.argv[1:]
    if "--sign" in words:
        at = words.index("--sign")
        words = words[:at] + words[at + 2 :]
    words = [word for word in words if not word.startswith("--sign=")]
    return shlex.join(["pitboss", *(words or ["report", str(submission)])])


@signature_app.command("new")
def new_key(
    key: Annotated[Path, typer.Argument(metavar="KEY", help="A new file for the private key.")],
) -> None:
    """Make a key pair: the private key as PEM, the public one beside it with .pub at the end."""
    from pitboss.reports.signing import new_pair, public_path

    check_new(key)
    check_new(public_path(key))
    new_pair(key)
    typer.echo(f"Wrote {key}, which only you may read, and {public_path(key)}.")


@signature_app.command("check")
def check_signature(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A signed file; FILE.sig lies beside it.")],
    public: Annotated[Path, typer.Argument(metavar="PUBLIC_KEY", help="The signer's public key, as PEM.")],
) -> None:
    """Check that a file is what was signed. The exit code is 1 if it isn't."""
    from pitboss.reports.signing import check

    problem = check(file, public)
    typer.echo(problem or f"{file} is what was signed with the private key to {public}.", err=bool(problem))
    if problem:
        raise typer.Exit(FOUND)


def _size(format: str) -> str:
    from pitboss.paper.model import SHEETS

    if format not in SHEETS:
        raise UnreadableError(f"There is no format {format!r}; the formats are {', '.join(SHEETS)}.")
    return format


def _lawful(path: Path) -> "tuple[Submission, Rules]":
    """A submission that the law has nothing against; a sign or layout of another one would mislead."""
    from pitboss.api import lawful_rules, load_submission

    read = load_submission(path)
    return read, lawful_rules(read)
