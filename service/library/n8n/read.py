"""Reads an export of n8n. Nothing is guessed: what is not understood is kept as it is, or named as the problem."""

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, cast

import orjson

from graph_schema.model.fields import KEY_LENGTH, NAME_LENGTH, OPAQUE_LENGTH, TEXT_LENGTH
from service.library.n8n.describe import description_of, shortened
from service.library.n8n.needs import needs_of
from service.library.n8n.wiring import Wiring, names_of, read_wiring
from service.library.n8n.workflow import MOST_BYTES, MOST_NODES, SOURCE, STICKY, Json, Node, NotAWorkflow, Workflow
from service.notices import Notice

PAYLOAD = ("pinData", "staticData")
"""What a workflow was fed with or has kept from its runs. It may be anybody's mail, and is no part of its design."""

_GRAPH = ("nodes", "connections", "settings")


def read_file(file_name: str, content: bytes | str) -> list[Workflow | NotAWorkflow]:
    """The workflows of a file, or what is wrong with each. A list of workflows is what n8n writes for all at once."""
    if len(content) > MOST_BYTES:
        return [NotAWorkflow(f"it has {len(content):,} bytes; {MOST_BYTES:,} are the most", "Split the workflow.")]
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        return [NotAWorkflow(f"it is not JSON: {error}")]
    if isinstance(found, list) and found:
        several = cast("list[Any]", found)
        return [_one(f"{file_name}#{number}", one) for number, one in enumerate(several, start=1)]
    return [_one(file_name, found)]


def read_workflow(file_name: str, found: Any) -> Workflow:
    """One workflow, from the object that n8n wrote."""
    if not isinstance(found, dict):
        raise NotAWorkflow("it is not a workflow, but some other JSON")
    file = cast("Json", found)
    listed = _nodes(file)
    nodes = tuple(_node(one) for one in listed if not _is_note(one))
    wiring = read_wiring(file.get("connections", {}), names_of(listed))
    settings = cast("Json", file["settings"]) if isinstance(file.get("settings"), dict) else None
    _check_size("its settings", settings or {})
    name = shortened(str(file.get("name") or PurePath(file_name).stem or "Workflow"), NAME_LENGTH)
    return Workflow(
        key=_key(file_name, file),
        name=name,
        description=description_of(file, nodes, [one for one in listed if _is_note(one)]),
        tags=tuple(_tags(file.get("tags"))),
        nodes=nodes,
        wires=wiring.wires,
        settings=settings,
        extra=_extra(file, listed, wiring),
        needs=needs_of(nodes),
        warnings=tuple(_warnings(file, wiring)),
    )


def _one(file_name: str, found: Any) -> Workflow | NotAWorkflow:
    try:
        return read_workflow(file_name, found)
    except NotAWorkflow as problem:
        return problem


def _nodes(file: Json) -> list[Json]:
    listed = file.get("nodes")
    if not isinstance(listed, list):
        raise NotAWorkflow("it has no nodes: it is not a workflow of n8n")
    nodes = cast("list[Any]", listed)
    if len(nodes) > MOST_NODES:
        raise NotAWorkflow(f"it has {len(nodes):,} nodes; {MOST_NODES:,} are the most", "Split the workflow.")
    for number, one in enumerate(nodes, start=1):
        _check_node(number, one)
    doing = Counter(cast("str", one["name"]) for one in nodes if not _is_note(one))
    if not doing:
        raise NotAWorkflow("it has no node that does anything")
    twice = [name for name, count in doing.items() if count > 1]
    if twice:
        raise NotAWorkflow(f"two of its nodes are called {twice[0]!r}, so that its connections are ambiguous")
    return nodes


def _check_node(number: int, node: Any) -> None:
    if not isinstance(node, dict):
        raise NotAWorkflow(f"its node {number} is not an object")
    for field in ("name", "type"):
        value = cast("Json", node).get(field)
        if not isinstance(value, str) or not value.strip() or len(value) > KEY_LENGTH:
            raise NotAWorkflow(f"its node {number} has no {field} of 1 to {KEY_LENGTH} characters")
    if not isinstance(cast("Json", node).get("parameters", {}), dict):
        raise NotAWorkflow(f"the parameters of its node {number} are not an object")


def _node(node: Json) -> Node:
    config = {key: value for key, value in node.items() if key not in {"name", "type"}}
    _check_size(f"its node {node['name']!r}", config)
    notes = node.get("notes")
    purpose = shortened(notes.strip(), TEXT_LENGTH) if isinstance(notes, str) and notes.strip() else None
    return Node(node["name"], node["type"], config, purpose, node.get("disabled") is True)


def _is_note(node: Json) -> bool:
    return node["type"] == STICKY


def _key(file_name: str, file: Json) -> str:
    """What the world calls the workflow. Every n8n counts its workflows for itself, so its own id comes first."""
    own = file.get("id")
    if not isinstance(own, str | int) or isinstance(own, bool) or not str(own).strip():
        return file_name[-KEY_LENGTH:]
    meta = file.get("meta")
    instance = cast("Json", meta).get("instanceId") if isinstance(meta, dict) else None
    key = f"{instance}:{own}" if isinstance(instance, str) and instance else str(own)
    return key[:KEY_LENGTH]


def _tags(tags: Any) -> Iterator[str]:
    if not isinstance(tags, list):
        return
    for one in cast("list[Any]", tags):
        name = cast("Json", one).get("name") if isinstance(one, dict) else one
        if isinstance(name, str) and name.strip():
            yield name.strip()[:NAME_LENGTH]


def _extra(file: Json, listed: list[Json], wiring: Wiring) -> Json:
    """What is needed to write the workflow as it came: the order of its nodes, its notes and all its other fields."""
    rest = {key: value for key, value in file.items() if key not in {*_GRAPH, *PAYLOAD}}
    if "settings" in file and not isinstance(file["settings"], dict):
        rest["settings"] = file["settings"]
    rest |= {key: {} for key in PAYLOAD if file.get(key) == {}}
    order = [one if _is_note(one) else one["name"] for one in listed]
    connections = wiring.kept if "connections" in file else None
    extra: Json = {"origin": SOURCE, "file": rest, "nodes": order, "connections": connections}
    _check_size("what it says beside its nodes", extra)
    return extra


def _check_size(what: str, value: Json) -> None:
    size = len(orjson.dumps(value).decode())
    if size > OPAQUE_LENGTH:
        raise NotAWorkflow(f"{what} has {size:,} characters; {OPAQUE_LENGTH:,} are the most", "Split the workflow.")


def _warnings(file: Json, wiring: Wiring) -> Iterator[Notice]:
    if wiring.lost_ends:
        told = "1 connection leads" if wiring.lost_ends == 1 else f"{wiring.lost_ends} connections lead"
        message = f"{told} to or from a node that is not there: kept for the export, no cable of the graph."
        yield Notice("n8n_connection_without_node", message)
    for key in PAYLOAD:
        if file.get(key):
            yield Notice("n8n_run_data_left_out", f"{key} is data of runs, not of the workflow: it is not kept.")
