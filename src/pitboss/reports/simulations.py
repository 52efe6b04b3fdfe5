"""Simulations as documents: each wager beside its exact value, jackpots, meters and sessions."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from pitboss.games.repaying import changed_text, if_changed
from pitboss.names import several
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Figures,
    Listing,
    Paper,
    Remark,
    passages,
)
from pitboss.paper.model import Row as Cells
from pitboss.reports.stamp import imprint_for
from pitboss.simulate.figures import RunFigures, SessionFigures
from pitboss.simulate.results import Row

WAGERS: Final = (
    Column("wager", "Wager", CellKind.NAME),
    Column("table", "Table", rank=2),
    Column("stake", "Stake", CellKind.MONEY),
    Column("largest stake", "Largest stake", CellKind.MONEY, rank=3),
    Column("per", "Mean per unit of", rank=2),
    Column("mean", "Mean", CellKind.FIGURE, places=6),
    Column("standard error", "Standard error", CellKind.FIGURE, rank=2, places=6),
    Column("exact", "Exact", CellKind.FIGURE, places=6),
    Column("z", "z", CellKind.FIGURE, places=2),
    Column("hits", "Hits", CellKind.PERCENT, rank=2, places=3),
    Column("deviation", "Deviation, one seat", CellKind.FIGURE, rank=3),
    Column("table deviation", "Deviation, the table", CellKind.FIGURE, rank=3),
    Column("mean exactly", "Mean, exactly", CellKind.EXACT, rank=0),
    Column("condition", "Condition", CellKind.SENTENCE, rank=3),
)
CHOICES: Final = (Column("choice", "Choice"), Column("share", "Share", CellKind.PERCENT, places=2))
JACKPOTS: Final = (
    Column("jackpot", "Share of a meter"),
    Column("hits", "Hits", CellKind.COUNT),
    Column("rounds between", "Rounds between", CellKind.FIGURE, places=0),
    Column("mean paid", "Mean paid", CellKind.MONEY),
    Column("least paid", "Least", CellKind.MONEY, rank=3),
    Column("most paid", "Largest", CellKind.MONEY),
)
METERS: Final = (
    Column("meter", "Meter", CellKind.NAME),
    Column("jackpot", "Jackpot", CellKind.NAME),
    Column("amount", "Amount", CellKind.MONEY),
)
SESSIONS: Final = (
    Column("figure", "After a session"),
    Column("house", "House", CellKind.MONEY),
    Column("player", "One player", CellKind.MONEY),
)
LOST_STAKE: Final = "A share of a meter is a lost stake in these figures; what the meters paid is below."


def run_paper(found: RunFigures, printed: int | None = None) -> Paper:
    """The wagers of a run, what was chosen and what the meters paid."""
    return Paper(
        "simulation",
        f"{found.rules}: {found.rounds:,} rounds",
        (_played(found),),
        passages(
            ("Wagers", [*_wagers(found)]),
            ("Choices", _choices(found)),
            ("Jackpots", _jackpots(found)),
            ("Meters at the end", _meters(found)),
            (f"Sessions of {found.session} rounds", [*_sessions(found)]),
        ),
        imprint_for(found.rules.as_of, printed),
        main="wagers",
    )


def shift_paper(found: RunFigures, printed: int | None = None) -> Paper:
    """How the house and a player stand after a shift."""
    shifts = 0 if found.house is None else found.house.sessions
    return Paper(
        "shift",
        f"{found.rules}: {several(shifts, 'shift')} of {found.session} rounds",
        (_played(found),),
        passages(
            ("After a shift", [*_sessions(found)]),
            ("Jackpots", _jackpots(found)),
            ("Meters at the end", _meters(found)),
        ),
        imprint_for(found.rules.as_of, printed),
        main="sessions",
    )


def _played(found: RunFigures) -> str:
    return f"{several(found.seats, 'seat')}, strategy {found.strategy}, seed {found.seed}"


def _wagers(found: RunFigures) -> Iterator[Block]:
    yield Listing("wagers", WAGERS, tuple(_wager(found, row) for row in found.rows))
    yield from (Remark(sentence, tone="bad") for sentence in (*found.alarms, found.slow) if sentence)
    if found.meters:
        yield Remark(LOST_STAKE)
    if found.note:
        yield Remark(f"Main wagers: {found.note}.")
    if found.no_exact_value:
        yield Remark(f"{found.no_exact_value}.")


def _wager(found: RunFigures, row: Row) -> Cells:
    least, most = row.stakes[0], row.stakes[-1]
    named = row.wager, if_changed(row.paytable, row.changes), least, most if most > least else None, found.per(row)
    beside = row.mean, row.standard_error, row.exact, row.z, row.hit_frequency
    return *named, *beside, row.deviation, row.table_deviation, row.mean, changed_text(row.changes)


def _choices(found: RunFigures) -> list[Block]:
    rows = tuple((name.replace("_", " "), share) for name, share in found.choices.items())
    return [Listing("choices", CHOICES, rows)] if rows else []


def _jackpots(found: RunFigures) -> list[Block]:
    rows = tuple(
        (each.title, each.hits, each.rounds_between, each.mean_paid, each.least_paid, each.most_paid)
        for each in sorted(found.jackpots, key=lambda each: each.name)
    )
    return [Listing("jackpots", JACKPOTS, rows, "No jackpot was hit.")] if found.meters else []


def _meters(found: RunFigures) -> list[Block]:
    rows = tuple((name, tier, amount) for name, tiers in found.meters.items() for tier, amount in tiers.items())
    return [Listing("meters", METERS, rows)] if rows else []


def _sessions(found: RunFigures) -> Iterator[Block]:
    if found.house is None or found.player is None:
        return
    both = found.house, found.player
    rows = tuple((name, Fraction(of_house), Fraction(of_player)) for name, of_house, of_player in _pairs(*both))
    yield Listing("sessions", SESSIONS, rows)
    yield Figures(
        tuple(
            Datum(f"Losing sessions, {who}", each.losing_share, CellKind.PERCENT, places=3)
            for who, each in zip(("house", "one player"), both, strict=True)
        )
    )


def _pairs(house: SessionFigures, player: SessionFigures) -> Iterator[tuple[str, float, float]]:
    yield "Mean result", house.mean, player.mean
    yield "Deviation", house.deviation, player.deviation
    for share in house.quantiles:
        yield f"{share:.0%} of sessions at most", house.quantiles[share], player.quantiles[share]
    yield "Worst", house.least, player.least
    yield "Best", house.most, player.most
    yield "Mean drawdown", house.mean_drawdown, player.mean_drawdown
    for share in house.drawdown_quantiles:
        yield f"Drawdown in {share:.0%} at most", house.drawdown_quantiles[share], player.drawdown_quantiles[share]
    yield "Largest drawdown", house.largest_drawdown, player.largest_drawdown
