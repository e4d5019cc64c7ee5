"""What a request carries to its resolvers."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeVar

from resolvers.engine.batching import RecordLoader
from service.access.turns import Open, Turns
from service.access.viewer import Viewer
from service.capability import Services
from service.graph.bookmarks import Trail
from service.graph.database import Database

T = TypeVar("T")


@dataclass
class Context:
    """`viewer` is absent when nobody has signed in: then every read is refused."""

    viewer: Viewer | None
    database: Database
    request_id: str
    services: Mapping[type, Any] | Services = field(default_factory=dict[type, Any])
    """What does the work of written fields, each by its type."""

    connection_params: dict[str, object] | None = None
    """What a WebSocket sent in `connection_init`."""

    renew: Callable[[frozenset[str]], Awaitable[Viewer]] | None = None
    """Asks again who is asking: what a viewer may see changes while a subscription lives, and by their own commands.
    What was remembered of it before somebody brought these bookmarks does not do."""

    lasting: bool = False
    """Whether it serves one operation after another, as that of a WebSocket does."""

    turns: Turns | None = None
    """Whoever asks for much at once waits for their own turn."""

    streams: Open | None = None
    """How many subscriptions each principal has open."""

    awaited: Callable[[Awaitable[Any]], Awaitable[Any]] | None = None
    """Does what only reads while the client waits for it."""

    loader: RecordLoader = field(default_factory=RecordLoader)

    shared: dict[type, Any] = field(default_factory=dict[type, Any])
    """What the fields of one operation have in common, such as an allowance that they all take from."""

    async def refresh(self, trail: Trail) -> None:
        """Before each operation: nobody keeps on a socket what was taken from them since it was opened. What somebody
        wrote by another process may have opened something to them."""
        self.shared.clear()
        if (self.lasting or trail.brought) and self.renew is not None:
            self.viewer = await self.renew(trail.brought)

    async def read(self, work: Awaitable[T]) -> T:
        """Work that leaves nothing behind when it is broken off because nobody waits for it any more."""
        return await (work if self.awaited is None else self.awaited(work))

    def turn(self, cost: int) -> AbstractAsyncContextManager[None]:
        """The time for work of this cost."""
        if self.turns is None or self.viewer is None:
            return nullcontext()
        return self.turns.one(self.viewer.principal_id, cost)

    def stream(self) -> AbstractContextManager[None]:
        """Room for a subscription, while it lasts."""
        if self.streams is None or self.viewer is None:
            return nullcontext()
        return self.streams.one(self.viewer.principal_id)
