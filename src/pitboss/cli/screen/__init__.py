"""How things look on a terminal: the only place that knows about colours and columns."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Column, Table

if TYPE_CHECKING:
    from pitboss.paper.model import Paper


def console(stderr: bool = False) -> Console:
    """A console that never cuts a sentence short when the output goes to a file or a pipe."""
    made = Console(stderr=stderr, highlight=False, soft_wrap=False)
    if not made.is_terminal:
        made = Console(stderr=stderr, highlight=False, width=160)
    return made


def table_of(left: Iterable[str] = (), right: Iterable[str] = (), *, wrapped: Iterable[str] = ()) -> Table:
    """A plain table: columns that are never cut, set flush left or right, then those that may take several lines."""
    columns = [Column(heading, no_wrap=True) for heading in left]
    columns += [Column(heading, justify="right", no_wrap=True) for heading in right]
    return Table(*columns, *wrapped, box=SIMPLE, pad_edge=False)


def show_paper(out: Console, paper: "Paper") -> None:
    """A document, laid out for this terminal."""
    from pitboss.paper.terminal import terminal_text

    out.print(terminal_text(paper, out.width), soft_wrap=True)
