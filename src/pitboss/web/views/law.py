"""The law page: chapter, section, paragraph; what the software does for each, where, and which tests prove it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import Route

from pitboss.law.cite import Cite, CiteError
from pitboss.law.coverage import STATUSES, Covered, Status, coverage, covered, not_counted
from pitboss.law.index import paragraphs
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.law.model import Chapter, Earlier, Note, Section
from pitboss.law.texts import find_text, paragraph_text
from pitboss.web.views.base import Visit, page, route
from pitboss.web.views.law_tables import LawTable, entry_words, paragraph_tables

MOST_FOUND: Final = 80
LONGEST_QUERY: Final = 100
DEEPEST: Final = 5
MEANINGS: Final[Mapping[Status, str]] = {
    "tested": "carried out, and its tests noticed every break of it",
    "named": "carried out, and a test names it, but not every break of it was noticed",
    "encoded": "carried by the data or the program",
    "physical": "furniture and people; nothing for software to do",
    "missing": "not carried out yet",
}
TEXTS: Final = "PITBOSS_LAW_TEXTS"
"""The variable that names the folder with the texts of the chapters, where they are at hand."""
PUBLISHED: Final = "https://www.pacodeandbulletin.gov/Display/pacode?titleNumber=058"


@dataclass(frozen=True)
class ShownParagraph:
    """One paragraph with everything that is known about it."""

    cite: Cite
    found: Covered
    notes: tuple[Note, ...]
    earlier: tuple[Earlier, ...]
    tables: tuple[LawTable, ...]
    chosen: bool = False
    indented: int = 0
    text: str = ""
    """The paragraph's own words, if it is chosen and somebody has put the texts beside the program."""


def nearest(text: str) -> Cite | None:
    """The paragraph meant: itself or, where the index stops earlier, the innermost one around it, a section at last."""
    try:
        cite = Cite.parse(text)
    except CiteError:
        return None
    sections = {each.cite for each in chapter(cite.chapter).sections} if cite.chapter in CHAPTERS else ()
    indexed = (
        above for above in cite.ancestors() if above in paragraphs() or above in not_counted() or above in sections
    )
    return next(indexed, None)


def find(text: str) -> tuple[Cite, ...]:
    """Paragraphs in which every word occurs: in the cite, the sentence, a note or the entries of the law files."""
    words = text.casefold().split()
    return tuple(cite for cite, known in _texts().items() if words and all(word in known for word in words))


@cache
def _texts() -> dict[Cite, str]:
    found = {}
    for cite, paragraph in paragraphs().items():
        notes = " ".join(note.text for note in own_notes(cite))
        title = _section(cite).title if not cite.steps else ""
        found[cite] = f"{cite} {title} {paragraph.does} {notes} {entry_words(cite)}".casefold()
    return found


def own_notes(cite: Cite) -> tuple[Note, ...]:
    """Notes that name this very paragraph."""
    return tuple(note for note in chapter(cite.chapter).notes_on(cite) if cite in (note.cite, *note.also))


def _section(cite: Cite) -> Section:
    return next(section for section in chapter(cite.chapter).sections if section.cite == cite.section_cite)


def within(section: Cite) -> tuple[Cite, ...]:
    """Every paragraph of a section, itself first; also what is not printed."""
    return tuple(cite for cite in (*paragraphs(), *not_counted()) if cite.section_cite == section)


def paragraph(cite: Cite, *, chosen: bool = False, found: bool = False) -> ShownParagraph:
    """A paragraph; ``found`` by a search, it stands outside its section."""
    loaded = chapter(cite.chapter)
    return ShownParagraph(
        cite,
        covered(cite),
        loaded.notes_on(cite) if chosen else own_notes(cite),
        tuple(entry for entry in loaded.earlier if entry.cite == cite),
        paragraph_tables(cite),
        chosen,
        0 if found else min(len(cite.steps), DEEPEST),
        _own_words(cite) if chosen else "",
    )


