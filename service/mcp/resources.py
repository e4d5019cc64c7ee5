"""Records that a client can attach by address: a run, a template, a packet."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types
from strawberry.types import ExecutionResult

from service.mcp.errors import ResourceRefused, UnknownResource
from service.mcp.output import compact

RUN = """query ($id: ID!) { run(id: $id) { id
  header { title status startedAt completedAt costUsd lines } status { oneLineStatus nextWorkSummary }
  deliverables { finalOutputs { artifactId name summary storageRef } deliveries { status artifactName deliveredTo } }
  anomalies { items { code message } } } }"""
TEMPLATE = """query ($id: ID!) { node(id: $id) { ... on Template { id name summary version lifecycle
  requires { nodes { name } } hasBlueprint { nodes { name hasStep { nodes { name } } } } } } }"""
PACKET = """query ($id: ID!) { contextPacket(id: $id) { id moduleKey activationSeq explanation markdown
  warnings { code message } } }"""

DOCUMENTS: Mapping[str, tuple[str, str]] = {
    "runs": (RUN, "A run: status, outputs, deliveries, problems"),
    "templates": (TEMPLATE, "A template with its steps and what it needs"),
    "packets": (PACKET, "The context that a module was given"),
}
TEMPLATES = [
    types.ResourceTemplate(name=kind, uri_template=f"tasklore://{kind}/{{id}}", description=words)
    for kind, (_, words) in DOCUMENTS.items()
]
_URI = re.compile(r"tasklore://(\w+)/([a-z]+_\w+)")

Asker = Callable[[str, dict[str, Any], bool], Awaitable[ExecutionResult]]


async def document_for(uri: str, ask: Asker) -> Any:
    found = _URI.fullmatch(uri)
    if found is None or found[1] not in DOCUMENTS:
        raise UnknownResource(uri)
    result = await ask(DOCUMENTS[found[1]][0], {"id": found[2]}, True)
    for error in result.errors or ():
        told = error.extensions or {}
        if (code := told.get("code", "error")) != UnknownResource.code:
            raise ResourceRefused(error.message, code, told.get("remedy"))
    value = next(iter((result.data or {}).values()), None)
    if not value:
        raise UnknownResource(uri)
    return compact(value)
