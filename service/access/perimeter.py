"""Where requests may come from: host names, origins of web pages, public paths; how large and slow a body may be."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from service.errors import SettingsInvalid

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - recognised, not listened on
PUBLIC_PATHS = frozenset({"/", "/docs", "/signin", "/signout", "/favicon.ico"})
PUBLIC_PREFIXES = ("/health/",)
FORMS = "/do/"
"""What is posted here may be a form: the pages look for a token in it that no other site knows."""
LINK_PREFIXES = ("/v1/shares/", "/share/")
"""Paths with the secret of a link behind them: no key is needed, and one that is brought is heard."""
DEFAULT_BODY_BYTES = 16_000_000
KEYLESS_BODY_BYTES = 10_000
"""What anybody may send: a form with a token, or the first message on a socket, which brings a key."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds are waited for what a client has begun, before its connection is closed."""

    body: float = 120.0
    """For a whole body."""
    pause: float = 20.0
    """Between two parts of it."""
    greeting: float = 10.0
    """For the first message on a socket, which brings the key."""


@dataclass(frozen=True, slots=True)
class Perimeter:
    hosts: frozenset[str]
    any_address: bool
    """Whether a bare address is a host name of ours: it is when the service listens on all of them."""
    origins: frozenset[str]
    public_prefixes: tuple[str, ...]
    body_bytes: int

    def host_allowed(self, header: bytes | None) -> bool:
        """Against DNS rebinding: a page of another name that resolves to this machine still sends that name."""
        if not header:
            return False
        name = _name_of(header.decode("latin-1"))
        return name in self.hosts or (self.any_address and _is_address(name))

    def origin_allowed(self, origin: bytes, host: bytes, scheme: str) -> bool:
        """Our own origin, or one that is named. Behind a proxy that ends TLS our own is https where we see http."""
        text = origin.decode("latin-1").lower()
        authority = host.decode("latin-1").lower()
        secure = scheme in ("https", "wss")
        own = (f"https://{authority}",) if secure else (f"https://{authority}", f"http://{authority}")
        return text in own or text in self.origins

    def names(self, origin: bytes) -> bool:
        """Whether the settings name this origin: its pages may read the answers."""
        return origin.decode("latin-1").lower() in self.origins

    def is_link(self, path: str) -> bool:
        return path.startswith(LINK_PREFIXES)

    def is_public(self, path: str) -> bool:
        return path in PUBLIC_PATHS or path.startswith(self.public_prefixes)


def perimeter(
    *,
    host: str,
    allowed_hosts: Iterable[str] = (),
    allowed_origins: Iterable[str] = (),
    public_prefixes: Iterable[str] = (),
    body_bytes: int = DEFAULT_BODY_BYTES,
) -> Perimeter:
    """`host` is the address that the service listens on; `public_prefixes` those of its static files."""
    named = {_checked_host(one) for one in allowed_hosts}
    return Perimeter(
        hosts=frozenset({*LOOPBACK_NAMES, host.lower(), *named} - {*EVERYWHERE}),
        any_address=host in EVERYWHERE,
        origins=frozenset(_checked_origin(one) for one in allowed_origins),
        public_prefixes=(*PUBLIC_PREFIXES, *public_prefixes),
        body_bytes=body_bytes,
    )


def _checked_host(host: str) -> str:
    if not host or "/" in host or "*" in host or _name_of(host) != host.lower().strip("[]"):
        raise SettingsInvalid("TASKLORE_ALLOWED_HOSTS", f"{host!r} is no host name without a port")
    return host.lower().strip("[]")


def _checked_origin(origin: str) -> str:
    parts = urlsplit(origin)
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or origin.lower() != f"{parts.scheme}://{parts.netloc}".lower()
    ):
        raise SettingsInvalid(
            "TASKLORE_ALLOWED_ORIGINS", f"{origin!r} does not look like https://app.example.org, with nothing after it"
        )
    return origin.lower()


def _name_of(header: str) -> str:
    """The name in a Host header: without port, and without the brackets of an IPv6 address."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.rpartition(":")[0].lower() if header.count(":") == 1 else header.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def loggable(path: str) -> str:
    """A path as logs may hold it: without what is a secret in it."""
    prefix = next((one for one in LINK_PREFIXES if path.startswith(one)), None)
    return path if prefix is None else f"{prefix}…"
