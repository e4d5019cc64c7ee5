"""Reads an export of n8n. Nothing is guessed: what is not understood is kept as it is, or named as the problem."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import orjson

from graph_schema.model.fields import KEY_LENGTH, NAME_LENGTH, OPAQUE_LENGTH, TEXT_LENGTH
from service.library.n8n.describe import description_of, name_of, shortened, steps_of
from service.library.n8n.needs import handed_on, needs_of
from service.library.n8n.wiring import Wiring, names_of, read_wiring
from service.library.n8n.workflow import MOST_BYTES, MOST_NODES, SOURCE, STICKY, Json, Node, NotAWorkflow, Workflow
from service.notices import Notice

PAYLOAD = ("pinData", "staticData")
"""What a workflow was fed with or has kept from its runs. It may be anybody's mail, and is no part of its design."""

_GRAPH = ("nodes", "connections", "settings")


def read_file(content: bytes | str) -> list[Workflow | NotAWorkflow]:
    """The workflows of a file, or what is wrong with each. A list of workflows is what n8n writes for all at once."""
    if len(content) > MOST_BYTES:
        return [NotAWorkflow(f"it has {len(content):,} bytes; {MOST_BYTES:,} are the most", "Split the workflow.")]
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        return [NotAWorkflow(f"it is not JSON: {error}")]
    if isinstance(found, list) and found:
        several = cast("list[Any]", found)
        return [_one(one) for one in several]
    return [_one(found)]


def read_workflow(found: Any) -> Workflow:
    """One workflow, from the object that n8n wrote."""
    if not isinstance(found, dict):
        raise NotAWorkflow("it is not a workflow, but some other JSON")
    file = cast("Json", found)
    listed = _nodes(file)
    keys = _keys(listed, file.get("connections"))
    nodes = tuple(_node(one, key) for one, key in zip(listed, keys, strict=True) if not _is_note(one))
    wiring = read_wiring(file.get("connections", {}), names_of(listed))
    settings = cast("Json", file["settings"]) if isinstance(file.get("settings"), dict) else None
    _check_size("its settings", settings or {})
    needs = needs_of(nodes)
    return Workflow(
        key=_key(file),
        name=name_of(file.get("name"), nodes, needs),
        description=description_of(file, nodes, [one for one in listed if _is_note(one)]),
        tags=tuple(_tags(file.get("tags"))),
        nodes=nodes,
        wires=wiring.wires,
        settings=settings,
        extra=_extra(file, listed, keys, wiring),
        needs=needs,
        handed_on=handed_on(nodes),
        steps=steps_of(nodes),
        warnings=tuple(_warnings(file, wiring)),
    )


def _one(found: Any) -> Workflow | NotAWorkflow:
    try:
        return read_workflow(found)
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
    if all(_is_note(one) for one in nodes):
        raise NotAWorkflow("it has no node that does anything")
    return nodes


def _keys(nodes: list[Json], connections: Any) -> list[str]:
    """What the graph calls each node. Of several with one name the later ones are numbered, if nothing leads to any."""
    doing = Counter(cast("str", one["name"]) for one in nodes if not _is_note(one))
    twice = {name for name, count in doing.items() if count > 1}
    connected = _connected(connections) if twice else frozenset[str]()
    for name in sorted(twice & connected):
        raise NotAWorkflow(f"two of its nodes are called {name!r}, so that its connections are ambiguous")
    taken, keys = {*doing} - twice, list[str]()
    for one in nodes:
        key, number = one["name"], 1
        while key in taken and not _is_note(one) and one["name"] in twice:
            number += 1
            key = f"{one['name'][: KEY_LENGTH - 10]} ({number})"
        taken |= {key} if not _is_note(one) else set()
        keys.append(key)
    return keys


def _connected(connections: Any) -> frozenset[str]:
    """Names of nodes that connections leave or enter."""
    wiring = read_wiring(connections or {}, {})
    return wiring.lost


def _check_node(number: int, node: Any) -> None:
    if not isinstance(node, dict):
        raise NotAWorkflow(f"its node {number} is not an object")
    for field in ("name", "type"):
        value = cast("Json", node).get(field)
        if not isinstance(value, str) or not value.strip() or len(value) > KEY_LENGTH:
            raise NotAWorkflow(f"its node {number} has no {field} of 1 to {KEY_LENGTH} characters")
    if not isinstance(cast("Json", node).get("parameters", {}), dict):
        raise NotAWorkflow(f"the parameters of its node {number} are not an object")


def _node(node: Json, key: str) -> Node:
    config = {key: value for key, value in node.items() if key not in {"name", "type"}}
    _check_size(f"its node {node['name']!r}", config)
    notes = node.get("notes")
    purpose = shortened(notes.strip(), TEXT_LENGTH) if isinstance(notes, str) and notes.strip() else None
    return Node(key, node["type"], config, purpose, node.get("disabled") is True)


def _is_note(node: Json) -> bool:
    return node["type"] == STICKY


def _key(file: Json) -> str:
    """What the world calls the workflow: its id, with that of its n8n, for each counts for itself; else its content.

    Never where the file lies: the same workflow in another folder is the same.
    """
    own = file.get("id")
    if not isinstance(own, str | int) or isinstance(own, bool) or not str(own).strip():
        return f"content:{_content_hash(file)}"
    meta = file.get("meta")
    instance = cast("Json", meta).get("instanceId") if isinstance(meta, dict) else None
    key = f"{instance}:{own}" if isinstance(instance, str) and instance else str(own)
    return key[:KEY_LENGTH]


def _content_hash(file: Json) -> str:
    """What the workflow does, wherever its nodes stand on the canvas and in whichever order they are listed."""
    nodes = [{key: one.get(key) for key in ("name", "type", "parameters", "disabled")} for one in file["nodes"]]
    content = [sorted(_text(one) for one in nodes), _text(file.get("connections") or {})]
    return hashlib.sha256(orjson.dumps(content)).hexdigest()[:40]


def _text(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _tags(tags: Any) -> Iterator[str]:
    if not isinstance(tags, list):
        return
    for one in cast("list[Any]", tags):
        name = cast("Json", one).get("name") if isinstance(one, dict) else one
        if isinstance(name, str) and name.strip():
            yield name.strip()[:NAME_LENGTH]


def _extra(file: Json, listed: list[Json], keys: list[str], wiring: Wiring) -> Json:
    """What is needed to write the workflow as it came: the order of its nodes, its notes and all its other fields."""
    rest = {key: value for key, value in file.items() if key not in {*_GRAPH, *PAYLOAD}}
    if "settings" in file and not isinstance(file["settings"], dict):
        rest["settings"] = file["settings"]
    rest |= {key: {} for key in PAYLOAD if file.get(key) == {}}
    order = [one if _is_note(one) else _listed(one["name"], key) for one, key in zip(listed, keys, strict=True)]
    connections = wiring.kept if "connections" in file else None
    extra: Json = {"origin": SOURCE, "file": rest, "nodes": order, "connections": connections}
    _check_size("what it says beside its nodes", extra)
    return extra


def _listed(name: str, key: str) -> Any:
    """A node in the order of nodes: by its name, where that is what the graph calls it."""
    return name if name == key else {"key": key, "name": name}


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
