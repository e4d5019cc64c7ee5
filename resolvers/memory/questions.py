"""Questions about runs and tasks that need no model, the permission contract and a module's quick access."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from service.memory.questions import Questions, RunQuestions, TaskQuestions
from service.memory.questions.contract import PermissionContract
from service.memory.questions.quick import ModuleQuickAccess

RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run.")]
ModuleKey = Annotated[str, strawberry.argument(description="The module, as the executor calls it.")]
ActivationSeq = Annotated[
    int | None, strawberry.argument(description="Which activation of the module; without it, the last.")
]
TaskSource = Annotated[str, strawberry.argument(description="The system that knows the task.")]
TaskKey = Annotated[str, strawberry.argument(description="What that system calls the task.")]
FirstRuns = Annotated[int, strawberry.argument(description="At most so many of its runs, newest first; up to 100.")]
OfTask = Annotated[
    RecordRefInput | None,
    strawberry.argument(description="Instead of a run its task, by source and key: then the newest run that goes on."),
]
OfRun = Annotated[
    RecordRefInput | None, strawberry.argument(description="The run that it is about; without it, what holds anywhere.")
]


@strawberry.type
class QuestionQuery:
    @strawberry.field(
        graphql_type=optional(view_type(RunQuestions)),
        description="Questions about a run that are answered without a model. Null when you may not see the run.",
    )
    async def run_questions(self, info: RecordInfo, run: RunArgument) -> Any:
        return shaped(info, await service_of(info, Questions).of_run(viewer_of(info), run.ref()))

    @strawberry.field(
        graphql_type=view_type(TaskQuestions),
        description="The same questions, asked of a task. What you may not see is not counted.",
    )
    async def task_questions(self, info: RecordInfo, source: TaskSource, key: TaskKey, first: FirstRuns = 10) -> Any:
        return shaped(info, await service_of(info, Questions).of_task(viewer_of(info), source, key, first))

    @strawberry.field(
        graphql_type=optional(view_type(PermissionContract)),
        description="What you may read and do, in general or for one run. Null when you may not see the run.",
    )
    async def permission_contract(self, info: RecordInfo, run: OfRun = None, task: OfTask = None) -> Any:
        asked = (one.ref() if one else None for one in (run, task))
        return shaped(info, await service_of(info, Questions).contract(viewer_of(info), *asked))

    @strawberry.field(
        graphql_type=optional(view_type(ModuleQuickAccess)),
        description="What a module's panel shows of a run. Null when you may not see the run.",
    )
    async def module_quick_access(
        self, info: RecordInfo, run: RunArgument, module_key: ModuleKey, activation_seq: ActivationSeq = None
    ) -> Any:
        questions = service_of(info, Questions)
        return shaped(info, await questions.quick_access(viewer_of(info), run.ref(), module_key, activation_seq))
