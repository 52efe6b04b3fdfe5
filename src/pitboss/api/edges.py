"""What a wager holds, as an object: exact fractions, the distribution behind them, and what if a row paid otherwise."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, overload

from pitboss.findings import UnknownName, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.repaying import Paid, table_named
from pitboss.games.rules import Rules, check_rules
from pitboss.names import all_shown, name_of, shown
from pitboss.public import public

if TYPE_CHECKING:
    from pitboss.exact.conditions import Conditions
    from pitboss.exact.edge import Variant
    from pitboss.exact.value import Moments

BEST = "best play"


@dataclass(frozen=True)
class EdgeRow:
    """One result that a wager can have: net per unit wagered, and how often it comes."""

    net: Fraction
    chance: Fraction

    @property
    def contribution(self) -> Fraction:
        """What it adds to the expected value."""
        return self.net * self.chance


@dataclass(frozen=True)
class Edge:
    """The exact figures of one wager under given rules.

    All values are to the player and per unit of the ``denominator``, the Ante or the wager itself; ``house_edge`` is
    the hold. ``conditions`` says what they hold under: changed rows and what they leave out, as shares of a meter.
    """

    rules: Rules
    wager: str
    """``main`` for what must be wagered to play, else the name of a wager."""
    paytable: str
    reading: str
    cite: str
    denominator: str
    restriction: str = ""
    """What of the game these figures leave out; empty where they leave out nothing."""
    play: str = BEST
    """How the main game is played."""
    result: "Moments" = field(compare=False, repr=False, kw_only=True)
    stake: int | None = None
    """In cents: of fixed sums ($5 where none was given), and of main wagers under a payout limit."""

    @cached_property
    def conditions(self) -> "Conditions":
        """What the figures hold under: the law's table or a changed one, the reading, what they leave out."""
        from pitboss.exact.conditions import conditions_of

        return conditions_of(
            self.rules if self.stake is None else self.rules.at_stake(self.stake),
            self.wager,
            letter=self.paytable,
            reading=self.reading,
            cite=self.cite,
            restriction=self.restriction,
            play="" if self.play == BEST else self.play,
        )

    @property
    def expected_value(self) -> Fraction:
        """Per unit of the denominator, to the player."""
        return self.result.expected_value

    @property
    def house_edge(self) -> Fraction:
        """The hold: what the house expects to keep of each unit of the denominator."""
        return self.result.house_edge

    @property
    def element_of_risk(self) -> Fraction:
        """The hold as a share of all that is finally wagered."""
        return self.result.element_of_risk

    @property
    def variance(self) -> Fraction:
        return self.result.variance

    @property
    def standard_deviation(self) -> float:
        return self.result.standard_deviation

    @property
    def hit_frequency(self) -> Fraction:
        """How often more comes back than was wagered."""
        return self.result.hit_frequency

    @property
    def choices(self) -> dict[str, Fraction]:
        """How often each choice is made, where there are choices."""
        return dict(getattr(self.result, "choices", {}))

    @property
    def rows(self) -> tuple[EdgeRow, ...]:
        """Everything that can come of the wager, the largest loss first."""
        return tuple(EdgeRow(net, chance) for net, chance in self.result.chances.items())

    def as_dict(self) -> dict[str, Any]:
        """As ``pitboss edge --json`` prints it."""
        from pitboss.exact.edge import Variant
        from pitboss.exact.figures import EdgeFigures, figures_of

        variant = Variant(self.wager, "", self.paytable, self.reading, self.cite)
        if self.play != BEST:
            found = EdgeFigures(self.rules, variant, self.conditions, self.expected_value, self.result)
            return found.as_dict() | {"play": self.play}
        return figures_of(GAMES[self.rules.game], self.rules, variant, self.stake).as_dict()

    @public
    def to_pandas(self) -> Any:
        """The rows as a table (extra ``pandas``), with a column for each condition that is not the usual one."""
        import pandas as pd

        found = [(float(row.net), float(row.chance), float(row.contribution)) for row in self.rows]
        frame = pd.DataFrame(found, columns=["net", "chance", "contribution"])
        left_out = "; ".join(self.conditions.leaves_out)
        given = {"changed": self.conditions.changed, "leaves_out": left_out, "facts": self.conditions.set_otherwise}
        return frame.assign(**{name: text for name, text in given.items() if text})

    def __str__(self) -> str:
        table = f" {self.paytable}" if self.paytable not in ("", "-") else ""
        hold = f"{100 * float(self.house_edge):.4f} % of the {shown(self.denominator)}"
        return "; ".join((f"{shown(self.wager)}{table}: {hold}", *self.conditions.phrases))

    def __repr__(self) -> str:
        return f"<Edge: {self}>"

    def _repr_html_(self) -> str:
        """The distribution, for a notebook."""
        rows = "".join(
            f"<tr><td>{float(row.net):+g}</td><td>{float(row.chance):.6f}</td><td>{float(row.contribution):+.6f}</td></tr>"
            for row in self.rows
        )
        head = "<tr><th>net</th><th>chance</th><th>contribution</th></tr>"
        return f"<table><caption>{escape(str(self.rules))}: {escape(str(self))}</caption>{head}{rows}</table>"


