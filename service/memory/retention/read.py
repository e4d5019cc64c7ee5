"""What becomes of a run or an artifact, and when, for whoever may see it."""

from dataclasses import dataclass
from typing import Annotated, Any

from graph_schema.memory.words import RetentionClass
from graph_schema.model.fields import Timestamp
from service import clock
from service.access.viewer import Viewer
from service.graph.database import Database
from service.memory.retention import cypher
from service.memory.retention.rules import Ages, RetentionStanding, stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long a run or an artifact is kept, and why."""

    retention_class: Annotated[RetentionClass, "The class of its run."]
    standing: Annotated[RetentionStanding, "Where it stands."]
    reason: Annotated[str, "Why, in a sentence."]
    expires_at: Annotated[Timestamp | None, "When it is compacted or removed; null when no time is set for it."] = None


class Retentions:
    """What the ages of the settings mean for runs and artifacts. Nothing is taken here."""

    def __init__(self, database: Database, ages: Ages) -> None:
        self._database = database
        self._ages = ages

    async def of(self, viewer: Viewer, ids: list[str]) -> list[Retention | None]:
        """In the order of the ids; None for what the viewer may not see, and for what has no run."""
        rows = await self._database.read(cypher.RETENTION_SEEN, ids=ids, audiences=viewer.audiences)
        known = {row["id"]: _retention(self._ages, row) for row in rows}
        return [known.get(one) for one in ids]


def _retention(ages: Ages, row: dict[str, Any]) -> Retention:
    run, record = row["run"], row["record"]
    kept = RetentionClass(run["retention_class"])
    for standing, holds, reason in (
        (RetentionStanding.compacted, run["compacted_at"], _compacted(record)),
        (RetentionStanding.held, row["held"], "A legal hold keeps it."),
        (RetentionStanding.compacting, run["compacting_since"], "Its run is being compacted."),
        (RetentionStanding.kept, _outlives(record), "It is final, was promoted or became memory: it outlives its run."),
        (RetentionStanding.kept, kept is RetentionClass.matter_active and row["active"], "Its matter is active."),
        (RetentionStanding.kept, not run["due"], "Neither start nor end of its run is known."),
        (RetentionStanding.kept, not ages.days[kept], f"The class {kept.value} is kept for ever."),
    ):
        if holds:
            return Retention(retention_class=kept, standing=standing, reason=reason)
    expiry = ages.expiry(run["due"])
    due = expiry is not None and expiry <= clock.now()
    return Retention(
        retention_class=kept,
        standing=RetentionStanding.due if due else RetentionStanding.kept,
        reason=f"The class {kept.value} is kept for {ages.days[kept]} days.",
        expires_at=expiry,
    )


def _outlives(record: dict[str, Any]) -> bool:
    return record["intake_level"] is not None and stays(record)


def _compacted(record: dict[str, Any]) -> str:
    if _outlives(record):
        return "Its run was compacted; it is final, was promoted or became memory, and stays."
    return "Compacted: identity, links, costs and what explains it are left."
