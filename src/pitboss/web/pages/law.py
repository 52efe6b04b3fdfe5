"""The law page: chapter, section, paragraph; what the software does for each, where, and which tests prove it."""

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from fastapi import Request
from nicegui import ui

from pitboss.law.cite import Cite, CiteError
from pitboss.law.coverage import STATUSES, Covered, Status, coverage, covered, not_counted
from pitboss.law.index import paragraphs
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.law.model import Note, Section
from pitboss.law.texts import find_text, paragraph_text
from pitboss.web.pages.law_html import entry_words, paragraph_data
from pitboss.web.pages.shell import escape, frame, markup, sheet, table_html, visitor

MOST_FOUND: Final = 80
LONGEST_QUERY: Final = 100
MEANINGS: Final[dict[Status, str]] = {
    "tested": "carried out, and a test proves it",
    "encoded": "carried by the data or the program",
    "physical": "furniture and people; nothing for software to do",
    "missing": "not carried out yet",
}
TEXTS: Final = "PITBOSS_LAW_TEXTS"
"""The variable that names the folder with the texts of the chapters, where they are at hand."""
PUBLISHED: Final = "https://www.pacodeandbulletin.gov/Display/pacode?titleNumber=058"
STYLE: Final = sheet("law.html")
SCROLL: Final = sheet("law_scroll.html")


def law_link(cite: Cite | str, text: str = "") -> str:
    """A link to the paragraph, or the text alone where the cite is of no chapter that is carried here.

    >>> law_link(f"{CHAPTERS[0]}.2(a)", "there").partition(".")[2]
    '2%28a%29">there</a>'
    >>> law_link("modelled on 9 NYCRR 5321.18")
    'modelled on 9 NYCRR 5321.18'
    """
    shown = escape(text or cite)
    try:
        known = Cite.parse(str(cite))
    except CiteError:
        return shown
    return f'<a href="/law?cite={quote(str(known))}">{shown}</a>' if known.chapter in CHAPTERS else shown


def nearest(text: str) -> Cite | None:
    """The paragraph meant: itself or, where the index stops earlier, the innermost one around it, a section at last."""
    try:
        cite = Cite.parse(text)
    except CiteError:
        return None
    sections = {known.cite for known in chapter(cite.chapter).sections} if cite.chapter in CHAPTERS else ()
    known = (
        above for above in cite.ancestors() if above in paragraphs() or above in not_counted() or above in sections
    )
    return next(known, None)


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


def coverage_html() -> str:
    rows: list[Iterable[str]] = []
    counts = coverage()
    total = {name: sum(row[name] for row in counts.values()) for name in ("paragraphs", *STATUSES)}
    for name, row in (*counts.items(), ("all", total)):
        bar = "".join(
            f'<span class="law-{status}" style="width:{100 * row[status] / row["paragraphs"]:.2f}%;'
            f'background:{_COLOURS[status]}"></span>'
            for status in STATUSES
        )
        shown = f'<a href="/law?chapter={name}">{name}</a> {escape(chapter(name).title)}' if name in counts else "All"
        told = ", ".join(f"{row[status]} {status}" for status in STATUSES)
        figures = [str(row[status]) for status in ("paragraphs", *STATUSES)]
        rows.append((shown, *figures, f'<div class="law-bar" role="img" aria-label="{told}">{bar}</div>'))
    heads = ("Chapter", "Paragraphs", *(status.capitalize() for status in STATUSES), "Share")
    meanings = "; ".join(f"<strong>{status}</strong>: {MEANINGS[status]}" for status in STATUSES)
    return (
        f'<section class="pb-card" aria-label="Coverage"><h2>Coverage</h2><div class="law-data">'
        f'<div class="pb-scroll" tabindex="0">{table_html(heads, rows, numbers=range(1, 6))}</div></div>'
        f'<p class="pb-small pb-soft" style="margin:0">{meanings}.</p></section>'
    )


_COLOURS: Final[dict[Status, str]] = {
    "tested": "#0b5d3b",
    "encoded": "#4b7aa3",
    "physical": "#b9ad93",
    "missing": "#a3202f",
}


