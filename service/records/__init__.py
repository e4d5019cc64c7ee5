"""What can be done with any record: save, link, archive, restore, hold, erase."""

from service.records.commands import Records
from service.records.hooks import Hooks, joined

__all__ = ["Hooks", "Records", "joined"]
