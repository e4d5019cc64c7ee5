"""Health of tools for a viewer: their recent calls in one statement, and what the rules make of them."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from graph_schema.tools.words import ToolErrorClass, ToolOutcomeType
from service import clock
from service.access.audience import Access
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import InputInvalid, RecordMissing
from service.graph.database import Database, Row
from service.tools.health import cypher
from service.tools.health.facts import Call, Corrected, ToolFacts
from service.tools.health.priorities import ToolPriorities, to_regenerate, to_repair
from service.tools.health.rules import RULES, ToolHealth, health_of
from service.tools.limits import Limits
from service.tools.vocabulary import Vocabulary

PRIORITIES = 10
MOST_TOOLS = 500
AT_ONCE = 50
"""Tools whose calls are read in one statement."""


class ToolHealths:
    def __init__(self, database: Database, words: Vocabulary, limits: Limits) -> None:
        self.database = database
        self.limits = limits
        self._words = words

    async def of(self, viewer: Viewer, tool_id: str, at: datetime | None = None) -> ToolHealth:
        found = await self.of_all(viewer, [tool_id], at)
        if not found:
            raise RecordMissing(RecordRef(id=tool_id), "tool")
        return found[0]

    async def of_all(self, viewer: Viewer, tool_ids: Sequence[str], at: datetime | None = None) -> list[ToolHealth]:
        """In the order of the ids; without those that the viewer does not see."""
        moment = at or datetime.now(UTC)
        return [health_of(one, moment, self.limits) for one in await self.facts(viewer, tool_ids, moment)]

    async def priorities(self, viewer: Viewer, first: int = PRIORITIES) -> ToolPriorities:
        """Which tools to make anew first, and which to repair."""
        if not 1 <= first <= MOST_TOOLS:
            raise InputInvalid("first", f"is {first}; ask for 1 to {MOST_TOOLS} tools")
        at = datetime.now(UTC)
        rows = await self.database.read(
            cypher.IN_USE, audiences=viewer.audiences, at=clock.stamp(at), most=MOST_TOOLS + 1
        )
        ids = [row["id"] for row in rows][:MOST_TOOLS]
        advice = {row["id"]: row["advice"] for row in rows}
        found: list[ToolHealth] = []
        for start in range(0, len(ids), AT_ONCE):
            found += await self.of_all(viewer, ids[start : start + AT_ONCE], at)
        return ToolPriorities(
            regenerate=to_regenerate(found, advice, first),
            repair=to_repair(found, advice, first),
            looked_at=len(found),
            truncated=len(rows) > MOST_TOOLS,
            rules=RULES,
        )

    async def facts(self, viewer: Viewer, tool_ids: Sequence[str], at: datetime) -> list[ToolFacts]:
        if not tool_ids:
            return []
        rows = await self.database.read(
            cypher.CALLS,
            ids=[*tool_ids],
            audiences=viewer.audiences,
            since=clock.stamp(at - self.limits.window),
            at=clock.stamp(at),
            most=self.limits.outcomes,
        )
        return [self._facts(row) for row in rows]

    async def providing(self, viewer: Viewer, record_ids: Iterable[str]) -> list[tuple[str, str]]:
        """Ids of tools, each with the capability that it provides, of these capabilities or of what these require."""
        ids = sorted({*record_ids})
        if not ids:
            return []
        [row] = await self.database.read(cypher.PROVIDERS, ids=ids, audiences=viewer.audiences)
        return sorted((one["tool_id"], one["capability"]) for one in row["provided"])

    def _facts(self, row: Row) -> ToolFacts:
        tool = row["tool"]
        calls = [*(self._reported(one) for one in row["reported"]), *(self._span(one) for one in row["spans"])]
        return ToolFacts(
            id=tool["id"],
            name=tool["name"],
            known_since=clock.parse(tool["created_at"]),
            calls=tuple(calls),
            last_used_at=clock.parse(row["last_used_at"]) if row["last_used_at"] else None,
            access=Access.of(tool),
        )

    def _span(self, one: dict[str, Any]) -> Call:
        failed = one["status"] == "error"
        return Call(
            id=one["id"],
            at=clock.parse(one["at"]),
            key=one["key"],
            outcome=ToolOutcomeType.execution_error if failed else ToolOutcomeType.success,
            method=one["method_key"],
            error_class=self._words.error_class(one["error_code"], one["error_message"]) if failed else None,
            corrections=_corrections(one),
            access=Access.of(one),
        )

    def _reported(self, one: dict[str, Any]) -> Call:
        return Call(
            id=one["id"],
            at=clock.parse(one["at"]),
            key=one["key"],
            outcome=ToolOutcomeType(one["outcome_type"]),
            method=one["method_key"],
            error_class=ToolErrorClass(one["error_class"]) if one["error_class"] else None,
            axes=tuple(one["boundary_axes"] or ()),
            said=tuple((self._words.axis(word), word) for word in one["said_axes"] or ()),
            split=one["suggested_split"],
            corrections=_corrections(one),
            access=Access.of(one),
        )


def _corrections(call: dict[str, Any]) -> tuple[Corrected, ...]:
    """Each once: the ask that a call answers may have begun its run, too."""
    by_id = {one["id"]: Corrected(one["id"], Access.of(one)) for one in call["corrections"]}
    return tuple(by_id[key] for key in sorted(by_id))
