"""What is known of the task system, and what is told before anything runs."""

from graph_schema.knowledge.catalogue import ConfigField, Port
from graph_schema.knowledge.pack import KnowledgeCard, KnowledgePack
from graph_schema.knowledge.preflight import Preflight
from graph_schema.knowledge.relations import RELATIONS

RECORDS = (Port, ConfigField, Preflight, KnowledgePack, KnowledgeCard)

__all__ = ["RECORDS", "RELATIONS"]
