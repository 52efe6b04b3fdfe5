"""What the commands share: options that repeat, and how results leave the program. Nothing heavy is imported here."""

import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperCommand

from pitboss.findings import Finding, UnreadableError, errors
from pitboss.names import listed, shortened

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.paper.model import Paper


FOUND, UNREADABLE = 1, 2
"""Exit codes: a check found something; something could not be read."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
ClusterAddress = Annotated[
    str | None, typer.Option("--cluster", help="'local', or the address of a Dask scheduler: tcp://host:8786.")
]
AsOf = Annotated[
    datetime | None,
    typer.Option("--as-of", formats=["%Y-%m-%d"], help="The day whose law applies (YYYY-MM-DD); today if left out."),
]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, as `pitboss games` names it.")]
SubmissionFile = Annotated[Path | None, typer.Option("--submission", help="A Rules Submission to play under.")]
PAPER: Final = ("pdf", "html", "xlsx", "csv", "json")
"""The endings of files that every document can be."""


def file_option(*kinds: str, more: str = "") -> Any:
    """Return the option -o of a command that writes these kinds of file; the name is checked before any work."""

    def checked(output: Path | None) -> Path | None:
        if output is not None:
            from pitboss.paper.files import kind_of

            kind_of(output, dict.fromkeys(kinds))
            check_new(output)
        return output

    endings = listed(f".{kind}" for kind in kinds)
    return typer.Option("--output", "-o", help=f"To this new file: {endings}{more}.", callback=checked)


PaperFile = Annotated[Path | None, file_option(*PAPER)]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file instead of the screen.")]


class SignedNumbers(TyperCommand):
    """A command that reads ``-50`` as a number and not as an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {arg}" if re.match(r"-\.?\d", arg) else arg for arg in args])


def day_of(given: datetime | None) -> date:
    return given.date() if given else date.today()


def print_json(value: Any) -> None:
    typer.echo(as_json(value))


def as_json(value: Any) -> str:
    """JSON of plain values, and of whatever can say itself as one."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=lambda each: each.as_dict())


def present(json: bool, value: Any, show: "Callable[[Console], None]") -> None:
    """A result as JSON, or as it looks on a terminal."""
    if json:
        print_json(value)
        return
    from pitboss.cli.screen import console

    show(console())


def give_out(output: Path | None, json: bool, record: Any, build: "Callable[[int | None], Paper]") -> None:
    """A document to a file, or on the screen, or its record as JSON."""
    if output is not None:
        from pitboss.paper.files import kind_of
        from pitboss.reports.export import exported

        write_bytes(output, exported(kind_of(output), record, build))
        return
    from pitboss.cli.screen import show_paper

    present(json, record, lambda out: show_paper(out, build(None)))


def check_new(output: Path | None) -> None:
    """Refuse, before any work is done, to write over a file."""
    if output is not None and output.exists():
        raise UnreadableError(f"{output} exists already; nothing was written.")


def check_format(output: Path | None, *formats: str) -> None:
    """Refuse, before any work is done, a file whose name promises a format that isn't written, or that is there.

    >>> check_format(Path("house.xlsx"), ".html", ".json")
    Traceback (most recent call last):
    pitboss.findings.UnreadableError: house.xlsx: only .html or .json can be written here; nothing was written.
    """
    if output is not None and output.suffix.lower() not in formats:
        sentence = f"only {listed(formats)} can be written here; nothing was written."
        raise UnreadableError(f"{shortened(str(output))}: {sentence}")
    check_new(output)


def is_paper(output: Path) -> bool:
    """Whether a name asks for a document, and not for a folder."""
    return output.suffix.lower().removeprefix(".") in PAPER


def write_paper(output: Path, record: Any, build: "Callable[[int | None], Paper]", *, quiet: bool) -> None:
    """Write a record as a file of the kind that its name asks for, beside what the screen shows."""
    from pitboss.paper.files import kind_of
    from pitboss.reports.export import exported

    content = exported(kind_of(output), record, build)
    write_new(output, lambda path: path.write_bytes(content), quiet=quiet)


def write_new(output: Path, write: Callable[[Path], object], *, quiet: bool = False) -> None:
    """Write a file that is not there yet."""
    check_new(output)
    try:
        write(output)
    except OSError as problem:
        raise UnreadableError(f"{output} cannot be written: {problem.strerror}.") from None
    if not quiet:
        typer.echo(f"Wrote {output}.")


def write_text(output: Path | None, text: str, *, quiet: bool = False) -> None:
    """Print a text, or write it to a new file."""
    if output is None:
        typer.echo(text, nl=not text.endswith("\n"))
    else:
        write_new(output, lambda path: path.write_text(text, encoding="utf-8"), quiet=quiet)


def write_bytes(output: Path, content: bytes) -> None:
    write_new(output, lambda path: path.write_bytes(content))


@contextmanager
def progress_bar(what: str = "") -> Iterator[Callable[..., None]]:
    """A bar on a terminal while something long lasts, moved by ``(done, total, what)``; elsewhere nothing.

    Each step has a bar of its own, so that its time left follows from its own speed. A step that has only begun shows
    none.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from pitboss.cli.screen import console

    out = console(stderr=True)
    words, count = TextColumn("{task.description}"), TextColumn("{task.fields[count]}")
    columns = (words, BarColumn(), count, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        task = shown.add_task(what, total=None, count="")

        def tell(done: float, total: float, now: str = what) -> None:
            if now != shown.tasks[task].description:
                shown.reset(task, description=now, total=None)
            speed = shown.tasks[task].speed
            rate = f", {speed:,.0f} a second" if speed else ""
            count = f"{done:,} of {total:,}{rate}" if total > 1 else ""
            shown.update(task, completed=done, total=total if done else None, count=count)

        yield tell


def report_findings(findings: "Collection[Finding]", json: bool, clean: str) -> None:
    from pitboss.cli.screen.rounds import show_findings

    present(json, {"findings": [*findings]}, lambda out: show_findings(out, findings))
    if not json and not errors(findings):
        typer.echo(clean)
