"""Questions about runs and tasks that need no model, the permission contract and a module's quick access.

The types only name and describe: their values are those of the service's own answers.
"""

from typing import Annotated, Any

import strawberry

from graph_schema.fields import Layer
from resolvers.access import PRINCIPAL_KIND
from resolvers.inputs import RecordRefInput
from resolvers.loading import RecordInfo, load_record
from resolvers.making import optional
from resolvers.scalars import Long, Timestamp
from resolvers.types import record_type
from resolvers.written import services_of, viewer_of
from service.access.viewer import PrincipalKind
from service.memory.questions import Question, RunQuestions

_LAYER = strawberry.enum(Layer, name="EvidenceLayer", description="What kind of evidence an answer comes from.")
_QUESTION = strawberry.enum(Question, name="RunQuestion", description=(Question.__doc__ or "").strip())

RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run.")]
ModuleKey = Annotated[str, strawberry.argument(description="The module, as the executor calls it.")]
ActivationSeq = Annotated[
    int | None, strawberry.argument(description="Which activation of the module; without it, the last.")
]
TaskSource = Annotated[str, strawberry.argument(description="The system that knows the task.")]
TaskKey = Annotated[str, strawberry.argument(description="What that system calls the task.")]
FirstRuns = Annotated[int, strawberry.argument(description="At most so many of its runs, newest first; up to 100.")]
OfRun = Annotated[
    RecordRefInput | None, strawberry.argument(description="The run that it is about; without it, what holds anywhere.")
]


@strawberry.type(description="Evidence that would have made an answer better, and is not there.")
class MissingEvidence:
    code: str = strawberry.field(description="What is missing, as a code.")
    message: str = strawberry.field(description="The same in a sentence.")


@strawberry.type(description="An activation, as far as an answer speaks of it.")
class StepLine:
    activation_id: strawberry.ID = strawberry.field(description="Id of the activation.")
    name: str = strawberry.field(description="What people call it.")
    module_key: str = strawberry.field(description="The module, as the executor calls it.")
    activation_seq: int = strawberry.field(description="Which activation of that module.")
    status: str = strawberry.field(description="Where it stands.")
    started_at: Timestamp | None = strawberry.field(description="When it started.")
    waiting_since: Timestamp | None = strawberry.field(description="Since when it waits, if it does.")


@strawberry.type(description="An activation that waits, and what for.")
class WaitLine:
    step: StepLine = strawberry.field(description="The activation.")
    reason: str | None = strawberry.field(description="The reason that was reported with the wait.")
    gate_id: strawberry.ID | None = strawberry.field(description="Id of the open gate that it waits on.")
    gate_kind: str | None = strawberry.field(description="What the gate waits for.")
    question: str | None = strawberry.field(description="What is asked at the gate.")
    deadline_at: Timestamp | None = strawberry.field(description="Until when an answer is expected.")


@strawberry.type(description="An artifact, as far as an answer speaks of it. Its content stays with its owner.")
class OutputLine:
    artifact_id: strawberry.ID = strawberry.field(description="Id of the artifact.")
    display_name: str = strawberry.field(description="What people call it.")
    artifact_kind: str | None = strawberry.field(description="What it is.")
    output_class: str | None = strawberry.field(description="What part it plays in its run.")
    module_key: str | None = strawberry.field(description="The module that made it.")
    activation_seq: int | None = strawberry.field(description="Which activation of that module.")
    port_name: str | None = strawberry.field(description="The port that it came out of.")
    summary: str | None = strawberry.field(description="What it says, if the run's policy lets that be kept.")
    storage_ref: str | None = strawberry.field(description="Where its content is kept.")
    open_url: str | None = strawberry.field(description="Where a delivery of it can be opened.")
    produced_at: Timestamp | None = strawberry.field(description="When it was made.")
    artifact_state: str = strawberry.field(description="Where it stands.")

    @strawberry.field(graphql_type=optional(record_type("Artifact")), description="The artifact itself.")
    async def artifact(self, info: RecordInfo) -> Any:
        return await load_record(info, self.artifact_id)


@strawberry.type(description="A section of the inspector, and how much there is for you.")
class InspectorSection:
    name: str = strawberry.field(description="Its name.")
    count: int = strawberry.field(description="Entries that were reported and that you may see.")
    available: bool = strawberry.field(description="Whether there is anything to show.")
    reason: str | None = strawberry.field(description="Why there is nothing.")


@strawberry.type(description="An answer from what was reported, without a model.")
class RunAnswer:
    question: Question = strawberry.field(description="The question that is answered.")
    sentence: str = strawberry.field(description="The answer in a sentence or two.")
    layers: list[Layer] = strawberry.field(description="The kinds of evidence that it comes from.")
    missing: list[MissingEvidence] = strawberry.field(description="What was not there.")


