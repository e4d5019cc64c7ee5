"""What must hold of a policy before it is saved."""

from collections.abc import Mapping
from typing import Any

from graph_schema.context.words import ContextLayer
from graph_schema.memory.policies import PolicyKind
from graph_schema.memory.words import Endpoint, IntakeLevel
from service.memory.intake.endpoints import ENDPOINTS
from service.memory.intake.errors import EndpointAmbiguous, PolicyContradicts
from service.memory.intake.fields import OF_USE
from service.memory.intake.language import read
from service.memory.intake.policies import LATER, levels_of

Values = Mapping[str, Any]

_SCOPE = ("policy_kind", "task_key", "run_source", "module_key", "module_type", "port_name")
_OF_RULE = ("applies_to", "condition", "suggested_level")
_OF_MODULE = ("capture_mode", "high_value_candidate", "review_required")
_NEVER_DENIED = (ContextLayer.restrictions, ContextLayer.output_artifact_policy)
_OF_KIND = {
    PolicyKind.capability: (
        "capability_mode",
        "expansion_enabled",
        "expansion_bases",
        "max_added_capabilities",
        "capabilities_outside_allowlist_require_approval",
        "external_side_effects_require_approval",
        "emit_expansion_receipt",
        "allowed_mcp_servers",
        "connector_refs",
        "side_effect_policy",
        "snapshot_required",
    ),
    PolicyKind.context: (
        "injection_profile",
        "denied_layers",
        "max_tokens",
        "full_text_required",
        "surface_context_forbidden",
    ),
    PolicyKind.cost: ("max_cost_usd",),
}


def check_policy(before: Values | None, after: Values) -> None:
    """Refuse a policy that could not be followed. What it holds for never changes: its versions are one history."""
    for name in _SCOPE if before and not before.get("stub") else ():
        if before and before.get(name) != after.get(name):
            raise PolicyContradicts(name, "what a policy holds for cannot be changed; archive it and make another")
    if after["policy_kind"] == PolicyKind.artifact_candidate:
        _check_rule(after)
    else:
        _check_settings(after)
    _check_kind(after)
    _check_endpoint(after)
    if after.get("valid_from") and after.get("valid_to") and after["valid_to"] <= after["valid_from"]:
        raise PolicyContradicts("valid_to", "it must be later than valid_from")


def _check_rule(policy: Values) -> None:
    for name in _OF_RULE:
        if policy.get(name) is None:
            raise PolicyContradicts(name, "a candidate rule needs it")
    others = [name for name in (*_OF_MODULE, "port_level", "task_default") if policy.get(name) is not None]
    if others:
        raise PolicyContradicts(others[0], "it is no part of a candidate rule; save it as policy_kind artifact")
    condition = read(policy["condition"])
    of_use = sorted(condition.fields & OF_USE)
    if of_use and policy["applies_to"] not in LATER:
        raise PolicyContradicts(
            "condition",
            f"{of_use[0]} is not known when an artifact is reported; only {' and '.join(sorted(LATER))} have it",
        )
    if policy["applies_to"] in LATER and not policy.get("requires_user_review", True):
        raise PolicyContradicts("requires_user_review", "what its use makes of an artifact is only ever suggested")


def _check_settings(policy: Values) -> None:
    for name in _OF_RULE:
        if policy.get(name) is not None:
            raise PolicyContradicts(name, "it is part of a candidate rule; save it as policy_kind artifact_candidate")
    if (policy.get("port_name") is None) != (policy.get("port_level") is None):
        raise PolicyContradicts("port_level", "port_name and port_level go together")
    of_module = policy.get("module_key") is not None or policy.get("module_type") is not None
    for name in _OF_MODULE if not of_module else ():
        if policy.get(name) is not None:
            raise PolicyContradicts(name, "it is said of a module: name module_key or module_type")


def _check_kind(policy: Values) -> None:
    """What is said of capabilities or of context stands in a policy of that kind, and nothing else stands there."""
    kind = PolicyKind(policy["policy_kind"])
    for other, names in _OF_KIND.items():
        for name in names if other is not kind else ():
            if policy.get(name) not in (None, []):
                raise PolicyContradicts(name, f"it is part of a policy of policy_kind {other.value}")
    for layer in {*(policy.get("denied_layers") or ())} & {*_NEVER_DENIED}:
        raise PolicyContradicts("denied_layers", f"{layer} holds hard rules, which no module goes without")
    if kind in _OF_KIND and (levels_of(policy) or any(policy.get(name) is not None for name in _OF_MODULE)):
        raise PolicyContradicts("policy_kind", "what is said of artifacts stands in a policy of policy_kind artifact")


def _check_endpoint(policy: Values) -> None:
    """Processing is a route: a policy that sends something there says where it leads."""
    route = IntakeLevel.doc25_document_ingestion
    named = policy.get("endpoint")
    if route in levels_of(policy) and named is None:
        raise EndpointAmbiguous(route, ", ".join(ENDPOINTS[route]))
    if named is not None and Endpoint(named) not in ENDPOINTS[route]:
        raise PolicyContradicts("endpoint", f"{named} is where {route} never leads")
