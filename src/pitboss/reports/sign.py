"""The payout sign of a table: every pay table on offer, limits, progressives, and the notices of the chapter."""

from collections.abc import Iterator

from pitboss.games.layout import required_layout, spoken
from pitboss.games.options import kind_of
from pitboss.games.rules import Cap, Rules
from pitboss.law.model import EnvyTable, MeterSpec
from pitboss.money import show_dollars
from pitboss.names import shown
from pitboss.reports.offer import Offered, limits_text, offered_tables, row_title, share_text
from pitboss.reports.page import Format, cited, heading, notice, page, panel, section, table
from pitboss.reports.sheet import SheetPanel, Sheets, set_sheets
from pitboss.reports.sources import not_printed
from pitboss.reports.stamp import WARNING, stamp_of
from pitboss.reports.svg import Markup, element, together
from pitboss.submission import Submission

NAMED = 4
"""Wagers that the heading of a table they share can name."""


def sign_html(submission: Submission, rules: Rules, size: Format = "letter") -> str:
    """The sign of a submission whose rules were resolved; ``size`` is Letter or 24 by 36 inches."""
    title = rules.chapter.title
    about = f"58 Pa. Code Chapter {rules.chapter.chapter}, law of {rules.as_of}"
    notices, offered = tuple(_notices(rules)), tuple(offered_tables(rules))
    return page(
        f"{title}: payouts, {submission.certificate_holder}",
        stamp_of(rules.as_of),
        heading(title, submission.certificate_holder, about),
        section("Notices", *notices) if notices else None,
        section("Payouts", element("div", *map(pay_panel, offered), class_="columns")) if offered else None,
        _progressives(rules),
        section("Limits", _limits(rules)),
        size=size,
        columns=3 if size == "large" else 2,
    )


def sign_sheets(submission: Submission, rules: Rules, size: Format = "letter") -> Sheets:
    """The same sign as sheets of paper, in type as large as there is room for."""
    chapter = rules.chapter
    about = (submission.certificate_holder, f"58 Pa. Code Chapter {chapter.chapter}, law of {rules.as_of}")
    notices = tuple((f"{text} [§ {cite}{f', {source}' if source else ''}]", "") for text, cite, source in _said(rules))
    panels = [SheetPanel("Notices", notices)] if notices else []
    for offered in offered_tables(rules):
        title, source = _table_title(offered), not_printed(offered.table)
        panels.append(SheetPanel(title, offered.rows, f"{offered.table.cite}{f', {source}' if source else ''}"))
    for title, spec, stake, envies in _meters(rules):
        rows = list(meter_rows(spec, stake))
        for envy in envies:
            rows.append((f"Envy Bonus per {show_dollars(envy.stake)} wager, to every other player who made it", ""))
            rows += [(row_title(row, envy), show_dollars(amount)) for row, amount in envy.rows.items()]
        panels.append(SheetPanel(title, tuple(rows), str(spec.cite)))
    limits = tuple((wager.title, limits_text(rules, wager)) for wager in rules.wagers.values())
    panels.append(SheetPanel("Limits", limits))
    return set_sheets(size, chapter.title, about, panels, (str(stamp_of(rules.as_of)), WARNING))


def _table_title(offered: Offered) -> str:
    letter = f", table {offered.letter}" if offered.letter else ""
    reading = f", reading {offered.table.reading}" if offered.table.reading else ""
    title = offered.title if len(offered.wagers) <= NAMED else shown(offered.name)
    return f"{title}{letter}{reading}"


def pay_panel(offered: Offered) -> Markup:
    """One pay table with every row, as it hangs at the table."""
    rows, rests = table((), offered.rows, numbers=[1]), not_printed(offered.table)
    return panel(_table_title(offered), rows, cite=offered.table.cite, source=rests)


def _notices(rules: Rules) -> Iterator[Markup]:
    return (notice(text, cite, source=source) for text, cite, source in _said(rules))


