"""How the service itself keeps what it sees: as part of the command in which it was seen, behind the same gate."""

from collections.abc import Iterable, Mapping
from typing import Any

from graph_schema.learning.words import DesignSignalKind, DesignUpdateKind, SignalOrigin, SignalType
from graph_schema.model.fields import NAME_LENGTH, DataClass
from service.access.audience import strictest
from service.commands import State, Work
from service.learning.signals.gate import gate

UPDATES: Mapping[DesignSignalKind, DesignUpdateKind] = {
    DesignSignalKind.template_selected: DesignUpdateKind.semantic_card_update,
    DesignSignalKind.template_rejected: DesignUpdateKind.semantic_card_update,
    DesignSignalKind.preset_added: DesignUpdateKind.template_update_proposal,
    DesignSignalKind.preset_removed: DesignUpdateKind.template_update_proposal,
    DesignSignalKind.question_helpful: DesignUpdateKind.question_policy_update,
    DesignSignalKind.question_annoying: DesignUpdateKind.question_policy_update,
    DesignSignalKind.output_preference_confirmed: DesignUpdateKind.template_update_proposal,
    DesignSignalKind.artifact_policy_changed: DesignUpdateKind.template_update_proposal,
    DesignSignalKind.capability_needed: DesignUpdateKind.template_update_proposal,
    DesignSignalKind.capability_unused: DesignUpdateKind.template_update_proposal,
    DesignSignalKind.graph_pattern_success: DesignUpdateKind.pattern_card_update,
    DesignSignalKind.graph_pattern_failure: DesignUpdateKind.pattern_card_update,
    DesignSignalKind.user_manual_edit_after_proposal: DesignUpdateKind.template_update_proposal,
    DesignSignalKind.second_pass_deepening_accepted: DesignUpdateKind.pattern_card_update,
    DesignSignalKind.second_pass_deepening_rejected: DesignUpdateKind.pattern_card_update,
    DesignSignalKind.red_team_default_accepted: DesignUpdateKind.preset_update_proposal,
    DesignSignalKind.red_team_default_rejected: DesignUpdateKind.preset_update_proposal,
}
"""What each kind recommends, where whoever tells it says nothing else."""


def emit(
    work: Work,
    origin: SignalOrigin,
    about: Iterable[State],
    values: Mapping[str, Any],
    *,
    kind: DesignSignalKind | None = None,
    type_: SignalType = SignalType.user_action,
) -> State | None:
    """Keep a signal beside what it was seen on, with the access of all of it; none where the gate keeps nothing.

    `values` are the further fields of the signal: `summary`, `context_class_key`, `task_type`, `result`, `emitted_at`.
    """
    seen_on = [*about]
    passage = gate(
        strictest([DataClass(one.properties["data_class"]) for one in seen_on] or [DataClass.internal]).value,
        next((one.properties.get("memory_mode") for one in seen_on if one.type.label == "Run"), None),
        eligible=values.get("pattern_promotion_eligible", True),
    )
    if not passage.kept:
        return None
    told = {
        "emitted_at": work.at,
        "recommended_update_kind": UPDATES[kind].value if kind else DesignUpdateKind.none.value,
        **{name: value for name, value in values.items() if value is not None},
        "name": str(kind or values.get("result") or type_)[:NAME_LENGTH],
        "signal_type": type_.value,
        "origin": origin.value,
        "pattern_promotion_eligible": passage.durable,
        "recorded_by": work.viewer.principal_id,
    }
    if kind is not None:
        told["signal_kind"] = kind.value
    made = work.create(work.registry.types["Signal"], told, seen_on)
    for one in seen_on:
        work.link(made, "SEEN_ON", one)
    return made
