"""How the house looks: one sheet of colours, type and spacing for every page."""

from typing import Final

FELT: Final = "#0b5d3b"
INK: Final = "#14211b"
PAPER: Final = "#fbf8f1"
RED: Final = "#a3202f"

CSS: Final = """
:root {
  --felt: #0b5d3b; --felt-deep: #08432b; --ink: #14211b; --paper: #fbf8f1; --card: #ffffff;
  --line: #d8d0bf; --gold: #8a6a00; --navy: #0f2233; --red: #a3202f; --soft: #56635b; --good: #0a5c36;
  --serif: Georgia, 'Times New Roman', 'DejaVu Serif', serif;
  --sans: system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif;
  --mono: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace;
}
@layer base {  /* one ground for all browsers; the framework's sheets lie above it */
  *, ::before, ::after { box-sizing: border-box; border: 0 solid; }
  h1, h2, h3, p, pre, dl, dd, figure, fieldset, ol, ul { margin: 0; padding: 0; }
  ol, ul { list-style: none; }
  table { border-collapse: collapse; border-color: inherit; }
  img, svg { display: block; max-width: 100%; height: auto; vertical-align: middle; }
  button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
  summary { display: list-item; }
}
.w-full { width: 100%; } .w-36 { width: 9rem; } .w-40 { width: 10rem; } .w-44 { width: 11rem; }
.w-48 { width: 12rem; } .w-56 { width: 14rem; } .w-64 { width: 16rem; }
.w-72 { width: 18rem; } .w-80 { width: 20rem; } .w-96 { width: 24rem; }
body, .q-field, .q-btn { font-family: var(--sans); }
body { background: var(--paper); color: var(--ink); font-size: 16px; line-height: 1.45; }
.nicegui-content { padding: 0; gap: 0; align-items: stretch; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; margin: 0; letter-spacing: 0; }
.pb-scroll { overflow-x: auto; }
h1 { font-size: 1.9rem; } h1.pb-title { font-size: 1.5rem; } h2 { font-size: 1.35rem; } h3 { font-size: 1.1rem; }
a { color: var(--felt); text-underline-offset: 3px; }
.pb-header { background: var(--navy); color: #f4efe2; padding: 0 1.5rem; display: flex; align-items: center;
  gap: 1.5rem; min-height: 3.5rem; flex-wrap: wrap; }
.pb-header a { color: #f4efe2; text-decoration: none; padding: .9rem .1rem; border-bottom: 3px solid transparent; }
.pb-header a:hover { border-bottom-color: #e2c766; }
.pb-header a[aria-current=page] { border-bottom-color: #e2c766; }
.pb-brand { font-family: var(--serif); font-size: 1.25rem; font-weight: 700; letter-spacing: .02em; }
.pb-nav { display: flex; gap: 1.25rem; flex: 1; flex-wrap: wrap; }
.pb-who { display: flex; gap: .75rem; align-items: center; font-size: .92rem; }
.pb-who button { background: transparent; border: 1px solid #9fb0bd; color: #f4efe2; border-radius: 6px;
  padding: .3rem .7rem; cursor: pointer; font: inherit; }
.pb-notice { background: #efe6cf; color: #3d3200; font-size: .88rem; padding: .35rem 1.5rem; }
.pb-main { max-width: 1500px; margin: 0 auto; width: 100%; padding: 1.5rem; display: flex; flex-direction: column;
  gap: 1.25rem; }
.pb-main a { text-decoration: underline; }
.pb-row { display: flex; gap: 1.25rem; align-items: flex-start; flex-wrap: wrap; width: 100%; }
.pb-felt { display: grid; gap: 1rem; }
.pb-row > .pb-felt { flex: 3 1 640px; min-width: 0; }
.pb-grow { flex: 1 1 0; min-width: 320px; }
.pb-card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem;
  display: flex; flex-direction: column; gap: .6rem; width: 100%; }
.pb-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(330px, 1fr)); gap: 1.25rem; width: 100%; }
.pb-soft { color: var(--soft); } .pb-small { font-size: .88rem; }
.pb-cite { font-family: var(--mono); font-size: .82rem; color: var(--soft); white-space: nowrap; }
.pb-money { font-variant-numeric: tabular-nums; }
.pb-good { color: var(--good); } .pb-bad { color: var(--red); }
.pb-phase { display: inline-block; border-radius: 999px; padding: .1rem .7rem; font-size: .85rem; background: #e3efe8;
  color: #084a2f; border: 1px solid #a9cbb9; }
.pb-finding { border-left: 4px solid var(--red); background: #fbecee; padding: .5rem .75rem; border-radius: 4px; }
.pb-note { border-left: 4px solid #a07d10; background: #fbf4dc; padding: .5rem .75rem; border-radius: 4px; }
.pb-card > .q-btn { align-self: flex-start; }
.pb-btn.q-btn { text-transform: none; letter-spacing: 0; font-weight: 600; border-radius: 8px; min-height: 2.5rem; }
.pb-board-main { flex: 3 1 640px; min-width: 320px; display: grid; gap: 1rem; }
.pb-board-side { flex: 1 1 340px; display: flex; flex-direction: column; gap: 1rem; }
@media (max-width: 1100px) {  /* on a tablet what is to be pressed comes straight after the felt */
  .pb-board { flex-direction: column; gap: 1rem; } .pb-board-main, .pb-board-side { display: contents; }
  .pb-first { order: -2; } .pb-second { order: -1; }
  .pb-header a { padding: .35rem .1rem; }
}
.pb-maybe:empty { margin-bottom: -1rem; }
.pb-stack { display: flex; flex-direction: column; gap: .6rem; width: 100%; }
.pb-presses { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-end; }
.pb-press { background: var(--felt); color: #fff; border: 1px solid var(--felt); border-radius: 8px; min-height: 2.5rem;
  padding: .25rem 1rem; font-weight: 600; font-size: .94rem; cursor: pointer; }
.pb-press.plain { background: transparent; color: var(--felt); }
.pb-press:hover { box-shadow: 0 0 0 3px rgba(11, 93, 59, .18); }
.pb-field { display: inline-flex; flex-direction: column; gap: .15rem; font-size: .82rem; color: var(--soft); }
.pb-field input { background: var(--card); color: var(--ink); border: 1px solid #8b8577; border-radius: 8px;
  padding: .45rem .7rem; font-size: 1rem; width: 9rem; }
.pb-field.wide { flex: 1 1 14rem; } .pb-field.wide input { width: 100%; }
table.pb-table { border-collapse: collapse; width: 100%; font-size: .94rem; }
table.pb-table th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--line); padding: .35rem .5rem; }
table.pb-table td { border-bottom: 1px solid #ece5d6; padding: .35rem .5rem; vertical-align: top; }
table.pb-table .num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
:focus-visible { outline: 3px solid #1d6fd1 !important; outline-offset: 2px; }
.q-field--outlined .q-field__control { border-radius: 8px; }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
}
@media print {
  .pb-header, .pb-notice, .pb-noprint { display: none !important; }
  .pb-main { padding: 0; max-width: none; }
}
"""
