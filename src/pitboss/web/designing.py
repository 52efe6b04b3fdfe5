"""Pay tables to order for the Analyst: what is wished, as typed, and the tables that were found; for a worker."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.names import name_of
from pitboss.paper.model import Passage
from pitboss.reports.export import exported
from pitboss.typed import typed_count, within
from pitboss.web.analysis import LONGEST, Question, settled
from pitboss.web.workroom import tell

if TYPE_CHECKING:
    from pitboss.exact.design import DesignSearch

MOST_LISTED: Final = 100
ORDERS: Final = (
    ("below", "Every row below the next higher hand"),
    ("level", "No row above the next higher hand"),
    ("any", "Any order"),
)
UNITS: Final = (("1", "Whole odds"), ("1/2", "Halves"), ("1/4", "Quarters"), ("1/10", "Tenths"))
TASTES: Final = (
    ("near", "Nearest to the law’s table"),
    ("steady", "Smallest deviation"),
    ("lively", "Largest deviation"),
    ("middle", "Hold nearest to the middle"),
    ("all", "All, in order of their pays"),
)


@dataclass(frozen=True)
class DesignForm:
    """What a table must be like, as typed; the names are those of the address."""

    low: str = "2"
    high: str = "3"
    unit: str = "1"
    order: str = "below"
    row: str = ""
    """Bounds of rows: ``flush=3..5, pair=1``."""
    top: str = ""
    hits: str = ""
    deviation: str = ""
    seen: str = ""
    table: str = ""
    """Which of the pay tables behind main wagers, where there are several."""
    taste: str = "near"
    most: str = "10"

    @property
    def kind(self) -> str:
        return self.taste


NAMES: Final = tuple(DesignForm.__dataclass_fields__)


@dataclass(frozen=True)
class DesignedTables:
    """The tables found, as a document, and each as the changes that make it."""

    passages: tuple[Passage, ...]
    tables: tuple[tuple[str, Fraction, tuple[str, ...]], ...]
    """What each pays in a line, its hold, and its changes from the law's table as a question holds them."""


def wish_of(given: Mapping[str, str]) -> DesignForm:
    """The wishes of an address; what is left empty is as usual."""
    return DesignForm(**{name: given[name].strip()[: 4 * LONGEST] for name in NAMES if given.get(name, "").strip()})


def fields_of(wish: DesignForm) -> dict[str, str]:
    return {name: text for name, text in asdict(wish).items() if text}


def designed(question: Question, wish: DesignForm) -> DesignedTables:
    """Search for the tables; the best play of main wagers follows their pays, which takes up to a minute."""
    from pitboss.reports.designs import design_paper, pays_words

    found = search_of(question, wish)
    law = found.law.pays
    tables = tuple(
        (
            pays_words(each),
            each.hold,
            tuple(
                f"{found.table}.{row}={odds or 'none'}" for row, odds in each.pays.items() if odds != law[row]
            ),
        )
        for each in found.tables
    )  # fmt: skip
    return DesignedTables(design_paper(found).passages, tables)


def design_file(question: Question, wish: DesignForm, kind: str) -> bytes:
    """What ``pitboss design`` prints, as a file."""
    from pitboss.reports.designs import design_paper

    found = search_of(question, wish)
    return exported(kind, found, partial(design_paper, found))


def design_table(question: Question, wish: DesignForm, nth: str) -> bytes:
    """One of the tables, the first as 1, as ``pitboss edge --table`` reads it."""
    from pitboss.exact.design import table_file

    return table_file(search_of(question, wish), typed_count(nth, "tables")).encode()


def search_of(question: Question, wish: DesignForm) -> "DesignSearch":
    from pitboss.exact.design import design
    from pitboss.exact.wishes import read_wishes, taste_named

    if not wish.low or not wish.high:
        raise UnreadableError("Write the least and the largest hold in percent.")
    more: dict[str, Any] = {
        name: text or None
        for name, text in (("top", wish.top), ("hits", wish.hits), ("deviation", wish.deviation), ("seen", wish.seen))
    }
    wishes = read_wishes(
        wish.low,
        wish.high,
        unit=wish.unit,
        order=wish.order,
        rows=filter(None, map(str.strip, wish.row.split(","))),
        **more,
    )
    variant, rules = settled(question.lawful)
    tell("searching", 0.0)
    most = within(typed_count(wish.most, "tables"), "The number of tables", 1, MOST_LISTED)
    return design(
        GAMES[question.game], rules, variant, wishes, taste_named(wish.taste), most, question.stake,
        name_of(wish.table) if wish.table else None,
    )  # fmt: skip
