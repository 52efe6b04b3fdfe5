"""What a laboratory reads beyond the figures of a wager: rows by line, intervals, readings priced, the skill range."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from pitboss.exact.breakdown import LinePart, line_parts
from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN
from pitboss.exact.engine import play_of
from pitboss.exact.figures import EdgeFigures, PaidRow, outcomes_of
from pitboss.exact.intervals import CHECKED, LEVELS, NORMAL, OUTSIDE, HoldInterval, hold_intervals
from pitboss.exact.skill import WayOfPlay, skill_range
from pitboss.law.odds import FixedSum, ForOne, MeterShare, Odds, ToOne
from pitboss.names import shown, units
from pitboss.paper.model import Block, CellKind, Column, Datum, Figures, Listing, Remark, Row
from pitboss.paper.say import percent
from pitboss.reports.figures import RESULTS, VOLATILITY, name_of, paid_title
from pitboss.reports.strategies import StrategyFigures, strategy_figures

LINES: Final = (
    Column("line", "Line"),
    Column("result", "Result"),
    Column("pays", "Pays", CellKind.ODDS, rank=2),
    Column("stake", "Stake", CellKind.NET, rank=2),
    Column("net", "Net", CellKind.NET),
    Column("ways", "Ways", CellKind.COUNT, rank=2),
    Column("chance", "Probability", CellKind.CHANCE),
    Column("one_in", "One in", CellKind.FIGURE, rank=2, places=1, formula="1/{chance}"),
    Column("part", "Contribution", CellKind.FIGURE, places=8, formula="{chance}*{net}"),
    Column("exactly", "Contribution, exactly", CellKind.EXACT, rank=0),
)
INTERVALS: Final = (
    Column("rounds", "Rounds", CellKind.COUNT),
    *(
        Column(f"{end}_{int(level * 100)}", f"{int(level * 100)} % {end}", CellKind.PERCENT, places=2)
        for level in LEVELS
        for end in ("from", "to")
    ),
    Column("normal", "Normal law"),
)
READINGS: Final = (
    Column("wager", "Wager"),
    Column("reading", "Reading"),
    Column("hold", "Hold", CellKind.PERCENT),
    Column("difference", "Difference from the filing", CellKind.PERCENT),
    Column("exactly", "Difference, exactly", CellKind.EXACT, rank=0),
    Column("cite", "Paragraph", CellKind.CITES),
)
SKILL: Final = (
    Column("play", "Play"),
    Column("hold", "Hold", CellKind.PERCENT),
    Column("cost", "Costs", CellKind.PERCENT),
    Column("exactly", "Cost, exactly", CellKind.EXACT, rank=0),
    Column("way", "Kind", rank=2),
)
WAYS: Final[Mapping[str, str]] = {
    "best": "best play",
    "list": "list to learn",
    "error": "typical error",
    "unseen": "without looking",
    "worst": "worst",
}
LINES_NOTE: Final = (
    "The main wagers line by line, under best play: ways of each line sum to all {cycle:,} deals, and contributions of "
    "all lines to the expected value, exactly. Stakes and nets are in {unit}."
)
DRAWN: Final = "Where cards are drawn, the main wagers are not broken down by line."
AS_FILED: Final = "As filed: an edited pay doesn't change them."
INTERVALS_NOTE: Final = (
    "Central intervals of the hold of one seat after so many independent rounds, from the exact distribution of their "
    "sum (Fourier transform; a probability below {outside:g} is left out at each end, and mean and variance of what is "
    "computed agree with the exact ones to {checked:g}). The last column says whether the normal law is within "
    "{normal} of the interval or one step of the pays; if not, do not use it."
)


@dataclass(frozen=True)
class Analysis:
    """What is counted for a laboratory besides the figures of each wager."""

    found: tuple[EdgeFigures, ...]
    lines: Mapping[int, tuple[LinePart, ...]]
    """By number of the wager: its lines, where it is several together."""
    intervals: Mapping[int, tuple[HoldInterval, ...]]
    strategy: StrategyFigures | None = None
    skill: tuple[WayOfPlay, ...] = ()
    simulation: Any = field(default=None, repr=False)
    """A ``RunFigures``, where rounds were played."""


def analysis_of(
    found: Iterable[EdgeFigures], progress: Progress | None = None, *, play: bool = True, simulation: Any = None
) -> Analysis:
    """Count it. Without ``play`` best play and other play are left out, which need the states of the whole game."""
    listed = tuple(found)
    lines, intervals = {}, {}
    for number, each in enumerate(listed, 1):
        assert each.result is not None, "a submission's wagers are counted with their distributions"
        intervals[number] = tuple(hold_intervals(each.result))
        if each.wager == MAIN and not each.game.scope(each.reading).draws:
            lines[number] = line_parts(each.game, each.rules, play_of(each.game, each.rules, progress))
    main = next((each for each in listed if each.wager == MAIN), None)
    if not play or main is None or not main.game.course.weighed:
        return Analysis(listed, lines, intervals, simulation=simulation)
    strategy, _ = strategy_figures(main.game, main.rules, main.variant, progress)
    return Analysis(listed, lines, intervals, strategy, skill_range(main.game, main.rules), simulation)


def analysis_blocks(analysis: Analysis, number: int) -> list[Block]:
    """What follows the figures of a wager."""
    each = analysis.found[number - 1]
    blocks: list[Block] = []
    if parts := analysis.lines.get(number, ()):
        blocks.append(Remark(LINES_NOTE.format(cycle=parts[0].cycle, unit=units(each.unit)), tone="fine"))
        rows = tuple(_line_row(each, part, parts) for part in parts)
        blocks.append(Listing(f"lines_{number}", LINES, rows, title="Lines", sheet=f"{number} Lines"))
        blocks.append(_line_sums(parts))
    elif each.wager == MAIN and each.game.scope(each.reading).draws:
        blocks.append(Remark(DRAWN, tone="fine"))
    if intervals := analysis.intervals[number]:
        title = "Hold after many rounds"
        listing = Listing(f"intervals_{number}", INTERVALS, tuple(_interval_rows(intervals)), title=title,
                          sheet=f"{number} Intervals", sheet_note=AS_FILED)  # fmt: skip
        note = INTERVALS_NOTE.format(outside=OUTSIDE, checked=CHECKED, normal=percent(NORMAL, 0))
        blocks += [listing, *([Remark(note, tone="fine")] if number == 1 else [])]
    return blocks


def _line_sums(parts: Sequence[LinePart]) -> Figures:
    """What each line contributes, and their sum."""
    sums: dict[str, Fraction] = {}
    for part in parts:
        sums[part.line] = sums.get(part.line, Fraction(0)) + part.contribution
    data = [Datum(f"Contribution of {shown(line)}", total, CellKind.FIGURE, places=8) for line, total in sums.items()]
    total = sum(sums.values(), Fraction(0))
    data.append(Datum("Sum of all lines: the expected value", total, CellKind.FIGURE, places=8))
    return Figures((*data, Datum("The same, exactly", total, CellKind.EXACT)))


def _line_row(each: EdgeFigures, part: LinePart, parts: Sequence[LinePart]) -> Row:
    chance = part.chance
    return (
        shown(part.line),
        part_title(each, part, parts),
        "" if part.row is None else str(part.row.odds),
        part.stake or None,
        part.net,
        part.ways,
        chance,
        1 / chance,
        part.contribution,
        part.contribution,
    )


def part_title(each: EdgeFigures, part: LinePart, parts: Sequence[LinePart]) -> str:
    """The row that pays a line, or its result in words."""
    if part.row is None:
        return "Not made" if not part.stake and not part.result else RESULTS.get(part.result, part.result)
    return paid_title(each.rules, part.row, [one.row for one in parts if one.row is not None and one.line == part.line])


def _interval_rows(intervals: Sequence[HoldInterval]) -> Iterator[Row]:
    for rounds in dict.fromkeys(each.rounds for each in intervals):
        those = [each for each in intervals if each.rounds == rounds]
        agree = all(each.normal_agrees for each in those)
        ends = (end for each in those for end in (each.low, each.high))
        yield rounds, *ends, "agrees" if agree else "does not hold"


def readings_listing(found: Sequence[EdgeFigures]) -> Listing | None:
    """Each reading of a wager's text beside the one that is filed, which comes first."""
    rows: list[Row] = []
    for wager, letter in dict.fromkeys((each.wager, each.letter) for each in found if not each.same_as):
        those = [each for each in found if (each.wager, each.letter) == (wager, letter) and not each.same_as]
        for each in those if len(those) > 1 else ():
            more = each.hold - those[0].hold
            cites = (each.conditions.cited,) if each.conditions.cited else ()
            rows.append((each.name, each.reading, each.hold, more, more, cites))
    return Listing("readings", READINGS, tuple(rows), title="Readings, priced") if rows else None


