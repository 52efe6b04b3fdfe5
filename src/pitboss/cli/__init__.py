"""The ``pitboss`` command: a thin layer over the public interface. Everything heavy is imported when it is needed."""

import sys
import warnings
from typing import Annotated

import typer

from pitboss.cli import accounts, law, mathematics, pit, reports, rounds, school, simulation, submission, wagers
from pitboss.cli.options import FOUND, UNREADABLE

LONGEST_PATH = 200

app = typer.Typer(
    help="Pennsylvania's table-game regulations (58 Pa. Code, Subpart K) as cited, dated, executable law. "
    "For training, analysis and demonstration; not approved for wagering money.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


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


_ORDINARY = warnings.formatwarning


def _plain_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Write warnings of this program as sentences, without the line of code that raised them."""
    ours = category.__module__.startswith("pitboss.")
    return f"pitboss: {message}\n" if ours else _ORDINARY(message, category, filename, lineno, line)


for room in (rounds, mathematics, wagers, pit, accounts, reports, simulation, law, submission, school):
    room.register(app)


def main() -> None:
    """Run the command; what the user can mend is said in a sentence, never in a traceback."""
    # Importing these costs nothing to `pitboss --help`: they are small and stand alone.
    from pitboss.findings import FindingsError, PitbossError, UnreadableError

    warnings.formatwarning = _plain_warning
    try:
        app()
    except FindingsError as problem:
        for finding in problem.findings:
            typer.echo(f"pitboss: {finding}", err=True)
        sys.exit(FOUND)
    except PitbossError as problem:
        sentences = [each.sentence for each in problem.findings] if isinstance(problem, UnreadableError) else [problem]
        for sentence in sentences:
            typer.echo(f"pitboss: {sentence}", err=True)
        sys.exit(UNREADABLE)
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
