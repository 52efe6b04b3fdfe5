"""The payout sign of a table: every pay table on offer, limits, progressives, and the notices of the chapter."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pitboss.games.layout import required_layout, spoken
from pitboss.games.options import kind_of
from pitboss.games.repaying import CHANGED, changed_text
from pitboss.games.rules import Cap, Rules
from pitboss.law.model import EnvyTable, MeterSpec
from pitboss.money import show_dollars
from pitboss.paper.model import SHEETS, Block, CellKind, Column, Datum, Figures, Listing, Paper, Passage, Remark
from pitboss.reports.offer import Offered, limits_text, offered_tables, row_title, share_text
from pitboss.reports.sources import not_printed
from pitboss.reports.stamp import imprint
from pitboss.spoken import also_known
from pitboss.submission import Submission

PAYS = (
    Column("table", "Table", rank=0),
    Column("outcome", "Outcome"),
    Column("pays", "Pays"),
    Column("paragraph", "Paragraph", CellKind.CITES, rank=0),
)
"""Of every pay table and Envy Bonus; as CSV they are one table."""
LIMITS = (
    Column("wager", "Wager"),
    Column("dollars", "Dollars"),
    Column("paragraph", "Paragraph", CellKind.CITES, rank=2),
)


def sign_paper(submission: Submission, rules: Rules, size: str = "letter", printed: int | None = None) -> Paper:
    """The sign of a submission whose rules were resolved; ``size`` is a key of ``SHEETS``."""
    chapter = rules.chapter
    limits = tuple((wager, dollars, (cite,)) for wager, dollars, cite in _limits(rules))
    passages = (
        *_changed(rules),
        *_notices(rules),
        *map(_payouts, offered_tables(rules)),
        *_progressives(rules),
        Passage("Limits", (Listing("limits", LIMITS, limits, headed=False),)),
    )
    return Paper(
        "sign",
        chapter.title,
        (submission.certificate_holder, f"Payouts and limits under 58 Pa. Code Chapter {chapter.chapter}"),
        passages,
        imprint(rules.as_of, printed),
        main="pays",
        sheet=replace(SHEETS[size], filled=True),
    )


def sign_record(submission: Submission, rules: Rules) -> dict[str, Any]:
    """What a sign says as plain values."""
    return {
        "game": rules.game,
        "chapter": rules.chapter.chapter,
        "certificate_holder": submission.certificate_holder,
        "law": str(rules.as_of),
        "changed": changed_text(rules.changes),
        "notices": [{"text": text, "cites": [*cites], "rests_on": rests} for text, cites, rests in _said(rules)],
        "paytables": [
            {
                "title": _table_title(each),
                "cite": each.cited,
                "rows": dict(each.rows),
                "rests_on": not_printed(each.table),
            }
            for each in offered_tables(rules)
        ],
        "meters": [
            {
                "title": title,
                "cite": str(spec.cite),
                "rows": dict(meter_rows(spec, stake)),
                "envies": [
                    {"title": _envy_title(envy), "cite": str(envy.cite), "rows": dict(_envy_rows(envy))}
                    for envy in envies
                ],
                "rests_on": not_printed(spec),
            }
            for _, title, spec, stake, envies in _meters(rules)
        ],
        "limits": [{"wager": wager, "dollars": dollars, "cite": cite} for wager, dollars, cite in _limits(rules)],
    }


def _limits(rules: Rules) -> Iterator[tuple[str, str, str]]:
    """Each wager with what may be wagered and its paragraph."""
    for each in rules.wagers.values():
        yield also_known(each.title, each.name, each.paytable), limits_text(rules, each), str(each.cite)


def _changed(rules: Rules) -> Iterator[Passage]:
    if changed := changed_text(rules.changes):
        yield Passage("Not the law's table", (Remark(changed, tone="bad"),))


def _payouts(offered: Offered) -> Passage:
    """One pay table with every row, as it hangs at the table."""
    pays: list[Block] = [_pays(_table_title(offered), offered.rows, offered.cited)]
    if rests := not_printed(offered.table):
        pays.append(Remark(_sentence(rests), tone="fine"))
    return Passage(_table_title(offered), tuple(pays), cites=(offered.cited,))


def _pays(table: str, rows: Iterable[tuple[str, str]], cite: str) -> Listing:
    return Listing("pays", PAYS, tuple((table, row, pays, (cite,)) for row, pays in rows), headed=False)


def _table_title(offered: Offered) -> str:
    kind = "" if offered.letter == CHANGED else "table "
    letter = f", {kind}{offered.letter}" if offered.letter else ""
    reading = f", reading {offered.table.reading}" if offered.table.reading else ""
    return f"{offered.short_title}{letter}{reading}"


def _notices(rules: Rules) -> Iterator[Passage]:
    if notices := tuple(_notice(*each) for each in _said(rules)):
        yield Passage("Notices", notices)


def _notice(text: str, cites: tuple[str, ...], source: str) -> Remark:
    return Remark(f"{text} ({source})" if source else text, cites)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _said(rules: Rules) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """What the sign has to say: the sentence, its paragraphs, and what it rests on where that is not printed."""
    for item in required_layout(rules):
        if (chosen := next(((c, value) for c, value in rules.chosen if c.name == item.item), None)) is not None:
            choice, value = chosen
            cap = next((cap for cap in rules.caps if cap.choice == choice), None)
            said = f"{kind_of(choice).said(choice, value)} {choice.unit}".strip()
            text = said if cap is None else _capped(rules, cap)
            yield f"{choice.title}: {text}.", (str(item.cite), str(choice.cite)), ""
        elif item in spoken(rules):
            yield _sentence(item.inscription), (str(item.cite),), not_printed(item)
    for cap in rules.caps:
        if cap.choice is None:
            yield f"{cap.title}: {_capped(rules, cap)}.", (str(cap.cite),), ""


def _capped(rules: Rules, cap: Cap) -> str:
    titles = ", ".join(rules.wagers[name].title for name in cap.wagers)
    return f"{titles} of one player together pay at most {show_dollars(cap.most)} in one round"


def _progressives(rules: Rules) -> Iterator[Passage]:
    """Each meter with its seed and rate, and the Envy Bonuses for the amount that is offered."""
    for _, title, spec, stake, envies in _meters(rules):
        blocks: list[Block] = [Figures(tuple(Datum(label, value) for label, value in meter_rows(spec, stake)))]
        for envy in envies:
            cite = str(envy.cite)
            blocks.append(Remark(f"{_envy_title(envy)}, paid to every other player who made the wager", (cite,)))
            blocks.append(_pays(f"{title}, {_envy_title(envy)}", _envy_rows(envy), cite))
            if rests := not_printed(envy):
                blocks.append(Remark(_sentence(rests), tone="fine"))
        if rests := not_printed(spec):
            blocks.append(Remark(_sentence(rests), tone="fine"))
        yield Passage(title, tuple(blocks), cites=(str(spec.cite),))


def _envy_title(envy: EnvyTable) -> str:
    return f"Envy Bonus per {show_dollars(envy.stake)} wager"


def _envy_rows(envy: EnvyTable) -> Iterator[tuple[str, str]]:
    for row, pays in envy.rows.items():
        yield row_title(row, envy), show_dollars(pays)


def _meters(rules: Rules) -> Iterator[tuple[str, str, MeterSpec, int | None, list[EnvyTable]]]:
    """Each meter: its name and title, how it runs, the amount of the wager on offer, and its Envy Bonuses."""
    for name, spec in rules.meters.items():
        wagers = [wager for wager in rules.wagers.values() if wager.meter == name]
        titles = " and ".join(dict.fromkeys(wager.title.partition(" on ")[0] for wager in wagers))
        stake = next((rules.choices.amounts[w.name] for w in wagers if w.name in rules.choices.amounts), None)
        known = (envy for wager in wagers for envy in rules.envies.get(wager.name, ()))
        yield name, f"{titles}: meter", spec, stake, [envy for envy in known if stake in (None, envy.stake)]


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
