"""What the knowledge pack has to say to a request: given by whoever holds the pack, which rests on what packets are."""

from abc import ABC, abstractmethod

from graph_schema.memory.continuation_words import Entrypoint
from service.access.viewer import Viewer
from service.context.agent_pack.records import Cards


class KnowledgeCards(ABC):
    """A service of the capability that has the cards."""

    @abstractmethod
    async def fitting(self, viewer: Viewer, text: str, entrypoint: Entrypoint) -> Cards:
        """Cards for such work that fit the text, as far as agents may be given them."""
