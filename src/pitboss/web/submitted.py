"""Submissions that visitors bring: read with bounds, and packed for an address."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from pitboss.findings import UnreadableError
from pitboss.submission import Submission, check, read_submission

MOST: Final = 40 * 1024
"""Characters of a submission that is pasted: as a field of a form they take three times as many bytes at most."""
MOST_FINDINGS: Final = 100
"""More than a form can show; most of them name entries unknown to the law."""


def read_text(text: str) -> Submission:
    """Parse a submission that was pasted or chosen as a file.

    Raise ``UnreadableError`` also if it is so far from the law that a form of it would be endless.
    """
    if not text.strip():
        raise UnreadableError("There is nothing to read: paste the TOML of a submission, or choose its file.")
    if len(text) > MOST:
        raise UnreadableError(f"A submission has at most {MOST // 1024} KiB.")
    submission = read_submission(text)
    if (count := len(check(submission))) > MOST_FINDINGS:
        raise UnreadableError(f"The submission has {count} findings, most of them about entries that no law knows.")
    return submission


def packed(text: str) -> str:
    """A text as one short word of an address.

    >>> unpacked(packed('seats = 6'))
    'seats = 6'
    """
    return urlsafe_b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode("ascii")


def unpacked(word: str) -> str:
    """The text of such a word. Raise ``UnreadableError`` for any other word."""
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(urlsafe_b64decode(word.encode("ascii")), 4 * MOST + 1)
        if not unpacker.eof:
            raise ValueError
        return text.decode("utf-8")
    except (ValueError, zlib.error):
        raise UnreadableError("The submission in this address is damaged. Read its file again.") from None
