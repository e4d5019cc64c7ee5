"""What scope and context bring to the running service."""

from embeddings.tokens import Counters
from service.capability import Factories
from service.context.agent_pack import AgentPacks
from service.context.agent_pack.knowledge import KnowledgeCards
from service.context.expansion import Expansions, Finding, MountedCapabilities
from service.context.feedback import ContextFeedback, ContextFigures
from service.context.inspection import Inspection
from service.context.packets import PacketReads, Packets
from service.context.scope import RunScopes, Scopes
from service.matching.read import Matching
from service.search import Search

SERVICES: Factories = {
    PacketReads: lambda on: PacketReads(
        on.ground.database, on.ground.queue, Counters(on.ground.settings.home / "tokenizers"), on.ground.advise
    ),
    Packets: lambda on: Packets(on.ground.commands, on[PacketReads]),
    Inspection: lambda on: Inspection(on.ground.database),
    Scopes: lambda on: Scopes(on.ground.commands, on.ground.database, on[Search] if on.ground.queue else None),
    RunScopes: lambda on: RunScopes(on.ground.database),
    Expansions: lambda on: Expansions(on.ground.commands, Finding(on.ground.database, on[Search])),
    MountedCapabilities: lambda on: MountedCapabilities(on.ground.database),
    ContextFeedback: lambda on: ContextFeedback(on.ground.commands),
    ContextFigures: lambda on: ContextFigures(on.ground.database),
    AgentPacks: lambda on: AgentPacks(on.ground.database, on[Matching], on[KnowledgeCards], on.ground.queue),
}