def skill_blocks(analysis: Analysis) -> list[Block]:
    """Best play, lists to learn, errors, play without looking and the worst play, each with its hold and cost."""
    best = analysis.strategy
    if best is None:
        return []
    rows: list[Row] = [(WAYS["best"].capitalize(), -best.expected_value, Fraction(0), Fraction(0), "")]
    lists = [(each.name, each.expected_value, each.cost, "list") for each in best.lists if each.name[:6] != "always"]
    ways = [(each.name, each.expected_value, each.cost, str(each.way)) for each in analysis.skill]
    for name, value, cost, way in sorted((*lists, *ways), key=lambda each: each[2]):
        rows.append((f"{name[:1].upper()}{name[1:]}", -value, cost, cost, WAYS[way]))
    blocks: list[Block] = [Listing("skill", SKILL, tuple(rows), sheet="Skill range")]
    unit = f"Holds and costs are of the {best.unit}, for {name_of(_main(analysis))}."
    drawn = _main(analysis).game.whole is not None
    part = " Errors, play without looking and the worst play are of the part without drawing cards." * drawn
    return [*blocks, Remark(unit + part, tone="fine")]


def _main(analysis: Analysis) -> EdgeFigures:
    return next(each for each in analysis.found if each.wager == MAIN)


def rows_dict(analysis: Analysis, number: int) -> dict[str, Any]:
    """Rows, pay tables and intervals of a wager as plain values: all that it takes to derive its figures again."""
    each = analysis.found[number - 1]
    outcomes = outcomes_of(each)
    cycle = sum(outcome.ways for outcome in outcomes)
    assert each.result is not None, "a submission's wagers are counted with their distributions"
    return {
        "line": each.variant.wager,
        "tables": {
            table.wager: {"letter": table.letter, "rows": {row: _plain(odds) for row, odds in table.rows.items()}}
            for table in each.tables
        },
        "cycle": cycle,
        "rows": [
            {
                "result": outcome.result,
                **_row_dict(outcome.paid_by),
                "ways": outcome.ways,
                "net": str(outcome.net),
                "contribution": str(outcome.net * Fraction(outcome.ways, cycle)),
            }
            for outcome in outcomes
        ],
        "variance": str(each.result.variance),
        "volatility_index": {
            f"{level} %": constant * each.result.standard_deviation for level, constant in VOLATILITY.values()
        },
        "lines": [
            {
                "line": part.line,
                "result": part.result,
                **_row_dict(part.row),
                "stake": str(part.stake),
                "ways": part.ways,
                "cycle": part.cycle,
                "net": str(part.net),
                "contribution": str(part.contribution),
            }
            for part in analysis.lines.get(number, ())
        ],
        "intervals": [interval.as_dict() for interval in analysis.intervals[number]],
    }


def _row_dict(row: PaidRow | None) -> dict[str, Any]:
    return {} if row is None else {"table": row.table, "row": row.row, "odds": str(row.odds)}


def _plain(odds: Odds) -> dict[str, str]:
    """Odds with the way they are paid; of a share of a meter, which share."""
    match odds:
        case ToOne(rate):
            return {"pays": "to one", "rate": str(rate)}
        case ForOne(rate):
            return {"pays": "for one", "rate": str(rate)}
        case FixedSum(amount):
            return {"pays": "dollars", "rate": str(Fraction(amount, 100))}
        case MeterShare(share):
            return {"pays": "of a meter", "rate": str(share)}
