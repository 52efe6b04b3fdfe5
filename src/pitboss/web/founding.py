"""The first administrator of a house: the password is asked for, or lies in a file that only its owner can read."""

import sys
from collections.abc import Callable
from getpass import getpass
from pathlib import Path
from typing import Final

from pitboss.findings import FindingsError
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.passwords import one_time, write_for_owner
from pitboss.ledger.people import People

FILE: Final = "first-administrator-password"
ATTEMPTS: Final = 5


class NotFoundedError(LedgerError):
    """Nobody has said what the first administrator's password is."""


def found_house(people: People, folder: Path, tell: Callable[[str], None]) -> None:
    """Where there is nobody yet, make an administrator. The password itself is never printed."""
    if not people.is_empty():
        return
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        _asked(people, tell)
        return
    password = one_time()
    path = folder / FILE
    write_for_owner(path, password)
    if (person := people.first_administrator(password, must_change=True)) is None:
        path.unlink(missing_ok=True)
    else:
        tell(f"First administrator: {person.id}; the password is in {path} (change it at the first log-in)")


def _asked(people: People, tell: Callable[[str], None]) -> None:
    tell("This house has no account yet: choose a password for its first administrator.")
    for _ in range(ATTEMPTS):
        password = getpass("Password of the account 'administrator': ")
        if password != getpass("Once more: "):
            tell("The two are not the same.")
            continue
        try:
            people.first_administrator(password, must_change=False)
        except FindingsError as refused:
            for finding in refused.findings:
                tell(finding.sentence)
        else:
            tell("First administrator: administrator")
            return
    raise NotFoundedError("the first administrator has no password; start again and choose one")
