"""Subscribers that come back wherever they were cut off, and must in the end have had each event once, in order."""

import asyncio
from collections.abc import Iterator, Sequence, Set
from contextlib import aclosing
from itertools import cycle

from websockets.exceptions import WebSocketException

from tests.api.sockets import subscribed
from tests.chaos.caller import LATER
from tests.chaos.luck import Luck

FOLLOW = "subscription ($after: String) { events(after: $after) { cursor eventId about } }"
LEAVES = 0.002
"""How likely a subscriber is to leave after an event, and to come back."""


class Follower:
    def __init__(self, name: str, urls: Sequence[str], key: str, cursor: str, luck: Luck) -> None:
        self.name = name
        self.seen: list[str] = []
        self.about: dict[str, str] = {}
        self.came_back = 0
        self.refused: list[str] = []
        self._urls = cycle(luck.sample(urls, len(urls)))
        self._key = key
        self._cursor = cursor
        self._luck = luck

    async def follow(self) -> None:
        """Without end."""
        while True:
            try:
                await self._listen(next(self._urls))
            except (OSError, WebSocketException, TimeoutError):
                pass
            except AssertionError as error:  # what the service said instead of events
                self.refused.append(str(error))
            self.came_back += 1
            await asyncio.sleep(0.2)

    async def _listen(self, url: str) -> None:
        async with aclosing(subscribed(url, self._key, FOLLOW, after=self._cursor)) as payloads:
            async for payload in payloads:
                if not payload.get("data"):
                    self.refused.append(str(payload.get("errors")))
                    return
                event = payload["data"]["events"]
                self.seen.append(event["eventId"])
                self.about[event["eventId"]] = event["about"]
                self._cursor = event["cursor"]
                if self._luck.random() < LEAVES:
                    return

    def refusals(self) -> Iterator[str]:
        """What it was told instead of events, and no fault excuses."""
        for text in dict.fromkeys(self.refused):
            if not any(code in text for code in LATER):
                yield f"subscriber {self.name} was told {text[:300]}"

    def held_against(self, expected: Sequence[str], erased: Set[str]) -> Iterator[str]:
        """`erased`: records whose events went with them, some before they could be heard."""
        seen = [one for one in self.seen if self.about[one] not in erased]
        if seen == [*expected]:
            return
        missing = len({*expected} - {*seen})
        double = len(seen) - len({*seen})
        other = len({*seen} - {*expected})
        yield (
            f"subscriber {self.name} had {len(seen)} events instead of {len(expected)}: "
            f"{missing} are missing, {double} came twice, {other} are not its own"
            + ("" if missing or double or other else ", and the order is another")
        )
