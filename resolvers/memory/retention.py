"""How long a run or an artifact is kept, and why."""

from typing import Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.views import view_type
from service.memory.retention import Retention, Retentions


@strawberry.type
class RecordRetention:
    """Put on runs and artifacts."""

    @strawberry.field(
        graphql_type=optional(view_type(Retention)),
        description="How long it is kept, and why. Null while its run is not known.",
    )
    async def retention(self, info: RecordInfo) -> Any:
        source: Any = self
        return shaped(info, await info.context.loader.load("retention", source.id, lambda ids: _read(info, ids)))


async def _read(info: RecordInfo, ids: list[str]) -> list[Any]:
    return list(await service_of(info, Retentions).of(viewer_of(info), ids))
