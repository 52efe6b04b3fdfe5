"""What a chapter says, as frozen data. Every entry has its paragraph and the dates it is in force."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeVar

from pitboss.findings import UnknownName
from pitboss.law.cite import Cite
from pitboss.law.domains import MOST_ENVY, Dollars, Domain, Numbers, Payouts
from pitboss.law.odds import Odds, Tier
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.public import public

Device = str
"""What cards are dealt from or dice shaken in; which there are is said by the deals of the chapter."""
Face = int | str
"""What a die or a wheel may show: a number; the double zero of a wheel isn't one, so it is a text."""
UNKNOWN = "unknown"
"""Instead of odds that nothing at hand gives."""
SINGLE = "-"
"""The letter of a pay table that the law prints alone, without one."""


@dataclass(frozen=True)
class Period:
    """Dates on which an entry is in force, both included; no end means until further notice."""

    start: date
    end: date | None = None

    def covers(self, day: date) -> bool:
        return self.start <= day and (self.end is None or day <= self.end)

    def __str__(self) -> str:
        return f"{self.start} to {self.end}" if self.end else f"since {self.start}"


Grounds = Literal["printed", "sibling", "public", "assumed", "set by the Rules Submission"]
GROUNDS: tuple[Grounds, ...] = ("printed", "sibling", "public", "assumed")
"""What an entry of a law file may rest on."""


@dataclass(frozen=True)
class Source:
    """What a figure or a rule rests on: its own printed paragraph, or something less.

    >>> str(Source("sibling", "641a.3(a)")), str(Source("assumed")), str(PRINTED)
    ('sibling chapter: 641a.3(a)', 'assumed', 'printed')
    """

    grounds: Grounds = "printed"
    note: str = ""
    """Which paragraph of a sibling chapter, which public description, or why it is assumed."""

    def __bool__(self) -> bool:
        return self.grounds != "printed"

    def __str__(self) -> str:
        said = "sibling chapter" if self.grounds == "sibling" else self.grounds
        return f"{said}: {self.note}" if self.note else said


PRINTED = Source()
BY_SUBMISSION = Source("set by the Rules Submission")


@dataclass(frozen=True, kw_only=True)
class Sourced:
    """An entry of the law that a chapter of which only parts are printed may have from elsewhere."""

    source: Source = PRINTED


@dataclass(frozen=True)
class UnprintedFact:
    """One value that is not printed, by the name under which a Rules Submission may set it."""

    name: str
    value: str
    cite: Cite
    source: Source
    domain: Domain

    @property
    def must_be_set(self) -> bool:
        """Whether a submission must give it: odds are not paid by an assumption."""
        return self.source.grounds == "assumed" and self.name.startswith("paytables.") and self.value != UNKNOWN


@dataclass(frozen=True, kw_only=True)
class Dated:
    """What every entry of a chapter has: its paragraph, and the dates on which it is in force."""

    cite: Cite
    period: Period

    @property
    @abstractmethod
    def key(self) -> str:
        """What it is called where its versions are compared and in messages."""


D = TypeVar("D", bound=Dated)


def source_of(entry: Dated) -> Source:
    """What an entry rests on; of a printed one with rows or steps from elsewhere, the first of theirs."""
    found = [entry.source] if isinstance(entry, Sourced) else []
    if isinstance(entry, PayTable):
        found += entry.row_sources.values()
    if isinstance(entry, DealOrder):
        found += [step.source for step in entry.steps]
    return next(filter(None, found), PRINTED)


@public
def in_force(entries: Iterable[D], as_of: date) -> tuple[D, ...]:
    """Entries whose version applies on a day."""
    return tuple(entry for entry in entries if entry.period.covers(as_of))


@dataclass(frozen=True)
class Section(Dated, Sourced):
    """One section of the chapter, with the day from which the text carried here is in force."""

    title: str
    amended: tuple[date, ...]

    @property
    def key(self) -> str:
        return f"section {self.cite}"


@dataclass(frozen=True)
class Figure(Dated, Sourced):
    """One number of the law: seats, decks, hours, multiples."""

    name: str
    value: int
    range: tuple[int, ...] = ()
    """The least and the greatest value to which a submission may set it, where it is not printed."""
    caps: tuple[str, ...] = ()
    """Of dollars that the law lets no player win more of: the wagers whose pays in a round they bound together, unless
    more can be won at the minimum wager."""

    @property
    def key(self) -> str:
        return f"figure {shown(self.name)}"


