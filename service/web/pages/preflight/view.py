"""The kept reports, and which of them a fix can be proposed from."""

from service.web.pages.engine.page import Asked, Data


def view(data: Data, _asked: Asked) -> Data:
    node = data["node"]
    kept = node.get("preflights", {"nodes": []})["nodes"]
    report = data.get("preflight")
    tried = report["simulation"]["steps"] if report and report["simulation"] else []
    return {
        "kept": kept,
        "newest": kept[0] if kept else None,
        "walk": sorted(tried, key=lambda one: (one["order"] is None, one["order"] or 0)),
        "report": report,
    }
