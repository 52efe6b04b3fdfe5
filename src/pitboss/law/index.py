"""The paragraphs of the law: the project's own list, with what is done for each, where, and which tests prove it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from pitboss.data import data_rows
from pitboss.findings import PitbossError
from pitboss.law.cite import Cite
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.law.model import PRINTED, source_of
from pitboss.names import shown

Kind = Literal["rule", "physical", "heading", "unprinted"]
KINDS: tuple[Kind, ...] = ("rule", "physical", "heading")


class ParagraphError(PitbossError, ValueError):
    """A defect of the paragraph index."""


@dataclass(frozen=True)
class Paragraph:
    """One paragraph: ``does`` is what the software does for it, or why there is nothing to do."""

    cite: Cite
    kind: Kind
    does: str
    functions: tuple[str, ...]
    """What carries it out in the code: ``games.deal.deal_cards``, from the package on."""


@cache
def paragraphs() -> Mapping[Cite, Paragraph]:
    """Every paragraph of every chapter, in the order of the text."""
    found: dict[Cite, Paragraph] = {}
    for name in CHAPTERS:
        text = files("pitboss.law").joinpath("paragraphs", f"{name}.tsv").read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            cite_text, kind_text, does, functions = line.split("\t")
            kind = next((kind for kind in KINDS if kind == kind_text), None)
            cite = Cite.parse(cite_text)
            if kind is None or cite in found or not does:
                raise ParagraphError(f"{name}.tsv:{number}: unknown kind, repeated paragraph or empty sentence")
            found[cite] = Paragraph(cite, kind, does, tuple(functions.split()))
    return found


@cache
def places() -> Mapping[Cite, tuple[str, ...]]:
    """Where each paragraph lives: printed entries of the law files and functions that carry it out."""
    where = _entries(printed=True)
    for cite, paragraph in paragraphs().items():
        where.setdefault(cite, []).extend(f"pitboss.{function}" for function in paragraph.functions)
    return {cite: tuple(dict.fromkeys(found)) for cite, found in where.items() if found}


@cache
def unprinted() -> Mapping[Cite, tuple[str, ...]]:
    """What is carried for each paragraph without its being printed; no part of the coverage."""
    return {cite: tuple(found) for cite, found in sorted(_entries(printed=False).items())}


def _entries(printed: bool) -> dict[Cite, list[str]]:
    found: dict[Cite, list[str]] = {}
    for name in CHAPTERS:
        loaded = chapter(name)
        for entry in loaded.entries():
            own = getattr(entry, "source", PRINTED)
            if entry not in loaded.sections and entry not in loaded.notes and bool(own) != printed:
                source = f" ({source_of(entry)})" if source_of(entry) else ""
                found.setdefault(entry.cite, []).append(f"{name}.toml: {entry.key}{source}")
        if printed:
            for row, cite in loaded.row_cites.items():
                found.setdefault(cite, []).append(f"{name}.toml: row {shown(row)}")
    return found


@cache
def proofs() -> Mapping[Cite, tuple[str, ...]]:
    """Which tests prove each paragraph, as recorded from the marks of the test suite."""
    proved: dict[Cite, list[str]] = {}
    for cite, test in data_rows("law", "proofs.tsv"):
        proved.setdefault(Cite.parse(cite), []).append(test)
    return {cite: tuple(tests) for cite, tests in proved.items()}


def children(cite: Cite, among: Iterable[Cite]) -> tuple[Cite, ...]:
    return tuple(other for other in among if other.parent == cite)