Role = Literal["unit", "required", "later", "side"]
"""``unit``: what others are multiples of, and what makes its player be asked. ``required``: made beside the unit by all
who play. ``later``: made by a decision. ``side``: made or left out, and settled by itself."""


@dataclass(frozen=True)
class Wager(Dated, Sourced):
    """A wager that may be placed, and what must be placed before it."""

    name: str
    title: str
    offer: Literal["always", "choice"]
    """``choice``: only if the certificate holder says so in its Rules Submission."""
    role: Role = "side"
    optional: bool = False
    """A unit that a player may leave out, because another wager can be made alone."""
    needs_any: tuple[str, ...] = ()
    needs_all: tuple[str, ...] = ()
    paytable: str = ""
    meter: str = ""
    extra: str = ""
    """What must be dealt besides the hands when somebody makes this wager."""
    needs_option: str = ""
    """The option of the submission without which it may not be offered."""
    divided: bool = False
    """One hand decides it for all who made it, and they divide a share of a meter that it wins."""
    picks: Literal["seats"] | tuple[tuple[Face, ...], ...] = ()
    """What the player chooses among, with the numbers chosen behind the name: ``two_dice_combination_2_5``; or
    ``seats`` for a wager made once for each other seat: ``super_on_seat_3``."""
    only: Mapping[str, tuple[Device, ...]] = field(default_factory=dict)
    """Names that can be bet with some devices alone, as a wheel without a double zero has no wager on it."""
    choice_cite: Cite | None = None
    """The paragraph that bounds where it may be offered, if that is not its own."""

    @property
    def key(self) -> str:
        return f"wager {shown(self.name)}"

    @property
    def placed(self) -> Literal["before", "after"]:
        """``before`` the announcement of "no more bets", or ``after`` it, by a decision."""
        return "after" if self.role == "later" else "before"

    @property
    def required(self) -> bool:
        """Whether nobody plays without it."""
        return self.role == "required" or (self.role == "unit" and not self.optional)

    @property
    def on_another_seat(self) -> bool:
        return self.picks == "seats"

    def names(self, seats: int, device: Device = "") -> tuple[str, ...]:
        """What a round calls the wager at a table with so many seats, with any device or with this one; there is no
        other spelling."""
        picks = tuple((seat,) for seat in range(1, seats + 1)) if self.picks == "seats" else self.picks or ((),)
        names = ("_".join((self.name, *map(str, pick))) for pick in picks)
        return tuple(name for name in names if not device or device in self.only.get(name, (device,)))

    def picked(self, name: str) -> tuple[Face, ...]:
        """The numbers behind one of those names."""
        return tuple(map(face, filter(None, name.removeprefix(self.name).split("_"))))


def face(text: str) -> Face:
    """What a die or a wheel shows, as it is written down.

    >>> face("17"), face("0"), face("00")
    (17, 0, '00')
    """
    return int(text) if text == str(int(text)) else text


@dataclass(frozen=True)
class PayTable(Dated, Sourced):
    """One printed column of odds; rows stand from the highest hand to the lowest."""

    wager: str
    letter: str
    rows: Mapping[str, Odds]
    reading: str = ""
    """Empty for the printed text; otherwise the name of the alternative reading."""
    row_sources: Mapping[str, Source] = field(default_factory=dict)
    """Single rows that rest on something else than the table."""
    linkable: bool = True
    """Whether it may be selected where linked games share the jackpot."""
    open_rows: tuple[str, ...] = ()
    """Rows whose odds nothing at hand gives: their wagers are not offered until a submission sets them."""
    when: str = ""
    """The option under which alone the table applies, and then instead of those that name none."""
    title: str = ""
    """When it pays, where the name of its wager alone would mislead a player."""
    choice_cite: Cite | None = None
    """The printed paragraph that leaves the choice of the table, if that is not its own."""

    def source_of(self, row: str) -> Source:
        return self.row_sources.get(row, self.source)

    @property
    def place(self) -> str:
        """Before the name of a row, where a submission sets one."""
        return f"paytables.{self.wager}.{self.letter}"

    @property
    def printed_letter(self) -> str:
        """The letter without what tells it from the same letter of another subsection: ``c:A`` is printed as A."""
        return self.letter.rpartition(":")[2]

    @property
    def key(self) -> str:
        return f"pay table {shown(self.wager)} {self.letter}" + (f" ({self.reading})" if self.reading else "")


