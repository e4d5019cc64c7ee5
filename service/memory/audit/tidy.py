"""Brings the files of exports after the graph: a process may have died between a commit and what follows on disk."""

import asyncio

from service.graph.database import Database
from service.memory.audit import cypher
from service.memory.audit.files import Shelf
from service.observe.logs import log

EVERY_S = 3600.0


async def keep_tidy(database: Database, shelf: Shelf, *, every_s: float = EVERY_S) -> None:
    """At the start and again and again, until cancelled."""
    while True:
        try:
            await tidy(database, shelf)
        except Exception as error:
            log.warning("files of exports are not tidied", problem=str(error), kind=type(error).__name__)
        await asyncio.sleep(every_s)


async def tidy(database: Database, shelf: Shelf) -> None:
    """Remove the files of exports that were erased, and bring to their place those that were only written.

    Files of which the graph knows nothing stay: they may be of another graph.
    """
    listed = await asyncio.to_thread(shelf.listed)
    row = await database.read_one(cypher.FATES, ids=sorted(listed)) if listed else None
    for export in row["erased"] if row else ():
        await asyncio.to_thread(shelf.forget, export)
    for export in row["kept"] if row else ():
        await asyncio.to_thread(shelf.finish, export)
