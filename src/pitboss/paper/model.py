"""A document as values: what is shown once, for the terminal, a page, paper, a workbook and CSV.

The builder passes raw values (cents, fractions, cites, times); ``say`` knows how a kind of value reads and the
renderers know their medium. A record comes in already redacted for its reader: nothing here hides anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Final

from pitboss.names import clean

Value = str | int | float | Fraction | tuple[str, ...] | None
Row = tuple[Value, ...]
NO_ACTIVITY: Final = "No activity"
ALWAYS_BELOW: Final = 4
"""The rank of columns that stand below their row however wide the medium is."""


class CellKind(StrEnum):
    """What a value is, from which every medium knows how to write and align it."""

    TEXT = "text"
    SENTENCE = "sentence"
    """Text that may take several lines."""
    NAME = "name"
    """A name of the files, such as ``player_position``; people read its words."""
    COUNT = "count"
    MONEY = "money"
    SIGNED = "signed"
    """Money gained or lost, with its sign."""
    UNITS = "units"
    """Money of a meter, in units of 1/10,000 cent."""
    PERCENT = "percent"
    """A share, shown in percent."""
    FIGURE = "figure"
    """A number with decimals."""
    NET = "net"
    """What is gained or lost in units, with its sign: +3, −1, +1.5."""
    CHANCE = "chance"
    """A probability, to six digits that count."""
    EXACT = "exact"
    """A fraction in full."""
    ODDS = "odds"
    CARDS = "cards"
    CITES = "cites"
    """Paragraphs of the code, as a tuple."""
    TIME = "time"
    """A moment, shown in the property's local time."""
    CLOCK = "clock"
    """The time of day of a moment."""
    RESULT = "result"
    HASH = "hash"
    REFERENCE = "reference"
    """A text that names another document, which a page links to."""
    CHOICE = "cell-choice"
    """What to do with a hand: one of the listing's choices, perhaps with a mark behind it."""
    BLANK = "blank"
    """A line to write on; it has no value."""


@dataclass(frozen=True)
class Cleaned:
    """A record whose texts are free of what no medium can carry, so that no renderer has to think of it.

    Values of cells stay as they are; ``say`` cleans their words.
    """

    def __post_init__(self) -> None:
        for name, value in self.__dict__.items():
            if name != "rows" and (cleaned := _cleaned(value)) is not value:
                object.__setattr__(self, name, cleaned)


def _cleaned(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_cleaned, value))
    return clean(value) if isinstance(value, str) and not isinstance(value, CellKind) else value


FLUSH_RIGHT: Final = frozenset({"count", "money", "signed", "units", "percent", "figure", "net", "chance", "exact"})


@dataclass(frozen=True)
class Column(Cleaned):
    """A column of a listing. ``rank`` 1 is always beside its row, 2 and 3 with room, 4 below it, 0 in files only."""

    key: str
    """Its name in files, where it stays the same."""
    title: str
    kind: CellKind = CellKind.TEXT
    rank: int = 1
    places: int = 4
    """Decimals of a percentage or a figure."""
    formula: str = ""
    """Of a workbook: ``{ways}`` is a cell of the row, ``{#stake}`` a figure, ``{pays.odds}`` a column of a listing,
    ``{#hold@no}`` the figure whose key ends in the row's ``no``."""
    editable: bool = False
    """Whether a workbook offers the cell for a what-if."""
    zeros: bool = True
    """Whether people read a zero; without, the cell is empty for them."""

    @property
    def flush_right(self) -> bool:
        return self.kind in FLUSH_RIGHT

    def is_blank(self, value: Value) -> bool:
        """Whether people read nothing in the cell."""
        if self.kind == CellKind.BLANK:
            return False
        return value is None or value == "" or value == () or (value == 0 and not self.zeros)


@dataclass(frozen=True)
class Listing(Cleaned):
    """A table of typed columns."""

    key: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    empty: str = NO_ACTIVITY
    """The sentence in place of the rows where there are none."""
    title: str = ""
    """Its caption, where its passage has other listings."""
    sheet: str = ""
    """The name of its sheet in a workbook, if not its title or that of its passage."""
    sheet_note: str = ""
    """What only a workbook says: which cells follow from others, and which may be edited."""
    headed: bool = True
    """Whether people see the titles of the columns. Files and screen readers always have them."""
    choices: tuple[str, ...] = ()
    """What cells of the kind ``cell-choice`` say, the boldest first; a medium with colors shades them in this order."""

    def shade(self, value: Value) -> str:
        """Return how bold a choice is: ``a`` is the first, ``z`` the last, and letters between for those between.

        >>> listing = Listing("grid", (), (), choices=("3x", "2x", "1x", "F"))
        >>> [listing.shade(each) for each in ("3x", "2x'", "1x", "F", "")]
        ['a', 'b', 'c', 'z', '']
        """
        text = str(value or "").rstrip("'")
        if text not in self.choices:
            return ""
        at = self.choices.index(text)
        return "z" if at and at == len(self.choices) - 1 else "abc"[min(at, 2)]

    def __post_init__(self) -> None:
        super().__post_init__()
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {self.key} has {len(row)} values, not {len(self.columns)}")

    def ranked(self, first: int, last: int, row: Row | None = None) -> list[int]:
        """The places of the columns of these ranks; of a row only those that have something to show.

        A column of rank 2 to 4 that is empty in every row is left out.
        """
        listed = []
        for at, column in enumerate(self.columns):
            always = row is None and (column.rank == 1 or not self.rows)
            rows = self.rows if row is None else (row,)
            if first <= column.rank <= last and (always or not all(column.is_blank(each[at]) for each in rows)):
                listed.append(at)
        return listed

    def label(self, at: int) -> str:
        """What stands before a sentence below its row: its title, but for the row's own sentences.

        Those are the ones that always stand there, or else the first.
        """
        sentences = [place for place, column in enumerate(self.columns) if column.kind == CellKind.SENTENCE]
        own = [place for place in sentences if self.columns[place].rank == ALWAYS_BELOW] or sentences[:1]
        return "" if at in own else self.columns[at].title


