"""The mathematics of a submission on paper: every wager with its exact figures, published ones beside them."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from pitboss.exact.duel import Progress
from pitboss.exact.progressive import BY_SEATS, ProgressiveReport
from pitboss.games.rules import Rules
from pitboss.games.structure import PRINTED
from pitboss.law.cite import Cite
from pitboss.law.model import SINGLE, Note
from pitboss.money import show_dollars
from pitboss.reports.holds import Counted, counted
from pitboss.reports.offer import fixed, offered_tables, percent, row_title
from pitboss.reports.page import cited, figures, heading, notice, page, section, table
from pitboss.reports.plot import bars, chance_text, net_text
from pitboss.reports.sign import pay_panel
from pitboss.reports.sources import sources_section
from pitboss.reports.stamp import stamp_of
from pitboss.reports.svg import Markup, element, together
from pitboss.submission import Submission

METHOD = (
    "Every figure is counted, not sampled: all deals are enumerated, the player takes the best choice of each state, "
    "and pays come from the same rules that settle a live round. Expected values are exact fractions; decimals are "
    "rounded only here."
)
PART = "Main wagers whose figures are of a part of the game name the part: more choices are worth more to the player."


def math_report_html(submission: Submission, rules: Rules, progress: Progress | None = None) -> str:
    """The report of a submission whose rules were resolved."""
    found = tuple(counted(submission, rules, progress))
    title, day = f"Mathematics of {rules.chapter.title}", submission.effective
    law = f"58 Pa. Code Chapter {rules.chapter.chapter}, law of {rules.as_of}"
    return page(
        f"{title}, {submission.certificate_holder}",
        stamp_of(rules.as_of),
        heading(title, submission.certificate_holder, f"{law}; submission effective {day}; {rules.seats} seats"),
        element("p", METHOD),
        element("p", PART) if any(each.restriction for each in found) else None,
        section("Summary", _summary(found)),
        *(_wager(rules, each) for each in found),
        section("Pay tables", element("div", *map(pay_panel, offered_tables(rules)), class_="columns")),
        _notes(rules, found),
        sources_section(rules),
    )


def name_of(each: Counted) -> str:
    """A wager with its pay table and, where it is not the printed text, its reading.

    A reading of the main game may also be a part of it that is valued by itself.
    """
    letter = "" if each.letter == SINGLE else f", table {each.letter}"
    reading = "" if each.reading == PRINTED else f" ({each.reading})"
    return f"{each.title}{letter}{reading}"


def _summary(found: Iterable[Counted]) -> Markup:
    rows = [
        (
            name_of(each) + (f": only a part of the game, {each.restriction}" if each.restriction else ""),
            percent(each.hold),
            percent(each.result.element_of_risk),
            f"{each.result.standard_deviation:.4f}",
            percent(each.result.hit_frequency, 2),
            each.published or "",
            cited(each.cite),
        )
        for each in found
    ]
    return table(
        ("Wager", "Hold", "Element of risk", "Deviation", "Hits", "Published", "Paragraph"), rows, numbers=[1, 2, 3, 4]
    )


def _wager(rules: Rules, each: Counted) -> Markup:
    unit = each.unit
    pairs = [
        (f"hold, of the {unit}", percent(each.hold)),
        ("element of risk, of all wagered", percent(each.result.element_of_risk)),
        (f"standard deviation, in {unit}s", f"{each.result.standard_deviation:.4f}"),
        ("hit frequency", percent(each.result.hit_frequency, 3)),
        (f"largest pay, in {unit}s", net_text(each.result.largest_pay)),
    ]
    if each.main is not None and each.main.required != 1:
        pairs.insert(1, ("hold, of all required wagers", percent(each.main.house_edge_required)))
    if each.folding is not None:
        pairs.append(("hold where folds forfeit it", percent(each.folding)))
    parts = [
        figures(pairs),
        element("p", f"Expected value: {each.result.expected_value} of the {unit}. ", cited(each.cite), class_="quiet"),
    ]
    if each.restriction:
        parts.insert(0, element("p", f"Only a part of the game: {each.restriction}."))
    if each.published:
        parts.append(element("p", f"Published: {each.published}.", class_="quiet"))
    if each.same_as:
        parts.append(
            element("p", f"The cards of every place are alike: counted as the {each.same_as}.", class_="quiet")
        )
    if each.main is not None:
        shares = ", ".join(f"{name.replace('_', ' ')} {percent(share, 3)}" for name, share in each.main.choices.items())
        parts.append(element("p", f"Best play: {shares}.", class_="quiet"))
    parts += [
        element("div", bars(f"Results of {name_of(each)}", each.result.chances), class_="plot"),
        _distribution(each),
        *_jackpots(each, rules),
    ]
    if each.progressive is not None:
        parts.append(_progressive(rules, each.progressive))
    return section(name_of(each), *parts)


def _distribution(each: Counted) -> Markup:
    rows = [
        (net_text(net), str(chance), chance_text(chance), fixed(1 / chance, 1))
        for net, chance in each.result.chances.items()
        if chance
    ]
    return table((f"Net in {each.unit}s", "Probability, exactly", "Probability", "One in"), rows, numbers=[0, 1, 2, 3])


def _jackpots(each: Counted, rules: Rules) -> Iterator[Markup]:
    if each.jackpots:
        named = rules.wagers.get(each.wager)
        paying = None if named is None else rules.tables[named.paytable]
        rows = [
            (row_title(jackpot.row, paying), jackpot.name, str(jackpot.probability), fixed(1 / jackpot.probability, 1))
            for jackpot in each.jackpots
        ]
        caption = "Shares of a meter; the figures above count such a hand as a lost stake"
        yield table(("Hand", "Pays", "Probability, exactly", "One in"), rows, numbers=[2, 3], caption=caption)


def _progressive(rules: Rules, report: ProgressiveReport) -> Markup:
    """What the meter adds: long-run hold, mean and break-even meter in dollars at the wager's amount."""
    stake = report.stake

    def dollars(units: Fraction) -> str:
        return f"${fixed(units * stake / 100, 2)}".replace("$-", "-$")

    rows: list[tuple[object, ...]] = []
    most = max(report.other_seats)
    for tier in report.tiers:
        between = "never" if tier.rounds_between_hits is None else fixed(tier.rounds_between_hits, 0)
        rows.append(
            (
                tier.tier,
                dollars(tier.seed),
                dollars(tier.mean_meter),
                dollars(report.break_even(tier.tier)),
                dollars(report.break_even(tier.tier, most)),
                between,
            )
        )
    heads = (
        "Meter", "Seed", "Mean", "Break-even, alone", f"Break-even, {most} others", "Wagers between hits",
    )  # fmt: skip
    pairs = [
        ("long-run hold with one seat, meter included", percent(report.long_run_hold)),
        ("stays with the house", percent(report.long_run_house_hold)),
        ("Envy Bonus, each other seat", percent(report.envy_per_seat)),
    ]
    caption = f"{rules.wagers[report.wager].title} of {show_dollars(stake)}"
    return together(figures(pairs), table(heads, rows, numbers=range(1, 6), caption=caption), _by_seats(rules, report))


