"""The submission desk as markup: its style, pay tables side by side, findings that lead to their field, differences."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from nicegui import ui

from pitboss.findings import Finding, UnreadableError
from pitboss.law.model import SINGLE
from pitboss.names import shown_key
from pitboss.reports.offer import row_title
from pitboss.submission import Difference, Submission, read_submission
from pitboss.web.pages.law import law_link
from pitboss.web.pages.shell import button, escape, finding_html, markup, sheet, table_html
from pitboss.web.pages.submission_form import Sheet
from pitboss.web.pages.submission_holds import Hold

KEPT: Final = "pb-submission"
"""Under this name the browser keeps the desk's submission for as long as its window is open."""
MOST: Final = 64 * 1024
"""Characters of a submission that is pasted or read from a file."""
STYLE: Final = sheet("submission.html")


def place_of(key: str) -> str:
    """The id of a field on the page, whatever characters its key has."""
    return f"sd-{sha256(key.encode('utf-8', 'replace')).hexdigest()[:12]}"


def cite_html(cite: str) -> str:
    return f'<span class="pb-cite">[{law_link(cite)}]</span>' if cite else ""


def said_html(hint: str, cite: str, wrong: str = "") -> str:
    """What stands below a field: what is wrong with it, else its hint, and the paragraph."""
    text = f'<span class="sd-why">{escape(wrong)}</span>' if wrong else escape(hint)
    return f"{text} {cite_html(cite)}".strip()


def hold_html(hold: Hold | None, waiting: str = "") -> str:
    """The hold of the choice as it is now; ``waiting`` says why there is none yet."""
    if hold is None:
        return f'<span class="sd-hold sd-wait">{escape(waiting)}</span>' if waiting else ""
    more = "".join(f'<span class="sd-hold">{escape(other)}</span> ' for other in hold.others)
    return f'<span class="sd-hold">Hold {escape(hold)}</span> {more}'


def sheet_html(sheet: Sheet, chosen: str, holds: Mapping[str, Hold] | None, waiting: str = "") -> str:
    """Every letter of a pay table beside the others, the chosen one marked, with the hold of each."""
    single = all(table.letter == SINGLE for table in sheet.tables)
    letters = [table.letter for table in sheet.tables]
    marks = {letter: " class=sd-mine" if letter == chosen and not single else "" for letter in letters}
    heads = "".join(
        f'<th scope="col"{marks[letter]}>{"Pays" if letter == SINGLE else escape(letter)}'
        f"{'<span class=sd-sr> (chosen)</span>' if marks[letter] else ''}</th>"
        for letter in letters
    )
    body = "".join(
        f'<tr><th scope="row">{escape(row_title(row, sheet.tables[0]))}</th>'
        + "".join(f"<td{marks[t.letter]}>{escape(t.rows[row]) if row in t.rows else '–'}</td>" for t in sheet.tables)
        + "</tr>"
        for row in sheet.rows
    )
    foot = ""
    if not single and (holds or waiting):
        known = holds or {}
        cells = "".join(
            f"<td{marks[letter]}>{escape(known[letter].share) if letter in known else escape(waiting) or '–'}</td>"
            for letter in letters
        )
        foot = f'<tfoot><tr><th scope="row">Hold</th>{cells}</tr></tfoot>'
    cites = dict.fromkeys(str(table.cite) for table in sheet.tables)
    caption = f"Odds in {', '.join(cite_html(cite) for cite in cites)}"
    return (
        '<div class="sd-scroll" tabindex="0" role="group" aria-label="Pay tables"><table class="sd-sheet">'
        '<caption class="pb-soft pb-small" style="text-align:left">'
        f'{caption}</caption><thead><tr><th scope="col">Hand</th>{heads}</tr></thead><tbody>{body}</tbody>{foot}'
        "</table></div>"
    )


def findings_html(findings: Iterable[Finding], fields: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Findings as a list; pressing one leads to its field. ``fields`` are places by the key that a finding names."""
    items = []
    for finding in findings:
        kind = "pb-note" if finding.severity == "note" else "pb-finding"
        name = names.get(finding.where) or shown_key(finding.where)
        text = f"{f'<strong>{escape(name)}</strong>: ' if name else ''}{escape(finding.sentence)}"
        place = fields.get(finding.where, "")
        if place:
            text = f'<button type="button" class="sd-go" onclick="pbGo(\'{place}\')">{text}</button>'
        items.append(f'<li class="{kind}">{text} {cite_html(finding.cite)}</li>')
    return f'<ul class="sd-list sd-long">{"".join(items)}</ul>' if items else ""


def changes_html(changes: Iterable[Difference]) -> str:
    rows = [
        (
            f"<code>{escape(change.key)}</code>",
            escape(change.before) or '<span class="pb-soft">not chosen</span>',
            escape(change.after) or '<span class="pb-soft">not chosen</span>',
            cite_html(change.cite),
        )
        for change in changes
    ]
    if not rows:
        return '<p style="margin:0">The two submissions make the same choices.</p>'
    return f'<div class="sd-scroll">{table_html(("Choice", "Other submission", "This form", "Paragraph"), rows)}</div>'


def file_input(label: str, event: str, take: Callable[[str], None]) -> None:
    """A file that the browser reads itself and hands over as text; one that is too large comes as its size alone."""

    def taken(given: Any) -> None:
        args = given.args if isinstance(given.args, dict) else {}
        take(" " * MOST + "…" if "large" in args else str(args.get("text", "")))

    markup(
        f'<label class="sd-file">{escape(label)}<input type="file" accept=".toml,text/plain" '
        f"onchange=\"pbFile(this, '{event}', {MOST})\"></label>"
    )
    ui.on(event, taken)


def reader(title: str, event: str, take: Callable[[str], None]) -> None:
    """A drawer in which a submission is pasted or chosen as a file."""
    with ui.element("details").classes("w-full"):
        summary("Read a submission from a file or from text")
        with ui.column().classes("w-full").style("gap:.75rem;padding-top:.75rem"):
            pasted = ui.textarea("TOML of a submission").props(f"outlined autogrow maxlength={MOST}")
            pasted.classes("w-full")
            with ui.element("div").classes("sd-tools"):
                button(title, lambda: take(str(pasted.value or "")))
                file_input("or choose a file", event, take)


def unread(problem: UnreadableError, unchanged: str) -> str:
    """Why what was pasted or chosen is not taken."""
    return finding_html(f"{problem}. {unchanged} unchanged.".replace("..", "."))


async def kept_text() -> str:
    """The submission that the desk has left in this window of the browser."""
    return str(await ui.run_javascript(f"sessionStorage.getItem('{KEPT}')", timeout=5.0) or "")


def read_text(text: str) -> Submission:
    """A submission that somebody pasted or chose as a file."""
    if not text.strip():
        raise UnreadableError("There is nothing to read: paste the TOML of a submission, or choose its file.")
    if len(text) > MOST:
        raise UnreadableError(f"A submission has at most {MOST // 1024} KiB.")
    return read_submission(text)


def summary(text: str) -> ui.element:
    """The line that opens and closes a ``details`` element."""
    made = ui.element("summary").classes("sd-sum")
    with made:
        markup(escape(text)).style("display:inline")
    return made
