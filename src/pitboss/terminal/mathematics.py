"""Exact figures on a terminal."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from pitboss.cards import show_card, show_cards
from pitboss.exact.edge import Variant
from pitboss.exact.rulelist import RuleList
from pitboss.exact.strategy import HandAnalysis
from pitboss.exact.target import Change
from pitboss.exact.value import Valued
from pitboss.hands.labels import TITLES
from pitboss.names import shown
from pitboss.terminal.rounds import WIDE


def percent(share: float | Fraction, digits: int = 4) -> str:
    return f"{100 * float(share):.{digits}f} %"


def show_edges(out: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    wide = out.width >= WIDE
    table = Table(box=SIMPLE, pad_edge=False)
    for heading in ("wager", "table", "reading", "paragraph") if wide else ("wager", "table", "reading"):
        table.add_column(heading, no_wrap=True)
    for heading in ("hold", "deviation", "hits") if wide else ("hold", "deviation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("expected value", "published") if wide else ():
        table.add_column(heading, ratio=1)
    for row in rows:
        name = (shown(row["wager"]), row["paytable"], row["reading"])
        figures = (percent(row["house_edge"]), _number(row.get("standard_deviation")))
        hits = percent(row["hit_frequency"], 2) if "hit_frequency" in row else ""
        more = (hits, _expected(row), row.get("published") or "")
        table.add_row(*((*name, row["cite"], *figures, *more) if wide else (*name, *figures)))
    out.print(table)
    for row in rows:
        _more(out, row)


def _expected(row: Mapping[str, Any]) -> str:
    if "bound" in row:
        return f"at least {row['expected_value']} ± {row['standard_error']:.5f}"
    return str(row["expected_value"])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _more(out: Console, row: Mapping[str, Any]) -> None:
    name = f"{shown(row['wager'])} {row['paytable']} {row['reading']}".strip()
    if out.width < WIDE:
        known = f"; published: {row['published']}" if row.get("published") else ""
        out.print(f"{name}: expected value {_expected(row)} [{row['cite']}]{known}", soft_wrap=True, markup=False)
    if "element_of_risk" in row:
        choices = ", ".join(f"{choice} {percent(share, 2)}" for choice, share in row["choices"].items())
        out.print(
            f"{name}: {percent(row['house_edge'])} of the Ante, {percent(row['house_edge_required'])} of required "
            f"wagers, {percent(row['element_of_risk'])} of all {row['average_total_wager']:.4f} Antes; {choices}",
            soft_wrap=True,
        )
    if "jackpots" in row:
        jackpots = ", ".join(f"{tier} with probability {won['probability']}" for tier, won in row["jackpots"].items())
        out.print(f"{name}: the hold is without the meter's share; {jackpots}", soft_wrap=True)
    if "bound" in row:
        out.print(f"{name}: {row['bound']}. Strategy: {row['strategy']}", soft_wrap=True)


def show_hand(out: Console, analysis: HandAnalysis) -> None:
    up = f", dealer shows {show_card(analysis.up)}" if analysis.up is not None else ""
    out.print(f"{show_cards(analysis.cards)}: {analysis.hand}{up}; {analysis.dealer_hands:,} dealer's hands")
    table = Table(box=SIMPLE, pad_edge=False)
    table.add_column("choice")
    table.add_column("value in Antes", justify="right")
    table.add_column("exactly")
    for name, worth in sorted(analysis.values.items(), key=lambda item: item[1], reverse=True):
        marked = f"[bold]{name}[/bold]" if name == analysis.best or name in analysis.ties else name
        table.add_row(marked, f"{float(worth):+.6f}", str(worth))
    out.print(table)
    for gone, worth in list(analysis.exchanges.items())[:3]:
        out.print(f"exchange {show_cards(gone)}: {float(worth):+.6f}")


def show_strategy(out: Console, game: str, best: Valued, lists: Iterable[RuleList]) -> None:
    result = best.result
    choices = ", ".join(f"{choice} {percent(share, 2)}" for choice, share in result.choices.items())
    hold = percent(-result.expected_value)
    out.print(f"{game}, best play: {hold} of the Ante; {choices}; {best.ties} states with a tie")
    for found in lists:
        cost = f"costs {float(found.cost):.6f} of the Ante" if found.cost else "costs nothing"
        out.print(f"\n[bold]{found.name}[/bold]: {percent(-found.expected_value)}, {cost}")
        for sentence in found.sentences:
            out.print(f"  {sentence}", soft_wrap=True)


def show_targets(out: Console, variant: Variant, now: Fraction, changes: Sequence[Change]) -> None:
    out.print(
        f"{shown(variant.wager)} {variant.letter} holds {percent(now)}; single rows that bring it into the range:"
    )
    if not changes:
        out.print("  none: no single row of whole odds does.")
        return
    table = Table(box=SIMPLE, pad_edge=False)
    for heading in ("row", "pays", "from", "to", "hold from", "hold to"):
        table.add_column(heading)
    for change in changes:
        ends = percent(change.hold_at_least), percent(change.hold_at_most)
        table.add_row(TITLES[change.row], str(change.was), str(change.least), str(change.most), *ends)
    out.print(table)


def show_progressive(out: Console, report: Mapping[str, Any]) -> None:
    """Every figure of the report, a line each; tables inside it are indented."""
    for name, value in report.items():
        _lines(out, name, value, 0)


def _lines(out: Console, name: str, value: Any, depth: int) -> None:
    indent = "  " * depth
    label = str(name).replace("_", " ")
    value = shown(value) if isinstance(value, str) and re.fullmatch(r"[a-z]+(_[a-z]+)+", value) else value
    if isinstance(value, Mapping):
        out.print(f"{indent}{label}:")
        for inner, each in value.items():
            _lines(out, inner, each, depth + 1)
    elif isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
        out.print(f"{indent}{label}:")
        for number, each in enumerate(value, 1):
            _lines(out, str(number), each, depth + 1)
    else:
        out.print(f"{indent}{label}: {value}", soft_wrap=True)
