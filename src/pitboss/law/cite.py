"""Citations: the type that ties every figure and every rule to its paragraph."""

import re
from dataclasses import dataclass
from functools import total_ordering

from pitboss.findings import UnreadableError
from pitboss.public import public

_SHAPE = re.compile(r"(?P<chapter>\d{3}[ab])\.(?P<section>\d{1,2})(?P<steps>(?:\([A-Za-z0-9]+\))*)")
_STEP = re.compile(r"\(([A-Za-z0-9]+)\)")


class CiteError(UnreadableError):
    """A text that is not a citation."""


@total_ordering
@dataclass(frozen=True)
class Cite:
    """One paragraph of 58 Pa. Code, such as ``641a.11(c)(3)(ii)``.

    >>> cite = Cite.parse("641a.11(c)(3)(ii)")
    >>> cite.chapter, cite.section, cite.steps
    ('641a', 11, ('c', '3', 'ii'))
    >>> str(cite.parent), Cite.parse("641a.11") in cite.ancestors()
    ('641a.11(c)(3)', True)
    """

    chapter: str
    section: int
    steps: tuple[str, ...] = ()

    @classmethod
    @public
    def parse(cls, text: str) -> "Cite":
        """A cite as people write it, with or without the sign of a section."""
        match = _SHAPE.fullmatch(text.strip().removeprefix("§").strip())
        if match is None:
            raise CiteError(f"{text!r} is not a citation: write it like 641a.11(c)(3)(ii)")
        return cls(match["chapter"], int(match["section"]), tuple(_STEP.findall(match["steps"])))

    def __str__(self) -> str:
        return f"{self.chapter}.{self.section}" + "".join(f"({step})" for step in self.steps)

    def __lt__(self, other: "Cite") -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[str, int, tuple[tuple[int, str], ...]]:
        return self.chapter, self.section, tuple((int(s) if s.isdigit() else 0, s) for s in self.steps)

    @property
    def parent(self) -> "Cite | None":
        return Cite(self.chapter, self.section, self.steps[:-1]) if self.steps else None

    @property
    def section_cite(self) -> "Cite":
        return Cite(self.chapter, self.section)

    def ancestors(self) -> tuple["Cite", ...]:
        """The paragraph itself and all that contain it, innermost first."""
        return tuple(Cite(self.chapter, self.section, self.steps[:n]) for n in range(len(self.steps), -1, -1))