@public
def edge(rules: Rules, wager: str | None = None, stake: int | None = None) -> Edge:
    """The exact figures of a wager under these rules, or of the main wagers at best play (extra ``exact``).

    With a ``stake`` in cents the main wagers are paid at it: a payout limit cuts the pays, and play is the best for it.

    >>> import pitboss
    >>> rules = pitboss.rules(pitboss.game_names()[0], "2024-06-01")
    >>> pitboss.edge(rules).house_edge
    Fraction(686689, 20358520)
    """
    from pitboss.exact.edge import DEFAULT_STAKE, MAIN, counted_result
    from pitboss.exact.side import side_result

    if stake is not None and (isinstance(stake, bool) or not isinstance(stake, int) or stake < 1):
        raise UnreadableError(f"A stake is a whole number of cents from 1 on, not {stake!r}.")
    variant = variant_of(rules, wager)
    game = GAMES[rules.game]
    head = variant.wager, variant.letter, variant.reading, variant.cite
    if variant.wager == MAIN:
        at = rules if stake is None else rules.at_stake(stake)
        result, restriction = counted_result(game, at, variant.reading)
        return Edge(rules, *head, game.course.unit, restriction, stake=stake, result=result)
    result_of_side = side_result(game, rules, variant.wager, stake or DEFAULT_STAKE)
    return Edge(rules, *head, "wager", stake=stake, result=result_of_side)


@public
def edges(rules: Rules, stake: int | None = None) -> tuple[Edge, ...]:
    """Every wager of a table, the main wagers first, under the letters and readings of these rules."""
    check_rules(rules)
    return tuple(edge(rules, name, stake) for name in _wagers(rules))


def _wagers(rules: Rules) -> tuple[str, ...]:
    """What can be asked for: all that is counted of the game and on offer, or paid with what is."""
    from pitboss.exact.edge import MAIN, variants
    from pitboss.exact.side import bonus_on, table_of

    game = GAMES[rules.game]

    def offered(name: str) -> bool:
        on = name if name in rules.wagers else bonus_on(game, name)
        return name == MAIN or (on in rules.wagers and table_of(game, name) in rules.tables)

    found = variants(game, rules.as_of, facts=rules.choices.facts)
    return tuple(name for name in dict.fromkeys(each.wager for each in found) if offered(name))


def variant_of(rules: Rules, wager: str | None) -> "Variant":
    """What is asked for, under the letter and the reading that the rules have."""
    from pitboss.exact.edge import MAIN, Variant, devices_of, main_table
    from pitboss.exact.side import table_of
    from pitboss.games.structure import PRINTED

    check_rules(rules)
    game, known = GAMES[rules.game], _wagers(rules)
    wanted = MAIN if wager is None else name_of(str(wager))
    named = rules.wager_named(wanted)
    name = wanted if wanted in known or named is None else named.name
    if name in game.course.main and MAIN in known:
        name = MAIN
    if name not in known:
        there = f"the wagers that are counted are {all_shown(known)}" if known else "no wager of it is counted"
        raise UnknownName(f"{rules.chapter.title} has no wager {shown(wanted)!r} here; {there}.")
    table = main_table(game) if name == MAIN else table_of(game, name)
    paid = rules.tables.get(table)
    by_device = name != MAIN and rules.choices.device in devices_of(game, name, rules.as_of)
    plain = game.readings_by(rules)[0] if name == MAIN else rules.choices.device if by_device else PRINTED
    reading = rules.reading(table) or plain
    return Variant(name, table, "" if paid is None else paid.letter, reading, "" if paid is None else str(paid.cite))


@dataclass(frozen=True)
class Sweep(Sequence[Edge]):
    """The figures of a wager with one row paying this and that, in the order asked for."""

    wager: str
    row: str
    pays: tuple[Any, ...]
    """What the row paid, as it was given."""
    edges: tuple[Edge, ...] = field(repr=False)

    @overload
    def __getitem__(self, at: int) -> Edge: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Edge, ...]: ...
    def __getitem__(self, at: int | slice) -> Edge | tuple[Edge, ...]:
        return self.edges[at]

    def __len__(self) -> int:
        return len(self.edges)

    def __iter__(self) -> Iterator[Edge]:
        return iter(self.edges)

    @property
    def house_edges(self) -> tuple[Fraction, ...]:
        """The hold at each pay: what there is to plot against ``pays``."""
        return tuple(each.house_edge for each in self.edges)

    @public
    def to_pandas(self) -> Any:
        """Pay and hold as a table (extra ``pandas``)."""
        import pandas as pd

        return pd.DataFrame({self.row: list(self.pays), "house_edge": [float(hold) for hold in self.house_edges]})


@public
def sweep(rules: Rules, wager: str, row: str, pays: Iterable[Paid], stake: int | None = None) -> Sweep:
    """The exact figures of a wager while one row of its pay table pays one thing after the other (extra ``exact``).

    The row may be one of another table that the wager is paid by: ``"ante_bonus.straight"``.
    """
    variant = variant_of(rules, wager)
    if not isinstance(row, str) or not row:
        raise UnreadableError(f"A row is named, such as 'flush', not {row!r}.")
    head, _, name = row.rpartition(".")
    table = table_named(rules, head or variant.table)
    try:
        wanted = tuple(pays)
    except TypeError:
        raise UnreadableError(f"The pays of a row are listed, as in range(1, 11), not {pays!r}.") from None
    changed = (rules.with_pay(table, **{name_of(name): paid}) for paid in wanted)
    return Sweep(variant.wager, row, wanted, tuple(edge(each, variant.wager, stake) for each in changed))
