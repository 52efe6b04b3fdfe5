"""Figures of wagers as documents: each with its conditions, its outcomes, and formulas that follow an edited pay."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from pitboss.exact.edge import MAIN
from pitboss.exact.figures import EdgeFigures, EdgeOutcome, PaidRow, outcomes_of
from pitboss.exact.limit import Limited
from pitboss.exact.progressive import BY_SEATS, ProgressiveReport
from pitboss.exact.side import SideResult
from pitboss.games.repaying import CHANGED, if_changed
from pitboss.games.rules import Rules
from pitboss.games.structure import PRINTED
from pitboss.law.model import SINGLE
from pitboss.law.odds import FixedSum, ForOne, MeterShare, ToOne
from pitboss.money import show_dollars
from pitboss.names import shown, units
from pitboss.paper.files import file_of, kind_of
from pitboss.paper.model import (
    Block,
    CellKind,
    Column,
    Datum,
    Figures,
    Listing,
    Paper,
    Plot,
    Remark,
    Row,
    passages,
)
from pitboss.paper.say import LARGEST_NUMBER, decimals, net, percent
from pitboss.reports.offer import row_title
from pitboss.reports.stamp import imprint, printing_time

SUMMARY: Final = (
    Column("no", "No.", CellKind.COUNT, rank=0),
    Column("wager", "Wager"),
    Column("paytable", "Table"),
    Column("reading", "Reading"),
    Column("cite", "Paragraph", CellKind.CITES, rank=2),
    Column("house_edge", "Hold", CellKind.PERCENT, formula="{#hold@no}"),
    Column("denominator", "Of the", rank=0),
    Column("long_run_hold", "Long-run hold", CellKind.PERCENT, rank=2),
    Column("standard_deviation", "Deviation", CellKind.FIGURE, rank=2, formula="{#deviation@no}"),
    Column("hit_frequency", "Hits", CellKind.PERCENT, rank=2, places=2, formula="{#hits@no}"),
    Column("element_of_risk", "Element of risk", CellKind.PERCENT, rank=0),
    Column("expected_value", "Expected value", CellKind.EXACT, rank=3),
    Column("published", "Published", rank=3),
    Column("conditions", "Conditions", CellKind.SENTENCE, rank=4),
    Column("more", "More", CellKind.SENTENCE, rank=4),
)
RESULTS: Final[Mapping[str, str]] = {
    "win": "Wins",
    "lose": "Loses",
    "push": "Pushes",
    "void": "Void",
    "forfeit": "Forfeited",
    "lives_on": "Lives on",
    "": "Not paid",
}
TO_ONE, FOR_ONE, DOLLARS, OF_METER = "to 1", "for 1", "dollars", "of the meter"
NET: Final = f'IF({{way}}="{FOR_ONE}",{{pay}}-1,IF({{way}}="{OF_METER}",-1,{{pay}}))'
NET_WITH_SUMS: Final = f'IF({{way}}="{DOLLARS}",{{pay}}/{{#stake_%d}},{NET})'
PAYS_NOTE: Final = (
    "Type another pay into a yellow cell: net, hold, deviation and hits follow. What can't follow is marked as filed. "
    "A share of a meter counts as a lost stake here."
)
MAIN_NOTE: Final = (
    "The nets of the main wagers can't be edited: under other pays the player would play otherwise, so the ways would "
    "not stay the same. pitboss edge --pay counts them."
)
ROWS_NOTE: Final = (
    "A contribution is probability × net, in {unit}. After n rounds the hold lies within hold ± volatility index / √n "
    "as far as the normal law holds."
)
VOLATILITY: Final[Mapping[str, tuple[int, float]]] = {"volatility": (90, 1.645), "volatility_95": (95, 1.96)}
"""By key: the level in percent and how many deviations a laboratory takes for it."""
MANY_WAYS_NOTE: Final = "There are more ways than a spreadsheet's numbers hold; the probabilities are as filed."
BY_STAKE: Final = (
    Column("stake", "Stake", CellKind.MONEY),
    Column("same_play", "Hold, best play without the limit", CellKind.PERCENT),
    Column("best_play", "Hold, best play at this stake", CellKind.PERCENT, rank=2),
    Column("same_play_exactly", "Exactly", CellKind.EXACT, rank=3),
)
JACKPOTS: Final = (
    Column("hand", "Hand"),
    Column("pays", "Pays"),
    Column("chance", "Probability", CellKind.CHANCE),
    Column("one_in", "One in", CellKind.FIGURE, places=1),
    Column("exactly", "Probability, exactly", CellKind.EXACT, rank=2),
)
BY_SEATS_COLUMNS: Final = (
    Column("seats", "Seats", CellKind.COUNT),
    Column("others", "Also wagered on this meter", rank=2),
    Column("meter", "Meter pays", CellKind.PERCENT, rank=2),
    Column("envy", "Envy pays", CellKind.PERCENT, rank=2),
    Column("hold", "Hold", CellKind.PERCENT),
    Column("house_hold", "Stays with house", CellKind.PERCENT),
    Column("hold_exactly", "Hold, exactly", CellKind.EXACT, rank=3),
)


def figures_file(found: Sequence[EdgeFigures], kind: str) -> bytes:
    """The figures as a file, written now; JSON is what ``pitboss edge --json`` prints."""
    if kind == "json":
        return (json.dumps([each.as_dict() for each in found], indent=2, ensure_ascii=False) + "\n").encode()
    return file_of(edges_paper(found, printing_time(), outcomes=True), kind_of(f"figures.{kind}"))


def edges_paper(
    found: Sequence[EdgeFigures],
    printed: int | None = None,
    *,
    outcomes: bool = False,
    left_out: Sequence[str] = (),
) -> Paper:
    """A line for each wager, table and reading, and why others are left out; with ``outcomes`` a part for each line,
    with every outcome."""
    rules = found[0].rules
    missing = [Remark(sentence, tone="warning") for sentence in dict.fromkeys(left_out)]
    parts: list[tuple[str, Sequence[Block]]] = [("", (summary(found), *missing))]
    for number, each in enumerate(found, 1):
        parts.append((name_of(each), details(each, number) if outcomes else by_stake(each, number)))
    lead = f"58 Pa. Code Chapter {rules.chapter.chapter}, law of {rules.as_of}"
    title = f"Figures of {rules.chapter.title}"
    return Paper("figures", title, (lead,), passages(*parts), imprint(rules.as_of, printed), main="summary")


def name_of(each: EdgeFigures) -> str:
    """A wager with its pay table and, where it is not the printed text, its reading or part of the game."""
    letter = "" if each.letter == SINGLE else f", table {each.letter}"
    changed = f", {CHANGED}" if each.conditions.changes else ""
    reading = "" if each.reading == PRINTED else f" ({each.reading})"
    return f"{each.name}{letter}{changed}{reading}"


def summary(found: Iterable[EdgeFigures]) -> Listing:
    """One row a wager, with everything its figures hold under."""
    return Listing("summary", SUMMARY, tuple(_summary_row(number, each) for number, each in enumerate(found, 1)))


def _summary_row(number: int, each: EdgeFigures) -> Row:
    conditions, result = each.conditions, each.result
    return (
        number,
        each.name,
        conditions.lettered,
        if_changed(each.reading, conditions.changes),
        (conditions.cited,) if conditions.cited else (),
        each.hold,
        each.unit,
        each.progressive.long_run_hold if each.progressive else None,
        None if result is None else result.standard_deviation,
        None if result is None else result.hit_frequency,
        None if each.main is None else each.main.element_of_risk,
        each.expected_value,
        conditions.published,
        " ".join(remark.text for remark in condition_remarks(each)),
        " ".join(remark.text for remark in (*_shares_of_wagers(each), *more_remarks(each))),
    )


def condition_remarks(each: EdgeFigures) -> Iterator[Remark]:
    """What the figures hold under and leave out, a sentence each."""
    conditions = each.conditions
    if conditions.changes:
        yield Remark(f"Not the law's table; {conditions.changed}.", tone="warning")
    for upset in conditions.upsets:
        yield Remark(f"Warning: {upset}", tone="warning")
    if conditions.facts:
        facts = ", ".join(f"{name} = {value}" for name, value in conditions.facts.items())
        yield Remark(f"Set as a submission may: {facts}.")
    if conditions.restriction:
        yield Remark(f"Only a part of the game: {conditions.restriction}.", tone="warning")
    if conditions.known:
        yield Remark(f"The player knows {conditions.known}.", tone="warning")
    if conditions.meter:
        jackpots = ", ".join(f"{jackpot.name} with probability {jackpot.probability}" for jackpot in each.jackpots)
        yield Remark(f"Without {conditions.meter}{': ' if jackpots else ''}{jackpots}.")
    if conditions.limit:
        yield Remark(f"Before {conditions.limit}.")
    if each.fixed_sums and each.stake and each.wager != MAIN:
        yield Remark(f"Fixed sums at a stake of {show_dollars(each.stake)}.")
    if conditions.at_stake or (each.stake is not None and each.wager == MAIN):
        at = conditions.at_stake or f"for {show_dollars(each.stake or 0)}; no payout limit applies"
        yield Remark(f"Figures {at}, best play at this stake.")


def _shares_of_wagers(each: EdgeFigures) -> Iterator[Remark]:
    """What the hold of main wagers is a share of, where their figures don't stand beside it."""
    if (result := each.main) is not None:
        yield Remark(
            f"{percent(each.hold)} of the {each.unit}, {percent(result.house_edge_required)} of required wagers, "
            f"{percent(result.element_of_risk)} of all {decimals(result.average_total_wager, 4)} {units(each.unit)}."
        )
    elif each.wager == MAIN:
        yield Remark(f"{percent(each.hold)} of the {each.unit}.")


