"""The log as somebody reads it: page by page, and as it grows.

What comes is pulled from the log by number whenever its head moves. Nothing is buffered but one page.
"""

import time
from collections.abc import AsyncGenerator, Sequence

from service.events.cursor import Cursors
from service.events.errors import EventPageInvalid, SubscriberTooSlow
from service.events.head import Head
from service.events.read import Choice, Range, RecordEvent, RecordEventConnection, ViewerNow, read_range, start
from service.graph.database import Database

LARGEST_PAGE = 1000
PAGE = 100
SLOW_AFTER_S = 30.0

# No event is handed out on the word of a look at the firewall that is older than this, and a dead key ends an idle
# subscription within it.
FRESH_S = 1.0


class Events:
    def __init__(self, database: Database, head: Head) -> None:
        self._database = database
        self._head = head

    async def page(
        self,
        viewer_now: ViewerNow,
        *,
        after: str | None = None,
        kinds: Sequence[str] = (),
        about: str | None = None,
        first: int = 100,
        most: int = LARGEST_PAGE,
    ) -> RecordEventConnection:
        """The first events after a cursor, or the oldest that are kept, in the order of their numbers."""
        if not 1 <= first <= most:
            raise EventPageInvalid(first, most)
        choice = Choice(tuple(kinds), about)
        choice.check()
        cursors, seq = await start(self._database, self._head, after)
        upto = self._head.seq
        # Resolved after the head was looked at: an audience that is new to the graph is then known to the viewer.
        viewer = await viewer_now()
        wanted = Range(seq, upto, first + 1, from_oldest=after is None)
        found = await read_range(self._database, cursors, viewer, choice, wanted)
        return RecordEventConnection(
            nodes=tuple(event for _, event in found[:first]),
            head=cursors.of_head(upto),
            after=after,
            has_next=len(found) > first,
        )

    async def follow(
        self,
        viewer_now: ViewerNow,
        *,
        after: str | None = None,
        kinds: Sequence[str] = (),
        about: str | None = None,
        slow_after_s: float = SLOW_AFTER_S,
    ) -> AsyncGenerator[RecordEvent]:
        """Every event after a cursor, or from now on, that the subscriber may see: once, in order, without end."""
        choice = Choice(tuple(kinds), about)
        choice.check()
        cursors, seq = await start(self._database, self._head, after)
        place = _Place(cursors, self._head.seq if after is None else seq, slow_after_s)
        while True:
            upto = self._head.seq
            viewer = await viewer_now()
            page = (
                await read_range(self._database, cursors, viewer, choice, Range(place.seq, upto, PAGE))
                if upto > place.seq
                else []
            )
            fresh_until = time.monotonic() + FRESH_S
            for number, event in page:
                if time.monotonic() > fresh_until:
                    break
                place.hand_out(number)
                yield event
                place.taken()
            else:
                place.went_through(page, upto)
            await self._head.wait_beyond(place.seq, FRESH_S)


class _Place:
    """How far one subscriber has come, and whether it lets events wait for too long."""

    def __init__(self, cursors: Cursors, seq: int, slow_after_s: float) -> None:
        self.seq = seq
        self._cursors = cursors
        self._slow_after_s = slow_after_s
        self._handed_out_at = 0.0
        self._overdue = False

    def hand_out(self, seq: int) -> None:
        """This event is next. If the one before was taken too late, this one had to wait for it."""
        if self._overdue:
            raise SubscriberTooSlow(self._slow_after_s, self._cursors.of(self.seq))
        self.seq = seq
        self._handed_out_at = time.monotonic()

    def taken(self) -> None:
        self._overdue = time.monotonic() - self._handed_out_at > self._slow_after_s

    def went_through(self, page: Sequence[object], upto: int) -> None:
        """All of a page was taken. One that is not full reaches up to the number that was asked for."""
        if len(page) < PAGE:
            self.seq = upto
        if not page:
            self._overdue = False
