"""Two wagers at one seat: how their results hang together."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN, main_result, main_table, optimal_play
from pitboss.exact.side import covariance, reads_folded, side_result, table_of
from pitboss.exact.value import Moments, root
from pitboss.games.contract import Game
from pitboss.games.rules import Rules


@dataclass(frozen=True)
class JointWagers:
    """Two wagers of one seat in the same round, each per unit wagered."""

    rules: Rules
    wagers: tuple[str, str]
    paytables: tuple[str, str]
    results: tuple[Moments, Moments]
    covariance: Fraction
    restriction: str = ""
    """What the figures leave out of the game."""

    @property
    def correlation(self) -> float:
        one, other = self.results
        return float(self.covariance) / (root(one.variance) * root(other.variance))

    @property
    def expected_value(self) -> Fraction:
        """Of a unit on each."""
        return sum((result.expected_value for result in self.results), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        """Of a unit on each."""
        return root(sum((result.variance for result in self.results), 2 * self.covariance))

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.rules.game,
            "wagers": [*self.wagers],
            "paytables": [*self.paytables],
            "restriction": self.restriction or None,
            "covariance": str(self.covariance),
            "correlation": self.correlation,
            "a_unit_of_each": {
                "expected_value": str(self.expected_value),
                "standard_deviation": self.standard_deviation,
            },
        }


def joint_wagers(game: Game, rules: Rules, one: str, other: str, progress: Progress) -> JointWagers:
    """Both wagers under best play of the main wagers. Raise ``NotCountedError`` where they can't be counted."""
    whole = MAIN in (one, other) and one != other and game.whole is not None
    best = None if whole else optimal_play(game, rules)
    if whole:
        from pitboss.exact.draw_rows import drawn_covariance

        together = drawn_covariance(rules, other if one == MAIN else one, progress)
        main: Moments = main_result(game, rules, game.readings[0])
    else:
        together = covariance(game, rules, one, other, folds=best)
        main = best.result if best is not None else main_result(game, rules, game.played)

    def result(name: str) -> Moments:
        return main if name == MAIN else side_result(game, rules, name, folds=best)

    depends = any(name == MAIN or reads_folded(game, name) for name in (one, other))
    restriction = game.restriction if depends and not whole else ""
    letters = letter_behind(game, rules, one), letter_behind(game, rules, other)
    return JointWagers(rules, (one, other), letters, (result(one), result(other)), together, restriction)


def letter_behind(game: Game, rules: Rules, wager: str) -> str:
    """The letter of the pay table behind a wager; empty where it has none."""
    table = rules.tables.get(main_table(game) if wager == MAIN else table_of(game, wager))
    return "" if table is None else table.letter
