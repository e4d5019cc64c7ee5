"""Cards that were found by what they say, or all of some families."""

from graph_schema.knowledge.words import CardFamily
from service.web.pages.engine.page import Asked, Data

OF_RECORDS = ("template_card", "preset_card", "pattern_card", "anti_pattern_card", "capability_card", "design_case")
"""Families whose cards have the id of a record as their subject."""


def settle(variables: Data) -> Data:
    return {"sought": bool(variables.get("text"))}


def view(data: Data, asked: Asked) -> Data:
    wanted = asked.all("families")
    found = [one["record"] for one in data["found"]["hits"]] if data.get("found") else None
    kept = [one for one in found or () if one and (not wanted or one["family"] in wanted)]
    listed = data.get("knowledgeCards", {"nodes": []})["nodes"]
    families = [one.value for one in CardFamily]
    return {"cards": listed if found is None else kept, "families": families, "of_records": OF_RECORDS}
