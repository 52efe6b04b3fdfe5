"""A simulation for the Analyst: rounds played under a question's rules, with the mean as it converges; for a worker."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.paper.model import Passage
from pitboss.reports.export import exported
from pitboss.web.analysis import Question, settled
from pitboss.web.workroom import tell

if TYPE_CHECKING:
    from pitboss.simulate.figures import RunFigures

ROUNDS: Final = (10_000, 100_000, 1_000_000, 10_000_000)
POINTS: Final = 40


@dataclass(frozen=True)
class Run:
    """What to play."""

    rounds: int = ROUNDS[1]
    seats: int = 1
    seed: int = 1

    @property
    def kind(self) -> tuple[int, int]:
        """What takes about as long."""
        return self.rounds, self.seats


@dataclass(frozen=True)
class SimulatedRounds:
    """A simulation as a document, and its mean after each part."""

    passages: tuple[Passage, ...]
    means: tuple[tuple[int, float, float], ...]
    """Rounds, the mean so far per unit, and its standard error."""
    exact: float | None
    alarms: tuple[str, ...] = ()


def simulated(question: Question, run: Run) -> SimulatedRounds:
    """Play the rounds. The same seed deals the same cards everywhere."""
    from pitboss.reports.simulations import run_paper

    found, means = _play(question, run)
    exact = next((row.exact for row in found.rows if row.wager == question.wager), None)
    return SimulatedRounds(run_paper(found).passages, means, None if exact is None else float(exact), found.alarms)


def simulation_file(question: Question, run: Run, kind: str) -> bytes:
    """What ``pitboss simulate`` prints, as a file."""
    from pitboss.reports.simulations import run_paper

    found, _ = _play(question, run)
    return exported(kind, found, partial(run_paper, found))


def _play(question: Question, run: Run) -> "tuple[RunFigures, tuple[tuple[int, float, float], ...]]":
    from pitboss.simulate.figures import run_figures
    from pitboss.simulate.plan import every_wager, make_plan
    from pitboss.simulate.runs import BATCH, in_this_process, spans
    from pitboss.simulate.totals import Totals

    _, rules = settled(question)
    if run.rounds not in ROUNDS:
        raise UnreadableError(f"Play {', '.join(f'{each:,}' for each in ROUNDS)} rounds.")
    if not 1 <= run.seats <= rules.seats:
        raise UnreadableError(f"This table has seats 1 to {rules.seats}; {run.seats:,} cannot play.")
    if not 0 <= run.seed < 2**64:
        raise UnreadableError("A seed is a whole number from 0 to 2^64 - 1.")
    tell(f"the best play of {GAMES[question.game].chapter.title}", 0.0)
    plan = make_plan(rules, every_wager(rules, run.seats), "optimal")
    totals = Totals.empty(plan, run.seed, 0)
    means = []
    for batch in in_this_process(plan, run.seed, 0, spans(0, run.rounds, min(BATCH, run.rounds // POINTS), 0)):
        totals.absorb(batch)
        tell(f"{totals.rounds:,} of {run.rounds:,} rounds", totals.rounds / run.rounds)
        row = next((row for row in run_figures(totals).rows if row.wager == question.wager), None)
        if row is not None and row.mean is not None and row.standard_error is not None:
            means.append((totals.rounds, float(row.mean), float(row.standard_error)))
    return run_figures(totals), tuple(means)


def run_of(more: Mapping[str, str]) -> Run:
    """The simulation of an address; a number that can't be read is refused by the worker, as nobody's."""

    def number(name: str, usual: int) -> int:
        text = more.get(name, "").replace(",", "").strip()
        if not text:
            return usual
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 20 else -1

    usual = Run()
    return Run(number("rounds", usual.rounds), number("seats", usual.seats), number("seed", usual.seed))
