"""A campaign: writers and subscribers at work while services and database fail; in calm moments all is counted."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from graph_schema.registry import REGISTRY
from service.doctor import examine
from tests.chaos import checks
from tests.chaos.checks import Footprints
from tests.chaos.deeds import Deed, Ledger
from tests.chaos.faults import Faults, planned
from tests.chaos.followers import Follower
from tests.chaos.luck import luck_of
from tests.chaos.picture import Picture, internal, left_by, taken, waiting
from tests.chaos.place import Place
from tests.chaos.stories import STORIES
from tests.chaos.writers import Writers, settle

Tell = Callable[[str], None]

NUMBERED_WITHIN_S = 120.0
FOLLOWED_WITHIN_S = 240.0
TOLD_WITHIN_S = 300.0
ASKED_AGAIN = 60
"""So many acknowledged commands are sent once more in each calm moment: they answer as before."""


@dataclass(frozen=True)
class Plan:
    kills: int = 50
    minutes: float = 15
    """Without the rehearsal before and the last calm moment."""
    seed: int = 7
    writers: int = 6
    calm_every: int = 10
    """Kills between two calm moments."""
    gap_s: float = 2.5
    """The longest time between two faults."""
    families: Sequence[str] = tuple(STORIES)


@dataclass
class Outcome:
    plan: Plan
    ledger: Ledger
    faults: Faults
    seconds: float = 0
    stories: int = 0
    events: int = 0
    calm: int = 0
    followers: list[Follower] = field(default_factory=list[Follower])
    settled_later: int = 0
    was_carried_out: int = 0

    @property
    def kills(self) -> int:
        return sum(times for kind, times in self.faults.done.items() if kind.startswith("kill"))


class Campaign:
    def __init__(self, place: Place, plan: Plan, tell: Tell) -> None:
        self._place = place
        self._plan = plan
        self._tell = tell
        self._ledger = Ledger()
        self._luck = luck_of("campaign", plan.seed)
        self._writers = Writers(self._ledger, place.caller, plan.seed, plan.families)
        self._footprints = Footprints()
        self.outcome = Outcome(plan, self._ledger, Faults(place))

    async def run(self) -> Outcome:
        started = time.monotonic()
        await self._rehearse()
        async with self._followed() as followers:
            self.outcome.followers = followers
            work = asyncio.create_task(self._writers.work(self._plan.writers))
            try:
                await self._suffer(time.monotonic() + self._plan.minutes * 60)
            except TimeoutError:
                self._ledger.accuse("it did not become calm again")
            finally:
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)
        for finding in await examine(self._place.database, REGISTRY):
            self._ledger.accuse(f"doctor: {finding}")
        self.outcome.seconds = time.monotonic() - started
        self.outcome.stories = self._writers.stories
        return self.outcome

    async def _rehearse(self) -> None:
        """What every story leaves while nothing goes wrong. The first time it also makes what all of them share."""
        await self._writers.rehearse()
        self._ledger.deeds = [one for one in self._ledger.deeds if one.family == "shared"]
        await self._writers.rehearse()
        await self._numbered()
        picture = await taken(self._place.database)
        kinds = picture.kinds_of_commands()
        for deed in self._ledger.commands():
            if deed.family not in checks.VARYING | {"erased"}:
                self._footprints.steps[deed.step] = kinds[deed.key]
        stories = checks.records_of(picture, self._ledger.deeds)
        left = await left_by(self._place.database, {one for ids in stories.values() for one in ids})
        for story, ids in stories.items():
            self._footprints.stories[story.partition("/")[0]] = checks.footprint(ids, left)
        self._tell(f"Rehearsed {len(self._plan.families)} stories, {len(self._ledger.deeds)} calls")

    async def _suffer(self, deadline: float) -> None:
        faults = self.outcome.faults
        since, uncounted = 0, True
        self._writers.go()
        for fault in planned(self._plan.seed, self._plan.kills, self._plan.gap_s):
            if time.monotonic() > deadline:
                break
            await faults.begin(fault)
            uncounted = True
            since += fault.kills
            if since == self._plan.calm_every:
                since, uncounted = 0, False
                await self._calm_moment()
        if uncounted:
            await self._calm_moment()

    async def _calm_moment(self) -> None:
        """Everything ends well: what nobody answered is settled, what is begun is told, and all of it is counted."""
        self._writers.rest()
        await self.outcome.faults.over()
        await self._settle()
        async with asyncio.timeout(TOLD_WITHIN_S):
            await self._writers.all_told()
        await self._numbered()
        await self._ask_again()
        await self._numbered()
        picture = await taken(self._place.database)
        await self._count(picture)
        await self._followers_are_through(picture)
        self.outcome.calm += 1
        self.outcome.events = len(picture.events)
        self._tell(
            f"Calm after {self.outcome.kills} kills: {len(self._ledger.deeds)} calls, {len(picture.events)} events, "
            f"{len(self._ledger.violations)} violations"
        )
        self._writers.go()

    async def _settle(self) -> None:
        """Also what stories that go on leave behind while this goes on."""
        caller = self._place.caller(self._luck)
        while left := self._ledger.left():
            picture = await taken(self._place.database)
            self._accuse(checks.of_commands(picture, left, self._footprints))
            for deed in left:
                there = deed.key in picture.commands
                deed.take(await settle(deed, caller, self._ledger))
                self._accuse(checks.of_settlement(deed, there))
                self.outcome.settled_later += 1
                self.outcome.was_carried_out += there
        await caller.close()

    async def _ask_again(self) -> None:
        caller = self._place.caller(self._luck)
        known = [*self._ledger.acknowledged()]
        for deed in self._luck.sample(known, min(ASKED_AGAIN, len(known))):
            self._accuse(_of_repetition(deed, await settle(deed, caller, self._ledger)))
        await caller.close()

    async def _count(self, picture: Picture) -> None:
        deeds = self._ledger.deeds
        self._accuse(checks.of_events(picture, len(checks.erased(deeds))))
        self._accuse(checks.of_commands(picture, self._ledger.commands(), self._footprints))
        self._accuse(checks.of_reports(picture, self._ledger))
        self._accuse(checks.of_shared(deeds))
        stories = checks.records_of(picture, deeds)
        left = await left_by(self._place.database, {one for ids in stories.values() for one in ids})
        self._accuse(checks.of_stories(stories, left, self._footprints))

    async def _numbered(self) -> None:
        """Until no event waits for its number. Without this nobody could say that the log is complete."""
        deadline = time.monotonic() + NUMBERED_WITHIN_S
        while await waiting(self._place.database):
            if time.monotonic() > deadline:
                self._ledger.accuse(f"events are without a number after {NUMBERED_WITHIN_S:.0f} calm seconds")
                return
            await asyncio.sleep(0.1)

    @asynccontextmanager
    async def _followed(self) -> AsyncGenerator[list[Follower]]:
        """Subscribers from here on."""
        picture = await taken(self._place.database)
        self._before = picture.events[-1]["seq"]
        caller = self._place.caller(self._luck)
        head = (await caller.ask("{ events(first: 1) { head } }"))["events"]["head"]
        await caller.close()
        followers = [
            Follower(f"{name} {number}", self._place.urls, key, head, luck_of(self._plan.seed, name, number))
            for name, key in (("of everything", self._place.key), ("of what is internal", self._place.narrow_key))
            for number in range(2)
        ]
        tasks = [asyncio.create_task(one.follow()) for one in followers]
        try:
            yield followers
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _followers_are_through(self, picture: Picture) -> None:
        """Those of everything have had every event, those of a part have all had the same."""
        expected = [one["event_id"] for one in picture.events if one["seq"] and one["seq"] > self._before]
        gone = checks.erased(self._ledger.deeds)
        deadline = time.monotonic() + FOLLOWED_WITHIN_S
        wide, narrow = self.outcome.followers[:2], self.outcome.followers[2:]
        shown = await internal(self._place.database)
        part = [one for one in expected if one in shown]
        for one, own in [*((one, expected) for one in wide), *((one, part) for one in narrow)]:
            while any(one.held_against(own, gone)) and time.monotonic() < deadline:  # noqa: ASYNC110 - they listen
                await asyncio.sleep(0.2)
            self._accuse(one.held_against(own, gone))
            self._accuse(one.refusals())

    def _accuse(self, texts: "checks.Iterator[str]") -> None:
        for text in texts:
            self._ledger.accuse(text)


def _of_repetition(deed: Deed, again: dict[str, object]) -> "checks.Iterator[str]":
    assert deed.answer is not None
    if deed.is_report:
        if again["accepted"] or again["rejected"]:
            yield f"{deed.step} of {deed.key}, sent again, was answered {again}"
        return
    if deed.answer.get("commandId") and not again["replayed"]:
        yield f"{deed.step} of {deed.key} was carried out again"
    for name in () if deed.family == "erased" else ("recordId", "version"):
        if again.get(name) != deed.answer.get(name):
            yield f"{deed.step} of {deed.key} answered {name} {deed.answer.get(name)}, and then {again.get(name)}"
