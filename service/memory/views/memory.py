"""What of a run became memory, and by which policy."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import IntakeLevel, MemoryMode, OutputCapture, PromptCapture, RetentionClass, WriteScope
from service.memory.views.evidence import Evidence, evidence, learning_missing, memory_missing
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id, Of


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeCount:
    """Artifacts that go so far."""

    intake_level: Annotated[IntakeLevel, "How far."]
    count: Annotated[int, "How many."]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLink:
    """A record that a run is linked to."""

    id: Annotated[Id, "Id of the record."]
    kind: Annotated[str, "What kind it is."]
    name: Annotated[str, Of("Entity")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGoal:
    """A goal of a run."""

    id: Annotated[Id, "Id of the goal."]
    name: Annotated[str, Of("Goal")]
    pursued: Annotated[bool, "Whether the run set out for it."]
    effect: Annotated[str | None, Of("ADVANCED_GOAL")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMemory:
    """How a run is remembered."""

    memory_mode: Annotated[MemoryMode, Of("Run")]
    capture_prompts: Annotated[PromptCapture, Of("Run")]
    capture_outputs: Annotated[OutputCapture, Of("Run")]
    memory_write_scope: Annotated[WriteScope, Of("Run")]
    retention_class: Annotated[RetentionClass, Of("Run")]
    about: Annotated[tuple[RunLink, ...], "What it is about."]
    goals: Annotated[tuple[RunGoal, ...], "Goals that it pursued or advanced."]
    intake: Annotated[tuple[IntakeCount, ...], "Its artifacts by how far they go; levels that none has are left out."]
    awaiting_review: Annotated[tuple[Id, ...], "Ids of artifacts that a person is asked about."]
    promoted: Annotated[tuple[Id, ...], "Ids of artifacts that somebody had kept."]
    work_product_ids: Annotated[tuple[Id, ...], "Ids of the work products that came of it."]
    evidence: Annotated[Evidence, "What this rests on."]


def memory(index: RunIndex) -> RunMemory:
    run, facts = index.run, index.facts
    levels = {level: sum(one.intake_level == level for one in facts.artifacts) for level in IntakeLevel}
    return like(
        RunMemory,
        run,
        about=tuple(like(RunLink, one) for one in facts.about),
        goals=tuple(like(RunGoal, one) for one in facts.goals),
        intake=tuple(IntakeCount(intake_level=level, count=count) for level, count in levels.items() if count),
        awaiting_review=tuple(one.id for one in facts.artifacts if one.review_required),
        promoted=tuple(one.id for one in facts.artifacts if one.promoted_at is not None),
        work_product_ids=tuple(dict.fromkeys(product for one in facts.artifacts for product in one.became)),
        evidence=evidence(index, ("about", "goals", "artifacts"), memory_missing(index), learning_missing(index)),
    )
