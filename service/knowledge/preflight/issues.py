"""What a preflight finds: issues with their codes, and fixes that are patches."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from service.views import Id


class PreflightCheck(StrEnum):
    """What was looked at."""

    module_type_unknown = "module_type_unknown"
    port_unknown = "port_unknown"
    port_mismatch = "port_mismatch"
    required_input_missing = "required_input_missing"
    cycle_unbounded = "cycle_unbounded"
    config_invalid = "config_invalid"
    module_unreachable = "module_unreachable"
    comparison_consumer = "comparison_consumer"
    autonomy_chain = "autonomy_chain"
    step_unbound = "step_unbound"
    side_effect_undeclared = "side_effect_undeclared"
    output_missing = "output_missing"
    documents_not_routed = "documents_not_routed"
    library_missing = "library_missing"
    memory_blocked = "memory_blocked"
    review_missing = "review_missing"
    gate_recommended = "gate_recommended"
    input_missing = "input_missing"
    capability_denied = "capability_denied"
    capability_unavailable = "capability_unavailable"
    capability_not_allowed = "capability_not_allowed"
    capability_unknown = "capability_unknown"
    capability_unreliable = "capability_unreliable"
    capability_unused = "capability_unused"
    tool_pack_broad = "tool_pack_broad"
    cost_high = "cost_high"
    output_reused = "output_reused"
    final_output_kept_with_run = "final_output_kept_with_run"
    second_look = "second_look"
    goal_unlinked = "goal_unlinked"


class IssueSeverity(StrEnum):
    """Whether something must be mended first."""

    blocking = "blocking"
    warning = "warning"


_B, _W, _C = IssueSeverity.blocking, IssueSeverity.warning, PreflightCheck
CODES: Mapping[PreflightCheck, tuple[str, IssueSeverity]] = {
    _C.module_type_unknown: ("validation.graph_module_type_unknown", _B),
    _C.port_unknown: ("validation.graph_port_unknown", _B),
    _C.port_mismatch: ("validation.graph_port_mismatch", _B),
    _C.required_input_missing: ("validation.graph_required_input_missing", _B),
    _C.cycle_unbounded: ("validation.graph_cycle_unbounded", _B),
    _C.config_invalid: ("validation.graph_config_invalid", _B),
    _C.module_unreachable: ("warning.graph_module_unreachable", _W),
    _C.comparison_consumer: ("validation.comparison_consumer_unaware", _B),
    _C.autonomy_chain: ("warning.implicit_auto_revision_chain", _W),
    _C.step_unbound: ("validation.blueprint_graph_mismatch", _B),
    _C.side_effect_undeclared: ("validation.blueprint_side_effect_undeclared", _B),
    _C.output_missing: ("validation.blueprint_missing_required_output", _B),
    _C.documents_not_routed: ("validation.artifact_policy_endpoint_ambiguous", _B),
    _C.library_missing: ("validation.doc73_library_missing", _B),
    _C.memory_blocked: ("validation.incognito_blocks_requested_memory", _B),
    _C.review_missing: ("validation.blueprint_graph_mismatch", _B),
    _C.gate_recommended: ("warning.human_gate_recommended_before_side_effect", _W),
    _C.input_missing: ("validation.input_missing", _B),
    _C.capability_denied: ("validation.capability_denied_but_requested", _B),
    _C.capability_unavailable: ("validation.capability_required_unavailable", _B),
    _C.capability_not_allowed: ("validation.runtime_expansion_outside_allowlist", _W),
    _C.capability_unknown: ("warning.capability_unknown", _W),
    _C.capability_unreliable: ("warning.capability_historically_unreliable", _W),
    _C.capability_unused: ("warning.capability_historically_unused", _W),
    _C.tool_pack_broad: ("warning.tool_pack_too_broad", _W),
    _C.cost_high: ("warning.cost_above_limit", _W),
    _C.output_reused: ("warning.intermediate_output_likely_high_value", _W),
    _C.final_output_kept_with_run: ("warning.final_output_not_saved_as_work_product", _W),
    _C.second_look: ("warning.second_pass_deepening_recommended", _W),
    _C.goal_unlinked: ("warning.blueprint_goal_unlinked", _W),
}
"""The code of each check. Those that the specification does not have are listed in docs/preflight.md."""


class FixOp(StrEnum):
    """What one operation of a fix does."""

    add_module = "add_module"
    remove_module = "remove_module"
    enable_module = "enable_module"
    set_module_type = "set_module_type"
    set_config = "set_config"
    add_cable = "add_cable"
    remove_cable = "remove_cable"
    bind_step = "bind_step"
    declare_side_effect = "declare_side_effect"
    link_goal = "link_goal"
    allow_capability = "allow_capability"
    lift_denial = "lift_denial"
    set_artifact_level = "set_artifact_level"
    set_memory_mode = "set_memory_mode"
    set_cost_limit = "set_cost_limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class FixOperation:
    """One operation of a fix. What it needs depends on what it does."""

    op: Annotated[FixOp, "What it does."]
    module_key: Annotated[str | None, "The module that it is about, or that a cable leaves."] = None
    head_key: Annotated[str | None, "The module that a cable enters."] = None
    from_port: Annotated[str | None, "The port that a cable leaves."] = None
    to_port: Annotated[str | None, "The port that a cable enters."] = None
    step_key: Annotated[str | None, "The step of the blueprint that it is about."] = None
    field_name: Annotated[str | None, "What is set, or of which class."] = None
    value: Annotated[str | None, "What it is set to: a type, a level, or a value as JSON."] = None
    record_id: Annotated[Id | None, "The record that it is about, such as a capability."] = None


_OWN_SAVE = {
    FixOp.link_goal: "Which goal it serves is its author's to say: save the blueprint with it (saveBlueprint).",
    FixOp.lift_denial: "A denial is somebody's rule: whoever keeps the record that denies it lifts it (unlinkRecords).",
    FixOp.set_memory_mode: "How much of a run is remembered is said when the run begins, and by nothing that is saved.",
    FixOp.set_cost_limit: "A limit of costs is a policy, which a person saves (savePolicy of the kind cost).",
    FixOp.set_artifact_level: "A policy decides how far it goes, or no step is bound to the module: change that policy "
    "(savePolicy), or bind a step.",
}
"""Why what is none of a graph, of a blueprint or of what a task is allowed is no proposal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightFix:
    """What would mend an issue, as a patch. Whoever takes it decides; nothing is changed by a preflight."""

    title: Annotated[str, "What it does, in a few words."]
    operations: Annotated[tuple[FixOperation, ...], "The operations, in order."]

    @property
    def not_proposable_because(
        self,
    ) -> Annotated[str | None, "Why it cannot be made a proposal (proposeFix); null where it can."]:
        return next((_OWN_SAVE[one.op] for one in self.operations if _is_own_save(one)), None)


