"""The template's graph as a picture."""

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.graphs import modules


def view(data: Data, _asked: Asked) -> Data:
    snapshots = data["node"].get("hasGraph", {"nodes": []})["nodes"]
    return {"snapshot": snapshots[0] if snapshots else None, "drawn": modules(snapshots[0] if snapshots else None)}
