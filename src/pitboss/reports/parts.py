"""Drawings in parts, each with an id of its own."""

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.reports.svg import Markup, element


@dataclass(frozen=True)
class Group:
    """An element whose parts have ids of their own, by which they are known here."""

    name: str
    attributes: Mapping[str, object]
    parts: Mapping[str, "Markup | Group"]

    def __str__(self) -> str:
        return self.markup()

    def markup(self) -> Markup:
        shown = (part if isinstance(part, Markup) else part.markup() for part in self.parts.values())
        return element(self.name, *shown, **self.attributes)
