"""Compares a law file with the text of its chapter: every figure in its own column, row and paragraph."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from fractions import Fraction
from typing import TypeVar

from pitboss.findings import Finding, refusal
from pitboss.law.cite import Cite
from pitboss.law.conditions import check_complete, check_conditions, own_words
from pitboss.law.model import Chapter, Dated, EnvyTable, MeterSpec, PayTable, Sourced, Wager, source_of
from pitboss.law.odds import ForOne, OddsError, ToOne, parse_odds, parse_percent
from pitboss.law.phrases import ACTS, CHOICES, DEVICES, FIGURES, LAYOUT, PLACES, ROWS, number, titled
from pitboss.law.texts import cells, changes, deleted_words, heading_of, own_text, paragraph_text, plain, table_lines
from pitboss.money import Cents, cents, show_dollars
from pitboss.names import shown

S = TypeVar("S", bound=Sourced)
E = TypeVar("E", PayTable, MeterSpec, EnvyTable)


def check_against_text(
    loaded: Chapter, text: str, annex: str | None = None, known: Iterable[Cite] = ()
) -> Iterator[Finding]:
    """What a law file carries otherwise than the text prints it, and what the text prints that no entry carries.

    ``annex`` is the rulemaking that deleted older figures, ``known`` every paragraph of the chapter in its order.
    """
    known = list(known)
    yield from _dates(loaded, text)
    yield from _figures(loaded, text)
    yield from _wagers(loaded, text, known)
    yield from _paytables(loaded, text)
    yield from _meters(loaded, text)
    yield from _older_meters(loaded, annex)
    yield from _earlier(loaded, text, annex)
    yield from _envies(loaded, text)
    yield from _deals(loaded, text)
    yield from _named(loaded, text)
    yield from check_conditions(loaded, text)
    yield from check_complete(loaded, text, known)


def _differs(entry: Dated, what: str, carried: str, printed: str) -> Finding:
    where = f"{entry.key}, {what}" if what else entry.key
    sentence = f"{where}: carried as {carried}, the text has {printed}."
    return refusal("text-differs", printed, carried, sentence, entry.key, cite=entry.cite)


def _not_carried(cite: Cite, what: str, printed: str) -> Finding:
    sentence = f"The text of {cite} prints {printed} for {what}, which no entry carries."
    return refusal("text-not-carried", printed, "nothing", sentence, cite=cite)


# Dates and headings


def _dates(loaded: Chapter, text: str) -> Iterator[Finding]:
    """Adoption, amendments and bulletins as the source notes print them, and no entry dated otherwise."""
    adopted = changes(text)
    bulletins = dict.fromkeys(bulletin for _, bulletin in adopted)
    first = Cite(loaded.chapter, 1)
    if not adopted or adopted[0][0] != loaded.since:
        printed = str(adopted[0][0]) if adopted else "no day of adoption"
        sentence = f"Chapter {loaded.chapter}: its text is carried since {loaded.since}, the text has {printed}."
        yield refusal("text-differs", printed, loaded.since, sentence, "adopted", cite=first)
        return
    name = re.search(rf"CHAPTER {loaded.chapter}\. (.+)", text)
    if name is None or name[1].strip().lower() != loaded.heading.lower():
        printed = name[1].strip() if name else "no heading"
        sentence = f"Chapter {loaded.chapter}: its title is carried as {loaded.heading}, the text has {printed}."
        yield refusal("text-differs", printed, loaded.heading, sentence, "title", cite=first)
    allowed = {}
    for section in loaded.sections:
        allowed[section.cite] = {loaded.since}
        if section.source:
            continue
        heading = heading_of(text, section.cite)
        if not set(re.findall(r"\w+", section.title.lower())) <= set(re.findall(r"\w+", heading.lower())):
            yield _differs(section, "title", section.title, heading or "no such section")
        amended = changes(text, section.cite)
        bulletins |= dict.fromkeys(bulletin for _, bulletin in amended)
        days = [day for day, _ in amended]
        if list(section.amended) != days:
            yield _differs(section, "amended", _listed(section.amended), _listed(days))
        start = days[-1] if days else loaded.since
        if section.period.start != start:
            yield _differs(section, "from", str(section.period.start), str(start))
        allowed[section.cite] |= set(days)
    if set(loaded.source.split("; ")) != set(bulletins):
        printed = "; ".join(bulletins)
        sentence = f"Chapter {loaded.chapter}: its source is carried as {loaded.source}, the text has {printed}."
        yield refusal("text-differs", printed, loaded.source, sentence, "source", cite=first)
    for entry in loaded.entries():
        if source_of(entry):
            # What rests on another text has the dates of that text.
            continue
        days_of = allowed.get(entry.cite.section_cite, set())
        if entry.period.start not in days_of:
            yield _differs(entry, "from", str(entry.period.start), _listed(sorted(days_of)))
        if entry.period.end is not None and entry.period.end + timedelta(days=1) not in days_of:
            yield _differs(entry, "until", str(entry.period.end), f"changes on {_listed(sorted(days_of))}")


def _listed(days: Iterable[object]) -> str:
    return ", ".join(str(day) for day in days) or "none"


def _printed(entries: Iterable[S]) -> Iterator[S]:
    """What a paragraph at hand prints; for the rest there is no text to compare with."""
    return (entry for entry in entries if not entry.source)


def _by_cite(entries: Iterable[E]) -> dict[Cite, list[E]]:
    """What is printed, paragraph by paragraph."""
    groups: dict[Cite, list[E]] = {}
    for entry in _printed(entries):
        groups.setdefault(entry.cite, []).append(entry)
    return groups


# Figures and wagers


def _figures(loaded: Chapter, text: str) -> Iterator[Finding]:
    for figure in _printed(loaded.figures):
        found = re.search(FIGURES.get(figure.name, "(?!)"), plain(own_text(text, figure.cite)), re.I)
        if found is None:
            yield _differs(figure, "", str(figure.value), "no such figure in this paragraph")
        elif (printed := number(found[1]) if found.re.groups else 1) != figure.value:
            yield _differs(figure, "", str(figure.value), str(printed or found[1]))


def _wagers(loaded: Chapter, text: str, known: list[Cite]) -> Iterator[Finding]:
    """A wager is cited to the paragraph of the list of wagers that speaks of it first."""
    for wager in _printed(loaded.wagers):
        if loaded.partly:  # the paragraph that speaks of it first may not be printed
            known = [wager.cite]
        listed = [cite for cite in known if cite.section == wager.cite.section and len(cite.steps) > 1]
        naming = [cite for cite in listed or [wager.cite] if _speaks_of(wager, text, cite)]
        if wager.cite not in naming[:1]:
            printed = f"the wager first in {naming[0]}" if naming else f"no {wager.title} in this section"
            yield _differs(wager, "cite", str(wager.cite), printed)


def _speaks_of(wager: Wager, text: str, cite: Cite) -> bool:
    passage = plain(own_text(text, cite))
    if titled(wager.title).search(passage):
        return True
    # 649a prints "Progressive Payout Wager" for what its definitions call the Three-Card one.
    return (
        wager.title.startswith("Three-Card ")
        and titled(wager.title.removeprefix("Three-Card ")).search(passage) is not None
    )


# Pay tables


def _paytables(loaded: Chapter, text: str) -> Iterator[Finding]:
    for table in _printed(loaded.paytables):
        if table.reading:
            yield from _reading(loaded, table)
    for cite, tables in _by_cite(table for table in loaded.paytables if not table.reading).items():
        passage = own_text(text, cite)
        printed = cells(passage)
        carried = set()
        yield from _linkable(tables, plain(paragraph_text(text, tables[0].cite.parent or tables[0].cite)))
        for table in tables:
            letter = table.printed_letter
            for row, odds in table.rows.items():
                if table.source_of(row):
                    continue
                name = (loaded.row_name(row, table) or row).lower()
                carried.add((letter, name))
                where = paragraph_text(text, loaded.row_cites[row]) if row in loaded.row_cites else passage
                cell = printed.get((letter, name)) or _in_sentence(row, letter, where)
                if cell is None or _read(cell) != odds:
                    yield _differs(table, f"row {shown(row)}", str(odds), cell or "no such row")
        for (letter, name), cell in printed.items():
            if (letter, name) not in carried:
                yield _not_carried(cite, f"{name} in table {letter}", cell)


def _linkable(tables: list[PayTable], passage: str) -> Iterator[Finding]:
    """The letters that linked games may not select stand in a paragraph beside the tables."""
    found = re.search(r"Paytables ([A-Z, and]+) may not be selected", passage)
    barred = set(re.findall(r"\b[A-Z]\b", found[1])) if found else set()
    for table in tables:
        if table.linkable == (table.letter in barred):
            yield _differs(table, "linkable", str(table.linkable).lower(), _listed(sorted(barred)))


def _read(cell: str) -> object:
    try:
        return parse_odds(cell)
    except OddsError:
        return None


def _in_sentence(row: str, letter: str, passage: str) -> str | None:
    found = re.search(ROWS[row].replace("<letter>", letter), plain(passage)) if row in ROWS else None
    return found[1] if found else None


def _reading(loaded: Chapter, table: PayTable) -> Iterator[Finding]:
    """Another reading of a table keeps every printed row, or gives its odds to rows of another name."""
    printed = next(
        (t for t in loaded.paytables if not t.reading and (t.wager, t.letter) == (table.wager, table.letter)), None
    )
    if printed is None:
        yield _differs(table, "letter", table.letter, "no such table")
        return
    freed = {odds for row, odds in printed.rows.items() if row not in table.rows}
    for row, odds in table.rows.items():
        known = {printed.rows[row]} if row in printed.rows else freed
        # "x for 1" may be another reading of "x to 1", and one that the meter is charged with of one that it is not.
        if odds not in known and not (isinstance(odds, ForOne) and {ToOne(odds.rate), ForOne(odds.rate)} & known):
            yield _differs(table, f"row {shown(row)}", str(odds), str(printed.rows.get(row, "no row with these odds")))


# Meters and Envy Bonuses

_KINDS = {"seed/reseed": ("seed", "reseed"), "seed": ("seed",), "reseed": ("reseed",), "incrementation rate": ("rate",)}
_TIERS = {"primary": "meter", "mega": "mega", "major": "major", "minor": "minor"}


def _meters(loaded: Chapter, text: str) -> Iterator[Finding]:
    for cite, specs in _by_cite(spec for spec in loaded.meters if not spec.chosen).items():
        printed = _printed_meters(own_text(text, cite))
        for spec in specs:
            figures = printed.pop(spec.letter, {})
            carried = _carried_meter(spec)
            for what in dict.fromkeys([*figures, *carried]):
                if figures.get(what) != carried.get(what):
                    yield _differs(spec, what, _shown(carried.get(what)), _shown(figures.get(what)))
        for letter, figures in printed.items():
            yield _not_carried(cite, f"table {letter}", ", ".join(f"{what} {_shown(v)}" for what, v in figures.items()))


def _printed_meters(passage: str) -> dict[str, dict[str, int | Fraction]]:
    """Seeds and rates by the letter of their column: ``{"A": {"seed meter": 500000, "rate meter": 29/100}}``."""
    meters: dict[str, dict[str, int | Fraction]] = {}
    kinds: tuple[str, ...] = ()
    for name, columns in table_lines(passage):
        lead = name.lower()
        kinds = _KINDS.get(lead, kinds)
        for letter, cell in columns:
            if not cell or cell == "N/A":
                continue
            value = parse_percent(cell) if cell.endswith("%") else cents(cell.removesuffix(" for 1"))
            tier = _TIERS.get(lead, "meter")
            whats = ("reserve",) if lead == "reserve" else tuple(f"{kind} {tier}" for kind in kinds)
            meters.setdefault(letter, {}).update(dict.fromkeys(whats, value))
    return meters


def _carried_meter(spec: MeterSpec) -> dict[str, int | Fraction]:
    figures: dict[str, int | Fraction] = {}
    for kind, values in (("seed", spec.seed), ("reseed", spec.reseed), ("rate", spec.rate)):
        figures |= {f"{kind} {tier}": value for tier, value in values.items()}
    return figures | ({"reserve": spec.reserve} if spec.reserve else {})


def _shown(value: int | Fraction | None) -> str:
    if value is None:
        return "nothing"
    return show_dollars(value) if isinstance(value, int) else f"{float(value * 100):g}%"


def _older_meters(loaded: Chapter, annex: str | None) -> Iterator[Finding]:
    """Seeds that the law once left to the submission: the least allowed stands among the words deleted later."""
    for spec in loaded.meters:
        if spec.chosen and annex is not None:
            deleted = deleted_words(annex, spec.cite)
            pattern = r"(\$[\d,]+)" + ("" if spec.letter == "-" else f" for paytable {spec.letter}")
            alone = re.search(pattern, deleted) or re.search(r"at least (\$[\d,]+)(?! for paytable)", deleted)
            if alone is None or cents(alone[1].rstrip(",")) != spec.seed["meter"]:
                yield _differs(spec, "seed", _shown(spec.seed["meter"]), alone[1] if alone else "no such figure")


def _earlier(loaded: Chapter, text: str, annex: str | None) -> Iterator[Finding]:
    """Former text is dated by the amendment, and its words and sums stand among those that the amendment deleted."""
    for entry in loaded.earlier:
        days = {day for day, _ in changes(text, entry.cite.section_cite) or changes(text)}
        if entry.until + timedelta(days=1) not in days:
            yield _not_so_before(entry.cite, f"until {entry.until}", f"changes on {_listed(sorted(days))}")
        # A deletion may begin before the mark of the paragraph that it takes away.
        deleted = (
            ""
            if annex is None
            else " | ".join(deleted_words(annex, cite) for cite in (entry.cite, entry.cite.parent) if cite)
        )
        for words in entry.deleted:
            if annex is not None and words not in deleted:
                yield _not_so_before(entry.cite, words, deleted[:80] or "nothing")
    if annex is not None:
        for cite in dict.fromkeys(entry.cite for entry in loaded.earlier if entry.rows):
            carried = {entry.letter: entry.rows for entry in loaded.earlier if entry.cite == cite}
            printed = _deleted_sums(paragraph_text(annex, cite))
            for letter in dict.fromkeys([*carried, *printed]):
                rows, sums = [*carried.get(letter, {}).values()], printed.get(letter, [])
                if rows != sums:
                    yield _not_so_before(cite, f"{letter}: {_sums(rows)}", f"{letter}: {_sums(sums)}")


def _deleted_sums(passage: str) -> dict[str, list[Cents]]:
    """The deleted sums of each lettered column; a row that has fewer sums than columns lacks those of the last."""
    found: dict[str, list[Cents]] = {}
    for part in re.split(r"^Hand(?= Paytable)", passage, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        letters = re.findall(r"Paytable ([A-Z])", head)
        for row in re.split(r"^(?=[A-Z])", body, flags=re.M):
            for letter, amount in zip(letters, re.findall(r"\[(\$[\d,]+)\]", row), strict=False):
                found.setdefault(letter, []).append(cents(amount))
    return found


def _sums(amounts: Iterable[Cents]) -> str:
    return " ".join(map(show_dollars, amounts))


def _not_so_before(cite: Cite, carried: str, deleted: str) -> Finding:
    sentence = f"{cite}: its former text is carried with {carried!r}; the words deleted from it are {deleted!r}."
    return refusal("former-text-differs", deleted, carried, sentence, cite=cite)


def _envies(loaded: Chapter, text: str) -> Iterator[Finding]:
    for cite, tables in _by_cite(loaded.envies).items():
        passage = re.sub(r"^\*?\$(\d+) Progressive Payout Wager.*$", r"\f\1", own_text(text, cite), flags=re.M)
        printed: dict[tuple[int, str, str], str] = {}
        for part in passage.split("\f")[1:]:
            dollars, _, lines = part.partition("\n")
            printed |= {(int(dollars) * 100, letter, name): cell for (letter, name), cell in cells(lines).items()}
        for table in tables:
            for row, amount in table.rows.items():
                cell = printed.pop((table.stake, table.letter, (loaded.row_name(row, table) or row).lower()), None)
                if cell is None or cell != show_dollars(amount):
                    yield _differs(table, f"row {shown(row)}", show_dollars(amount), cell or "no such row")
        for (stake, letter, name), cell in printed.items():
            yield _not_carried(cite, f"{name}, table {letter}, wager {show_dollars(stake)}", cell)


# Deals, and the paragraphs of what has no figures


def _deals(loaded: Chapter, text: str) -> Iterator[Finding]:
    figures = {figure.name for figure in loaded.figures}
    for deal in _printed(loaded.deals):
        heading, passage = heading_of(text, deal.cite), plain(own_text(text, deal.cite))
        steps = tuple(_printed(deal.steps))
        if DEVICES.get(deal.device, "") not in (passage if any(step.dice for step in steps) else heading):
            yield _differs(deal, "device", deal.device, heading or "no such section")
        if any("players" in step.to for step in steps) and "farthest to the dealer's left" not in passage:
            yield _differs(deal, "cite", str(deal.cite), "no deal in this paragraph")
        section = plain(paragraph_text(text, deal.cite.section_cite))
        for step in steps:
            if step.to in PLACES and f"{step.to}_cards" not in figures:
                found = re.search(PLACES[step.to], section, re.I)
                printed = (number(found[1]) if found.re.groups and found[1] else 1) if found else None
                if printed != step.cards * step.times:
                    yield _differs(deal, step.to, str(step.cards * step.times), _listed([printed] if printed else []))
            stack = re.search(r"stack of (\w+) cards", section)
            if step.stack and stack and number(stack[1]) != step.stack:
                yield _differs(deal, "stack", str(step.stack), stack[1])


def _named(loaded: Chapter, text: str) -> Iterator[Finding]:
    """Acts, areas and choices are cited to a paragraph that speaks of them; their inscriptions have its figures."""
    titles = {wager.name: wager.title for wager in loaded.wagers}
    for act in _printed(loaded.procedures):
        yield from _speaks(act, text, act.act, ACTS)
    for item in _printed(loaded.layout):
        if item.item in titles and item.item not in LAYOUT:
            if not titled(titles[item.item]).search(plain(own_text(text, item.cite))):
                yield _differs(item, "cite", str(item.cite), f"no {titles[item.item]} in this paragraph")
        else:
            yield from _speaks(item, text, item.item, {**CHOICES, **LAYOUT})  # some are called after a choice
    for choice in _printed(loaded.choices):
        yield from _speaks(choice, text, choice.name, CHOICES)
        passage = paragraph_text(text, choice.cite)
        for figure in re.findall(r"\$[\d,]+|\d+ to \d+", choice.floor):
            if figure not in passage:
                yield _differs(choice, "floor", figure, "no such figure")


def _speaks(entry: Dated, text: str, name: str, phrases: Mapping[str, str]) -> Iterator[Finding]:
    if not re.search(phrases.get(name, "(?!)"), own_words(text, entry.cite), re.I):
        yield _differs(entry, "cite", str(entry.cite), f"nothing of {name.replace('_', ' ').replace('-', ' ')} there")
