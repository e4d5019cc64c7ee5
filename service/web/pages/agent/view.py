"""The operations that fit what is open, and what was said about it before."""

from typing import Any

from service.web.pages.engine.page import Asked, Data

Row = dict[str, Any]
PARTS = ("task", "run", "artifact")


def settle(variables: Data) -> Data:
    """What is open is what the address names."""
    return {f"in{part.title()}": f"{part}Id" in variables or f"{part}Source" in variables for part in PARTS}


def view(data: Data, asked: Asked) -> Data:
    run = data.get("run")
    opened = [one for one in (data.get("artifact"), run["record"] if run else None, data.get("task")) if one]
    entrypoints: list[Row] = data["taskAgent"]["entrypoints"] if "taskAgent" in data else []
    told: list[Row] = [one["descriptor"] | one for one in entrypoints]
    return {
        "threads": _together(opened, "threads"),
        "consults": _together(opened, "consults"),
        "models": [one for one in told if not one["mayRunWithoutLlm"] and not one["internal"]],
        "scope": _scope(asked),
        "refs": {name: asked.one(name) for name in (*PARTS, "module", "activation") if asked.one(name)},
    }


def _together(opened: list[Row], name: str) -> list[Row]:
    """Of what is open, each once."""
    return list({one["id"]: one for place in opened for one in place.get(name, {"nodes": []})["nodes"]}.values())


def _scope(asked: Asked) -> str:
    """The kind of conversation that it would be."""
    if asked.one("artifact"):
        return "artifact_followup"
    if asked.one("module"):
        return "module_followup"
    return "task_run_inspection" if asked.one("run") else "general_task_agent"
