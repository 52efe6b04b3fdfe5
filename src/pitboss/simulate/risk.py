"""What a shift may bring, as files: distributions and drawdowns of the house and of a player, and meters at hits."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.findings import UnreadableError
from pitboss.simulate.figures import run_figures
from pitboss.simulate.totals import Spread, Totals
from pitboss.spreadsheet import csv_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CENT = 10_000
_DOLLAR = 100 * _CENT
_OUTER, _BARS = 0.01, 60
"""The part of the shifts on each side that is left out of a plot, and about how many bars it has."""


def write_shift_report(totals: Totals, folder: Path) -> list[Path]:
    """Write ``shift.json``, the distributions and hits as CSV, and plots where Matplotlib is installed."""
    try:
        folder.mkdir(parents=True)
    except OSError as problem:
        raise UnreadableError(f"{folder} cannot be made: {problem.strerror}.") from None
    written = [folder / "shift.json"]
    written[0].write_text(json.dumps(run_figures(totals).as_dict(), indent=2) + "\n", encoding="utf-8")
    for name, spread in _spreads(totals):
        written.append(folder / f"{name}.csv")
        _write(written[-1], ("from", "to", "shifts"), _bins(spread))
    if totals.meters.rows:
        written.append(folder / "meter-hits.csv")
        hits = (
            (hit.round, hit.seat, hit.wager, hit.meter, hit.odds, _money(hit.paid * _CENT))
            for hit in totals.meters.listed
        )
        _write(written[-1], ("round", "seat", "wager", "meter", "share", "paid"), hits)
    if totals.meters.meters:
        written.append(folder / "meter-path.csv")
        path = (
            (meter, jackpot, number, _money(amount * _CENT))
            for (meter, jackpot), points in totals.meters.paths().items()
            for number, amount in points
        )
        _write(written[-1], ("meter", "jackpot", "round", "amount"), path)
    return written + plots(totals, folder)


def _spreads(totals: Totals) -> Iterator[tuple[str, Spread]]:
    yield "house-result", totals.house.results
    yield "house-drawdown", totals.house.drawdowns
    yield "player-result", totals.player.results
    yield "player-drawdown", totals.player.drawdowns


def _bins(spread: Spread) -> Iterator[tuple[str, str, int]]:
    for place, shifts in sorted(spread.bins.items()):
        yield _money(place * spread.step), _money((place + 1) * spread.step), shifts


def _money(units: int) -> str:
    """Dollars and cents without a float; bins and pays are whole cents."""
    cents = units // _CENT
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _write(path: Path, head: tuple[str, ...], lines: Iterator[tuple[Any, ...]]) -> None:
    path.write_text(csv_text(head, lines), encoding="utf-8", newline="")


def plots(totals: Totals, folder: Path) -> list[Path]:
    """The distributions drawn as SVG; none where the extra ``reports`` is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return []
    plan = totals.plan
    figure = Figure(figsize=(10, 7), layout="constrained")
    axes = figure.subplots(2, 2)
    for place, (name, spread) in zip(axes.flat, _spreads(totals), strict=True):
        _draw(place, name.replace("-", "'s "), spread)
    figure.suptitle(
        f"{plan.rules}: {totals.house.results.count:,} shifts of {totals.session} rounds, seed {totals.seed}"
    )
    return [_saved(figure, folder / "shift.svg", totals), *_meter_plot(totals, folder)]


def _saved(figure: "Figure", path: Path, totals: Totals) -> Path:
    """A fixed salt and no date: the same run draws the same bytes."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": totals.plan.fingerprint}):
        figure.savefig(path, metadata={"Date": None})
    return path


def _draw(axes: "Axes", title: str, spread: Spread) -> None:
    """Bars of equal width, those below zero in red. The outermost hundredths would squeeze the rest into a line."""
    from matplotlib.ticker import MaxNLocator

    low, high = spread.quantile(_OUTER), spread.quantile(1 - _OUTER)
    together = max(1, round((high - low) / spread.step / _BARS))
    bars: dict[int, int] = {}
    outside = 0
    for place, shifts in spread.bins.items():
        if low < (place + 1) * spread.step <= high + spread.step:
            bars[place // together] = bars.get(place // together, 0) + shifts
        else:
            outside += shifts
    width = together * spread.step / _DOLLAR
    colours = ["#a3182b" if place < 0 else "#1d6b4a" for place in bars]
    axes.bar([place * width for place in bars], list(bars.values()), width=width, align="edge", color=colours)
    axes.axvline(0, linewidth=0.8, color="black")
    axes.set_title(f"{title} ({outside:,} shifts outside the picture)" if outside else title, fontsize=10)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.xaxis.set_major_formatter(lambda value, _: f"{'-' if value < 0 else ''}${abs(value):,.0f}")
    axes.set_ylabel("shifts")


def _meter_plot(totals: Totals, folder: Path) -> list[Path]:
    """The path of each jackpot with the hits on its meter."""
    from matplotlib.figure import Figure

    paths = totals.meters.paths()
    if not paths:
        return []
    figure = Figure(figsize=(10, 3 * len(paths)), layout="constrained")
    for axes, ((meter, jackpot), points) in zip(
        figure.subplots(len(paths), 1, squeeze=False).flat, paths.items(), strict=True
    ):
        hits = [hit for hit in totals.meters.listed if hit.meter == meter]
        axes.plot(*zip(*((number, cents / 100) for number, cents in points), strict=True), color="#1d6b4a")
        axes.plot([hit.round for hit in hits], [hit.paid / 100 for hit in hits], "o", markersize=3.5, color="#a3182b")
        name = meter if jackpot == "meter" else f"{meter}, {jackpot}"
        axes.set_title(f"{name.replace('_', ' ')}: what the sign shows, and what hits were paid", fontsize=10)
        axes.set_xlabel("round")
        axes.set_xlim(0, totals.rounds)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("${x:,.0f}")
    return [_saved(figure, folder / "meters.svg", totals)]
