"""How paragraphs and coverage look on a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

MOST_TESTS = 12


def show_paragraph(out: Console, report: Mapping[str, Any]) -> None:
    amended = f", amended {', '.join(report['amended'])}" if report["amended"] else ""
    out.print(
        f"[bold]{report['cite']}[/bold]  {report['section']} (text in force since {report['in_force_since']}{amended})"
    )
    if report["printed"] == "partly":
        out.print("Only parts of this chapter are printed; what rests on other sources says so.")
    out.print(f"{report['status']}: {escape(report['does'])}")
    _list(out, "where", report["where"])
    tests = report["tests"]
    more = [f"and {len(tests) - MOST_TESTS} more (--json lists all)"] if len(tests) > MOST_TESTS else []
    _list(out, "proved by", tests[:MOST_TESTS] + more)
    _list(out, "notes on the text", [f"{note['cite']}: {note['text']}" for note in report["notes"]])
    _list(out, "below it", [", ".join(report["below"])] if report["below"] else [])


def _list(out: Console, title: str, items: list[str]) -> None:
    if items:
        out.print(f"{title}:")
        for item in items:
            out.print(f"  {escape(item)}", soft_wrap=True)


def show_coverage(out: Console, counts: Mapping[str, Mapping[str, int]], unprinted: Sequence[str]) -> None:
    """Last of all paragraphs that are not at hand, though something is carried for them."""
    headings = list(next(iter(counts.values())))
    table = Table(box=SIMPLE, pad_edge=False)
    table.add_column("chapter")
    for heading in headings:
        table.add_column(heading, justify="right")
    for chapter, row in counts.items():
        table.add_row(chapter, *(str(row[heading]) for heading in headings))
    table.add_section()
    table.add_row("all", *(str(sum(row[heading] for row in counts.values())) for heading in headings))
    out.print(table)
    _list(out, "not printed, and not counted", [", ".join(unprinted)] if unprinted else [])
