"""Tables for the scripts: opened, seated, linked and played on by whatever the procedure asks for next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from tests.table.driver import DAY, submission_text

from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.meters import settings_of
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit, Reply
from pitboss.ledger.store import Writing
from pitboss.submission import read_submission, rules_of, template
from pitboss.table.autoplay import automatic
from pitboss.table.roles import Role
from pitboss.table.state import Phase, Table
from scripts.common import DEALER, FLOOR, MANAGER, Clerk, player

WHO = {Role.DEALER: DEALER, Role.FLOORPERSON: FLOOR, Role.PIT_MANAGER: MANAGER, Role.PLAYER: DEALER}
STEPS_AT_MOST = 500


def linked_submission(game: str = "three-card-poker", dealing: str = "hand") -> str:
    filed = read_submission(submission_text(game, dealing))
    wagers = {name: replace(choice, linked=choice.amount is not None) for name, choice in filed.wagers.items()}
    return template(game, DAY, replace(filed, wagers=wagers))


def open_links(pit: Pit, submission: str, names: Sequence[str]) -> dict[str, str]:
    """One meter of the house for each of the meters named."""
    rules, _ = rules_of(read_submission(submission), DAY)
    assert rules is not None
    links = {name: f"link-{name.replace('_', '-')}" for name in names}
    for name, meter in links.items():
        pit.open_meter(meter, settings_of(rules, name), MANAGER)
    return links


def open_table(
    clerk: Clerk,
    table: str,
    submission: str,
    players: Mapping[int, str],
    *,
    source: str = "virtual",
    meters: Mapping[str, str] | None = None,
    chips: int = 100_000_000,
) -> None:
    """Open a table, seat the players with their chips, and bring preshuffled cards to it."""
    clerk.do(table, MANAGER, "open_table", submission=submission, source=source, meters=dict(meters or {}), fill=10**8)
    for slip in range(2, 11):  # the opening fill took the first slip of the day, and each is bounded by the property
        clerk.do(table, MANAGER, "fill", amount=10**8, slip=slip)
    for slip, (seat, name) in enumerate(players.items(), 11):
        clerk.do(table, DEALER, "sit", seat=seat, player=name)
        clerk.do(table, MANAGER, "buy_in", amount=chips, player=name, slip=slip)
    clerk.do(table, FLOOR, "receive_decks", preinspected=True)
    clerk.do(table, DEALER, "cut", at=26)


def asked(pit: Pit, table: Table) -> tuple[Person, dict[str, Any]] | None:
    """Who does what next; none where players are waited for."""
    with pit.store.reading() as reading:
        desk = LedgerDesk(cast(Writing, reading), pit.clock(), DEALER.id, DEALER.role, pit.randomness)
        following = automatic(table, desk)
    if following is None:
        return None
    step, command = following
    return WHO[step.role], command.as_dict()


def go_on(pit: Pit, clerk: Clerk, table: str) -> Reply | None:
    """The next step of the procedure, done."""
    following = asked(pit, pit.table(table))
    if following is None:
        return None
    who, body = following
    return clerk.do(table, who, body.pop("command"), **body)


def play_until(pit: Pit, clerk: Clerk, table: str, *phases: Phase) -> None:
    for _ in range(STEPS_AT_MOST):
        if pit.table(table).phase in phases:
            return
        if go_on(pit, clerk, table) is None:
            raise RuntimeError(f"{table} waits in {pit.table(table).phase}")
    raise RuntimeError(f"{table} never came to {phases}")


def seated(count: int, table: str) -> dict[int, str]:
    return {seat: f"{table}-player-{seat}" for seat in range(1, count + 1)}


def people_of(tables: Mapping[str, Mapping[int, str]]) -> list[Person]:
    return [DEALER, FLOOR, MANAGER, *(player(name) for seats in tables.values() for name in seats.values())]
