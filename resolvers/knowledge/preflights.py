"""Preflight: one report before anything runs."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of
from resolvers.generated.payloads import RecordPayload, record_payload
from resolvers.generated.views import view_type
from resolvers.library.graphs import TaskGraph
from resolvers.records.commands import CommandId
from service.knowledge.preflight.keep import KeptPreflights, PreflightComparison
from service.knowledge.preflight.load import PreflightRequest, Subject
from service.knowledge.preflight.read import Preflights
from service.knowledge.preflight.report import PreflightReport

EXAMINED = ("Task", "Template", "Blueprint", "GraphSnapshot")
Of = Annotated[
    RecordRefInput | None, strawberry.argument(description="A task, template, blueprint or graph that is saved.")
]
Graph = Annotated[
    TaskGraph | None,
    strawberry.argument(description="A graph that is not saved: examined for `of`, or for itself."),
]
Asked = Annotated[
    PreflightRequest | None,
    strawberry.argument(description="How it would be run.", graphql_type=input_type(PreflightRequest) | None),
]
Kept = Annotated[RecordRefInput, strawberry.argument(description="The kept preflight.")]


@strawberry.type
class PreflightQuery:
    @strawberry.field(
        graphql_type=view_type(PreflightReport),
        description="What will go wrong, what it needs, makes and costs, before anything runs. It stores nothing.",
    )
    async def preflight(self, info: RecordInfo, of: Of = None, graph: Graph = None, request: Asked = None) -> Any:
        subject = await subject_of(info, of, graph)
        asked = request or PreflightRequest()
        return shaped(info, await service_of(info, Preflights).examine(viewer_of(info), subject, asked))

    @strawberry.field(
        graphql_type=view_type(PreflightComparison),
        description="A kept preflight, examined again from the facts that it keeps.",
    )
    async def replay_preflight(self, info: RecordInfo, preflight: Kept) -> Any:
        kept = await id_of(info, preflight.ref(), "preflight", "Preflight")
        return shaped(info, await service_of(info, KeptPreflights).replay(viewer_of(info), kept))

    @strawberry.field(
        graphql_type=view_type(PreflightComparison),
        description="A kept preflight beside one of what is there today, asked in the same way; or beside another that "
        "was kept.",
    )
    async def compare_preflight(
        self,
        info: RecordInfo,
        preflight: Kept,
        other: Annotated[
            RecordRefInput | None, strawberry.argument(description="Another kept preflight; today when left out.")
        ] = None,
    ) -> Any:
        kept = await id_of(info, preflight.ref(), "preflight", "Preflight")
        beside = await id_of(info, other.ref(), "other", "Preflight") if other else None
        return shaped(info, await service_of(info, KeptPreflights).compare(viewer_of(info), kept, beside))


@strawberry.type
class PreflightMutation:
    @strawberry.mutation(
        description="Examine something, and keep the report with the facts that it rests on. Needs curate."
    )
    async def record_preflight(
        self,
        info: RecordInfo,
        of: Of = None,
        graph: Graph = None,
        request: Asked = None,
        command_id: CommandId = None,
    ) -> RecordPayload:
        subject = await subject_of(info, of, graph)
        outcome = await service_of(info, KeptPreflights).keep(
            viewer_of(info), subject, request or PreflightRequest(), command_id=command_id
        )
        return record_payload(await settle(info, outcome))


async def subject_of(
    info: RecordInfo, of: RecordRefInput | None, graph: TaskGraph | None, field: str = "of"
) -> Subject:
    named = await id_of(info, of.ref(), field, *EXAMINED) if of else None
    return Subject(named, graph.graph() if graph else None)
