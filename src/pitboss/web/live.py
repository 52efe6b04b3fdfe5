"""Regions of a page that follow what happens. A viewpoint is drawn once per event, however many windows show it."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from pitboss.web.render import block

MOST_DRAWN: Final = 200
"""Drawings that are cached: viewpoints that windows look from now."""

Known = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True)
class View:
    """What a window looks at, as of now."""

    template: str
    blocks: tuple[str, ...]
    """Blocks of the template that are regions: the page has each inside an element with ``data-region``."""
    stream: str | None
    """The table whose events can change it; ``None`` for any event."""
    viewpoint: Hashable
    """Windows with equal viewpoints may see the same, so nothing in a region may belong to one person unless named."""
    state: Hashable
    """What the regions are drawn from: while it stays, they stay."""
    known: Known = field(compare=False)
    """What the blocks need; asked only when they are drawn."""

    @property
    def key(self) -> Hashable:
        return self.template, self.viewpoint, self.state

    @property
    def mark(self) -> str:
        """A digest of the state. A page carries it, so that the channel sends nothing that the page shows already."""
        return sha256(repr(self.key).encode()).hexdigest()[:24]


class Drawings:
    """Regions by viewpoint and state; two windows that ask at once wait for one drawing."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[Hashable, dict[str, str]] = OrderedDict()
        self._lock = threading.Lock()
        self._drawing: dict[Hashable, threading.Lock] = {}

    def of(self, view: View) -> Mapping[str, str]:
        with self._lock:
            if view.key in self._drawn:
                self._drawn.move_to_end(view.key)
                return self._drawn[view.key]
            drawing = self._drawing.setdefault(view.key, threading.Lock())
        with drawing:
            with self._lock:
                if view.key in self._drawn:
                    return self._drawn[view.key]
            known = view.known()
            regions = {name: block(view.template, name, known) for name in view.blocks}
            with self._lock:
                self._drawn[view.key] = regions
                self._drawing.pop(view.key, None)
                while len(self._drawn) > MOST_DRAWN:
                    self._drawn.popitem(last=False)
        return regions


DRAWINGS: Final = Drawings()
