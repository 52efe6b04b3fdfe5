"""Functions of the public interface: what they lack and what they cannot take is said in a sentence."""

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from pitboss.extras import MissingExtra, sentence_of
from pitboss.findings import PitbossError, UnreadableError

P = ParamSpec("P")
R = TypeVar("R")
FAULTS = (TypeError, AttributeError, LookupError, ValueError, ArithmeticError, StopIteration)
"""What Python itself raises where an argument is of a kind that nobody thought of."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """An optional part that is not installed, and an argument that is not what its annotation says, become sentences.

    Arguments are looked at only when something went wrong; what goes wrong with good ones is a fault, and stays one.
    Those of a generator are looked at when it is made, because nothing can go wrong before it runs.
    """
    lazy = inspect.isgeneratorfunction(function)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for sentence in misfits(function, args, kwargs) if lazy else ():
            raise UnreadableError(sentence)
        try:
            return function(*args, **kwargs)
        except ModuleNotFoundError as missing:
            raise MissingExtra(sentence_of(missing)) from missing
        except FAULTS as fault:
            if not isinstance(fault, PitbossError):
                for sentence in misfits(function, args, kwargs):
                    raise UnreadableError(sentence) from fault
            raise

    return call


def misfits(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each argument of another kind than its annotation says.

    >>> def half(of: int) -> float: ...
    >>> list(misfits(half, ("x",), {}))
    ["half(of) should be int, not 'x'."]
    """
    signature, home = inspect.signature(function), getattr(function, "__globals__", {})
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as problem:
        yield f"{function.__name__}() does not take these arguments: {problem}."
        return
    for name, value in bound.arguments.items():
        parameter = signature.parameters[name]
        hint = parameter.annotation
        try:
            kind = eval(hint, home) if isinstance(hint, str) else hint
        except NameError:  # known to type checkers only
            continue
        many = value if parameter.kind == parameter.VAR_POSITIONAL else (value,)
        for given in value.values() if parameter.kind == parameter.VAR_KEYWORD else many:
            if hint is not parameter.empty and not fits(given, kind):
                yield f"{function.__name__}({name}) should be {_words(hint)}, not {_short(given)}."
            else:
                yield from ill_made(given)


def ill_made(record: object) -> Iterator[str]:
    """The same for each field of a record, and of the records in it."""
    if isinstance(record, Mapping | tuple | list):
        for each in record.values() if isinstance(record, Mapping) else record:
            yield from ill_made(each)
    if not is_dataclass(record) or isinstance(record, type):
        return
    for name, hint in _fields(type(record)).items():
        if not fits(value := getattr(record, name), hint):
            yield f"{type(record).__name__}.{name} should be {_words(hint)}, not {_short(value)}."
        else:
            yield from ill_made(value)


@cache
def _fields(kind: type[Any]) -> dict[str, Any]:
    """The annotations of a record; of one with names that only type checkers know, none."""
    try:
        hints = get_type_hints(kind)
    except NameError:
        return {}
    return {field.name: hints[field.name] for field in fields(kind)}


def _words(hint: Any) -> str:
    """An annotation without the modules of its types."""
    return re.sub(r"\b(?:[a-z_]+\.)+(?=\w)", "", inspect.formatannotation(hint))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def fits(value: object, hint: Any) -> bool:
    """Whether a value is what an annotation says, as far as can be checked without calling anything.

    >>> fits({"a": 1000}, Mapping[str, int]), fits({1: "x"}, Mapping[str, int]), fits(None, int | None)
    (True, False, True)
    """
    origin, inside = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if hint is None or hint is NoneType:
        return value is None
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in inside)
    if isinstance(hint, TypeVar):
        return hint.__bound__ is None or fits(value, hint.__bound__)
    if origin is Literal:
        return type(value) in map(type, inside) and value in inside
    if hasattr(hint, "__supertype__"):
        return fits(value, hint.__supertype__)
    kind = origin or hint
    if not isinstance(kind, type):
        return True
    if getattr(kind, "_is_protocol", False):
        return all(hasattr(value, name) for name in vars(kind) if not name.startswith("_"))
    if not isinstance(value, kind):
        return False
    if isinstance(value, Mapping) and len(inside) == 2:
        return all(fits(key, inside[0]) and fits(each, inside[1]) for key, each in value.items())
    if isinstance(value, str) and inside:
        return fits("", inside[0])
    if isinstance(value, Collection) and inside and kind is not type:
        return all(fits(each, inside[0]) for each in value)
    return True


__all__ = ["public"]
