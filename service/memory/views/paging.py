"""The steps of a run page by page: put in order by blocks, and looked at only as far as they are shown."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from service.access.viewer import Viewer
from service.graph.database import Database, Row
from service.memory.views import cypher
from service.memory.views.facts import Part, RunFacts
from service.memory.views.index import RunIndex
from service.memory.views.load import MOST, asked_of, facts_of
from service.memory.views.order import in_order, loop_rounds
from service.memory.views.steps import (
    ANCESTORS,
    BLOCK,
    RunSteps,
    StepsRequest,
    ancestors_of,
    evidence_of,
    page_of,
    row,
)

_LAST = "~~"
"""After the place of every step."""
_FIELDS = asked_of(cypher.STEPS)


@dataclass(frozen=True, slots=True)
class LightStep:
    """What the order of a step is made from."""

    id: str
    place: str
    module_key: str
    activation_seq: int
    loop_iteration: int | None
    triggered: Sequence[str]


@dataclass(frozen=True, slots=True)
class Shown:
    """A step with its place in the run, from 1, and which round of its loop it is."""

    step: LightStep
    order: int
    loop_round: int | None

    @property
    def id(self) -> str:
        return self.step.id


@dataclass(frozen=True, slots=True)
class _Since:
    """The step that the page before ended with, and how many began before it."""

    id: str | None
    rank: int

    def coming(self, steps: Sequence[Shown], among: Sequence[Shown] = ()) -> list[Shown]:
        """Of these steps, what comes after that one; where it is gone, what comes after where it stood."""
        if self.id is None:
            return list(steps)
        place = next((one.order for one in (*steps, *among) if one.id == self.id), self.rank)
        return [one for one in steps if one.order > place]


class StepPages:
    def __init__(self, database: Database, viewer: Viewer, index: RunIndex, block: int = BLOCK) -> None:
        self._database = database
        self._viewer = viewer
        self._index = index
        self._block = block
        audience = index.facts.audience
        held = [audience] if audience is not None else viewer.audiences
        self._asked: dict[str, Any] = {"run_id": index.run.id, "held": held}

    async def page(self, request: StepsRequest) -> RunSteps:
        begins = request.begins_after()
        rank = await self._rank(begins[0]) if begins else 0
        since = _Since(begins[1] if begins else None, rank)
        if request.narrows:
            coming, count = await self._passing(request, since)
        else:
            coming, count = await self._all(request.first, since), self._index.tally.total
        return await self._shown(coming[: request.first], request, count, more=len(coming) > request.first)

    async def _rank(self, place: str) -> int:
        """How many steps began before this one."""
        found = await self._database.read_one(cypher.RANK, **self._asked, place=place)
        return found["rank"] if found else 0

    async def _all(self, first: int, since: "_Since") -> list[Shown]:
        """The steps that come, and one more if there is one: block by block, mostly one."""
        found: list[Shown] = []
        block, total = since.rank // self._block, self._index.tally.total
        while len(since.coming(found)) <= first and block * self._block < total:
            skip = block * self._block
            row = await self._database.read_one(
                cypher.BLOCK, **self._asked, skip=skip, size=self._block, until=skip + self._block
            )
            found += self._ordered(_light(row), block)
            block += 1
        return since.coming(found)

    async def _passing(self, request: StepsRequest, since: "_Since") -> tuple[list[Shown], int]:
        """The steps that come and pass, and one more if there is one; and how many pass in all."""
        graph, block = self._index.facts.graph, since.rank // self._block
        modules = graph.modules if graph else ()
        found = await self._database.read_one(
            cypher.FOUND,
            **self._asked,
            audiences=self._viewer.audiences,
            words=request.words,
            status=None if request.status is None else [str(one) for one in request.status],
            kinds=None if request.kinds is None else list(request.kinds),
            labels={one.module_key: one.name for one in modules},
            types={one.module_key: one.module_type for one in modules},
            block=self._block,
            since=block * self._block,
            # Those of the first block may all be passed already, and those of the last are put in order together.
            enough=request.first + 2 * self._block,
        )
        if found is None:
            return [], 0
        matches: dict[int, set[str]] = {}
        for place, step in found["matches"]:
            matches.setdefault(place // self._block, set()).add(step)
        bounds = [*found["bounds"], _LAST]
        wanted = _reaching(matches, request.first, passed=block if since.id else None)
        steps = await self._in_blocks({one: (bounds[one], bounds[one + 1]) for one in wanted})
        passing = [one for one in steps if one.id in matches[(one.order - 1) // self._block]]
        return since.coming(passing, steps), found["found"]

    async def _in_blocks(self, blocks: dict[int, tuple[str, str]]) -> list[Shown]:
        """The steps of these blocks in their order."""
        if not blocks:
            return []
        bounds = [list(one) for one in blocks.values()]
        steps = _light(await self._database.read_one(cypher.BLOCKS, **self._asked, bounds=bounds))
        return [
            one
            for block, (start, end) in blocks.items()
            for one in self._ordered([step for step in steps if start <= step.place < end], block)
        ]

    def _ordered(self, steps: Sequence[LightStep], block: int) -> list[Shown]:
        cables = self._index.flow.cables if self._index.flow else None
        rounds = loop_rounds(steps, from_the_start=block == 0)
        ordered = enumerate(in_order(steps, cables), start=block * self._block + 1)
        return [Shown(step, place, rounds.get(step.id)) for place, step in ordered]

    async def _shown(self, shown: Sequence[Shown], request: StepsRequest, found: int, *, more: bool) -> RunSteps:
        index, ancestors = await self._facts([one.id for one in shown])
        rows = [row(index, index.step[one.id], one.order, one.loop_round) for one in shown if one.id in index.step]
        return RunSteps(
            total=self._index.tally.total,
            found=found,
            rows=tuple(rows),
            ancestors=tuple(ancestors_of(index, ancestors)),
            page_info=page_of([one.step for one in shown], request, more=more),
            evidence=evidence_of(index),
        )

    async def _facts(self, ids: Sequence[str]) -> tuple[RunIndex, Sequence[Any]]:
        """The steps of a page with all that rows tell of them; and those that led there."""
        known = self._index.facts
        found = await self._database.read_one(
            cypher.STEPS,
            run_id=known.run.id,
            audiences=self._viewer.audiences,
            ids=list(ids),
            most=MOST + 1,
            ancestors=ANCESTORS,
            fields=_FIELDS,
        )
        read = facts_of([found] if found else [], MOST)
        ancestors = read.pop("ancestors", ())
        empty = RunFacts(known.run, known.task, known.template, known.graph, known.tally, loaded=frozenset({Part.run}))
        return RunIndex(replace(empty, **read), self._index.now), ancestors


def _light(found: Row | None) -> list[LightStep]:
    return [LightStep(*one) for one in found["steps"]] if found else []


def _reaching(matches: Mapping[int, Collection[str]], first: int, passed: int | None) -> list[int]:
    """The blocks that hold a page and one step more. Of the block that a page was in, all may be passed already."""
    wanted: list[int] = []
    sure = 0
    for block in sorted(matches):
        if sure > first:
            break
        wanted.append(block)
        sure += 0 if block == passed else len(matches[block])
    return wanted