@dataclass(frozen=True)
class MeterSpec(Dated, Sourced):
    """How a progressive meter starts, grows and starts again, per dollar of the offered wager."""

    wager: str
    letter: str
    seed: Mapping[Tier, Cents]
    reseed: Mapping[Tier, Cents]
    rate: Mapping[Tier, Fraction]
    reserve: Fraction
    chosen: bool = False
    """True where the law left rate and seed to the Rules Submission: ``seed`` is then the least allowed."""

    @property
    def key(self) -> str:
        return f"meter {shown(self.wager)} {self.letter}"


@dataclass(frozen=True)
class EnvyTable(Dated, Sourced):
    """Fixed sums paid to others who made the progressive wager, for one amount of that wager."""

    wager: str
    line: str
    letter: str
    stake: Cents
    rows: Mapping[str, Cents]

    @property
    def place(self) -> str:
        return f"envies.{self.wager}.{self.letter}.{self.stake // 100}"

    @property
    def key(self) -> str:
        return f"envy {shown(self.line)} {self.letter} stake {self.stake // 100}"


DIE: tuple[Face, ...] = (1, 2, 3, 4, 5, 6)


STREETS_ACT = "deal-community-cards-by-streets"
"""The procedure of a chapter whose board is dealt street by street."""


@dataclass(frozen=True)
class DealStep(Sourced):
    """One movement of the deal.

    ``to`` is ``players``, ``players+dealer``, ``dealer``, ``discard`` or the name of a place of its own, such as
    ``community``. ``times`` passes of ``cards`` cards each; a ``stack`` comes out of the shoe whole and later steps
    with ``from_stack`` take from it, bottom first. A game of dice or a wheel has ``dice`` and no cards.
    """

    to: str
    cards: int = 0
    times: int = 1
    face_up: bool = False
    when: tuple[str, ...] = ()
    """Only if some player made one of these wagers; a step with a spare card is always taken."""
    stack: int = 0
    from_stack: bool = False
    dice: int = 0
    """How many dice are rolled, or balls spun."""
    faces: tuple[Face, ...] = DIE
    """What each may show: of a wheel its compartments, in their order around it."""
    more: int = 0
    """How many throws may follow for a wager that lives on."""
    void: tuple[Face, ...] = ()
    """Of these, what does not count and is spun again."""
    each: bool = False
    """To every player who made one of the wagers, not once for all."""
    spare: str = ""
    """Of a stack: where its last card goes for players who made one of the wagers; other last cards are discarded."""
    choice: str = ""
    """Only if the submission made this choice."""
    unless: tuple[str, ...] = ()
    """Only if it made none of these."""
    before: str = ""
    """Not with the first cards, but before a later round of betting, to those who are still in."""
    short: bool = False
    """Only instead of cards for each player, when the deck cannot serve everybody."""
    street: bool = False
    """Dealt face up street by street, as the course turns them up; the stub stays with the dealer until then."""

    @property
    def later(self) -> bool:
        """Whether it is no part of the first deal."""
        return bool(self.before) or self.short

    @property
    def own(self) -> str:
        """The place of a seat's own to which it brings a card of those who made the wager; empty if to none."""
        return self.to if self.each else self.spare

    def brings(self, place: str) -> int:
        """How many cards it brings to a place, or to each that seats have of their own under that name."""
        return (self.cards * self.times if self.to == place else 0) + (self.spare == place)


@dataclass(frozen=True)
class DealOrder(Dated, Sourced):
    """The order in which one device deals a round."""

    device: Device
    steps: tuple[DealStep, ...]

    @property
    def key(self) -> str:
        return f"deal {self.device}"


@dataclass(frozen=True)
class Procedure(Dated, Sourced):
    """One act the law prescribes at the table, for the live table and the dealer's training to follow."""

    stage: str
    actor: str
    act: str
    unless: str = ""
    when: str = ""
    remedy: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"procedure {self.cite} {self.act}"


@dataclass(frozen=True)
class LayoutItem(Dated, Sourced):
    """An area or an inscription that the layout must carry."""

    item: str
    per: Literal["player", "table"]
    when: tuple[str, ...] = ()
    inscription: str = ""

    @property
    def key(self) -> str:
        return f"layout {shown(self.item)}"


OptionKind = Literal["", "integer", "amount", "row", "selection", "flag", "text", "wording"]


