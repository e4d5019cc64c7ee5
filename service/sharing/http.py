"""`GET /v1/shares/{secret}`: what a share tells, for whoever has its link."""

import math

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.errors import TaskloreError
from service.memory.reporting.http import refused
from service.sharing.errors import ShareRateLimited
from service.sharing.manifest import SharedManifest
from service.sharing.opening import Look, Reader, SharedDoor

SHARES = "/v1/shares/"
UNLISTED = {"x-robots-tag": "noindex, nofollow, noarchive"}
"""A link that somebody put on a page is in no search engine."""


def share_routes(door: SharedDoor) -> list[BaseRoute]:
    async def show(request: Request) -> Response:
        try:
            manifest = await opened(door, request)
        except TaskloreError as error:
            return _refused(error)
        return Response(orjson.dumps(manifest.as_json()), headers=UNLISTED, media_type="application/json")

    return [Route(f"{SHARES}{{secret}}", show, methods=["GET"])]


async def opened(door: SharedDoor, request: Request) -> SharedManifest:
    """What the link in the path tells to whoever asks, of what they look at."""
    reader = Reader(request.client.host if request.client else "", request.state.viewer)
    look = Look(request.query_params.get("section"), request.query_params.get("record"))
    return await door.open(request.path_params["secret"], reader, look)


def _refused(error: TaskloreError) -> Response:
    answer = refused(error)
    answer.headers.update(UNLISTED)
    if isinstance(error, ShareRateLimited):
        answer.headers["retry-after"] = str(math.ceil(error.seconds))
    return answer
