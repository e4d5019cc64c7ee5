"""What records are called."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database
from service.records import cypher


@dataclass(frozen=True, slots=True)
class Named:
    """All that a record is called."""

    id: str
    source: str | None
    key: str | None


class Names:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def found(self, viewer: Viewer, refs: Sequence[RecordRef], kinds: Sequence[str] = ()) -> dict[str, Named]:
        """The records that references name, if they are of such kinds. What is hidden reads as what is not there."""
        rows = [
            {"handle": str(one), "id": one.id, "source": one.source, "key": one.key, "kinds": list(kinds)}
            for one in refs
        ]
        row = await self._database.read_one(cypher.NAMED, refs=rows, audiences=viewer.audiences)
        return {handle: Named(*names) for handle, *names in row["found"]} if row else {}
