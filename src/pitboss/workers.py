"""Processes that work for this one."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait


def end_with_parent(*over: Connection) -> None:
    """In a process that works for another: end at once when that one is no more, whatever is being worked on.

    A pool's workers would wait for ever for the work of a process that was killed. A word on ``over`` ends it too.
    """
    threading.Thread(target=_watch, args=(over,), daemon=True).start()


def _watch(over: tuple[Connection, ...]) -> None:
    parent = multiprocessing.parent_process()
    wait([*over] if parent is None else [*over, parent.sentinel])
    os._exit(0)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Processes started in this block take no notice of Ctrl-C; pressed meanwhile, it reaches us after the block.

    A terminal sends it to all of them at once; only the one that the user started should answer.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # processes inherit it
    try:
        with _postponed():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _postponed() -> Iterator[None]:
    """Another thread may receive the signal, and Python would still interrupt the main thread: half a start."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)
