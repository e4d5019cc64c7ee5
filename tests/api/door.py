"""Ways through the agent's door: something to ask of each tool, and clients that ask it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import uuid4

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from service.mcp import MCP_FULL
from tests.api.conftest import Api

GRAPH = {"modules": [{"moduleKey": "a", "moduleType": "step.agent_task", "outputPorts": ["out"]}]}


@asynccontextmanager
async def client_of(api: Api, name: str, path: str = MCP_FULL, mode: str = "auto") -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {api.keys[name]}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{api.service.url}{path}", http_client=http), mode=mode) as client,
    ):
        yield client


async def call(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    answer: Any = result.structured_content
    assert isinstance(answer, dict)
    return cast("dict[str, Any]", answer)


def text_of(result: types.CallToolResult) -> str:
    return "\n".join(one.text for one in result.content if isinstance(one, types.TextContent))


async def _of(api: Api, query: str) -> Any:
    caller = api.caller("admin")
    async with caller.client:
        return await caller.ask(query)


async def arguments_for(api: Api) -> dict[str, dict[str, Any]]:
    """For each tool, something to ask of the sample world."""
    found = await _of(
        api,
        """{ contextPackets(first: 1) { nodes { runId moduleKey activationSeq } }
             runs(first: 1, filter: {status: {eq: completed}}) { nodes { id } }
             templates(first: 1) { nodes { id } }
             artifacts(first: 1) { nodes { id } } goals(first: 1) { nodes { id } } }""",
    )
    made = found["contextPackets"]["nodes"][0]
    run = found["runs"]["nodes"][0]["id"]
    [fresh] = await api.database.read(
        """MATCH (r:Run)-[:ACTIVATED]->(a:Activation)
           WHERE r.status IN ['running', 'waiting'] AND NOT EXISTS { MATCH (r)-[:HAS_SCOPE]->() }
           RETURN r.id AS run, a.module_key AS module, a.activation_seq AS activation ORDER BY a.id LIMIT 1"""
    )
    module = {"run": made["runId"], "module": made["moduleKey"], "activation": made["activationSeq"]}
    phrase = {"operation": "add_to_list", "field": "trigger_phrases", "value": [f"agent's door {uuid4().hex}"]}
    return {
        "find_template": {"request": "Draft an answer to the Marex complaint"},
        "route_request": {"request": "Every Monday, check the docket and send me what is new"},
        "get_context": dict(fresh),
        "why": {**module, "record": found["goals"]["nodes"][0]["id"]},
        "inspect_run": {"run": run},
        "lineage": {"record": found["artifacts"]["nodes"][0]["id"]},
        "search": {"text": "Marex"},
        "prompt_check": {"text": "Summarise the complaint."},
        "report": {"events": [{"kind": "run_started"}]},
        "get_output": {"run": run},
        "list_tasks": {},
        "give_feedback": {**module, "target_kind": "context_packet", "verdict": "helpful"},
        "known_tools": {"request": "read a docket"},
        "look_up": {"text": "review", "module": "step.judge", "decision": "iteration"},
        "preflight": {"of": found["templates"]["nodes"][0]["id"], "graph": GRAPH},
        "design_task": {"request": "Every Friday, review what came in and write a memo"},
        "propose_change": {
            "kind": "template_semantic_card_update",
            "target": found["templates"]["nodes"][0]["id"],
            "steps": [phrase],
            "rationale": "People call it so.",
        },
        "review_queue": {},
        "attention_inbox": {},
        "graphql": {"query": "query ($n: Int!) { goals(first: $n) { nodes { name } } }", "variables": {"n": 1}},
    }
