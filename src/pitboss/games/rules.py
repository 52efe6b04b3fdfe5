"""The resolved rules of one table: the law on one day and the choices made under it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pitboss.findings import Finding, UnknownName, UnreadableError, refusal
from pitboss.games.options import Law, Options, given, kind_of, option_named
from pitboss.hands.labels import row_of
from pitboss.law.cite import Cite
from pitboss.law.facts import with_facts
from pitboss.law.model import SINGLE, Chapter, ChoiceSpec, Device, EnvyTable, MeterSpec, PayTable, Wager, in_force
from pitboss.law.odds import Odds
from pitboss.money import Cents, show_dollars
from pitboss.names import listed, shown
from pitboss.public import public
from pitboss.records import Fixed, Frozen, kept

if TYPE_CHECKING:
    from pitboss.games.repaying import ChangedRow, Paid


@dataclass(frozen=True)
class Limits:
    """What one wager may be, in cents."""

    minimum: Cents
    maximum: Cents


OPEN_LIMITS = Limits(100, 10_000_000)
"""Where no submission says otherwise: $1 to $100,000."""


@dataclass(frozen=True)
class Choices(Frozen):
    """What a certificate holder, or the author of a round, has chosen. The default offers everything, tables A."""

    letters: Mapping[str, str] = field(default_factory=dict)
    offered: frozenset[str] | None = None
    limits: Mapping[str, Limits] = field(default_factory=dict)
    seats: int | None = None
    adjacent_boxes: int | None = None
    device: Device = "manual-shoe"
    amounts: Mapping[str, Cents] = field(default_factory=dict)
    """Amount of each progressive wager on offer; a wager not named takes any lawful amount."""
    meters: Mapping[str, MeterSpec] = field(default_factory=dict)
    """Meters whose seed and rate the law left to the submission."""
    readings: Mapping[str, str] = field(default_factory=dict)
    options: Options = field(default_factory=dict)
    """What the chapter's own options were set to; a selection that is not named may be paid in any round."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What is not printed and is set by the operator, by the names of ``Chapter.facts``."""


@dataclass(frozen=True)
class Cap:
    """The most that several wagers may pay one player in a round."""

    name: str
    title: str
    cite: Cite
    wagers: tuple[str, ...]
    most: Cents
    spares: tuple[str, ...] = ()
    """Pay tables by which such a wager may be paid without counting."""
    choice: ChoiceSpec | None = None
    """The option that set it; none where the law does."""

    def __str__(self) -> str:
        return f"{self.title[:1].lower()}{self.title[1:]} of {show_dollars(self.most)}"