@dataclass(frozen=True)
class ChoiceSpec(Dated, Sourced):
    """Something the certificate holder decides in its Rules Submission.

    With a ``kind`` it is an option: a key of its name, which is read, checked, resolved and shown by its kind alone.
    Without one it is a matter that every submission has a key for, such as the letters of the pay tables.
    """

    name: str
    about: str
    floor: str = ""
    kind: OptionKind = ""
    title: str = ""
    unit: str = ""
    """What it is counted by: ``per player and round``."""
    values: tuple[int | str, ...] = ()
    """Of an integer or a text: all that it may be."""
    least: str = ""
    """The figure below which it may not be; of an amount in dollars."""
    rows: Mapping[str, str] = field(default_factory=dict)
    """The pay tables to which a row of this name may be added, each with the figure of its least odds to 1."""
    into: tuple[Cite, ...] = ()
    """The paragraphs whose pay tables alone take the row."""
    paid_on: str = ""
    """The pay table of the wagers with which a selection is paid, by the pay table of its own name."""
    caps: tuple[str, ...] = ()
    """The wagers whose pays to one player in a round the amount bounds together."""
    unattended: bool = False
    """Of a flag: a table with it has no dealer, and the software takes the dealer's steps."""
    spares: tuple[str, ...] = ()
    """Pay tables by which such a wager may be paid without counting."""

    @property
    def key(self) -> str:
        return f"choice {shown(self.name)}"


@dataclass(frozen=True)
class Note(Dated):
    """A defect or ambiguity of the text, with the reading that is implemented."""

    name: str
    also: tuple[Cite, ...]
    text: str
    readings: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"note {self.name}"


@dataclass(frozen=True)
class Earlier:
    """What a paragraph said before an amendment, as far as the words that the amendment deleted give it."""

    cite: Cite
    until: date
    """The last day on which it was in force; since when isn't known."""
    about: str
    deleted: tuple[str, ...] = ()
    """Words that the amendment deleted from the paragraph, by which the lint checks this entry."""
    letter: str = ""
    rows: Mapping[str, Cents] = field(default_factory=dict)
    """The sums of a table, by row."""

    def __str__(self) -> str:
        sums = ", ".join(f"{shown(row)} {show_dollars(amount)}" for row, amount in self.rows.items())
        return f"{self.about} Paytable {self.letter}: {sums}." if sums else self.about


