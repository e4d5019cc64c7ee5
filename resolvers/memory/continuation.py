"""What comes after a run: forks, follow-ups, interventions, threads and consults, as commands."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo, load_records
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput, fields_input, values_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.types import record_type
from resolvers.records.commands import CommandId
from service.commands import RecordRef
from service.memory.continuation import (
    ConsultInput,
    Continuation,
    FollowUpArtifact,
    FollowUpInput,
    ForkInput,
    InterventionInput,
    StepName,
    ThreadInput,
)

RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run. It must be known.")]
AboutRun = Annotated[RecordRefInput | None, strawberry.argument(description="The run that it is about.")]
TaskArgument = Annotated[
    RecordRefInput | None, strawberry.argument(description="The task: by source and key, with the kind Task.")
]
ModuleKey = Annotated[str, strawberry.argument(description="The module, as the executor calls it.")]
AboutModule = Annotated[str | None, strawberry.argument(description="The module of the run that it is about.")]
ActivationSeq = Annotated[
    int | None, strawberry.argument(description="Which activation of the module, from 1. A fork must name it.")
]
Takes = Annotated[
    RecordRefInput | None,
    strawberry.argument(description="The output of the run to go on from, such as one variant of an experiment."),
]
Authorise = Annotated[
    bool,
    strawberry.argument(
        description="Whether you let the fork act on the outside world again. An allow policy needs it, from a person."
    ),
]
Known = Annotated[
    list[RecordRefInput] | None, strawberry.argument(description="Artifacts that are known already and came of it.")
]
Conversation = Annotated[
    RecordRefInput | None, strawberry.argument(description="The conversation that it was held in, an Entity.")
]
Decided = Annotated[
    RecordRefInput | None,
    strawberry.argument(
        description="The decision on the request. consult_task_opportunity needs one of the level medium or above."
    ),
]
AskedForIt = Annotated[
    bool, strawberry.argument(description="Whether the user asked if a saved task fits; then any level will do.")
]
InThread = Annotated[RecordRefInput | None, strawberry.argument(description="The thread that it was part of.")]
Proposed = Annotated[RecordRefInput | None, strawberry.argument(description="The fork that it proposes.")]
AboutArtifact = Annotated[RecordRefInput | None, strawberry.argument(description="The artifact that it is about.")]

_FIELDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "ForkInput": (
        "Fork",
        "How part of a run is to be run again. What is left out gets the careful default.",
        (
            "name", "output_port_id", "branch_scope", "rerun_scope", "upstream_state_policy", "graph_policy",
            "context_policy", "source_document_policy", "side_effect_replay_policy", "user_patch_refs", "source",
            "source_key",
        ),
    ),
    "FollowUpInput": (
        "FollowUp",
        "What was asked of what a module did, and what came of it.",
        ("name", "mode", "user_question", "context_seed_refs", "output_ref", "durable_effect", "session_key"),
    ),
    "FollowUpArtifactInput": (
        "Artifact",
        "Something that a follow-up made. Its content stays with its owner.",
        (
            "name", "artifact_kind", "output_class", "storage_ref", "media_type", "content_hash", "size_bytes",
            "summary", "key_points", "source", "source_key",
        ),
    ),
    "InterventionInput": (
        "Intervention",
        "What is asked of a module while it runs.",
        ("name", "intervention_key", "intervention_kind", "note", "receipt_ref"),
    ),
    "ThreadInput": (
        "Thread",
        "What kind of conversation it is.",
        ("name", "scope", "openclaw_session_key", "task_agent_entrypoint", "source", "source_key"),
    ),
    "ConsultInput": (
        "Consult",
        "What the agent was asked, what it looked at, and what it answered with.",
        (
            "name", "entrypoint", "user_request_ref", "consulted_operational_truth_refs",
            "consulted_memory_refs", "consulted_learning_signal_refs", "consulted_tkp_card_refs",
            "consulted_capability_refs", "response_kind", "degraded_reasons", "source", "source_key",
        ),
    ),
}  # fmt: skip


def _argument(name: str) -> Any:
    label, description, fields = _FIELDS[name]
    made = fields_input(REGISTRY.types[label], name, description, fields)
    return Annotated[made, strawberry.argument(description=description)]


if TYPE_CHECKING:
    ForkArgument = Any
    FollowUpArgument = Any
    InterventionArgument = Any
    ThreadArgument = Any
    ConsultArgument = Any
    MadeArgument = list[Any] | None
else:
    ForkArgument = _argument("ForkInput")
    FollowUpArgument = _argument("FollowUpInput")
    InterventionArgument = _argument("InterventionInput")
    ThreadArgument = _argument("ThreadInput")
    ConsultArgument = _argument("ConsultInput")
    MadeArgument = Annotated[
        optional(list[_argument("FollowUpArtifactInput").__origin__]),
        strawberry.argument(description="Artifacts that it made."),
    ]


if TYPE_CHECKING:
    ForkPayload = RecordPayload
    ThreadPayload = RecordPayload
    ConsultPayload = RecordPayload
    OfFollowUp = OfIntervention = RecordPayload
else:
    ForkPayload = payload_of("Fork", "RequestForkPayload", "The fork. The run that carries it out names it.")
    ThreadPayload = payload_of("Thread", "OpenThreadPayload", "The thread that was opened.")
    ConsultPayload = payload_of("Consult", "RecordConsultPayload", "The consult that was recorded.")
    OfFollowUp = payload_of("FollowUp")
    OfIntervention = payload_of("Intervention")


@strawberry.type(description="The follow-up that was recorded.")
class RecordFollowUpPayload(OfFollowUp):
    artifact_ids: strawberry.Private[Sequence[str]] = ()

    @strawberry.field(
        graphql_type=list[optional(record_type("Artifact"))], description="The artifacts that came of it."
    )
    async def artifacts(self, info: RecordInfo) -> Any:
        return await load_records(info, self.artifact_ids)


@strawberry.type(description="What was asked of a running module.")
class RecordInterventionPayload(OfIntervention):
    intervention_key: str | None = strawberry.field(
        default=None, description="The key under which the executor reports what became of it."
    )


@strawberry.type
class ContinuationMutation:
    @strawberry.mutation(
        description="Ask for part of a run to be run again, as a run of its own; the run itself is never changed. "
        "An executor carries it out and names the fork when it reports the new run. Needs curate."
    )
    async def request_fork(
        self,
        info: RecordInfo,
        *,
        run: RunArgument,
        module_key: ModuleKey,
        input: ForkArgument,  # noqa: A002 - the name in GraphQL
        activation_seq: ActivationSeq = None,
        takes: Takes = None,
        authorise_side_effects: Authorise = False,
        command_id: CommandId = None,
    ) -> ForkPayload:
        values = _given(input)
        asked = ForkInput(
            StepName(run.ref(), module_key, activation_seq),
            values,
            _ref(takes),
            authorise_side_effects=authorise_side_effects,
            source=values.pop("source", None),
            source_key=values.pop("source_key", None),
        )
        outcome = await service_of(info, Continuation).request_fork(viewer_of(info), asked, command_id=command_id)
        return record_payload(await settle(info, outcome), ForkPayload)

    @strawberry.mutation(
        description="Record a question or new work on what a module did. What comes of it is new and linked to the "
        "activation; the run is never changed. Needs curate."
    )
    async def record_follow_up(
        self,
        info: RecordInfo,
        *,
        run: RunArgument,
        module_key: ModuleKey,
        input: FollowUpArgument,  # noqa: A002 - the name in GraphQL
        activation_seq: ActivationSeq = None,
        artifacts: MadeArgument = None,
        known_artifacts: Known = None,
        conversation: Conversation = None,
        thread: InThread = None,
        fork: Proposed = None,
        command_id: CommandId = None,
    ) -> RecordFollowUpPayload:
        made = (FollowUpArtifact(values=_given(one)) for one in artifacts or ())
        known = (FollowUpArtifact(one.ref()) for one in known_artifacts or ())
        step = StepName(run.ref(), module_key, activation_seq)
        asked = FollowUpInput(step, _given(input), (*made, *known), _ref(conversation), _ref(thread), _ref(fork))
        outcome = await service_of(info, Continuation).record_follow_up(viewer_of(info), asked, command_id=command_id)
        artifacts_made = outcome.result.get("artifacts", [])
        return record_payload(await settle(info, outcome), RecordFollowUpPayload, artifact_ids=artifacts_made)

    @strawberry.mutation(
        description="Ask something of a module while it runs: only what its runtime has reported that it takes, or a "
        "note for what follows. A finished run takes nothing. Needs curate."
    )
    async def record_intervention(
        self,
        info: RecordInfo,
        *,
        run: RunArgument,
        module_key: ModuleKey,
        input: InterventionArgument,  # noqa: A002 - the name in GraphQL
        activation_seq: ActivationSeq = None,
        command_id: CommandId = None,
    ) -> RecordInterventionPayload:
        asked = InterventionInput(StepName(run.ref(), module_key, activation_seq), _given(input))
        outcome = await service_of(info, Continuation).record_intervention(
            viewer_of(info), asked, command_id=command_id
        )
        key = outcome.result.get("intervention_key")
        return record_payload(await settle(info, outcome), RecordInterventionPayload, intervention_key=key)

    @strawberry.mutation(
        description="Open a conversation with the task agent, confined to a task, a run, an activation or an "
        "artifact. Needs curate."
    )
    async def open_thread(
        self,
        info: RecordInfo,
        *,
        input: ThreadArgument,  # noqa: A002 - the name in GraphQL
        task: TaskArgument = None,
        run: AboutRun = None,
        module_key: AboutModule = None,
        activation_seq: ActivationSeq = None,
        artifact: AboutArtifact = None,
        command_id: CommandId = None,
    ) -> ThreadPayload:
        step = _step(run, module_key, activation_seq)
        asked = ThreadInput(_given(input), _ref(task), step, _ref(artifact))
        outcome = await service_of(info, Continuation).open_thread(viewer_of(info), asked, command_id=command_id)
        return record_payload(await settle(info, outcome), ThreadPayload)

    @strawberry.mutation(
        description="Record what the task agent looked at to answer, by kind of evidence, and what was missing. "
        "Needs curate."
    )
    async def record_consult(
        self,
        info: RecordInfo,
        *,
        input: ConsultArgument,  # noqa: A002 - the name in GraphQL
        task: TaskArgument = None,
        run: AboutRun = None,
        module_key: AboutModule = None,
        activation_seq: ActivationSeq = None,
        thread: InThread = None,
        decision: Decided = None,
        user_asked_whether_task_fits: AskedForIt = False,
        command_id: CommandId = None,
    ) -> ConsultPayload:
        step = _step(run, module_key, activation_seq)
        asked = ConsultInput(
            _given(input), _ref(task), step, _ref(thread), _ref(decision), user_asked_whether_task_fits
        )
        outcome = await service_of(info, Continuation).record_consult(viewer_of(info), asked, command_id=command_id)
        return record_payload(await settle(info, outcome), ConsultPayload)


def _given(given: Any) -> dict[str, Any]:
    """What was said. Null says nothing: a policy that is null gets its default."""
    return {name: value for name, value in values_of(given).items() if value is not None}


def _ref(given: RecordRefInput | None) -> RecordRef | None:
    return given.ref() if given else None


def _step(run: RecordRefInput | None, module_key: str | None, activation_seq: int | None) -> StepName | None:
    return StepName(run.ref(), module_key, activation_seq) if run else None
