"""What the Task Agent stands on, and what it does without: the degraded matrix as a table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.library.words import CapabilityState
from graph_schema.routing.agent import AgentProfile, SystemAgent
from graph_schema.routing.words import AgentState, HealthState
from service.routing.agent.entrypoints import AgentPart as Part
from service.views import Time


class PartState(StrEnum):
    """Whether a part of the Task Agent is there."""

    up = "up"
    down = "down"
    authorisation_missing = "authorisation_missing"
    switched_off = "switched_off"
    unknown = "unknown"


MISSING = frozenset({PartState.down, PartState.authorisation_missing, PartState.switched_off})
"""What is known not to be there. What nobody has spoken of is taken to be."""

OUTSIDE = (
    *(Part.named_agent_runtime, Part.session_spawn, Part.model, Part.knowledge_pack, Part.documents),
    *(Part.prompt_advisor, Part.evaluation),
)
"""Parts that others run. `reportCapabilityState` tells of them, as capabilities of the source `task_agent`, by name."""

WITHOUT: Mapping[Part, str] = {
    Part.task_agent: "Requests are answered directly; what needs no model still answers, and tasks are edited by hand.",
    Part.named_agent_runtime: "Only what needs no model answers, and nothing is designed in the background.",
    Part.session_spawn: "Nothing goes on in the background; what is asked for is done while one waits, or not.",
    Part.model: "Only what needs no model answers.",
    Part.knowledge_pack: "Runs are inspected and outputs retrieved; advice on design comes without the knowledge pack.",
    Part.capability_registry: "Capabilities are recommended only as saved templates name them.",
    Part.documents: "Documents are referred to, and nothing is told of what they say.",
    Part.task_memory: "Designs start from templates, without what earlier runs taught.",
    Part.learning: "Nothing that was learned mutes or boosts suggestions; the fixed rules hold.",
    Part.prompt_advisor: "Prompts are improved without a receipt of the prompt advisor.",
    Part.evaluation: "Prompts cannot be tested in depth; quick help with them stays.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPartNow:
    """A part of what the Task Agent stands on, as it is now."""

    part: Annotated[Part, "The part."]
    state: Annotated[PartState, "Whether it is there; unknown where nobody has said, which counts as there."]
    code: Annotated[str | None, "A code for what is missing, such as model_down; null where nothing is."]
    effect: Annotated[str | None, "What that means, in a sentence."]
    as_of: Annotated[Time | None, "When it was last reported."] = None
    blocks: Annotated[bool, "Whether what needs it cannot be used; false where something stands in."] = False


def parts_now(
    agent: SystemAgent, health: HealthState, profile: AgentProfile, reported: Mapping[str, tuple[str, str]]
) -> tuple[AgentPartNow, ...]:
    """`reported`: what was last said of a part, and when."""
    off = {*_switched_off(profile)}
    stands_in = {Part.model} if profile.fallback_model_refs else set[Part]()
    return tuple(
        _now(part, _state(part, agent, health, reported, off), reported.get(part.value), replaced=part in stands_in)
        for part in Part
    )


def _now(part: Part, state: PartState, reported: tuple[str, str] | None, *, replaced: bool) -> AgentPartNow:
    missing = state in MISSING
    effect = _STANDS_IN if replaced else WITHOUT[part]
    return AgentPartNow(
        part=part,
        state=state,
        code=f"{part.value}_{state.value}" if missing else None,
        effect=effect if missing else None,
        as_of=reported[1] if reported else None,
        blocks=missing and not replaced,
    )


_STANDS_IN = "Another model stands in, with a receipt; what it proposes has to be validated once more."


def _state(
    part: Part, agent: SystemAgent, health: HealthState, reported: Mapping[str, tuple[str, str]], off: set[Part]
) -> PartState:
    if part is Part.task_agent:
        return _agent(agent, health)
    if part in off:
        return PartState.switched_off
    if part in OUTSIDE:
        said = reported.get(part.value)
        return PartState(CapabilityState(said[0]).value) if said else PartState.unknown
    return PartState.up


def _agent(agent: SystemAgent, health: HealthState) -> PartState:
    if agent.agent_state is not AgentState.active:
        return PartState.switched_off
    if health is HealthState.unavailable:
        return PartState.down
    return PartState.unknown if health is HealthState.unknown else PartState.up


def _switched_off(profile: AgentProfile) -> Iterable[Part]:
    switches = {
        Part.knowledge_pack: profile.allow_knowledge_pack_retrieval,
        Part.task_memory: profile.allow_task_memory,
        Part.learning: profile.allow_learning_overlay,
        Part.prompt_advisor: profile.allow_prompt_advisor_service,
        Part.evaluation: profile.allow_prompt_evaluation_tasks,
        Part.session_spawn: profile.allow_background_design,
    }
    return (part for part, on in switches.items() if not on)
