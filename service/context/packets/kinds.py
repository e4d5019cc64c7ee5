"""Which kind of candidate a record is, and which layer of a packet it would be in."""

from collections.abc import Mapping, Set
from typing import Any

from graph_schema.context.words import CandidateKind as Kind
from graph_schema.context.words import ContextLayer as Layer
from graph_schema.context.words import ContextUse

_BY_LABEL: dict[str, tuple[Kind, Layer]] = {
    "Restriction": (Kind.memory_directive, Layer.restrictions),
    "Preference": (Kind.memory_directive, Layer.preferences),
    "Memory": (Kind.memory_directive, Layer.memory_excerpts),
    "Policy": (Kind.memory_directive, Layer.output_artifact_policy),
    "Procedure": (Kind.procedure, Layer.procedures),
    "Capability": (Kind.tool_capability, Layer.tools),
    "Agent": (Kind.tool_capability, Layer.specialist_agents),
    "WorkProduct": (Kind.entity_card, Layer.entity_cards),
    "Goal": (Kind.entity_card, Layer.task_blueprint_context),
    "Trigger": (Kind.entity_card, Layer.trigger_context),
    "Schedule": (Kind.entity_card, Layer.recurrence_context),
    "Run": (Kind.prior_task_run, Layer.prior_task_runs),
    "Artifact": (Kind.prior_task_run, Layer.prior_task_runs),
    "Task": (Kind.prior_task_run, Layer.prior_task_runs),
    "Template": (Kind.task_template, Layer.task_template_context),
    "Pattern": (Kind.task_template, Layer.task_template_context),
    "Directive": (Kind.task_template, Layer.task_template_context),
    "Blueprint": (Kind.task_template, Layer.task_blueprint_context),
    "Criterion": (Kind.task_template, Layer.prompt_or_evaluation_guidance),
    "Preset": (Kind.module_preset, Layer.task_template_context),
}
_BY_ENTITY: dict[str, tuple[Kind, Layer]] = {
    "library": (Kind.library, Layer.libraries),
    "document": (Kind.document, Layer.documents),
    "folder": (Kind.document, Layer.documents),
    "source_set": (Kind.document, Layer.documents),
}
_BY_SURFACE: dict[str, Kind] = {
    "chat": Kind.active_chat_context,
    "room": Kind.active_chat_context,
    "task_editor": Kind.active_work_context,
    "run_inspector": Kind.active_work_context,
    "document_viewer": Kind.active_work_context,
}

STANDING = frozenset({"Restriction", "Preference", "Memory", "Procedure"})
"""Rules that hold beyond one run."""

HARD = frozenset({Layer.restrictions, Layer.output_artifact_policy})
"""What is never trimmed: a packet without it would let a module do what it must not."""

_FOLLOWED = frozenset(
    {
        Layer.restrictions,
        Layer.output_artifact_policy,
        Layer.task_blueprint_context,
        Layer.procedures,
        Layer.preferences,
        Layer.prompt_or_evaluation_guidance,
    }
)
"""What the user wants: rules, wishes, aims and measures. All else is what somebody or something says."""


def use_of(layer: str) -> ContextUse:
    return ContextUse.follow if layer in _FOLLOWED else ContextUse.information


_OF_TRIGGER = frozenset({"account", "thread"})
"""Roles of what is in scope only as the way by which the trigger came."""

_WAYS_IN = frozenset({"account", "calendar", "conversation", "folder", "other", "panel", "room"})
"""Kinds of entity that an event comes by. A matter stays one, also where a thread is its key."""


def kind_and_layer(
    label: str, properties: Mapping[str, Any], roles: Set[str | None] = frozenset(), *, of_input: bool = False
) -> tuple[Kind, Layer] | None:
    """None for what no packet ever holds, such as a span. What a module is given to work from is no earlier run."""
    if label == "Entity" and roles & _OF_TRIGGER and properties.get("kind") in _WAYS_IN:
        return Kind.entity_card, Layer.trigger_context
    if label == "Entity":
        return _BY_ENTITY.get(properties.get("kind", ""), (Kind.entity_card, Layer.entity_cards))
    if label == "SurfaceContext":
        return _BY_SURFACE.get(properties.get("surface_kind", ""), Kind.surface_context), Layer.memory_excerpts
    if label == "Artifact" and of_input:
        return Kind.prior_task_run, Layer.documents
    return _BY_LABEL.get(label)
