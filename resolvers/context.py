"""What a request carries to its resolvers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from resolvers.batching import RecordLoader
from service.access.viewer import Viewer
from service.graph.database import Database


@dataclass
class Context:
    """`viewer` is absent when nobody has signed in: then every read is refused."""

    viewer: Viewer | None
    database: Database
    request_id: str
    services: Any = None
    """What the capabilities need; set by whoever builds the application."""

    connection_params: dict[str, object] | None = None
    """What a WebSocket sent in `connection_init`."""

    renew: Callable[[], Awaitable[Viewer]] | None = None
    """Asks again who is asking: what a viewer may see changes while a subscription lives, and by their own commands."""

    lasting: bool = False
    """Whether it serves one operation after another, as that of a WebSocket does."""

    loader: RecordLoader = field(default_factory=RecordLoader)

    async def refresh(self) -> None:
        """Before each operation: nobody keeps on a socket what was taken from them since it was opened."""
        if self.lasting and self.renew is not None:
            self.viewer = await self.renew()