@dataclass(frozen=True)
class Chapter:
    """One chapter of the law, every version of every entry."""

    chapter: str
    game: str
    title: str
    heading: str
    """The title of the chapter as printed, where the game is only one of those that it has."""
    adopted: date | None
    """Unknown of a chapter of which only amendments are at hand."""
    source: str
    partly: bool
    """Whether only parts of the text are at hand; what is not printed then says what it rests on."""
    sections: tuple[Section, ...]
    figures: tuple[Figure, ...]
    wagers: tuple[Wager, ...]
    row_names: Mapping[tuple[str, str], str]
    """The printed name of a row: by reading, table or paragraph (empty for all others), and row."""
    row_cites: Mapping[str, Cite]
    """Rows that stand in a paragraph of their own, not in that of their table."""
    paytables: tuple[PayTable, ...]
    meters: tuple[MeterSpec, ...]
    envies: tuple[EnvyTable, ...]
    deals: tuple[DealOrder, ...]
    procedures: tuple[Procedure, ...]
    layout: tuple[LayoutItem, ...]
    choices: tuple[ChoiceSpec, ...]
    notes: tuple[Note, ...]
    earlier: tuple[Earlier, ...]
    """No version that could be played: what is known of the text before the first one carried here."""

    def __repr__(self) -> str:
        return f"<Chapter {self.chapter}: {self.title}>"

    @property
    def since(self) -> date:
        """The first day whose text is at hand."""
        return self.adopted or min(section.period.start for section in self.sections)

    def entries(self) -> tuple[Dated, ...]:
        """Everything in the chapter that has a cite and dates."""
        return (
            *self.sections,
            *self.figures,
            *self.wagers,
            *self.paytables,
            *self.meters,
            *self.envies,
            *self.deals,
            *self.procedures,
            *self.layout,
            *self.choices,
            *self.notes,
        )

    @cached_property
    def wager_by_line(self) -> Mapping[str, Wager]:
        """Every wager by its own name and by those that rounds call it; of wagers with the same name the first."""
        return {name: wager for wager in reversed(self.wagers) for name in (*wager.names(0), wager.name)}

    @property
    def unit_title(self) -> str:
        """What others are multiples of, in a word, such as ``Ante``; figures are given in it."""
        return next((w.title.removesuffix(" Wager") for w in self.wagers if w.role == "unit"), "wager")

    @public
    def figure(self, name: str, as_of: date) -> Figure:
        """The number in force on a day; asking for one that the chapter does not have is a programming error."""
        for entry in in_force(self.figures, as_of):
            if entry.name == name:
                return entry
        raise UnknownName(f"Chapter {self.chapter} has no figure {name!r} on {as_of}.")

    def devices(self, as_of: date) -> tuple[Device, ...]:
        """What a round may be dealt from or shaken in."""
        return tuple(deal.device for deal in in_force(self.deals, as_of))

    def facts(self, as_of: date) -> tuple[UnprintedFact, ...]:
        """Figures and sums that are not printed, which an operator with the full text at hand may correct."""
        found = [
            UnprintedFact(f.name, str(f.value), f.cite, f.source, Numbers(*f.range))
            for f in in_force(self.figures, as_of)
            if f.range
        ]
        for table in in_force(self.paytables, as_of):
            if not table.reading:
                payouts = self.payouts(table.wager)
                found += [
                    UnprintedFact(f"{table.place}.{row}", str(odds), table.cite, table.source_of(row), payouts)
                    for row, odds in table.rows.items()
                ]
                unknown = Source("assumed", "nothing is known of it")
                open_rows = (f"{table.place}.{row}" for row in table.open_rows)
                found += [UnprintedFact(name, UNKNOWN, table.cite, unknown, payouts) for name in open_rows]
        for envy in in_force(self.envies, as_of):
            found += [
                UnprintedFact(f"{envy.place}.{row}", show_dollars(amount), envy.cite, envy.source, Dollars(MOST_ENVY))
                for row, amount in envy.rows.items()
            ]
        return tuple(fact for fact in found if fact.source)

    def payouts(self, table: str) -> Payouts:
        """What a row of the pay tables of that name can pay."""
        return Payouts.like(odds for each in self.paytables if each.wager == table for odds in each.rows.values())

    def unprinted(self) -> tuple[Dated, ...]:
        """Entries that rest on something else than the printed text."""
        return tuple(entry for entry in self.entries() if source_of(entry))

    def options(self, as_of: date) -> Mapping[str, ChoiceSpec]:
        """The options that the law of a day leaves to a submission, by name."""
        return {choice.name: choice for choice in in_force(self.choices, as_of) if choice.kind}

    def cite_of(self, *names: str) -> Cite:
        """The paragraph of the first entry that bears one of the names: a figure, wager, choice, area, act or stage.

        ``wagers``, ``paytables`` and ``deals`` are the sections where such entries stand. What the chapter does not
        speak of is cited to its first section.
        """
        for name in names:
            if name in ("wagers", "paytables", "deals"):
                entries: tuple[Dated, ...] = getattr(self, name)
                if entries:
                    return entries[0].cite.section_cite
            for entry in self.entries():
                if name in {getattr(entry, key, "") for key in ("name", "item", "act", "stage")}:
                    return entry.cite
        return self.sections[0].cite

    def tables(self, wager: str, as_of: date, reading: str = "") -> tuple[PayTable, ...]:
        return tuple(t for t in in_force(self.paytables, as_of) if t.wager == wager and t.reading in ("", reading))

    def row_name(self, row: str, of: "PayTable | EnvyTable") -> str | None:
        """How the law prints a row of a table; nothing where the row stands in a sentence and has no printed name."""
        reading = of.reading if isinstance(of, PayTable) else ""
        keys = [*([reading] if reading else []), of.wager, str(of.cite), ""]
        return next((self.row_names[key, row] for key in keys if (key, row) in self.row_names), None)

    def earlier_of(self, cite: Cite) -> tuple[Earlier, ...]:
        """What is known of the former text of this paragraph or of one inside it."""
        return tuple(entry for entry in self.earlier if cite in entry.cite.ancestors())

    def notes_on(self, cite: Cite) -> tuple[Note, ...]:
        """Notes that name this paragraph or one inside it."""
        return tuple(
            n for n in self.notes if any(cite in c.ancestors() or c in cite.ancestors() for c in (n.cite, *n.also))
        )
