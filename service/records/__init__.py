"""What can be done with any record: save, link, archive, restore, hold, erase."""

from service.records.commands import Records

__all__ = ["Records"]
