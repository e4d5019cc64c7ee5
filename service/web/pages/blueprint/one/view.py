"""Steps in their order, what goes in and comes out, and the versions that there were."""

from service.web.pages.engine.page import Asked, Data


def view(data: Data, _asked: Asked) -> Data:
    node = data["node"]
    edges = sorted(node.get("hasStep", {"edges": []})["edges"], key=lambda one: one["order"] or 0)
    contracts = node.get("hasContract", {"nodes": []})["nodes"]
    versions = [one["version"] for one in node.get("history", {"states": []})["states"]]
    return {
        "steps": [one["node"] for one in edges],
        "sides": [(side, [one for one in contracts if one["side"] == side]) for side in ("input", "output")],
        "versions": versions,
    }
