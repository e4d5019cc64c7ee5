"""Sessions while a report is taken: found or begun, and what its events make of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from graph_schema.attention.events import AttentionSession
from graph_schema.model.fields import LIST_LENGTH, NAME_LENGTH, DataClass
from service.access.audience import Access
from service.access.viewer import Viewer
from service.attention.errors import InboxReserved, SessionAccessDiffers, SessionUnknown
from service.attention.inbox.session import INBOX
from service.attention.reporting.events import HeardEvent
from service.commands.validation import validated
from service.ids import new_id
from service.records import rules

Values = dict[str, Any]
Handle = tuple[str, ...]
"""A session: by its id, or by owner, source and key."""


def handle_of(event: HeardEvent, reporter: str) -> Handle:
    named = event.values["session"]
    if "id" in named:
        return (named["id"],)
    return (event.values.get("user", reporter), named["source"], named["key"])


@dataclass(slots=True)
class SessionState:
    """A session as it will be. `rows` are its new events."""

    values: Values
    is_new: bool
    rows: list[Values] = field(default_factory=list[Values])
    kinds: set[str] = field(default_factory=set[str])

    @property
    def id(self) -> str:
        return self.values["id"]

    @property
    def access(self) -> Access:
        return Access.of(self.values)

    @property
    def owner(self) -> str:
        return self.values["owner_id"]

    def check(self, viewer: Viewer, event: HeardEvent) -> None:
        """The reporter sees the session, and says nothing else of who may. An inbox is the service's own."""
        if (self.values["session_source"], self.values["session_key"]) == INBOX:
            raise InboxReserved
        if not viewer.may_see(self.access):
            raise SessionUnknown(event.values["session"].get("key") or self.id)
        if event.values.get("user", self.owner) != self.owner:
            raise SessionUnknown(event.values["session"].get("key") or self.id)
        own = Access.own(self.values)
        if event.values.get("data_class", own.data_class) != own.data_class:
            raise SessionAccessDiffers("data_class")
        if sorted(event.values.get("matter_ids", own.matter_ids)) != sorted(own.matter_ids):
            raise SessionAccessDiffers("matter_ids")

    def take(self, event: HeardEvent, access: Access, viewer: Viewer, at: str) -> Values:
        """The event as a record."""
        values, said = self.values, event.values
        occurred = said["occurred_at"]
        values["seq"] += 1
        values["started_at"] = min(values["started_at"], occurred)
        values["last_event_at"] = max(values["last_event_at"], occurred)
        values["components"] = sorted({*values["components"], said["component"]})[:LIST_LENGTH]
        values["due_at"] = at
        if said.get("ends_session"):
            values["ended_at"] = max(values.get("ended_at", ""), occurred)
        row = {
            **_SHARED,
            "id": new_id("agev"),
            "name": f"{said['event_type']}: {said['component']}"[:NAME_LENGTH],
            "created_at": at,
            "updated_at": at,
            **access.values(),
            **Access().as_own(),
            "session_id": self.id,
            "event_id": said["event_id"],
            "event_type": said["event_type"],
            "occurred_at": occurred,
            "component": said["component"],
            "payload": orjson.dumps(event.payload).decode(),
            "ends_session": said.get("ends_session", False),
            "reported_by": viewer.principal_id,
            "seq": values["seq"],
            "hash": event.hash,
        }
        self.rows.append(row)
        self.kinds.add(said["event_type"])
        return row


_SHARED: Mapping[str, Any] = {
    "lifecycle_state": "active",
    "legal_hold": False,
    "stub": False,
    "version": 1,
    "schema_version": 1,
}


def begun(event: HeardEvent, handle: Handle, viewer: Viewer, at: str) -> SessionState:
    """A session of which this is the first event."""
    if len(handle) == 1:
        raise SessionUnknown(handle[0])
    owner, source, key = handle
    access = _own_access(event, viewer)
    occurred = event.values["occurred_at"]
    values = validated(
        AttentionSession,
        {
            "id": new_id("atse"),
            "name": f"{key}"[:NAME_LENGTH],
            "created_at": at,
            "updated_at": at,
            **access.values(),
            **access.as_own(),
            "owner_id": owner,
            "session_source": source,
            "session_key": key,
            "started_at": occurred,
            "last_event_at": occurred,
        },
    )
    return SessionState(values, is_new=True)


def _own_access(event: HeardEvent, viewer: Viewer) -> Access:
    """What the event says, else what the key does, else internal and of no matter."""
    defaults = viewer.defaults
    data_class = event.values.get("data_class") or defaults.data_class or DataClass.internal
    matters = event.values.get("matter_ids", defaults.matter_ids or ())
    rules.check_access(viewer, {"data_class": DataClass(data_class).value, "matter_ids": [*matters]})
    return Access(DataClass(data_class), frozenset(matters))
