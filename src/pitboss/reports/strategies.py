"""Best play as a document: what it holds, lists to learn with their exact cost, and the table of a game with a draw."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol

from pitboss.exact.conditions import Conditions
from pitboss.exact.duel import Progress
from pitboss.exact.edge import Variant, conditions_of_variant, whole_game
from pitboss.exact.plan import Staged
from pitboss.exact.streets import StreetsList
from pitboss.exact.value import Valued
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.games.structure import TIES
from pitboss.law.model import SINGLE
from pitboss.names import shown, units
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Figures,
    Listing,
    Paper,
    Passage,
    Remark,
    Row,
    passages,
)
from pitboss.reports.grids import drawn_grid, grids_of, rule_blocks
from pitboss.reports.stamp import imprint_for

if TYPE_CHECKING:
    from pitboss.exact.draw_table import DrawTable

CHOICES: Final = (Column("choice", "Choice"), Column("share", "Share", CellKind.PERCENT, places=2))
PARTS: Final = (
    Column("part", "Part of the game", CellKind.NAME),
    Column("hold", "Hold", CellKind.PERCENT),
    Column("leaves out", "Leaves out", CellKind.SENTENCE, rank=3),
)


class Learnable(Protocol):
    """A list of rules as one of the engines found it."""

    @property
    def name(self) -> str: ...
    @property
    def sentences(self) -> Sequence[str]: ...
    @property
    def expected_value(self) -> Fraction: ...
    @property
    def cost(self) -> Fraction: ...


@dataclass(frozen=True)
class PlayList:
    """A strategy in a few sentences, with its exact value and its cost against the best play, in units."""

    name: str
    sentences: tuple[str, ...]
    expected_value: Fraction
    cost: Fraction

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rules": list(self.sentences),
            "expected_value": str(self.expected_value),
            "house_edge": float(-self.expected_value),
            "cost": str(self.cost),
        }


@dataclass(frozen=True)
class PartOfGame:
    """A part of the game that is counted by itself, and what best play of it is worth."""

    reading: str
    expected_value: Fraction
    restriction: str

    def as_dict(self) -> dict[str, Any]:
        return {
            "reading": self.reading,
            "expected_value": str(self.expected_value),
            "house_edge": float(-self.expected_value),
            "restriction": self.restriction,
        }


@dataclass(frozen=True)
class StrategyFigures:
    """The best play of a main game, with the rules and conditions that its figures hold under."""

    rules: Rules
    conditions: Conditions
    expected_value: Fraction
    choices: Mapping[str, Fraction]
    lists: tuple[PlayList, ...]
    ties: int | None = None
    """States in which two choices are worth the same, where that is known."""
    restriction: str = ""
    """What this play leaves out of the game."""
    parts: tuple[PartOfGame, ...] = ()
    table: "DrawTable | None" = field(default=None, repr=False, compare=False)
    """Where cards are drawn, the best play by hand and up card."""
    glance: tuple[Passage, ...] = field(default=(), repr=False, compare=False)
    """The best play as grids, and the rules of a list line by line."""

    @property
    def unit(self) -> str:
        return self.conditions.unit

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.rules.game,
            "paytable": self.conditions.letter,
            "reading": self.conditions.reading,
            "changed": [each.as_dict() for each in self.conditions.changes],
            "denominator": GAMES[self.rules.game].course.unit,
            "tie_rule": TIES,
            "restriction": self.restriction or None,
            "expected_value": str(self.expected_value),
            "house_edge": float(-self.expected_value),
            "choices": {name: float(share) for name, share in self.choices.items()},
            **({} if self.ties is None else {"ties": self.ties}),
            "rule_lists": [each.as_dict() for each in self.lists],
            **({"parts": [each.as_dict() for each in self.parts]} if self.parts else {}),
        }


def strategy_figures(
    game: Game, rules: Rules, variant: Variant, progress: Progress | None = None
) -> tuple[StrategyFigures, Valued | Staged | None]:
    """The best play with its lists, and the play itself where every state of it is at hand."""
    from pitboss.exact.engine import play_of
    from pitboss.exact.rulelist import rule_lists

    scope, conditions = game.scope(variant.reading), conditions_of_variant(rules, variant)
    whole = None if scope.restriction else whole_game(game, rules, progress, lists=True)
    if whole is not None:
        parts = (PartOfGame(reading, *part) for reading, part in whole.parts.items())
        result, lists = whole.result, _lists(whole.lists)
        return StrategyFigures(
            rules, conditions, result.expected_value, result.choices, lists,
            restriction=whole.restriction, parts=tuple(parts), table=whole.table, glance=drawn_glance(whole.table),
        ), None  # fmt: skip
    best = play_of(game, rules, progress)
    if progress is not None:
        progress("looking for rules", 0.5)
    learned = rule_lists(game, best)
    result = best.result
    found = StrategyFigures(
        rules, conditions, result.expected_value, result.choices, _lists(learned), best.ties, game.restriction,
        glance=glance_of(game, best, learned),
    )  # fmt: skip
    return found, best


def _lists(found: Iterable[Learnable]) -> tuple[PlayList, ...]:
    return tuple(PlayList(each.name, tuple(each.sentences), each.expected_value, each.cost) for each in found)


def strategy_paper(found: StrategyFigures, printed: int | None = None) -> Paper:
    """Best play as a document."""
    letter = "" if found.conditions.letter == SINGLE else f", pay table {found.conditions.lettered}"
    return Paper(
        "strategy",
        f"{found.rules.chapter.title}{letter}: {'best play of a part' if found.restriction else 'best play'}",
        (f"{found.rules}",),
        strategy_passages(found),
        imprint_for(found.rules.as_of, printed),
        main="lists",
    )


def strategy_passages(found: StrategyFigures) -> tuple[Passage, ...]:
    """The parts of the document, for a page that has a chart of its own."""
    chosen = tuple((name.replace("_", " "), share) for name, share in found.choices.items())
    parts = tuple((each.reading, -each.expected_value, each.restriction) for each in found.parts)
    longer = [each for each in found.lists if len(each.sentences) > 1]
    described = [(f"{each.name[:1].upper()}{each.name[1:]}", [*map(Remark, each.sentences)]) for each in longer]
    return (
        *passages(
            ("", [*_worth(found)]),
            ("Choices", [Listing("choices", CHOICES, chosen)] if chosen else []),
        ),
        *found.glance,
        *passages(
            ("Lists to learn, and what each costs", [_listed(found)] if found.lists else []),
            *described,
            ("Parts of the game, for comparison", [*_parts(found, parts)] if parts else []),
        ),
    )


def glance_of(game: Game, best: Valued | Staged, lists: Sequence[Learnable]) -> tuple[Passage, ...]:
    """The best play as grids; of a game with several streets also the rules of its longest list, line by line."""
    grids = grids_of(game, best)
    blocks = [block for grid in grids for block in grid.blocks()]
    longest = lists[-1] if lists else None
    if not isinstance(longest, StreetsList):
        return passages(("Best play at a glance", blocks))
    shown_before = frozenset({best.asked[0].step} if isinstance(best, Staged) and grids else ())
    cost = f"costs {float(longest.cost):.6f} of the {game.chapter.unit_title} a round"
    rules = f"{'Later streets' if grids else 'Play'} by rules, which {cost}"
    return passages(("Best play at a glance", blocks), (rules, [*rule_blocks(longest, shown_before)]))


def drawn_glance(laid: "DrawTable | None") -> tuple[Passage, ...]:
    """The grid of a game in which cards are drawn."""
    if laid is None:
        return ()
    blocks = [*drawn_grid(laid).blocks(), Remark("A number: exchange so many cards. pitboss hand values every choice.")]
    return passages(("Best play at a glance", blocks))


def _worth(found: StrategyFigures) -> Iterator[Block]:
    if found.conditions.changed:
        yield Remark(f"Not the law's table; {found.conditions.changed}.", tone="warning")
    if found.restriction:
        yield Remark(f"Only a part of the game: {found.restriction}.", tone="warning")
    ties = () if found.ties is None else (Datum("States with a tie", found.ties, CellKind.COUNT),)
    yield Figures(
        (
            Datum(f"Hold, of the {found.unit}", -found.expected_value, CellKind.PERCENT, "hold"),
            Datum("Expected value, exactly", found.expected_value, CellKind.EXACT),
            *ties,
        )
    )
    yield Remark(TIES)


def _listed(found: StrategyFigures) -> Listing:
    columns = (
        Column("list", "List"),
        Column("hold", "Hold", CellKind.PERCENT),
        Column("cost", f"Costs, in {units(found.unit)}", CellKind.FIGURE, places=6),
        Column("cost exactly", "Cost, exactly", CellKind.EXACT, rank=0),
        Column("rule", "Rule", CellKind.SENTENCE, rank=3),
    )
    return Listing("lists", columns, tuple(map(_list, found.lists)))


def _list(found: PlayList) -> Row:
    """A list of one rule has it below its row; a longer one stands under a heading of its own."""
    rule = found.sentences[0] if len(found.sentences) == 1 else ""
    return found.name, -found.expected_value, found.cost, found.cost, rule


def _parts(found: StrategyFigures, rows: tuple[Row, ...]) -> Iterator[Block]:
    yield Listing("parts", PARTS, rows)
    name = found.rules.game
    part = GAMES[name].played
    yield Remark(f"pitboss strategy {name} --reading {part} gives the lists of {shown(part)}.")
