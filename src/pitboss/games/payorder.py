"""Pay tables whose order contradicts the ranking of hands: a lower hand pays more than one that beats it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.games.contract import Game
from pitboss.games.facts import Label
from pitboss.games.rules import Rules
from pitboss.hands.labels import row_of
from pitboss.law.odds import ForOne, Odds, ToOne
from pitboss.names import shown

PAY_ORDER = "paytable-order"
"""The code of the finding on such a table."""


@dataclass(frozen=True)
class Upset:
    """A hand that pays less than one it beats."""

    table: str
    higher: str
    lower: str
    pays: str
    less_than: str

    def __str__(self) -> str:
        higher, lower = (label.replace("_", " ") for label in (self.higher, self.lower))
        return (
            f"In {shown(self.table)} {higher} pays {self.pays}, less than {lower} at {self.less_than}, "
            "although it is the higher hand."
        )


def upsets(game: Game, rules: Rules, before: Rules) -> tuple[Upset, ...]:
    """The upsets that tables have and did not have before, one for each hand that pays too little."""
    known = {(each.table, each.higher) for each in _all(game, before)}
    return tuple(each for each in _all(game, rules) if (each.table, each.higher) not in known)


def _all(game: Game, rules: Rules) -> Iterator[Upset]:
    for name, labels in _ranked(game, rules).items():
        rows = rules.tables[name].rows
        best: tuple[Fraction, str] | None = None
        found = []
        for label in reversed(labels):
            row = row_of(rows, label)
            odds = None if row is None else rows[row]
            net = _net(odds)
            if net is None:
                continue  # a share of a meter, or a sum of money, is worth what the meter and the stake make it
            if best is not None and net < best[0]:
                lower = str(rows[str(row_of(rows, best[1]))])
                found.append(Upset(name, label, best[1], "nothing" if odds is None else str(odds), lower))
            if row is not None and (best is None or net > best[0]):
                best = net, label
        yield from reversed(found)


def _net(odds: Odds | None) -> Fraction | None:
    """What odds win for each unit wagered; a hand without a row loses."""
    match odds:
        case None:
            return Fraction(-1)
        case ToOne(rate):
            return Fraction(rate)
        case ForOne(rate):
            return Fraction(rate) - 1
    return None


def _ranked(game: Game, rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """The hands of each table that pays by one ranked hand, the highest first."""
    found: dict[str, tuple[str, ...]] = {}
    for line, rule in game.lines.rules.items():
        facts = [game.lines.facts.by_name[name] for name in rule.reads]
        labels = [fact for fact in facts if isinstance(fact, Label) and fact.facet.order is not None]
        if len(labels) == 1:
            for table in game.lines.tables_behind([line], rules):
                if table in rules.tables:
                    found[table] = labels[0].values
    return found
