"""Who is calling: the one place that says which address a caller has, and whether a page of this site asks."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import Scope

CHANNEL: Final = "/live"
"""Where pages open their sockets."""
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


def same_origin(asking: HTTPConnection) -> bool:
    """Whether a press comes from a page of this site; browsers say so themselves."""
    site = asking.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return _same_site(asking.headers.get("origin", ""), asking.headers.get("host", ""), asking.scope["scheme"])


def _same_site(origin: str, host: str, scheme: str) -> bool:
    """The scheme is left out of it: a proxy may speak TLS where this server does not."""
    try:
        theirs, ours = urlsplit(origin), urlsplit(f"//{host}")
        port = theirs.port or PORTS.get(theirs.scheme)
        own = {ours.port} if ours.port else {PORTS.get(scheme), PORTS.get(theirs.scheme)}
    except ValueError:
        return False
    return theirs.scheme in ("http", "https") and bool(host) and theirs.hostname == ours.hostname and port in own
