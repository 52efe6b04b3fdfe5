"""Many rounds of a game, as an object: each wager beside its exact value, and how its results are spread."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any

from pitboss.api.playing import Wagers, placed
from pitboss.api.solving import Player, solve
from pitboss.findings import UnknownName, UnreadableError
from pitboss.games.course import Sight
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision
from pitboss.games.rules import Rules, check_rules
from pitboss.names import all_shown, name_of
from pitboss.public import public

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pitboss.simulate.figures import RunFigures
    from pitboss.simulate.plan import Plan
    from pitboss.simulate.results import Row
    from pitboss.simulate.strategies import Strategy
    from pitboss.simulate.totals import Totals
    from pitboss.simulate.whole_table import WholeTable

OPTIMAL = "optimal"


@dataclass(frozen=True)
class Simulation:
    """Rounds that were played by the numbers of a seed: the same on one process or many."""

    rules: Rules
    rounds: int
    seed: int
    strategy: str
    totals: "Totals" = field(repr=False, compare=False)
    """Everything that was counted."""

    @cached_property
    def rows(self) -> "tuple[Row, ...]":
        """Each wager: mean, deviation, standard error and, where it is known, the exact value."""
        return self.figures.rows

    @cached_property
    def figures(self) -> "RunFigures":
        """Everything that the run has to say: rows, choices, jackpots, sessions and their conditions."""
        from pitboss.simulate.figures import run_figures

        return run_figures(self.totals)

    def __iter__(self) -> "Iterator[Row]":
        return iter(self.rows)

    def __len__(self) -> int:
        """How many wagers were made."""
        return len(self.rows)

    def __getitem__(self, wager: str) -> "Row":
        """The row of a wager; ``main`` for what must be wagered to play."""
        found = next((row for row in self.rows if row.wager == name_of(str(wager))), None)
        if found is None:
            raise UnknownName(f"No wager {wager!r} was played; there are {all_shown(row.wager for row in self.rows)}.")
        return found

    @property
    def choices(self) -> Mapping[str, Fraction]:
        """How often each choice was made, of all seats that had one."""
        from pitboss.simulate.results import choices

        return choices(self.totals)

    @public
    def histogram(self, wager: str) -> "tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]":
        """What a wager moved in a round at one seat, in cents, and how often; shares of a meter as lost stakes.

        ``house`` and ``player`` give whole sessions instead, where rounds were cut into sessions.
        """
        import numpy as np

        from pitboss.simulate.results import counts_of

        if wager in ("house", "player"):
            if not self.totals.session:
                raise UnreadableError("Rounds were not cut into sessions: simulate(..., session=100) does that.")
            spread = (self.totals.house if wager == "house" else self.totals.player).results
            bins = sorted(spread.values.items())
            cents = np.array([place * spread.grain // 10_000 for place, _ in bins], np.int64)
            return cents, np.array([number for _, number in bins], np.int64)
        name = self[wager].wager
        lines = [line for line in self.totals.plan.lines if line.row == name]
        moved = np.concatenate([np.asarray(line.cents, np.int64) for line in lines])
        counts = np.concatenate([np.array(counts_of(self.totals, line), np.int64) for line in lines])
        values, places = np.unique(moved, return_inverse=True)
        tallied = np.bincount(places.reshape(-1), counts, len(values)).astype(np.int64)
        return values[tallied > 0], tallied[tallied > 0]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, as ``pitboss simulate --output`` writes it."""
        return self.figures.as_dict()

    @public
    def to_pandas(self) -> Any:
        """The rows as a table (extra ``pandas``)."""
        import pandas as pd

        return pd.DataFrame([row.as_dict() for row in self.rows])

    def __repr__(self) -> str:
        return f"<Simulation: {self.rules}, {self.rounds:,} rounds, {self.strategy}>"

    def _repr_html_(self) -> str:
        """The rows, for a notebook."""
        caption = f"<caption>{escape(repr(self)[1:-1])}</caption>"
        head = "<tr><th>wager</th><th>mean</th><th>standard error</th><th>exact</th></tr>"
        rows = "".join(
            f"<tr><td>{row.wager}</td><td>{float(row.mean):.6f}</td><td>{row.standard_error:.6f}</td>"
            f"<td>{'' if row.exact is None else f'{float(row.exact):.6f}'}</td></tr>"
            for row in self.rows
        )
        return f"<table>{caption}{head}{rows}</table>"


