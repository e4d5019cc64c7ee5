"""What becomes of a run or an artifact, and when, for whoever may see it."""

from dataclasses import dataclass
from typing import Any

from graph_schema.memory.words import RetentionClass
from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.retention import cypher
from service.memory.retention.rules import Ages, Standing, stays


@dataclass(frozen=True, slots=True)
class Retention:
    retention_class: RetentionClass
    standing: Standing
    reason: str
    expires_at: str | None = None


async def retentions(database: Database, ages: Ages, viewer: Viewer, ids: list[str]) -> list[Retention | None]:
    """In the order of the ids; None for what the viewer may not see, and for what has no run."""
    rows = await database.read(cypher.RETENTION_SEEN, ids=ids, audiences=viewer.audiences)
    known = {row["id"]: _retention(ages, row) for row in rows}
    return [known.get(one) for one in ids]


def _retention(ages: Ages, row: dict[str, Any]) -> Retention:
    run, record = row["run"], row["record"]
    kept = RetentionClass(run["retention_class"])
    for standing, holds, reason in (
        (Standing.compacted, run["compacted_at"], _compacted(record)),
        (Standing.held, row["held"], "A legal hold keeps it."),
        (Standing.compacting, run["compacting_since"], "Its run is being compacted."),
        (Standing.kept, _outlives(record), "It is final, was promoted or became memory: it outlives its run."),
        (Standing.kept, kept is RetentionClass.matter_active and row["active"], "Its matter is active."),
        (Standing.kept, not run["due"], "Neither start nor end of its run is known."),
        (Standing.kept, not ages.days[kept], f"The class {kept.value} is kept for ever."),
    ):
        if holds:
            return Retention(kept, standing, reason)
    expiry = ages.expiry(run["due"])
    standing = Standing.due if expiry is not None and expiry <= clock.now() else Standing.kept
    return Retention(kept, standing, f"The class {kept.value} is kept for {ages.days[kept]} days.", expiry)


def _outlives(record: dict[str, Any]) -> bool:
    return record["intake_level"] is not None and stays(record)


def _compacted(record: dict[str, Any]) -> str:
    if _outlives(record):
        return "Its run was compacted; it is final, was promoted or became memory, and stays."
    return "Compacted: identity, links, costs and what explains it are left."
