"""What judges, experiments and checks of claims found (§12A.4)."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import ArtifactKind
from service.memory.views.deliverables import made
from service.memory.views.evidence import Evidence, evidence, outputs_missing
from service.memory.views.facts import Artifact
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id, Of


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationFinding:
    """One piece of evaluation evidence."""

    artifact_id: Annotated[Id, "Id of the artifact that holds it."]
    name: Annotated[str, Of("Artifact")]
    artifact_kind: Annotated[ArtifactKind | None, Of("Artifact")]
    score: Annotated[float | None, Of("Artifact")]
    verdict: Annotated[str | None, Of("Artifact")]
    summary: Annotated[str | None, Of("Artifact")]
    key_points: Annotated[tuple[str, ...], Of("Artifact")]
    storage_ref: Annotated[str | None, Of("Artifact")]
    evaluated_ids: Annotated[tuple[Id, ...], "Ids of the artifacts that it is about."]
    evaluated: Annotated[tuple[str, ...], "What people call those of this run."]
    module_key: Annotated[str | None, Of("Artifact")]
    activation_seq: Annotated[int | None, Of("Artifact")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuality:
    """How good the results of a run were found to be."""

    summary: Annotated[str | None, "What the executor says of the whole."]
    findings: Annotated[tuple[EvaluationFinding, ...], "Evaluation evidence, in the order in which it was made."]
    unevaluated: Annotated[tuple[str, ...], "Final outputs that no evidence is about."]
    evidence: Annotated[Evidence, "What this rests on."]


def quality(index: RunIndex) -> RunQuality:
    found = [one for one in made(index) if index.is_evaluation(one)]
    finals = [one for one in made(index) if one.output_class == "final_output" and one not in found]
    return RunQuality(
        summary=index.run.quality_summary,
        findings=tuple(_finding(index, one) for one in found),
        unevaluated=tuple(one.name for one in finals if one.id not in index.evaluated),
        evidence=evidence(index, ("artifacts",), outputs_missing(index)),
    )


def _finding(index: RunIndex, artifact: Artifact) -> EvaluationFinding:
    return like(
        EvaluationFinding,
        artifact,
        artifact_id=artifact.id,
        evaluated_ids=artifact.evaluates,
        evaluated=tuple(index.artifact[one].name for one in artifact.evaluates if one in index.artifact),
    )
