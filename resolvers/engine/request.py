"""What written fields share: the viewer they act for, and the services that do the work."""

from resolvers.engine.loading import RecordInfo
from resolvers.services import Services
from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.commands import Outcome


def viewer_of(info: RecordInfo) -> Viewer:
    if info.context.viewer is None:
        raise Unauthenticated("no key")
    return info.context.viewer


def services_of(info: RecordInfo) -> Services:
    return info.context.services


async def settle(info: RecordInfo, outcome: Outcome) -> Outcome:
    """After a command: what it made must be visible to the rest of the document, if it is to the viewer."""
    if outcome.new_audiences and info.context.renew is not None:
        info.context.viewer = await info.context.renew()
    return outcome