def more_remarks(each: EdgeFigures) -> Iterator[Remark]:
    """What else there is to say: play, meter, folds, and what the pay tables rest on."""
    if each.choices:
        yield Remark(f"Best play: {shares(each.choices)}.")
    if each.by_card:
        by_card = ", ".join(f"{card} {percent(-worth, 2)}" for card, worth in each.by_card.items())
        yield Remark(f"Hold by card: {by_card}.")
    if each.limit is not None:
        yield Remark(each.limit.sentence, (str(each.limit.cap.cite),))
    if each.progressive is not None:
        yield _meter_line(each.progressive)
    if (seed := each.at_seed) is not None:
        yield Remark(
            f"With the meter at its seed: hold {percent(seed.house_edge)}, deviation "
            f"{decimals(seed.standard_deviation, 4)}, hits {percent(seed.hit_frequency, 2)}, largest pay "
            f"{net(seed.largest_pay)}."
        )
    if each.folding is not None:
        part = ", ".join(filter(None, (each.game.restriction, _main_changes(each))))
        yield Remark(
            f"Nobody folds in these figures; with the best play of the main wagers{f' ({part})' if part else ''}, "
            f"whose folds forfeit it, hold {percent(each.folding.house_edge)}, hits "
            f"{percent(each.folding.hit_frequency, 2)}."
        )
    if each.progressive is not None:
        yield from _long_run(each.rules, each.progressive)
    if each.same_as:
        yield Remark(f"The cards of every place are alike: counted as the {each.same_as}.")
    for source in each.sources:
        yield Remark(f"Not printed: {source}.")