def paragraph_html(cite: Cite, *, chosen: bool = False, words: tuple[str, ...] = ()) -> str:
    """One paragraph with everything that is known about it."""
    found = covered(cite)
    depth = 0 if words else min(len(cite.steps), 5)
    notes = chapter(cite.chapter).notes_on(cite) if chosen else own_notes(cite)
    classes = f"law-p {found.paragraph.kind}{' chosen' if chosen else ''}"
    text = _text_html(cite) if chosen else ""
    return (
        f'<article class="{classes}" id="{escape(cite)}" style="margin-left:{depth * 1.1:g}rem" tabindex="-1">'
        f'<div class="law-head">{law_link(cite)}<span class="law-badge law-{found.status}">{found.status}</span></div>'
        f"<p>{marked(found.paragraph.does, words)}</p>{text}{_notes_html(cite, notes, words)}{paragraph_data(cite)}"
        f"{_places_html(found, chosen=chosen)}</article>"
    )


def _text_html(cite: Cite) -> str:
    """The paragraph's own words, where somebody has put the texts beside the program; else where they are published."""
    folder = os.environ.get(TEXTS)
    text = find_text(Path(folder), cite.chapter) if folder else None
    own = paragraph_text(text, cite).strip() if text else ""
    if own:
        return f'<blockquote class="law-text" aria-label="Text of the paragraph">{escape(own)}</blockquote>'
    return (
        f'<p class="pb-small pb-soft">The text of § {escape(cite.section_cite)} is in the official publication: '
        f'<a href="{PUBLISHED}" rel="noreferrer">Pennsylvania Code, Title 58</a>.</p>'
    )


def _notes_html(cite: Cite, notes: Iterable[Note], words: tuple[str, ...]) -> str:
    said = ""
    for note in notes:
        where = "" if cite == note.cite else f" {law_link(note.cite)}"
        text = marked(note.text, words)
        text += f'<div class="pb-small">Readings: {escape(", ".join(note.readings))}</div>' if note.readings else ""
        said += f'<div class="pb-note"><strong>Note on the text</strong>{where}: {text}</div>'
    return said


def _places_html(found: Covered, *, chosen: bool) -> str:
    if not found.places and not found.tests:
        return ""
    places, tests = len(found.places), len(found.tests)
    count = f"{places} place{'s' * (places != 1)}, {tests} test{'s' * (tests != 1)}"
    lists = ""
    for title, items in (("In the program and its data", found.places), ("Proved by", found.tests)):
        shown = "".join(f"<li>{escape(item)}</li>" for item in items)
        lists += f'<strong class="pb-small">{title}</strong><ul class="law-list law-code">{shown}</ul>' if items else ""
    return f"<details{' open' if chosen else ''}><summary>{count}</summary>{lists}</details>"


def marked(text: str, words: tuple[str, ...]) -> str:
    """The text with the words of the search marked; everything is escaped.

    >>> marked("a <b> Stub", ("stub",))
    'a &lt;b&gt; <mark>Stub</mark>'
    """
    parts: list[str] = []
    at, folded = 0, text.casefold()
    if len(folded) != len(text):
        return escape(text)
    while True:
        hits = [(place, word) for word in words if word and (place := folded.find(word, at)) >= 0]
        if not hits:
            return "".join(parts) + escape(text[at:])
        place, word = min(hits, key=lambda hit: (hit[0], -len(hit[1])))
        end = place + len(word)
        parts.append(f"{escape(text[at:place])}<mark>{escape(text[place:end])}</mark>")
        at = end


def contents_html(name: str, section: Cite | None) -> str:
    """The sections of a chapter, with how many of their paragraphs a test proves."""
    links = ""
    for known in chapter(name).sections:
        inside = [covered(cite).status for cite in within(known.cite)]
        current = ' aria-current="true"' if known.cite == section else ""
        links += (
            f'<a href="/law?cite={known.cite}"{current}><span>§ {known.cite} {escape(known.title)}</span>'
            f'<span class="num" title="tested, of all">{inside.count("tested")}/{len(inside)}</span></a>'
        )
    return f'<nav class="law-toc" aria-label="Sections"><h2>{escape(chapter(name).title)}</h2>{links}</nav>'


