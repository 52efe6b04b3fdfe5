"""Reads the texts of the law: paragraphs, tables and source notes. The texts are not part of the package.

Two forms are read: a whole chapter, whose paragraphs are found by their marks, and the printed parts of a chapter in
the folder ``partial``, where every paragraph is a line with its citation before a tab.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from pathlib import Path

from pitboss.law.cite import Cite
from pitboss.law.model import SINGLE

_CHILD = re.compile(r"\s*(?:- )?\((?:[a-z]{1,4}|[A-Z]|\d{1,2})\) ")
_DAY = r"([A-Z][a-z]+ \d{1,2}, \d{4})"
_CHANGE = re.compile(rf"(?:adopted|amended) {_DAY}, effective {_DAY}, (\d+ Pa\.B\. \d+)")


_HEADING = re.compile(r"§ \d{3}[ab]\.\d+\. |CHAPTER \d{3}[ab]\. ")
_CITED = re.compile(r"\s*(\d{3}[ab]\.\d+(?:\(\w+\))*)\t")
_SINCE = re.compile(r"^# .*\((\d+ Pa\.B\. \d+)\), text in force from (\d+ [A-Z][a-z]+ \d{4})", re.M)


@cache
def find_text(folder: Path, chapter: str) -> str | None:
    """The text of one chapter in a folder of law texts, without what an editor adds to a chapter printed in part."""
    text = _first(folder, f"{chapter}*.txt") or _first(folder / "partial", f"{chapter}*.txt")
    return None if text is None else text.partition("\nNOTES OF THE EDITOR\n")[0]


def find_annex(folder: Path) -> str | None:
    """The rulemaking of 2019, which prints in brackets what it deleted."""
    return _first(folder, "*annex*.txt")


@cache
def _first(folder: Path, pattern: str) -> str | None:
    files = sorted(folder.glob(pattern)) if folder.is_dir() else []
    return files[0].read_text(encoding="utf-8", errors="replace") if files else None


def deleted_words(annex: str, cite: Cite) -> str:
    """The words that a rulemaking prints in brackets in a paragraph; in its whole section where it skips the marks.

    >>> deleted_words("§ 637a.10. Stud.\\n(b) No more than [eight] nine players", Cite.parse("637a.10(b)"))
    'eight'
    """
    passage = paragraph_text(annex, cite) or paragraph_text(annex, cite.section_cite)
    return " | ".join(re.findall(r"\[([^\]]*)\]", plain(passage)))


@cache
def heading_of(text: str, cite: Cite) -> str:
    """The printed heading of a section: ``Four Card Poker rankings``."""
    found = re.search(rf"^(?:§ {cite.chapter}\.{cite.section}\. |{cite.chapter}\.{cite.section}\t)(.+)$", text, re.M)
    return found[1].strip().rstrip(".") if found else ""


@cache
def paragraph_text(text: str, cite: Cite) -> str:
    """The part of a chapter's text that a citation covers, down to the next paragraph of the same or a higher level.

    >>> text = "§ 641a.2. Seats.\\n(a) One.\\n- (b) Two:\\n(1) More.\\n§ 641a.3. Decks."
    >>> paragraph_text(text, Cite.parse("641a.2(b)"))
    '- (b) Two:\\n(1) More.'
    """
    if _SINCE.search(text):
        return "\n".join(line for at, line in _cited(text) if cite in at.ancestors())
    lines = text.splitlines()
    heading = re.compile(rf"§ {cite.chapter}\.(\d+)\. ")
    starts = [n for n, line in enumerate(lines) if (m := heading.match(line)) and int(m[1]) == cite.section]
    if not starts:
        return ""
    begin = starts[0]
    end = next((n for n in range(begin + 1, len(lines)) if _HEADING.match(lines[n])), len(lines))
    for depth, step in enumerate(cite.steps):
        mark = _mark(step)
        found = next((n for n in range(begin, end) if mark.match(lines[n])), None)
        if found is None:
            return ""
        following = [_next(step) for step in reversed(cite.steps[: depth + 1])]
        end = next((n for n in range(found + 1, end) if any(_mark(f).match(lines[n]) for f in following)), end)
        begin = found
    return "\n".join(lines[begin:end])


@cache
def own_text(text: str, cite: Cite) -> str:
    """A paragraph without the paragraphs inside it, so that a figure is found only where it is cited to."""
    if _SINCE.search(text):
        return "\n".join(line for at, line in _cited(text) if cite == at)
    lines = paragraph_text(text, cite).splitlines()
    end = next((n for n in range(1, len(lines)) if _CHILD.match(lines[n])), len(lines))
    return "\n".join(lines[:end])


def _cited(text: str) -> Iterator[tuple[Cite, str]]:
    """Every line of a text in parts, with the paragraph that it belongs to and without its citation."""
    at: Cite | None = None
    for line in text.splitlines():
        if found := _CITED.match(line):
            at = Cite.parse(found[1])
        if at is not None and line.strip() != "…":
            yield at, line[found.end() :] if found else line


def plain(text: str) -> str:
    """One line of text with straight quotation marks, so that phrases are found across line ends."""
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("“", '"').replace("”", '"')).strip()


def _mark(step: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:- )?\({re.escape(step)}\) ")


def _next(step: str) -> str:
    romans = ["i", "ii", "iii", "iv", "v", "vi"]
    if step.isdigit():
        return str(int(step) + 1)
    if step in romans[:-1] and len(step) > 1:
        return romans[romans.index(step) + 1]
    return chr(ord(step[-1]) + 1)


def changes(text: str, cite: Cite | None = None) -> list[tuple[date, str]]:
    """The source note of the chapter or of one section: the day each change took effect, and its bulletin."""
    if since := _SINCE.search(text):
        printed = cite is None or heading_of(text, cite)
        return [(datetime.strptime(since[2], "%d %B %Y").date(), since[1])] if printed else []
    of = rf"§ {cite.chapter}\.{cite.section}" if cite else r"Chapter \w+"
    # A section's note begins like its authority note, which names no day.
    notes = re.findall(rf"The provisions of this {of} ((?:adopted|amended) [A-Z][a-z]+ \d.*)", text)
    found = _CHANGE.findall(notes[0]) if notes else []
    return [(datetime.strptime(effective, "%B %d, %Y").date(), bulletin) for _, effective, bulletin in found]


def table_lines(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each line of the tables in a piece of text: its name, and its cells with the letters of their columns."""
    letters: list[str] = []
    for line in text.splitlines():
        if not (line.strip().startswith("|") or "\t" in line):
            continue
        bar = line.strip().strip("|") if line.strip().startswith("|") else line
        name, *cells = [re.sub(r"<br>|\s+", " ", part).strip() for part in re.split(r"\t|\|", bar)]
        if re.fullmatch(r"-+", name):
            continue
        if name.lower() in ("hand", "wager", "") and not any(re.match(r"[\d$]", cell) for cell in cells):
            letters = [found[1] if (found := re.search(r"\bPaytable ([A-Z])\b", cell)) else SINGLE for cell in cells]
        else:
            columns = letters or [SINGLE] * len(cells)
            yield re.sub(r"\s+", " ", name), list(zip(columns, cells, strict=False))


def cells(text: str) -> dict[tuple[str, str], str]:
    """The printed cells of the tables in a piece of text, by letter and row in lower case.

    Empty cells are left out, and so are N/A and the mark of an editor who found none.
    """
    return {
        (letter, name.lower()): cell
        for name, columns in table_lines(text)
        for letter, cell in columns
        if cell and cell not in ("N/A", "(?)")
    }