def _own_words(cite: Cite) -> str:
    folder = os.environ.get(TEXTS)
    text = find_text(Path(folder), cite.chapter) if folder else None
    return paragraph_text(text, cite).strip() if text else ""


def marked(text: str, words: tuple[str, ...]) -> tuple[tuple[str, bool], ...]:
    """The text in pieces, each with whether it is a word of the search.

    >>> marked("a <b> Stub", ("stub",))
    (('a <b> ', False), ('Stub', True))
    """
    parts: list[tuple[str, bool]] = []
    at, folded = 0, text.casefold()
    while len(folded) == len(text):
        hits = [(place, word) for word in words if word and (place := folded.find(word, at)) >= 0]
        if not hits:
            break
        place, word = min(hits, key=lambda hit: (hit[0], -len(hit[1])))
        parts += [(text[at:place], False), (text[place : place + len(word)], True)]
        at = place + len(word)
    return tuple(part for part in (*parts, (text[at:], False)) if part[0])


def _contents(loaded: Chapter) -> list[tuple[Section, int, int]]:
    """The sections of a chapter, with how many of their paragraphs are tested, and of how many."""
    statuses = {section: [covered(cite).status for cite in within(section.cite)] for section in loaded.sections}
    return [(section, found.count("tested"), len(found)) for section, found in statuses.items()]


def law_page(cite: str = "", chapter_name: str = "", query: str = "") -> dict[str, Any]:
    """What the page shows for its address; a search for a paragraph's number goes to the paragraph."""
    text = query.strip()[:LONGEST_QUERY]
    chosen = nearest(cite or text)
    name = chosen.chapter if chosen else chapter_name if chapter_name in CHAPTERS else ""
    searched = bool(text) and chosen is None
    section = chosen.section_cite if chosen else chapter(name).sections[0].cite if name and not searched else None
    matches = find(text) if searched else ()
    shown = within(section) if section else matches[:MOST_FOUND]
    is_near = chosen is not None and str(chosen) != (cite or text).strip().removeprefix("§").strip()
    return {
        "chapters": {each: chapter(each) for each in CHAPTERS},
        "choices": [("", "All chapters"), *((each, f"{each} {chapter(each).title}") for each in CHAPTERS)],
        "chapter": chapter(name) if name else None,
        "contents": _contents(chapter(name)) if section else (),
        "section": _section(section) if section else None,
        "paragraphs": [paragraph(each, chosen=each == chosen and bool(each.steps), found=searched) for each in shown],
        "unknown": cite[:60] if cite and chosen is None else "",
        "near": chosen if is_near else None,
        "query": text if searched else "",
        "matches": len(matches),
        "words": tuple(text.casefold().split()) if searched else (),
        "coverage": None if section or searched else _coverage(),
        "meanings": MEANINGS,
        "marked": marked,
        "most": MOST_FOUND,
        "longest": LONGEST_QUERY,
        "published": PUBLISHED,
    }


def _coverage() -> list[tuple[str, Mapping[str, int], list[tuple[Status, float, float]]]]:
    """Each chapter and all together: the name, the counts, and the bar as (status, from, width) in percent."""
    counts = coverage()
    total = {name: sum(row[name] for row in counts.values()) for name in ("paragraphs", *STATUSES)}
    rows = []
    for name, row in (*counts.items(), ("", total)):
        bar, at = [], 0.0
        for status in STATUSES:
            width = 100 * row[status] / row["paragraphs"]
            bar.append((status, round(at, 2), round(width, 2)))
            at += width
        rows.append((name, row, bar))
    return rows


def law(visit: Visit) -> Response:
    cite, name, query = visit.given("cite"), visit.given("chapter"), visit.given("q")
    about = f"§ {cite[:40]}" if cite else f"“{query[:40]}”" if query else name[:10]
    return page(visit, "law.html", f"Law: {about}" if about else "Law", **law_page(cite, name, query))


ROUTES: Final[tuple[Route, ...]] = (route("/law", law),)
