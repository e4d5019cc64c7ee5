"""`GET /v1/audits/{id}`: an export as a zip, for whoever may see it."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from service.access.errors import Unauthenticated
from service.errors import TaskloreError
from service.memory.audit.commands import AuditExports
from service.memory.reporting.http import refused

AUDITS = "/v1/audits/"


def audit_routes(exports: AuditExports) -> list[BaseRoute]:
    async def download(request: Request) -> Response:
        export_id = request.path_params["export_id"]
        try:
            if request.state.viewer is None:
                raise Unauthenticated("missing")
            archive = await exports.archive(request.state.viewer, export_id)
        except TaskloreError as error:
            return refused(error)
        headers = {"content-disposition": f'attachment; filename="{export_id}.zip"', "cache-control": "no-store"}
        return Response(archive, media_type="application/zip", headers=headers)

    return [Route(f"{AUDITS}{{export_id}}", download, methods=["GET"])]
