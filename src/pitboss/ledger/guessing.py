"""Guesses at passwords: slowed by where they come from, so that no stranger can shut somebody else out.

Three counts grow with every wrong password. The first is of the address and the id together, and it binds everybody.
The other two, of the address and of the account, only bind an address from which the person never logged in: where
somebody works every day, other people's guesses change nothing. Each count leaves some mistakes free and then asks
for a wait that doubles.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from pitboss.clock import MICROSECONDS
from pitboss.findings import Finding, FindingsError, refusal
from pitboss.table.desk import HOUR

SECOND: Final = MICROSECONDS
FREE_FAILURES: Final = 5
"""Of one address at one id."""
FREE_AT_ADDRESS: Final = 25
FREE_AT_ACCOUNT: Final = 50
LONGEST_DELAY: Final = 15 * 60 * SECOND
LONGEST_FOR_ALL: Final = 60 * SECOND
"""The longest wait at an account for addresses it does not know: a stranger's guesses must not keep its person out."""
FORGOTTEN: Final = HOUR
"""After so long without an attempt a count starts over."""
MOST_COUNTS: Final = 10_000


class LogInRefusedError(FindingsError):
    """A log-in that was refused; ``wait`` is the number of seconds until another is considered."""

    def __init__(self, finding: Finding, wait: int) -> None:
        self.wait = wait
        super().__init__([finding])


def delay_after(failures: int, free: int = FREE_FAILURES, longest: int = LONGEST_DELAY) -> int:
    """Microseconds without log-in after so many failures in a row: 1 s after the fifth, then twice as long each time.

    >>> [delay_after(failures) // SECOND for failures in (4, 5, 6, 14, 15, 1000)]
    [0, 1, 2, 512, 900, 900]
    """
    beyond = failures - free
    return 0 if beyond < 0 else min(longest, SECOND << min(beyond, 10))


def wait_sentence(seconds: int) -> str:
    return f"Wait {seconds} second{'s' if seconds != 1 else ''} before the next attempt."


@dataclass(frozen=True)
class Tries:
    """Failures in a row, and the moment until which no other attempt is considered."""

    failures: int = 0
    locked_until: int = 0
    last: int = 0

    def check(self, now: int) -> None:
        wait = self.locked_until - now
        # A longer wait than the longest means that the clock was set back.
        if 0 < wait <= LONGEST_DELAY:
            seconds = -(-wait // SECOND)
            sentence = f"Too many attempts were wrong. {wait_sentence(seconds)}"
            raise LogInRefusedError(refusal("login-delay", "a later attempt", "", sentence), seconds)

    def next(self, now: int, free: int, longest: int = LONGEST_DELAY) -> "Tries":
        failures = self.failures + 1 if now - self.last <= FORGOTTEN or not self.last else 1
        delay = delay_after(failures, free, longest)
        return Tries(failures, now + delay if delay else 0, now)


class GuessCounts:
    """Tries by name, in memory: anybody can invent any number of names, so the oldest are forgotten."""

    def __init__(self, free: int, longest: int = LONGEST_DELAY) -> None:
        self._free = free
        self._longest = longest
        self._tries: OrderedDict[Hashable, Tries] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tries)

    def check(self, name: Hashable, now: int) -> None:
        self._tries.get(name, Tries()).check(now)

    def count(self, name: Hashable, now: int) -> Tries:
        tries = self._tries.get(name, Tries()).next(now, self._free, self._longest)
        self._tries[name] = tries
        self._tries.move_to_end(name)
        if len(self._tries) > MOST_COUNTS:
            self._tries.popitem(last=False)
        return tries

    def forget(self, name: Hashable) -> None:
        self._tries.pop(name, None)

    def undo(self, name: Hashable) -> None:
        """Take back one attempt that was none of a guesser's; a wait that others have earned stays."""
        if (tries := self._tries.get(name)) is not None:
            failures = max(0, tries.failures - 1)
            self._tries[name] = Tries(failures, tries.locked_until if failures >= self._free else 0, tries.last)


class Guesses:
    """The counts of one house. An attempt is counted before its password is checked, so none are shared."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.pairs = GuessCounts(FREE_FAILURES)
        self.addresses = GuessCounts(FREE_AT_ADDRESS)
        self.strangers = GuessCounts(FREE_AT_ACCOUNT, LONGEST_FOR_ALL)
        """Ids without an account, slowed like those that have one."""

    def attempt(self, address: str, id: Hashable, known: bool, account: Tries | None, now: int) -> tuple[Tries, Tries]:
        """The account's tries and those that bind this caller, both after one more; or ``LogInRefusedError``."""
        with self._lock:
            self.pairs.check((address, id), now)
            if not known:
                self.addresses.check(address, now)
                if account is None:
                    self.strangers.check(id, now)
                else:
                    account.check(now)
            mine = self.pairs.count((address, id), now)
            others = mine if known else self.addresses.count(address, now)
            if account is None:
                whole = self.strangers.count(id, now)
            else:
                whole = account.next(now, FREE_AT_ACCOUNT, LONGEST_FOR_ALL)
        binding = (mine,) if known else (mine, others, whole)
        return whole, max(binding, key=lambda tries: tries.locked_until)

    def succeeded(self, address: str, id: Hashable, known: bool) -> None:
        """The right password: the mistakes before it were the person's own."""
        with self._lock:
            self.pairs.forget((address, id))
            if not known:
                self.addresses.undo(address)
