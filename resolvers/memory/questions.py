"""Questions about runs and tasks that need no model, the permission contract and a module's quick access."""

from typing import Annotated, Any

import strawberry

from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.views import view_type
from service.memory.questions import Questions, RunQuestions
from service.memory.questions import answers as model
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


@strawberry.type(name="RunQuestions", description="The questions about a run that are answered without a model.")
class RunQuestionsType:
    asked: strawberry.Private[RunQuestions]

    @strawberry.field(graphql_type=view_type(model.WhereAnswer), description="Where is this run?")
    def where(self, info: RecordInfo) -> Any:
        return shaped(info, self.asked.where())

    @strawberry.field(graphql_type=view_type(model.RunningAnswer), description="What module is running now?")
    def running_now(self, info: RecordInfo) -> Any:
        return shaped(info, self.asked.running_now())

    @strawberry.field(graphql_type=view_type(model.WaitingAnswer), description="Why is it waiting?")
    def why_waiting(self, info: RecordInfo) -> Any:
        return shaped(info, self.asked.why_waiting())

    @strawberry.field(graphql_type=view_type(model.ModuleOutputAnswer), description="What did module X output?")
    def module_output(self, info: RecordInfo, module_key: ModuleKey, activation_seq: ActivationSeq = None) -> Any:
        return shaped(info, self.asked.module_output(module_key, activation_seq))

    @strawberry.field(graphql_type=view_type(model.FinalOutputAnswer), description="Retrieve the final output.")
    def final_output(self, info: RecordInfo) -> Any:
        return shaped(info, self.asked.final_output())

    @strawberry.field(graphql_type=view_type(model.InspectorAnswer), description="Open the run inspector.")
    def inspector(self, info: RecordInfo) -> Any:
        return shaped(info, self.asked.inspector())

    @strawberry.field(graphql_type=view_type(model.ArtifactsAnswer), description="List the artifacts of the run.")
    def artifacts(self, info: RecordInfo) -> Any:
        return shaped(info, self.asked.artifacts())


@strawberry.type(description="The questions about a task that are answered without a model.")
class TaskQuestions:
    answer: strawberry.Private[model.TaskAnswer]
    sentence: str = strawberry.field(description="Which of its runs the answers are about, and why.")
    run_count: int = strawberry.field(description="Runs of the task that you may see.")

    @strawberry.field(graphql_type=list[view_type(model.TaskRun)], description="Its runs, newest first.")
    def runs(self, info: RecordInfo) -> Any:
        return shaped(info, self.answer.runs)

    @strawberry.field(description="About the newest run that goes on; when none does, about the newest.")
    def current(self) -> RunQuestionsType | None:
        return _questions(self.answer.current)

    @strawberry.field(description="About the newest run that was completed: where the last final output is.")
    def last_completed(self) -> RunQuestionsType | None:
        return _questions(self.answer.last_completed)


@strawberry.type
class QuestionQuery:
    @strawberry.field(
        description="Questions about a run that are answered without a model. Null when you may not see the run."
    )
    async def run_questions(self, info: RecordInfo, run: RunArgument) -> RunQuestionsType | None:
        return _questions(await service_of(info, Questions).of_run(viewer_of(info), run.ref()))

    @strawberry.field(description="The same questions, asked of a task. What you may not see is not counted.")
    async def task_questions(
        self, info: RecordInfo, source: TaskSource, key: TaskKey, first: FirstRuns = 10
    ) -> TaskQuestions:
        answer = await service_of(info, Questions).of_task(viewer_of(info), source, key, first)
        return TaskQuestions(answer=answer, sentence=answer.sentence, run_count=answer.run_count)

    @strawberry.field(
        graphql_type=optional(view_type(PermissionContract)),
        description="What you may read and do, in general or for one run. Null when you may not see the run.",
    )
    async def permission_contract(self, info: RecordInfo, run: OfRun = None, task: OfTask = None) -> Any:
        asked = (one.ref() if one else None for one in (run, task))
        found = await service_of(info, Questions).contract(viewer_of(info), *asked)
        return shaped(info, found)

    @strawberry.field(
        graphql_type=optional(view_type(ModuleQuickAccess)),
        description="What a module's panel shows of a run. Null when you may not see the run.",
    )
    async def module_quick_access(
        self, info: RecordInfo, run: RunArgument, module_key: ModuleKey, activation_seq: ActivationSeq = None
    ) -> Any:
        questions = service_of(info, Questions)
        return shaped(info, await questions.quick_access(viewer_of(info), run.ref(), module_key, activation_seq))


def _questions(asked: RunQuestions | None) -> RunQuestionsType | None:
    return RunQuestionsType(asked=asked) if asked else None
