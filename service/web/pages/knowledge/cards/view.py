"""Cards that were found by what they say, or all of some families."""

from graph_schema.knowledge.words import CardFamily
from service.web.pages.engine.page import Asked, Data


def settle(variables: Data) -> Data:
    return {"sought": bool(variables.get("text"))}


def view(data: Data, asked: Asked) -> Data:
    wanted = asked.all("families")
    found = [one["record"] for one in data["found"]["hits"]] if data.get("found") else None
    kept = [one for one in found or () if one and (not wanted or one["family"] in wanted)]
    listed = data.get("knowledgeCards", {"nodes": []})["nodes"]
    return {"cards": listed if found is None else kept, "families": [one.value for one in CardFamily]}
