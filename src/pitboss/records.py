"""Frozen dataclasses that can be copied, hashed and memoized quickly."""

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, overload

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class Fixed(dict[K, V]):
    """A mapping that stays as it is: as quick as a dictionary, a key of others, and it can be pickled.

    >>> rows = Fixed({"flush": 4})
    >>> rows["flush"], hash(rows) == hash(Fixed(rows)), rows | {"pair": 1}
    (4, True, {'flush': 4, 'pair': 1})
    >>> rows["flush"] = 5
    Traceback (most recent call last):
    TypeError: this mapping is fixed: make another one
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this mapping is fixed: make another one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def __copy__(self) -> "Fixed[K, V]":
        return self


class Frozen:
    """For frozen records: their mappings become fixed, so that they can be hashed, and what was worked out of them
    stays behind when they are pickled."""

    def __post_init__(self) -> None:
        for name, value in self.__dict__.items():
            if type(value) is dict:
                object.__setattr__(self, name, Fixed(value))

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: self.__dict__[field.name] for field in fields(self)}  # type: ignore[arg-type]


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


class once(Generic[T]):  # noqa: N801 - used like a decorator
    """A property that is worked out once. Threads may ask other instances for it meanwhile.

    ``functools.cached_property`` of Python 3.11 has one lock for all instances: work that is shared out to threads
    waits for ever if it asks another instance for the property that is being worked out.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work, self.__doc__ = work, work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        made = vars(instance)[self.name] = self.work(instance)
        return made
