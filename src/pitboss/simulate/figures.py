"""Everything that a run has to say, as one record: rows, choices, jackpots and sessions, with their conditions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from pitboss.games.rules import Rules
from pitboss.law.odds import Tier
from pitboss.money import UNITS_PER_CENT, Cents
from pitboss.names import shown
from pitboss.simulate.groups import MAIN
from pitboss.simulate.results import Row, choices, rows, unknown_main
from pitboss.simulate.totals import Side, Totals

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
DRAWDOWN_QUANTILES: Final = (0.5, 0.95, 0.99)


@dataclass(frozen=True)
class JackpotHits:
    """A row that pays a share of a meter; a jackpot that several seats divide is one hit. Amounts are in cents."""

    name: str
    hits: int
    rounds_between: Fraction
    mean_paid: Fraction
    least_paid: Cents
    most_paid: Cents

    @property
    def title(self) -> str:
        wager, colon, share = self.name.partition(":")
        return shown(wager) + colon + share

    def as_dict(self) -> dict[str, Any]:
        return {
            "hits": self.hits,
            "rounds_between": float(self.rounds_between),
            "mean_paid": float(self.mean_paid),
            "least_paid": self.least_paid,
            "most_paid": self.most_paid,
        }


@dataclass(frozen=True)
class SessionFigures:
    """The sessions of the house or of one player. Amounts are in cents."""

    sessions: int
    mean: float
    deviation: float
    least: float
    most: float
    losing: int
    quantiles: Mapping[float, float]
    grain: float
    """Quantiles are exact to this amount."""
    mean_drawdown: float
    drawdown_quantiles: Mapping[float, float]
    largest_drawdown: float

    @property
    def losing_share(self) -> Fraction | None:
        return Fraction(self.losing, self.sessions) if self.sessions else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "sessions": self.sessions,
            "mean": self.mean,
            "deviation": self.deviation,
            "least": self.least,
            "most": self.most,
            "losing_share": None if self.losing_share is None else float(self.losing_share),
            "quantiles": {str(share): amount for share, amount in self.quantiles.items()},
            "quantiles_to_the": self.grain,
            "mean_drawdown": self.mean_drawdown,
            "drawdown_quantiles": {str(share): amount for share, amount in self.drawdown_quantiles.items()},
            "largest_drawdown": self.largest_drawdown,
        }


@dataclass(frozen=True)
class RunFigures:
    """Everything that a run has to say, with the conditions it was played under."""

    rules: Rules
    strategy: str
    seed: int
    seats: int
    rounds: int
    plan: str
    """The fingerprint of rules, wagers and strategy."""
    rows: tuple[Row, ...]
    choices: Mapping[str, Fraction]
    note: str = ""
    """What the strategy leaves out, or why its main wagers have no exact value."""
    no_exact_value: str = ""
    """Why a payout limit leaves the main wagers without an exact value."""
    slow: str = ""
    """Why the rounds were played by the scalar rules."""
    jackpots: tuple[JackpotHits, ...] = ()
    meters: Mapping[str, Mapping[Tier, Cents]] = field(default_factory=dict)
    """The amounts that stand on the meters at the end, by meter and jackpot."""
    session: int = 0
    """Rounds in a session; nothing where the run was not cut."""
    house: SessionFigures | None = None
    player: SessionFigures | None = None

    @property
    def alarms(self) -> tuple[str, ...]:
        return tuple(row.alarm for row in self.rows if row.alarm)

    @property
    def unit(self) -> str:
        """What the main wagers are counted in."""
        return self.rules.chapter.unit_title

    def per(self, row: Row) -> str:
        """What the mean of a row is a share of."""
        if row.wager == MAIN:
            return self.unit
        return "its stake" if row.wager == row.denominator else shown(row.denominator)

    def as_dict(self) -> dict[str, Any]:
        optional = {
            "note": self.note,
            "no_exact_value": self.no_exact_value,
            "slow": self.slow,
            "alarms": [*self.alarms],
        }
        meters = {
            "meters": {name: dict(amounts) for name, amounts in self.meters.items()},
            "jackpots": {each.name: each.as_dict() for each in self.jackpots},
        }
        sides = {"house": self.house, "player": self.player}
        sessions = {
            "sessions": {"rounds": self.session, **{name: each.as_dict() for name, each in sides.items() if each}}
        }
        return {
            "game": self.rules.game,
            "as_of": str(self.rules.as_of),
            "seats": self.seats,
            "strategy": self.strategy,
            "seed": self.seed,
            "rounds": self.rounds,
            "plan": self.plan,
            "rows": [each.as_dict() for each in self.rows],
            "choices": {name: float(share) for name, share in self.choices.items()},
            **{name: value for name, value in optional.items() if value},
            **(meters if self.meters else {}),
            **(sessions if self.session else {}),
        }


def run_figures(totals: Totals) -> RunFigures:
    """Everything that a run has to say."""
    plan = totals.plan
    sessions = {"house": _sessions(totals.house), "player": _sessions(totals.player)} if totals.session else {}
    return RunFigures(
        rules=plan.rules,
        strategy=plan.strategy.name,
        seed=totals.seed,
        seats=len(plan.wagers),
        rounds=totals.rounds,
        plan=plan.fingerprint,
        rows=tuple(rows(totals)),
        choices=choices(totals),
        note=plan.strategy.note,
        no_exact_value=unknown_main(plan),
        slow=plan.slow,
        jackpots=tuple(
            JackpotHits(
                name, row.hits, Fraction(totals.rounds, row.hits), Fraction(row.paid, row.hits), row.least, row.most
            )
            for name, row in totals.meters.rows.items()
        ),
        meters=totals.meters.displayed() if totals.meters.meters else {},
        session=totals.session,
        **sessions,
    )


def _sessions(part: Side) -> SessionFigures:
    results, falls = part.results, part.drawdowns
    return SessionFigures(
        sessions=results.count,
        mean=results.mean / UNITS_PER_CENT,
        deviation=results.deviation / UNITS_PER_CENT,
        least=results.least / UNITS_PER_CENT,
        most=results.most / UNITS_PER_CENT,
        losing=results.losing,
        quantiles={share: results.quantile(share) / UNITS_PER_CENT for share in QUANTILES},
        grain=results.grain / UNITS_PER_CENT,
        mean_drawdown=falls.mean / UNITS_PER_CENT,
        drawdown_quantiles={share: falls.quantile(share) / UNITS_PER_CENT for share in DRAWDOWN_QUANTILES},
        largest_drawdown=falls.most / UNITS_PER_CENT,
    )
