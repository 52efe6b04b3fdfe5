"""Who is calling: the one place that says which address a caller has, and which page may open a socket."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from anyio import to_thread
from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection
from starlette.types import Scope

from pitboss.ledger.errors import LedgerError
from pitboss.ledger.people import People

SOCKETS: Final = "/_nicegui_ws/"
"""Where pages open their sockets, by websocket or by polling."""
VISIT: Final = "session"
"""The site's own cookie, which every page sets, for visitors without an account too."""
VISIT_SECONDS: Final = 14 * 24 * 3600
UNKNOWN: Final = "unknown"
PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def address_of(scope: Scope) -> str:
    """The caller's address, for limits. A header about it counts only if a trusted proxy sent it (``server_of``)."""
    client = scope.get("client")
    return plain_address(client[0] if client else "")


def plain_address(host: str) -> str:
    """One name for one caller: somebody with IPv6 has a whole network of addresses.

    >>> plain_address("::ffff:10.0.0.7"), plain_address("2001:db8::7"), plain_address("<script>")
    ('10.0.0.7', '2001:db8::/64', 'unknown')
    """
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ip_network((found, 64), strict=False))
    return str(found)


class Sockets:
    """Whether a page may open its socket: from this site, with a session that this site gave."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._cookie = ""
        self._signer: TimestampSigner | None = None

    def know(self, secret: str, cookie: str) -> None:
        """How the pages sign their visitors' cookie, and what their sessions are called."""
        self._signer, self._cookie = TimestampSigner(secret), cookie

    async def why_not(self, scope: Scope) -> str:
        """A sentence, or nothing if it may."""
        asking = HTTPConnection(scope)
        origin = asking.headers.get("origin")
        if (origin is None and scope["type"] == "websocket") or (
            origin is not None and not _same_site(origin, asking.headers.get("host", ""), scope["scheme"])
        ):
            return "A socket is opened only by a page of this site."
        if not self._visiting(asking.cookies.get(VISIT, "")):
            token = asking.cookies.get(self._cookie, "")
            try:
                if not 0 < len(token) <= 200 or not await to_thread.run_sync(self._alive, token):
                    return "A socket needs the session of a page that was opened before."
            except LedgerError as problem:
                return f"Sessions cannot be checked now: {problem}."
        return ""

    def _visiting(self, cookie: str) -> bool:
        if self._signer is None or not cookie or len(cookie) > 4096:
            return False
        try:
            self._signer.unsign(cookie.encode("utf-8", "replace"), max_age=VISIT_SECONDS)
        except BadSignature:
            return False
        return True

    def _alive(self, token: str) -> bool:
        return self._people.session_of(token, active=False) is not None


def _same_site(origin: str, host: str, scheme: str) -> bool:
    """The scheme is left out of it: a proxy may speak TLS where this server does not."""
    try:
        theirs, ours = urlsplit(origin), urlsplit(f"//{host}")
        port = theirs.port or PORTS.get(theirs.scheme)
        own = {ours.port} if ours.port else {PORTS.get(scheme), PORTS.get(theirs.scheme)}
    except ValueError:
        return False
    return theirs.scheme in ("http", "https") and bool(host) and theirs.hostname == ours.hostname and port in own
