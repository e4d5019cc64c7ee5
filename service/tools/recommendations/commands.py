"""Evaluating tools out of band, and deciding on what is recommended. Neither changes a tool."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from graph_schema.model.fields import LIST_LENGTH, NAME_LENGTH, TEXT_LENGTH
from graph_schema.tools.words import RecommendationKind, RecommendationState, ToolWorld
from service import clock
from service.access.agents import is_agent
from service.access.audience import Access
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import RecordMissing
from service.tools.health import ToolHealths
from service.tools.recommendations import cypher
from service.tools.recommendations.errors import RecommendationSettled
from service.tools.recommendations.rules import MOST_EVIDENCE, RULES, Advice, Worlds, advise
from service.views import Id

S = RecommendationState
AT_ONCE = 50
"""Tools whose calls are read in one statement."""

Advised = tuple[list[str], list[Advice]]
"""The tools that were looked at, and what is advised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAdvice:
    """Something that is recommended about a tool."""

    tool_id: Annotated[Id, "Id of the tool."]
    tool_name: Annotated[str, "What people call it."]
    method_key: Annotated[str | None, "The method, where it is about one."]
    recommendation_kind: Annotated[RecommendationKind, "What to do."]
    rationale: Annotated[str, "Why, in a sentence or two."]
    thresholds: Annotated[tuple[str, ...], "What had to be reached, and what was."]
    evidence_count: Annotated[int, "Calls that speak for it."]
    counter_count: Annotated[int, "Calls that speak against it."]


class Evaluations:
    def __init__(self, commands: Commands, healths: ToolHealths) -> None:
        self._commands = commands
        self._healths = healths

    async def preview(self, viewer: Viewer, tool_id: str | None = None) -> list[ToolAdvice]:
        """What would be recommended now. Nothing is kept."""
        _, found = await self._advised(viewer, tool_id, datetime.now(UTC))
        return [shown(one) for one in found]

    async def evaluate(
        self, viewer: Viewer, tool_id: str | None = None, *, command_id: str | None = None
    ) -> tuple[Outcome, list[ToolAdvice]]:
        """Keep what is recommended now. What was recommended before is kept current; what nobody decided on lapses."""
        at = datetime.now(UTC)
        ids, found = await self._advised(viewer, tool_id, at)

        async def plan(work: Work) -> dict[str, Any]:
            return await _Keeping(work, at, self._healths.limits.window, self._healths.limits.lapses).keep(ids, found)

        request = Request("evaluateTools", KeyScope.curate, {"tool": tool_id}, command_id=command_id)
        outcome = await self._commands.execute(viewer, request, plan)
        return outcome, [shown(one) for one in found]

    async def decide(
        self, viewer: Viewer, ref: RecordRef, *, accept: bool, note: str | None, command_id: str | None = None
    ) -> Outcome:
        """Accept or reject a recommendation. A person does it; what is accepted is told with the tool."""
        ref.check("recommendation", "Recommendation")

        async def plan(work: Work) -> dict[str, Any]:
            state = work.existing(ref, "recommendation", ["Recommendation"])
            now = state_at(state.properties, work.at)
            if now is not S.open:
                raise RecommendationSettled(now.value)
            decided = {
                "state": (S.accepted if accept else S.rejected).value,
                "decided_at": work.at,
                "decided_by": viewer.principal_id,
                "decision_note": note,
            }
            after = work.update(state, decided, event=f"tool.recommendation.{decided['state']}")
            return {"id": after.id, "version": after.version}

        content = {"recommendation": str(ref), "accept": accept, "note": note}
        request = Request("decideRecommendation", KeyScope.curate, content, changes=[ref], command_id=command_id)
        return await self._commands.execute(viewer, request, plan)

    async def _advised(self, viewer: Viewer, tool_id: str | None, at: datetime) -> Advised:
        rows = await self._healths.database.read(cypher.TOOLS, id=tool_id, audiences=viewer.audiences)
        if tool_id is not None and not rows:
            raise RecordMissing(RecordRef(id=tool_id), "tool")
        worlds = {row["id"]: _worlds(row["methods"]) for row in rows}
        ids = [*worlds]
        found: list[Advice] = []
        for start in range(0, len(ids), AT_ONCE):
            for facts in await self._healths.facts(viewer, ids[start : start + AT_ONCE], at):
                found += advise(facts, worlds[facts.id], at, self._healths.limits)
        return ids, found


