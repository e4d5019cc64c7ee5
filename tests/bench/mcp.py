"""Tools of the agent's door through HTTP, against the GraphQL operations that they are."""

from typing import Any

import orjson

from service.mcp import MCP_FULL
from service.mcp.tools import TOOLS
from tests.bench.client import Client, body_of
from tests.bench.measure import Timing, Work, in_turns
from tests.bench.report import Report
from tests.bench.setting import Setting

ROUNDS = 150
TIMES, MORE_MS = 1.3, 2.0
"""What a tool may take: so many times its operation, or so many milliseconds more."""

ACCEPT = b"accept: application/json, text/event-stream\r\n"
LISTED = "query ($n: Int!) { goals(first: $n) { nodes { id name createdAt concerns { nodes { name } } } } }"
ASKED: dict[str, dict[str, Any]] = {
    "search": {"text": "goal of a project"},
    "review_queue": {},
    "list_tasks": {},
    "graphql": {"query": LISTED, "variables": {"n": 20}},
}


async def measure(setting: Setting, report: Report) -> None:
    for name, given in ASKED.items():
        works = {"tool": await _called(setting, name, given), "operation": await _asked(setting, name, given)}
        _add(report, name, **await in_turns(works, rounds=ROUNDS, warm=60))


def _add(report: Report, name: str, tool: Timing, operation: Timing) -> None:
    allowed = max(TIMES * operation.p50_ms, operation.p50_ms + MORE_MS)
    note = f"p50 {tool.p50_ms:.1f} ms against {operation.p50_ms:.1f} ms by GraphQL"
    report.add(f"MCP {name}: beside its operation", tool.p50_ms / allowed, "of the most", bar=1.0, note=note)


async def _called(setting: Setting, name: str, given: dict[str, Any]) -> Work:
    client = await Client.connect(setting.port, setting.key)
    params = {"name": name, "arguments": given}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})

    async def work() -> bytes:
        return await client.post(MCP_FULL, body, "application/json", ACCEPT)

    answer = orjson.loads(await work())
    assert not answer["result"].get("isError"), answer
    return work


async def _asked(setting: Setting, name: str, given: dict[str, Any]) -> Work:
    client = await Client.connect(setting.port, setting.key)
    [tool] = [one for one in TOOLS if one.name == name]
    body = body_of(given["query"], given["variables"]) if tool.own else body_of(tool.document, given)

    async def work() -> bytes:
        return await client.ask(body)

    answer = orjson.loads(await work())
    assert "errors" not in answer, answer
    return work
