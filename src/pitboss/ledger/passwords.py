"""Passwords: stored as argon2id, and refused where a stranger would guess them."""

import os
import secrets
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from pitboss.findings import Finding, UnreadableError, refusal
from pitboss.games.registry import GAMES
from pitboss.ledger.files import private_file

SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 1024
FEWEST_SURPRISES: Final = 5
"""Characters that neither repeat the one before nor lie next to it on a keyboard or in the alphabet."""
TELLING: Final = 3
"""An id or a name that is shorter says nothing: half of all passwords contain some two letters."""

_AT_ONCE: Final = 2
"""Checks of a password together: strangers can ask for them, and no more than 200 MB may be what they take."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_ROWS: Final = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890")
_NEXT: Final = frozenset(pair for row in _ROWS for run in (row, row[::-1]) for pair in pairwise(run))
_READ_AS: Final = str.maketrans("013457@$", "oieastas")
_WORDS: Final = """
    password passwords passphrase secret letmein welcome changeme default administrator admin login access enter
    opensesame iloveyou sunshine princess football baseball basketball superman batman starwars dragon monkey shadow
    master freedom whatever trustno computer internet summer winter spring autumn monday friday january december
    pitboss casino blackjack poker jackpot dealer floorperson manager cashier cage chips royalflush
    highroller highcard fullhouse straightflush pennsylvania philadelphia
    pittsburgh harrisburg steelers eagles phillies penguins thequickbrownfox correcthorsebatterystaple qwertyqwerty
    mypassword thepassword yourpassword newpassword oldpassword firstpassword testtest testing nopassword onetwothree
"""
COMMON: Final = frozenset({*_WORDS.split(), *(name.replace("-", "") for name in GAMES)})
"""Words that a stranger tries first, alone or doubled, with figures and signs around them or in place of letters."""


@dataclass(frozen=True)
class Cost:
    """What one check of a password costs: memory in KiB, passes over it, lanes (RFC 9106, section 3.1)."""

    memory: int = 64 * 1024
    passes: int = 3
    lanes: int = 4


COST: Final = Cost()


class Passwords:
    """Argon2id, a few at a time: each takes 64 MiB, and a crowd at the door must not take all memory."""

    def __init__(self, cost: Cost) -> None:
        self._hasher = PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory, parallelism=cost.lanes)
        self._at_once = threading.BoundedSemaphore(_AT_ONCE)
        self._nobodys = self.hashed(secrets.token_urlsafe(32))

    def hashed(self, password: str) -> str:
        with self._at_once:
            return self._hasher.hash(_spelled(password))

    def match(self, hashed: str | None, password: str) -> bool:
        """Works as long for nobody's password, which nobody knows, as for somebody's."""
        with self._at_once:
            try:
                return self._hasher.verify(hashed or self._nobodys, _spelled(password))
            except VerificationError:
                return False

    def renewed(self, hashed: str, password: str) -> str:
        """What to keep after a log-in: the same, or a new one where the cost was changed since."""
        return self.hashed(password) if self._hasher.check_needs_rehash(hashed) else hashed


def one_time() -> str:
    """A password to be shown once and changed at the first log-in: 98 bits, in letters that nobody misreads."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(4))


def write_for_owner(path: Path, password: str) -> None:
    """Into a file that is its owner's only from the first byte on; what lay there before is put aside."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(private_file(path, os.O_WRONLY | os.O_EXCL), "w", encoding="utf-8") as file:
            file.write(f"{password}\n")
    except OSError as error:
        raise UnreadableError(f"The password cannot be left in {path}: {error.strerror or error}.") from None


def as_bytes(value: str) -> bytes:
    """Takes any text that JSON can carry, half surrogate pairs too."""
    return value.encode("utf-8", "surrogatepass")


def _spelled(password: str) -> bytes:
    """One spelling of each letter, whatever the keyboard sends; what is too long to be a password matches none."""
    return as_bytes(unicodedata.normalize("NFC", password)) if len(password) <= LONGEST_PASSWORD else b""


def length_findings(password: str) -> Iterator[Finding]:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        expected = f"{SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters"
        yield _finding(expected, f"{len(password)} characters", f"A password has {expected}.")


def password_findings(password: str, id: str, name: str) -> Iterator[Finding]:
    """Why a password is refused; says what is wrong with it, never what it was."""
    if wrong := [*length_findings(password)]:
        yield from wrong
        return
    plain = _plain(password)
    if any(len(_plain(own)) >= TELLING and _plain(own) in plain for own in (id, name)):
        yield _finding("neither id nor name", "one of them", "A password does not contain the account's id or name.")
    elif is_common(password):
        yield _finding("a password of your own", "a common one", "That password is one of those that are tried first.")
    elif surprises(password) < FEWEST_SURPRISES:
        sentence = "A password is more than a row of keys, a sequence or a repeated pattern: take several words."
        yield _finding("several words", "a pattern", sentence)


def is_common(password: str) -> bool:
    """Whether a password is a common word, whatever stands around it.

    >>> is_common("Password123!"), is_common("l3tm31n-2026"), is_common("casino casino"), is_common("nine green chips")
    (True, True, True, False)
    """
    text = password.casefold()
    kept = "".join(c for c in text if c.isalnum())
    bare = {text.strip("0123456789"), kept.strip("0123456789"), kept}
    words = {"".join(c for c in form.translate(_READ_AS) if c.isalpha()) for form in bare}
    words |= {"".join(c for c in form if c.isalpha()) for form in bare}
    return any(_unit(word) in COMMON for word in words)


def surprises(password: str) -> int:
    """How many characters of a password do not follow from the one before.

    >>> surprises("qwertyuiop"), surprises("aaaabbbb1111"), surprises("zebra-zebra-zebra-"), surprises("green chips")
    (1, 2, 6, 8)
    """
    text = _unit(password.casefold())
    return sum(not (one == two or (one, two) in _NEXT) for one, two in zip("\0" + text, text, strict=False))


def _unit(text: str) -> str:
    """What a text repeats from its beginning to its end, or the text itself."""
    return next((text[:n] for n in range(1, len(text)) if (text[:n] * (len(text) // n + 1))[: len(text)] == text), text)


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _finding(expected: str, found: str, sentence: str) -> Finding:
    return refusal("password", expected, found, sentence, "password")
