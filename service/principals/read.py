"""What administrators may read about principals and keys. Hashes are never read."""

from typing import Any, cast

from service import clock
from service.access import cypher
from service.access.errors import PrincipalMissing
from service.access.viewer import KeyScope, Viewer
from service.commands.errors import NotAllowed
from service.graph.database import Database

Row = dict[str, Any]


async def principals(database: Database, viewer: Viewer) -> list[Row]:
    _check(viewer)
    row = await database.read_one(cypher.PRINCIPALS, now=clock.now())
    return cast("list[Row]", row["principals"]) if row else []


async def principal(database: Database, viewer: Viewer, name_or_id: str) -> Row:
    for one in await principals(database, viewer):
        if name_or_id in (one["id"], one["name"]):
            return one
    raise PrincipalMissing(name_or_id)


async def keys(
    database: Database, viewer: Viewer, principal: str | None = None, *, include_dead: bool = False
) -> list[Row]:
    """The keys of one principal, by id or name, or of all. Dead: revoked, expired, or of a disabled principal."""
    _check(viewer)
    row = await database.read_one(cypher.KEYS, principal=principal, dead=include_dead, now=clock.now())
    return cast("list[Row]", row["keys"]) if row else []


def _check(viewer: Viewer) -> None:
    if KeyScope.admin not in viewer.scopes:
        raise NotAllowed(KeyScope.admin, viewer.scopes)
