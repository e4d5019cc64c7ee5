"""`tasklore mcp`: the same server for clients that start a program and talk to it by standard input and output.

It has nothing of its own: what the client asks is handed to a running service, with the key that it was started with.
"""

from typing import Any

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

SECONDS = 120


async def run_stdio(url: str, key: str) -> None:
    headers = {"authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=SECONDS) as http,
        Client(streamable_http_client(url, http_client=http)) as service,
        stdio_server() as (read, write),
    ):
        server = _handing_on(service)
        await server.run(read, write, server.create_initialization_options())


def _handing_on(service: Client) -> Server[Any]:
    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return await service.list_tools()

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await service.call_tool(params.name, params.arguments or {}, meta=params.meta)

    async def list_resources(_context: Any, _params: Any) -> types.ListResourcesResult:
        return await service.list_resources()

    async def list_templates(_context: Any, _params: Any) -> types.ListResourceTemplatesResult:
        return await service.list_resource_templates()

    async def read_resource(_context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await service.read_resource(str(params.uri), meta=params.meta)

    async def list_prompts(_context: Any, _params: Any) -> types.ListPromptsResult:
        return await service.list_prompts()

    async def get_prompt(_context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await service.get_prompt(params.name, params.arguments)

    told = service.server_info
    return Server(
        "tasklore",
        version=told.version if told else "",
        title="Tasklore",
        instructions=service.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
