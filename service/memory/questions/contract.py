"""What whoever asks may read and do here, for one run or in general: only what is really enforced or reported.

The words of the surfaces are the specification's. A surface that this service does not have says so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import ContinuationStatus, InterventionKind, StepStatus
from service.access.agents import COMMANDS, is_agent
from service.access.viewer import KeyScope, PrincipalKind, Viewer
from service.memory.continuation.rules import continuation
from service.memory.reporting.fold import ENDED
from service.memory.views.circumstances import Session
from service.memory.views.facts import Activation, RunFacts
from service.views import Id

NOT_HERE = "not_in_this_service"
_LIVE = frozenset({StepStatus.pending, StepStatus.running, StepStatus.waiting})

READ_SURFACES: dict[str, str | None] = {
    "task_catalog": "tasks",
    "task_record": "tasks",
    "task_template": "templates",
    "module_preset": "presets",
    "task_blueprint": "blueprints",
    "task_run_record": "runs",
    "task_run_snapshot": "snapshots",
    "task_run_log": "nativeEvents",
    "task_checkpoint": "checkpoints",
    "task_artifact_index": "artifacts",
    "task_trace_span": "spans",
    "monitor_module_status": "activations",
    "environment_config": None,
    "prompt_snapshot": "snapshots",
    "capability_snapshot": "snapshots",
    "policy_decision_snapshot": "snapshots",
    "step_output_shelf": "artifacts",
    "tool_result_shelf": "artifacts",
    "run_inspector_read_model": "run",
    "doc72_task_activity_memory": "entities",
    "doc24_capability_registry": "capabilities",
    "doc24_context_packet": "contextPackets",
    "doc25_ingestion_result": None,
    "doc73_library_binding": "libraryIntents",
    "doc8_learning_bundle": "learningReport",
    "bdsm_utility_bundle": "designAggregates",
}
"""The query that each is read by; None: it is not kept here, at most a reference to it."""


@dataclass(frozen=True, slots=True)
class Way:
    """The operation that something is asked for by, and what it needs."""

    operation: str
    scope: KeyScope = KeyScope.curate
    is_question: bool = False
    """Whether it changes nothing: then the scope alone says who may ask it."""


COMMAND_SURFACES: dict[str, Way] = {
    "task.design_session.start": Way("startDesignSession"),
    "task.blueprint.propose": Way("saveBlueprint"),
    "task.graph.propose": Way("saveGraph"),
    "task.graph.diff.propose": Way("proposeChange"),
    "task.preflight.run": Way("preflight", KeyScope.read, is_question=True),
    "task.assessment.request": Way("assessRun"),
    "task.artifact.promote.request": Way("promoteArtifact"),
    "task.template.update.propose": Way("proposeChange"),
    "task.preset.update.propose": Way("proposeChange"),
    "task.knowledge_pack.rebuild.request": Way("compileKnowledge"),
    "task.run.fork.request": Way("requestFork"),
    "task.module.followup.start": Way("recordFollowUp"),
    "task.module.session.continue": Way("recordFollowUp"),
    "task.module.intervention.request": Way("recordIntervention"),
}
"""What a person saves is its own approval; what an agent saves is a proposal. A change of what is in use is proposed by
anybody, and a person decides."""

FORBIDDEN_COMMANDS = (
    "direct_file_write",
    "direct_graph_mutation",
    "hidden_runtime_orchestration",
    "unapproved_side_effect",
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """Whether something may be read or done, and how; or why not."""

    surface: Annotated[str, "What is read or done, in the specification's words."]
    allowed: Annotated[bool, "Whether you may, with this key."]
    operation: Annotated[str | None, "The operation of this API that it is done by."] = None
    reason: Annotated[str | None, "Why not, as a code."] = None
    reported: Annotated[int | None, "How much of it there is in the run for you."] = None


@dataclass(frozen=True, slots=True)
class ModuleControl:
    """Something that may be asked of an activation now, or the reason why it may not."""

    control: Annotated[str, "What may be asked."]
    module_key: Annotated[str, "The module."]
    activation_seq: Annotated[int, "Which activation of it."]
    available: Annotated[bool, "Whether it may be asked now."]
    reason: Annotated[str | None, "Why not, as a code."] = None
    session_key: Annotated[str | None, "The session that it is about."] = None


@dataclass(frozen=True, slots=True)
class PermissionContract:
    """What you may read and do here. Only what is enforced, or was reported by the runtime."""

    principal_id: Annotated[Id, "Who you are."]
    principal_kind: Annotated[PrincipalKind, "What you are: some things only a person decides."]
    run_id: Annotated[Id | None, "The run that it is about."]
    read_surfaces: Annotated[tuple[Allowance, ...], "What you may read."]
    command_surfaces: Annotated[tuple[Allowance, ...], "What you may ask for."]
    forbidden_commands: Annotated[tuple[str, ...], "What nobody can do here: no operation does it."]
    may_authorise_side_effects: Annotated[bool, "Whether you may let a fork act on the outside world again."]
    controls: Annotated[tuple[ModuleControl, ...], "What may be asked of the run's activations now."]


def contract_of(viewer: Viewer, facts: RunFacts | None) -> PermissionContract:
    return PermissionContract(
        principal_id=viewer.principal_id,
        principal_kind=viewer.kind,
        run_id=facts.run.id if facts else None,
        read_surfaces=tuple(_read(viewer, facts, name, query) for name, query in READ_SURFACES.items()),
        command_surfaces=tuple(_command(viewer, name, how) for name, how in COMMAND_SURFACES.items()),
        forbidden_commands=FORBIDDEN_COMMANDS,
        may_authorise_side_effects=viewer.kind is PrincipalKind.person and KeyScope.curate in viewer.scopes,
        controls=tuple(_controls(viewer, facts)) if facts else (),
    )


def _read(viewer: Viewer, facts: RunFacts | None, surface: str, query: str | None) -> Allowance:
    if query is None:
        return Allowance(surface, False, reason=NOT_HERE)
    if KeyScope.read not in viewer.scopes:
        return Allowance(surface, False, query, "scope_missing: read")
    return Allowance(surface, True, query, reported=_reported(facts, surface) if facts else None)


def _reported(facts: RunFacts, surface: str) -> int | None:
    """How much of it there is in the run for whoever asks; None where it is no part of a run."""
    kinds = {"prompt_snapshot": "prompt", "capability_snapshot": "capability", "policy_decision_snapshot": "policy"}
    if surface in kinds:
        return sum(one.snapshot_kind == kinds[surface] for one in facts.snapshots)
    if surface == "tool_result_shelf":
        return sum(one.artifact_kind == "tool_result" for one in facts.artifacts)
    lists: dict[str, int] = {
        "task_run_record": 1,
        "task_run_snapshot": len(facts.snapshots),
        "task_run_log": len(facts.native_events),
        "task_checkpoint": len(facts.checkpoints),
        "task_artifact_index": len(facts.artifacts),
        "task_trace_span": len(facts.spans),
        "monitor_module_status": len(facts.activations),
        "step_output_shelf": len(facts.artifacts),
        "doc72_task_activity_memory": len({one.id for one in (*facts.about, *facts.documents, *facts.goals)}),
        "doc24_capability_registry": len({one.id for one in facts.capabilities}),
        "doc24_context_packet": len(facts.packets),
    }
    return lists.get(surface)


def _command(viewer: Viewer, surface: str, way: Way) -> Allowance:
    if is_agent(viewer) and not way.is_question and way.operation not in COMMANDS:
        return Allowance(surface, False, way.operation, "needs_a_person")
    allowed = way.scope in viewer.scopes
    return Allowance(surface, allowed, way.operation, None if allowed else f"scope_missing: {way.scope}")


def _controls(viewer: Viewer, facts: RunFacts) -> Iterable[ModuleControl]:
    """For every activation that there are controls for: continuing its session, and what its runtime takes."""
    may = KeyScope.curate in viewer.scopes
    ended = facts.run.status in ENDED
    sessions: dict[tuple[str | None, int | None], list[Session]] = {}
    for one in facts.sessions:
        sessions.setdefault((one.module_key, one.activation_seq), []).append(one)
    for step in sorted(facts.activations, key=lambda one: (one.module_key, one.activation_seq)):
        own = sessions.get((step.module_key, step.activation_seq), [])
        yield from _continuations(step, own, may=may)
        yield from _interventions(step, own, may=may, ended=ended)


def _continuations(step: Activation, sessions: list[Session], *, may: bool) -> Iterable[ModuleControl]:
    name = "continue_original_session"
    if not sessions:
        yield ModuleControl(name, step.module_key, step.activation_seq, False, "no_session_reported")
    for one in sessions:
        told = continuation(one.session_kind, one.continuation_status)
        reason = told if told != ContinuationStatus.available else None if may else "scope_missing: curate"
        yield ModuleControl(name, step.module_key, step.activation_seq, reason is None, reason, one.session_key)


def _interventions(step: Activation, sessions: list[Session], *, may: bool, ended: bool) -> Iterable[ModuleControl]:
    taken = {kind for one in sessions for kind in one.supported_interventions}
    for kind in InterventionKind:
        note = kind is InterventionKind.user_note_for_downstream
        reason = None
        if ended:
            reason = "run_is_finished"
        elif not note and step.status not in _LIVE:
            reason = "module_is_not_running"
        elif not note and kind not in taken:
            reason = "not_reported_by_runtime"
        elif not may:
            reason = "scope_missing: curate"
        yield ModuleControl(kind.value, step.module_key, step.activation_seq, reason is None, reason)
