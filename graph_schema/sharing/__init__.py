"""Sharing: one task, run or artifact, shown to somebody outside."""

from graph_schema.sharing.records import ShareCapsule, ShareEvent
from graph_schema.sharing.relations import RELATIONS

RECORDS = (ShareCapsule, ShareEvent)

__all__ = ["RECORDS", "RELATIONS"]
