"""Solvency: nobody gives what he does not have, and nothing is left lying when a round is over."""

from collections.abc import Callable, Iterable, Iterator

from pitboss.findings import Finding, refusal
from pitboss.meters import UNITS_PER_CENT, Units
from pitboss.money import show_dollars
from pitboss.table.events import MAY_OWE, Happening, must_be_empty


def money_findings(table: str, events: Iterable[Happening], balance: Callable[[str], Units]) -> tuple[Finding, ...]:
    """What the events of one act would do to the books that no event may: checked after each of them, in order."""
    held: dict[str, Units] = {}
    found: dict[str, Finding] = {}
    for event in events:
        for entry in event.entries:
            if entry.account not in held:
                held[entry.account] = balance(entry.account)
            held[entry.account] += entry.units
        wanted = must_be_empty(event.kind, table)
        for account in wanted:
            held.setdefault(account, balance(account))
        for finding in faults(event, held, wanted):
            found.setdefault(finding.where, finding)
    return tuple(found.values())


def faults(event: Happening, held: dict[str, Units], empty: Iterable[str] = ()) -> Iterator[Finding]:
    """Accounts of an event that stand below zero after it, or that it should have left empty."""
    for account in {entry.account: None for entry in event.entries}:
        if held[account] < 0 and account not in MAY_OWE:
            yield _overdrawn(event.kind, account, held[account])
    for account in empty:
        if held.get(account, 0) > 0:
            left = _dollars(held[account])
            sentence = (
                f"{left} would be left on {account} after {event.kind}: a stake was settled by no line. The round "
                "stays open; a floorperson declares it void."
            )
            yield refusal("not-empty", f"{account} empty", left, sentence, account)


def _overdrawn(kind: str, account: str, units: Units) -> Finding:
    whose, _, name = account.partition(":")
    short = _dollars(-units)
    sentence = {
        "inventory": f"The inventory of {name} is {short} short for this: bring a fill first.",
        "player": f"{name} is {short} short in chips for this.",
        "meter": f"The meter {name} is {short} short for this.",
    }.get(whose, f"{account} is {short} short for this.")
    return refusal("overdrawn", f"{account} at $0 or more after {kind}", f"-{short}", sentence, account)


def _dollars(units: Units) -> str:
    """Rounded up: what is short by part of a cent is short."""
    return show_dollars(-(-units // UNITS_PER_CENT))
