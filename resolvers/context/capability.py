"""What scope and context add to the API."""

from resolvers.capability import Fields
from resolvers.context.agent_pack import AgentPackQuery
from resolvers.context.expansion import ExpansionMutation, ExpansionQuery
from resolvers.context.feedback import FeedbackMutation, FeedbackQuery
from resolvers.context.inspection import InspectionQuery
from resolvers.context.packets import PacketMutation, PacketQuery
from resolvers.context.scope import ScopeMutation, ScopeQuery
from resolvers.engine.costs import Costs, each, flat
from resolvers.matching.capability import MATCH

PACKET = 5_000
"""A packet weighs up to two thousand texts, with what binds each of them to the run."""

FIELDS = Fields(
    queries=(PacketQuery, InspectionQuery, ScopeQuery, ExpansionQuery, FeedbackQuery, AgentPackQuery),
    mutations=(PacketMutation, ExpansionMutation, FeedbackMutation, ScopeMutation),
    costs=Costs(
        queries={
            "previewContextPacket": flat(PACKET),
            "contextPacket": flat(500),
            "whyExcluded": flat(100),
            "whyInjected": flat(100),
            "diffPackets": flat(1_000),
            "replayPacket": flat(1_000),
            "contextBleed": each("first", 20),
            "runScope": flat(200),
            "mountedCapabilities": flat(100),
            "contextStatistics": flat(5_000),
            "agentContextPack": flat(MATCH + 1_000),
        },
        mutations={
            "assembleContextPacket": flat(PACKET),
            "expandCapabilities": flat(200),
            "openRunScope": flat(500),
        },
    ),
)
