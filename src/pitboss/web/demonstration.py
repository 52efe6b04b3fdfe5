"""A house to look at: somebody in every job function and one open table for each game."""

import secrets
from collections.abc import Iterator
from uuid import uuid4

from pitboss.games.registry import GAMES
from pitboss.ledger.people import People, Person
from pitboss.ledger.pit import Pit
from pitboss.submission import template
from pitboss.table.opening import day_of
from pitboss.table.roles import Role

STAFF = {
    "dealer-1": ("First dealer", Role.DEALER),
    "floor-1": ("First floorperson", Role.FLOORPERSON),
    "manager-1": ("First pit manager", Role.PIT_MANAGER),
    "manager-2": ("Second pit manager", Role.PIT_MANAGER),
    "auditor-1": ("First auditor", Role.AUDITOR),
    "player-1": ("First player", Role.PLAYER),
    "player-2": ("Second player", Role.PLAYER),
}
FILL = 50_000_000


def prepare(pit: Pit, people: People) -> Iterator[str]:
    """Make who and what is missing; a line for each thing that somebody has to know."""
    known = {account.person.id for account in people.everyone()}
    password = f"demo-{secrets.token_hex(6)}"
    missing = {id: given for id, given in STAFF.items() if id not in known}
    for id, (name, role) in missing.items():
        people.create(id, name, role, password, None)
    if missing:
        yield f"Demonstration accounts {', '.join(missing)}, password {password} (shown only now)"
    manager = Person("manager-1", *STAFF["manager-1"])
    tables = {table.id for table in pit.tables()}
    for number, game in enumerate(GAMES, 1):
        table = f"t{number}"
        if table not in tables:
            body = {"command": "open_table", "submission": template(game, day_of(pit.clock())), "fill": FILL}
            reply = pit.act(table, body, manager, f"demonstration-{uuid4()}")
            yield f"Table {table}: {game}" if reply.accepted else f"Table {table} stays closed: {reply.text}"