@strawberry.type(description="Where a run stands.")
class RunWhere(RunAnswer):
    status: str = strawberry.field(description="Its status.")
    started_at: Timestamp | None = strawberry.field(description="When it started.")
    completed_at: Timestamp | None = strawberry.field(description="When it ended.")
    steps_done: int = strawberry.field(description="Activations that have ended.")
    steps_known: int = strawberry.field(description="Activations that were reported so far.")
    running: list[StepLine] = strawberry.field(description="Activations that run now.")
    waiting: list[StepLine] = strawberry.field(description="Activations that wait now.")
    failure_code: str | None = strawberry.field(description="Why it failed.")


@strawberry.type(description="What runs now.")
class RunRunningNow(RunAnswer):
    steps: list[StepLine] = strawberry.field(description="Activations that run now.")


@strawberry.type(description="Why a run waits.")
class RunWhyWaiting(RunAnswer):
    waits: list[WaitLine] = strawberry.field(description="What waits, and what for.")


@strawberry.type(description="What a module put out.")
class RunModuleOutput(RunAnswer):
    module_key: str = strawberry.field(description="The module.")
    activation_seq: int | None = strawberry.field(description="The activation that is spoken of.")
    status: str = strawberry.field(description="Where it stands; not_run when it was never reported.")
    output_summary: list[str] = strawberry.field(description="What came out, a line each.")
    output_bundle_ref: str | None = strawberry.field(description="Where its outputs are kept.")
    outputs: list[OutputLine] = strawberry.field(description="The artifacts that it made.")


@strawberry.type(description="The final output of a run.")
class RunFinalOutput(RunAnswer):
    outputs: list[OutputLine] = strawberry.field(description="Artifacts that were reported as final output.")


@strawberry.type(description="What an inspector of the run would show.")
class RunInspectorAnswer(RunAnswer):
    run_id: strawberry.ID = strawberry.field(description="The run to open it on.")
    raw_run_ref: str | None = strawberry.field(description="Where the executor keeps its own record of the run.")
    live: bool = strawberry.field(description="Whether the run goes on, so that there is something to follow.")
    sections: list[InspectorSection] = strawberry.field(description="The sections, with how much there is.")


@strawberry.type(description="The artifacts of a run.")
class RunArtifactsAnswer(RunAnswer):
    outputs: list[OutputLine] = strawberry.field(description="All of them, in the order in which they were made.")
    truncated: bool = strawberry.field(description="Whether there are more than are listed.")


@strawberry.type(name="RunQuestions", description="The questions about a run that are answered without a model.")
class RunQuestionsType:
    run_id: strawberry.ID = strawberry.field(description="The run.")

    @strawberry.field(graphql_type=RunWhere, description="Where is this run?")
    def where(self) -> Any:
        return _questions(self).where()

    @strawberry.field(graphql_type=RunRunningNow, description="What module is running now?", name="running_now")
    def running_now(self) -> Any:
        return _questions(self).running_now()

    @strawberry.field(graphql_type=RunWhyWaiting, description="Why is it waiting?", name="why_waiting")
    def why_waiting(self) -> Any:
        return _questions(self).why_waiting()

    @strawberry.field(graphql_type=RunModuleOutput, description="What did this module output?", name="module_output")
    def module_output(self, module_key: ModuleKey, activation_seq: ActivationSeq = None) -> Any:
        return _questions(self).module_output(module_key, activation_seq)

    @strawberry.field(graphql_type=RunFinalOutput, description="Retrieve the final output.", name="final_output")
    def final_output(self) -> Any:
        return _questions(self).final_output()

    @strawberry.field(graphql_type=RunInspectorAnswer, description="Open the run inspector.")
    def inspector(self) -> Any:
        return _questions(self).inspector()

    @strawberry.field(graphql_type=RunArtifactsAnswer, description="List the artifacts of the run.")
    def artifacts(self) -> Any:
        return _questions(self).artifacts()


def _questions(source: Any) -> RunQuestions:
    """Fields are resolved on the service's own object, which has the same name for each."""
    return source


@strawberry.type(description="A run of a task.")
class TaskRunLine:
    id: strawberry.ID = strawberry.field(description="Id of the run.")
    name: str = strawberry.field(description="What people call it.")
    status: str = strawberry.field(description="Where it stands.")
    started_at: Timestamp | None = strawberry.field(description="When it started.")
    completed_at: Timestamp | None = strawberry.field(description="When it ended.")


@strawberry.type(description="The questions about a task that are answered without a model.")
class TaskQuestions:
    task_source: str = strawberry.field(description="The system that knows the task.")
    task_key: str = strawberry.field(description="What that system calls it.")
    sentence: str = strawberry.field(description="Which of its runs the answers are about, and why.")
    run_count: int = strawberry.field(description="Runs of the task that you may see.")
    runs: list[TaskRunLine] = strawberry.field(description="Its runs, newest first.")
    current: RunQuestionsType | None = strawberry.field(
        description="About the newest run that goes on; when none does, about the newest."
    )
    last_completed: RunQuestionsType | None = strawberry.field(
        description="About the newest run that was completed: where the last final output is."
    )


