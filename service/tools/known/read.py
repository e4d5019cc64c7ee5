"""`knownTools`: the tools that fit a request, ranked by meaning and health, within a budget."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from embeddings.errors import TokenizerUnusable
from embeddings.tokens import Counters
from graph_schema.tools.words import RecommendationKind, ToolWorld
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.context.packets.errors import TargetTokenizerUnusable
from service.graph.database import Row
from service.search import Search
from service.search.request import SearchRequest
from service.tools.health import ToolHealth, ToolHealths
from service.tools.known import cypher
from service.tools.known.rules import AcceptedAdvice, KnownMethod, KnownTools, Shelved, fitting, ranked
from service.words import stems

LEAST_BUDGET, MOST_BUDGET, BUDGET = 20, 8_000, 800
MOST_TOOLS, TOOLS = 50, 10
WIDE = 200
"""Tools that are listed where none is sought, and reported ones whose names are compared."""


class ToolShelf:
    def __init__(self, search: Search, healths: ToolHealths, counters: Counters) -> None:
        self._search = search
        self._healths = healths
        self._counters = counters

    async def known(
        self, viewer: Viewer, request: str | None, budget: int = BUDGET, first: int = TOOLS, model: str | None = None
    ) -> KnownTools:
        if not LEAST_BUDGET <= budget <= MOST_BUDGET:
            raise InputInvalid("budget", f"is {budget}; a block takes from {LEAST_BUDGET} to {MOST_BUDGET} tokens")
        if not 1 <= first <= MOST_TOOLS:
            raise InputInvalid("first", f"is {first}; ask for 1 to {MOST_TOOLS} tools")
        try:
            counter = self._counters.of(model)
        except TokenizerUnusable as error:
            raise TargetTokenizerUnusable(error) from error
        at = datetime.now(UTC)
        rows = await (self._sought(viewer, request) if (request or "").strip() else self._listed(viewer))
        found = await self._shelved(viewer, rows, at)
        return fitting(ranked(found, at)[:first], budget, counter)

    async def _sought(self, viewer: Viewer, request: str | None) -> list[tuple[Row, float]]:
        """By meaning, where a tool has been described; else by the words of its name."""
        text = request or ""
        answer = await self._search.search(viewer, SearchRequest(text, ("Tool",), MOST_TOOLS))
        fits = {hit.id: hit.score for hit in answer.hits}
        named = await self._read(cypher.NAMED, viewer, ids=[*fits])
        found = [(row, fits[row["tool"]["id"]]) for row in named]
        said = {*stems(text)}
        reported = await self._read(cypher.LISTED, viewer, reported_only=True, most=WIDE)
        return [*found, *((row, fit) for row in reported if (fit := _by_words(row, said)))]

    async def _listed(self, viewer: Viewer) -> list[tuple[Row, float]]:
        return [(row, 1.0) for row in await self._read(cypher.LISTED, viewer, reported_only=False, most=WIDE)]

    async def _read(self, query: Any, viewer: Viewer, **parameters: Any) -> list[Row]:
        return await self._healths.database.read(query, audiences=viewer.audiences, **parameters)

    async def _shelved(self, viewer: Viewer, rows: Sequence[tuple[Row, float]], at: datetime) -> list[Shelved]:
        healths = await self._healths.of_all(viewer, [row["tool"]["id"] for row, _ in rows], at)
        by_id = {one.tool_id: one for one in healths}
        return [_shelf(row, fit, by_id[row["tool"]["id"]]) for row, fit in rows if row["tool"]["id"] in by_id]


def _by_words(row: Row, said: set[str]) -> float:
    """How much of a name the request says."""
    own = {*stems(str(row["tool"]["name"]).replace("_", " ").replace("-", " "))}
    return len(own & said) / len(own) if own else 0.0


def _shelf(row: Row, fit: float, health: ToolHealth) -> Shelved:
    tool = row["tool"]
    methods = {one.key: one for one in map(_method, row["methods"])}
    for one in health.methods:
        if one.method_key is not None:
            methods.setdefault(one.method_key, KnownMethod(key=one.method_key))
    return Shelved(
        id=tool["id"],
        name=tool["name"],
        summary=tool["summary"] or "",
        fit=fit,
        methods=tuple(methods.values()),
        health=health,
        accepted=tuple(_accepted(one) for one in row["accepted"]),
    )


def _method(one: dict[str, Any]) -> KnownMethod:
    return KnownMethod(
        key=str(one["source_key"] or one["name"]).rpartition("/")[2],
        purpose=one["purpose"] or "",
        deliverable=one["deliverable"],
        acceptance=tuple(one["acceptance"] or ()),
        world=ToolWorld(one["world"]) if one["world"] else None,
    )


def _accepted(one: dict[str, Any]) -> AcceptedAdvice:
    return AcceptedAdvice(
        one["id"], RecommendationKind(one["recommendation_kind"]), one["method_key"], one["rationale"]
    )
