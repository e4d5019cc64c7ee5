"""What an agent is told before it inspects or designs a task."""

from service.context.agent_pack.read import AgentPacks
from service.context.agent_pack.records import AgentContextPack, AgentPackRequest

__all__ = ["AgentContextPack", "AgentPackRequest", "AgentPacks"]
