"""The submission desk as markup: its style, pay tables side by side, findings that lead to their field, differences."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from nicegui import ui

from pitboss.findings import Finding
from pitboss.law.model import SINGLE
from pitboss.names import shown_key
from pitboss.reports.offer import row_title
from pitboss.submission import Difference
from pitboss.web.pages.law import law_link
from pitboss.web.pages.shell import escape, markup, table_html
from pitboss.web.pages.submission_form import Sheet
from pitboss.web.pages.submission_holds import Hold

KEPT: Final = "pb-submission"
"""Under this name the browser keeps the desk's submission for as long as its window is open."""
MOST: Final = 64 * 1024
"""Characters of a submission that is pasted or read from a file."""
STYLE: Final = """<style>
.sd-desk { display: grid; grid-template-columns: minmax(0, 1fr) minmax(300px, 400px); gap: 1.25rem; width: 100%;
  align-items: start; }
.sd-side { display: flex; flex-direction: column; gap: 1.25rem; min-width: 0; }
.sd-form { display: flex; flex-direction: column; gap: 1.25rem; min-width: 0; }
.sd-list { display: grid; gap: .5rem; list-style: none; margin: 0; padding: 0; }
.sd-list.sd-long { max-height: 34vh; overflow-y: auto; }
.sd-fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(215px, 1fr)); gap: .9rem 1.1rem;
  width: 100%; align-items: start; }
.sd-field { display: flex; flex-direction: column; gap: .2rem; border-radius: 8px; min-width: 0; }
.sd-field .q-field, .sd-field .q-checkbox { width: 100%; }
.sd-field .q-checkbox { min-height: 40px; align-items: center; }
.sd-field.sd-wrong { box-shadow: -4px 0 0 0 var(--red); padding-left: .35rem; background: #fdf4f5; }
.sd-field .sd-said { font-size: .85rem; color: var(--soft); line-height: 1.3; }
.sd-field.sd-wrong .sd-said .sd-why { color: var(--red); font-weight: 600; }
.sd-head { display: flex; gap: .5rem 1rem; justify-content: space-between; align-items: baseline; flex-wrap: wrap;
  width: 100%; }
.sd-hold { font-variant-numeric: tabular-nums; background: #eef4ef; border: 1px solid #a9cbb9; border-radius: 999px;
  padding: .1rem .75rem; font-size: .9rem; color: #084a2f; }
.sd-hold.sd-wait { background: #f6f2e6; border-color: var(--line); color: #4c5750; }
.sd-sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.sd-scroll { overflow-x: auto; width: 100%; }
table.sd-sheet { border-collapse: collapse; font-size: .88rem; min-width: 50%; }
table.sd-sheet th, table.sd-sheet td { padding: .2rem .5rem; border-bottom: 1px solid #ece5d6; text-align: right;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
table.sd-sheet th[scope=row], table.sd-sheet thead th:first-child { text-align: left; font-weight: 400; }
table.sd-sheet thead th { border-bottom: 2px solid var(--line); }
table.sd-sheet .sd-mine { background: #e3efe8; font-weight: 600; }
table.sd-sheet tfoot th, table.sd-sheet tfoot td { border-top: 2px solid var(--line); border-bottom: 0;
  font-weight: 600; }
button.sd-go { all: unset; cursor: pointer; display: block; }
button.sd-go:hover { text-decoration: underline; text-underline-offset: 3px; }
.sd-tools { display: flex; gap: .6rem; flex-wrap: wrap; align-items: center; }
.sd-file { display: inline-flex; flex-direction: column; gap: .2rem; font-size: .92rem; }
.sd-file input { font: inherit; max-width: 100%; }
.sd-file input::file-selector-button { font: inherit; font-weight: 600; color: var(--felt); background: #fff;
  border: 1px solid var(--felt); border-radius: 8px; padding: .35rem .8rem; margin-right: .6rem; cursor: pointer; }
pre.sd-toml { margin: 0; background: #f6f2e6; border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem;
  overflow: auto; max-height: 24rem; font-family: var(--mono); font-size: .84rem; line-height: 1.4; }
summary.sd-sum { display: list-item; list-style: disclosure-closed inside; cursor: pointer; color: var(--felt);
  font-weight: 600; }
details[open] > summary.sd-sum { list-style-type: disclosure-open; }
@media (max-width: 1080px) {
  .sd-desk { grid-template-columns: minmax(0, 1fr); }
  .sd-side { position: static; max-height: none; order: -1; }
  .sd-list.sd-long { max-height: 14rem; }
}
</style>
<script>
window.pbGo = (id) => {
  const box = document.getElementById(id);
  if (!box) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  box.scrollIntoView({block: 'center', behavior: calm ? 'auto' : 'smooth'});
  const field = box.querySelector('input, textarea, [tabindex="0"]');
  if (field) field.focus({preventScroll: true});
};
window.pbFile = async (input, event, most) => {
  const file = input.files[0];
  input.value = '';
  if (!file) return;
  emitEvent(event, file.size > most ? {large: file.size} : {name: file.name, text: await file.text()});
};
window.pbPrint = (html) => {
  document.querySelectorAll('iframe.pb-printing').forEach((old) => old.remove());
  const sheet = document.createElement('iframe');
  sheet.className = 'pb-printing';
  sheet.title = 'Sheet to print';
  sheet.setAttribute('aria-hidden', 'true');
  sheet.style.cssText = 'position:fixed;width:1px;height:1px;left:-10px;bottom:0;border:0';
  sheet.onload = () => { sheet.contentWindow.focus(); sheet.contentWindow.print(); };
  sheet.srcdoc = html;
  document.body.append(sheet);
};
</script>"""


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


def file_input(label: str, event: str) -> str:
    """A file that the browser reads itself and hands over as text."""
    return (
        f'<label class="sd-file">{escape(label)}<input type="file" accept=".toml,text/plain" '
        f"onchange=\"pbFile(this, '{event}', {MOST})\"></label>"
    )


def summary(text: str) -> ui.element:
    """The line that opens and closes a ``details`` element."""
    made = ui.element("summary").classes("sd-sum")
    with made:
        markup(escape(text)).style("display:inline")
    return made
