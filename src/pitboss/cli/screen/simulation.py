"""Simulations on a terminal."""

from typing import Any

from rich.console import Console

from pitboss.cli.screen import table_of
from pitboss.cli.screen.rounds import WIDE
from pitboss.names import shown
from pitboss.simulate.groups import MAIN
from pitboss.simulate.results import choices, jackpots, rows, side
from pitboss.simulate.totals import Totals


def show_run(out: Console, totals: Totals) -> None:
    plan = totals.plan
    out.print(
        f"{plan.rules}: {totals.rounds:,} rounds, {_seats(totals)}, strategy {plan.strategy.name}, seed {totals.seed}",
        soft_wrap=True,
        highlight=False,
    )
    wide = out.width >= WIDE
    several = wide and len(plan.wagers) > 1
    headings = ("mean", "standard error", "exact", "z", "hits") if wide else ("mean", "exact", "z")
    table = table_of(("wager", "table"), (*headings, *(("deviation, one seat", "the table") if several else ())))
    found = rows(totals)
    for row in found:
        exact = "" if row.exact is None else f"{float(row.exact):+.6f}"
        z = "" if row.z is None else f"{row.z:+.2f}"
        mean = f"{float(row.mean):+.6f}"
        figures = (mean, f"{row.standard_error:.6f}", exact, z, f"{100 * float(row.hit_frequency):.3f} %")
        spreads = (f"{row.deviation:.4f}", f"{row.table_deviation:.4f}") if several else ()
        table.add_row(shown(row.wager), row.paytable, *(figures if wide else (mean, exact, z)), *spreads)
    out.print(table)
    for row in found:
        if row.wager not in (MAIN, row.denominator):
            unit = f"per unit wagered on {shown(row.denominator)}"
            out.print(f"{shown(row.wager)}: {unit}", soft_wrap=True, highlight=False)
    if totals.meters.meters:
        out.print("A share of a meter is a lost stake in all these figures; what the meters paid is below.")
    if made := choices(totals):
        shares = ", ".join(f"{name} {100 * float(share):.2f} %" for name, share in made.items())
        out.print(f"Choices: {shares}", soft_wrap=True, highlight=False)
    if plan.strategy.note:
        out.print(f"Main wagers: {plan.strategy.note}.", soft_wrap=True)
    show_jackpots(out, totals)
    if totals.session:
        show_shifts(out, totals, head=False)


def show_jackpots(out: Console, totals: Totals) -> None:
    if not totals.meters.meters:
        return
    table = table_of(["share of a meter"], ("hits", "rounds between", "mean paid", "largest"))
    for name, row in sorted(jackpots(totals).items()):
        wager, colon, share = name.partition(":")
        table.add_row(
            shown(wager) + colon + share,
            f"{row['hits']:,}",
            f"{row['rounds_between']:,.0f}",
            _dollars(row["mean_paid"]),
            _dollars(row["most_paid"]),
        )
    if table.row_count:
        out.print(table)
    for name, amounts in totals.meters.displayed().items():
        balances = ", ".join(f"{tier} {_dollars(amount)}" for tier, amount in amounts.items())
        out.print(f"Meter {shown(name)} at the end: {balances}", soft_wrap=True, highlight=False)


def show_shifts(out: Console, totals: Totals, head: bool = True) -> None:
    plan = totals.plan
    if head:
        out.print(
            f"{plan.rules}: {totals.house.results.count:,} shifts of {totals.session} rounds, {_seats(totals)}, "
            f"strategy {plan.strategy.name}, seed {totals.seed}",
            soft_wrap=True,
            highlight=False,
        )
    table = table_of(["after a shift"], ("house", "one player"))
    house, player = side(totals.house), side(totals.player)
    for name, value in _figures(house, player):
        table.add_row(name, *value)
    out.print(table)
    if head:
        show_jackpots(out, totals)


def _figures(house: dict[str, Any], player: dict[str, Any]) -> list[tuple[str, tuple[str, str]]]:
    both = (house, player)

    def pair(of: Any) -> tuple[str, str]:
        return of(both[0]), of(both[1])

    return [
        ("mean result", pair(lambda part: _dollars(part["mean"]))),
        ("deviation", pair(lambda part: _dollars(part["deviation"]))),
        *(
            (f"{float(share):.0%} of shifts at most", pair(lambda part, at=share: _dollars(part["quantiles"][at])))
            for share in house["quantiles"]
        ),
        ("worst", pair(lambda part: _dollars(part["least"]))),
        ("best", pair(lambda part: _dollars(part["most"]))),
        ("losing shifts", pair(lambda part: "" if part["losing_share"] is None else f"{part['losing_share']:.3%}")),
        ("mean drawdown", pair(lambda part: _dollars(part["mean_drawdown"]))),
        ("drawdown in 99 % at most", pair(lambda part: _dollars(part["drawdown_quantiles"]["0.99"]))),
        ("largest drawdown", pair(lambda part: _dollars(part["largest_drawdown"]))),
    ]


def _seats(totals: Totals) -> str:
    many = len(totals.plan.wagers)
    return f"{many} seat{'s' if many > 1 else ''}"


def _dollars(cents: float) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) / 100:,.0f}"