def section_html(section: Cite, chosen: Cite | None) -> str:
    known = _section(section)
    amended = f", amended {', '.join(map(str, known.amended))}" if known.amended else ""
    body = "".join(paragraph_html(cite, chosen=cite == chosen and bool(cite.steps)) for cite in within(section))
    return (
        f'<section class="pb-card" aria-label="Section {section}"><div><h2>§ {section} {escape(known.title)}</h2>'
        f'<div class="pb-small pb-soft">Text in force {escape(known.period)}{amended}</div></div>'
        f"<div>{body}</div></section>"
    )


def found_html(text: str) -> str:
    words, found = tuple(text.casefold().split()), find(text)
    more = f" The first {MOST_FOUND} are shown." if len(found) > MOST_FOUND else ""
    what = "paragraph" if len(found) == 1 else "paragraphs"
    body = "".join(paragraph_html(cite, words=words) for cite in found[:MOST_FOUND])
    return (
        f'<section class="pb-card" aria-label="Found"><h2>{len(found) or "No"} {what} with “{escape(text)}”</h2>'
        f'<p class="pb-small pb-soft" style="margin:0">Searched: paragraphs, what is done for them, notes and the '
        f"entries of the law files.{more}</p><div>{body}</div></section>"
    )


def _top_html(name: str, text: str) -> str:
    tabs = "".join(
        f'<a href="/law?chapter={known}"{" aria-current=true" if known == name else ""}>{known} '
        f"{escape(chapter(known).title)}</a>"
        for known in CHAPTERS
    )
    return (
        f'<div style="display:flex;gap:1rem;flex-wrap:wrap;justify-content:space-between;align-items:end">'
        f'<nav class="law-tabs" aria-label="Chapters">{tabs}</nav><form class="law-search" method="get" action="/law" '
        f'role="search"><label>Search all chapters<br><input name="q" type="search" maxlength="{LONGEST_QUERY}" '
        f'value="{escape(text)}" placeholder="envy, no more bets, or a paragraph"></label><button type="submit">Search'
        "</button></form></div>"
    )


def _parts(cite: str, chapter_name: str, query: str) -> Iterator[str]:
    """The page from its address; a search for a paragraph's number goes to the paragraph."""
    text = query.strip()[:LONGEST_QUERY]
    chosen = nearest(cite or text)
    name = chosen.chapter if chosen else chapter_name if chapter_name in CHAPTERS else ""
    yield _top_html(name, "" if chosen else text)
    if cite and chosen is None:
        yield f'<div class="pb-finding" role="status">There is no paragraph {escape(cite[:60])} here.</div>'
    elif chosen is not None and str(chosen) != (cite or text).strip().removeprefix("§").strip():
        yield f'<div class="pb-note" role="status">The nearest paragraph is {escape(chosen)}.</div>'
    if chosen is not None:
        section = section_html(chosen.section_cite, chosen)
        yield f'<div class="law-cols">{contents_html(name, chosen.section_cite)}{section}</div>'
    elif text:
        yield found_html(text)
    elif name:
        loaded = chapter(name)
        first = section_html(loaded.sections[0].cite, None)
        about = f'<p class="pb-soft" style="margin:0">Chapter {name}, {escape(loaded.source)}</p>'
        yield f'{about}<div class="law-cols">{contents_html(name, loaded.sections[0].cite)}{first}</div>'
    else:
        yield (
            '<p style="margin:0;max-width:75ch">Every paragraph of the chapters, in our own words: what the '
            "software does for it, where in the program and its data, and which tests prove it. The "
            "text of the regulation itself is not repeated here.</p>"
        )
        yield coverage_html()


def law_html(cite: str = "", chapter_name: str = "", query: str = "") -> str:
    return "".join(_parts(cite, chapter_name, query))


def add_law_page() -> None:
    @ui.page("/law")
    def law(request: Request, cite: str = "", chapter: str = "", q: str = "") -> None:
        who = visitor(request)
        asked = f"§ {cite[:40]}" if cite else f"“{q[:40]}”" if q else chapter[:10]
        with frame(f"Law: {asked}" if asked else "Law", who, "/law"):
            ui.add_head_html(STYLE)
            markup(
                f'<div style="display:flex;flex-direction:column;gap:1.25rem">{law_html(cite, chapter, q)}</div>',
                "w-full",
            )
            if cite or q:
                ui.add_body_html(SCROLL)