@dataclass(frozen=True)
class Rules(Frozen):
    """The rules of one table on one day. Everything that settles, counts or prints reads from here."""

    chapter: Chapter
    as_of: date
    choices: Choices
    seats: int
    wagers: Mapping[str, Wager]
    tables: Mapping[str, PayTable]
    meters: Mapping[str, MeterSpec]
    envies: Mapping[str, tuple[EnvyTable, ...]]
    options: Options = field(default_factory=dict)
    """The options that were chosen and that the law of the day allows."""
    unit_stake: Cents | None = None
    """The wager that counting takes pays for, in cents, settled as at a table: payout limits and whole cents apply.
    Without one it takes the odds, which know no stake."""

    def at_stake(self, stake: Cents | None) -> "Rules":
        """The same rules for counting at this Ante, or whatever others are multiples of."""
        return replace(self, unit_stake=stake)

    def option(self, name: str) -> Any:
        """What an option of the chapter was set to; nothing where it was left alone."""
        return self.options.get(name)

    @property
    def chosen(self) -> tuple[tuple[ChoiceSpec, Any], ...]:
        """The options in use, in the order of the chapter, each with its value."""
        named = self.chapter.options(self.as_of)
        return tuple((named[name], value) for name, value in self.options.items() if given(value))

    @cached_property
    def caps(self) -> tuple[Cap, ...]:
        """What bounds several wagers together: options that were chosen, and figures of the law."""
        from pitboss.games.registry import game_named

        found = [Cap(c.name, c.title, c.cite, c.caps, value, c.spares, c) for c, value in self.chosen if c.caps]
        for figure in in_force(self.chapter.figures, self.as_of):
            if figure.caps:
                most = max(100 * figure.value, game_named(self.game).most_won_at_minimum(self, figure.caps))
                found.append(Cap(figure.name, shown(figure.name).capitalize(), figure.cite, figure.caps, most))
        return tuple(found)

    def cap_on(self, line: str, paid_by: str = "") -> Cap | None:
        """What bounds a line that is paid by the table of a paragraph."""
        found = (cap for cap in self.caps if line in cap.wagers)
        return next((cap for cap in found if paid_by not in map(self.table_cite, cap.spares)), None)

    def worded(self, odds: Odds) -> str:
        """Odds as the table shows them: as the law prints them, unless an option words them otherwise."""
        found = (kind_of(choice).worded(value, odds) for choice, value in self.chosen)
        return next(filter(None, found), str(odds))

    @property
    def game(self) -> str:
        return self.chapter.game

    @cached_property
    def _figures(self) -> Mapping[str, tuple[int, str]]:
        return {entry.name: (entry.value, str(entry.cite)) for entry in in_force(self.chapter.figures, self.as_of)}

    def figure(self, name: str) -> int:
        """A number that the chapter gives, such as ``seats``."""
        return self._figure(name)[0]

    @property
    def least_players(self) -> int:
        """How many must take part in a round: one where everybody plays against the house."""
        return self._figures.get("least_players", (1, ""))[0]

    def figure_cite(self, name: str) -> str:
        """The paragraph that gives a number."""
        return self._figure(name)[1]

    def _figure(self, name: str) -> tuple[int, str]:
        if name not in self._figures:
            raise UnknownName(f"{self.chapter.title} has no figure {name!r} on {self.as_of}.")
        return self._figures[name]

    def limits(self, wager: str) -> Limits:
        """What a wager may be at this table."""
        return self.choices.limits.get(wager, OPEN_LIMITS)

    def odds(self, table: str, label: str) -> tuple[str, Odds] | None:
        """The row of a pay table that pays a hand, and its odds; nothing if the table is silent."""
        rows = self.tables[table].rows
        row = row_of(rows, label)
        return None if row is None else (row, rows[row])

    def table_cite(self, table: str) -> str:
        """The paragraph of a pay table."""
        return str(self.tables[table].cite)

    def reading(self, table: str) -> str:
        """The named reading of a pay table's rule; empty for the one that is implemented as the law."""
        return self.choices.readings.get(table, "")

    @cached_property
    def _named(self) -> Mapping[str, Wager]:
        return {name: wager for wager in self.wagers.values() for name in wager.names(self.seats, self.choices.device)}

    def wager_named(self, name: str) -> Wager | None:
        """The wager of a round; ``super_on_seat_3`` is the wager ``super_on_seat`` on seat 3.

        Only the one spelling counts: a name with another number, in other digits or letters is no wager, or chips
        would be taken that no line settles.
        """
        return self._named.get(name)

    def names_at(self, seat: int) -> tuple[str, ...]:
        """The names of all wagers that a seat may place before the cards; round files, live tables, simulation and
        meters know no others."""
        return tuple(
            name
            for name, wager in self._named.items()
            if wager.placed == "before" and not (wager.on_another_seat and name == f"{wager.name}_{seat}")
        )

    @public
    def with_pay(self, wager: str, /, **rows: "Paid") -> "Rules":
        """The same rules with rows of a wager's pay table paying something else; ``None`` takes a row out.

        A bare number pays in the way of the table, "to 1" or "for 1"; ``"3 to 2"`` says it in full.
        """
        from pitboss.games.repaying import with_pay

        return with_pay(self, wager, rows)

    @property
    def changes(self) -> "tuple[ChangedRow, ...]":
        """Rows of pay tables that do not pay what the law's tables of these letters pay."""
        from pitboss.games.repaying import changed_rows

        return kept(self, "changes", lambda: changed_rows(self))

    def __hash__(self) -> int:
        found = (self.game, self.as_of, self.choices, self.seats, self.tables)
        return kept(self, "hash", lambda: hash(found))

    def __repr__(self) -> str:
        return f"<Rules: {self}>"

    def __str__(self) -> str:
        """Only what departs from the default: every wager offered, tables A, each as the law has it."""
        letters = ", ".join(
            f"{shown(name)} {table.letter}" for name, table in self.tables.items() if table.letter not in ("A", SINGLE)
        )
        changed = f"changed: {', '.join(map(str, self.changes))}" if self.changes else ""
        departs = "; ".join(filter(None, (letters, changed)))
        return f"{self.chapter.title} as of {self.as_of}" + (f" ({departs})" if departs else "")


