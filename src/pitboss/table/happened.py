"""What an event says, as a record of its own kind: how it is stored, what it does to the table, who may read it.

Every kind of event is one class, registered under the name that the ledger stores. The class says everything about the
kind: its fields, what it does to the table (``fold``), what a player may see of it (``part``, ``covered``), its
sentence, and whether it is significant. A kind that says nothing of players is closed to them.

The stored form follows from the fields: one without a default is always written, one with a default only where it
differs. So a field that is added later, with a default, changes no stored event.
"""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar

import msgspec
from msgspec import Struct, UnsetType
from msgspec.structs import replace as but

from pitboss.table.canonical import canonical
from pitboss.table.state import Phase

if TYPE_CHECKING:
    from pitboss.table.state import Table

HIDDEN: Final = "??"
"""A card that the reader may not see."""


class Eyes(Struct, frozen=True):
    """A player who reads a record: who it is, and which seats are theirs. Nobody in particular has neither."""

    id: str = ""
    seats: frozenset[int] = frozenset()

    def own(self, place: str) -> bool:
        """Whether a place on the layout, such as ``seat 3``, is the reader's."""
        number = place.removeprefix("seat ")
        return number.isdigit() and int(number) in self.seats


NOBODY: Final = Eyes()


class Happened(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One kind of thing that happens. Subclasses are registered with ``happens``."""

    KIND: ClassVar[str] = ""
    PUBLIC: ClassVar[bool] = False
    """Whether it tells of the procedure, the cards or a sign, and of no player: everybody may read all of it."""
    SIGNIFICANT: ClassVar[str] = ""
    """What it means, if somebody has to be able to explain it."""

    UNUSUAL: ClassVar[bool] = False
    """Whether it belongs among the irregularities of its round."""

    phase: Phase | None = None
    """The phase that the table is in after it, where that is another one."""

    @property
    def kind(self) -> str:
        return self.KIND

    def fold(self, table: "Table") -> "Table":
        """Return the table after it, without its phase. Know no rule: old records must fold to what they were."""
        return table

    def is_keying(self, table: "Table") -> bool:  # noqa: ARG002
        """Whether it belongs to the act by which cards were keyed in; ``table`` is the one after it."""
        return False

    def is_of(self, eyes: Eyes) -> bool:
        """Whether a player may read all of it, money included, because it is the player's own."""
        if self.PUBLIC:
            return False
        player: str | None = getattr(self, "player", None)
        # Only where no name says whose it is, the seat does: a seat may change hands before the bets are closed.
        return player == eyes.id if player is not None else getattr(self, "seat", None) in eyes.seats

    def part(self, eyes: Eyes) -> Self | None:  # noqa: ARG002
        """Return what a player may read of an event of somebody else; None for nothing."""
        return self if self.PUBLIC else None

    def covered(self, eyes: Eyes) -> Self:  # noqa: ARG002
        """Return it without the cards that lie face down for the reader while the round lasts."""
        return self

    def says(self) -> str:
        """Return one sentence for the record."""
        return f"{self.kind}."


class Plain(Happened, frozen=True, kw_only=True):
    """A kind that this version does not know, or a known one in a form that it does not know.

    It is kept as it was recorded. It does nothing to the table, unless the kind is known: then it cannot be folded.
    """

    name: str
    values: dict[str, Any]

    @property
    def kind(self) -> str:
        return self.name

    def fold(self, table: "Table") -> "Table":
        if self.name in KINDS:
            raise ValueError(f"{self.name} is in a form that this version does not know")
        return table

    def is_of(self, eyes: Eyes) -> bool:
        player = self.values.get("player")
        return player == eyes.id if player is not None else self.values.get("seat") in eyes.seats

    def says(self) -> str:
        return f"{self.name}, in a form that this version does not know." if self.name in KINDS else f"{self.name}."


KINDS: dict[str, type[Happened]] = {}
"""Every kind of event of the rooms that were imported, by its name."""
_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {}
H = TypeVar("H", bound=type[Happened])
V = TypeVar("V")


def happens(kind: str, *, public: bool = False, significant: str = "", unusual: bool = False) -> Callable[[H], H]:
    """Register a class as a kind of event, under the name that the ledger stores."""

    def register(made: H) -> H:
        made.KIND, made.PUBLIC, made.SIGNIFICANT, made.UNUSUAL = kind, public, significant, unusual
        KINDS[kind] = made
        _DECODERS[kind] = msgspec.json.Decoder(made)
        return made

    return register


def if_set(value: V | UnsetType) -> V | None:
    """Return an optional field; None where the record does not have it."""
    return None if isinstance(value, UnsetType) else value


def names(*kinds: type[Happened]) -> tuple[str, ...]:
    """Return the stored names of some kinds.

    >>> names(Happened)
    ('',)
    """
    return tuple(kind.KIND for kind in kinds)


def read_fact(kind: str, text: str) -> Happened:
    """Read the stored text of an event; whatever does not fit its kind becomes ``Plain``."""
    decoder = _DECODERS.get(kind)
    if decoder is not None:
        try:
            found: Happened = decoder.decode(text)
        except (msgspec.DecodeError, UnicodeEncodeError):
            pass
        else:
            return found
    return fact_of(kind, json.loads(text))


def fact_of(kind: str, values: Mapping[str, Any]) -> Happened:
    """Return a record of a kind from plain values, as JSON has them."""
    made = KINDS.get(kind)
    if made is not None:
        try:
            return msgspec.convert(values, made)
        except msgspec.ValidationError:
            pass
    phase = next((each for each in Phase if each == values.get("phase")), None)
    return Plain(name=kind, values=dict(values), phase=phase)


_ENCODER = msgspec.json.Encoder(order="sorted")


def stored(fact: Happened) -> dict[str, Any]:
    """Return the values of a record as JSON has them."""
    if isinstance(fact, Plain):
        return fact.values
    values: dict[str, Any]
    try:
        values = msgspec.json.decode(_ENCODER.encode(fact))
    except UnicodeEncodeError:
        values = json.loads(stored_text(fact))
    return values


def stored_text(fact: Happened) -> str:
    """Return a record as the ledger stores it: canonical JSON."""
    if isinstance(fact, Plain):
        return canonical(fact.values)
    try:
        text = _ENCODER.encode(fact)
    except UnicodeEncodeError:  # half a surrogate pair, which only JSON's own escapes can carry
        return canonical(msgspec.to_builtins(fact))
    return text.decode() if text.isascii() and b"\x7f" not in text else canonical(json.loads(text))


__all__ = [
    "HIDDEN", "KINDS", "NOBODY", "Eyes", "Happened", "Plain", "but", "fact_of", "happens", "if_set", "names",
    "read_fact", "stored", "stored_text",
]  # fmt: skip
