"""Signals: what a use of tasks teaches, kept beside what it was drawn from. They recommend, and change nothing."""

from collections.abc import Iterable
from typing import Any

from graph_schema.model.fields import NAME_LENGTH
from graph_schema.routing.words import InvocationSignalKind, RecommendedUpdate
from service.commands import State, Work
from service.routing.feedback.responses import UPDATES

RECORDED = "task.invocation.learning_signal_recorded"


def signal(
    work: Work,
    kind: InvocationSignalKind,
    about: Iterable[State],
    values: dict[str, Any],
    update: RecommendedUpdate | None = None,
) -> State:
    """Keep a signal. It has the access of all that it is about."""
    drawn_from = [*about]
    told = {
        **_of_template(drawn_from),
        **{name: value for name, value in values.items() if value is not None},
        "name": f"{kind.value}: {values['context_class_key']}"[:NAME_LENGTH],
        "signal_kind": kind.value,
        "recommended_update_kind": (update or UPDATES[kind]).value,
        "recorded_by": work.viewer.principal_id,
    }
    made = work.create(work.registry.types["InvocationSignal"], told, drawn_from)
    for one in drawn_from:
        work.link(made, "SIGNALS", one)
    work.event(RECORDED, made)
    return made


def _of_template(about: Iterable[State]) -> dict[str, Any]:
    """What type of task and kind of document it is about, where a template says so."""
    template = next((one for one in about if one.type.label == "Template"), None)
    if template is None:
        return {}
    archetypes = template.properties.get("document_archetypes") or [None]
    found = {"task_type": template.properties.get("task_type"), "document_archetype": archetypes[0]}
    return {name: value for name, value in found.items() if value is not None}