def check_rules(given: object) -> None:
    """Refuse, in a sentence, what is no rules at all."""
    if not isinstance(given, Rules):
        raise UnreadableError(f"Rules are needed here, such as pitboss.rules(GAME, DATE) gives, not {given!r}.")


@public
def resolve(chapter: Chapter, as_of: date, choices: Choices | None = None) -> tuple[Rules | None, tuple[Finding, ...]]:
    """The rules of a table and what is wrong with the choices, all at once.

    There are no rules at all only where the chapter was not in force. Rules that come with findings are good for
    checking on, not for settling.
    """
    choices = choices or Choices()
    findings: list[Finding] = []
    if choices.facts:
        chapter, found = with_facts(chapter, as_of, choices.facts)
        findings += found
    devices = [deal.device for deal in chapter.deals]
    if choices.device not in devices:
        choices = replace(choices, device=devices[0])
    known = in_force(chapter.wagers, as_of)
    if not known:
        return None, (_not_in_force(chapter, as_of),)
    unpaid = {row for table in in_force(chapter.paytables, as_of) for row in table.open_rows}
    wagers = {w.name: w for w in known if _offered(w, choices) and w.names(1, choices.device) and w.name not in unpaid}
    chosen = (w for w in known if w.offer == "choice" and w.name in (choices.offered or ()))
    for wager in (wager for wager in chosen if wager.name not in wagers):
        findings.append(_needs_odds(chapter, wager) if wager.name in unpaid else _needs_device(wager, choices))
    options = _options(law := Law(chapter, as_of), choices.options, findings)
    lacking = (w for w in wagers.values() if w.needs_option and w.name in (choices.offered or ()))
    findings += (_needs_option(chapter, wager) for wager in lacking if not given(options.get(wager.needs_option)))
    tables = _tables(chapter, as_of, choices, options, findings)
    paid = {wager.paytable for wager in wagers.values()}
    for name, value in tuple(options.items()):
        choice = chapter.options(as_of)[name]
        if misfits := tuple(kind_of(choice).applied(choice, value, law, tables, paid)):
            findings += misfits
            del options[name]
    meters, envies = {}, {}
    for wager in wagers.values():
        if wager.meter:
            letter = tables[wager.paytable].letter if wager.paytable in tables else ""
            spec = choices.meters.get(wager.meter) or next(
                (m for m in in_force(chapter.meters, as_of) if m.wager == wager.meter and m.letter == letter), None
            )
            if spec is not None:
                meters[wager.meter] = spec
            envies[wager.name] = tuple(
                e for e in in_force(chapter.envies, as_of) if e.wager == wager.name and e.letter in (letter, SINGLE)
            )
    rules = Rules(
        chapter=chapter,
        as_of=as_of,
        choices=choices,
        seats=choices.seats or chapter.figure("seats", as_of).value,
        wagers=Fixed(wagers),
        tables=Fixed(tables),
        meters=Fixed(meters),
        envies=Fixed(envies),
        options=Fixed(options),
    )
    return rules, tuple(findings)


