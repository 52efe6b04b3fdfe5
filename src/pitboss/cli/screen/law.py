"""How a paragraph looks on a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

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
    if breaks := report["breaks"]:
        how = f"{breaks['caught_by_behavior']} by behavior, {breaks['caught_by_snapshot']} by the snapshot of entries"
        out.print(f"broken on purpose, noticed: {how}" + ("; changed since" if breaks["stale"] else ""))
        _list(out, "broken on purpose, not noticed", breaks["unnoticed"])
    earlier = [f"{entry['cite']}, until {entry['until']}: {entry['text']}" for entry in report["earlier"]]
    _list(out, "before the amendment, as far as the words it deleted give it", earlier)
    _list(out, "notes on the text", [f"{note['cite']}: {note['text']}" for note in report["notes"]])
    _list(out, "below it", [", ".join(report["below"])] if report["below"] else [])


def _list(out: Console, title: str, items: list[str]) -> None:
    if items:
        out.print(f"{title}:")
        for item in items:
            out.print(f"  {escape(item)}", soft_wrap=True)