@dataclass(frozen=True)
class Datum(Cleaned):
    """One value with its label."""

    label: str
    value: Value
    kind: CellKind = CellKind.TEXT
    key: str = ""
    """By which formulas of a workbook find it."""
    places: int = 4
    formula: str = ""
    editable: bool = False


@dataclass(frozen=True)
class Figures(Cleaned):
    """Values with their labels, one below the other."""

    data: tuple[Datum, ...]


@dataclass(frozen=True)
class Remark(Cleaned):
    """A sentence with the paragraphs it rests on. ``tone`` is "", "good", "warning", "bad" or "fine"."""

    text: str
    cites: tuple[str, ...] = ()
    tone: str = ""


@dataclass(frozen=True)
class Drawing(Cleaned):
    """A picture as SVG, and what it shows in words for people who can't see it."""

    svg: str
    words: str
    wide: float = 0.0
    """Its width on paper in inches, where it is drawn to scale; 0 takes the width of the page."""


class PlotKind(StrEnum):
    """How a plot draws its values."""

    BARS = "bars"
    """A bar a row; further columns are strokes across it."""
    LINES = "lines"
    """A line a column, over numbers."""


@dataclass(frozen=True)
class Plot(Cleaned):
    """A picture of columns of a listing: every medium draws it, and has its numbers from the listing."""

    listing: Listing
    title: str
    across: str
    """The key of the column of labels, or of the numbers that lines stand over."""
    up: tuple[str, ...]
    """The keys of the columns drawn."""
    kind: PlotKind = PlotKind.BARS
    logarithmic: bool = False
    tones: tuple[str, ...] = ()
    """Of each bar: "good", "bad", "marked" or "" for neither."""
    marks: tuple[tuple[str, float], ...] = ()
    """Names of places that lines pass, with their numbers across."""
    note: str = ""
    """A line below the picture, such as what its figures hold under."""
    tabled: bool = True
    """Whether people read the listing too; otherwise only those who can't see the picture do."""

    def column(self, key: str) -> tuple[Column, tuple[Value, ...]]:
        """A column of the listing with its values."""
        at = next(at for at, column in enumerate(self.listing.columns) if column.key == key)
        return self.listing.columns[at], tuple(row[at] for row in self.listing.rows)


Block = Listing | Figures | Remark | Drawing | Plot


@dataclass(frozen=True)
class Passage(Cleaned):
    """A part of a document under its own heading."""

    title: str
    blocks: tuple[Block, ...]
    new_sheet: bool = False
    """Whether it begins a new sheet of paper."""
    cites: tuple[str, ...] = ()
    """Paragraphs that all of it rests on."""


@dataclass(frozen=True)
class Imprint(Cleaned):
    """What a document covers and where it comes from: its head and its foot.

    All of it is given. No renderer reads a clock, so the same document is the same bytes.
    """

    period: str = ""
    """The gaming day or the days that the document covers."""
    filters: tuple[tuple[str, str], ...] | None = None
    """The filters used, by name; ``None`` where a document has none, empty where everything is shown."""
    law: str = ""
    """The day of the law, where one law applies to the whole document."""
    law_hash: str = ""
    """SHA-256 of the law's data."""
    version: str = ""
    """The program and its version."""
    printed: int | str | None = None
    """The time of printing, shown in the property's zone; ``None`` on a screen."""
    notice: str = ""


@dataclass(frozen=True)
class PaperSize:
    """A size of paper, in inches."""

    wide: float
    high: float
    filled: bool = False
    """Whether the document fills one sheet, set as large as there is room for: a sign, read from a distance."""

    @property
    def enlarged(self) -> float:
        """How many times as large as on Letter its type and margins are."""
        return min(self.wide, self.high) / LETTER.wide


LETTER: Final = PaperSize(8.5, 11.0)
SHEETS: Final[Mapping[str, PaperSize]] = {
    "letter": LETTER,
    "tabloid": PaperSize(11.0, 17.0),
    "large": PaperSize(24.0, 36.0),
}


@dataclass(frozen=True)
class Paper(Cleaned):
    """A whole document. ``main`` is the key of the listing, or of the parts of it, that CSV means."""

    key: str
    title: str
    lead: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()
    imprint: Imprint = Imprint()
    main: str = ""
    sheet: PaperSize = LETTER

    def listings(self) -> Iterator[tuple[str, Listing]]:
        """Every listing with a name for it."""
        for passage in self.passages:
            for block in passage.blocks:
                listing = block.listing if isinstance(block, Plot) else block
                if isinstance(listing, Listing):
                    yield listing.sheet or listing.title or passage.title, listing

    def listing(self, key: str = "") -> Listing:
        """The listing of that key, the main one, or the first; listings of one key are parts of one."""
        every = [listing for _, listing in self.listings()]
        wanted = key or self.main or (every[0].key if every else "")
        parts = [listing for listing in every if listing.key == wanted]
        if not parts:
            raise KeyError(f"{self.key} has no listing {wanted!r}")
        return replace(parts[0], rows=tuple(row for part in parts for row in part.rows))


def passages(*parts: tuple[str, Sequence[Block]]) -> tuple[Passage, ...]:
    """Passages of those parts that have anything to show."""
    return tuple(Passage(title, tuple(blocks)) for title, blocks in parts if blocks)
