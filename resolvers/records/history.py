"""What a record was before."""

from typing import Annotated, Any, cast

import strawberry
from strawberry.scalars import JSON

from graph_schema.model.names import api_name
from graph_schema.model.registry import Registry
from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, viewer_of
from resolvers.engine.scalars import Timestamp
from service.graph.reads import Source
from service.records.read import History, history

LONGEST = 200


@strawberry.type(name="FormerState", description="A state that a record was in, until it was replaced.")
class FormerStateInfo:
    version: int = strawberry.field(description="The version that it was.")
    replaced_at: Timestamp = strawberry.field(description="When it was replaced.")
    values: JSON = strawberry.field(description="Its fields, by name.")


@strawberry.type(name="FormerLink", description="A link as it was, until it was changed or taken away.")
class FormerLinkInfo:
    type: str = strawberry.field(description="The relation's type.")
    head_id: strawberry.ID = strawberry.field(description="Id of the record that it led to.")
    replaced_at: Timestamp = strawberry.field(description="When it was changed or taken away.")
    values: JSON = strawberry.field(description="What the link said, by name.")


@strawberry.type(name="RecordHistory", description="What a record was before, newest first.")
class HistoryInfo:
    states: list[FormerStateInfo] = strawberry.field(description="Its former states.")
    links: list[FormerLinkInfo] = strawberry.field(description="Its former links.")


@strawberry.type
class RecordHistory:
    """Put on every record type."""

    @strawberry.field(description="What the record was before.")
    async def history(
        self,
        info: RecordInfo,
        first: Annotated[int, strawberry.argument(description="How many states and links, at most 200.")] = 20,
    ) -> HistoryInfo:
        source: Any = self
        found = await history(
            info.context.database,
            service_of(info, Registry),
            viewer_of(info),
            _source_id(source),
            max(0, min(first, LONGEST)),
        )
        return _shown(found)


def _source_id(source: Source) -> str:
    return source.id


def _shown(found: History) -> HistoryInfo:
    return HistoryInfo(
        states=[
            FormerStateInfo(version=one.version, replaced_at=Timestamp(one.replaced_at), values=_json(one.values))
            for one in found.states
        ],
        links=[
            FormerLinkInfo(
                type=one.type,
                head_id=strawberry.ID(one.head),
                replaced_at=Timestamp(one.replaced_at),
                values=_json(one.values),
            )
            for one in found.links
        ],
    )


def _json(values: dict[str, Any]) -> JSON:
    return cast("JSON", {api_name(name): value for name, value in values.items()})
