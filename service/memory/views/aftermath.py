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
from service.memory.views.facts import Checkpoint, Intervention, NativeEvent, Session
from service.memory.views.index import RunIndex
from service.memory.views.replay import ReplayRecord, replay_records
from service.memory.views.words import like, word
from service.views import Id

CONTINUE = "continue_original_session"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunControl:
    """Something that may be done with a module after it ran, on the ground of what its runtime reported."""

    control: Annotated[str, "What may be done."]
    available: Annotated[bool, "Whether it can be done now."]
    reason_code: Annotated[str, "The ground: what the runtime reported."]
    session_id: Annotated[Id, "Id of the session that this rests on."]
    module_key: Annotated[str | None, "The module."]
    activation_seq: Annotated[int | None, "Which activation of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRef:
    """The session that a module ran in, as its runtime reported it."""

    session_id: Annotated[Id, "Id of the session."]
    session_key: Annotated[str, "The session, as its runtime calls it."]
    session_kind: Annotated[SessionKind | None, "What kind of session it is."]
    continuation_status: Annotated[ContinuationStatus, "Whether it can be continued."]
    module_key: Annotated[str | None, "The module that ran in it."]
    activation_seq: Annotated[int | None, "Which activation of it."]
    child_session_key: Annotated[str | None, "A session that it spawned."]
    runtime_run_id: Annotated[str | None, "What the runtime calls the run."]
    agent_ref: Annotated[str | None, "Agent whose session it is."]
    model_ref: Annotated[str | None, "Model that it uses."]
    think_level: Annotated[str | None, "How hard the agent is told to think."]
    agent_config_snapshot_ref: Annotated[str | None, "Where the agent's configuration is kept."]
    tool_call_trace_refs: Annotated[tuple[str, ...], "Where its tool calls are kept."]
    subagent_trace_refs: Annotated[tuple[str, ...], "Where its subagents' traces are kept."]
    completed_at: Annotated[Timestamp | None, "When it ended."]
    archived_at: Annotated[Timestamp | None, "When it was archived."]


@dataclass(frozen=True, slots=True, kw_only=True)
class InterventionRef:
    """What a person asked of a running module."""

    intervention_id: Annotated[Id, "Id of the intervention."]
    intervention_kind: Annotated[InterventionKind | None, "What was asked."]
    note: Annotated[str | None, "What was said."]
    supported_by_runtime: Annotated[bool | None, "Whether the runtime can do this."]
    applied: Annotated[bool | None, "Whether it was done."]
    applied_at: Annotated[Timestamp | None, "When it was done."]
    receipt_ref: Annotated[str | None, "Where the receipt is kept."]
    module_key: Annotated[str | None, "The module."]
    activation_seq: Annotated[int | None, "Which activation of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeEventRef:
    """What an agent's own runtime said, by reference."""

    native_event_id: Annotated[Id, "Id of the event."]
    native_event_kind: Annotated[NativeEventKind | None, "What it says."]
    native_event_ref: Annotated[str | None, "Where it is kept."]
    mapping_status: Annotated[MappingStatus | None, "What became of it here."]
    degraded_reason_codes: Annotated[tuple[str, ...], "Why it could not be mapped."]
    module_key: Annotated[str | None, "The module."]
    activation_seq: Annotated[int | None, "Which activation of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointRef:
    """A state that the run can go on from."""

    checkpoint_id: Annotated[Id, "Id of the checkpoint."]
    checkpoint_key: Annotated[str, "The checkpoint, as the executor calls it."]
    checkpoint_strategy: Annotated[CheckpointStrategy | None, "What kind of boundary it is at."]
    replay_policy: Annotated[ReplayPolicy | None, "How the run goes on from it."]
    taken_at: Annotated[Timestamp | None, "When it was taken."]
    storage_ref: Annotated[str | None, "Where the state is kept."]
    committed_side_effects: Annotated[tuple[str, ...], "Idempotency keys of what had been done by then."]
    module_key: Annotated[str | None, "The module that it follows."]
    activation_seq: Annotated[int | None, "Which activation of it."]


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
    during = ("activations", "sessions", "interventions", "native_events", "checkpoints", "snapshots")
    since = ("forks", "follow_ups", "forked_runs")
    return RunAftermath(
        sessions=tuple(_session(one) for one in facts.sessions),
        interventions=tuple(_intervention(one) for one in facts.interventions),
        native_events=tuple(_native(one) for one in facts.native_events),
        checkpoints=tuple(_checkpoint(one) for one in facts.checkpoints),
        replay_records=replay_records(index),
        forks=forks(index),
        follow_ups=follow_ups(index),
        forked_runs=forked_runs(index),
        controls=tuple(controls(index)),
        evidence=evidence(index, (*during, *since), prompts_missing(index)),
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


def _session(one: Session) -> SessionRef:
    return like(
        SessionRef,
        one,
        session_id=one.id,
        session_kind=word(SessionKind, one.session_kind),
        continuation_status=ContinuationStatus(one.continuation_status),
    )


def _intervention(one: Intervention) -> InterventionRef:
    kind = word(InterventionKind, one.intervention_kind)
    return like(InterventionRef, one, intervention_id=one.id, intervention_kind=kind)


def _native(one: NativeEvent) -> NativeEventRef:
    return like(
        NativeEventRef,
        one,
        native_event_id=one.id,
        native_event_kind=word(NativeEventKind, one.native_event_kind),
        mapping_status=word(MappingStatus, one.mapping_status),
    )


def _checkpoint(one: Checkpoint) -> CheckpointRef:
    return like(
        CheckpointRef,
        one,
        checkpoint_id=one.id,
        checkpoint_strategy=word(CheckpointStrategy, one.checkpoint_strategy),
        replay_policy=word(ReplayPolicy, one.replay_policy),
    )
