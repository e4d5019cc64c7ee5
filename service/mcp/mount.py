"""The servers on the service's own address: few tools at /mcp, all of them at /mcp/full."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from resolvers.engine.http import GraphQLApp
from service.mcp.server import Ask, make_server
from service.mcp.tools import TOOLS

MCP = "/mcp"
MCP_FULL = "/mcp/full"
_READS = (OperationType.QUERY,)
_ANY = (OperationType.QUERY, OperationType.MUTATION)


@asynccontextmanager
async def mcp_routes(api: Sequence[BaseRoute]) -> AsyncGenerator[list[BaseRoute]]:
    """Their routes, beside those of the API that they ask. The guard in front of all has checked host and key."""
    [graphql] = [one.endpoint for one in api if isinstance(one, Route) and isinstance(one.endpoint, GraphQLApp)]
    core = [one for one in TOOLS if one.core]
    async with AsyncExitStack() as stack:
        routes: list[BaseRoute] = []
        for path, tools in ((MCP, core), (MCP_FULL, TOOLS)):
            server = make_server(tools, graphql.schema.core_schema, _asking(graphql), version("tasklore"))
            manager = StreamableHTTPSessionManager(
                server,
                json_response=True,
                stateless=True,
                security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            )
            await stack.enter_async_context(_running(manager))
            # Nothing is streamed: every answer belongs to a request.
            routes.append(Route(path, StreamableHTTPASGIApp(manager), methods=["POST"]))
        yield routes


@asynccontextmanager
async def _running(manager: StreamableHTTPSessionManager) -> AsyncGenerator[None]:
    """In a task of its own: what the manager opens must be closed by the task that opened it."""
    opened, ended = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with manager.run():
            opened.set()
            await ended.wait()

    held = asyncio.create_task(hold())
    try:
        await opened.wait()
        yield
    finally:
        ended.set()
        await held


def _asking(graphql: GraphQLApp) -> Ask:
    async def ask(
        request: HTTPConnection, document: str, variables: dict[str, Any], *, reads: bool, bookmark: Any
    ) -> ExecutionResult:
        return await graphql.asked(request, document, variables, _READS if reads else _ANY, bookmark)

    return ask
