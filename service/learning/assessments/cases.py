"""A case of design as a candidate: what people come back to is worth knowing how it was made."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph_schema.model.fields import DataClass
from graph_schema.model.record import LifecycleState
from service.access.audience import strictest
from service.commands import State, Work
from service.learning.assessments.names import SOURCE, case_ref

MOST_SHOWN = 10


def keep_case(
    work: Work, told: Mapping[str, Any], assessment: State, of: Sequence[State], shown: Sequence[State]
) -> State | None:
    """Once for each run. A person makes it active, on one of the grounds that the library knows."""
    if work.find(case_ref(told["key"]), "case") is not None:
        return None
    read = [one.properties for one in (*of, *shown)]
    values = {
        **{name: value for name, value in told.items() if name != "key" and value},
        "source": SOURCE,
        "source_key": told["key"],
        "lifecycle_state": LifecycleState.candidate.value,
        "outcome_summary": assessment.properties["outcome_summary"],
        "assessment_refs": [assessment.id],
        # Its own, not inherited: links of a case hand down no access, and it tells of these.
        "data_class": strictest([DataClass.internal, *(one["data_class"] for one in read)]).value,
        "matter_ids": sorted({matter for one in read for matter in one["matter_ids"]}),
    }
    made = work.create(work.registry.types["Case"], values)
    for one in of:
        relation = "DESIGNED_WITH" if one.type.label == "Template" else "LEARNED_FROM"
        work.link(made, relation, one)
    for one in shown[:MOST_SHOWN]:
        work.link(made, "SHOWN_BY", one)
    return made
