"""The form of a Rules Submission: the fields that the law of a day asks for. Nothing here knows a game."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from pitboss.games.options import Law
from pitboss.games.options import kind_of as option_kind
from pitboss.hands.labels import TITLES
from pitboss.law.model import Chapter, Figure, MeterSpec, PayTable, Wager, in_force
from pitboss.money import decimal_of, plain_dollars, show_dollars
from pitboss.submission.resolve import PRINTED, letters_in_force, owners
from pitboss.web.views.submission_text import HEAD, Kind, kind_of


@dataclass(frozen=True)
class Field:
    """One choice: its key, its label, and the paragraph that leaves it open."""

    key: str
    label: str
    cite: str = ""
    hint: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False
    written: Kind | None = None
    """How an option is written; the names of other keys say it."""
    printed: str = ""
    """What the law's own data has if the field stays empty."""

    @property
    def kind(self) -> Kind:
        return self.written or kind_of(self.key)


@dataclass(frozen=True)
class Sheet:
    """The printed pay tables of one wager side by side, in the order of the law."""

    name: str
    tables: tuple[PayTable, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """Every row that any of the tables has, where the law prints it."""
        found: list[str] = []
        for table in sorted(self.tables, key=lambda table: -len(table.rows)):
            at = 0
            for row in table.rows:
                if row in found:
                    at = found.index(row) + 1
                else:
                    found.insert(at, row)
                    at += 1
        return tuple(found)


@dataclass(frozen=True)
class Part:
    """Fields that belong together: the table, the shuffler, a wager, a bonus, the options."""

    name: str
    title: str
    fields: tuple[Field, ...]
    cite: str = ""
    about: str = ""
    wager: str = ""
    sheet: Sheet | None = None
    switch: str = ""
    """The key that decides whether the rest matters."""
    main: bool = False
    """Whether its hold is that of the main wagers together."""


# The law's choices


def law_day(chapter: Chapter, day: date) -> date:
    """Return the day whose law makes the form: the day itself, or the chapter's first if it is before that."""
    return day if in_force(chapter.wagers, day) else min(wager.period.start for wager in chapter.wagers)


def parts_of(chapter: Chapter, day: date) -> tuple[Part, ...]:
    """Return every choice that the chapter leaves open on a day."""
    as_of = law_day(chapter, day)
    makers = (_table, _shuffler, _wagers, _bonuses, _options, _facts)
    return tuple(part for make in makers for part in make(chapter, as_of))


def _figure(chapter: Chapter, day: date, name: str) -> Figure | None:
    return next((figure for figure in in_force(chapter.figures, day) if figure.name == name), None)


def _about(chapter: Chapter, day: date, name: str) -> tuple[str, str]:
    """Return what the chapter says about a choice, and the paragraph."""
    for choice in in_force(chapter.choices, day):
        if choice.name == name:
            return _sentence(choice.about + (f"; at least: {choice.floor}" if choice.floor else "")), str(choice.cite)
    return "", ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _table(chapter: Chapter, day: date) -> Iterator[Part]:
    holder, deals = str(chapter.cite_of("certificate_holder")), str(chapter.cite_of("deals"))
    seats, boxes = _figure(chapter, day, "seats"), _figure(chapter, day, "adjacent_boxes")
    about, cite = _about(chapter, day, "adjacent_boxes")
    devices: dict[str, str] = {
        deal.device: f"{deal.device.replace('-', ' ').capitalize()} (§ {deal.cite})"
        for deal in in_force(chapter.deals, day)
    }
    fixed = f"Fixed by law: {boxes.value}." if boxes else about
    box = Field("adjacent_boxes", "Adjacent boxes for one player", str(boxes.cite) if boxes else cite, fixed)
    needed = any(procedure.act == "shuffler-required-for-dealing-from-hand" for procedure in chapter.procedures)
    only = "From the hand only with a shuffler." if needed else ""
    fields = [
        Field("certificate_holder", "Certificate holder", holder, "The layout carries this name."),
        Field("seats", "Seats", str(seats.cite) if seats else "", f"1 to {seats.value}." if seats else ""),
        *([box] if fixed else []),
        Field("dealing", "Dealing", deals, only, devices),
    ]
    yield Part("table", "The table", tuple(fields))


def _shuffler(chapter: Chapter, day: date) -> Iterator[Part]:
    counts, reshuffles = map(str, map(chapter.cite_of, ("check-shuffler-count", "use-approved-reshuffling-shoe")))
    figures = [f for name in ("decks", "decks_with_shuffler") if (f := _figure(chapter, day, name))]
    decks = {str(figure.value): f"{figure.value} (§ {figure.cite})" for figure in figures}
    if not decks:
        return
    section = str(chapter.cite_of("decks").section_cite)
    fields = (
        Field("shuffler.used", "An automated card shuffling device is used", counts),
        Field("shuffler.counts_cards", "It counts the cards after each shuffle", counts),
        Field("shuffler.reshuffles", "A shoe or device reshuffles by itself", reshuffles),
        Field("shuffler.decks", "Decks", section, "Two only with a shuffler.", decks),
    )
    yield Part("shuffler", "Shuffler and decks", fields)


def _wagers(chapter: Chapter, day: date) -> Iterator[Part]:
    owned = owners(chapter, day)
    for wager in in_force(chapter.wagers, day):
        if wager.placed == "before":
            key, choice = f"wagers.{wager.name}", wager.offer == "choice"
            fields = [Field(f"{key}.offered", "Offered", str(wager.cite))] if choice else []
            if wager.paytable in owned:
                fields += _letter(chapter, day, wager.paytable, f"{key}.paytable")
            fields += _progressive(chapter, day, wager) if wager.meter else _limits(wager)
            sheet = _sheet(chapter, day, wager.paytable) if wager.paytable in owned else None
            cite, terms, switch = str(wager.cite), _terms(chapter, wager), f"{key}.offered" if choice else ""
            main = wager.role == "unit"
            yield Part(wager.name, wager.title, tuple(fields), cite, terms, wager.name, sheet, switch, main)


def _terms(chapter: Chapter, wager: Wager) -> str:
    titles = {other.name: other.title for other in chapter.wagers}
    said = "A player must make it." if wager.required else "Always offered." if wager.offer == "always" else ""
    needs, word = (wager.needs_all, " and ") if wager.needs_all else (wager.needs_any, " or ")
    after = f"Only after {word.join(titles.get(name, name) for name in needs)}." if needs else ""
    return f"{said} {after}".strip()


def _sheet(chapter: Chapter, day: date, name: str) -> Sheet | None:
    tables = tuple(table for table in chapter.tables(name, day) if not table.reading)
    return Sheet(name, tables) if tables else None


def _letter(chapter: Chapter, day: date, name: str, key: str) -> Iterator[Field]:
    letters = letters_in_force(chapter, name, day)
    if letters:
        cites = {table.letter: table.cite for table in chapter.tables(name, day)}
        options = {letter: f"{letter} (§ {cites[letter]})" for letter in letters}
        yield Field(key, "Pay table", str(cites[letters[0]]), "", options)


def _limits(wager: Wager) -> Iterator[Field]:
    yield Field(f"wagers.{wager.name}.minimum", "Minimum, dollars", str(wager.cite))
    yield Field(f"wagers.{wager.name}.maximum", "Maximum, dollars", str(wager.cite))


def _progressive(chapter: Chapter, day: date, wager: Wager) -> Iterator[Field]:
    key = f"wagers.{wager.name}"
    envies = [envy for envy in in_force(chapter.envies, day) if envy.wager == wager.name]
    stakes = {plain_dollars(stake): show_dollars(stake) for stake in sorted({envy.stake for envy in envies})}
    yield Field(f"{key}.amount", "Amount, dollars", str(envies[0].cite if envies else wager.cite), "", stakes)
    yield Field(f"{key}.linked", "Linked to other tables", _about(chapter, day, "linked")[1] or str(wager.cite))
    specs = [spec for spec in in_force(chapter.meters, day) if spec.wager == wager.meter]
    if chosen := next((spec for spec in specs if spec.chosen), None):
        least = f"At least {show_dollars(min(chosen.seed.values()))}."
        yield Field(f"{key}.seed", "Seed of the meter, dollars", str(chosen.cite), least)
        yield Field(f"{key}.rate", "Rate added to the meter", str(chosen.cite), "A percentage such as 20%.")


def meter_text(spec: MeterSpec) -> str:
    """How a meter that the law fixes starts and grows."""
    parts = [
        f"{'' if tier == 'meter' else f'{tier} '}seed {show_dollars(seed)} for each dollar, then "
        f"{show_dollars(spec.reseed[tier])}, rate {decimal_of(spec.rate[tier] * 100)}%"
        for tier, seed in spec.seed.items()
        if tier in spec.rate
    ]
    return "; ".join([*parts, *([f"reserve {decimal_of(spec.reserve * 100)}%"] if spec.reserve else [])])


def _bonuses(chapter: Chapter, day: date) -> Iterator[Part]:
    """Pay tables that belong to no single wager made before the deal."""
    owned, shared = owners(chapter, day), {wager.paytable for wager in in_force(chapter.wagers, day)}
    for name in dict.fromkeys(table.wager for table in in_force(chapter.paytables, day)):
        fields = () if name in owned else tuple(_letter(chapter, day, name, f"paytables.{name}"))
        if fields:
            about = "One table for several wagers." if name in shared else "A bonus that is no wager of its own."
            yield Part(name, titled(name), fields, fields[0].cite, about, sheet=_sheet(chapter, day, name))


def _options(chapter: Chapter, day: date) -> Iterator[Part]:
    fields: list[Field] = []
    for choice in chapter.options(day).values():
        kind, about = option_kind(choice), _about(chapter, day, choice.name)[0]
        for blank in kind.blanks(choice, Law(chapter, day)):
            key, hint = f"options.{choice.name}", blank.hint or ("" if blank.key else about)
            values, written = {value: value for value in blank.values}, kind.written_as(blank.key)
            key += f".{blank.key}" if blank.key else ""
            fields.append(Field(key, blank.label, str(blank.cite), hint, values, optional=True, written=written))
    fields += _readings(chapter, day)
    if fields:
        yield Part("options", "Options", tuple(fields))


def _readings(chapter: Chapter, day: date) -> Iterator[Field]:
    """Pay tables whose text has more than one reading."""
    for name in dict.fromkeys(table.wager for table in in_force(chapter.paytables, day)):
        tables = [table for table in in_force(chapter.paytables, day) if table.wager == name]
        found = dict.fromkeys(table.reading for table in tables if table.reading)
        for note in in_force(chapter.notes, day):
            if any(table.cite in (note.cite, *note.also) for table in tables):
                found |= dict.fromkeys(reading for reading in note.readings if reading != PRINTED)
        if found:
            label, cite = f"Reading of {titled(name)}", str(tables[0].cite)
            options = {reading: reading.replace("-", " ") for reading in found}
            yield Field(f"options.readings.{name}", label, cite, "The text is defective here.", options, optional=True)


def acknowledging(chapter: Chapter, wagers: Iterable[str], day: date) -> Iterator[Part]:
    """A name for each wager whose hold somebody must accept."""
    titles = {wager.name: wager.title for wager in in_force(chapter.wagers, law_day(chapter, day))}
    titles["main"] = "The main wagers"
    fields = tuple(
        Field(f"acknowledged.{name}", titles[name], hint="The name of the person who accepts this hold.")
        for name in dict.fromkeys(wagers)
        if name in titles
    )
    if fields:
        about = "These wagers would hold less than 0% or more than 50%. Correct the pays, or name who accepts it."
        yield Part("acknowledged", "Unusual holds", fields, about=about)


def _facts(chapter: Chapter, day: date) -> Iterator[Part]:
    """What isn't printed in the text at hand, and an operator with the full text may correct."""
    fields = tuple(
        Field(
            f"facts.{fact.name}",
            fact.name.replace("_", " ").capitalize(),
            str(fact.cite),
            str(fact.source),
            printed=fact.value,
        )
        for fact in chapter.facts(day)
    )
    if fields:
        about = "The text at hand doesn't print these. An empty field keeps the value shown in it."
        yield Part("facts", "Facts that are not printed", fields, about=about)


def titled(name: str) -> str:
    return TITLES.get(name, name.replace("_", " ").title())


# Which field is which


def unknown_keys(values: Iterable[str], parts: Iterable[Part], chapter: Chapter, day: date) -> tuple[str, ...]:
    """Return entries without a field in the form; ``offered`` needs none where the law always offers the wager."""
    known = {*always_offered(chapter, day), *HEAD} | {each.key for part in parts for each in part.fields}
    return tuple(key for key in values if key not in known)


def always_offered(chapter: Chapter, day: date) -> set[str]:
    """Return the keys that a submission may have and nobody has to choose."""
    wagers = in_force(chapter.wagers, law_day(chapter, day))
    return {f"wagers.{wager.name}.offered" for wager in wagers if wager.offer == "always"}


def field_of(where: str, keys: Iterable[str]) -> str:
    """Return the field that a finding is about: the one it names, or the first below it.

    >>> field_of("wagers.main", ["seats", "wagers.main.minimum"])
    'wagers.main.minimum'
    """
    known = tuple(keys)
    if where in known:
        return where
    below = (key for key in known if key.startswith(f"{where}."))
    above = (key for key in known if where.startswith(f"{key.rpartition('.')[0]}.") and "." in key)
    return next(below, next(above, "")) if where else ""
