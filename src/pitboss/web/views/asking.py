"""What a page asks of the workroom: answers that are there, how far the others are, and what was refused."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, Final, TypeVar

from pitboss.findings import UnreadableError
from pitboss.web.callers import address_of
from pitboss.web.views.base import Visit
from pitboss.web.workroom import LANES, CountStoppedError, Lane, Underway

T = TypeVar("T")
PATIENCE_S: Final = 0.4
"""How long a request waits for answers that come soon; the others are pushed."""
READY: Final = "ready"
MOST_WINDOWS: Final = 1000


def person_of(visit: Visit) -> str:
    """Who asks, for the limits of one person: the session, or the caller's address."""
    return visit.who.token or address_of(visit.request.scope)


class Inquiry:
    """The questions of one page at one address."""

    def __init__(self, visit: Visit, address: str, *, patient: bool) -> None:
        self._visit = visit
        self.person = person_of(visit)
        self.stream = stream_of(visit, address)
        self.states: dict[str, Hashable] = {}
        """What became of each question: all that the page is drawn from besides its address."""
        self.refused: dict[str, str] = {}
        self.stopped: set[str] = set()
        self.waiting: dict[str, Underway] = {}
        self._until = monotonic() + (PATIENCE_S if patient else 0.0)

    def at(self, address: str) -> None:
        """What follows is asked at another address: the page has come to know what its own leaves open."""
        self.stream = stream_of(self._visit, address)

    def ask(self, name: str, lane: Lane, work: Callable[..., T], *args: Any) -> T | None:
        """The answer, or ``None`` while it is counted or where it is refused."""
        left = max(0.0, self._until - monotonic())
        try:
            found = lane.look(work, *args, stream=self.stream, person=self.person, wait=left)
        except UnreadableError as problem:
            text = str(problem)
            self.refused[name] = self.states[name] = text if text.endswith(".") else f"{text}."
            if isinstance(problem, CountStoppedError):
                self.stopped.add(name)
            return None
        if isinstance(found, Underway):
            self.waiting[name] = self.states[name] = found
            return None
        self.states[name] = READY
        return found

    @property
    def state(self) -> Hashable:
        return tuple(self.states.items())


def stream_of(visit: Visit, address: str) -> str:
    """The stream of the windows of one person at one address."""
    return f"work {person_of(visit)} {address}"


def leave(stream: str, *, stop: bool = False) -> None:
    """The windows at a stream wait for nothing any more; with ``stop`` until somebody says so."""
    for lane in LANES:
        lane.leave(stream, stop=stop)


def again(stream: str) -> None:
    """Count what was cancelled at a stream after all."""
    for lane in LANES:
        lane.again(stream)


_moved: Final[OrderedDict[tuple[str, str], str]] = OrderedDict()
"""Where each window asked last by its script, which may have gone on before it had the answer."""


def moved(asking: Inquiry, window: str) -> None:
    """A window asks here now, and waits for nothing elsewhere."""
    key = asking.person, window
    before = _moved.pop(key, asking.stream)
    _moved[key] = asking.stream
    while len(_moved) > MOST_WINDOWS:
        _moved.popitem(last=False)
    if before != asking.stream:
        leave(before)
