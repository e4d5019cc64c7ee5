"""The kept reports, and which of them a fix can be proposed from."""

from service.web.pages.engine.page import Asked, Data


def view(data: Data, _asked: Asked) -> Data:
    node = data["node"]
    kept = node.get("preflights", {"nodes": []})["nodes"]
    report = data.get("preflight")
    tried: list[Data] = report["simulation"]["steps"] if report and report["simulation"] else []
    return {
        "kept": kept,
        "newest": kept[0] if kept else None,
        "walk": sorted(tried, key=_place),
        "report": report,
    }


def _place(step: Data) -> tuple[bool, int]:
    """What is never reached comes last."""
    return step["order"] is None, step["order"] or 0
