"""Which permission each route of the HTTP interface needs. A route that is not here is denied to everyone."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TABLE = "/api/tables/{table}"

PUBLIC_ROUTES: Final = frozenset({"POST /api/login", "GET /api/health", "GET /api/openapi.json"})
"""What is answered to somebody who has not logged in."""

COMMANDS: Final = f"POST {_TABLE}/commands"
"""Open to everyone who has logged in; a command then needs the permission of its own name."""

ROUTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "POST /api/logout": "session.use",
        "GET /api/me": "session.use",
        "POST /api/me/password": "session.use",
        "POST /api/me/confirmation": "account.confirm",
        "GET /api/balance": "session.use",
        "POST /api/submissions/check": "session.use",
        COMMANDS: "session.use",
        "GET /api/tables": "tables.read",
        f"GET {_TABLE}": "state.read",
        f"GET {_TABLE}/events": "events.read",
        f"GET {_TABLE}/stream": "events.read",
        f"GET {_TABLE}/rounds": "events.read",
        f"GET {_TABLE}/rounds/{{number}}": "events.read",
        f"GET {_TABLE}/rounds/{{number}}/deal": "events.read",
        f"GET {_TABLE}/balances": "balances.read",
        "GET /api/meters": "meters.read",
        "GET /api/meters/stream": "meters.read",
        "GET /api/meters/{meter}/history": "meters.read",
        "POST /api/meters": "meter.open",
        "POST /api/meters/{meter}/changes": "meter.propose",
        "GET /api/property": "consent.read",
        "POST /api/property": "property.propose",
        # What waits for a second person; whose consent counts for which act is in TWO_PEOPLE
        "GET /api/changes": "consent.read",
        "POST /api/changes/{number}/approve": "consent.give",
        "POST /api/changes/{number}/reject": "consent.refuse",
        "GET /api/accounts": "account.list",
        "POST /api/accounts": "account.create",
        "POST /api/accounts/{id}/disable": "account.disable",
        "POST /api/accounts/{id}/enable": "account.enable",
        "POST /api/accounts/{id}/reset": "account.reset",
        "POST /api/accounts/{id}/role": "account.set-role",
        "GET /api/audit/events": "audit.read",
        "GET /api/audit/significant": "audit.read",
        "POST /api/audit/verify": "audit.verify",
        "GET /api/audit/export": "audit.export",
        "POST /api/audit/acknowledge": "audit.acknowledge",
    }
)
"""Every route that is not public, by method and path."""

ANYBODY: Final = ""
"""What a page needs that is open without an account."""

PAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "/": ANYBODY,
        "/login": ANYBODY,
        "/logout": ANYBODY,
        "/password": ANYBODY,
        "/law": ANYBODY,
        "/accounts": "account.list",
        "/settle": ANYBODY,
        "/analyst": ANYBODY,
        "/analyst/letters": ANYBODY,
        "/analyst/strategy": ANYBODY,
        "/analyst/hand": ANYBODY,
        "/analyst/progressive": ANYBODY,
        "/analyst/together": ANYBODY,
        "/analyst/design": ANYBODY,
        "/analyst/protect": ANYBODY,
        "/analyst/simulation": ANYBODY,
        "/analyst/equity": ANYBODY,
        "/analyst/{what}.{kind}": ANYBODY,
        "/submissions": ANYBODY,
        "/submissions/{what}.{kind}": ANYBODY,
        "/signs": ANYBODY,
        "/signs/{what}.{kind}": ANYBODY,
        "/felt/{game}.svg": ANYBODY,
        "/picture/{game}.svg": ANYBODY,
        "/practice/{game}": ANYBODY,
        "/practice/{game}/{token}": ANYBODY,
        "/watch": ANYBODY,
        "/watch/{game}": ANYBODY,
        "/watch/{game}/{token}": ANYBODY,
        "/table/{table}": "state.read",
        "/floor": "consent.read",
        "/consents": "consent.read",
        "/slips": "audit.read",
        "/slips.{kind}": "audit.read",
        "/slip/{table}": "audit.read",
        "/slip/{table}/{number}": "audit.read",
        "/meters": "meters.read",
        "/audit": "session.use",
        "/audit.{kind}": "session.use",
        "/audit/{table}/{number}": "session.use",
        "/incidents": "audit.read",
        "/incidents.{kind}": "audit.read",
        "/school": ANYBODY,
        "/school/exam": "session.use",
        "/school/certificate": "session.use",
        "/school/progress.{kind}": "session.use",
        "/school/class": "school.read-class",
        "/school/class.{kind}": "school.read-class",
    }
)
"""What each page needs, by its path. A page that is not here is not served."""
