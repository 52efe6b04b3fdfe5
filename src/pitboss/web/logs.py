"""The server's log: one line for one thing, however strange the names are that callers send."""

import logging
import traceback
from typing import Any, Final

LONGEST: Final = 500
MOST_LINES: Final = 60


def plain(text: str, longest: int = LONGEST) -> str:
    r"""Control characters spelled out, and the rest of what is too long left out.

    >>> plain("Invalid session a\nWARNING: all is well\x1b[2J")
    'Invalid session a\\nWARNING: all is well\\x1b[2J'
    >>> plain("x" * 600)[-30:]
    'xxxxxx... (600 characters)'
    """
    cut = text if len(text) <= longest else text[:longest]
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)
    return shown if len(text) <= longest else f"{shown}... ({len(text)} characters)"


class PlainRecord(logging.LogRecord):
    """A record whose text cannot begin a line of its own, whichever library wrote it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.msg, self.args = plain(super().getMessage()), None
        if self.exc_info and self.exc_info[0] is not None:
            lines = [line for part in traceback.format_exception(*self.exc_info) for line in _lines(part)]
            left_out = len(lines) - MOST_LINES
            if left_out > 0:
                lines = [*lines[: MOST_LINES // 2], f"  ... {left_out} lines ...", *lines[-MOST_LINES // 2 :]]
            self.exc_text = "\n".join(lines)

    def getMessage(self) -> str:  # noqa: N802  the name is the library's
        return str(self.msg)


def _lines(part: str) -> list[str]:
    """Places and sources of a traceback as they are; the exception's own text, which may hold anything, in one line."""
    if part.startswith(("  File ", "Traceback ")):
        return [plain(line) for line in part.rstrip("\n").split("\n")]
    return [plain(part.rstrip("\n"))]


def plain_log() -> None:
    """From now on, for every logger of this process."""
    logging.setLogRecordFactory(PlainRecord)
