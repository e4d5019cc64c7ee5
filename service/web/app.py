"""The application: a runtime for its lifetime, the operator's routes, and the routes that the composer brings."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from service.mcp import mcp_routes
from service.observe import Metrics
from service.observe.compression import Compressed
from service.principals.pages import sign_in_routes
from service.runtime.compose import routes
from service.runtime.runtime import Runtime
from service.sharing.opening import SharedDoor
from service.web.documents import document_routes
from service.web.explorer import explorer_routes
from service.web.guard import Guard
from service.web.middleware import Observed
from service.web.operator import operator_routes
from service.web.pages import page_routes
from service.web.pages.engine.assets import Assets
from service.web.pages.shared.routes import shared_routes
from service.web.start_page import start_page_routes

Opening = Callable[[Metrics], AbstractAsyncContextManager[Runtime]]
RoutesOf = Callable[[Runtime], Sequence[BaseRoute]]


class _Application(Starlette):
    """Observed from the outermost layer, so that the answer to an unexpected error has its request id too."""

    metrics: Metrics

    def build_middleware_stack(self) -> ASGIApp:
        guarded = Guard(super().build_middleware_stack(), lambda: self.state.runtime.access)
        return Observed(Compressed(guarded), self.metrics)


def create_app(opening: Opening, routes_of: RoutesOf) -> Starlette:
    """`opening` gives the runtime, which stays open for the lifespan; `routes_of` the API's routes on it."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with opening(metrics) as runtime, mcp_routes(api := routes_of(runtime)) as agents_door:
            app.state.runtime = runtime
            app.router.routes[:] = [
                *api,
                *agents_door,
                *routes(runtime.services, runtime.access.turns),
                *sign_in_routes(runtime.principals, runtime.access.log),
                *operator_routes(runtime),
                *start_page_routes(runtime),
                *document_routes(explorer=runtime.settings.explorer),
                *shared_routes(runtime.services[SharedDoor], Assets(runtime.web_files)),
                *page_routes(api, runtime.web_files, explorer=runtime.settings.explorer),
                *(explorer_routes(runtime.web_files) if runtime.settings.explorer else ()),
            ]
            yield

    app = _Application(lifespan=lifespan)
    app.metrics = metrics
    return app
