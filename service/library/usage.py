"""How segments are used, over the graphs and runs that the viewer may see.

It is computed whenever somebody asks, so nothing can be out of date; what it costs follows the segment's own graphs and
their latest runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from service.access.viewer import Viewer
from service.graph.database import Database
from service.library.cypher import segments as cypher

RECENT = 200
_LATEST = "9999-12-31T23:59:59.999Z"


@dataclass(frozen=True, slots=True)
class Usage:
    """Where a segment is, and how its modules did. Averages are of runs that have the figure."""

    usage_count: int
    run_count: int
    last_used_at: str | None
    avg_duration_ms: float | None
    avg_cost_usd: float | None


async def usages(database: Database, viewer: Viewer, ids: Sequence[str]) -> list[Usage | None]:
    """The usage of each segment; none of one that the viewer does not see."""
    rows = await database.read(
        cypher.SEGMENT_USAGE, ids=list(ids), audiences=viewer.audiences, recent=RECENT, latest=_LATEST
    )
    found = {row["id"]: Usage(**row["usage"]) for row in rows}
    return [found.get(one) for one in ids]
