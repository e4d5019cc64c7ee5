"""The education profile and the core contract that hold: what was saved, else the defaults. A query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from graph_schema.knowledge.education import CoreContract, EducationProfile
from graph_schema.routing.agent import TASK_AGENT
from service.access.viewer import Viewer
from service.graph.database import Database
from service.knowledge.lookup import cypher
from service.routing.agent.effective import effective, held
from service.views import Id, Linked


class EducationProfileHeld(effective(EducationProfile)):
    """What an agent is taught from, and how much of it at once."""


class CoreContractHeld(effective(CoreContract)):
    """What an agent must do and must not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEducation:
    """What holds for the Task Agent: its education profile and its contract, as saved or by default."""

    profile: Annotated[EducationProfileHeld, "What it is taught from, and how much of it at once."]
    contract: Annotated[CoreContractHeld, "What it must do and must not."]
    record_ids: Annotated[tuple[Id, ...], "Ids of what was saved of these; none where the defaults hold."]
    records: ClassVar = Linked("record_ids", "What was saved of these.", many=True)


def profile_of(saved: Mapping[str, Any] | None) -> EducationProfileHeld:
    return held(EducationProfile, EducationProfileHeld, saved)


DEFAULT = profile_of(None)


class Education:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def now(self, viewer: Viewer) -> AgentEducation:
        row = await self._database.read_one(cypher.EDUCATION, agent=TASK_AGENT, audiences=viewer.audiences)
        profile, contract = (row["profile"], row["contract"]) if row else (None, None)
        return AgentEducation(
            profile=profile_of(profile),
            contract=held(CoreContract, CoreContractHeld, contract),
            record_ids=tuple(one["id"] for one in (profile, contract) if one),
        )
