"""What the Task Agent is, how it runs, and what works of it now. A query: it stores nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.record import HIDDEN_STATES
from graph_schema.routing.agent import (
    TASK_AGENT,
    TASK_AGENT_CAPABILITY,
    AgentCapability,
    AgentProfile,
    SubagentPolicy,
    SystemAgent,
)
from graph_schema.routing.words import AgentState, AutoConsult, HealthState, InvocationMode, VisibleReceipts
from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.routing.agent import cypher
from service.routing.agent.effective import effective, held
from service.routing.agent.entrypoints import ENTRYPOINTS, EntrypointDescriptor
from service.routing.agent.entrypoints import AgentPart as Part
from service.routing.agent.parts import OUTSIDE, AgentPartNow, parts_now
from service.views import Id, Linked


class TaskAgentRegistration(effective(SystemAgent)):
    """How the Task Agent is registered."""


class TaskAgentCapability(effective(AgentCapability)):
    """What the Task Agent offers, and how it does."""


class TaskAgentProfile(effective(AgentProfile)):
    """How the Task Agent runs, and how far it goes by itself."""


class TaskAgentHelpers(effective(SubagentPolicy)):
    """Whether the Task Agent may have helpers, for what, and how many."""


_WITHOUT_AGENT = frozenset({InvocationMode.read_model_only})
_ASIDE = frozenset({InvocationMode.async_background_design, InvocationMode.assessment_job})


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrypointNow:
    """An entrypoint of the Task Agent, as it can be used now."""

    descriptor: Annotated[EntrypointDescriptor, "What it is, and what it needs."]
    usable: Annotated[bool, "Whether it can be used now, in one way at least."]
    modes: Annotated[tuple[InvocationMode, ...], "In which ways."]
    missing: Annotated[
        tuple[str, ...], "Codes of what is missing, for the ways that are closed or for all it could do."
    ]
    may_have_helpers: Annotated[bool, "Whether sub-agents may be used for it."]

    @property
    def entrypoint(self) -> Entrypoint:
        return self.descriptor.entrypoint


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAgentNow:
    """The Task Agent: who it is, how it runs, what works now, and what is missing for the rest."""

    available: Annotated[bool, "Whether it may be asked: registered as active, and not reported as unavailable."]
    health_state: Annotated[HealthState, "How it does, with what is missing of its parts."]
    degraded: Annotated[tuple[AgentPartNow, ...], "What is missing, and what that means."]
    parts: Annotated[tuple[AgentPartNow, ...], "All that it stands on."]
    entrypoints: Annotated[tuple[EntrypointNow, ...], "What it can be asked to do."]
    registration: Annotated[TaskAgentRegistration, "Its entry in the registry; defaults where none was saved."]
    capability: Annotated[TaskAgentCapability, "Its entry as a capability; defaults where none was saved."]
    profile: Annotated[TaskAgentProfile, "Its runtime profile; defaults where none was saved."]
    helpers: Annotated[TaskAgentHelpers, "Its policy for sub-agents; defaults where none was saved."]
    record_ids: Annotated[tuple[Id, ...], "Ids of the records that were saved of it."]
    records: ClassVar = Linked("record_ids", "The records that were saved of it.", many=True)

    @property
    def auto_consult_policy(self) -> AutoConsult:
        return self.profile.auto_consult_policy

    @property
    def show_chips(self) -> bool:
        return self.profile.show_task_suggestion_chips

    @property
    def receipts(self) -> VisibleReceipts:
        return self.profile.create_visible_receipts

    @property
    def profile_saved(self) -> bool:
        """Whether its profile is somebody's word, and not the defaults."""
        return any(one.startswith(f"{AgentProfile.prefix}_") for one in self.record_ids)

    @property
    def usable(self) -> tuple[EntrypointNow, ...]:
        return tuple(one for one in self.entrypoints if one.usable)


class AgentProfiles:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def now(self, viewer: Viewer) -> TaskAgentNow:
        """From what was saved and reported that the viewer may see, and defaults for the rest."""
        [row] = await self._database.read(
            cypher.NOW, **ASKED, hidden_states=list(HIDDEN_STATES), audiences=viewer.audiences
        )
        return agent_now(row)


