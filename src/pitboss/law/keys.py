"""The keys of a law file as records: those of the model's classes, with cites, odds and dollars as they are written."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import lru_cache, partial
from typing import Annotated, Any, Literal, cast, get_args, get_origin, get_type_hints

from msgspec import Meta

from pitboss.law.cite import Cite
from pitboss.law.model import (
    DIE,
    GROUNDS,
    PRINTED,
    SINGLE,
    ChoiceSpec,
    Dated,
    DealOrder,
    DealStep,
    Earlier,
    EnvyTable,
    Figure,
    LayoutItem,
    MeterSpec,
    Note,
    PayTable,
    Procedure,
    Source,
    Sourced,
    Wager,
)
from pitboss.law.odds import Odds, Tier, parse_odds, parse_percent
from pitboss.money import Cents, cents
from pitboss.reader import Day, Entries, Keys, Parsed, struct


def _either(text: str) -> tuple[str, ...]:
    return tuple(text.split(" or "))


CiteText = Annotated[Cite, Parsed("a citation such as '641a.11(c)(3)(ii)'", str, lru_cache(maxsize=4096)(Cite.parse))]
OddsText = Annotated[Odds, Parsed("odds such as '3 to 1'", str, parse_odds)]
DollarsText = Annotated[Cents, Parsed("dollars such as '$1,000'", str, cents)]
Percent = Annotated[Fraction, Parsed("a percentage such as '21%'", str, parse_percent)]
Devices = Annotated[tuple[str, ...], Parsed("devices such as 'hand or manual-shoe'", str, _either)]
FaceText = Annotated[int, Meta()] | Literal["00"]
Row = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$", description="a name in lower case with underscores")]


class EntryKeys(Keys):
    """An entry of a law file. What it rests on is in two keys."""

    def __post_init__(self) -> None:
        entry: Any = self
        if getattr(entry, "source", "") in ("sibling", "public") and not entry.source_note:
            self.fit(f"source_note is missing: which {entry.source} text?")

    @property
    def rests_on(self) -> Source:
        entry: Any = self
        unprinted = entry.source != "printed" or entry.source_note
        return Source(entry.source, entry.source_note) if unprinted else PRINTED


class DealStepKeys(EntryKeys):
    def __post_init__(self) -> None:
        super().__post_init__()
        step: Any = self
        if not step.dice and not step.cards:
            self.fit("cards is missing: it should be a whole number.")


SOURCE = {"source": (Literal[GROUNDS], "printed"), "source_note": (str, "")}
DATES = {"from": (Day | None, None), "until": (Day | None, None)}
APART = frozenset({"cite", "period", "source", "row_sources"})
"""Fields of the model that are made of several keys."""


def _keys(kind: type, base: type[Keys] = EntryKeys, **own: tuple[Any, ...]) -> Any:
    """The keys of one kind of entry: the fields of its class, and ``own`` where they are written in another way."""
    keys: dict[str, tuple[Any, ...]] = {"cite": (CiteText,), **DATES} if issubclass(kind, Dated) else {}
    keys |= SOURCE if issubclass(kind, Sourced) else {}
    hints = get_type_hints(kind)
    for each in fields(cast("Any", kind)):
        if each.name in own or each.name in APART:
            continue
        hint: Any = hints[each.name]
        if hint == Cite | None:
            hint = CiteText | None
        if each.default is not MISSING:
            keys[each.name] = (hint, each.default)
        elif get_origin(hint) is Literal:  # the first of a few is what an entry is that says nothing
            keys[each.name] = (hint, get_args(hint)[0])
        else:
            keys[each.name] = (hint,)
    return struct(kind.__name__, keys | own, base)


def label(name: str, number: int, entry: object) -> str:
    """What messages call an entry: ``figure[2] seats``."""
    of = entry.get if isinstance(entry, Mapping) else partial(getattr, entry)
    names = (of(key, "") for key in ("name", "wager", "letter", "device", "act", "item"))
    return " ".join([f"{name}[{number}]", *(str(each) for each in names if each)])


def _map(key: Any, value: Any) -> tuple[Any, Any]:
    mapping: Any = Mapping
    return mapping[key, value], {}


def _many(keys: Any) -> Any:
    return Annotated[tuple[keys, ...], Entries(label)]


LETTER = (str, SINGLE)
ROWS = Annotated[Mapping[Row, OddsText], Meta(min_length=1, description="a table with a row or more")]
FACES = tuple[FaceText, ...]
STEP = _keys(DealStep, DealStepKeys, cards=(int, 0), faces=(FACES, DIE), void=(FACES, ()))
SECTION = {"number": (int,), "title": (str,), "from": (Day,), "amended": (tuple[Day, ...], ()), **SOURCE}
ROW_SOURCE = struct("RowSource", SOURCE, EntryKeys)
KEYS: Mapping[str, Any] = {
    "section": struct(
        "Section",
        {"number": (int,), "title": (str,), "from": (Day,), "amended": (tuple[Day, ...], ()), **SOURCE},
        EntryKeys,
    ),
    "figure": _keys(Figure),
    "wager": _keys(Wager, picks=(Literal["seats"] | tuple[FACES, ...], ()), only=_map(Row, Devices)),
    "row": struct("Row", {"name": (str,), "printed": (str,), "of": (str, ""), "cite": (CiteText | None, None)}),
    "paytable": _keys(PayTable, letter=LETTER, rows=(ROWS,), row_source=_map(str, ROW_SOURCE)),
    "meter": _keys(
        MeterSpec,
        letter=LETTER,
        seed=_map(Tier, DollarsText)[:1],
        reseed=_map(Tier, DollarsText),
        rate=_map(Tier, Percent),
        reserve=(Percent, Fraction(0)),
    ),
    "envy": _keys(EnvyTable, letter=LETTER, rows=_map(Row, DollarsText)[:1]),
    "deal": _keys(DealOrder, steps=(_many(STEP),)),
    "procedure": _keys(Procedure),
    "layout": _keys(LayoutItem),
    "choice": _keys(ChoiceSpec, title=(str, ""), rows=_map(Row, str), into=(tuple[CiteText, ...], ())),
    "note": _keys(Note, also=(tuple[CiteText, ...], ())),
    "earlier": _keys(Earlier, cite=(CiteText,), until=(Day,), rows=_map(Row, DollarsText)),
}
ChapterKeys = struct(
    "Chapter",
    {
        **dict.fromkeys(("chapter", "game", "title", "source"), (str,)),
        "heading": (str, ""),
        "adopted": (Day | None, None),
        "printed": (Literal["wholly", "partly"], "wholly"),
        **{name: (_many(keys), ()) for name, keys in KEYS.items()},
    },
)
