"""The record of what noticed each break of a paragraph, and what can be broken: written by ``make breaks``."""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pitboss.data import data_rows
from pitboss.law.cite import Cite
from pitboss.law.loader import CHAPTERS

NOT_BROKEN = ("note", "section", "earlier")
"""What a law file has besides entries that do something."""


def printed_entries() -> Iterator[tuple[str, str, int, dict[str, Any]]]:
    """Chapter, kind, number and keys of every entry that its own paragraph prints, as the law file has them."""
    for name in CHAPTERS:
        chapter = tomllib.loads(files("pitboss.law").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
        for kind, entries in chapter.items():
            if isinstance(entries, list) and kind not in NOT_BROKEN:
                for number, entry in enumerate(entries):
                    if entry.get("source", "printed") == "printed" and "cite" in entry:
                        yield name, kind, number, entry


def named_functions() -> Iterator[tuple[str, str]]:
    """Every paragraph with each function that is named beside it."""
    for name in CHAPTERS:
        text = files("pitboss.law").joinpath("paragraphs", f"{name}.tsv").read_text(encoding="utf-8")
        for line in text.splitlines():
            cite, _, _, functions = line.split("\t")
            yield from ((cite, function) for function in functions.split())


@cache
def fingerprints() -> Mapping[str, str]:
    """A short name for what can be broken of each paragraph: it changes with the entries and the functions."""
    parts: dict[str, list[str]] = {}
    for _, kind, _, entry in printed_entries():
        parts.setdefault(entry["cite"], []).append(f"{kind} {sorted(entry.items())}")
    for cite, function in named_functions():
        parts.setdefault(cite, []).append(function)
    return {cite: hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:10] for cite, found in parts.items()}


@dataclass(frozen=True)
class Broken:
    """What became of the breaks of one paragraph, as recorded by ``make breaks``."""

    cite: Cite
    fingerprint: str
    """Of what was broken: the entries and functions of the paragraph."""
    by_behavior: int
    by_snapshot: int
    """Noticed by the snapshot of printed entries alone, whose content the lint compares with the text."""
    refused: int
    """Changes that the loader of the law files refuses."""
    tests: tuple[str, ...]
    """Those that failed."""
    unnoticed: tuple[str, ...]

    @property
    def caught(self) -> int:
        return self.by_behavior + self.by_snapshot

    @property
    def all_caught(self) -> bool:
        """Whether a test noticed every break, and nothing of the paragraph has changed since."""
        return self.caught > 0 and not self.unnoticed and not self.stale

    @property
    def stale(self) -> bool:
        return self.fingerprint != fingerprints().get(str(self.cite))


@cache
def broken() -> Mapping[Cite, Broken]:
    """How often each paragraph was broken, and what noticed it."""
    found: dict[Cite, Broken] = {}
    for cite, fingerprint, behavior, snapshot, refused, tests, unnoticed in data_rows("law", "breaks.tsv"):
        listed = (tuple(filter(None, each.split(" | "))) for each in (tests, unnoticed))
        at = Cite.parse(cite)
        found[at] = Broken(at, fingerprint, int(behavior), int(snapshot), int(refused), *listed)
    return found
