"""What the software knows of one paragraph, ready to show or to print as JSON."""

from typing import Any

from pitboss.findings import UnreadableError
from pitboss.law.breaks import broken
from pitboss.law.cite import Cite, CiteError
from pitboss.law.coverage import covered
from pitboss.law.index import children, paragraphs, unprinted
from pitboss.law.loader import CHAPTERS, chapter


def paragraph_report(text: str) -> dict[str, Any]:
    """Everything about a paragraph: what is done for it, where, by which tests, and notes on its text."""
    try:
        cite = Cite.parse(text)
    except CiteError as problem:
        raise UnreadableError(str(problem)) from None
    known = paragraphs()
    if cite.chapter not in CHAPTERS:
        raise UnreadableError(f"Chapter {cite.chapter} is not carried here; the chapters are {', '.join(CHAPTERS)}.")
    loaded = chapter(cite.chapter)
    if cite not in known and cite not in unprinted():
        nearest = next((above for above in cite.ancestors() if above in known), None)
        below = ", ".join(str(child) for child in children(nearest, known)) if nearest else ""
        hint = f" {nearest} has {below}." if below else ""
        printed = " printed" if loaded.partly else ""
        raise UnreadableError(f"There is no paragraph {cite}{printed} in chapter {cite.chapter}.{hint}")
    found = covered(cite)
    section = next(section for section in loaded.sections if section.cite == cite.section_cite)
    return {
        "cite": str(cite),
        "section": section.title,
        "in_force_since": str(section.period.start),
        "printed": "partly" if loaded.partly else "wholly",
        "amended": [str(day) for day in section.amended],
        "kind": found.paragraph.kind,
        "status": found.status,
        "does": found.paragraph.does,
        "where": list(found.places),
        "tests": list(found.tests),
        "breaks": None
        if (breaks := broken().get(cite)) is None
        else {
            "caught_by_behavior": breaks.by_behavior,
            "caught_by_snapshot": breaks.by_snapshot,
            "unnoticed": list(breaks.unnoticed),
            "stale": breaks.stale,
        },
        "earlier": [
            {
                "cite": str(entry.cite),
                "until": str(entry.until),
                "text": str(entry),
            }
            for entry in loaded.earlier_of(cite)
        ],
        "notes": [
            {"name": note.name, "cite": str(note.cite), "text": note.text}
            for note in loaded.notes
            if any(cite in named.ancestors() for named in (note.cite, *note.also))
        ],
        "below": [str(child) for child in children(cite, known)],
    }
