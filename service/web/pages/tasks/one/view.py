"""The task's graph as a picture, its last runs as bars."""

from service.web.pages.engine.page import Asked, Data
from service.web.pages.pictures.graphs import modules
from service.web.pages.pictures.sparks import sparks


def view(data: Data, _asked: Asked) -> Data:
    task = data["node"]
    snapshots = task.get("hasGraph", {"nodes": []})["nodes"]
    snapshot = snapshots[0] if snapshots else None
    return {
        "snapshot": snapshot,
        "drawn": modules(snapshot),
        "sparks": sparks(task.get("runs", {"nodes": []})["nodes"]),
    }
