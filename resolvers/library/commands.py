"""Commands of the library."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from resolvers.engine.loading import RecordInfo
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.library.graphs import TaskGraph
from resolvers.records.commands import CommandId
from service.library.commands import Library

if TYPE_CHECKING:
    OfSnapshot = RecordPayload
else:
    OfSnapshot = payload_of("GraphSnapshot")


@strawberry.type(description="The snapshot that a saved graph is kept as.")
class SaveGraphPayload(OfSnapshot):
    owner_id: strawberry.ID | None = strawberry.field(default=None, description="Id of the task or template.")
    graph_hash: str | None = strawberry.field(default=None, description="Hash of the graph's content.")
    changed: bool | None = strawberry.field(default=None, description="Whether it is another graph than before.")


@strawberry.type
class LibraryMutation:
    @strawberry.mutation(
        description="Save the whole graph of a task or template. The same graph is the same snapshot. Needs curate."
    )
    async def save_graph(
        self,
        info: RecordInfo,
        of: Annotated[RecordRefInput, strawberry.argument(description="The Task or Template.")],
        graph: Annotated[TaskGraph, strawberry.argument(description="All of its modules and cables.")],
        searched: Annotated[
            RecordRefInput | None,
            strawberry.argument(
                description="The kept match (MatchDecision) by which you looked for something to reuse. "
                "An agent's key names one with a new graph, unless the task was made from a template."
            ),
        ] = None,
        command_id: CommandId = None,
    ) -> SaveGraphPayload:
        outcome = await service_of(info, Library).save_graph(
            viewer_of(info),
            of.ref(),
            graph.graph(),
            graph.ties(),
            searched=searched.ref() if searched else None,
            command_id=command_id,
        )
        await settle(info, outcome)
        result = outcome.result
        more = {name: result.get(name) for name in ("graph_hash", "changed")}
        return record_payload(outcome, SaveGraphPayload, owner_id=result.get("owner"), **more)
