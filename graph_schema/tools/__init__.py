"""Tools: what they are for, how calls of them ended, where users asked again, and what builders are advised."""

from graph_schema.tools.records import Ask, AskSession, Recommendation, Tool, ToolMethod, ToolOutcome, UserCorrection
from graph_schema.tools.relations import RELATIONS

RECORDS = (Tool, ToolMethod, ToolOutcome, AskSession, Ask, UserCorrection, Recommendation)

__all__ = ["RECORDS", "RELATIONS"]
