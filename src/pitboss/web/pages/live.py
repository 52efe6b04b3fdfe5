"""Markup that changes on an open page without the framework drawing the page again.

The framework draws every element of a page anew when one of them changes, on the browser's side: about 15 ms of a core
per page, whatever the change. A table changes several times a second and is open on many pages, so what changes here is
put in place by one short script instead, buttons included.
"""

import json
from asyncio import Lock
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from nicegui import ui

from pitboss.reports.parts import Changes
from pitboss.reports.svg import element
from pitboss.web.pages.shell import escape, markup, sheet

CHANGE: Final = sheet("live.html")
PRESS: Final = """(event) => {
  const button = event.target.closest('[data-press]');
  if (!button) return;
  const fields = event.currentTarget.querySelectorAll('input[name]');
  emit({press: button.dataset.press, typed: Object.fromEntries([...fields].map((field) => [field.name, field.value]))});
}"""

Typed = Mapping[str, str]
Press = Callable[[Typed], Awaitable[None]]
"""What a button does, given what stands in the fields beside it."""
Act = Callable[..., Awaitable[None]]
"""Carries out a command of the table, given by its fields."""
Tell = Callable[[str], None]


class Live:
    """The regions of one page that change together: ``show`` collects, ``send`` changes the page at once."""

    def __init__(self) -> None:
        ui.add_body_html(CHANGE)
        self.client = ui.context.client
        """The window; whoever pressed a button may find it replaced by the time his act is carried out."""
        self.pressing = Lock()
        """Held while a press or a click is carried out: the next one is for what the page shows then."""
        self._shown: dict[int, str] = {}
        self._regions: dict[int, str] = {}
        self._changes = Changes()
        self._sent = False

    def region(self, classes: str) -> ui.html:
        return markup("", classes)

    def show(self, region: ui.html, text: str) -> None:
        """The whole region, if it is not as it was."""
        if self._shown.get(region.id) == text:
            return
        self._shown[region.id] = text
        if self._sent:
            self._regions[region.id] = text
        else:
            region.content = text

    def change(self, region: ui.html, changes: Changes) -> None:
        """Only so much of the drawing that the region shows."""
        if changes:
            self._shown.pop(region.id, None)
            self._changes = changes

    def send(self) -> None:
        """The first time the page itself carries what is shown; from then on, what has changed."""
        if self._regions or self._changes:
            told = map(json.dumps, (self._regions, self._changes.parts, self._changes.marks))
            self.client.run_javascript(f"changePage({', '.join(told)})")
        self._regions, self._changes, self._sent = {}, Changes(), True


class Panel:
    """A region with buttons and fields. A press is known by its key, which says what it is for.

    A button that was replaced a moment ago is still good if its key is; else its press does nothing.
    """

    def __init__(self, live: Live, classes: str = "") -> None:
        self._live = live
        self._presses: dict[str, Press] = {}
        self._next: dict[str, Press] = {}
        self._region = live.region(classes).props('data-keep tabindex="-1"')
        self._region.on("click", self._pressed, js_handler=PRESS)

    @property
    def gone(self) -> bool:
        """Whether the window was closed."""
        return self._region.is_deleted

    def button(self, text: str, press: Press, *, key: str = "", main: bool = True, **marks: object) -> str:
        """A button for ``show``; ``marks`` become attributes, such as ``aria_pressed``."""
        name = key or text
        assert name not in self._next, name
        self._next[name] = press
        kind = "pb-press" if main else "pb-press plain"
        return element("button", text, type="button", class_=kind, data_press=name, **marks)

    def show(self, text: str) -> None:
        """The panel with the buttons that were made since the last time."""
        self._presses, self._next = self._next, {}
        self._live.show(self._region, text)

    async def _pressed(self, event: Any) -> None:
        async with self._live.pressing:
            press = self._presses.get(event.args["press"])
            if press is not None:
                await press(event.args["typed"])


def doing(act: Act, **body: object) -> Press:
    """A press that is always the same command."""

    async def press(_: Typed) -> None:
        await act(**body)

    return press


def row(*parts: str, marks: str = "") -> str:
    """Buttons and fields side by side."""
    return f'<div class="pb-presses"{marks and " " + marks}>{"".join(parts)}</div>'


def field(title: str, name: str, value: object = "", *, kind: str = "text", wide: bool = False) -> str:
    """A field whose contents come with every press of its panel."""
    numeric = ' inputmode="numeric"' if kind == "number" else ""
    return (
        f'<label class="pb-field{" wide" if wide else ""}">{escape(title)}'
        f'<input id="field-{name}" name="{name}" type="{kind}" value="{escape(value)}"{numeric} autocomplete="off">'
        "</label>"
    )
