"""Frozen records handled fast: with some fields changed, as keys of a cache, and with what was worked out of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """A record as the key of a cache: found again by the very same record, and by no other that is equal to it.

    >>> rules = {"seats": 7}
    >>> Same(rules) == Same(rules), Same(rules) == Same({"seats": 7})
    (True, False)
    """

    __slots__ = ("record",)

    def __init__(self, record: T) -> None:
        self.record = record

    def __hash__(self) -> int:
        return id(self.record)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.record is other.record


def kept(record: object, name: str, work: Callable[[], T]) -> T:
    """What is worked out of a frozen record, once: it stays with the record, and a changed copy starts without it.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Point:
    ...     x: int
    >>> two = Point(2)
    >>> kept(two, "square", lambda: 4), kept(two, "square", lambda: 0), kept(replace(two, x=3), "square", lambda: 9)
    (4, 4, 9)
    """
    known: dict[str, Any] | None = record.__dict__.get("_kept")
    if known is None:
        object.__setattr__(record, "_kept", known := {})
    if name not in known:
        known[name] = work()
    found: T = known[name]
    return found


if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(record, /, **changes):
        """As ``dataclasses.replace``, but faster: a table is folded event by event, and has many fields.

        For records that check nothing when they are made.

        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: int
        ...     y: int
        >>> replace(Point(1, 2), y=3)
        Point(x=1, y=3)
        >>> replace(Point(1, 2), z=3)
        Traceback (most recent call last):
        TypeError: Point has no field 'z'
        """
        known = record.__dict__
        for name in changes:
            if name not in known:
                raise TypeError(f"{type(record).__name__} has no field {name!r}")
        made = object.__new__(type(record))
        made.__dict__.update(known, **changes)
        made.__dict__.pop("_kept", None)
        return made
