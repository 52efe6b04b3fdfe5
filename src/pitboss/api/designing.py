"""Pay tables to order, from a program."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from pitboss.api.edges import variant_of
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.names import name_of
from pitboss.public import public

if TYPE_CHECKING:
    from pitboss.exact.design import DesignSearch

Pays = int | str | Fraction
"""A pay as a number, or as text: ``7``, ``"5/2"``, ``"3..5"`` for a range."""


@public
def design(
    rules: Rules,
    wager: str | None = None,
    *,
    low: float | str | Fraction,
    high: float | str | Fraction,
    unit: Pays = 1,
    order: str = "below",
    rows: Mapping[str, Pays] | None = None,
    top: Pays | None = None,
    hits: str | None = None,
    deviation: str | None = None,
    seen: float | str | Fraction | None = None,
    taste: str = "near",
    most: int = 20,
    table: str | None = None,
) -> "DesignSearch":
    """Pay tables of a wager whose hold lies between two percentages, exact (extra ``exact``).

    ``rows`` bounds single rows by name, ``hits`` and ``deviation`` are ranges such as ``"20..30"``. ``seen`` is the
    most, in percent, that a player may gain who knows one card of the hand.

    >>> import pitboss
    >>> rules = pitboss.rules(pitboss.game_names()[0], "2024-06-01")
    >>> found = pitboss.design(rules, [*rules.wagers][2], low=2, high=3, top=50, most=1)
    >>> found.count, float(found.tables[0].hold) < 0.03
    (977, True)
    """
    from pitboss.exact.design import design as designed
    from pitboss.exact.wishes import read_wishes, taste_named

    variant = variant_of(rules, wager)
    if isinstance(most, bool) or not 1 <= most <= 100_000:
        raise UnreadableError(f"The number of tables to list is 1 to 100,000, not {most!r}.")
    wishes = read_wishes(
        _percent(low),
        _percent(high),
        unit=str(unit),
        order=order,
        rows=[f"{row}={pays}" for row, pays in (rows or {}).items()],
        top=None if top is None else str(top),
        hits=hits,
        deviation=deviation,
        seen=None if seen is None else _percent(seen),
    )
    named = None if table is None else name_of(table)
    return designed(GAMES[rules.game], rules, variant, wishes, taste_named(taste), most, table=named)


def _percent(given: float | str | Fraction) -> str:
    return given if isinstance(given, str) else str(float(given))
