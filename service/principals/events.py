"""Events about principals and keys. Only administrators see them."""

from service.access.audience import ADMINISTRATION
from service.commands import Work
from service.commands.ground import event_row


def append_event(
    work: Work,
    kind: str,
    about: str,
    about_kind: str,
    *,
    version: int,
    at: str,
    changed: list[str] | None = None,
    other: str | None = None,
) -> None:
    state = {"id": about, "version": version, "updated_at": at, "audience": ADMINISTRATION}
    by = {"principal_id": work.viewer.principal_id, "command_id": work.command_id}
    work.changes.events.append(event_row(kind, about_kind, state, **by, changed=changed or [], other=other))
