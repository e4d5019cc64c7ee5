"""A kept decision, and the same one taken again from what was known then."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from service.access.viewer import Viewer
from service.attention.deciding import cypher
from service.attention.deciding.read import heard_of, known_facts, read_spans
from service.attention.deciding.view import AttentionDecision, decision_view
from service.attention.errors import TraceMissing
from service.attention.pipeline.decide import decide
from service.attention.rules.policies import our_rules
from service.graph.database import Database
from service.replay import ReplayOutcome
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionReplay:
    """A kept decision, taken again."""

    trace_id: Annotated[Id, "Id of its trace."]
    outcome: Annotated[ReplayOutcome, "What came of it."]
    same_rules: Annotated[bool, "Whether the rules that come with us are those of then."]
    differences: Annotated[tuple[str, ...], "The steps that come out otherwise."]
    then: Annotated[AttentionDecision | None, "What was decided then; null where its texts were erased."]


class AttentionTraces:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def decision(self, viewer: Viewer, trace_id: str) -> AttentionDecision | None:
        trace, directives = await self._trace(viewer, trace_id)
        return decision_view(trace, directives)

    async def replay(self, viewer: Viewer, trace_id: str) -> AttentionReplay:
        trace, directives = await self._trace(viewer, trace_id)
        then = decision_view(trace, directives)
        same_rules = trace["rules_version"] == our_rules().version
        if then is None:
            return _told(trace_id, ReplayOutcome.not_kept, same_rules, (), None)
        kept = orjson.loads(trace["facts"])
        row = await self._database.read_one(
            cypher.EVENTS_READ,
            session=trace["session_id"],
            spans=read_spans(trace["places"]),
            audiences=viewer.audiences,
        )
        events: list[Any] = row["events"] if row else []
        if kept["rules"] is None or len(events) != trace["events_count"]:
            return _told(trace_id, ReplayOutcome.not_in_full, same_rules, (), then)
        facts = known_facts(trace["session_id"], kept, heard_of(events), our_rules())
        before, after = orjson.loads(trace["answer"]), _plain(decide(facts).answer())
        differences = tuple(name for name in before if before[name] != after[name])
        outcome = ReplayOutcome.different if differences else ReplayOutcome.identical
        return _told(trace_id, outcome, same_rules, differences, then)

    async def _trace(self, viewer: Viewer, trace_id: str) -> tuple[Mapping[str, Any], list[list[str]]]:
        row = await self._database.read_one(cypher.TRACE, trace=trace_id, audiences=viewer.audiences)
        if row is None:
            raise TraceMissing(trace_id)
        return row["trace"], row["directives"]


def _told(
    trace_id: str,
    outcome: ReplayOutcome,
    same_rules: bool,
    differences: tuple[str, ...],
    then: AttentionDecision | None,
) -> AttentionReplay:
    return AttentionReplay(
        trace_id=trace_id, outcome=outcome, same_rules=same_rules, differences=differences, then=then
    )


def _plain(given: Any) -> Any:
    return orjson.loads(orjson.dumps(given))
