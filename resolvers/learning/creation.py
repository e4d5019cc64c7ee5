"""Tasks that are made visibly."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, load_record, may_read, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import with_matters
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.commands import RecordRef
from service.learning.creation.commands import TrackedTasks
from service.learning.creation.inputs import TrackedTaskInput
from service.learning.creation.read import TaskReceipts, TrackedTaskReceipt

Made = Annotated[
    TrackedTaskInput,
    strawberry.argument(description="The task, and why it is made.", graphql_type=input_type(TrackedTaskInput)),
]
RECEIPTS: Any = list[view_type(TrackedTaskReceipt)]


if TYPE_CHECKING:
    OfReceipt = RecordPayload
else:
    OfReceipt = payload_of("TaskReceipt")


@strawberry.type(description="The task that was made, and its receipt.")
class TrackTaskPayload(OfReceipt):
    task_id: strawberry.ID | None = strawberry.field(default=None, description="Id of the task.")

    @strawberry.field(graphql_type=optional(record_type("Task")), description="The task as it is now.")
    async def task(self, info: RecordInfo) -> Any:
        return await load_record(info, self.task_id)

    @strawberry.field(
        graphql_type=optional(view_type(TrackedTaskReceipt)),
        description="What the user sees of it. Null for a key that may not read.",
    )
    async def receipt(self, info: RecordInfo) -> Any:
        if not may_read(info) or self.task_id is None:
            return None
        found = await service_of(info, TaskReceipts).of(viewer_of(info), RecordRef(id=self.task_id))
        return shaped(info, next((one for one in found if one.receipt_id == self.record_id), None))


@strawberry.type
class CreationQuery:
    @strawberry.field(
        graphql_type=RECEIPTS,
        description="The receipts of a task, latest first: how it came about, whether it may run, what can be done "
        "with it, and the way back to the request.",
    )
    async def tracked_task(
        self, info: RecordInfo, task: Annotated[RecordRefInput, strawberry.argument(description="The Task.")]
    ) -> Any:
        return shaped(info, await service_of(info, TaskReceipts).of(viewer_of(info), task.ref()))


@strawberry.type
class CreationMutation:
    @strawberry.mutation(
        description="Make a task that is seen, from a design session, a template or nothing, with its receipt and the "
        "way back to the request; or give a task that is there its receipt. An agent makes tasks only so. Needs curate."
    )
    async def track_task(
        self,
        info: RecordInfo,
        input: Made,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> TrackTaskPayload:
        outcome = await service_of(info, TrackedTasks).track(
            viewer_of(info), await with_matters(info, input), command_id=command_id
        )
        return record_payload(await settle(info, outcome), TrackTaskPayload, task_id=outcome.result.get("task"))
