"""Packets for turns of a conversation. A query: it stores nothing."""

from embeddings.tokens import Counters
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.graph.database import Database, Row
from service.routing.agent.read import AgentProfiles
from service.routing.decision.answer import TaskModeDecision
from service.routing.decision.read import TaskModes
from service.routing.decision.request import TaskModeRequest
from service.routing.opportunity import cypher
from service.routing.opportunity.ambient import TEXT, WITHOUT_AGENT, AmbientTaskCard
from service.routing.opportunity.packet import LEAST_TOKENS, MOST_TOKENS, TaskOpportunityPacket, packet


class Opportunities:
    def __init__(self, database: Database, modes: TaskModes, agent: AgentProfiles, counters: Counters) -> None:
        self._database = database
        self._modes = modes
        self._agent = agent
        self._counters = counters

    async def packet(
        self, viewer: Viewer, request: TaskModeRequest, tokenizer: str | None, max_tokens: int
    ) -> TaskOpportunityPacket:
        """What the model may be told for this request, within so many tokens of its own tokenizer."""
        check_tokens(max_tokens)
        return await self.of_decision(viewer, await self._modes.decide(viewer, request), tokenizer, max_tokens)

    async def of_decision(
        self, viewer: Viewer, decision: TaskModeDecision, tokenizer: str | None = None, max_tokens: int = MOST_TOKENS
    ) -> TaskOpportunityPacket:
        agent = await self._agent.now(viewer)
        details = await self._details(viewer, decision) if decision.should_inject_task_packet else {}
        return packet(decision, details, agent, self._counters.of(tokenizer), max_tokens)

    async def ambient(self, viewer: Viewer, tokenizer: str | None) -> AmbientTaskCard:
        """Of a Task Agent that may not be asked nothing is said."""
        counter = self._counters.of(tokenizer)
        text = TEXT if (await self._agent.now(viewer)).available else WITHOUT_AGENT
        return AmbientTaskCard(text, counter.count(text), counter.name)

    async def _details(self, viewer: Viewer, decision: TaskModeDecision) -> dict[str, Row]:
        matched = (
            *decision.matched_task_templates,
            *decision.matched_module_presets,
            *decision.matched_invocation_directives,
        )
        ids = [one.id for one in matched]
        row = await self._database.read_one(cypher.DETAILS, ids=ids, audiences=viewer.audiences) if ids else None
        return {one["id"]: one for one in row["found"]} if row else {}


def check_tokens(max_tokens: int) -> None:
    if not LEAST_TOKENS <= max_tokens <= MOST_TOKENS:
        raise InputInvalid("max_tokens", f"it must be from {LEAST_TOKENS} to {MOST_TOKENS}")
