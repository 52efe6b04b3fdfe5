"""Notes on defects and ambiguities of the text, with the reading that is implemented."""

from typing import Any

from pitboss.findings import UnreadableError
from pitboss.law.loader import CHAPTERS, chapter

INTRODUCTION = """# Law notes

Defects and ambiguities of the regulation text, and the reading that this software implements. Written from the notes
in the law files by `make notes`; `pitboss law notes` prints the same, and `pitboss law show CITE` those on a paragraph.
"""


def notes(number: str | None = None) -> list[dict[str, Any]]:
    """The notes of one chapter, or of all."""
    if number is not None and number not in CHAPTERS:
        raise UnreadableError(f"Chapter {number} is not carried here; the chapters are {', '.join(CHAPTERS)}.")
    return [
        {
            "chapter": name,
            "name": note.name,
            "cite": str(note.cite),
            "also": [str(cite) for cite in note.also],
            "text": note.text,
            "readings": list(note.readings),
        }
        for name in ([number] if number else CHAPTERS)
        for note in sorted(chapter(name).notes, key=lambda note: note.cite)
    ]


def notes_page() -> str:
    """All notes as one Markdown page."""
    parts = [INTRODUCTION]
    for name in CHAPTERS:
        parts.append(f"\n## {name} {chapter(name).title}\n\n")
        for note in notes(name):
            also = f" (also {', '.join(note['also'])})" if note["also"] else ""
            parts.append(f"- **{note['cite']}** `{note['name']}`{also}: {note['text']}\n")
        if chapter(name).earlier:
            parts.append("\nThe text before its amendment, as far as the words that the amendment deleted give it:\n\n")
            parts += [f"- **{entry.cite}**, until {entry.until}: {entry}\n" for entry in chapter(name).earlier]
    return "".join(parts)
