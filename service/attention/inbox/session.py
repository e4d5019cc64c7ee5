"""The session of what waits for a user beside all others. The service keeps it itself; each user has one."""

from typing import Any

from graph_schema.model.fields import DataClass
from service.access.audience import Access
from service.attention.inbox import cypher
from service.attention.pipeline.facts import WAITING_ON
from service.commands import State, Work

INBOX = ("tasklore", "inbox")
"""What it is called. Nobody reports events of it."""

INBOX_ACCESS = Access(DataClass.internal)
"""Its own. What is decided in it is as closed as what waits."""


async def inbox_of(work: Work) -> State:
    """That of whoever asks, locked, and begun where there is none yet."""
    source, key = INBOX
    kind = work.registry.types["AttentionSession"]
    row = await work.transaction.one(cypher.INBOX, owner=work.viewer.principal_id, source=source, key=key)
    if row is not None:
        return State(kind, tuple(row["labels"]), row["properties"])
    values: dict[str, Any] = {
        "name": "Inbox",
        "data_class": INBOX_ACCESS.data_class.value,
        "owner_id": work.viewer.principal_id,
        "session_source": source,
        "session_key": key,
        "started_at": work.at,
        "last_event_at": work.at,
        "components": [*WAITING_ON],
    }
    return work.create(kind, values)
