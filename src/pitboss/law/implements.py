"""Ties a function to the paragraphs it carries out, so that the software can tell where a paragraph lives."""

from collections.abc import Callable
from typing import Any, TypeVar

from pitboss.law.cite import Cite

F = TypeVar("F", bound=Callable[..., Any])

REGISTRY: dict[Cite, list[str]] = {}


def implements(*cites: str) -> Callable[[F], F]:
    """Mark a function as the place where these paragraphs are carried out.

    >>> @implements("641a.6(a)")
    ... def example() -> None: ...
    """
    parsed = tuple(Cite.parse(text) for text in cites)

    def mark(function: F) -> F:
        place = f"{function.__module__}.{function.__qualname__}"
        for cite in parsed:
            places = REGISTRY.setdefault(cite, [])
            if place not in places and not function.__module__.startswith("__"):
                places.append(place)
        return function

    return mark
