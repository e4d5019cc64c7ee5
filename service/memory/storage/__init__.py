"""Where the owner of a record keeps it: as it was told, else by default."""

from service.memory.storage.read import RecordStorage, Storages

__all__ = ["RecordStorage", "Storages"]
