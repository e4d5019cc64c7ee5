"""What is wrong with a proposal, and what to look at in it. Plain functions over its content; nothing is executed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from graph_schema.learning.design_words import ConsideredAs, DesignSlot
from graph_schema.library.words import CapabilityState
from service.knowledge.preflight.issues import IssueSeverity
from service.learning.creation.risk import risky
from service.learning.design.facts import SessionFacts
from service.learning.edits.reading import is_deepening, is_gate
from service.words import stems

VERSION = "design-checks 1"
Values = Mapping[str, Any]


class DesignCode(StrEnum):
    """What can be found in a proposal: the specification's codes, and one of ours."""

    missing_output = "validation.blueprint_missing_required_output"
    capability_unavailable = "validation.capability_required_unavailable"
    capability_denied = "validation.capability_denied_but_requested"
    side_effect_undeclared = "validation.blueprint_side_effect_undeclared"
    graph_mismatch = "validation.blueprint_graph_mismatch"
    side_effect_not_allowed = "design_side_effect_not_allowed"
    goal_unlinked = "warning.blueprint_goal_unlinked"
    output_not_kept = "warning.final_output_not_saved_as_work_product"
    gate_recommended = "warning.human_gate_recommended_before_side_effect"
    deepening_recommended = "warning.second_pass_deepening_recommended"


Code = DesignCode


@dataclass(frozen=True, slots=True)
class DesignFinding:
    """Something that was found in a proposal."""

    code: Annotated[str, "Which finding it is."]
    message: Annotated[str, "What it means, in a sentence."]

    def written(self) -> str:
        return f"{self.code}: {self.message}"


def read_finding(text: str) -> DesignFinding:
    code, _, message = text.partition(": ")
    return DesignFinding(code, message)


@dataclass(frozen=True, slots=True)
class Findings:
    errors: tuple[DesignFinding, ...]
    warnings: tuple[DesignFinding, ...]


def findings(facts: SessionFacts) -> Findings:
    """Of the blueprint and the graph as they were last proposed, together."""
    return Findings(tuple(_errors(facts)), tuple(_warnings(facts)))


def _errors(facts: SessionFacts) -> Iterator[DesignFinding]:
    if facts.content is not None:
        yield from _outputs(facts, facts.content)
        yield from _needs(facts, facts.content)
    if facts.modules:
        yield from _undeclared(facts)
    if facts.content is not None and facts.modules:
        yield from _mismatch(facts.content, facts.modules)
    yield from _not_allowed(facts)
    yield from _shape(facts, IssueSeverity.blocking)


def _outputs(facts: SessionFacts, content: Values) -> Iterator[DesignFinding]:
    promised = [
        stems(" ".join(str(one.get(name) or "") for name in ("name", "kind", "archetype", "description")))
        for one in content["contracts"].values()
        if one.get("side") == "output"
    ]
    for wanted in facts.session["expected_outputs"]:
        if not any(stems(wanted) <= one for one in promised):
            yield DesignFinding(
                Code.missing_output,
                f"{wanted!r} is wanted, and no output of the blueprint is that.",
            )
    if not promised:
        yield DesignFinding(Code.missing_output, "The blueprint promises no output at all.")


def _needs(facts: SessionFacts, content: Values) -> Iterator[DesignFinding]:
    denied = {*content["links"]["denies"]}
    refused = {one["record"]["id"] for one in facts.considered(ConsideredAs.denied_capability)}
    names = {stems(one) for one in facts.session["denied_capabilities"]}
    for one in facts.needed:
        if one["state"] not in (None, CapabilityState.up):
            yield DesignFinding(Code.capability_unavailable, f"{one['name']} is needed, and cannot be used now.")
        if one["id"] in denied | refused or stems(one["name"]) in names:
            yield DesignFinding(Code.capability_denied, f"{one['name']} is needed, and must not be used.")


def _undeclared(facts: SessionFacts) -> Iterator[DesignFinding]:
    declared = {str(one["side_effect_class"]) for one in (facts.content or _EMPTY)["side_effects"].values()}
    for one in facts.modules:
        for found in sorted({*one["side_effect_classes"]} - declared) if not one.get("disabled") else ():
            yield DesignFinding(
                Code.side_effect_undeclared,
                f"The module {one['module_key']} has the side effect {found}, which the blueprint does not declare.",
            )


def _mismatch(content: Values, modules: Sequence[Values]) -> Iterator[DesignFinding]:
    types = {one["module_type"] for one in modules}
    for key, step in content["steps"].items():
        wanted = step.get("suggested_module_type")
        if wanted and wanted not in types:
            yield DesignFinding(
                Code.graph_mismatch,
                f"The step {key!r} is done by a {wanted}, and the graph has none.",
            )


def _not_allowed(facts: SessionFacts) -> Iterator[DesignFinding]:
    """What the user was asked about and did not allow."""
    slot = DesignSlot.side_effects_allowed
    if not (facts.is_told(slot) or facts.is_answered(slot)) or (facts.content is None and not facts.modules):
        return
    allowed = {one.lower() for one in facts.session["side_effects_allowed"]}
    for one in facts.side_effects:
        if one.lower() not in allowed:
            yield DesignFinding(Code.side_effect_not_allowed, f"The user did not allow {one}.")


_EMPTY: Values = {"side_effects": {}}


def _warnings(facts: SessionFacts) -> Iterator[DesignFinding]:
    content = facts.content
    if content is not None and not content["links"]["goals"]:
        yield DesignFinding(Code.goal_unlinked, "The blueprint states no goal.")
    kept = content and (
        content["fields"].get("artifact_policy")
        or any(one.get("artifact_policy_override") for one in content["steps"].values())
    )
    if content is not None and not kept:
        yield DesignFinding(Code.output_not_kept, "Nothing says how far its final output goes.")
    effects = risky(facts.side_effects)
    gated = any(is_gate(one) for one in facts.modules) or bool(content and content["review_points"])
    if effects and (content or facts.modules) and not gated:
        yield DesignFinding(
            Code.gate_recommended,
            f"Nobody looks before it does what cannot be undone: {', '.join(effects)}.",
        )
    yield from _deepening(facts)
    yield from _shape(facts, IssueSeverity.warning)


def _shape(facts: SessionFacts, severity: IssueSeverity) -> Iterator[DesignFinding]:
    for one in facts.shape:
        if one.severity is severity:
            yield DesignFinding(one.code, one.message)


def _deepening(facts: SessionFacts) -> Iterator[DesignFinding]:
    """A second pass is advised where somebody prefers one, or the task is complex and a known shape has one."""
    content = facts.content
    if content is None and not facts.modules:
        return
    steps = [{"name": key, "purpose": one.get("purpose")} for key, one in (content or {}).get("steps", {}).items()]
    if any(is_deepening(one) for one in (*facts.modules, *steps)):
        return
    taught = next(
        (
            str(one["record"]["statement"])
            for one in facts.considered(ConsideredAs.preference)
            if one["record"].get("statement") and is_deepening({"purpose": one["record"]["statement"]})
        ),
        None,
    )
    shape = next((one for one in facts.considered(ConsideredAs.pattern) if is_deepening(one["record"])), None)
    if taught:
        yield DesignFinding(Code.deepening_recommended, f"It is preferred: {taught}")
    elif shape and facts.is_complex:
        yield DesignFinding(Code.deepening_recommended, f"It is a complex task, and {shape['record']['name']} fits it.")
