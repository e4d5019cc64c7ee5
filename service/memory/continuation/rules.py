"""What must hold before a run is taken up again. Plain functions over facts."""

from collections.abc import Mapping
from typing import Any

from graph_schema.memory.continuation_words import (
    DurableEffect,
    Entrypoint,
    FollowUpMode,
    RequestedBy,
    RerunScope,
    SideEffectReplayPolicy,
    ThreadScope,
    UpstreamStatePolicy,
)
from graph_schema.memory.words import (
    RESUMABLE_SESSIONS,
    ContinuationStatus,
    InterventionKind,
    MemoryMode,
    SessionKind,
    StepStatus,
)
from graph_schema.routing.decision_words import OpportunityLevel
from service.access.viewer import PrincipalKind
from service.commands.errors import InputInvalid
from service.commands.work import State
from service.memory.continuation.errors import (
    ConsultNotAllowed,
    ContinuationNotAvailable,
    FollowUpNotLinked,
    ForkNotPossible,
    InterventionNotSupported,
    ReplayNotAuthorised,
    RunIsFinished,
)
from service.memory.continuation.steps import Step, is_finished

Values = Mapping[str, Any]

POLICIES = (
    "upstream_state_policy",
    "graph_policy",
    "context_policy",
    "source_document_policy",
    "side_effect_replay_policy",
)
REQUESTED_BY = {
    PrincipalKind.person: RequestedBy.user,
    PrincipalKind.agent: RequestedBy.task_agent,
    PrincipalKind.executor: RequestedBy.system_repair,
    PrincipalKind.service: RequestedBy.system_repair,
}
UNSCOPED = "warning.task_agent_panel_unscoped_thread"
_NEEDED = {
    ThreadScope.task_design: "task",
    ThreadScope.task_run_inspection: "run",
    ThreadScope.module_followup: "activation",
    ThreadScope.artifact_followup: "artifact",
}
_GOING_ON = frozenset({RerunScope.downstream_only, RerunScope.branch_only})
_LIVE = frozenset({StepStatus.pending, StepStatus.running, StepStatus.waiting})


def check_side_effects(values: Values, kind: PrincipalKind, *, authorised: bool) -> bool:
    """Whether the fork may act on the outside world again; only a person can say so, and has to say so."""
    policy = values.get("side_effect_replay_policy")
    allows = policy in {
        SideEffectReplayPolicy.allow_with_confirmation,
        SideEffectReplayPolicy.allow_if_non_duplicate,
    }
    if allows and not (authorised and kind is PrincipalKind.person):
        raise ReplayNotAuthorised(str(policy), kind)
    return allows


def check_forkable(step: Step, values: Values) -> None:
    """A fork goes on from what is there: outputs that were made, a state that was saved, a port that was used."""
    if "rerun_scope" not in values:
        raise InputInvalid("rerun_scope", "is needed")
    status = step.activation.properties["status"]
    frozen = values.get("upstream_state_policy") in {None, UpstreamStatePolicy.freeze_parent_outputs}
    if values["rerun_scope"] in _GOING_ON and frozen and status != StepStatus.success:
        raise ForkNotPossible(
            "rerun_scope",
            f"{step.name} is {status}: it has no output that what follows could go on from.",
            "Run the module itself again (selected_module_and_downstream), or fork from one that succeeded.",
        )
    if values["rerun_scope"] == RerunScope.full_run_from_checkpoint and not step.has_checkpoint:
        raise ForkNotPossible(
            "rerun_scope", "No checkpoint of this run was reported.", "Choose a scope that needs no checkpoint."
        )
    port = values.get("output_port_id")
    if port is not None and step.ports and port not in step.ports:
        raise ForkNotPossible(
            "output_port_id",
            f"{step.name} has made nothing on the port {port!r}.",
            f"Ports that it used: {', '.join(sorted(step.ports))}.",
        )


def check_linkable(run: State) -> None:
    """Whether later sessions may be linked to a run at all."""
    if not run.properties["followup_session_linking_enabled"]:
        raise FollowUpNotLinked(run.properties["memory_mode"])


def is_private(run: State) -> bool:
    return run.properties["memory_mode"] in {MemoryMode.memory_incognito, MemoryMode.full_ephemeral_test}


def continuation(session_kind: str | None, continuation_status: str) -> str:
    """`available`, or why a session cannot be continued: only some kinds of session can be at all."""
    if continuation_status == ContinuationStatus.available and session_kind not in RESUMABLE_SESSIONS:
        return session_kind or SessionKind.unavailable
    return continuation_status


def continued(step: Step, values: Values) -> State | None:
    """The session that a follow-up continues. Only one that its runtime has reported as available can be."""
    if values.get("mode") != FollowUpMode.continue_original_session:
        return None
    wanted = values.get("session_key")
    named = [one for one in step.sessions if wanted in (None, one.properties["session_key"])]
    told = [continuation(one.properties.get("session_kind"), one.properties["continuation_status"]) for one in named]
    if ContinuationStatus.available not in told:
        raise ContinuationNotAvailable(told)
    return named[told.index(ContinuationStatus.available)]


def check_effect(values: Values, *, artifacts: int, forks: int) -> None:
    effect = values.get("durable_effect", DurableEffect.chat_only)
    if (effect == DurableEffect.module_followup_artifact) != bool(artifacts):
        raise InputInvalid("durable_effect", "is module_followup_artifact when there are artifacts, and only then")
    if forks and effect != DurableEffect.proposed_run_fork:
        raise InputInvalid("durable_effect", "is proposed_run_fork when a fork is named")


def check_intervention(step: Step, kind: str | None) -> None:
    if is_finished(step.run):
        raise RunIsFinished(step.run.properties["name"], step.run.properties["status"])
    if kind == InterventionKind.user_note_for_downstream:
        return
    live = step.activation.properties["status"] in _LIVE
    supported = step.supported() if live else set[str]()
    if kind not in supported:
        raise InterventionNotSupported(str(kind), supported)


def thread_warnings(scope: str | None, confined: set[str]) -> list[str]:
    """A thread that claims a scope and names nothing of it may bleed context from elsewhere."""
    needed = _NEEDED.get(ThreadScope(scope)) if scope else None
    return [UNSCOPED] if needed is not None and needed not in confined else []


ROOM_FOR_A_TASK = frozenset({OpportunityLevel.medium, OpportunityLevel.high, OpportunityLevel.explicit})


def check_consult(entrypoint: str | None, level: str | None, field: str, *, user_asked: bool) -> None:
    """Whether a task fits is asked of the Task Agent only where something speaks for one, or where the user asks."""
    if entrypoint != Entrypoint.consult_task_opportunity or user_asked or level in ROOM_FOR_A_TASK:
        return
    raise ConsultNotAllowed(field, level)
