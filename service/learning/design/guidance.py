"""What the knowledge has to say to a design: doctrine and decisions first, then hints and examples that fit it."""

from graph_schema.knowledge.words import CardFamily
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.knowledge.lookup.read import KnowledgeAnswer, Lookups
from service.knowledge.lookup.turn import Turn
from service.learning.design.load import facts_of

FAMILIES = (
    *(CardFamily.doctrine_card, CardFamily.decision_card, CardFamily.hint_card),
    *(CardFamily.worked_example, CardFamily.anti_pattern_card),
)
MOST = 50


class DesignGuidance:
    def __init__(self, database: Database, lookups: Lookups) -> None:
        self._database = database
        self._lookups = lookups

    async def of(self, viewer: Viewer, session: RecordRef, turn: Turn) -> KnowledgeAnswer:
        """For what the session is about, as far as the education profile allows."""
        session.check("session", "DesignSession")
        facts = await facts_of(self._database.read, viewer, session.id) if session.id else None
        if facts is None:
            raise RecordMissing(session, "session")
        said = facts.session
        told = [said["user_initial_request"], said.get("resolved_intent") or "", *said["expected_outputs"]]
        told += [one.replace("_", " ") for one in facts.side_effects]
        return await self._lookups.guidance(viewer, turn, " ".join(told), FAMILIES, MOST)