class _Keeping:
    """What an evaluation writes."""

    def __init__(self, work: Work, at: datetime, window: timedelta, lapses: timedelta) -> None:
        self._work = work
        self._at = at
        self._window = window
        self._lapses = lapses
        self._kind = work.registry.types["Recommendation"]

    async def keep(self, tool_ids: Sequence[str], found: Sequence[Advice]) -> dict[str, Any]:
        rows = await self._work.transaction.run(cypher.KEPT, ids=[*tool_ids], audiences=self._work.viewer.audiences)
        kept = [State(self._kind, tuple(row["labels"]), row["properties"]) for row in rows]
        lapsed = [one for one in kept if self._is_lapsed(one)]
        standing = [one for one in kept if one not in lapsed]
        made = [one for one in (self._taken(advice, standing) for advice in found) if one is not None]
        # That something was left to lapse is a decision, too: not an agent's.
        if is_agent(self._work.viewer):
            lapsed = []
        for one in lapsed:
            self._work.update(one, {"state": S.expired.value}, event="tool.recommendation.expired")
        return {"ids": [one.id for one in made], "expired": len(lapsed), "tools": len(tool_ids)}

    def _taken(self, advice: Advice, kept: Sequence[State]) -> State | None:
        """The open one of its kind, kept current and from lapsing; a new one, unless somebody has decided on the same
        evidence. What lapsed before anybody decided is recommended anew."""
        same = [one for one in kept if _is_same(one, advice)]
        values = self._values(advice)
        open_ = next((one for one in same if one.properties["state"] == S.open), None)
        if open_ is not None:
            return self._renewed(open_, advice, values) if self._is_due(open_, values) else open_
        decided = [one.properties for one in same if one.properties["state"] in (S.accepted, S.rejected)]
        seen = {known for one in decided for known in one.get("evidence_ids") or ()}
        if decided and not [one for one in advice.support if one.id not in seen]:
            return None
        return self._make(advice, values)

    def _renewed(self, kept: State, advice: Advice, values: dict[str, Any]) -> State:
        """With what speaks for it and against by now."""
        after = self._work.update(kept, values, event="tool.recommendation.renewed")
        self._rest_on(after, advice)
        return after

    def _is_due(self, kept: State, values: dict[str, Any]) -> bool:
        """Whether there is other evidence than before, or it would lapse within half of its time."""
        other = any(kept.properties.get(name) != values.get(name) for name in ("evidence_ids", "counter_count"))
        return other or kept.properties["expires_at"] <= clock.stamp(self._at + self._lapses / 2)

    def _make(self, advice: Advice, values: dict[str, Any]) -> State:
        access = {"data_class": advice.access.data_class.value, "matter_ids": sorted(advice.access.matter_ids)}
        made = self._work.create(self._kind, {**values, **access, "state": S.open.value})
        self._work.link_id(made, "RECOMMENDED_FOR", advice.tool_id, access=advice.access)
        self._rest_on(made, advice)
        return made

    def _rest_on(self, made: State, advice: Advice) -> None:
        for one in advice.support[:MOST_EVIDENCE]:
            self._work.link_id(made, "SUPPORTED_BY", one.id, access=one.access)
            for correction in one.corrections:
                self._work.link_id(made, "SUPPORTED_BY", correction.id, access=correction.access)
        for one in advice.counter[:MOST_EVIDENCE]:
            self._work.link_id(made, "COUNTERED_BY", one.id, access=one.access)

    def _values(self, advice: Advice) -> dict[str, Any]:
        values = {
            "name": advice.name[:NAME_LENGTH],
            "tool_id": advice.tool_id,
            "method_key": advice.method,
            "recommendation_kind": advice.kind.value,
            "rationale": advice.rationale[:TEXT_LENGTH],
            "thresholds": [*advice.thresholds],
            "evidence_count": len(advice.support),
            "counter_count": len(advice.counter),
            "boundary_axes": [*advice.axes],
            "suggested_splits": [*advice.splits],
            "window_from": clock.stamp(self._at - self._window),
            "window_to": clock.stamp(self._at),
            "expires_at": clock.stamp(self._at + self._lapses),
            "rules": RULES,
            "evidence_ids": [one.id for one in advice.support[:LIST_LENGTH]],
        }
        return {name: value for name, value in values.items() if value is not None}

    def _is_lapsed(self, one: State) -> bool:
        return one.properties["state"] == S.open and one.properties["expires_at"] <= clock.stamp(self._at)


def state_at(values: dict[str, Any], at: str) -> RecommendationState:
    """An open one that nobody decided on in time has expired, whether or not tools were evaluated since."""
    return S.expired if values["state"] == S.open and values["expires_at"] <= at else S(values["state"])


def shown(one: Advice) -> ToolAdvice:
    return ToolAdvice(
        tool_id=one.tool_id,
        tool_name=one.tool_name,
        method_key=one.method,
        recommendation_kind=one.kind,
        rationale=one.rationale,
        thresholds=one.thresholds,
        evidence_count=len(one.support),
        counter_count=len(one.counter),
    )


def _worlds(methods: Sequence[dict[str, Any]]) -> Worlds:
    """By the method's own key: what stands behind the tool's in its outside key, else its name."""
    return {str(one["key"] or one["name"]).rpartition("/")[2]: ToolWorld(one["world"]) for one in methods}


def _is_same(kept: State, advice: Advice) -> bool:
    told = kept.properties
    about = (told["tool_id"], told.get("method_key"), told["recommendation_kind"])
    return about == (advice.tool_id, advice.method, advice.kind) and Access.of(told).audience == advice.access.audience
