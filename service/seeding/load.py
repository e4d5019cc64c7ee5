"""Loads the sample world by commands and reports, with ids made from their content: loading again changes nothing."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson

from service.access.viewer import Viewer
from service.commands import Outcome, RecordRef
from service.memory import MOST_EVENTS, Answer, Reporting
from service.memory import Outcome as Taken
from service.records import Records
from service.seeding.errors import SampleRefused
from service.seeding.stories import SampleEvent
from service.seeding.world import SOURCE, SampleLink, SampleRecord, World

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """How many commands and events changed something, and how many had been taken before."""

    changed: int
    unchanged: int


async def load_world(
    world: World,
    stories: list[SampleEvent],
    records: Records,
    reporting: Reporting,
    viewer_now: Callable[[], Awaitable[Viewer]],
    *,
    progress: Progress,
) -> Loaded:
    progress("Loading the sample world")
    loader = _Loader(world, records, viewer_now)
    outcomes = [await loader.save(one) for one in world.records]
    progress(f"Sample world: {len(world.records)} records")
    outcomes += [await loader.link(one) for one in world.links]
    progress(f"Sample world: {len(world.links)} links")
    answers = await loader.report(stories, reporting)
    progress(f"Sample world: {len(stories)} events of {len({one.run_id for one in answers})} runs")
    known = sum(one.replayed for one in outcomes) + sum(one.outcome is Taken.duplicate for one in answers)
    return Loaded(len(outcomes) + len(answers) - known, known)


class _Loader:
    def __init__(self, world: World, records: Records, viewer_now: Callable[[], Awaitable[Viewer]]) -> None:
        self._world = world
        self._records = records
        self._viewer_now = viewer_now
        self._ids: dict[str, str] = {}

    async def save(self, one: SampleRecord) -> Outcome:
        values: dict[str, Any] = {**one.values, "source": SOURCE, "source_key": one.key}
        if one.matter:
            values["matter_ids"] = [self._ids[one.matter]]
        outcome = await self._records.save(
            await self._viewer_now(), one.label, values, command_id=_command_id(one.label, values)
        )
        self._ids[one.key] = outcome.result["id"]
        return outcome

    async def link(self, one: SampleLink) -> Outcome:
        return await self._records.link(
            await self._viewer_now(),
            self._ref(one.tail),
            one.type,
            self._ref(one.head),
            one.properties,
            command_id=_command_id(one.tail, one.type, one.head, one.properties),
        )

    async def report(self, stories: list[SampleEvent], reporting: Reporting) -> list[Answer]:
        events = [one.of(self._ids[one.matter] if one.matter else None) for one in stories]
        answers: list[Answer] = []
        for start in range(0, len(events), MOST_EVENTS):
            batch = events[start : start + MOST_EVENTS]
            answers += await reporting.report(await self._viewer_now(), batch)
        refused = next((one for one in answers if one.outcome is Taken.rejected), None)
        if refused is not None:
            raise SampleRefused(refused)
        return answers

    def _ref(self, key: str) -> RecordRef:
        return RecordRef(kind=self._world.label_of(key), source=SOURCE, key=key)


def _command_id(*content: object) -> str:
    return "sample:" + hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]
