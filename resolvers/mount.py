"""The API on a running service: its endpoint."""

from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route, WebSocketRoute
from strawberry.types import ExecutionResult

from resolvers.engine.context import Context
from resolvers.engine.http import GraphQLApp
from resolvers.engine.limits import Limits
from resolvers.schema import build_schema
from service import collector
from service.access.viewer import Viewer
from service.observe import current_request_id
from service.runtime.runtime import Runtime
from service.settings import Settings

GRAPHQL = "/graphql"
REHEARSAL = """query ($text: String!) {
  matchTemplates(request: {text: $text}) { outcome confidence recommended { name } losers { message } }
  runs(first: 1) { nodes { id name activated(first: 1) { nodes { id } } } }
}"""
RUN_REHEARSAL = """query ($id: ID!) { run(id: $id) {
  header { title } lens { evidence { layers } } steps { total } timeline { endsAt } prompts { evidence { layers } }
} }"""


def api_routes(runtime: Runtime) -> list[BaseRoute]:
    async def context_for(connection: HTTPConnection) -> Context:
        return Context(
            viewer=connection.state.viewer,
            database=runtime.database,
            request_id=current_request_id() or "",
            services=runtime.services,
            # A WebSocket brings its key after it was opened: asked when it is needed, not before.
            renew=lambda anew: connection.state.current_viewer(anew=anew),
            lasting=connection.scope["type"] == "websocket",
            turns=runtime.access.turns,
            streams=runtime.access.streams,
            awaited=getattr(connection.state, "awaited", None),
        )

    settings = runtime.settings
    with collector.paused():
        schema = build_schema(limits=limits_of(settings), introspection=settings.introspection)
    api = GraphQLApp(schema, context_for, allowed_origins=settings.allowed_origins)
    return [Route(GRAPHQL, api), WebSocketRoute(GRAPHQL, api)]


async def rehearse(app: Starlette, viewer: Viewer) -> None:
    """Ask as somebody would. What comes of it is of no interest: an error is told to whoever asks in earnest."""
    [api] = [one.endpoint for one in app.routes if isinstance(one, Route) and isinstance(one.endpoint, GraphQLApp)]
    runtime: Runtime = app.state.runtime
    context = Context(viewer=viewer, database=runtime.database, request_id="", services=runtime.services)
    asked = await api.schema.answer(REHEARSAL, {"text": "Draft an answer"}, context, None, None)
    for run in asked.data["runs"]["nodes"] if isinstance(asked, ExecutionResult) and asked.data else ():
        await api.schema.answer(RUN_REHEARSAL, {"id": run["id"]}, context, None, None)


def limits_of(settings: Settings) -> Limits:
    return Limits(
        depth=settings.max_depth,
        aliases=settings.max_aliases,
        tokens=settings.max_tokens,
        page_size=settings.max_page_size,
        cost=settings.max_cost,
    )