def shares(choices: Mapping[str, Fraction], places: int = 2) -> str:
    """How often each choice is made."""
    return ", ".join(f"{name.replace('_', ' ')} {percent(share, places)}" for name, share in choices.items())


def _main_changes(each: EdgeFigures) -> str:
    changes = each.conditions.main_changes
    return f"{CHANGED}: {', '.join(map(str, changes))}" if changes else ""


def _meter_line(report: ProgressiveReport) -> Remark:
    """A progressive in one sentence: seeds and means of its meters, the long run, and its fixed pays without them."""
    named = len(report.tiers) > 1
    meters = "; ".join(
        f"{tier.tier if named else 'meter'} from a seed of {_at_stake(report, tier.seed)}, "
        f"{_at_stake(report, tier.mean_meter)} on average"
        for tier in report.tiers
    )
    return Remark(
        f"{_capital(meters)}, at {show_dollars(report.stake)}: in the long run one seat loses "
        f"{percent(report.long_run_hold)} and the house keeps {percent(report.long_run_house_hold)}; the fixed pays "
        f"alone hold {percent(-report.fixed)}."
    )


def _at_stake(report: ProgressiveReport, amount: Fraction) -> str:
    """An amount in units of the wager, in dollars at its stake."""
    return show_dollars(round(amount * report.stake))


