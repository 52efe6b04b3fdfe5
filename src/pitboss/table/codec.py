"""Frozen dataclasses to plain JSON values and back, by their type hints. Nothing but what a table needs."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pitboss.findings import UnreadableError

T = TypeVar("T")
MOST = {int: 10**17, str: 200_000}
PLAIN = {int: "a whole number", str: "text", bool: "true or false"}


def encode(value: Any) -> Any:
    """JSON values only: keys become text, tuples become lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _fields(kind: type) -> dict[str, Field[Any]]:
    return {field.name: field for field in fields(kind)}


def decode(kind: type[T], value: Any, where: str = "") -> T:
    """The value as the type says; what does not fit is refused in a sentence that names its place."""
    decoded: T = _decode(kind, value, where)
    return decoded


def _decode(kind: Any, value: Any, where: str) -> Any:
    if kind in PLAIN:
        return _plain(kind, value, where)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = [option for option in get_args(kind) if option is not type(None)]
        fitting = (option for option in inner if len(inner) > 1 and type(value) is option)
        return None if value is None else _decode(next(fitting, inner[0]), value, where)
    if origin is tuple:
        _expect(isinstance(value, list | tuple), where, "a list", value)
        return tuple(_decode(get_args(kind)[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if origin is dict:
        _expect(isinstance(value, Mapping), where, "an object", value)
        key_kind, item_kind = get_args(kind)
        return {_key(key_kind, key, where): _decode(item_kind, item, f"{where}.{key}") for key, item in value.items()}
    if is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, value, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        names = [member.value for member in kind]
        _expect(value in names, where, " or ".join(map(str, names)), value)
        return kind(value)
    return _plain(kind, value, where)


def _record(kind: type, value: Any, where: str) -> Any:
    _expect(isinstance(value, Mapping), where, "an object", value)
    value = kind.upgraded(value) if hasattr(kind, "upgraded") else value
    hints = _hints(kind)
    known = _fields(kind)
    for name in value:
        if name not in known:
            names = ", ".join(known) or "none"
            raise UnreadableError(f"{name!r} is not a field here; the fields are: {names}.")
    given = {}
    for name, field in known.items():
        if name in value:
            given[name] = _decode(hints[name], value[name], f"{where}.{name}" if where else name)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise UnreadableError(f"{f'{where}.{name}' if where else name} is missing.")
    return kind(**given)


def _plain(kind: Any, value: Any, where: str) -> Any:
    """``NewType`` counts as what it is made of; a boolean is not a number."""
    kind = getattr(kind, "__supertype__", kind)
    if type(value) is kind and (kind is bool or (abs(value) if kind is int else len(value)) <= MOST[kind]):
        return value
    fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    _expect(fits, where, PLAIN[kind], value)
    _expect(kind is not int or abs(value) <= MOST[int], where, "a number of at most 17 digits", value)
    _expect(kind is not str or len(value) <= MOST[str], where, "a shorter text", "a very long one")
    return value


def _key(kind: Any, key: Any, where: str) -> Any:
    if kind is not int:
        return key
    text = str(key)
    _expect(text.isascii() and text.isdigit() and len(text) <= 9, where, "numbers as keys", key)
    return int(text)


def _expect(fits: bool, where: str, what: str, found: Any) -> None:
    if not fits:
        shown = repr(found)
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        raise UnreadableError(f"{where or 'This'} should be {what}, not {shown}.")
