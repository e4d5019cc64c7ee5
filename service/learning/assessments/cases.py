"""A case of design as a candidate: what people come back to is worth knowing how it was made."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph_schema.model.fields import NAME_LENGTH, DataClass
from graph_schema.model.record import LifecycleState
from service.access.audience import strictest
from service.commands import State, Work
from service.learning.assessments.found import Taught
from service.learning.assessments.names import SOURCE, case_ref

MOST_SHOWN = 10


def keep_case(
    work: Work,
    told: Mapping[str, Any],
    assessment: State,
    of: Sequence[State],
    shown: Sequence[State],
    *,
    taught: Sequence[tuple[Taught, Sequence[str]]] = (),
    goals: Sequence[State] = (),
) -> State | None:
    """Once for each run or task. It names its ground; it teaches nothing until a person makes it active."""
    if work.find(case_ref(told["key"]), "case") is not None:
        return None
    read = [one.properties for one in (*of, *shown, *goals)]
    access = {
        # Its own, not inherited: links of a case hand down no access, and it tells of these.
        "data_class": strictest([DataClass.internal, *(one["data_class"] for one in read)]).value,
        "matter_ids": sorted({matter for one in read for matter in one["matter_ids"]}),
    }
    values = {
        **{name: value for name, value in told.items() if name != "key" and value},
        "source": SOURCE,
        "source_key": told["key"],
        "lifecycle_state": LifecycleState.candidate.value,
        "outcome_summary": assessment.properties["outcome_summary"],
        "assessment_refs": [assessment.id],
        **access,
    }
    made = work.create(work.registry.types["Case"], values)
    for one in of:
        relation = "DESIGNED_WITH" if one.type.label == "Template" else "LEARNED_FROM"
        work.link(made, relation, one)
    for one in shown[:MOST_SHOWN]:
        work.link(made, "SHOWN_BY", one)
    for goal in goals:
        work.link(made, "SERVES_GOAL", goal)
    for lesson, evidence in taught:
        _keep_lesson(work, made, lesson, evidence, goals, access=access)
    return made


def _keep_lesson(
    work: Work, case: State, told: Taught, evidence: Sequence[str], goals: Sequence[State], *, access: Mapping[str, Any]
) -> None:
    """A lesson with its because, its effect and the goals that it served, as a candidate."""
    values = {
        "name": told.choice[:NAME_LENGTH],
        "design_choice": told.choice,
        "because": told.because,
        "expected_effect": told.expected,
        "actual_effect": told.effect,
        "when_to_reuse": [*told.reuse],
        "when_not_to_reuse": [*told.not_reuse],
        "evidence_refs": [*evidence][:MOST_SHOWN],
        "lifecycle_state": LifecycleState.candidate.value,
        **access,
    }
    made = work.create(work.registry.types["Lesson"], {name: one for name, one in values.items() if one is not None})
    work.link(case, "TEACHES", made, {"anti": told.against})
    for goal in goals:
        work.link(made, "SERVES_GOAL", goal)
