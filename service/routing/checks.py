"""What must hold of directives and of the Task Agent's records beyond their models, and what follows from a save."""

from collections.abc import Mapping
from typing import Any

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.agent import TASK_AGENT, TASK_AGENT_CAPABILITY
from graph_schema.routing.words import AgentState, AuthoritySource, ConfirmationPolicy, HealthState
from service.commands import State, Work
from service.library.checks import check_phrases
from service.routing.errors import AutoRunNotVouched, ProfileContradicts

Values = Mapping[str, Any]

DEGRADED = "task.agent.degraded"
_BY_ITSELF = (ConfirmationPolicy.auto_run_if_user_explicit, ConfirmationPolicy.auto_run_if_standing_procedure)
_VOUCHED = (AuthoritySource.user_taught, AuthoritySource.user_confirmed, AuthoritySource.architect_authored)
_ILL = (HealthState.degraded, HealthState.unavailable)


def check_directive(before: Values | None, after: Values) -> None:
    check_phrases(before, after)
    if after["confirmation_policy"] in _BY_ITSELF and after["authority_source"] not in _VOUCHED:
        raise AutoRunNotVouched(after["authority_source"])
    if after.get("task_agent_entrypoint") == Entrypoint.consult_task_opportunity:
        raise ProfileContradicts(
            "task_agent_entrypoint",
            "consult_task_opportunity is for the system alone, and no directive asks for it",
            "Name what the Task Agent is to do, such as design_task.",
        )


def check_profile(_before: Values | None, after: Values) -> None:
    models = [one for one in (after.get("default_model_ref"), *after["fallback_model_refs"]) if one]
    if len({*models}) < len(models):
        raise ProfileContradicts(
            "fallback_model_refs", "a model cannot stand in for itself", "Name each model once, in order."
        )
    if not (after["allow_cloud"] or after["allow_local"]):
        raise ProfileContradicts("allow_cloud", "neither cloud nor local models are allowed", "Allow one of them.")
    if after["require_local_for_sensitivity_tags"] and not after["allow_local"]:
        raise ProfileContradicts(
            "allow_local",
            "some work has to stay local, and local models are not allowed",
            "Allow local models, or empty requireLocalForSensitivityTags.",
        )


def check_policy(_before: Values | None, after: Values) -> None:
    entrypoints = after["allowed_entrypoints_for_subagents"]
    if after["allow_subagent_spawn"] and not entrypoints:
        raise ProfileContradicts(
            "allowed_entrypoints_for_subagents",
            "helpers are allowed, and for nothing",
            "Name the entrypoints that they may help with.",
        )
    if Entrypoint.consult_task_opportunity in entrypoints:
        raise ProfileContradicts(
            "allowed_entrypoints_for_subagents",
            "consult_task_opportunity is answered without a model, and needs no helpers",
            "Leave it out.",
        )


def check_capability(_before: Values | None, after: Values) -> None:
    if after["capability_type"] != "agent":
        raise ProfileContradicts("capability_type", "must be agent", "Save other capabilities with saveCapability.")
    if (after["capability_id"] == TASK_AGENT_CAPABILITY) != (after["implemented_by_agent_id"] == TASK_AGENT):
        raise ProfileContradicts(
            "implemented_by_agent_id",
            f"{TASK_AGENT_CAPABILITY} is what {TASK_AGENT} offers, and nothing else is",
            "Name the agent that has the capability.",
        )
    if not after["semantic_actions"]:
        raise ProfileContradicts("semantic_actions", "an agent that offers nothing is none", "Name what it offers.")


def check_agent(_before: Values | None, after: Values) -> None:
    if after["agent_state"] == AgentState.active and not after["capability_registered"]:
        raise ProfileContradicts(
            "capability_registered",
            "an agent that can be asked is registered as a capability, too",
            "Set it, or the state to staged.",
        )


async def tell_degraded(work: Work, before: State | None, after: State) -> None:
    """That the Task Agent does not do well is an event of its own."""
    if after.type.label != "AgentCapability":
        return
    said, was = after.properties["health_state"], before.properties.get("health_state") if before else None
    if said in _ILL and said != was:
        work.event(DEGRADED, after)


CHECKS = {
    "InvocationDirective": check_directive,
    "AgentProfile": check_profile,
    "SubagentPolicy": check_policy,
    "AgentCapability": check_capability,
    "SystemAgent": check_agent,
}
