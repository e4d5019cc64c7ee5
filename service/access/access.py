"""Access as a running service has it: what the guard, the sign-in page and the API share."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from service.access.buckets import Buckets
from service.access.log import AccessLog
from service.access.perimeter import DEFAULT_BODY_BYTES, Patience, Perimeter, perimeter
from service.access.turns import MOST_SOCKETS, MOST_STREAMS, Open, Turns
from service.access.viewers import Viewers

DEFAULT_A_SECOND = 500.0
DEFAULT_BURST = 1_000
STRANGERS_A_SECOND = 10.0
STRANGERS_BURST = 50
"""What one address may post without a key: to sign in and out. Each costs a transaction."""


@dataclass(frozen=True)
class Access:
    viewers: Viewers
    perimeter: Perimeter
    buckets: Buckets
    log: AccessLog
    patience: Patience = field(default_factory=Patience)
    turns: Turns = field(default_factory=Turns)
    sockets: Open = field(default_factory=lambda: Open("sockets", MOST_SOCKETS))
    streams: Open = field(default_factory=lambda: Open("streams", MOST_STREAMS))
    strangers: Buckets = field(default_factory=lambda: Buckets(STRANGERS_A_SECOND, STRANGERS_BURST))

    async def close(self) -> None:
        """Before the database is closed."""
        await self.viewers.close()


def make_access(
    viewers: Viewers,
    log: AccessLog,
    *,
    host: str,
    allowed_hosts: Iterable[str] = (),
    allowed_origins: Iterable[str] = (),
    public_prefixes: Iterable[str] = (),
    body_bytes: int = DEFAULT_BODY_BYTES,
    requests_a_second: float = DEFAULT_A_SECOND,
    request_burst: int = DEFAULT_BURST,
) -> Access:
    """A setting that is not usable is an error here, at the start."""
    return Access(
        viewers=viewers,
        perimeter=perimeter(
            host=host,
            allowed_hosts=allowed_hosts,
            allowed_origins=allowed_origins,
            public_prefixes=public_prefixes,
            body_bytes=body_bytes,
        ),
        buckets=Buckets(requests_a_second, request_burst),
        log=log,
    )