def _options(law: Law, given_options: Options, findings: list[Finding]) -> dict[str, Any]:
    """The options that are lawful by themselves, in the order of the chapter."""
    named, lawful = law.chapter.options(law.as_of), {}
    for name in (*named, *(name for name in given_options if name not in named)):
        choice, value = option_named(law.chapter, name), given_options.get(name)
        if choice is None:
            raise KeyError(f"no chapter has an option {name!r}")
        if value is not None:
            kind = kind_of(choice)
            found = tuple((kind.findings if name in named else kind.elsewhere)(choice, value, law))
            findings += found
            if name in named and not found:
                lawful[name] = value
    return lawful


def table_misfits(rules: Rules) -> Iterator[Finding]:
    """Pay tables that apply only under an option, chosen without it; and others, chosen with it."""
    for name, table in rules.tables.items():
        lettered = rules.chapter.tables(name, rules.as_of)
        for option in dict.fromkeys(other.when for other in lettered if other.when):
            choice = rules.chapter.options(rules.as_of)[option]
            opened = [other for other in lettered if other.when == option]
            if table.when == option and not given(rules.option(option)):
                values = listed(map(str, choice.values)) if choice.values else "..."
                sentence = f"Pay table {table.letter} of {shown(name)} needs a {choice.title}, and none is chosen."
                code, cite, expected, found = f"{option}-missing", table.cite, f"{option} = {values}", "none"
            elif table.when != option and given(rules.option(option)):
                letters = ", ".join(other.letter for other in opened)
                sentence = f"With a {choice.title} {shown(name)} is paid by table {letters}, not by {table.letter}."
                code, cite, expected, found = f"{option}-{name}", opened[0].cite, f"one of {letters}", table.letter
            else:
                continue
            yield refusal(code.replace("_", "-"), expected, found, sentence, f"paytables.{name}", cite=cite)


def _offered(wager: Wager, choices: Choices) -> bool:
    return choices.offered is None or wager.name in choices.offered or wager.offer == "always"


def _needs_device(wager: Wager, choices: Choices) -> Finding:
    expected = listed(dict.fromkeys(device for devices in wager.only.values() for device in devices))
    sentence = f"The {wager.title} can be offered only with a device called {expected}, not with {choices.device}."
    cite, where = wager.choice_cite or wager.cite, f"wagers.{wager.name}"
    return refusal("wager-needs-device", expected, choices.device, sentence, where, cite=cite)


def _needs_odds(chapter: Chapter, wager: Wager) -> Finding:
    table = next(table for table in chapter.paytables if wager.name in table.open_rows)
    fact = f"{table.place}.{wager.name}"
    sentence = f"No odds of the {wager.title} are known; the submission may offer it only if it sets them as a fact."
    return refusal("odds-unknown", f'"{fact}" = "5 to 1" among the facts', "none", sentence, "facts", cite=wager.cite)


def _needs_option(chapter: Chapter, wager: Wager) -> Finding:
    option = next(choice for choice in chapter.choices if choice.name == wager.needs_option)
    sentence = f"The {wager.title} may be offered only with this: {option.about}."
    code, expected = f"{option.name.replace('_', '-')}-missing", f"{option.name} = true"
    return refusal(code, expected, "none", sentence, option.name, cite=option.cite)


def _not_in_force(chapter: Chapter, as_of: date) -> Finding:
    since = min(wager.period.start for wager in chapter.wagers)
    reason = (
        f"chapter {chapter.chapter} was adopted on {chapter.adopted}"
        if chapter.adopted is not None and as_of < chapter.adopted
        else f"the text of chapter {chapter.chapter} carried here is in force since {since}; "
        "the earlier one is not at hand"
    )
    sentence = f"{chapter.title} cannot be played by these rules on {as_of}: {reason}."
    return refusal("chapter-not-in-force", f"a date from {since} on", as_of, sentence, cite=chapter.cite_of())


