"""A manifest in the shape that the parts of pages take: its head, its steps, its graph, its files."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from service.web.pages.pictures.graphs import modules

Data = dict[str, Any]
Found = list[Data]

_PICTURED = 300
_MADE = ("Artifact", "WorkProduct")
_FILES = (*_MADE, "Entity")
_SHOWN = frozenset({"Run", "Task", "GraphSnapshot", "Module", "Activation", "Delivery", "Blueprint", "StepIntent"})
"""What has a place of its own on the page."""
_HIDDEN = {"kind", "schema_version", "stub", "lifecycle_state", "version", "run_id", "updated_at", "data_class"}
_TOLD = (
    *("name", "description", "purpose", "summary", "status", "duration_ms", "cost_usd", "started_at", "module_key"),
    *(
        "module_type",
        "activation_seq",
        "activation_count",
        "failure_summary",
        "quality_summary",
        "output_summary",
        "output_class",
    ),
    *("artifact_kind", "entity_kind", "delivery_kind", "produced_at", "delivered_at", "destination_summary"),
    "module_count",
)
"""Fields that have a place on the page. A profile may hide any of them; then it is None."""
_KINDS: Mapping[str, str] = {"Run": "run", "Task": "task"}


def view(manifest: Data) -> Data:
    records = _records(manifest["sections"])
    run, task = records.get(manifest["run_id"]), records.get(manifest["task_id"]) or _first(records, "Task")
    subject = run or task
    kind = _KINDS.get(subject["kind"], "file") if subject else "files"
    steps = sorted(_of(records, "Activation"), key=_when("started_at"))
    return {
        **manifest,
        "kind": kind,
        "title": next((one["name"] for one in (run, task) if one and one["name"]), f"A shared {kind}"),
        "description": task and task["description"],
        "run": run,
        "steps": steps,
        "snapshot": (graph := _first(records, "GraphSnapshot")) and {"moduleCount": graph["module_count"]},
        "drawn": modules(_graph(records, manifest["sections"])),
        "blueprint": _first(records, "Blueprint"),
        "intents": _of(records, "StepIntent"),
        "made": sorted((one for label in _MADE for one in _of(records, label)), key=_final_first),
        "about": _of(records, "Entity"),
        "deliveries": sorted(_of(records, "Delivery"), key=_when("delivered_at")),
        "models": _totals(manifest["sections"], "models_and_agents"),
        "others": _others(manifest["sections"]),
    }


def _records(sections: Found) -> dict[str, Data]:
    """Each once, with None for what the profile hides of it."""
    none = dict.fromkeys(_TOLD)
    return {one["id"]: none | one for section in sections for one in section["records"]}


def _of(records: Mapping[str, Data], kind: str) -> Found:
    return [one for one in records.values() if one["kind"] == kind]


def _first(records: Mapping[str, Data], kind: str) -> Data | None:
    return next(iter(_of(records, kind)), None)


def _when(name: str) -> Callable[[Data], tuple[str, str]]:
    return lambda one: (one[name] or "", one["id"])


def _final_first(one: Data) -> tuple[bool, str]:
    return one["output_class"] != "final_output", one["produced_at"] or ""


def _graph(records: Mapping[str, Data], sections: Found) -> Data:
    """The graph as the API gives one, so that the same picture is drawn of it."""
    heads: dict[str, list[Data]] = {}
    for link in _links(sections, "CABLE"):
        heads.setdefault(link["tail"], []).append({"id": link["head"]})
    found = [
        {
            "id": one["id"],
            "name": one["name"],
            "moduleKey": one["module_key"] or "module",
            "moduleType": one["module_type"],
            "purpose": one["purpose"],
            "cable": {"nodes": heads.get(one["id"], [])},
        }
        for one in _of(records, "Module")[:_PICTURED]
    ]
    return {"hasModule": {"nodes": found}}


def _links(sections: Found, kind: str) -> Iterable[Data]:
    return (link for section in sections for link in section["links"] if link["type"] == kind)


def _totals(sections: Found, name: str) -> Any:
    return next((one["totals"] for one in sections if one["section"] == name and one.get("totals")), None)


def _others(sections: Found) -> Found:
    """What the parts above do not show: of an audit packet, most."""
    told: set[str] = set()
    found: Found = []
    for section in sections:
        placed = {*_SHOWN, *_FILES}
        rows = [one for one in section["records"] if one["kind"] not in placed and one["id"] not in told]
        told |= {one["id"] for one in rows}
        if rows:
            found.append({"section": section["section"], "rows": [_row(one) for one in rows]})
    return found


def _row(record: Data) -> Data:
    facts = {name: value for name, value in record.items() if name not in {*_HIDDEN, "id", "name"}}
    return {"kind": record["kind"], "name": record.get("name"), "id": record["id"], "facts": facts}
