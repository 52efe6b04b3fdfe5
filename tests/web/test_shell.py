"""What every page shares: an act goes on for its window, whatever has become of the button that began it."""

import asyncio
import gc

import pytest
from nicegui import Client, core, ui
from nicegui.events import ClickEventArguments, handle_event

from pitboss.web.pages.shell import button


@pytest.mark.parametrize("waits", [True, False])
def test_an_act_may_draw_the_place_of_its_own_button_anew(waits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The framework forgets the element around a button as soon as nobody holds it."""
    told: list[str] = []

    async def press() -> None:
        monkeypatch.setattr(core, "loop", asyncio.get_running_loop())
        client = Client(ui.page("/"))
        monkeypatch.setattr(client, "run_javascript", lambda code, **_: told.append(code))

        def redraw() -> None:
            box.clear()
            gc.collect()
            ui.run_javascript("done()")

        async def redraw_later() -> None:
            box.clear()
            await asyncio.sleep(0)
            gc.collect()
            ui.run_javascript("done()")

        with client:
            box = ui.element("div")
            with box, ui.row():
                made = button("Remove", redraw_later if waits else redraw)
        (listener,) = (each for each in made._event_listeners.values() if each.type == "click")
        handle_event(listener.handler, ClickEventArguments(sender=made, client=client))
        while not told:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(press(), 10))
    assert told == ["done()"]