def _by_seats(rules: Rules, report: ProgressiveReport) -> Markup:
    """The long-run hold by the number of seats, and what it is made of."""
    rows = [
        (
            each.seats,
            ", ".join(rules.wagers[name].title for name in each.others) or "nothing else",
            percent(each.meter),
            percent(each.envy),
            percent(each.hold),
            str(each.hold),
            percent(each.house_hold),
        )
        for each in report.by_seats()
    ]
    heads = (
        "Seats", "Also wagered on this meter", "Meter pays", "Envy pays", "Hold", "Hold, exactly", "Stays with house",
    )  # fmt: skip
    return table(heads, rows, numbers=[0, 2, 3, 4, 5, 6], caption=f"Long-run hold by seats: {BY_SEATS}")


def _notes(rules: Rules, found: Iterable[Counted]) -> Markup | None:
    """What the text leaves open in the paragraphs that the figures rest on."""
    cites = {Cite.parse(each.cite) for each in found if each.cite}
    cites |= {offered.table.cite for offered in offered_tables(rules)}
    notes: dict[str, Note] = {}
    for cite in sorted(cites):
        for note in rules.chapter.notes_on(cite):
            if note.period.covers(rules.as_of):
                notes.setdefault(note.name, note)
    parts = [notice(note.text, note.cite, "note") for note in notes.values()]
    for cap in rules.caps:
        text = f"The {cap} is not part of the figures: it lowers pays only where wagers are large."
        parts.append(notice(text, cap.cite, "note"))
    return section("Readings and notes of the text", *parts) if parts else None
