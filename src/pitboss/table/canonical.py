"""JSON in one spelling, over which hashes are taken."""

import json
from hashlib import sha256
from typing import Any

_ENCODE = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
).encode


def canonical(value: Any) -> str:
    """Return JSON with sorted keys, no blanks, ASCII only."""
    return _ENCODE(value)


def digest_of(text: str) -> str:
    """Return the SHA-256 in hexadecimal digits, of any text that JSON can carry, half surrogate pairs too."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
