"""How much of the law the software covers: every paragraph is tested, named, encoded, physical or missing.

A test that names a paragraph proves nothing as long as nobody has seen it fail. ``make breaks`` breaks each paragraph
and records what noticed it: ``tested`` are those of which every break was caught.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pitboss.law.breaks import broken
from pitboss.law.cite import Cite
from pitboss.law.index import Paragraph, children, paragraphs, places, proofs, unprinted
from pitboss.law.loader import CHAPTERS

Status = Literal["tested", "named", "encoded", "physical", "missing", "unprinted"]
STATUSES: tuple[Status, ...] = ("tested", "named", "encoded", "physical", "missing")
"""Those that are counted: a paragraph that is not printed has no part in the coverage."""


@dataclass(frozen=True)
class Covered:
    """One paragraph with its status, where it lives and which tests prove it."""

    paragraph: Paragraph
    status: Status
    places: tuple[str, ...]
    tests: tuple[str, ...]


@cache
def covered(cite: Cite) -> Covered:
    """A paragraph of the index, or one that is not printed but has entries of a law file."""
    where = (*places().get(cite, ()), *unprinted().get(cite, ()))
    if cite not in paragraphs():
        nothing = "The text of this paragraph is not at hand; what is carried for it rests on other sources."
        return Covered(Paragraph(cite, "unprinted", nothing, ()), "unprinted", where, ())
    paragraph = paragraphs()[cite]
    return Covered(paragraph, _status(paragraph), where, proofs().get(cite, ()))


def _status(paragraph: Paragraph) -> Status:
    """A heading is as far along as the least advanced paragraph it introduces; it has nothing of its own."""
    cite = paragraph.cite
    if cite in proofs() and (cite in places() or cite in broken()):
        return "tested" if cite in broken() and broken()[cite].all_caught else "named"
    if paragraph.kind == "physical":
        return "physical"
    if paragraph.kind == "rule":
        return "encoded" if cite in places() else "missing"
    below = [_status(paragraphs()[child]) for child in children(cite, paragraphs())]
    rules = [status for status in below if status != "physical"]
    return max(rules, key=STATUSES.index, default="physical" if below else "missing")


def coverage() -> Mapping[str, Mapping[str, int]]:
    """Counts by chapter, every paragraph under exactly one status; ``coverage()["641a"]["missing"]`` is 0."""
    counts: dict[str, dict[str, int]] = {name: {"paragraphs": 0, **dict.fromkeys(STATUSES, 0)} for name in CHAPTERS}
    for paragraph in paragraphs().values():
        row = counts[paragraph.cite.chapter]
        row["paragraphs"] += 1
        row[_status(paragraph)] += 1
    return counts


def not_counted() -> tuple[Cite, ...]:
    """Paragraphs that are not printed, though something is carried for them."""
    return tuple(cite for cite in unprinted() if cite not in paragraphs())


def with_status(status: Status) -> tuple[Paragraph, ...]:
    return tuple(paragraph for paragraph in paragraphs().values() if _status(paragraph) == status)
