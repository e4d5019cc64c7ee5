"""Events about principals and keys. Only administrators see them."""

from service.access.audience import ADMINISTRATION
from service.commands import Work
from service.ids import new_id


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
    work.changes.events.append(
        {
            "event_id": new_id("evt"),
            "kind": kind,
            "at": at,
            "about": about,
            "about_kind": about_kind,
            "about_version": version,
            "audience": ADMINISTRATION,
            "principal_id": work.viewer.principal_id,
            "command_id": work.command_id,
            "changed": changed or [],
            "other": other,
        }
    )
