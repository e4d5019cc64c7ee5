"""What every writer writes alike, commands and reports: a record that is only named so far, and an event."""

from collections.abc import Mapping
from typing import Any

from service.ids import new_id

Values = dict[str, Any]


def begun(record_id: str, name: str, at: str) -> Values:
    """A record of which nothing is known yet but what it is called. Its access comes with what names it."""
    return {
        "id": record_id,
        "name": name[:200],
        "stub": True,
        "lifecycle_state": "active",
        "legal_hold": False,
        "created_at": at,
        "updated_at": at,
        "version": 1,
        "schema_version": 1,
    }


def event_row(kind: str, label: str, about: Mapping[str, Any], **more: Any) -> Values:
    """An event about a record, as it stands after the change, for those who may see the record."""
    return {
        "event_id": new_id("evt"),
        "kind": kind,
        "at": about["updated_at"],
        "about": about["id"],
        "about_kind": label,
        "about_version": about["version"],
        "audience": about["audience"],
        "changed": [],
        "other": None,
        **more,
    }
