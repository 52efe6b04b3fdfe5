"""How things look on a terminal: the only place that knows about colours and columns."""

from rich.console import Console


def console(stderr: bool = False) -> Console:
    """A console that never cuts a sentence short when the output goes to a file or a pipe."""
    made = Console(stderr=stderr, highlight=False, soft_wrap=False)
    if not made.is_terminal:
        made = Console(stderr=stderr, highlight=False, width=160)
    return made
