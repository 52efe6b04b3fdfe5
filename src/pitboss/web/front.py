"""Where the house meets the network: address, certificate, proxies, and what may not stand in the open."""

import socket
import ssl
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path

from pitboss.ledger.errors import LedgerError

HOST = "127.0.0.1"
PORT = 8641


class FrontError(LedgerError):
    """The server cannot, or should not, be reached as configured."""


@dataclass(frozen=True)
class Front:
    """How a server is reached. ``trusted_proxies`` are addresses or networks whose headers about callers count."""

    host: str = HOST
    port: int = PORT
    certificate: Path | None = None
    key: Path | None = None
    secure_cookies: bool = False
    proxy_headers: bool = False
    trusted_proxies: tuple[str, ...] = ()
    demo_in_public: bool = False

    @property
    def tls(self) -> bool:
        return self.certificate is not None

    @property
    def proxies(self) -> tuple[str, ...]:
        return (self.trusted_proxies or ("127.0.0.1", "::1")) if self.proxy_headers else ()

    def url(self, port: int) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.tls else ''}://{host}:{port}"

    def check(self, demo: bool = False) -> None:
        """Refuse, in a sentence, what would not work or would let in anybody who has read the manual."""
        if (self.certificate is None) != (self.key is None):
            raise FrontError("TLS needs both: --certificate FILE and --key FILE")
        if self.certificate is not None and self.key is not None:
            _check_certificate(self.certificate, self.key)
        if self.trusted_proxies and not self.proxy_headers:
            raise FrontError("--trusted-proxy says whose headers count; give --proxy-headers with it")
        for proxy in self.trusted_proxies:
            _check_proxy(proxy)
        if demo and not self.demo_in_public and (self.proxy_headers or not is_loopback(self.host)):
            where = "behind a proxy" if self.proxy_headers else f"at {self.host or 'every address'}"
            raise FrontError(
                f"the demonstration's accounts have passwords that everybody knows; serve it {where} only with "
                "--yes-demo-accounts-in-public, or at 127.0.0.1"
            )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it; a name counts by every address that it stands for.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("::"), is_loopback("")
    (True, True, False, False, False)
    """
    if not host:
        return False
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        return False
    return bool(found) and all(ip_address(address.partition("%")[0]).is_loopback for address in found)


def _check_certificate(certificate: Path, key: Path) -> None:
    for path in (certificate, key):
        try:
            with path.open("rb"):
                pass
        except OSError as problem:
            raise FrontError(f"{path} cannot be read ({problem.strerror})") from None
    try:
        # An empty password keeps the library from asking for one at the terminal.
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key, password=lambda: "")
    except (OSError, ValueError) as problem:  # an SSLError is one of the first
        reason = getattr(problem, "reason", None) or str(problem)
        raise FrontError(
            f"{certificate} and {key} are not a certificate and its key in PEM without a password ({reason})"
        ) from None


def _check_proxy(text: str) -> None:
    try:
        network = ip_network(text)
    except ValueError:
        raise FrontError(f"{text!r} is not an address or network, such as 10.0.0.5 or 10.0.0.0/24") from None
    if network.num_addresses == 1 << network.max_prefixlen:
        raise FrontError(f"{text} is every address there is: then anybody could say where they come from")
