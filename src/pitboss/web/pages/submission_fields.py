"""The fields of the submission desk on the page: built from the parts of the form, marked and filled as it changes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, Final

from nicegui import ui

from pitboss.law.model import Chapter, in_force
from pitboss.web.pages.shell import button, card, escape, markup
from pitboss.web.pages.submission_form import Field, Part, law_day, meter_text
from pitboss.web.pages.submission_holds import MAIN, Hold, main_table
from pitboss.web.pages.submission_parts import cite_html, hold_html, place_of, said_html, sheet_html
from pitboss.web.pages.submission_text import Value, Values

DEBOUNCE: Final = 400
"""Milliseconds after the last key before a field is read."""
MOST_SHOWN: Final = 40
NOT_CHOSEN: Final = "not chosen"


class FormParts:
    """Everything inside the form, by key."""

    def __init__(self, box: ui.element, typed: Callable[[str, Value], None], removed: Callable[[str], None]) -> None:
        self.box = box
        self.typed = typed
        self.removed = removed
        self.parts: tuple[Part, ...] = ()
        self.unknown: tuple[str, ...] = ()
        self.fields: dict[str, tuple[Field, ui.element, ui.html]] = {}
        self.holds: dict[str, ui.html] = {}
        self.sheets: dict[str, ui.html] = {}
        self.bodies: dict[str, ui.element] = {}
        self.names: dict[str, str] = {}
        """What a field is called, together with the part where it stands."""

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.fields, *self.unknown)

    # Building

    def build(
        self, parts: tuple[Part, ...], unknown: tuple[str, ...], values: Values, chapter: Chapter, day: date
    ) -> None:
        self.parts, self.unknown = parts, unknown
        for kept in (self.fields, self.holds, self.sheets, self.bodies):
            kept.clear()
        self.names = {each.key: f"{part.title}, {_lower(each.label)}" for part in parts for each in part.fields}
        self.names["effective"] = "Effective date"
        self.box.clear()
        with self.box:
            if unknown:
                self._unknown(values, chapter, day)
            for part in parts:
                with card("", label=escape(part.title)):
                    self._part(part, values, chapter, law_day(chapter, day))

    def _unknown(self, values: Values, chapter: Chapter, day: date) -> None:
        with card("Entries that this form has no field for", label="Other entries"):
            markup(
                f'<p class="pb-soft" style="margin:0">The law of {day} on {escape(chapter.title)} leaves no such '
                "choice. They stay in the submission until they are removed.</p>"
            )
            for key in self.unknown[:MOST_SHOWN]:
                with ui.element("div").classes("sd-tools").props(f'id="{place_of(key)}"'):
                    value = values[key]
                    shown = str(value).lower() if isinstance(value, bool) else str(value)
                    markup(f"<code>{escape(key[:80])}</code> = {escape(shown[:80])}")
                    remove = button("Remove", partial(self.removed, key), main=False)
                    remove.props(f'aria-label="Remove {escape(key[:80])}"')
            if len(self.unknown) > MOST_SHOWN:
                markup(f"<p>And {len(self.unknown) - MOST_SHOWN} more.</p>")

    def _part(self, part: Part, values: Values, chapter: Chapter, day: date) -> None:
        with ui.element("div").classes("sd-head"):
            markup(f"<h2>{escape(part.title)}</h2>")
            self.holds[part.name] = markup("").props('aria-live="polite"')
        if part.about or part.cite:
            markup(f'<span class="pb-soft pb-small">{escape(part.about)} {cite_html(part.cite)}</span>')
        switch = next((each for each in part.fields if each.key == part.switch), None)
        if switch is not None:
            self._field(switch, values, part.cite)
        body = ui.column().classes("w-full").style("gap:.9rem")
        self.bodies[part.name] = body
        with body:
            with ui.element("div").classes("sd-fields"):
                for each in part.fields:
                    if each is not switch:
                        self._field(each, values, part.cite)
            if part.sheet is not None:
                self.sheets[part.name] = markup("", "w-full")
            self._meter(part, chapter, day)
        if switch is not None:
            body.set_visibility(bool(values.get(switch.key)))

    def _meter(self, part: Part, chapter: Chapter, day: date) -> None:
        """What the law fixes about the meter of a progressive wager."""
        wager = next((w for w in in_force(chapter.wagers, day) if w.name == part.wager), None)
        for spec in in_force(chapter.meters, day):
            if wager is not None and spec.wager == wager.meter and wager.meter and not spec.chosen:
                name = "Meter" if spec.letter == "-" else f"Meter with table {spec.letter}"
                text = f"{escape(name)}, fixed by law: {escape(meter_text(spec))} {cite_html(str(spec.cite))}"
                markup(f'<span class="pb-small pb-soft">{text}</span>')

    def _field(self, each: Field, values: Values, said_before: str) -> None:
        """One field; the paragraph is not repeated where the whole part rests on it, or where the options have it."""
        if each.cite == said_before or any(f"§ {each.cite})" in option for option in each.options.values()):
            each = replace(each, cite="")
        value = values.get(each.key, "")
        with ui.element("div").classes("sd-field").props(f'id="{place_of(each.key)}"') as wrap:
            change = partial(self._change, each.key)
            if each.kind == "flag":
                ui.checkbox(each.label, value=bool(value), on_change=change).props("dense color=green-10")
            elif each.options:
                options = _with(each, str(value))
                made = ui.select(options, label=each.label, value=str(value), on_change=change)
                made.props("outlined dense options-dense")
            else:
                numeric = " inputmode=decimal" if each.kind in ("number", "percent") else ""
                field = ui.input(each.label, value=str(value), on_change=change)
                field.props(f"outlined dense debounce={DEBOUNCE} maxlength=200{numeric}")
            said = markup(said_html(each.hint, each.cite), "sd-said")
        self.fields[each.key] = each, wrap, said

    def _change(self, key: str, event: Any) -> None:
        value = event.value
        self.typed(key, value if isinstance(value, bool) else str(value or ""))
        for part in self.parts:
            if part.switch == key:
                self.bodies[part.name].set_visibility(bool(value))

    # While it changes

    def mark(self, wrong: Mapping[str, str]) -> None:
        """Say at each field what is wrong with it."""
        for key, (each, wrap, said) in self.fields.items():
            sentence = wrong.get(key, "")
            if ("sd-wrong" in wrap.classes) != bool(sentence):
                wrap.classes(toggle="sd-wrong")
            _fill(said, said_html(each.hint, each.cite, sentence))

    def counted(self, chapter: Chapter) -> Iterator[tuple[Part, str]]:
        """The parts that show a hold, and whose it is."""
        main = main_table(chapter)
        for part in self.parts:
            if part.main or (part.sheet is not None and part.sheet.name == main):
                yield part, MAIN
            elif part.wager:
                yield part, part.wager

    def show_hold(
        self, part: Part, letter: str, hold: Hold | None, found: Mapping[str, Hold] | None, waiting: str, off: bool
    ) -> None:
        """The hold of a part; ``found`` has every letter, ``waiting`` why there is nothing, ``off`` if not offered."""
        main = "Main wagers together: " if part.main else ""
        pill = hold_html(None, "not offered") if off else f"{main}{hold_html(hold, waiting)}"
        _fill(self.holds[part.name], pill if hold or waiting or off else "")
        if part.name in self.sheets and part.sheet is not None:
            _fill(self.sheets[part.name], sheet_html(part.sheet, letter, found, "…" if waiting and not found else ""))


def _fill(place: ui.html, content: str) -> None:
    if place.content != content:
        place.set_content(content)


def _lower(label: str) -> str:
    return f"{label[:1].lower()}{label[1:]}"


def _with(each: Field, value: str) -> dict[str, str]:
    """The options of a field, and what stands there if the law does not know it."""
    options = dict(each.options)
    if each.optional or not value:
        options = {"": NOT_CHOSEN, **options}
    return options if value in options else {**options, value: f"{value[:60]} (not in the law of this day)"}
