"""The event log: what happened to the records, numbered after it was committed, read by cursor and as a stream."""

from service.events.errors import CursorExpired, CursorInvalid, SubscriberTooSlow
from service.events.head import Head
from service.events.log import Events
from service.events.numberer import Numberer
from service.events.read import RecordEvent, RecordEventConnection, ViewerNow
from service.events.retention import Expired, expire, keep_retention

__all__ = [
    "CursorExpired",
    "CursorInvalid",
    "Events",
    "Expired",
    "Head",
    "Numberer",
    "RecordEvent",
    "RecordEventConnection",
    "SubscriberTooSlow",
    "ViewerNow",
    "expire",
    "keep_retention",
]
