"""The run lens (§4.6): all that a question about a run in operation needs, before anybody looks at logs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import GateKind, GateStatus, RunStatus, StepStatus, WriteScope
from graph_schema.model.fields import Timestamp
from graph_schema.model.record import LifecycleState
from service.memory.addresses import graph_page, run_page
from service.memory.views.anomalies import find
from service.memory.views.capabilities import CapabilityUsed, used
from service.memory.views.costs import RunCosts, costs, is_subagent
from service.memory.views.deliverables import FINAL, RunOutput, RunSource, index_entries, sources
from service.memory.views.evidence import (
    Evidence,
    evidence,
    learning_missing,
    memory_missing,
    outputs_missing,
    spans_missing,
    steps_missing,
)
from service.memory.views.facts import Activation, Gate, Span
from service.memory.views.index import RunIndex
from service.memory.views.progress import RunProgress, progress
from service.memory.views.status import waiting_reasons
from service.memory.views.words import like
from service.views import Id, Of, word

LATEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleState:
    """Where a module stands: its latest activation."""

    module_key: Annotated[str, Of("Activation")]
    activation_seq: Annotated[int, "Which activation of it is the latest."]
    module_label: Annotated[str, "What people call it."]
    status: Annotated[StepStatus, Of("Activation")]
    activations: Annotated[int, "How often it was activated."]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateState:
    """A gate of a run."""

    gate_id: Annotated[Id, "Id of the gate."]
    gate_kind: Annotated[GateKind | None, Of("Gate")]
    status: Annotated[GateStatus, Of("Gate")]
    question: Annotated[str | None, Of("Gate")]
    opened_at: Annotated[Timestamp | None, Of("Gate")]
    deadline_at: Annotated[Timestamp | None, Of("Gate")]
    decided_at: Annotated[Timestamp | None, Of("Gate")]
    decided_by: Annotated[str | None, Of("Gate")]
    steps: Annotated[tuple[str, ...], "Steps that it holds or held."]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentState:
    """A subagent at work."""

    span_id: Annotated[Id, "Id of its span."]
    name: Annotated[str, Of("Span")]
    agent_ref: Annotated[str | None, Of("Span")]
    model_ref: Annotated[str | None, Of("Span")]
    status: Annotated[StepStatus, Of("Span")]
    started_at: Annotated[Timestamp | None, Of("Span")]
    subagent_trace_ref: Annotated[str | None, Of("Span")]
    step: Annotated[str | None, "The step that it works for."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLens:
    """A run as somebody who is asked about it looks at it."""

    task_id: Annotated[Id | None, "Id of its task."]
    run_id: Annotated[Id, "Id of the run."]
    task_name: Annotated[str, "What people call the task."]
    template_id: Annotated[Id | None, "Id of the template that was used."]
    blueprint_key: Annotated[str | None, Of("Run")]
    blueprint_id: Annotated[Id | None, "Id of the blueprint that its executor named, else of its task's or template's."]
    current_status: Annotated[RunStatus, "Where it stands."]
    definition_status: Annotated[LifecycleState | None, "Where its task stands now, as a definition."]
    current_module_states: Annotated[tuple[ModuleState, ...], "Where each module stands."]
    graph_progress_summary: Annotated[RunProgress, "How far it has come, and the paths that it is on."]
    wait_reasons: Annotated[tuple[str, ...], "What it waits for."]
    human_gate_status: Annotated[tuple[GateState, ...], "Its gates."]
    active_subagents: Annotated[tuple[SubagentState, ...], "Subagents that are at work."]
    trigger_kind: Annotated[str | None, Of("Run")]
    trigger_summary: Annotated[str | None, Of("Run")]
    workflow_summary: Annotated[str | None, Of("Run")]
    input_summary: Annotated[tuple[str, ...], "What went into the steps that it began with, a line each."]
    documents_reviewed_summary: Annotated[tuple[RunSource, ...], "What it worked from."]
    capability_usage_summary: Annotated[tuple[CapabilityUsed, ...], "Capabilities that it used."]
    cost_summary: Annotated[RunCosts, "What it cost so far."]
    quality_summary: Annotated[str | None, Of("Run")]
    anomaly_codes: Annotated[tuple[str, ...], "What does not look right, each code once."]
    artifact_index: Annotated[tuple[RunOutput, ...], "Everything that it made."]
    latest_outputs: Annotated[tuple[RunOutput, ...], "What it made last, newest first."]
    final_output_refs: Annotated[tuple[str, ...], "Where its final outputs are kept."]
    task_memory_ref: Annotated[Id | None, "The run as memory has it; null when its policy keeps it out of memory."]
    learning_signal_refs: Annotated[
        tuple[Id, ...], "Ids of what there is to learn from: feedback on its context, and signals that were seen in it."
    ]
    assessment_refs: Annotated[tuple[Id, ...], "Ids of its assessments, the newest first."]
    run_inspector_url: Annotated[str, "The page that shows it, on the service's own address."]
    graph_inspector_url: Annotated[
        str | None, "The page that shows it in the graph of its task; null when you see no task of it."
    ]
    updated_at: Annotated[Timestamp, Of("Run")]
    evidence: Annotated[Evidence, "What this rests on."]


def lens(index: RunIndex) -> RunLens:
    run, facts = index.run, index.facts
    entries = index_entries(index)
    finals = [one for one in entries if one.output_class == FINAL]
    return RunLens(
        task_id=index.task.id if index.task else None,
        run_id=run.id,
        task_name=index.title,
        template_id=facts.template.id if facts.template else None,
        blueprint_key=run.blueprint_key,
        blueprint_id=run.blueprint_id,
        current_status=run.status,
        definition_status=word(LifecycleState, index.task.state if index.task else None),
        current_module_states=module_states(index),
        graph_progress_summary=progress(index),
        wait_reasons=tuple(waiting_reasons(index)),
        human_gate_status=tuple(_gate(index, one) for one in facts.gates),
        active_subagents=() if index.has_ended else tuple(_subagent(index, one) for one in facts.spans if _works(one)),
        trigger_kind=run.trigger_kind,
        trigger_summary=run.trigger_summary,
        workflow_summary=run.workflow_summary,
        input_summary=tuple(_inputs(index)),
        documents_reviewed_summary=tuple(sources(index)),
        capability_usage_summary=used(index),
        cost_summary=costs(index),
        quality_summary=run.quality_summary,
        anomaly_codes=tuple(dict.fromkeys(one.code for one in find(index))),
        artifact_index=entries,
        latest_outputs=tuple(reversed(entries[-LATEST:])),
        final_output_refs=tuple(one.storage_ref for one in finals if one.storage_ref is not None),
        task_memory_ref=None if run.memory_write_scope == WriteScope.none else run.id,
        learning_signal_refs=tuple(one.id for one in (*facts.feedback, *facts.signals)),
        assessment_refs=tuple(one.id for one in facts.assessments),
        run_inspector_url=run_page(run.id),
        graph_inspector_url=graph_page(index.task.id, run.id) if index.task else None,
        updated_at=run.updated_at,
        evidence=_evidence(index),
    )


def _evidence(index: RunIndex) -> Evidence:
    flow = ("activations", "gates", "capabilities", "documents", "spans", "snapshots")
    return evidence(
        index,
        (*flow, "artifacts", "consumed", "deliveries", "feedback", "assessments", "signals"),
        steps_missing(index),
        spans_missing(index),
        outputs_missing(index),
        memory_missing(index),
        learning_missing(index),
    )


def _inputs(index: RunIndex) -> Iterator[str]:
    for step in index.steps:
        if step.id not in index.before:
            yield from (f"{index.label(step)}: {one}" for one in step.input_summary)


def module_states(index: RunIndex) -> tuple[ModuleState, ...]:
    latest: dict[str, Activation] = {}
    counts: dict[str, int] = {}
    for step in index.steps:
        counts[step.module_key] = counts.get(step.module_key, 0) + 1
        if step.module_key not in latest or latest[step.module_key].activation_seq < step.activation_seq:
            latest[step.module_key] = step
    return tuple(
        ModuleState(
            module_key=key,
            activation_seq=step.activation_seq,
            module_label=index.name(step),
            status=step.status,
            activations=counts[key],
        )
        for key, step in latest.items()
    )


def _gate(index: RunIndex, gate: Gate) -> GateState:
    steps = tuple(index.label(index.step[one]) for one in gate.activation_ids if one in index.step)
    return like(GateState, gate, gate_id=gate.id, steps=steps)


def _works(span: Span) -> bool:
    return is_subagent(span) and span.status in {"running", "waiting", "pending"} and not span.stub


def _subagent(index: RunIndex, span: Span) -> SubagentState:
    step = index.step.get(span.activation_id or "")
    return like(SubagentState, span, span_id=span.id, step=index.label(step) if step else None)
