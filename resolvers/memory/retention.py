"""How long a run or an artifact is kept, and why."""

from typing import Any

import strawberry

from graph_schema.memory.words import RetentionClass
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp
from service.memory.retention import Ages, Retention, Standing, retentions

_CLASS: Any = strawberry.enum(RetentionClass, description=(RetentionClass.__doc__ or "").strip())
_STANDING: Any = strawberry.enum(
    Standing, name="RetentionStanding", description="Where a run or an artifact stands with its retention."
)


@strawberry.type(name="Retention", description="How long a run or an artifact is kept, and why.")
class RetentionInfo:
    retention_class: RetentionClass = strawberry.field(description="The class of its run.")
    standing: Standing = strawberry.field(description="Where it stands.")
    reason: str = strawberry.field(description="Why, in a sentence.")
    expires_at: Timestamp | None = strawberry.field(
        description="When it is compacted or removed; null when no time is set for it."
    )


@strawberry.type
class RecordRetention:
    """Put on runs and artifacts."""

    @strawberry.field(description="How long it is kept, and why. Null while its run is not known.")
    async def retention(self, info: RecordInfo) -> RetentionInfo | None:
        source: Any = self
        found: Retention | None = await info.context.loader.load("retention", source.id, lambda ids: _read(info, ids))
        if found is None:
            return None
        return RetentionInfo(
            retention_class=found.retention_class,
            standing=found.standing,
            reason=found.reason,
            expires_at=Timestamp(found.expires_at) if found.expires_at else None,
        )


async def _read(info: RecordInfo, ids: list[str]) -> list[Any]:
    return list(await retentions(info.context.database, service_of(info, Ages), viewer_of(info), ids))
