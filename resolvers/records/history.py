"""What a record was before."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.views import view_type
from service.records.read import Histories, RecordHistory

LONGEST = 200


@strawberry.type
class HistoryField:
    """Put on every record type."""

    @strawberry.field(graphql_type=view_type(RecordHistory), description="What the record was before.")
    async def history(
        self,
        info: RecordInfo,
        first: Annotated[int, strawberry.argument(description="How many states and links, at most 200.")] = 20,
    ) -> Any:
        source: Any = self
        most = max(0, min(first, LONGEST))
        return shaped(info, await service_of(info, Histories).history(viewer_of(info), source.id, most))
