"""The steps of a run as rows (§20C.3), in an order that keeps branches and loops together."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import StepStatus
from graph_schema.model.fields import Long, Timestamp
from service.memory.views.costs import is_subagent
from service.memory.views.evidence import Evidence, evidence, outputs_missing, steps_missing
from service.memory.views.facts import Activation
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id, Of


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAgent:
    """Who did a step."""

    agent_id: Annotated[str | None, "The agent."]
    model_ref: Annotated[str | None, Of("Activation")]
    think_level: Annotated[str | None, Of("Activation")]
    fallback_used: Annotated[bool | None, Of("Activation")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """One activation of a module, as a row."""

    activation_id: Annotated[Id, "Id of the activation."]
    module_id: Annotated[Id | None, "Id of the module's record, when the task is known."]
    module_key: Annotated[str, Of("Activation")]
    activation_seq: Annotated[int, Of("Activation")]
    display_order: Annotated[int, "Its place among all steps of the run, from 1."]
    module_label: Annotated[str, "What people call the module."]
    module_type: Annotated[str | None, Of("Activation")]
    preset_key: Annotated[str | None, Of("Activation")]
    branch_label: Annotated[str | None, Of("Activation")]
    loop_iteration: Annotated[int | None, "Which round of its loop it is, as reported or as the flow shows."]
    output_port_id: Annotated[str | None, Of("Activation")]
    after: Annotated[tuple[Id, ...], "Ids of the activations that set it going."]
    status: Annotated[StepStatus, Of("Activation")]
    started_at: Annotated[Timestamp | None, Of("Activation")]
    completed_at: Annotated[Timestamp | None, Of("Activation")]
    duration_ms: Annotated[Long | None, Of("Activation")]
    cost_usd: Annotated[float | None, "What it cost, by its own report or that of its spans."]
    agent_summary: Annotated[StepAgent | None, "Who did it, when that is known."]
    input_summary: Annotated[tuple[str, ...], Of("Activation")]
    output_summary: Annotated[tuple[str, ...], Of("Activation")]
    waiting_reason: Annotated[str | None, "What it waits for, while it does."]
    skip_reason: Annotated[str | None, Of("Activation")]
    error_code: Annotated[str | None, Of("Activation")]
    error_message: Annotated[str | None, Of("Activation")]
    artifact_ids: Annotated[tuple[Id, ...], "Ids of what it made."]
    delivery_ids: Annotated[tuple[Id, ...], "Ids of its deliveries."]
    gate_ids: Annotated[tuple[Id, ...], "Ids of the gates that it waited on."]
    has_prompt_context_snapshot: Annotated[bool, "Whether its prompt was snapshot."]
    has_context_packet: Annotated[bool, "Whether a context packet is known for it."]
    has_subagent_trace: Annotated[bool, "Whether it had subagents."]
    has_error: Annotated[bool, "Whether it, or an operation in it, ended in an error."]
    has_evaluation: Annotated[bool, "Whether it made evaluation evidence, or something that was evaluated."]
    expandable_detail_ref: Annotated[str | None, "Where the executor keeps its details."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSteps:
    """The steps that were asked for."""

    total: Annotated[int, "Steps of the run."]
    found: Annotated[int, "Steps that pass the filter."]
    rows: Annotated[tuple[RunStep, ...], "These steps, each branch and each loop kept together."]
    evidence: Annotated[Evidence, "What this rests on."]


def steps(
    index: RunIndex,
    search: str | None = None,
    status: Collection[str] | None = None,
    kinds: Collection[str] | None = None,
) -> RunSteps:
    """Steps that hold all words of `search`, have one of the states and are of one of the module types."""
    words = (search or "").casefold().split()
    rows = tuple(
        _row(index, step, place)
        for place, step in enumerate(index.steps, start=1)
        if (status is None or step.status in status) and (kinds is None or step.module_type in kinds)
        if not words or _holds(index, step, words)
    )
    lists = ("activations", "gates", "artifacts", "deliveries", "snapshots", "packets", "spans")
    return RunSteps(
        total=len(index.steps),
        found=len(rows),
        rows=rows,
        evidence=evidence(index, lists, steps_missing(index), outputs_missing(index)),
    )


def _holds(index: RunIndex, step: Activation, words: list[str]) -> bool:
    made = (one.name for one in index.artifacts.get(step.id, ()))
    parts = [step.name, step.module_key, step.module_type, step.branch_label, step.agent_ref, step.model_ref]
    said = [step.error_code, step.error_message, step.waiting_reason, step.skip_reason]
    text = " ".join(one for one in (*parts, *said, *step.input_summary, *step.output_summary, *made) if one).casefold()
    return all(one in text for one in words)


def _row(index: RunIndex, step: Activation, place: int) -> RunStep:
    made, spans = index.artifacts.get(step.id, ()), index.spans.get(step.id, ())
    return like(
        RunStep,
        step,
        activation_id=step.id,
        display_order=place,
        module_label=index.name(step),
        loop_iteration=index.rounds.get(step.id),
        after=tuple(one.id for one in index.before.get(step.id, ())),
        cost_usd=index.amounts[step.id].dollars,
        agent_summary=_agent(step),
        waiting_reason=step.waiting_reason if step.status == "waiting" else None,
        artifact_ids=tuple(one.id for one in made),
        delivery_ids=tuple(one.id for one in index.deliveries.get(step.id, ())),
        gate_ids=tuple(one.id for one in index.gates.get(step.id, ())),
        has_prompt_context_snapshot=bool(index.of_kind(step, "prompt")),
        has_context_packet=index.has_packet(step),
        has_subagent_trace=any(is_subagent(one) for one in spans),
        has_error=step.status == "error" or any(one.status == "error" for one in spans),
        has_evaluation=any(index.is_evaluation(one) or one.id in index.evaluated for one in made),
        expandable_detail_ref=step.detail_ref,
    )


def _agent(step: Activation) -> StepAgent | None:
    if step.agent_ref is None and step.model_ref is None:
        return None
    return like(StepAgent, step, agent_id=step.agent_ref)
