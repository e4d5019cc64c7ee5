"""Neo4j plans a statement when it first comes, which for the largest takes a second and more. After a start the service
asks what people will ask, so that they need not wait for it.

A statement is planned anew for another magnitude of a list among its parameters, such as the audiences of a viewer.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import LiteralString

from graph_schema.capabilities import parts_of
from graph_schema.model.fields import DataClass
from service.access.errors import Unauthenticated
from service.access.keys import new_key
from service.access.viewer import KeyScope, Viewer
from service.access.viewers import Viewers
from service.capability import Services
from service.observe import log

DONE = "statements are planned ahead"
AUDIENCES: LiteralString = "MATCH (a:Audience) RETURN collect(a.audience) AS audiences"
MAGNITUDES = (10, 1)
"""How many audiences other viewers have; the first one has all of them, as an owner has."""


async def plan_ahead(services: Services, viewers: Viewers, ask: Callable[[Viewer], Awaitable[None]]) -> None:
    """`ask` asks the API something as a viewer: what Python makes at the first request is there for the next."""
    with suppress(Unauthenticated):  # every request begins with this question
        await viewers.of_key(new_key())
    row = await services.ground.database.read_one(AUDIENCES)
    for viewer in _viewers(row["audiences"] if row else []):
        await ask(viewer)
        for part in parts_of("service", module="planning"):
            try:
                await part.plan_ahead(services, viewer)
            except Exception as error:  # it is a rehearsal: whoever asks for the same in earnest is told what is wrong
                log.debug("not planned ahead", capability=part.__name__, problem=str(error))
    log.info(DONE)


def _viewers(audiences: list[str]) -> Iterator[Viewer]:
    sizes = dict.fromkeys((len(audiences), *(size for size in MAGNITUDES if size < len(audiences))))
    for size in sizes:
        everything = size == len(audiences)
        yield Viewer(
            "prin_start",
            "start",
            frozenset({KeyScope.read}),
            DataClass.local_only,
            frozenset(),
            everything,
            tuple(audiences[:size]),
        )