def _long_run(rules: Rules, report: ProgressiveReport) -> Iterator[Remark]:
    """The long-run hold of one seat and of a full table, apart by what else all seats wager on the meter."""
    by_others: dict[tuple[str, ...], list[str]] = {}
    for each in report.by_seats():
        seats = "1 seat" if each.seats == 1 else f"{each.seats} seats"
        by_others.setdefault(each.others, []).append(f"{percent(each.hold)} with {seats}")
    for others, holds in by_others.items():
        also = ", ".join(rules.wagers[name].title for name in others)
        ends = ", ".join(dict.fromkeys((holds[0], holds[-1])))
        company = f", all seats also on {also}" if also else ""
        yield Remark(f"Long-run hold {ends}{company}, meter and Envy Bonuses included.")


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def figure_data(each: EdgeFigures, number: int = 1) -> tuple[Datum, ...]:
    """The figures of one wager; in a workbook those that follow from its outcomes are computed from them."""
    result, part = each.result, f"outcomes_{number}"
    without = " without shares of the meter" if each.jackpots else ""
    hold = Datum(f"Hold{without}, of the {each.unit}", each.hold, CellKind.PERCENT, f"hold_{number}")
    exact = Datum(f"Expected value, of the {each.unit}", each.expected_value, CellKind.EXACT, f"exact_{number}")
    if result is None:
        return hold, exact
    total, square = f"SUM({{{part}.part}})", f"SUM({{{part}.square}})"
    in_units = f"in {units(each.unit)}"

    def datum(
        label: str, value: Fraction | float, kind: CellKind, key: str, formula: str = "", places: int = 4
    ) -> Datum:
        return Datum(label, value, kind, f"{key}_{number}", places, formula)

    found = [datum(hold.label, each.hold, CellKind.PERCENT, "hold", f"-{total}")]
    if each.main is not None and each.main.required != 1:
        required = each.main.house_edge_required
        found.append(datum("Hold, of all required wagers", required, CellKind.PERCENT, "required"))
    if each.main is not None:
        found.append(datum("Element of risk, of all wagered", result.element_of_risk, CellKind.PERCENT, "risk"))
    deviation = result.standard_deviation
    found += [
        datum(
            f"Standard deviation, {in_units}", deviation, CellKind.FIGURE, "deviation", f"SQRT({square}-({total})^2)"
        ),
        datum("Hit frequency", result.hit_frequency, CellKind.PERCENT, "hits", f"SUM({{{part}.hit}})", 3),
        datum(f"Largest pay, {in_units}", result.largest_pay, CellKind.NET, "largest", f"MAX({{{part}.net}})"),
    ]
    if each.main is not None:
        average = each.main.average_total_wager
        found.append(datum(f"Average total wager, {in_units}", average, CellKind.FIGURE, "average"))
    if each.folding is not None:
        under = ", main wagers changed" if each.conditions.main_changes else ""
        folding = each.folding.house_edge
        found.append(datum(f"Hold where folds forfeit it{under}", folding, CellKind.PERCENT, "folding"))
    return *found, exact


def spread_data(each: EdgeFigures, outcomes: Sequence[EdgeOutcome], number: int) -> tuple[Datum, ...]:
    """Cycle, variance, volatility and further denominators of one wager."""
    if each.result is None or not outcomes:
        return ()
    result, part = each.result, f"outcomes_{number}"
    deviation, even = result.standard_deviation, result.chances.get(Fraction(0), Fraction(0))
    cycle = sum(outcome.ways for outcome in outcomes)
    counted = f"SUM({{{part}.ways}})" if cycle <= LARGEST_NUMBER else ""
    found = [
        Datum("Cycle: the ways below sum to", cycle, CellKind.COUNT, f"cycle_{number}", formula=counted),
        Datum(
            f"Variance, in {units(each.unit)} squared", result.variance, CellKind.FIGURE, f"variance_{number}",
            formula=f"{{#deviation_{number}}}^2",
        ),
    ]  # fmt: skip
    for key, (level, constant) in VOLATILITY.items():
        label = f"Volatility index, {constant} × deviation ({level} %)"
        value, formula = constant * deviation, f"{constant}*{{#deviation_{number}}}"
        found.append(Datum(label, value, CellKind.FIGURE, f"{key}_{number}", formula=formula))
    if 0 < even < 1:
        label = f"Hold where a round doesn't end even, of the {each.unit}"
        formula = f"{{#hold_{number}}}/(1-SUM({{{part}.zero}}))"
        found.append(Datum(label, each.hold / (1 - even), CellKind.PERCENT, f"uneven_{number}", formula=formula))
    if each.main is not None and each.main.required != 1:
        label = "Standard deviation of the required wagers as one package, per unit of the package"
        value, formula = deviation / float(each.main.required), f"{{#deviation_{number}}}/{float(each.main.required):g}"
        found.append(Datum(label, value, CellKind.FIGURE, f"package_{number}", formula=formula))
    return tuple(found)


