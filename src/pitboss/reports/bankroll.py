"""A whole table as a document: its wagers, how they vary together, and what the house and a player must hold."""

from collections.abc import Iterator
from typing import Final

from pitboss.law.model import SINGLE
from pitboss.names import several
from pitboss.paper.model import Block, CellKind, Column, Datum, Figures, Listing, Paper, Remark, passages
from pitboss.paper.model import Row as Cells
from pitboss.reports.stamp import imprint_for
from pitboss.simulate.whole_table import Measured, Reserve, Shared, WholeTable

WAGERS: Final = (
    Column("wager", "Wager", CellKind.NAME),
    Column("table", "Table", rank=2),
    Column("stake", "Stake", CellKind.MONEY),
    Column("mean", "Mean, $", CellKind.FIGURE),
    Column("mean error", "± of mean", CellKind.FIGURE, rank=3),
    Column("deviation", "Deviation, $", CellKind.FIGURE),
    Column("deviation error", "± of deviation", CellKind.FIGURE, rank=3),
)
PAIRS: Final = (
    Column("wager", "Wager", CellKind.NAME),
    Column("other", "Other wager", CellKind.NAME),
    Column("correlation", "Correlation", CellKind.FIGURE),
    Column("covariance", "Covariance, $²", CellKind.FIGURE, rank=2),
    Column("error", "± of covariance", CellKind.FIGURE, rank=2),
)
QUANTILES: Final = (
    Column("share", "Share of rounds", CellKind.PERCENT, places=0),
    Column("wins", "House wins at most", CellKind.SIGNED),
)
RESERVES: Final = (
    Column("who", "Who"),
    Column("for", "For"),
    Column("deviation", "By deviation", CellKind.MONEY),
    Column("bound", "Certain bound", CellKind.MONEY),
    Column("played", "As played", CellKind.MONEY),
)
BLANK_ERROR: Final = "A figure without ± is exact. Shares of a meter count as lost stakes."


def bankroll_paper(found: WholeTable, printed: int | None = None) -> Paper:
    """Wagers, pairs, the table in one round, reserves."""
    how = (
        "every result counted"
        if found.rounds is None
        else f"{found.rounds:,} rounds played, strategy {found.strategy}, seed {found.seed}"
    )
    same = Listing("same seat", PAIRS, tuple(map(_pair, found.same_seat)))
    other = Listing("other seat", PAIRS, tuple(map(_pair, found.other_seat)))
    return Paper(
        "bankroll",
        f"{found.rules}: a table of {several(found.seats, 'seat')}",
        (f"{how[0].upper()}{how[1:]}.",),
        passages(
            ("Wagers of a seat in one round", [Listing("wagers", WAGERS, tuple(_wagers(found))), Remark(BLANK_ERROR)]),
            ("Two wagers at one seat", [same] if found.same_seat else []),
            ("Two wagers at two seats", [other] if found.other_seat else []),
            ("The table in one round", [*_table(found)]),
            (f"Bankroll for a risk of {_percent(found)}", [*_reserves(found)]),
        ),
        imprint_for(found.rules.as_of, printed),
        main="wagers",
    )


def _percent(found: WholeTable) -> str:
    return f"{float(100 * found.risk):g} %"


def _error(figure: Measured, scale: int) -> float | None:
    return figure.error / scale if figure.error else None


def _wagers(found: WholeTable) -> Iterator[Cells]:
    for each in found.placed:
        figures = (
            each.mean.value / 100,
            _error(each.mean, 100),
            each.deviation.value / 100,
            _error(each.deviation, 100),
        )
        yield each.wager, "" if each.paytable == SINGLE else each.paytable, each.stake, *figures


def _pair(each: Shared) -> Cells:
    together = each.covariance
    return each.wager, each.other, each.correlation, together.value / 10_000, _error(together, 10_000)


def _table(found: WholeTable) -> Iterator[Block]:
    figures = [
        _datum("Players win, mean, $", found.table_mean),
        _datum("Deviation of one seat, $", found.seat_deviation),
        _datum("Deviation of the table, $", found.table_deviation),
    ]
    if found.seats > 1:
        figures += [
            Datum("If seats were independent, $", found.independent_deviation / 100, CellKind.FIGURE),
            Datum("Correlation of two seats", found.correlation, CellKind.FIGURE),
        ]
    yield Figures(tuple(figures))
    yield Listing("quantiles", QUANTILES, tuple((share, round(wins)) for share, wins in found.quantiles.items()))


def _datum(title: str, figure: Measured) -> Datum:
    """A figure in dollars, with its error in the title if it has one."""
    label = f"{title} (± {figure.error / 100:.4f})" if figure.error else title
    return Datum(label, figure.value / 100, CellKind.FIGURE)


def _reserves(found: WholeTable) -> Iterator[Block]:
    yield Listing("reserves", RESERVES, tuple(_reserve(each) for each in found.reserves))
    yield Remark("By deviation: as if results were normal. Rare large pays make it too small for the house.")
    if found.rounds is None:
        yield Remark("Certain bound: Lundberg's inequality for the distribution of a round.")
        return
    yield Remark(
        "Certain bound: Lundberg's inequality for the rounds played. A pay that none of them met is not in it, so play "
        "more rounds where pays are very rare."
    )
    if found.sessions:
        yield Remark(f"As played: enough in all but that share of {several(found.sessions, 'session')} of one player.")


def _reserve(each: Reserve) -> Cells:
    lasts = "forever" if each.rounds is None else several(each.rounds, "round")
    amounts = (None if amount is None else round(amount) for amount in (each.by_deviation, each.bound, each.played))
    return "The house" if each.holder == "house" else "One player", lasts, *amounts
