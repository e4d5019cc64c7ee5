"""Proposing a change: checked as a save of it would be, with its risk, its evidence, and a way to read it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from graph_schema.learning.dataset_relations import VALIDATING
from graph_schema.learning.proposal_words import Operation, ProposalOrigin, ProposalState
from graph_schema.learning.relations import CONNECTED, EVIDENCE, TARGETS
from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH
from graph_schema.model.relation import Relation
from graph_schema.registry import REGISTRY
from service.access.agents import is_agent
from service.commands import RecordRef, State, Work
from service.commands.errors import WrongKind
from service.commands.validation import validated
from service.errors import TaskloreError
from service.knowledge.prompts.holding import keeps_text
from service.learning.errors import (
    ChangesNothing,
    DatasetNotFrozen,
    NotWanted,
    PromptTextNotKept,
    ProposedAlready,
    RejectedBefore,
    StepInvalid,
    TargetUnfit,
)
from service.learning.proposals import blueprints, cypher
from service.learning.proposals.graphs import check_fits, check_patch, with_graph
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from service.learning.proposals.risk import highest, policy_of, risk_of, update_of
from service.learning.proposals.steps import WHOLES, Content, Step, content_of, digest, idea_key, patched, sentence
from service.learning.proposals.targets import AIMS
from service.records import rules
from service.records.errors import RelationSaved

MOST_STEPS = 50
OPEN = frozenset({ProposalState.candidate, ProposalState.staged, ProposalState.approved, ProposalState.applied})
_LISTS = frozenset({Operation.add_to_list, Operation.remove_from_list})
_LINKS = frozenset({Operation.link, Operation.unlink})


async def propose(
    work: Work,
    given: ProposalInput,
    origin: ProposalOrigin,
    rule: str | None = None,
    *,
    found: Sequence[State] = (),
) -> State:
    """Keep a proposal with its steps and evidence. It has the access of all that it changes and rests on.

    `found`: findings that are made with it. They support it, and are no new evidence for what was rejected before.
    """
    target = known(work, given.target, "target", TARGETS)
    _check_aim(given, target)
    heads = {str(one.head): known(work, one.head, "steps", CONNECTED) for one in given.steps if one.head}
    steps = _steps(target, given.steps, heads)
    connected = {one.id: one for one in heads.values()}
    check_links(work, target, steps, connected)
    before = await content(work, target, steps)
    check_fits(before, steps)
    blueprints.check_fits(before, steps)
    after = patched(before, steps)
    if after.hash() == before.hash():
        raise ChangesNothing
    _check_values(target, before, after)
    await blueprints.check_saving(work, target, before, after)
    evidence = _evidence(work, [*given.supported_by, *kept_refs(given)]), _evidence(work, given.countered_by)
    steps = _named(steps, evidence[0])
    idea = idea_key(target.id, before, steps)
    await _check_earlier(work, given, target, idea, {one.id for one in evidence[0]})
    dataset = _dataset(work, given)
    validating = [*([dataset] if dataset else []), *validated_by(work, given.eval_result_ref)]
    sources = [target, *connected.values(), *evidence[0], *evidence[1], *found, *validating]
    values = {
        **_told(given, target, steps, before),
        "prior_hash": before.hash(),
        "candidate_hash": after.hash(),
        "idea_key": idea,
        "evidence_key": digest(sorted(one.id for one in evidence[0])),
        "support_count": len(evidence[0]) + len(found),
        "counter_count": len(evidence[1]),
        "validation_dataset_id": dataset.id if dataset else None,
        "eval_candidate": given.eval_candidate,
        "eval_baseline": given.eval_baseline,
        "origin": origin.value,
        "rule": rule,
        "proposed_by": work.viewer.principal_id,
    }
    kept = {name: value for name, value in values.items() if value is not None}
    made = work.create(work.registry.types["Proposal"], kept, sources)
    work.link(made, "CHANGES", target)
    for one in connected.values():
        work.link(made, "CONNECTS", one)
    for one in validating:
        work.link(made, "VALIDATED_BY", one)
    _link_evidence(work, made, ([*evidence[0], *found], evidence[1]))
    _link_steps(work, made, steps, before)
    return made


def _named(steps: Sequence[Step], evidence: Sequence[State]) -> list[Step]:
    """A text that is known by its hash alone is called as the candidate is that has it."""
    names = {one.properties.get("prompt_hash"): one.properties["name"] for one in evidence}
    of_text = "prompt_text_hash"
    return [replace(one, name=names.get(one.value, "")) if one.field == of_text else one for one in steps]


def _dataset(work: Work, given: ProposalInput) -> State | None:
    """What supports it could still change as long as it is not frozen."""
    if given.validation_dataset is None:
        return None
    found = known(work, given.validation_dataset, "validation_dataset", ("EvalDataset",))
    if found.properties.get("frozen_at") is None:
        raise DatasetNotFrozen(found.id, "validation_dataset")
    return found


def origin_of(work: Work) -> ProposalOrigin:
    return ProposalOrigin.agent if is_agent(work.viewer) else ProposalOrigin.person


def refs_of(given: ProposalInput) -> list[RecordRef]:
    """All that a proposal names."""
    heads = [one.head for one in given.steps if one.head is not None]
    dataset = [given.validation_dataset] if given.validation_dataset else []
    evidence = (*given.supported_by, *given.countered_by, *kept_refs(given), *own_refs(given.eval_result_ref))
    return [given.target, *heads, *evidence, *dataset]


def own_refs(*places: str | None) -> list[RecordRef]:
    """Those of the places where something is kept that are records here."""
    return [RecordRef(id=one) for one in places if one and _OWN_ID.fullmatch(one) and REGISTRY.type_of_id(one)]


def validated_by(work: Work, result: str | None) -> list[State]:
    """The evaluation that is kept here: what it tells closes the proposal, too."""
    found = [state for ref in own_refs(result) if (state := work.find(ref, "eval_result_ref")) is not None]
    return [one for one in found if one.type.label in VALIDATING]


_OWN_ID = re.compile(r"[a-z]+_[0-9a-hjkmnp-tv-z]{26}")


def kept_refs(given: ProposalInput) -> list[RecordRef]:
    """Evidence that is named by where it is kept, and is kept here: it is evidence like any other, and as closed."""
    return own_refs(*given.evidence_refs)


def known(work: Work, ref: RecordRef, field: str, kinds: Sequence[str]) -> State:
    """A record that is there and visible. Proposals make no stubs."""
    ref.check(field)
    state = work.existing(ref, field)
    if state.type.label not in kinds:
        raise WrongKind(ref, field, " or ".join(kinds), state.type.label)
    return state


async def content(work: Work, target: State, steps: Sequence[Step]) -> Content:
    """What the target says now, and which of the links are there that the steps speak of."""
    links = await links_of(work, target, steps)
    told = content_of(target.type, target.properties, ((one["type"], one["head"]) for one in links))
    return await whole(work, target, steps, told)


async def whole(work: Work, target: State, steps: Sequence[Step], told: Content) -> Content:
    """With what the record has beside its fields, where a step is about it."""
    return await blueprints.with_parts(work, target, steps, await with_graph(work, target, steps, told))


async def links_of(work: Work, target: State, steps: Sequence[Step]) -> list[dict[str, Any]]:
    pairs = sorted({(one.relation, one.head_id) for one in steps if one.relation and one.head_id})
    if not pairs:
        return []
    row = await work.transaction.one(
        cypher.LINKED, id=target.id, pairs=[[*one] for one in pairs], audiences=work.viewer.audiences
    )
    return row["links"] if row else []


def _check_aim(given: ProposalInput, target: State) -> None:
    fit = AIMS[given.proposal_kind].kinds
    if target.type.label not in fit:
        raise TargetUnfit(given.proposal_kind, target.type.label, fit)
    if not given.steps:
        raise ChangesNothing
    if len(given.steps) > MOST_STEPS:
        raise StepInvalid(MOST_STEPS + 1, f"a proposal has at most {MOST_STEPS} steps", "Propose less at once.")
    apart = [number for number, one in enumerate(given.steps, 1) if one.operation is Operation.set_lifecycle]
    if target.type.label == blueprints.LABEL and apart and len(given.steps) > 1:
        raise StepInvalid(apart[0], "the life of a blueprint changes by itself", "Propose the rest for itself.")


def _steps(target: State, given: Sequence[ProposalStep], heads: Mapping[str, State]) -> list[Step]:
    return [_step(target, number, one, heads) for number, one in enumerate(given, 1)]


def _step(target: State, number: int, one: ProposalStep, heads: Mapping[str, State]) -> Step:
    if one.operation in _LINKS:
        if one.relation is None or one.head is None:
            raise StepInvalid(number, "a link has a relation and a head", "Name both.")
        head = heads[str(one.head)]
        return Step(one.operation, relation=one.relation, head_id=head.id, name=head.properties["name"])
    if one.operation is Operation.patch_graph:
        check_patch(target, number, one.value)
        return Step(one.operation, value=one.value)
    if one.operation is Operation.patch_blueprint:
        blueprints.check_patch(target, number, one.value)
        return Step(one.operation, value=one.value)
    if one.operation is Operation.set_lifecycle:
        states = [state.value for state in target.type.states]
        if one.value not in states:
            raise StepInvalid(number, f"a {target.type.label} is one of {', '.join(states)}", "Name one of them.")
        return Step(one.operation, value=one.value)
    field = target.type.fields.get(one.field or "")
    if target.type.label == "Prompt" and one.field == "text" and not keeps_text(target.properties["capture_prompts"]):
        raise PromptTextNotKept
    if field is None or not field.authored:
        raise StepInvalid(number, f"a {target.type.label} has no field {one.field}", "docs/graph.md lists its fields.")
    if one.operation in _LISTS and not (field.many and one.value):
        raise StepInvalid(number, f"{one.field} is no list, or nothing is named", "Use set_value; or name a value.")
    return Step(one.operation, field=one.field, value=one.value)


def _check_values(target: State, before: Content, after: Content) -> None:
    """What a save would refuse is refused when it is proposed."""
    changed = {name: after.values.get(name) for name in {*before.values, *after.values} - WHOLES}
    merged = {**target.properties, **changed}
    validated(target.type.model, {name: value for name, value in merged.items() if value is not None})


def check_links(work: Work, target: State, steps: Sequence[Step], heads: Mapping[str, State]) -> None:
    for number, one in enumerate(steps, 1):
        if one.relation is None or one.head_id is None:
            continue
        head = heads[one.head_id]
        try:
            found = _relation(work, target, one.relation, head)
        except TaskloreError as error:
            raise StepInvalid(number, error.message.rstrip("."), error.remedy or "") from None
        if found.inherits:
            raise StepInvalid(number, f"{one.relation} bears on who may see what", "A person links these.")


def _relation(work: Work, target: State, relation: str, head: State) -> Relation:
    """A proposal saves a blueprint, and may so change what leads only where that says."""
    try:
        return rules.allowed_relation(work.registry, relation, target.type.label, head.type.label)
    except RelationSaved:
        if not blueprints.is_saved(target, relation):
            raise
        return next(
            one
            for one in work.registry.relations
            if one.type == relation and blueprints.LABEL in one.tails and head.type.label in one.heads
        )


def _evidence(work: Work, refs: Sequence[RecordRef]) -> list[State]:
    found = [known(work, ref, "supported_by", EVIDENCE) for ref in refs]
    return [*{one.id: one for one in found}.values()]


async def _check_earlier(work: Work, given: ProposalInput, target: State, idea: str, evidence: set[str]) -> None:
    """The same is not proposed twice; what was rejected comes back with new evidence only."""
    rows = await work.transaction.run(
        cypher.EARLIER,
        target=target.id,
        idea=idea,
        kind=given.proposal_kind.value,
        audiences=work.viewer.audiences,
    )
    for row in rows:
        if row["never_again"]:
            raise NotWanted(row["id"], given.proposal_kind)
        if row["idea"] == idea and row["state"] in OPEN:
            raise ProposedAlready(row["id"], row["state"])
        if row["idea"] == idea and evidence <= {*row["evidence"]}:
            raise RejectedBefore(row["id"])


def _told(given: ProposalInput, target: State, steps: Sequence[Step], before: Content) -> dict[str, Any]:
    risks = [risk_of(one) for one in steps]
    risk = highest(risks)
    said = " ".join(sentence(one, _before(one, before)) for one in steps)
    name = target.properties["name"]
    because = next(one for one, found in zip(steps, risks, strict=True) if found is risk)
    return {
        "name": f"{name}: {said}"[:NAME_LENGTH],
        "proposal_kind": given.proposal_kind.value,
        "update_kind": update_of(target.type.label, steps).value,
        "target_id": target.id,
        "target_kind": target.type.label,
        "statement": f"{name}: {said}"[:TEXT_LENGTH],
        "rationale": given.rationale,
        "expected_effect": given.expected_effect,
        "proposal_state": ProposalState.candidate.value,
        "risk": risk.value,
        "risk_because": f"{_about(because)} is of {risk.value} risk.",
        "approval_policy": policy_of(target.type.label, steps).value,
        "evidence_refs": [*given.evidence_refs],
        "context_class_key": given.context_class_key,
        "requires_eval": given.requires_eval,
        "eval_suite_ref": given.eval_suite_ref,
        "eval_result_ref": given.eval_result_ref,
    }


def _about(step: Step) -> str:
    return step.field or step.relation or _ABOUT[step.operation]


_ABOUT = {
    Operation.patch_graph: "its graph",
    Operation.patch_blueprint: "its blueprint",
    Operation.set_lifecycle: "its life",
}


def _before(step: Step, before: Content) -> Any:
    if step.operation is Operation.set_lifecycle:
        return before.values.get("lifecycle_state")
    return before.values.get(step.field) if step.field else None


def _link_evidence(work: Work, made: State, evidence: tuple[list[State], list[State]]) -> None:
    for relation, found in zip(("SUPPORTED_BY", "COUNTERED_BY"), evidence, strict=True):
        for one in found:
            work.link(made, relation, one)


def _link_steps(work: Work, made: State, steps: Sequence[Step], before: Content) -> None:
    for position, step in enumerate(steps, 1):
        work.link(made, "HAS_CHANGE", _change(work, made, position, step, before))


def _change(work: Work, made: State, position: int, step: Step, before: Content) -> State:
    was = _before(step, before)
    values = {
        "name": sentence(step, was)[:NAME_LENGTH],
        "position": position,
        "operation": step.operation.value,
        "changed_field": step.field,
        "value": _json(step.value),
        "before": _json(was),
        "relation": step.relation,
        "head_id": step.head_id,
        "risk": risk_of(step).value,
        "sentence": sentence(step, was),
    }
    told = {name: value for name, value in values.items() if value is not None}
    return work.create(work.registry.types["Change"], told, [made])


def _json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value, default=str).decode()


def steps_of(rows: Sequence[Mapping[str, Any]]) -> list[Step]:
    """The steps of a kept proposal."""
    return [
        Step(
            Operation(row["operation"]),
            row.get("changed_field"),
            orjson.loads(row["value"]) if row.get("value") is not None else None,
            row.get("relation"),
            row.get("head_id"),
        )
        for row in rows
    ]
