"""What a record's annotations say: how values are written, which keys there are, and the words for both."""

import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from pitboss.cards import Hand, parse_cards
from pitboss.findings import PitbossError
from pitboss.money import Cents, MoneyError, cents
from pitboss.names import listed

T = TypeVar("T")


class Parsed(msgspec.Struct, frozen=True):
    """How a value that TOML and JSON don't have is written: ``Annotated[Cents, Parsed("dollars", int, cents)]``."""

    words: str
    """What is accepted, to follow "should be"."""
    kinds: type | tuple[type, ...]
    """Of the plain value."""
    parse: Callable[[Any], Any]
    """Raise a ``PitbossError`` with a sentence, or ``TypeError`` where ``words`` say all."""
    cite: str = ""
    """The paragraph that bounds the value."""

    def read(self, value: Any) -> Any:
        if not isinstance(value, self.kinds) or (isinstance(value, bool) and self.kinds is not bool):
            raise TypeError
        if isinstance(value, datetime) and self.kinds is not datetime:
            raise TypeError
        return self.parse(value)


class Together(ABC):
    """A record whose keys have to fit together."""

    @abstractmethod
    def misfits(self) -> Iterator[str]:
        """Sentences, without the place of the record, about keys that don't."""

    def check(self) -> None:
        if sentences := list(self.misfits()):
            raise TogetherError(sentences)


class Keys(msgspec.Struct, kw_only=True):
    """A record made by ``struct``. One whose keys have to fit together calls ``fit`` in ``__post_init__``."""

    def fit(self, *sentences: str) -> None:
        """Refuse the record if there are sentences, without its place, about keys that don't fit together."""
        if sentences:
            raise TogetherError(sentences)


RESERVED: Final = {"from": "start"}
"""Keys that can't be the names of fields."""


@dataclass(frozen=True, kw_only=True)
class Extensible:
    """A record with keys that only the document's game knows: subclasses made by ``extended`` have them."""

    EXTRA: ClassVar[Mapping[str, Any]] = {}
    more: Mapping[str, Any] = field(default_factory=dict, init=False)
    """Those that were given, by name."""


X = TypeVar("X", bound=Extensible)


def extended(kind: type[X], keys: Mapping[str, Any], **constants: Any) -> type[X]:
    """Return the record's class with these keys too, by name and annotation; none has to be given."""
    return type(kind.__name__, (kind,), {"EXTRA": dict(keys), **constants})


def names_of(kind: type) -> Iterable[str]:
    """The keys that a record has in a document."""
    return keys_in(kind)


class TogetherError(PitbossError):
    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        super().__init__(" ".join(sentences))


class Entries(msgspec.Struct, frozen=True):
    """How messages call the entries of a list: by ``label(name of the list, number from 1, entry)``."""

    label: Callable[[str, int, Any], str]


def _same(value: T) -> T:
    return value


def _balance(dollars: int | Decimal) -> Cents:
    if (amount := cents(dollars)) < 0:
        raise MoneyError(f"{dollars} is below zero")
    return amount


Dollars = Annotated[Cents, Parsed("an amount of dollars", (int, Decimal), cents)]
Balance = Annotated[Cents, Parsed("an amount of dollars", (int, Decimal), _balance)]
CardsText = Annotated[Hand, Parsed("cards such as 'As Kd'", str, parse_cards)]
Day = Annotated[date, Parsed("a date such as 2024-06-01", date, _same)]


STRUCTS: Final[dict[type, Mapping[str, "KeyOf"]]] = {}
"""Records made by ``struct``, with their keys."""


