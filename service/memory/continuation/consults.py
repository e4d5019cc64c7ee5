"""Recording a consult: what the task agent looked at to answer, kept apart by kind of evidence."""

import re
from typing import Any

from graph_schema.memory.continuation import CONSULTED
from graph_schema.model.fields import EvidenceLayer
from graph_schema.registry import REGISTRY
from service.commands import RecordRef, State, Work
from service.commands.errors import InputInvalid
from service.memory.continuation import rules
from service.memory.continuation.errors import FollowUpNotLinked, LayerDiffers
from service.memory.continuation.inputs import ConsultInput
from service.memory.continuation.steps import found, step_of

LAYERS: dict[str, EvidenceLayer] = {
    "consulted_operational_truth_refs": EvidenceLayer.run_truth,
    "consulted_memory_refs": EvidenceLayer.memory,
    "consulted_learning_signal_refs": EvidenceLayer.learning,
    "consulted_tkp_card_refs": EvidenceLayer.memory,
    "consulted_capability_refs": EvidenceLayer.memory,
}
_OURS = re.compile(r"([a-z]+)_[0-9a-z]{26}")


def own_refs(values: Any) -> list[tuple[str, RecordRef]]:
    """The references that are ids of records here, with the field that names each. Others are kept as they are."""
    return [
        (field, RecordRef(id=one))
        for field in LAYERS
        for one in values.get(field) or ()
        if _OURS.fullmatch(one) and REGISTRY.type_of_id(one)
    ]


class RecordConsult:
    def __init__(self, asked: ConsultInput) -> None:
        self._asked = asked

    async def __call__(self, work: Work) -> dict[str, Any]:
        looked_at = {state.id: state for state in (_looked_at(work, *one) for one in own_refs(self._asked.values))}
        about, known = await self._about(work)
        about += self._decision(work)
        thread = found(work, self._asked.thread, "thread", "Thread") if self._asked.thread else None
        given = {name: one for name, one in self._asked.values.items() if one is not None}
        named = {"name": f"Consult: {given.get('entrypoint')}", "recorded_by": work.viewer.principal_id}
        sources = [*looked_at.values(), *about, *([thread] if thread else ())]
        consult = work.create(work.registry.types["Consult"], {**named, **given, **known}, sources)
        # It is told when it is done: so both are told then, one after the other.
        work.event("task.agent.consult_started", consult, other=known.get("run_id"))
        work.event("task.agent.consult_completed", consult, other=known.get("run_id"))
        for state in about:
            work.link(consult, "ASKED_ABOUT", state)
        for state in looked_at.values():
            work.link(consult, "CONSULTED", state)
        if thread:
            work.link(consult, "HELD_IN", thread)
        return {"id": consult.id, "version": consult.version}

    def _decision(self, work: Work) -> list[State]:
        """What was decided of the request, where the agent is asked about one."""
        asked = self._asked
        decided = [found(work, asked.decision, "decision", "ModeDecision")] if asked.decision else []
        level = decided[0].properties["task_opportunity_level"] if decided else None
        rules.check_consult(asked.values.get("entrypoint"), level, "entrypoint", user_asked=asked.user_asked)
        return decided

    async def _about(self, work: Work) -> tuple[list[State], dict[str, Any]]:
        asked, about, known = self._asked, list[State](), dict[str, Any]()
        if asked.task is not None:
            known |= {"task_source": asked.task.source, "task_key": asked.task.key}
            task = work.find(asked.task, "task", ["Task"])
            about += [task] if task else []
        if asked.step is not None:
            run = found(work, asked.step.run, "run", "Run")
            self._check_private(run)
            about.append(run)
            known["run_id"] = run.id
            if asked.step.module_key is not None:
                step = await step_of(work, asked.step)
                about.append(step.activation)
                known |= {name: step.activation.properties[name] for name in ("module_key", "activation_seq")}
        return about, known

    def _check_private(self, run: State) -> None:
        """Of a run that is not remembered nothing is tied to the memory, not by its consults either."""
        beyond = any(
            self._asked.values.get(name) for name, layer in LAYERS.items() if layer is not EvidenceLayer.run_truth
        )
        if rules.is_private(run) and (beyond or self._asked.thread):
            raise FollowUpNotLinked(run.properties["memory_mode"])


def _looked_at(work: Work, field: str, ref: RecordRef) -> State:
    state = work.need(ref, field)
    if state.type.layer is not LAYERS[field]:
        raise LayerDiffers(field, str(ref), state.type.layer, LAYERS[field])
    if state.type.label not in CONSULTED:
        raise InputInvalid(field, f"{ref} is of a kind that is not consulted")
    return state
