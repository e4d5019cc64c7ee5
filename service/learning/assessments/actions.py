"""Changes that findings recommend, as proposals take them. Each is kept with its finding, and waits there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from graph_schema.learning.assessment_words import ActionKind
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH
from service.commands import RecordRef, State, Work
from service.knowledge.preflight.issues import FixOp
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from service.learning.proposals.steps import Step, sentence

_BOUND = frozenset({"REQUIRES", "ALLOWS", "DENIES"})
_ARTIFACTS = frozenset({"artifact_policy", "memory_artifact_policy_summary"})
_OF_PRESETS = frozenset({
    ProposalKind.module_preset_update, ProposalKind.module_preset_semantic_card_update,
    ProposalKind.prompt_update_proposal,
})  # fmt: skip
_OF_TEMPLATES = frozenset({
    ProposalKind.task_template_update, ProposalKind.template_semantic_card_update,
    ProposalKind.output_archetype_default_update,
})  # fmt: skip

Patch = Mapping[str, Any]


def change(
    kind: ProposalKind, target: str, because: str, effect: str, *steps: ProposalStep, by: Sequence[str] = ()
) -> ProposalInput:
    """A change of one record. `by`: what else speaks for it, beside the finding."""
    return ProposalInput(
        proposal_kind=kind,
        target=RecordRef(id=target),
        steps=steps,
        rationale=because,
        expected_effect=effect,
        supported_by=tuple(RecordRef(id=one) for one in by),
    )


def set_to(field: str, value: Any) -> ProposalStep:
    return ProposalStep(operation=Operation.set_value, field=field, value=value)


def added(field: str, value: str) -> ProposalStep:
    return ProposalStep(operation=Operation.add_to_list, field=field, value=[value])


def linked(relation: str, head: str, operation: Operation = Operation.link) -> ProposalStep:
    return ProposalStep(operation=operation, relation=relation, head=RecordRef(id=head))


def put_into(state: str) -> ProposalStep:
    return ProposalStep(operation=Operation.set_lifecycle, value=state)


def patched(*operations: Patch) -> ProposalStep:
    told = [{name: value for name, value in one.items() if value is not None} for one in operations]
    return ProposalStep(operation=Operation.patch_graph, value=told)


def cable(tail: str, head: str, from_port: str | None = None, to_port: str | None = None) -> Patch:
    ends = {"module_key": tail, "head_key": head, "from_port": from_port, "to_port": to_port}
    return {"op": FixOp.add_cable.value, **ends}


def no_cable(tail: str, head: str, from_port: str | None = None, to_port: str | None = None) -> Patch:
    return {**cable(tail, head, from_port, to_port), "op": FixOp.remove_cable.value}


def module(key: str, module_type: str) -> Patch:
    return {"op": FixOp.add_module.value, "module_key": key, "value": module_type}


def kind_of(given: ProposalInput) -> ActionKind:
    """What kind of change it is, by what it touches."""
    patches = [one for step in given.steps for one in _patches(step)]
    operations = {step.operation for step in given.steps}
    if patches:
        settings = all(one.get("op") == FixOp.set_config.value for one in patches)
        return ActionKind.module_config_patch if settings else ActionKind.graph_diff
    if any(step.relation in _BOUND for step in given.steps):
        return ActionKind.capability_binding_patch
    if any(step.field in _ARTIFACTS for step in given.steps):
        return ActionKind.artifact_policy_patch
    if Operation.patch_blueprint in operations:
        return ActionKind.blueprint_diff
    if given.proposal_kind in _OF_PRESETS:
        return ActionKind.prompt_or_preset_patch
    return ActionKind.template_update if given.proposal_kind in _OF_TEMPLATES else ActionKind.design_improvement


def _patches(step: ProposalStep) -> Sequence[Patch]:
    return step.value or () if step.operation is Operation.patch_graph else ()


def keep_action(work: Work, finding: State, position: int, given: ProposalInput) -> State | None:
    """An action beside its finding; none where what it would change is not there."""
    target = work.find(given.target, "target")
    if target is None:
        return None
    heads = [work.find(one.head, "steps") for one in given.steps if one.head is not None]
    told = f"{target.properties['name']}: {' '.join(_sentences(work, target, given.steps))}"
    values = {
        "name": told[:NAME_LENGTH],
        "position": position,
        "action_kind": kind_of(given).value,
        "statement": told[:TEXT_LENGTH],
        "proposal_kind": given.proposal_kind.value,
        "target_id": target.id,
        "target_kind": target.type.label,
        "patch": patch_of(given.steps),
        **({"expected_effect": given.expected_effect} if given.expected_effect else {}),
    }
    sources = [finding, target, *(one for one in heads if one)]
    made = work.create(work.registry.types["AssessmentAction"], values, sources)
    work.link(finding, "RECOMMENDS", made)
    work.link(made, "WOULD_CHANGE", target)
    return made


def _sentences(work: Work, target: State, steps: Iterable[ProposalStep]) -> Iterable[str]:
    for one in steps:
        head = work.find(one.head, "steps") if one.head else None
        named = head.properties["name"] if head else ""
        before = "lifecycle_state" if one.operation is Operation.set_lifecycle else one.field or ""
        step = Step(one.operation, one.field, one.value, one.relation, head.id if head else None, named)
        yield sentence(step, target.properties.get(before))


def patch_of(steps: Iterable[ProposalStep]) -> str:
    """The steps of an action as they are kept."""
    return orjson.dumps([_plain(one) for one in steps]).decode()


def _plain(one: ProposalStep) -> dict[str, Any]:
    told = {"operation": one.operation.value, "field": one.field, "value": one.value, "relation": one.relation}
    head = {"head_id": one.head.id} if one.head else {}
    return {name: value for name, value in {**told, **head}.items() if value is not None}


def steps_in(patch: str) -> tuple[ProposalStep, ...]:
    """The steps of an action that was kept."""
    return tuple(
        ProposalStep(
            operation=Operation(one["operation"]),
            field=one.get("field"),
            value=one.get("value"),
            relation=one.get("relation"),
            head=RecordRef(id=one["head_id"]) if "head_id" in one else None,
        )
        for one in orjson.loads(patch)
    )