class Parts(msgspec.Struct, frozen=True):
    """An annotation taken apart."""

    bare: Any
    parsed: Parsed | None = None
    meta: Meta | None = None
    entries: Entries | None = None
    options: tuple[Any, ...] = ()
    """Of a union: everything but None."""
    nullable: bool = False

    @property
    def is_list(self) -> bool:
        return get_origin(self.bare) is tuple

    @property
    def is_mapping(self) -> bool:
        origin = get_origin(self.bare)
        return isinstance(origin, type) and issubclass(origin, Mapping)

    @property
    def is_record(self) -> bool:
        return isinstance(self.bare, type) and (is_dataclass(self.bare) or self.bare in STRUCTS)


@lru_cache(maxsize=4096)
def parts_of(hint: Any) -> Parts:
    hint = getattr(hint, "__supertype__", hint)
    found: dict[str, Any] = {}
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        for name, kind in (("parsed", Parsed), ("meta", Meta), ("entries", Entries)):
            found[name] = next((each for each in more if isinstance(each, kind)), None)
        hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) in (Union, types.UnionType):
        inside = get_args(hint)
        options = tuple(option for option in inside if option is not types.NoneType)
        return Parts(hint, **found, options=options, nullable=len(options) < len(inside))
    return Parts(hint, **found)


class KeyOf(msgspec.Struct, frozen=True):
    field: str
    hint: Any
    required: bool = False
    extra: bool = False


@lru_cache(maxsize=1024)
def keys_in(kind: type) -> Mapping[str, KeyOf]:
    """The keys of a record by the names that people write; a field may have another: ``metadata={"key": "from"}``."""
    if kind in STRUCTS:
        return STRUCTS[kind]
    hints = get_type_hints(kind, include_extras=True)
    keys = {each.metadata.get("key", each.name): _key(each, hints[each.name]) for each in fields(kind) if each.init}
    extra: Mapping[str, Any] = getattr(kind, "EXTRA", {})
    return keys | {name: KeyOf(f"extra_{at}", hint | None, extra=True) for at, (name, hint) in enumerate(extra.items())}


def _key(of: Field[Any], hint: Any) -> KeyOf:
    return KeyOf(of.name, hint, of.default is MISSING and of.default_factory is MISSING)


_WORDS: Final = {int: "a whole number", str: "text", bool: "true or false", float: "a number", Decimal: "a number"}


def words_of(hint: Any, mapping: str) -> str:
    """What is accepted, to follow "should be"."""
    parts = parts_of(hint)
    if parts.parsed is not None:
        return parts.parsed.words
    if parts.meta is not None and parts.meta.description:
        return parts.meta.description
    if parts.options:
        return listed(words_of(option, mapping) for option in parts.options)
    if names := choices_of(parts.bare):
        return listed(names)
    if parts.is_list:
        return "a list"
    if parts.is_mapping or parts.is_record:
        return mapping
    return _WORDS.get(parts.bare, "something else")


def choices_of(bare: Any) -> list[str]:
    """All that a value may be, where there are only a few."""
    if get_origin(bare) is Literal:
        return [str(each) for each in get_args(bare)]
    return [str(each.value) for each in bare] if isinstance(bare, type) and issubclass(bare, Enum) else []


def plain_kinds(hint: Any) -> tuple[type, ...]:
    """The types of plain values that tell one of a union from the others."""
    parts = parts_of(hint)
    if parts.parsed is not None:
        return parts.parsed.kinds if isinstance(parts.parsed.kinds, tuple) else (parts.parsed.kinds,)
    if parts.is_mapping or parts.is_record:
        return (Mapping,)
    if parts.is_list:
        return (list, tuple)
    if get_origin(parts.bare) is Literal:
        return tuple(type(each) for each in get_args(parts.bare))
    if isinstance(parts.bare, type) and issubclass(parts.bare, Enum):
        return tuple(type(each.value) for each in parts.bare)
    return (parts.bare,) if isinstance(parts.bare, type) else (object,)


def option_of(options: tuple[Any, ...], value: Any) -> Any:
    """The one of a union that a value is meant as. Raise ``TypeError`` if it fits no option."""
    for option in options:
        kinds = plain_kinds(option)
        if isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds):
            return option
    raise TypeError
