"""What can be done with a run's modules afterwards (§20E): sessions, interventions and what a replay would need.

A control is offered only on the ground of what the runtime reported. Where it reported that something cannot be done,
the control is there with the reason; where it reported nothing, there is no control.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import (
    CheckpointStrategy,
    ContinuationStatus,
    InterventionKind,
    MappingStatus,
    NativeEventKind,
    ReplayPolicy,
    SessionKind,
)
from graph_schema.model.fields import Timestamp
from service.memory.continuation.rules import continuation
from service.memory.views.continuations import FollowUpRef, ForkedRunRef, ForkRef, follow_ups, forked_runs, forks
from service.memory.views.evidence import Evidence, evidence, prompts_missing
from service.memory.views.facts import Session
from service.memory.views.index import RunIndex
from service.memory.views.replay import ReplayRecord, artifacts_of, packet_of, prompt_of, replay_records
from service.memory.views.words import like
from service.views import Id, Of

CONTINUE = "continue_original_session"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunControl:
    """Something that may be done with a module after it ran, on the ground of what its runtime reported."""

    control: Annotated[str, "What may be done."]
    available: Annotated[bool, "Whether it can be done now."]
    reason_code: Annotated[str, "The ground: what the runtime reported."]
    session_id: Annotated[Id, "Id of the session that this rests on."]
    module_key: Annotated[str | None, Of("Session")]
    activation_seq: Annotated[int | None, Of("Session")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRef:
    """The session that a module ran in, as its runtime reported it."""

    session_id: Annotated[Id, "Id of the session."]
    session_key: Annotated[str, Of("Session")]
    session_kind: Annotated[SessionKind | None, Of("Session")]
    continuation_status: Annotated[ContinuationStatus, Of("Session")]
    module_key: Annotated[str | None, Of("Session")]
    activation_seq: Annotated[int | None, Of("Session")]
    child_session_key: Annotated[str | None, Of("Session")]
    runtime_run_id: Annotated[str | None, Of("Session")]
    agent_ref: Annotated[str | None, Of("Session")]
    model_ref: Annotated[str | None, Of("Session")]
    think_level: Annotated[str | None, Of("Session")]
    agent_config_snapshot_ref: Annotated[str | None, Of("Session")]
    effective_prompt_snapshot_ref: Annotated[str | None, "Where the prompt of the module is kept."]
    context_packet_ref: Annotated[str | None, "Where its context packet is kept, else the packet's id."]
    input_artifact_refs: Annotated[tuple[str, ...], "Where what it worked from is kept."]
    output_artifact_refs: Annotated[tuple[str, ...], "Where what it made is kept."]
    tool_call_trace_refs: Annotated[tuple[str, ...], Of("Session")]
    subagent_trace_refs: Annotated[tuple[str, ...], Of("Session")]
    completed_at: Annotated[Timestamp | None, Of("Session")]
    archived_at: Annotated[Timestamp | None, Of("Session")]


@dataclass(frozen=True, slots=True, kw_only=True)
class InterventionRef:
    """What a person asked of a running module."""

    intervention_id: Annotated[Id, "Id of the intervention."]
    intervention_kind: Annotated[InterventionKind | None, Of("Intervention")]
    note: Annotated[str | None, Of("Intervention")]
    supported_by_runtime: Annotated[bool | None, Of("Intervention")]
    applied: Annotated[bool | None, Of("Intervention")]
    applied_at: Annotated[Timestamp | None, Of("Intervention")]
    receipt_ref: Annotated[str | None, Of("Intervention")]
    module_key: Annotated[str | None, Of("Intervention")]
    activation_seq: Annotated[int | None, Of("Intervention")]


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeEventRef:
    """What an agent's own runtime said, by reference."""

    native_event_id: Annotated[Id, "Id of the event."]
    native_event_kind: Annotated[NativeEventKind | None, Of("NativeEvent")]
    native_event_ref: Annotated[str | None, Of("NativeEvent")]
    mapping_status: Annotated[MappingStatus | None, Of("NativeEvent")]
    degraded_reason_codes: Annotated[tuple[str, ...], Of("NativeEvent")]
    module_key: Annotated[str | None, Of("NativeEvent")]
    activation_seq: Annotated[int | None, Of("NativeEvent")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointRef:
    """A state that the run can go on from."""

    checkpoint_id: Annotated[Id, "Id of the checkpoint."]
    checkpoint_key: Annotated[str, Of("Checkpoint")]
    checkpoint_strategy: Annotated[CheckpointStrategy | None, Of("Checkpoint")]
    replay_policy: Annotated[ReplayPolicy | None, Of("Checkpoint")]
    taken_at: Annotated[Timestamp | None, Of("Checkpoint")]
    storage_ref: Annotated[str | None, Of("Checkpoint")]
    committed_side_effects: Annotated[tuple[str, ...], Of("Checkpoint")]
    module_key: Annotated[str | None, Of("Checkpoint")]
    activation_seq: Annotated[int | None, Of("Checkpoint")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAftermath:
    """What is left of a run to go on from."""

    sessions: Annotated[tuple[SessionRef, ...], "Sessions that its modules ran in."]
    interventions: Annotated[tuple[InterventionRef, ...], "What people asked of it while it ran."]
    native_events: Annotated[tuple[NativeEventRef, ...], "What its runtimes said."]
    checkpoints: Annotated[tuple[CheckpointRef, ...], "States that it can go on from."]
    replay_records: Annotated[tuple[ReplayRecord, ...], "What a replay of each step would need, in their order."]
    forks: Annotated[tuple[ForkRef, ...], "Requests to run part of it again."]
    follow_ups: Annotated[tuple[FollowUpRef, ...], "What took up its modules' work since."]
    forked_runs: Annotated[tuple[ForkedRunRef, ...], "The run that it was forked from, and those forked from it."]
    controls: Annotated[tuple[RunControl, ...], "What may be done, and what may not and why."]
    evidence: Annotated[Evidence, "What this rests on."]


def aftermath(index: RunIndex) -> RunAftermath:
    facts = index.facts
    during = ("activations", "sessions", "interventions", "native_events", "checkpoints", "snapshots", "packets")
    work = ("artifacts", "consumed")
    since = ("forks", "follow_ups", "forked_runs")
    return RunAftermath(
        sessions=tuple(_session(index, one) for one in facts.sessions),
        interventions=tuple(like(InterventionRef, one, intervention_id=one.id) for one in facts.interventions),
        native_events=tuple(like(NativeEventRef, one, native_event_id=one.id) for one in facts.native_events),
        checkpoints=tuple(like(CheckpointRef, one, checkpoint_id=one.id) for one in facts.checkpoints),
        replay_records=replay_records(index),
        forks=forks(index),
        follow_ups=follow_ups(index),
        forked_runs=forked_runs(index),
        controls=tuple(controls(index)),
        evidence=evidence(index, (*during, *work, *since), prompts_missing(index)),
    )


def _session(index: RunIndex, session: Session) -> SessionRef:
    """With what is kept of the step that ran in it: nothing where that is not known."""
    step = index.step_of(session)
    worked_from = index.consumed.get(step.id, ()) if step else ()
    return like(
        SessionRef,
        session,
        session_id=session.id,
        effective_prompt_snapshot_ref=prompt_of(index, step) if step else None,
        context_packet_ref=packet_of(index, step) if step else None,
        input_artifact_refs=tuple(dict.fromkeys(one.storage_ref for one in worked_from if one.storage_ref)),
        output_artifact_refs=artifacts_of(index, step) if step else (),
    )


def controls(index: RunIndex) -> Iterator[RunControl]:
    """A session that the runtime says can be continued is the only ground for the control to continue it."""
    for one in index.facts.sessions:
        told = continuation(one.session_kind, one.continuation_status)
        yield RunControl(
            control=CONTINUE,
            available=told == ContinuationStatus.available,
            reason_code=str(told),
            session_id=one.id,
            module_key=one.module_key,
            activation_seq=one.activation_seq,
        )
