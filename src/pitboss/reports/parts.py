"""Drawings in parts: a page that shows one can be told what has changed, and leaves the rest as it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.reports.svg import Markup, attribute, element, plain


@dataclass(frozen=True)
class Changes:
    """From one drawing to another: elements with new contents, and elements of which only attributes are new."""

    parts: dict[str, str] = field(default_factory=dict)
    marks: dict[str, dict[str, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.parts or self.marks)


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

    def changed(self, before: "Group") -> Changes | None:
        """What is not as it was; nothing, if the whole has to be drawn anew.

        >>> old = Group("svg", {}, {"a": Markup('<g id="a"/>'), "b": Group("g", {"class_": "free"}, {})})
        >>> new = Group("svg", {}, {"a": Markup('<g id="a">1</g>'), "b": Group("g", {"class_": "own"}, {})})
        >>> new.changed(old)
        Changes(parts={'a': '<g id="a">1</g>'}, marks={'b': {'class': 'own'}})
        """
        if self.attributes != before.attributes or self.parts.keys() != before.parts.keys():
            return None
        found = Changes()
        self._compare(before, found)
        return found

    def _compare(self, before: "Group", found: Changes) -> None:
        for name, part in self.parts.items():
            was = before.parts[name]
            if part is was:
                continue
            if isinstance(part, Markup) or isinstance(was, Markup):
                if part != was:
                    found.parts[name] = str(part)
            elif part.parts.keys() != was.parts.keys() or part.attributes.keys() != was.attributes.keys():
                found.parts[name] = str(part)
            else:
                marks = {
                    attribute(key): plain(value)
                    for key, value in part.attributes.items()
                    if was.attributes[key] != value
                }
                if marks:
                    found.marks[name] = marks
                part._compare(was, found)