def _said(rules: Rules) -> Iterator[tuple[str, object, str]]:
    """What the sign has to say: the sentence, its paragraph, and what it rests on where that is not printed."""
    for item in required_layout(rules):
        if (chosen := next(((c, value) for c, value in rules.chosen if c.name == item.item), None)) is not None:
            choice, value = chosen
            cap = next((cap for cap in rules.caps if cap.choice == choice), None)
            said = f"{kind_of(choice).said(choice, value)} {choice.unit}".strip()
            text = said if cap is None else _capped(rules, cap)
            yield f"{choice.title}: {text}.", f"{item.cite}, {choice.cite}", ""
        elif item in spoken(rules):
            text = f"{item.inscription[:1].upper()}{item.inscription[1:]}."
            yield text, item.cite, not_printed(item)
    for cap in rules.caps:
        if cap.choice is None:
            yield f"{cap.title}: {_capped(rules, cap)}.", cap.cite, ""


def _capped(rules: Rules, cap: Cap) -> str:
    titles = ", ".join(rules.wagers[name].title for name in cap.wagers)
    return f"{titles} of one player together pay at most {show_dollars(cap.most)} in one round"


def _limits(rules: Rules) -> Markup:
    rows = [
        (wager.title, limits_text(rules, wager), cited(wager.cite, not_printed(wager)))
        for wager in rules.wagers.values()
    ]
    return table(("Wager", "Dollars", "Paragraph"), rows)


def _progressives(rules: Rules) -> Markup | None:
    """Each meter with its seed and rate, and the Envy Bonuses for the amount that is offered."""
    parts = []
    for title, spec, stake, found in _meters(rules):
        envies = [
            table(
                ("Envy Bonus", f"per {show_dollars(envy.stake)} wager"),
                [(row_title(row, envy), show_dollars(amount)) for row, amount in envy.rows.items()],
                numbers=[1],
                caption=f"Paid to every other player who made the wager, § {envy.cite} {not_printed(envy)}".strip(),
            )
            for envy in found
        ]
        parts.append(panel(title, meter_table(spec, stake), *envies, cite=spec.cite, source=not_printed(spec)))
    return section("Progressive meters", element("div", *parts, class_="columns")) if parts else None


def _meters(rules: Rules) -> Iterator[tuple[str, MeterSpec, int | None, list[EnvyTable]]]:
    """Each meter: its title, how it runs, the amount of the wager on offer, and the Envy Bonuses for that amount."""
    for name, spec in rules.meters.items():
        wagers = [wager for wager in rules.wagers.values() if wager.meter == name]
        titles = " and ".join(dict.fromkeys(wager.title.partition(" on ")[0] for wager in wagers))
        stake = next((rules.choices.amounts[w.name] for w in wagers if w.name in rules.choices.amounts), None)
        known = (envy for wager in wagers for envy in rules.envies.get(wager.name, ()))
        yield f"{titles}: meter", spec, stake, [envy for envy in known if stake in (None, envy.stake)]


def meter_table(spec: MeterSpec, stake: int | None) -> Markup:
    return together(table((), meter_rows(spec, stake), numbers=[1]))


def meter_rows(spec: MeterSpec, stake: int | None) -> list[tuple[str, str]]:
    """How a meter starts and grows; seeds of the law are for each dollar of the wager, chosen ones are plain sums."""
    factor = 1 if spec.chosen or stake is None else stake // 100
    per = "" if spec.chosen or stake is not None else " for each dollar of the wager"
    several = len(spec.seed) > 1
    rows: list[tuple[str, str]] = []
    for tier, seed in spec.seed.items():
        name = f"{tier.capitalize()}: " if several else ""
        again = spec.reseed[tier]
        rows.append((f"{name}starts at".capitalize(), show_dollars(seed * factor) + per))
        if again != seed:
            rows.append((f"{name}starts again at".capitalize(), show_dollars(again * factor) + per))
        rows.append((f"{name}grows by".capitalize(), f"{share_text(spec.rate[tier])} of each wager"))
    if spec.reserve:
        rows.append(("Reserve for the next meter", f"{share_text(spec.reserve)} of each wager"))
    return rows