def details(each: EdgeFigures, number: int) -> list[Block]:
    """Everything about one wager: figures, conditions, outcomes, and what a limit or a meter does to it."""
    outcomes = outcomes_of(each)
    rows = _paid_rows(outcomes)
    about = [
        Datum("Paragraph", (each.conditions.cited,) if each.conditions.cited else (), CellKind.CITES),
        Datum("Published", each.conditions.published),
    ]
    if each.fixed_sums:
        about.append(Datum("Stake", each.stake, CellKind.MONEY, f"stake_{number}", editable=True))
    spread = spread_data(each, outcomes, number)
    blocks: list[Block] = [Figures((*figure_data(each, number), *spread, *(datum for datum in about if datum.value)))]
    blocks += [*condition_remarks(each), *more_remarks(each)]
    if outcomes:
        blocks.append(Remark(ROWS_NOTE.format(unit=units(each.unit)), tone="fine"))
    if outcomes:
        blocks += [_outcomes_plot(each, outcomes, rows, number), sums_of(outcomes, number)]
    if rows:
        blocks.append(_pays(each, rows, number))
    if each.jackpots:
        blocks.append(_jackpots(each, number))
    blocks += by_stake(each, number)
    if each.progressive is not None:
        blocks += _progressive(each.rules, each.progressive, number)
    return blocks


def sums_of(outcomes: Sequence[EdgeOutcome], number: int) -> Figures:
    """The sums of the rows: the cycle, 1, and the expected value."""
    cycle, part = sum(outcome.ways for outcome in outcomes), f"outcomes_{number}"
    counted = f"SUM({{{part}.ways}})" if cycle <= LARGEST_NUMBER else ""
    mean = sum((outcome.net * outcome.ways for outcome in outcomes), Fraction(0)) / cycle
    chances = sum((Fraction(outcome.ways, cycle) for outcome in outcomes), Fraction(0))

    def datum(label: str, value: Fraction | int, kind: CellKind, key: str, formula: str) -> Datum:
        return Datum(label, value, kind, f"{key}_{number}", 8, formula)

    return Figures(
        (
            datum("Sum of the ways: the cycle", cycle, CellKind.COUNT, "sum_ways", counted),
            datum("Sum of the probabilities", chances, CellKind.CHANCE, "sum_chances", f"SUM({{{part}.chance}})"),
            datum("Sum of the contributions: the expected value", mean, CellKind.FIGURE, "sum_parts",
                  f"SUM({{{part}.part}})"),
            Datum("The same, exactly", mean, CellKind.EXACT, f"sum_exact_{number}"),
        )
    )  # fmt: skip


def _paid_rows(outcomes: Iterable[EdgeOutcome]) -> list[PaidRow]:
    """The rows that can be edited: each alone decides the net of every outcome it pays."""
    return [*dict.fromkeys(each.paid_by for each in outcomes if each.paid_by is not None)]


