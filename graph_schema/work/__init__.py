"""The work itself: entities, goals, standing rules, capabilities, work products."""

from graph_schema.work.records import Capability, Entity, Goal, Preference, Procedure, Restriction, WorkProduct
from graph_schema.work.relations import RELATIONS

RECORDS = (Entity, Goal, Preference, Restriction, Procedure, Capability, WorkProduct)

__all__ = ["RECORDS", "RELATIONS"]