def _is_own_save(one: FixOperation) -> bool:
    """How far outputs go is said by the blueprint, of the whole or of a step; else by a policy."""
    of_blueprint = one.op is FixOp.set_artifact_level and (one.step_key is not None or one.module_key is None)
    return one.op in _OWN_SAVE and not of_blueprint


UNFIXED: Mapping[PreflightCheck, str] = {
    _C.module_type_unknown: "Only who drew it knows which type was meant: findModules lists what there is, and "
    "saveModuleCatalogue adds to it.",
    _C.port_unknown: "None of its ports is called nearly so, or several fit: moduleGuide tells what each is for.",
    _C.port_mismatch: "None of its outputs is of a kind that fits: something has to stand between that makes it so.",
    _C.required_input_missing: "Several modules could feed it, or none: only who drew it knows which should.",
    _C.cycle_unbounded: "It can be entered in several places, or in none: only who drew it knows what a round is.",
    _C.config_invalid: "The catalogue says no value that would do for everybody.",
    _C.module_unreachable: "Several modules could lead to it, or it is left over: only who drew it knows.",
    _C.step_unbound: "No module of the suggested type is free: draw one, or take the step out of the blueprint.",
    _C.output_missing: "Only its author knows which module is to make it: name it in a step, or promise less.",
    _C.documents_not_routed: "A policy that stands above the blueprint decides, and is its holder's to change.",
    _C.library_missing: "Only its author knows which library: name it in the module, or bind it to the task.",
    _C.review_missing: "Nothing leads to it, so there is no way that a person could stand on.",
    _C.gate_recommended: "Nothing leads to it, so there is no way that a person could stand on.",
    _C.input_missing: "Nobody can make it up: bring it, or draw the source that it comes from.",
    _C.capability_unavailable: "No change of the graph brings it back: wait, or require another.",
    _C.capability_unknown: "Nothing is called so: findCapabilities lists what there is, and saveCapability adds to it.",
    _C.capability_unreliable: "Whether another serves as well is for whoever knows the work to say (findCapabilities).",
    _C.capability_unused: "It may be needed in rare cases: whoever allowed it decides.",
    _C.tool_pack_broad: "Which of them are needed is for whoever knows the work to say.",
    _C.cost_high: "Nobody has said what it may cost.",
    _C.second_look: "No module asks a model, so there is nothing that a second one could read.",
}
"""Why there is no fix, of checks that cannot always name one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightIssue:
    """Something that must be mended, or looked at."""

    check: Annotated[PreflightCheck, "What was looked at."]
    message: Annotated[str, "What is wrong, in a sentence."]
    module_key: Annotated[str | None, "The module that it is about."] = None
    step_key: Annotated[str | None, "The step of the blueprint that it is about."] = None
    record_id: Annotated[Id | None, "The record that it is about, such as a capability."] = None
    evidence: Annotated[tuple[str, ...], "What shows it."] = ()
    fix: Annotated[PreflightFix | None, "What would mend it, where that can be told."] = None

    @property
    def code(self) -> Annotated[str, "Its code."]:
        return CODES[self.check][0]

    @property
    def unfixed_because(self) -> Annotated[str | None, "Why no fix is named; null where one is."]:
        return None if self.fix else UNFIXED[self.check]

    @property
    def severity(self) -> IssueSeverity:
        return CODES[self.check][1]


def fix(title: str, *operations: FixOperation) -> PreflightFix:
    return PreflightFix(title=title, operations=operations)
