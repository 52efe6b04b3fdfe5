"""Who may do what: one table for every act of every job function. What is not in it is denied."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pitboss.findings import Finding
from pitboss.table.roles import Role

_D = Role.DEALER
_F = Role.FLOORPERSON
_M = Role.PIT_MANAGER
_C = Role.CASHIER
_P = Role.PLAYER
_A = Role.AUDITOR
_X = Role.ADMINISTRATOR

EVERYONE: Final = frozenset({_D, _F, _M, _C, _P, _A, _X})
"""Everyone who can log in. The software itself asks nobody, so ``Role.SYSTEM`` stands in no row of the table."""

_TABLE: Mapping[str, set[Role]] = {
    # The table and its cards
    "open_table": {_M},
    "close_table": {_F, _M},
    "receive_decks": {_D, _F, _M},
    "inspect_cards": {_D},
    "verify_inspection": {_F, _M},
    "spread_cards": {_D},
    "player_inspected": {_D, _P},
    "wash_cards": {_D},
    "shuffle": {_D},
    "cut": {_D},
    "order_recut": {_F, _M},
    "spread_idle": {_D},
    "order_shuffle": {_F, _M},
    "change_decks": {_F, _M},
    "change_limits": {_M},
    # Seats and chips
    "sit": {_D, _P},
    "leave": {_D, _P},
    "take_box": {_D, _P},
    "release_box": {_D, _P},
    "buy_in": {_C, _F, _M},
    "cash_out": {_C, _F, _M},
    "repay": {_C, _F, _M},
    "fill": {_C, _F, _M},
    "credit": {_C, _F, _M},
    # The round of play
    "wager": {_D, _P},
    "withdraw": {_D, _P},
    "no_more_bets": {_D},
    "count_chips": {_D},
    "return_wager": {_F, _M},
    "deal": {_D},
    "stub": {_D},
    "decide": {_D, _P},
    "lock_decisions": {_D},
    "draw": {_D},
    "reveal": {_D},
    "settle": {_D},
    "validate": {_F, _M},
    "complete_paperwork": {_F, _M},
    "discard": {_D},
    "count_deck": {_D},
    "abandon": {_F, _M},
    # Irregularities and devices
    "irregularity": {_D, _F, _M},
    "cover_device": {_D, _F, _M},
    "change_method": {_F, _M},
    "repair_device": {_F, _M},
}

_PIT: Mapping[str, set[Role]] = {
    "meter.open": {_M},
    "meter.propose": {_M},
    "meter.approve": {_F, _M, _X},
    "meter.reject": {_F, _M, _X},
    "account.create": {_X},
    "account.disable": {_X},
    "account.set-role": {_X},
    "account.list": {_A, _X},
    "audit.read": {_F, _M, _A, _X},
    "audit.verify": {_A, _X},
    "audit.export": {_A, _X},
    "audit.backup": {_X},
    "meters.read": {*EVERYONE},
    "tables.read": {*EVERYONE},
    "events.read": {*EVERYONE},
    "state.read": {*EVERYONE},
}

_TABLES = "/api/tables/{table}"
_ROUTES: Mapping[str, set[Role]] = {
    # Everyone who has logged in; a command then needs the permission of its own name
    "POST /api/logout": {*EVERYONE},
    "GET /api/me": {*EVERYONE},
    "POST /api/me/password": {*EVERYONE},
    "GET /api/tables": {*EVERYONE},
    f"GET {_TABLES}": {*EVERYONE},
    f"POST {_TABLES}/commands": {*EVERYONE},
    f"GET {_TABLES}/events": {*EVERYONE},
    f"GET {_TABLES}/stream": {*EVERYONE},
    f"GET {_TABLES}/rounds": {*EVERYONE},
    f"GET {_TABLES}/rounds/{{number}}": {*EVERYONE},
    f"GET {_TABLES}/rounds/{{number}}/deal": {*EVERYONE},
    "GET /api/balance": {*EVERYONE},
    "GET /api/meters": {*EVERYONE},
    "GET /api/meters/stream": {*EVERYONE},
    "GET /api/meters/{meter}/history": {*EVERYONE},
    "POST /api/submissions/check": {*EVERYONE},
    # The chips of others
    f"GET {_TABLES}/balances": {_D, _F, _M, _C, _A},
    # Meters
    "POST /api/meters": _PIT["meter.open"],
    "POST /api/meters/{meter}/changes": _PIT["meter.propose"],
    "GET /api/changes": {_F, _M, _A, _X},
    "POST /api/changes/{number}/approve": _PIT["meter.approve"],
    "POST /api/changes/{number}/reject": _PIT["meter.reject"],
    # Accounts
    "GET /api/accounts": _PIT["account.list"],
    "POST /api/accounts": _PIT["account.create"],
    "POST /api/accounts/{id}/disable": _PIT["account.disable"],
    "POST /api/accounts/{id}/role": _PIT["account.set-role"],
    # Records
    "GET /api/audit/events": _PIT["audit.read"],
    "GET /api/audit/significant": _PIT["audit.read"],
    "POST /api/audit/verify": _PIT["audit.verify"],
    "GET /api/audit/export": _PIT["audit.export"],
}
"""Every route of the HTTP interface that is not public, by method and path."""

PUBLIC_ROUTES: Final = frozenset({"POST /api/login", "GET /api/health", "GET /api/openapi.json"})
"""What is answered to somebody who has not logged in."""

ALLOWED: Final[Mapping[str, frozenset[Role]]] = MappingProxyType(
    {f"table.{command}": frozenset(roles) for command, roles in _TABLE.items()}
    | {act: frozenset(roles) for act, roles in _PIT.items()}
    | {route: frozenset(roles) for route, roles in _ROUTES.items()}
)
"""From the name of a permission to the job functions that have it."""

TWO_PEOPLE: Final = frozenset({"meter.approve"})
"""Acts that complete what somebody else began: whoever proposed may not also approve."""


def may(role: Role, permission: str) -> bool:
    """Whether a job function may do an act; False for an act that nobody has listed.

    >>> may(Role.DEALER, "table.deal"), may(Role.PLAYER, "table.deal"), may(Role.ADMINISTRATOR, "table.fly")
    (True, False, False)
    """
    return role in ALLOWED.get(permission, frozenset())


def why_not(role: Role, permission: str) -> Finding:
    """The refusal to show to somebody whom ``may`` denies an act.

    >>> print(why_not(Role.PLAYER, "table.validate"))
    table.validate: A player may not do this; a floorperson or a pit manager may.
    """
    names = [_a(allowed) for allowed in Role if may(allowed, permission)]
    if not names:
        sentence = "Nobody may do this: it is not in the table of permissions."
        return Finding("permission", "", "nobody", str(role), sentence, permission)
    listed = _listed(names)
    sentence = f"{_a(role).capitalize()} may not do this; {listed} may."
    return Finding("permission", "", listed, str(role), sentence, permission)


def why_not_alone(permission: str, first: str, second: str) -> Finding | None:
    """The refusal when one person (by id) would be both people of a two-person act; None when nothing is wrong.

    >>> print(why_not_alone("meter.approve", "manager-1", "manager-1"))
    meter.approve: This needs two different people, and manager-1 is already the first.
    >>> why_not_alone("meter.approve", "manager-1", "manager-2")
    """
    if permission not in TWO_PEOPLE or first != second:
        return None
    sentence = f"This needs two different people, and {first} is already the first."
    return Finding("two-people", "", "two different people", second, sentence, permission)


def _a(role: Role) -> str:
    if role is Role.SYSTEM:
        return "the system"
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"


def _listed(names: list[str]) -> str:
    """Names as a sentence lists them: "a", "a or b", "a, b or c"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