ASKED: Mapping[str, Any] = {
    "agent": TASK_AGENT,
    "capability": TASK_AGENT_CAPABILITY,
    "parts": [one.value for one in OUTSIDE],
}
"""What `cypher.AGENT` asks with, beside what is hidden from the viewer."""


def agent_now(row: Row) -> TaskAgentNow:
    """From what `cypher.AGENT` gave."""
    said = row["records"] or row["parts"]
    return _now(row["records"], row["parts"]) if said else _unsaid()


@cache
def _unsaid() -> TaskAgentNow:
    """What holds where nothing was saved or reported: every request asks for it."""
    return _now((), ())


def _now(records: Sequence[Row], reported: Sequence[Row]) -> TaskAgentNow:
    saved = _newest(records)
    agent = held(SystemAgent, TaskAgentRegistration, saved.get("SystemAgent"))
    capability = held(AgentCapability, TaskAgentCapability, saved.get("AgentCapability"))
    profile = held(AgentProfile, TaskAgentProfile, saved.get("AgentProfile"))
    helpers = held(SubagentPolicy, TaskAgentHelpers, saved.get("SubagentPolicy"))
    told = {one["source_key"]: (one["state"], one["state_as_of"]) for one in reported}
    parts = parts_now(agent, capability.health_state, profile, told)
    missing = {one.part: one.code for one in parts if one.code and one.blocks}
    degraded = tuple(one for one in parts if one.code)
    return TaskAgentNow(
        available=agent.agent_state is AgentState.active and capability.health_state is not HealthState.unavailable,
        health_state=_health(capability.health_state, degraded),
        degraded=degraded,
        parts=parts,
        entrypoints=tuple(_entrypoint(one, capability, helpers, missing) for one in ENTRYPOINTS.values()),
        registration=agent,
        capability=capability,
        profile=profile,
        helpers=helpers,
        record_ids=tuple(one["id"] for one in saved.values()),
    )


def _newest(records: Sequence[Row]) -> dict[str, Row]:
    """By label. They come newest first."""
    found: dict[str, Row] = {}
    for one in records:
        label = next(each for each in one["labels"] if each != "Record")
        found.setdefault(label, one["properties"])
    return found


def _health(said: HealthState, degraded: Sequence[AgentPartNow]) -> HealthState:
    if any(one.part is Part.task_agent for one in degraded):
        return HealthState.unavailable
    return HealthState.degraded if degraded else said


def _entrypoint(
    one: EntrypointDescriptor,
    capability: AgentCapability,
    helpers: SubagentPolicy,
    missing: Mapping[Part, str],
) -> EntrypointNow:
    offered = one.entrypoint in capability.semantic_actions
    modes = tuple(mode for mode in one.invocation_modes if offered and not _lacking(one, mode, missing))
    lacking = {code for mode in one.invocation_modes for code in _lacking(one, mode, missing)}
    lacking |= {missing[part] for part in _wanted(one) if part in missing}
    return EntrypointNow(
        descriptor=one,
        usable=bool(modes),
        modes=modes,
        missing=(*sorted(lacking), *(() if offered else ("not_offered",))),
        may_have_helpers=helpers.allow_subagent_spawn and one.entrypoint in helpers.allowed_entrypoints_for_subagents,
    )


def _lacking(one: EntrypointDescriptor, mode: InvocationMode, missing: Mapping[Part, str]) -> set[str]:
    """What closes a way to use it. What we answer ourselves needs no agent."""
    if mode in _WITHOUT_AGENT:
        return set()
    needed = [Part.task_agent, *one.parts, *([Part.session_spawn] if mode in _ASIDE else [])]
    return {missing[part] for part in needed if part in missing}


def _wanted(one: EntrypointDescriptor) -> list[Part]:
    """What it would use, and can do without in part."""
    wanted = {Part.knowledge_pack: one.requires_knowledge_pack, Part.task_memory: one.requires_task_memory}
    return [part for part, needs in wanted.items() if needs]