def _tables(
    chapter: Chapter, as_of: date, choices: Choices, options: Options, findings: list[Finding]
) -> dict[str, PayTable]:
    names = dict.fromkeys(table.wager for table in chapter.paytables)
    tables = {}
    for name in choices.letters:
        if name not in names:
            lettered = sorted({t.wager for t in chapter.paytables if t.letter != SINGLE})
            sentence = f"{chapter.title} has no pay table for {name!r}."
            cite, expected = str(chapter.cite_of("paytables")), "one of " + ", ".join(lettered)
            findings.append(refusal("unknown-paytable", expected, name, sentence, f"paytables.{name}", cite=cite))
    for name in names:
        letter = choices.letters.get(name)
        reading = choices.readings.get(name, "")
        versions = [t for t in chapter.paytables if t.wager == name]
        printed = {t.letter for t in versions}
        if letter is None or (letter == "A" and printed == {SINGLE}):
            letter = _first_letter(versions, options)
        fitting = [t for t in versions if t.letter == letter]
        current = [t for t in in_force(fitting, as_of) if t.reading == reading] or [
            t for t in in_force(fitting, as_of) if not t.reading
        ]
        if current:
            tables[name] = current[0]
            if reading and current[0].reading != reading and reading not in _noted_readings(chapter, current[0]):
                findings.append(_unknown_reading(chapter, name, reading, current[0], versions))
            continue
        if name in choices.letters:
            findings.append(_bad_letter(chapter, name, letter, versions, fitting, as_of))
        # The check goes on with a table that does apply, so that one bad letter hides no other finding.
        if fallback := in_force(versions, as_of):
            tables[name] = fallback[0]
    return tables


def _first_letter(versions: list[PayTable], options: Options) -> str:
    """Table A, where none is named; under an option that opens tables of its own, the first of those."""
    opened = [table.letter for table in versions if table.when and given(options.get(table.when))]
    letters = opened or [table.letter for table in versions if not table.when]
    return next((letter for letter in ("A", SINGLE) if letter in letters), letters[0])


def _noted_readings(chapter: Chapter, table: PayTable) -> set[str]:
    """Readings that the chapter's notes name for the paragraph of a pay table."""
    return {name for note in chapter.notes if table.cite in (note.cite, *note.also) for name in note.readings}


def _unknown_reading(chapter: Chapter, name: str, reading: str, table: PayTable, versions: list[PayTable]) -> Finding:
    named = sorted({t.reading for t in versions if t.reading} | _noted_readings(chapter, table))
    sentence = f"The pay table of {shown(name)} has no reading called {reading!r}."
    expected = " or ".join(["the printed text", *named])
    return refusal("unknown-reading", expected, reading, sentence, f"readings.{name}", cite=table.cite)


def _bad_letter(
    chapter: Chapter, name: str, letter: str, versions: list[PayTable], fitting: list[PayTable], as_of: date
) -> Finding:
    letters = ", ".join(dict.fromkeys(t.letter for t in in_force(versions, as_of))) or "none"
    if fitting:
        period = fitting[0].period
        sentence = f"Pay table {letter} of {shown(name)} was not in force on {as_of}: it is {period}."
        expected = f"a table in force on {as_of}: {letters}"
        return refusal("table-not-in-force", expected, letter, sentence, f"paytables.{name}", cite=fitting[0].cite)
    sentence = f"{chapter.title} has no pay table {letter!r} for {shown(name)}; the law prints {letters}."
    cite = str(versions[0].choice_cite or versions[0].cite)
    return refusal("unknown-letter", f"one of {letters}", letter, sentence, f"paytables.{name}", cite=cite)
