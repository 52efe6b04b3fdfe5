"""Markup that changes on an open page without the framework drawing the page again.

The framework draws every element of a page anew when one of them changes, on the browser's side: about 15 ms of a core
per page, whatever the change. A table changes several times a second and is open on many pages, so what changes here is
put in place by one short script instead. What is pressed and typed stays with the framework.
"""

import json
from collections.abc import Mapping
from typing import Final

from nicegui import ui

from pitboss.web.pages.shell import markup

CHANGE: Final = """
<script>
function changePage(regions, parts) {  // whole regions by number, parts of drawings by id
  for (const [number, text] of Object.entries(regions)) getHtmlElement(number).innerHTML = text;
  const room = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [id, text] of Object.entries(parts)) {
    room.innerHTML = text;
    const is = document.getElementById(id), shall = room.firstElementChild;
    if (!is) continue;
    // The element stays and takes over what is new: a sibling that goes makes a browser style the whole drawing again.
    for (const name of is.getAttributeNames()) if (!shall.hasAttribute(name)) is.removeAttribute(name);
    for (const name of shall.getAttributeNames()) is.setAttribute(name, shall.getAttribute(name));
    is.replaceChildren(...shall.childNodes);
  }
}
</script>
"""


class Live:
    """The regions of one page that change together: ``show`` collects, ``send`` changes the page at once."""

    def __init__(self) -> None:
        ui.add_body_html(CHANGE)
        self._shown: dict[int, str] = {}
        self._regions: dict[int, str] = {}
        self._parts: dict[str, str] = {}
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

    def change(self, region: ui.html, parts: Mapping[str, str]) -> None:
        """Only these parts of what the region shows, by id."""
        if parts:
            self._shown.pop(region.id, None)
            self._parts |= parts

    def send(self) -> None:
        """The first time the page itself carries what is shown; from then on, what has changed."""
        if self._regions or self._parts:
            ui.run_javascript(f"changePage({json.dumps(self._regions)}, {json.dumps(self._parts)})")
        self._regions, self._parts, self._sent = {}, {}, True
