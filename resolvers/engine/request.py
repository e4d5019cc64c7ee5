"""What written fields share: the viewer they act for, and the services that do the work."""

from typing import TypeVar

from resolvers.engine.loading import RecordInfo
from service.access.errors import Unauthenticated
from service.access.viewer import Viewer
from service.commands import Outcome

T = TypeVar("T")


def viewer_of(info: RecordInfo) -> Viewer:
    if info.context.viewer is None:
        raise Unauthenticated("no key")
    return info.context.viewer


def service_of(info: RecordInfo, kind: type[T]) -> T:
    """The one door from a field to what does its work."""
    return info.context.services[kind]


async def settle(info: RecordInfo, outcome: Outcome) -> Outcome:
    """After a command: what it made must be visible to the rest of the document, if it is to the viewer."""
    if outcome.new_audiences and info.context.renew is not None:
        info.context.viewer = await info.context.renew(frozenset())
    return outcome