def _outcomes_plot(each: EdgeFigures, outcomes: Sequence[EdgeOutcome], rows: Sequence[PaidRow], number: int) -> Plot:
    """All outcomes with their probabilities as bars."""
    total, side = sum(outcome.ways for outcome in outcomes), isinstance(each.result, SideResult)
    counted = total <= LARGEST_NUMBER
    chance_formula = f"{{ways}}/SUM({{outcomes_{number}.ways}})" if counted else ""
    net_formula = f"IF({{row}}=0,{{otherwise}},INDEX({{pays_{number}.net}},{{row}}))" if rows else ""
    columns = (
        *((Column("outcome", "Outcome"), Column("pays", "Pays", CellKind.ODDS, rank=2)) if side else ()),
        Column("net", f"Net in {units(each.unit)}", CellKind.NET, formula=net_formula),
        Column("ways", "Ways", CellKind.COUNT, rank=2),
        Column("chance", "Probability", CellKind.CHANCE, formula=chance_formula),
        Column("one_in", "One in", CellKind.FIGURE, rank=2, places=1, formula="1/{chance}"),
        Column("exactly", "Probability, exactly", CellKind.EXACT, rank=2),
        *((Column("row", "Row of the pays", CellKind.COUNT, rank=0),) if rows else ()),
        *((Column("otherwise", "Net without a row", CellKind.NET, rank=0),) if rows else ()),
        Column("part", "Contribution", CellKind.FIGURE, rank=2, places=8, formula="{chance}*{net}"),
        Column("square", "Part of the square", CellKind.FIGURE, rank=0, places=8, formula="{chance}*{net}^2"),
        Column("hit", "Part of the hits", CellKind.CHANCE, rank=0, formula="IF({net}>0,{chance},0)"),
        Column("zero", "Part of the even results", CellKind.CHANCE, rank=0, formula="IF({net}=0,{chance},0)"),
    )
    listed = []
    for outcome in outcomes:
        chance = Fraction(outcome.ways, total)
        unpaid = 0, outcome.net
        place = () if not rows else (rows.index(outcome.paid_by) + 1, None) if outcome.paid_by else unpaid
        listed.append(
            (
                *((outcome_title(each.rules, outcome, rows), odds_of(outcome.paid_by)) if side else ()),
                outcome.net,
                outcome.ways,
                chance,
                1 / chance,
                chance,
                *place,
                chance * outcome.net,
                chance * outcome.net**2,
                chance if outcome.net > 0 else Fraction(0),
                chance if outcome.net == 0 else Fraction(0),
            )
        )
    note = " ".join(filter(None, ("" if side else MAIN_NOTE, "" if counted else MANY_WAYS_NOTE)))
    sheet = f"{number} Outcomes {each.name}"
    listing = Listing(f"outcomes_{number}", columns, tuple(listed), title="Outcomes", sheet=sheet, sheet_note=note)
    return Plot(
        listing,
        f"Results of {name_of(each)}",
        "outcome" if side else "net",
        ("chance",),
        logarithmic=True,
        tones=tuple("bad" if outcome.net < 0 else "good" if outcome.net > 0 else "" for outcome in outcomes),
    )


def odds_of(paid: PaidRow | None) -> str:
    return "" if paid is None else str(paid.odds)


def outcome_title(rules: Rules, outcome: EdgeOutcome, rows: Sequence[PaidRow]) -> str:
    """The row that pays an outcome, or its result in words."""
    if outcome.paid_by is None:
        return RESULTS.get(outcome.result) or _capital(outcome.result.replace("_", " "))
    return paid_title(rules, outcome.paid_by, rows)


def paid_title(rules: Rules, paid: PaidRow, rows: Iterable[PaidRow]) -> str:
    """A row as the law prints it, with its table where the rows are of several."""
    title = row_title(paid.row, rules.tables[paid.table])
    return f"{shown(paid.table)}: {title}" if len({row.table for row in rows}) > 1 else title


def _pays(each: EdgeFigures, rows: Sequence[PaidRow], number: int) -> Listing:
    """The rows that pay the outcomes; a workbook computes the net of each from its pay."""
    formula = NET_WITH_SUMS % number if each.fixed_sums else NET
    columns = (
        Column("hand", "Hand"),
        Column("odds", "Pays", CellKind.ODDS),
        Column("pay", "Pay to edit", CellKind.FIGURE, rank=0, places=2, editable=True),
        Column("way", "Way of paying", rank=0),
        Column("net", "Net", CellKind.NET, rank=0, formula=formula),
    )
    listed = tuple(
        (paid_title(each.rules, row, rows), str(row.odds), *_pay(row), row.net(each.stake or 1)) for row in rows
    )
    sheet = f"{number} Pays {each.name}"
    return Listing(f"pays_{number}", columns, listed, title="Pays", sheet=sheet, sheet_note=PAYS_NOTE)


def _pay(row: PaidRow) -> tuple[Fraction, str]:
    """The number of a row's odds, and the way it is paid."""
    match row.odds:
        case ToOne(rate):
            return rate, TO_ONE
        case ForOne(rate):
            return rate, FOR_ONE
        case FixedSum(amount):
            return Fraction(amount, 100), DOLLARS
        case MeterShare(share):
            return share, OF_METER


