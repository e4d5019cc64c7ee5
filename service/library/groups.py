"""Whether a group of templates earns its place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.access.viewer import Viewer
from service.graph.database import Database
from service.library.cypher import assets as cypher

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
class Worth:
    """Whether a group earns its place, and by what. One that does not belongs into its template."""

    earns_its_place: bool
    reasons: tuple[str, ...]


def worth(group: Mapping[str, Any], templates: int, shared: int, capabilities: int) -> Worth:
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
        return Worth(True, tuple(reasons))
    count = "one template" if templates else "no template"
    return Worth(False, (f"It holds {count} and nothing that templates could share: fold it into the template.",))


async def worths(database: Database, viewer: Viewer, ids: Sequence[str]) -> list[Worth | None]:
    """The worth of each group, as far as the viewer sees what is in it."""
    rows = await database.read(cypher.GROUP_WORTH, ids=list(ids), audiences=viewer.audiences)
    found = {row["id"]: worth(row["properties"], row["templates"], row["shared"], row["capabilities"]) for row in rows}
    return [found.get(one) for one in ids]
