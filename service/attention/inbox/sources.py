"""Where what waits comes from: one entry a source. A source finds what waits, and says what it is as an event."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, LiteralString

from graph_schema.attention.words import AgentEventType as Type
from graph_schema.attention.words import AttentionMoment as Moment
from graph_schema.learning.proposal_words import ProposalState, Risk
from graph_schema.tools.words import ToolStanding
from service import clock
from service.access.agents import is_agent
from service.access.viewer import KeyScope, Viewer
from service.attention.inbox import cypher
from service.attention.pipeline.facts import LEARNING, TASKS, TOOLS
from service.graph.database import Database
from service.learning.review.read import QueuedProposal, Reviews
from service.tools.health import ToolHealth, ToolHealths

Row = Mapping[str, Any]

MOST = 200
"""Things of one source that are looked at."""

MOST_TOOLS = 50
"""Tools whose recent calls are looked at."""


class InboxSource(StrEnum):
    """Where something in the inbox comes from."""

    directive = "directive"
    gate_waiting = "gate_waiting"
    run_failed = "run_failed"
    run_anomaly = "run_anomaly"
    tool_low_utility = "tool_low_utility"
    proposal_for_review = "proposal_for_review"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What it is: the event that it would be, and why it is here beside what the rules say."""

    type: Type
    moment: Moment
    record_id: str
    since: str
    payload: Mapping[str, Any]
    reasons: tuple[str, ...]
    component: str = TASKS


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks what waits, and where it is looked for."""

    viewer: Viewer
    now: str
    since: str
    """From when on what happened in runs is told."""
    database: Database
    healths: ToolHealths
    reviews: Reviews

    async def rows(self, statement: LiteralString, **more: Any) -> list[Row]:
        known = {"audiences": self.viewer.audiences, "since": self.since, "now": self.now, "most": MOST, **more}
        row = await self.database.read_one(statement, **known)
        return row["found"] if row else []


@dataclass(frozen=True, slots=True)
class Found:
    """What waits, and whether there is more than was looked at."""

    waiting: list[Waiting]
    truncated: bool


Find = Callable[[Asking], Awaitable[Found]]


def _of_runs(statement: LiteralString, read: Callable[[Row, str], Waiting]) -> Find:
    """What one statement finds. `read` gets a row, and what time it is."""

    async def find(asking: Asking) -> Found:
        rows = await asking.rows(statement)
        return Found([read(row, asking.now) for row in rows], len(rows) >= MOST)

    return find


def _gate(row: Row, now: str) -> Waiting:
    overdue = row["deadline"] is not None and row["deadline"] < now
    question = row["question"] or f"{row['run']} waits for a decision"
    said = {
        "question": question,
        "decision_id": row["id"],
        "run": row["run"],
        "since": row["since"],
        "overdue": overdue,
    }
    reasons = (f"A gate of {row['run']} waits.", *([f"It was due by {row['deadline']}."] if overdue else []))
    return Waiting(Type.decision_required, Moment.decision_required, row["id"], row["since"], said, reasons)


def _failed(row: Row, _now: str) -> Waiting:
    said = {"run": row["run"], "message": row["message"], "error_code": row["code"], "finding_id": row["id"]}
    reasons = ("The run failed, and no later run of its task has succeeded.",)
    return Waiting(Type.analysis_failed, Moment.error, row["id"], row["since"], said, reasons)


def _odd(row: Row, _now: str) -> Waiting:
    reasons = tuple(_oddities(row))
    said = {
        "finding_kind": "anomaly",
        "finding_id": row["id"],
        "summary": f"{row['run']}: {reasons[0][0].lower()}{reasons[0][1:].rstrip('.')}",
        "delivered": bool(row["delivered"]),
    }
    return Waiting(Type.attention_requested, Moment.finding, row["id"], row["since"], said, reasons)


def _oddities(row: Row) -> list[str]:
    found: list[str] = []
    if row["conflicts"]:
        found.append(f"Reports of the delivery of {', '.join(row['conflicts'])} contradict each other.")
    if row["status"] != "completed" and row["delivered"]:
        found.append(f"The run ended as {row['status']}, and yet delivered {', '.join(row['delivered'])}.")
    if row["left_open"]:
        found.append("Steps are still open, though the run has ended.")
    return found


async def _weak_tools(asking: Asking) -> Found:
    """Tools whose low utility is repeated, by the rules of their health and from what the viewer may see."""
    at = clock.parse(asking.now)
    window: timedelta = asking.healths.limits.window
    rows = await asking.rows(cypher.WEAK_TOOLS, since=clock.stamp(at - window), most=MOST_TOOLS)
    since = {row["id"]: row["since"] for row in rows}
    found = await asking.healths.of_all(asking.viewer, [*since], at)
    weak = [one for one in found if one.standing is ToolStanding.demoted]
    return Found([_tool(one, since[one.tool_id]) for one in weak], len(rows) >= MOST_TOOLS)


def _tool(one: ToolHealth, since: str) -> Waiting:
    said = {"finding_kind": "low_utility", "finding_id": one.tool_id, "tool": one.name, "asked_again": False}
    reasons = [one.standing_why]
    if one.user_corrections_recent:
        said["asked_again"] = True
        reasons.append(f"After {one.user_corrections_recent} of its calls the user asked again.")
    return Waiting(Type.attention_requested, Moment.finding, one.tool_id, since, said, tuple(reasons), component=TOOLS)


async def _proposals(asking: Asking) -> Found:
    """Proposals that the viewer can decide about: what waits for somebody else does not wait for them."""
    viewer = asking.viewer
    if KeyScope.curate not in viewer.scopes or is_agent(viewer):
        return Found([], truncated=False)
    queue = await asking.reviews.queue(viewer, first=MOST)
    mine = [one for one in queue.items if not _is_for_others(one, viewer)]
    return Found([_proposal(one) for one in mine], queue.truncated or queue.waiting > MOST)


def _is_for_others(one: QueuedProposal, viewer: Viewer) -> bool:
    waits_for_review = one.state is ProposalState.staged and one.risk is Risk.high
    return waits_for_review and one.proposed_by == viewer.principal_id


def _proposal(one: QueuedProposal) -> Waiting:
    said = {
        "question": one.statement,
        "decision_id": one.proposal_id,
        "risk": one.risk.value,
        "since": one.waiting_since,
        "next_step": one.next_step,
        "rationale": one.rationale,
    }
    reasons = (f"A proposal of {one.risk.value} risk is {one.state.value}.", *one.reasons)
    return Waiting(
        Type.decision_required,
        Moment.decision_required,
        one.proposal_id,
        one.waiting_since,
        said,
        reasons,
        component=LEARNING,
    )


SOURCES: Mapping[InboxSource, Find] = {
    InboxSource.gate_waiting: _of_runs(cypher.WAITING_GATES, _gate),
    InboxSource.run_failed: _of_runs(cypher.FAILED_RUNS, _failed),
    InboxSource.run_anomaly: _of_runs(cypher.ODD_RUNS, _odd),
    InboxSource.tool_low_utility: _weak_tools,
    InboxSource.proposal_for_review: _proposals,
}
"""What asks for attention by itself. The user's own directives are in the inbox as they were raised."""
