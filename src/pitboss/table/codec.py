"""Frozen dataclasses to plain JSON values and back, by their type hints: the stored form of a table's state."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final, TypeVar

from pitboss.reader import ValueLimits, required

T = TypeVar("T")
STORED: Final = ValueLimits(items=1_000_000)


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


def decode(kind: type[T], value: Any) -> T:
    """Return the record of a stored value. Raise ``FieldsError`` with everything that does not fit."""
    return required(kind, value, mapping="an object", limits=STORED)
