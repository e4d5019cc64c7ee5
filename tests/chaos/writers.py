"""Writers that tell stories, each call sent until it is settled; some give up before anybody has answered."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from typing import Any

from tests.chaos.caller import Caller, Refused, Unanswered
from tests.chaos.deeds import Answer, Deed, Ledger
from tests.chaos.luck import Luck, luck_of
from tests.chaos.stories import STORIES, Story

LONGEST_PAUSE_S = 1.0
GIVES_UP = 0.15
"""How likely somebody is to try no more after a call without an answer."""
SETTLED_WITHIN_S = 240.0


class Teller:
    """Tells one story. Its calls, and what became of them, are in the ledger."""

    def __init__(self, ledger: Ledger, caller: Caller, luck: Luck, family: str, number: int) -> None:
        self.number = number
        self.name = f"{family}-{number}"
        self.parked = asyncio.Event()
        self._story = f"{family}/{number}"
        self._places = count()
        self._ledger = ledger
        self._caller = caller
        self._luck = luck

    async def do(self, mutation: str, /, **arguments: Any) -> Answer:
        deed = Deed(self._story, next(self._places), mutation, arguments)
        self._ledger.deeds.append(deed)
        while deed.answer is None and not deed.left:
            await self._tried(deed)
        await deed.settled.wait()
        assert deed.answer is not None
        return deed.answer

    async def _tried(self, deed: Deed) -> None:
        try:
            deed.take(await self._caller.send(deed))
        except Unanswered as error:
            self._ledger.unanswered[str(error)] += 1
            if self._luck.random() < GIVES_UP:
                deed.left = True
                self.parked.set()
            else:
                await asyncio.sleep(self._luck.uniform(0.05, LONGEST_PAUSE_S))
        except Refused as error:
            self._ledger.accuse(f"{deed.step} of {deed.key} was refused after {deed.tries} tries: {error}")
            raise


class Writers:
    """So many at once. Each begins another story when its own is told, or waits for what nobody answered."""

    def __init__(self, ledger: Ledger, new_caller: Callable[[Luck], Caller], seed: int, families: Iterable[str]):
        self.stories = 0
        self._ledger = ledger
        self._new_caller = new_caller
        self._seed = seed
        self._families = [*families]
        self._numbers = count(1)
        self._going: set[asyncio.Task[None]] = set()
        self._open = asyncio.Event()

    async def rehearse(self) -> None:
        """Every story once, one after another."""
        caller = self._new_caller(luck_of(self._seed))
        for family in self._families:
            await self._told(caller, luck_of(family), family, STORIES[family])
        await caller.close()

    async def work(self, writers: int) -> None:
        await asyncio.gather(*(self._write(one) for one in range(writers)))

    def go(self) -> None:
        self._open.set()

    def rest(self) -> None:
        """Begin nothing new. What is begun is told to its end."""
        self._open.clear()

    async def all_told(self) -> None:
        while self._going:
            await asyncio.wait([*self._going])

    async def _write(self, writer: int) -> None:
        luck = luck_of(self._seed, writer)
        caller = self._new_caller(luck)
        families: list[str] = []
        try:
            while True:
                await self._open.wait()
                families = families or luck.sample(self._families, len(self._families))
                family = families.pop()
                await self._told(caller, luck, family, STORIES[family])
        finally:
            await caller.close()

    async def _told(self, caller: Caller, luck: Luck, family: str, story: Story) -> None:
        teller = Teller(self._ledger, caller, luck, family, next(self._numbers))
        self.stories += 1
        telling = asyncio.create_task(_until_refused(story, teller))
        self._going.add(telling)
        telling.add_done_callback(self._going.discard)
        parked = asyncio.create_task(teller.parked.wait())
        await asyncio.wait([telling, parked], return_when=asyncio.FIRST_COMPLETED)
        parked.cancel()


async def _until_refused(story: Story, teller: Teller) -> None:
    with suppress(Refused):
        await story(teller)


async def settle(deed: Deed, caller: Caller, ledger: Ledger) -> Answer:
    """Send what nobody answered once more, under the same id, in a calm graph."""
    async with asyncio.timeout(SETTLED_WITHIN_S):
        while True:
            try:
                return await caller.send(deed)
            except Unanswered as error:
                ledger.unanswered[f"calm: {error}"] += 1
                await asyncio.sleep(0.5)
