"""Library intents: what is to become part of a library, with receipts."""

from service.memory.intents.commands import Asked, LibraryIntents, Receipt

__all__ = ["Asked", "LibraryIntents", "Receipt"]