@strawberry.type(description="Whether something may be read or done, and how; or why not.")
class Allowance:
    surface: str = strawberry.field(description="What is read or done, in the specification's words.")
    allowed: bool = strawberry.field(description="Whether you may, with this key.")
    operation: str | None = strawberry.field(description="The operation of this API that it is done by.")
    reason: str | None = strawberry.field(description="Why not, as a code.")
    reported: int | None = strawberry.field(description="How much of it there is in the run for you.")


@strawberry.type(description="Something that may be asked of an activation now, or the reason why it may not.")
class RunControl:
    control: str = strawberry.field(description="What may be asked.")
    module_key: str = strawberry.field(description="The module.")
    activation_seq: int = strawberry.field(description="Which activation of it.")
    available: bool = strawberry.field(description="Whether it may be asked now.")
    reason: str | None = strawberry.field(description="Why not, as a code.")
    session_key: str | None = strawberry.field(description="The session that it is about.")


@strawberry.type(description="What you may read and do here. Only what is enforced, or was reported by the runtime.")
class PermissionContract:
    principal_id: strawberry.ID = strawberry.field(description="Who you are.")
    principal_kind: Annotated[PrincipalKind, PRINCIPAL_KIND] = strawberry.field(
        description="What you are: some things only a person decides."
    )
    run_id: strawberry.ID | None = strawberry.field(description="The run that it is about.")
    read_surfaces: list[Allowance] = strawberry.field(description="What you may read.")
    command_surfaces: list[Allowance] = strawberry.field(description="What you may ask for.")
    forbidden_commands: list[str] = strawberry.field(description="What nobody can do here: no operation does it.")
    may_authorise_side_effects: bool = strawberry.field(
        description="Whether you may let a fork act on the outside world again."
    )
    controls: list[RunControl] = strawberry.field(description="What may be asked of the run's activations now.")


@strawberry.type(description="An output of a module, ready to be opened.")
class PrimaryOutput:
    artifact_id: strawberry.ID = strawberry.field(description="Id of the artifact.")
    display_name: str = strawberry.field(description="What people call it.")
    artifact_kind: str | None = strawberry.field(description="What it is.")
    open_url: str | None = strawberry.field(description="Where it can be opened: its delivery, else its content.")


@strawberry.type(description="What a module's panel shows of a run.")
class ModuleQuickAccess:
    run_id: strawberry.ID = strawberry.field(description="The run.")
    task_key: str | None = strawberry.field(description="The task, as the executor calls it.")
    module_key: str = strawberry.field(description="The module.")
    activation_seq: int | None = strawberry.field(description="The activation that is shown.")
    status: str = strawberry.field(description="Where it stands; not_run when no activation was reported.")
    last_started_at: Timestamp | None = strawberry.field(description="When it started.")
    last_completed_at: Timestamp | None = strawberry.field(description="When it ended.")
    duration_ms: Long | None = strawberry.field(description="From start to end.")
    cost_usd: float | None = strawberry.field(description="Cost in dollars.")
    primary_outputs: list[PrimaryOutput] = strawberry.field(description="What it put out.")
    inspector_url: str | None = strawberry.field(
        description="Where the executor keeps the details of the activation, else of the run; null when it did not say."
    )
    live_inspector_available: bool = strawberry.field(description="Whether the run goes on and can be followed.")
    missing: list[MissingEvidence] = strawberry.field(description="What was not there.")


@strawberry.type
class QuestionQuery:
    @strawberry.field(
        graphql_type=RunQuestionsType | None,
        description="Questions about a run that are answered without a model. Null when you may not see the run.",
    )
    async def run_questions(self, info: RecordInfo, run: RunArgument) -> Any:
        return await services_of(info).questions.of_run(viewer_of(info), run.ref())

    @strawberry.field(graphql_type=TaskQuestions, description="The same questions, asked of a task.")
    async def task_questions(self, info: RecordInfo, source: TaskSource, key: TaskKey, first: FirstRuns = 10) -> Any:
        return await services_of(info).questions.of_task(viewer_of(info), source, key, first)

    @strawberry.field(
        graphql_type=PermissionContract | None,
        description="What you may read and do, in general or for one run. Null when you may not see the run.",
    )
    async def permission_contract(self, info: RecordInfo, run: OfRun = None) -> Any:
        return await services_of(info).questions.contract(viewer_of(info), run.ref() if run else None)

    @strawberry.field(
        graphql_type=ModuleQuickAccess | None,
        description="What a module's panel shows of a run. Null when you may not see the run.",
    )
    async def module_quick_access(
        self, info: RecordInfo, run: RunArgument, module_key: ModuleKey, activation_seq: ActivationSeq = None
    ) -> Any:
        return await services_of(info).questions.quick_access(viewer_of(info), run.ref(), module_key, activation_seq)
