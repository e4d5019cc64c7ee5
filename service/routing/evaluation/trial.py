"""Routing judged through the service, on the graph that is there."""

from collections.abc import Sequence
from typing import LiteralString

from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, Viewer
from service.capability import Services
from service.cards.embedding import embed_behind
from service.routing.decision.read import TaskModes
from service.routing.evaluation.figures import Judged
from service.routing.evaluation.rows import Labelled

ALL_AUDIENCES: LiteralString = "MATCH (a:Audience) RETURN collect(a.audience) AS audiences"
_EVERYTHING = 10_000_000


async def judge_of(services: Services) -> Viewer:
    """Somebody who sees everything, and has responded to nothing."""
    [row] = await services.ground.database.read(ALL_AUDIENCES)
    seen = tuple(row["audiences"])
    return Viewer("prin_judge", "judge", frozenset({KeyScope.read}), DataClass.local_only, frozenset(), True, seen)


async def judged_in(services: Services, rows: Sequence[Labelled]) -> list[Judged]:
    await embed_behind(services.ground.database, services.ground.embeddings, _EVERYTHING)
    modes, viewer = services[TaskModes], await judge_of(services)
    return [Judged(one, await modes.decide(viewer, one.request)) for one in rows]
