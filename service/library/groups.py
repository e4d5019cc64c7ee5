"""Whether a group of templates earns its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

_SHARED = {
    "default_output_archetypes": "common shapes of output",
    "shared_connector_requirements": "common connectors",
    "shared_artifact_policy_ref": "a common artifact policy",
    "shared_assessment_plan_ref": "a common assessment plan",
    "shared_judge_rubric_refs": "common rubrics",
    "shared_eval_dataset_refs": "common evaluation data",
    "sample_input_refs": "sample inputs",
    "example_output_refs": "example outputs",
    "setup_guidance": "guidance for the set-up",
    "handoffs": "handoffs between its templates",
}


@dataclass(frozen=True, slots=True)
class GroupWorth:
    """Whether a group of templates earns its place."""

    earns_its_place: Annotated[bool, "Whether it adds something to its templates."]
    reasons: Annotated[tuple[str, ...], "By what, or what to do with it."]


def worth(group: Mapping[str, Any], templates: int, shared: int, capabilities: int) -> GroupWorth:
    """Several templates, or anything that they share, is enough."""
    reasons: list[str] = []
    if templates > 1:
        reasons.append(f"It holds {templates} templates.")
    if shared:
        reasons.append(f"It shares {shared} presets, patterns or documents.")
    if capabilities:
        reasons.append(f"It sets up {capabilities} capabilities for all of them.")
    reasons += [f"It has {what}." for name, what in _SHARED.items() if group.get(name)]
    if reasons:
        return GroupWorth(True, tuple(reasons))
    count = "one template" if templates else "no template"
    return GroupWorth(False, (f"It holds {count} and nothing that templates could share: fold it into the template.",))