@public
def simulate(
    rules: Rules,
    rounds: int,
    *,
    wagers: Wagers | None = None,
    seats: int = 1,
    strategy: "str | Player | npt.ArrayLike" = OPTIMAL,
    seed: int = 0,
    workers: int = 1,
    session: int = 0,
) -> Simulation:
    """Play many rounds (extra ``exact``). The result depends on the seed, not on the number of workers.

    A ``strategy`` is a name (``optimal``, ``always``, ``never``, ...), an array of choices by state as
    ``Solution.evaluate`` takes it, or a function from what a player sees to what they choose. Where the states are few
    enough the function is asked once for each and the rounds run compiled; elsewhere it is asked round by round, some
    hundred times a second. ``session`` also cuts the rounds into sessions.
    """
    from pitboss.simulate.runs import simulate as run

    _check_whole(2**64 - 1, rounds=(rounds, 1), seed=(seed, 0), workers=(workers, 1), session=(session, 0))
    plan = _plan(rules, wagers, seats, strategy)
    totals = run(plan, rounds, seed, workers=workers, session=session)
    return Simulation(rules, rounds, seed, plan.strategy.name, totals)


@public
def bankroll(
    rules: Rules,
    *,
    wagers: Wagers | None = None,
    seats: int = 1,
    risk: "Fraction | float | str" = "0.01",
    session: int = 400,
    rounds: int = 1_000_000,
    strategy: "str | Player | npt.ArrayLike" = OPTIMAL,
    seed: int = 0,
) -> "WholeTable":
    """How the wagers and seats of a table vary together, and the bankroll that is lost with at most this risk.

    ``risk`` is a chance, such as ``"0.01"``. Dice and wheels are counted, tables of cards are played for ``rounds``; a
    player's bankroll must last ``session`` rounds, the house's forever.
    """
    from pitboss.simulate.whole_table import LONGEST_SESSION, MOST_ROUNDS, whole_table

    _check_whole(2**64 - 1, seed=(seed, 0))
    _check_whole(MOST_ROUNDS, rounds=(rounds, 1))
    _check_whole(LONGEST_SESSION, session=(session, 1))
    try:
        chance = Fraction(str(risk) if isinstance(risk, float) else risk)
    except (TypeError, ValueError, ZeroDivisionError):
        raise UnreadableError(f"{risk!r} is not a risk: write a chance such as 0.01.") from None
    return whole_table(_plan(rules, wagers, seats, strategy), rounds, seed, session, chance)


def _check_whole(most: int, **given: tuple[int, int]) -> None:
    """Refuse what isn't a whole number from its least value to the most."""
    for name, (number, least) in given.items():
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            upto = "on" if most == 2**64 - 1 else f"to {most:,}"
            raise UnreadableError(f"{name} is a whole number from {least} {upto}, not {number!r}.")


def _plan(rules: Rules, wagers: Wagers | None, seats: int, strategy: "str | Player | npt.ArrayLike") -> "Plan":
    from pitboss.simulate.plan import every_wager, make_plan

    check_rules(rules)
    if not isinstance(seats, int) or not 1 <= seats <= rules.seats:
        raise UnreadableError(f"This table has seats 1 to {rules.seats}; {seats!r} cannot play.")
    made = every_wager(rules, seats) if wagers is None else placed(rules, wagers, seats)
    return make_plan(rules, made, strategy if isinstance(strategy, str) else _own(rules, strategy))


def _own(rules: Rules, choices: Any) -> "Strategy | Callable[[Sight], Decision]":
    """A player's own way as tables, or as a function where it has too many states to be asked about each."""
    from pitboss.api.strategies import TooManyStatesError, every_hand, few_enough, played_by
    from pitboss.simulate.decisions import every_decision
    from pitboss.simulate.strategies import OWN, Strategy, as_played, draws_cards

    game = GAMES[rules.game]
    if not callable(choices):
        return as_played(game, played_by(solve(rules), choices), OWN)
    listed = game.course.weighed and few_enough(game) and not draws_cards(game)
    try:
        if listed:
            return as_played(game, played_by(solve(rules), choices), OWN)
    except TooManyStatesError:
        listed = game.duel is not None
    try:
        if listed:
            return Strategy(OWN, (every_decision(*every_hand(game, rules, choices)),))
    except TooManyStatesError:
        pass
    return partial(_said, rules, choices)


def _said(rules: Rules, player: Player, sight: Sight) -> Decision:
    """What a player who is asked round by round chooses."""
    said = player(sight)
    if isinstance(said, Decision):
        return said
    open_ = [step for step in GAMES[rules.game].course.decides if step.name not in sight.chosen]
    choices = [choice for step in open_ for choice in step.choices(rules, sight)]
    found = next((choice for choice in choices if said in (choice.name, choice.option.name)), None)
    if found is None:
        names = all_shown(dict.fromkeys(choice.name for choice in choices))
        raise UnknownName(f"{said!r} is not open here; there are {names}.")
    return found.decision(sight.stake)
