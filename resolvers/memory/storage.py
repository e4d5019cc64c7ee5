"""Where the owner of a record keeps it."""

from typing import Any

import strawberry

from graph_schema.storage import BY_LABEL
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.views import view_type
from service.memory.storage import RecordStorage, Storages

STORED = (*BY_LABEL, "Snapshot")
"""The kinds of record that have a place."""


@strawberry.type
class StorageOfRecord:
    """Put on what has a place outside of the graph."""

    @strawberry.field(
        graphql_type=optional(view_type(RecordStorage)),
        description="Where its owner keeps it: as told, else the default place. Null where not enough is known.",
    )
    async def storage(self, info: RecordInfo) -> Any:
        source: Any = self
        return shaped(info, await info.context.loader.load("storage", source.id, lambda ids: _read(info, ids)))


async def _read(info: RecordInfo, ids: list[str]) -> list[Any]:
    return list(await service_of(info, Storages).of(viewer_of(info), ids))
