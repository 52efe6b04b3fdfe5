"""Functions of the public interface: what they lack and what they cannot take is said in a sentence."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import wraps
from types import NoneType, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from pitboss.extras import MissingExtra, sentence_of
from pitboss.findings import PitbossError, UnreadableError

P = ParamSpec("P")
R = TypeVar("R")
FAULTS = (TypeError, AttributeError, LookupError, ValueError, ArithmeticError, StopIteration)
"""What Python itself raises where an argument is of a kind that nobody thought of."""


def public(function: Callable[P, R]) -> Callable[P, R]:
    """An optional part that is not installed, and an argument that is not what its annotation says, become sentences.

    Arguments are looked at only when something went wrong; what goes wrong with good ones is a fault, and stays one.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
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
                shown = inspect.formatannotation(hint).replace("collections.abc.", "").replace("typing.", "")
                yield f"{function.__name__}({name}) should be {shown}, not {_short(given)}."


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def fits(value: object, hint: Any) -> bool:
    """Whether a value is what an annotation says, as far as it can be told without calling anything.

    >>> fits({"a": 1000}, Mapping[str, int]), fits({1: "x"}, Mapping[str, int]), fits(None, int | None)
    (True, False, True)
    """
    origin, inside = get_origin(hint), get_args(hint)
    if hint is None or hint is NoneType:
        return value is None
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in inside)
    if origin is Literal:
        return value in inside
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
    if isinstance(value, Collection) and not isinstance(value, str) and inside and kind is not type:
        return all(fits(each, inside[0]) for each in value)
    return True


__all__ = ["public"]
