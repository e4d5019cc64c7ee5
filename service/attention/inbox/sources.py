"""Where what waits comes from: one entry a source. A source finds rows, and says what each of them is as an event."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, LiteralString

from graph_schema.attention.words import AgentEventType as Type
from graph_schema.attention.words import AttentionMoment as Moment
from service.attention.inbox import cypher

Row = Mapping[str, Any]
TASKS = "tasks"
"""The component that the rules for runs are for."""


class InboxSource(StrEnum):
    """Where something in the inbox comes from."""

    directive = "directive"
    gate_waiting = "gate_waiting"
    run_failed = "run_failed"
    run_anomaly = "run_anomaly"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a row is: the event that it would be, and why it is here beside what the rules say."""

    type: Type
    moment: Moment
    record_id: str
    since: str
    payload: Mapping[str, Any]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    statement: LiteralString
    read: Callable[[Row, str], Waiting]
    """The row, and what time it is."""


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


SOURCES: Mapping[InboxSource, Source] = {
    InboxSource.gate_waiting: Source(cypher.WAITING_GATES, _gate),
    InboxSource.run_failed: Source(cypher.FAILED_RUNS, _failed),
    InboxSource.run_anomaly: Source(cypher.ODD_RUNS, _odd),
}
"""What happens in runs. The user's own directives are in the inbox as they were raised."""
