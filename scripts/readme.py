"""Writes the coverage table of the README from the command's own output; `make proofs` runs it."""

import io
import re
from pathlib import Path

from rich.console import Console

from pitboss.cli.screen.law import show_coverage
from pitboss.law.coverage import coverage

README = Path(__file__).parents[1] / "README.md"
COMMAND = "$ pitboss law coverage"


def coverage_block() -> str:
    """What the command prints, without the blank lines around it and the blanks behind it."""
    out = io.StringIO()
    show_coverage(Console(file=out, width=160, highlight=False), coverage())
    return "\n".join(line.rstrip() for line in out.getvalue().strip("\n").splitlines()).strip("\n")


def with_coverage(readme: str) -> str:
    """The text of the README with the table of today."""
    block = re.compile(rf"(?<=^{re.escape(COMMAND)}\n).*?(?=\n```$)", re.M | re.S)
    if not block.search(readme):
        raise SystemExit(f"The README shows no output of {COMMAND!r}.")
    return block.sub(lambda _: coverage_block(), readme, count=1)


if __name__ == "__main__":
    README.write_text(with_coverage(README.read_text(encoding="utf-8")), encoding="utf-8")
