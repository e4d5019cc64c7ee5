"""What people think of context, and figures of what packets held and kept out."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of, ids_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.context.feedback import Asked, ContextFeedback, ContextFeedbackInput, ContextFigures, ContextStatistics
from service.context.feedback.read import MOST_RECORDS, MOST_RUNS

Said = Annotated[
    ContextFeedbackInput,
    strawberry.argument(description="The feedback.", graphql_type=input_type(ContextFeedbackInput)),
]


if TYPE_CHECKING:
    ContextFeedbackPayload = RecordPayload
else:
    ContextFeedbackPayload = payload_of("Feedback", "ContextFeedbackPayload", "The feedback that was kept.")


@strawberry.type
class FeedbackQuery:
    @strawberry.field(
        graphql_type=view_type(ContextStatistics),
        description="What packets held, kept out and had no room for, and what people made of it.",
    )
    async def context_statistics(
        self,
        info: RecordInfo,
        *,
        since: Annotated[Timestamp | None, strawberry.argument(description="Packets made then or later.")] = None,
        until: Annotated[Timestamp | None, strawberry.argument(description="Packets made before then.")] = None,
        module_type: Annotated[str | None, strawberry.argument(description="Packets of modules of this type.")] = None,
        runs: Annotated[
            list[RecordRefInput] | None, strawberry.argument(description=f"Packets of these runs, up to {MOST_RUNS}.")
        ] = None,
        first: Annotated[
            int, strawberry.argument(description=f"At most so many records in each list, up to {MOST_RECORDS}.")
        ] = 20,
    ) -> Any:
        wanted = (
            None if runs is None else await ids_of(info, [one.ref() for one in runs[: MOST_RUNS + 1]], "runs", "Run")
        )
        asked = Asked(since, until, module_type, wanted, first)
        return shaped(info, await service_of(info, ContextFigures).of(viewer_of(info), asked))


@strawberry.type
class FeedbackMutation:
    @strawberry.mutation(
        description="Say what you think of what a module was given or not given. It is kept to learn from and changes "
        "nothing by itself. Needs curate."
    )
    async def record_context_feedback(
        self,
        info: RecordInfo,
        input: Said,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> ContextFeedbackPayload:
        if input.target is not None and input.target_ref is None:
            input = replace(input, target=None, target_ref=await id_of(info, input.target, "target"))  # noqa: A001
        outcome = await service_of(info, ContextFeedback).record(viewer_of(info), input, command_id=command_id)
        return record_payload(await settle(info, outcome), ContextFeedbackPayload)