def by_stake(each: EdgeFigures, number: int) -> list[Block]:
    """The hold at each stake under a payout limit."""
    limit = each.limit
    if limit is None or not limit.holds:
        return []
    rows = tuple((held.stake, held.same_play, held.best_play, held.same_play) for held in limit.holds)
    title = f"Hold by stake under the {limit.cap}"
    columns = (Column("stake", limit.unit, CellKind.MONEY), *BY_STAKE[1:])
    sheet = f"{number} Stakes {each.name}"
    return [_limit_remark(each, limit), Listing(f"by_stake_{number}", columns, rows, title=title, sheet=sheet)]


def _limit_remark(each: EdgeFigures, limit: Limited) -> Remark:
    above = "those without it" if each.stake is None else f"for {show_dollars(each.stake)}, under it"
    return Remark(f"{limit.sentence} The figures above are {above}.", (str(limit.cap.cite),))


def _jackpots(each: EdgeFigures, number: int) -> Listing:
    named = each.rules.wagers.get(each.variant.wager)
    table = None if named is None else each.rules.tables[named.paytable]
    rows = tuple(
        (row_title(won.row, table), won.name, won.probability, 1 / won.probability, won.probability)
        for won in each.jackpots
    )
    title = "Shares of a meter; the figures above count such a hand as a lost stake"
    return Listing(f"jackpots_{number}", JACKPOTS, rows, title=title, sheet=f"{number} Meter {each.name}")


def sensitivity(report: ProgressiveReport) -> Iterator[Remark]:
    """What a meter, its reseed and its rate do to the hold, a sentence for each meter, and what linked tables do."""
    for tier in report.tiers:
        step = 10 ** (len(str(max(round(tier.seed * report.stake / 100), 1))) - 1)
        units = Fraction(100 * step, report.stake)
        name = f"the {tier.tier}" if len(report.tiers) > 1 else "the meter"
        parts = [f"{percent(tier.slope * units)} to the player's expected value while it stands there"]
        if not tier.charged:
            reseeds = tier.whole * units if tier.reseed else Fraction(0)
            parts.append(
                f"a reseed higher by as much takes {percent(reseeds)} off the long-run hold" if reseeds else ""
            )
            parts.append("each percentage point of its rate takes one off")
        found = "; ".join(filter(None, parts))
        yield Remark(f"Sensitivity, one seat: {show_dollars(100 * step)} more on {name} adds {found}.")
    yield Remark("Linked to other tables, the meter is won more often and every hold stays the same.", tone="fine")


def _progressive(rules: Rules, report: ProgressiveReport, number: int) -> Iterator[Block]:
    """What the meter adds: long-run hold, mean and break-even meter in dollars at the wager's amount."""

    def cents(of_meter: Fraction) -> int:
        return round(of_meter * report.stake)

    most = max(report.other_seats)
    yield Figures(
        (
            Datum("Long-run hold with one seat, meter included", report.long_run_hold, CellKind.PERCENT),
            Datum("Stays with the house", report.long_run_house_hold, CellKind.PERCENT),
            Datum("Fixed pays alone, hold", -report.fixed, CellKind.PERCENT),
            Datum("Envy Bonus, each other seat", report.envy_per_seat, CellKind.PERCENT),
        )
    )
    columns = (
        Column("meter", "Meter"),
        Column("seed", "Seed", CellKind.MONEY),
        Column("mean", "Mean", CellKind.MONEY),
        Column("even_alone", "Break-even, alone", CellKind.MONEY, rank=2),
        Column("even_full", f"Break-even, {most} others", CellKind.MONEY, rank=2),
        Column("between", "Wagers between hits", CellKind.FIGURE, rank=2, places=0),
    )
    tiers = tuple(
        (
            tier.tier,
            cents(tier.seed),
            cents(tier.mean_meter),
            cents(report.break_even(tier.tier)),
            cents(report.break_even(tier.tier, most)),
            tier.rounds_between_hits,
        )
        for tier in report.tiers
    )
    title = f"{rules.wagers[report.wager].title} of {show_dollars(report.stake)}"
    yield Listing(f"tiers_{number}", columns, tiers, title=title, sheet=f"{number} Meters")
    yield from sensitivity(report)
    seats = tuple(
        (
            each.seats,
            ", ".join(rules.wagers[name].title for name in each.others) or "nothing else",
            each.meter,
            each.envy,
            each.hold,
            each.house_hold,
            each.hold,
        )
        for each in report.by_seats()
    )
    title = f"Long-run hold by seats: {BY_SEATS}"
    yield Listing(f"seats_{number}", BY_SEATS_COLUMNS, seats, title=title, sheet=f"{number} Seats")
