"""The event log: what happened to the records, numbered after it was committed, read by cursor and as a stream."""

from service.events.errors import CursorExpired, CursorInvalid, SubscriberTooSlow
from service.events.head import Head
from service.events.numberer import Numberer
from service.events.read import EventPage, RecordEvent, ViewerNow, events
from service.events.retention import Expired, expire, keep_retention
from service.events.stream import follow

__all__ = [
    "CursorExpired",
    "CursorInvalid",
    "EventPage",
    "Expired",
    "Head",
    "Numberer",
    "RecordEvent",
    "SubscriberTooSlow",
    "ViewerNow",
    "events",
    "expire",
    "follow",
    "keep_retention",
]
