"""What monitoring asks: is the process alive, can it do its work, what are its figures."""

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.observe.metrics import CONTENT_TYPE
from service.runtime.runtime import Runtime

NOT_CACHED = {"cache-control": "no-store"}
OK = 200
UNAVAILABLE = 503


def operator_routes(runtime: Runtime) -> list[Route]:
    async def live(_request: Request) -> Response:
        return _json({"status": "alive"}, OK)

    async def ready(_request: Request) -> Response:
        report = await runtime.health.report()
        return _json(report.as_json(), OK if report.ready else UNAVAILABLE)

    async def metrics(_request: Request) -> Response:
        return Response(runtime.metrics.exposition(), headers={**NOT_CACHED, "content-type": CONTENT_TYPE})

    return [Route("/health/live", live), Route("/health/ready", ready), Route("/metrics", metrics)]


def _json(content: object, status: int) -> Response:
    return Response(orjson.dumps(content), status, NOT_CACHED, "application/json")
