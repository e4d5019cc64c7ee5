"""The steps of a run as rows (§20C.3), in an order that keeps branches and loops together."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import StepStatus
from graph_schema.model.fields import Long, Timestamp
from service.graph.reads.cursors import decode, encode
from service.graph.reads.errors import LimitExceeded, PagingInvalid
from service.memory.views.costs import is_subagent
from service.memory.views.evidence import Evidence, evidence, outputs_missing, steps_missing
from service.memory.views.facts import Activation, Part
from service.memory.views.index import RunIndex
from service.memory.views.order import Placed
from service.memory.views.words import like
from service.views import Id, Of, PageFacts, page_facts

BLOCK = 500
"""The steps of a run are put in order by blocks of so many, in the order in which they began: a run of any size is
shown page by page, and a step has the same place however it is asked for."""
DEFAULT, MOST = 100, BLOCK
ANCESTORS = 200
LONGEST_WAY = 49
_CURSOR = "run_steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsRequest:
    """Which steps: those that hold all words of `search`, have one of the states and are of one of the types."""

    search: str | None = None
    status: Collection[str] | None = None
    kinds: Collection[str] | None = None
    first: int = DEFAULT
    after: str | None = None

    @property
    def words(self) -> list[str]:
        return (self.search or "").casefold().split()

    @property
    def narrows(self) -> bool:
        return bool(self.words) or self.status is not None or self.kinds is not None

    def check(self) -> None:
        if self.first < 1:
            raise PagingInvalid("first", "it must be at least 1")
        if self.first > MOST:
            raise LimitExceeded("first", MOST, self.first, "Ask for a smaller page and follow the cursors.")
        self.begins_after()

    def begins_after(self) -> tuple[str, str] | None:
        """Place and id of the step that the page before ended with. A cursor that is none is refused."""
        if self.after is None:
            return None
        found = decode(self.after, _CURSOR, field="after", linked=False, nullable=False)
        return str(found.value), found.id


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
class StepAncestor:
    """A step that led to one of a page, and is not on it."""

    activation_id: Annotated[Id, "Id of the activation."]
    module_key: Annotated[str, Of("Activation")]
    activation_seq: Annotated[int, Of("Activation")]
    module_label: Annotated[str, "What people call the module."]
    status: Annotated[StepStatus, Of("Activation")]
    after: Annotated[tuple[Id, ...], "Ids of the activations that set it going."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSteps:
    """A page of the steps that were asked for."""

    total: Annotated[int, "Steps of the run."]
    found: Annotated[int, "Steps that pass the filter."]
    rows: Annotated[tuple[RunStep, ...], "These steps, each branch and each loop kept together."]
    ancestors: Annotated[
        tuple[StepAncestor, ...],
        "How the run came to these rows, by the first cause of each step, as far as that is not among the rows.",
    ]
    page_info: Annotated[PageFacts, "Where the page begins and ends."]
    evidence: Annotated[Evidence, "What this rests on."]


def is_whole(index: RunIndex) -> bool:
    """Whether all steps, with all that rows tell of them, are at hand, and are one block."""
    facts = index.facts
    return facts.loaded >= STEPS_NEED and not facts.cut and index.tally.total == len(facts.activations) <= BLOCK


STEPS_NEED = frozenset({Part.run, Part.flow, Part.trace, Part.made, Part.held})
"""The parts of the facts that all rows are made from."""


def steps(index: RunIndex, request: StepsRequest | None = None) -> RunSteps:
    """A page of steps, from a run that is at hand as a whole."""
    asked = request or StepsRequest()
    passing = [
        (place, step)
        for place, step in enumerate(index.steps, start=1)
        if not asked.narrows or _passes(index, step, asked)
    ]
    begins = asked.begins_after()
    start = next((place for place, step in passing if begins and step.id == begins[1]), 0)
    coming = [(place, step) for place, step in passing if place > start]
    shown = coming[: asked.first]
    rounds = index.rounds
    return RunSteps(
        total=len(index.steps),
        found=len(passing),
        rows=tuple(row(index, step, place, rounds.get(step.id)) for place, step in shown),
        ancestors=tuple(_ancestors(index, [step for _, step in shown])),
        page_info=page_of([step for _, step in shown], asked, more=len(coming) > len(shown)),
        evidence=evidence_of(index),
    )


def page_of(shown: Sequence[Placed], asked: StepsRequest, *, more: bool) -> PageFacts:
    return page_facts([encode(_CURSOR, one.place, one.id, None) for one in shown], asked.after, has_next=more)


def evidence_of(index: RunIndex) -> Evidence:
    lists = ("activations", "gates", "artifacts", "deliveries", "snapshots", "packets", "spans")
    return evidence(index, lists, steps_missing(index), outputs_missing(index))


def _ancestors(index: RunIndex, shown: Sequence[Activation]) -> list[StepAncestor]:
    """The way back from every row that nothing on the page led to."""
    here = {one.id for one in shown}
    found: dict[str, Activation] = {}
    for step in shown:
        causes = index.before.get(step.id, ())
        if not any(one.id in here for one in causes):
            found |= {one.id: one for one in _way_back(index, step) if one.id not in here}
    return ancestors_of(index, found.values())


def _way_back(index: RunIndex, step: Activation) -> Iterable[Activation]:
    seen = {step.id}
    for _ in range(LONGEST_WAY):
        before = index.before.get(step.id)
        if not before or before[0].id in seen:
            return
        step = before[0]
        seen.add(step.id)
        yield step


def ancestors_of(index: RunIndex, found: Iterable[Activation]) -> list[StepAncestor]:
    last = sorted(found, key=lambda one: one.place)[-ANCESTORS:]
    return [
        like(StepAncestor, one, activation_id=one.id, module_label=index.name(one), after=_after(index, one))
        for one in last
    ]


def _after(index: RunIndex, step: Activation) -> tuple[str, ...]:
    return step.caused_by or tuple(one.id for one in index.before.get(step.id, ()))


def _passes(index: RunIndex, step: Activation, asked: StepsRequest) -> bool:
    stands = asked.status is None or step.status in asked.status
    kind = asked.kinds is None or index.module_type(step) in asked.kinds
    return stands and kind and _holds(index, step, asked.words)


def _holds(index: RunIndex, step: Activation, words: list[str]) -> bool:
    made = (one.name for one in index.artifacts.get(step.id, ()))
    module = index.module(step)
    parts = [step.name, step.module_key, module.name if module else None, step.module_type, step.branch_label]
    parts += [step.agent_ref, step.model_ref]
    said = [step.error_code, step.error_message, step.waiting_reason, step.skip_reason]
    text = " ".join(one for one in (*parts, *said, *step.input_summary, *step.output_summary, *made) if one).casefold()
    return all(one in text for one in words)


def row(index: RunIndex, step: Activation, place: int, loop_round: int | None) -> RunStep:
    made, spans, module = index.artifacts.get(step.id, ()), index.spans.get(step.id, ()), index.module(step)
    return like(
        RunStep,
        step,
        activation_id=step.id,
        module_id=module.id if module else step.module_id,
        display_order=place,
        module_label=index.name(step),
        module_type=index.module_type(step),
        loop_iteration=loop_round,
        after=_after(index, step),
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
