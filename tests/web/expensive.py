"""Work for the reader's process, in a module that is loaded in no time."""

from contextlib import suppress

from pitboss.findings import UnreadableError


def forever() -> None:
    """No handler of every exception keeps it alive."""
    while True:
        with suppress(Exception):
            sum(range(1000))


def megabytes(count: int) -> int:
    return len(bytearray(count * 2**20))


def refused(sentence: str) -> None:
    raise UnreadableError(sentence)
