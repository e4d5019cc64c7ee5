"""What was recorded becomes signals: each once, behind the same gate as what is reported."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

from graph_schema.learning.words import DesignSignalKind, SignalOrigin, SignalType
from graph_schema.model.fields import TEXT_LENGTH
from graph_schema.routing.words import SuggestionResponse
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.graph.database import Database, Row
from service.learning.lane import cypher
from service.learning.signals.answers import told
from service.learning.signals.commands import LearningSignals
from service.learning.signals.inputs import LearningSignal

SOURCE = "tasklore learning"
AT_ONCE = 500

SOURCES: Mapping[SignalOrigin, LiteralString] = {
    SignalOrigin.context_feedback: cypher.FEEDBACK,
    SignalOrigin.artifact_use: cypher.ARTIFACTS,
    SignalOrigin.fork: cypher.FORKS,
    SignalOrigin.follow_up: cypher.FOLLOW_UPS,
    SignalOrigin.segment_reuse: cypher.SEGMENTS,
    SignalOrigin.suggestion_feedback: cypher.SUGGESTIONS,
    SignalOrigin.tool_standing: cypher.TOOLS,
}
_KINDS = {
    SuggestionResponse.accepted.value: DesignSignalKind.template_selected,
    SuggestionResponse.rejected.value: DesignSignalKind.template_rejected,
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """How many signals were drawn from one kind of record, and how many the gate kept back."""

    origin: SignalOrigin
    drawn: int
    refused: int


async def draw(database: Database, signals: LearningSignals, viewer: Viewer) -> list[Drawn]:
    """A batch of each kind; what is left is drawn the next time."""
    found: list[Drawn] = []
    for origin, statement in SOURCES.items():
        rows = await database.read(statement, source=SOURCE, most=AT_ONCE, audiences=viewer.audiences)
        if rows:
            outcome = await signals.draw(viewer, origin, [_signal(origin, row) for row in rows])
            report = told(outcome.result)
            found.append(Drawn(origin, report.accepted, report.rejected))
    return found


async def waiting(database: Database, viewer: Viewer) -> list[Drawn]:
    """How many there would be, of each kind."""
    counts = {
        origin: len(await database.read(one, source=SOURCE, most=AT_ONCE, audiences=viewer.audiences))
        for origin, one in SOURCES.items()
    }
    return [Drawn(origin, count, 0) for origin, count in counts.items() if count]


def _signal(origin: SignalOrigin, row: Row) -> LearningSignal:
    about = [row["id"], *row["seen_on"]]
    suggested = origin is SignalOrigin.suggestion_feedback
    return LearningSignal(
        source=SOURCE,
        signal_id=row["id"],
        signal_kind=_KINDS.get(row["result"]) if suggested and row["seen_on"] else None,
        **_said(origin, row),
        run=RecordRef(id=row["run_id"]) if row["run_id"] else None,
        about=tuple(RecordRef(id=one) for one in dict.fromkeys(about)),
        context_class_key=row["subject"] if suggested else None,
        pattern_promotion_eligible=True,
        emitted_at=row["at"],
    )


def _said(origin: SignalOrigin, row: Row) -> dict[str, Any]:
    """How a tool stands is counted from its calls; all else is something that a user did."""
    if origin is not SignalOrigin.tool_standing:
        payload = {"action": row["result"], "surface": origin.value}
        return {"signal_type": SignalType.user_action, "payload": payload}
    told = row["standing"]
    support, counter = told["evidence_count"], told["counter_count"]
    payload = {
        "statement": f"{row['result']}: {told['rationale']}"[:TEXT_LENGTH],
        "support_count": support,
        "counter_count": counter,
        "strength": round(support / (support + counter), 4) if support + counter else 0.0,
    }
    return {"signal_type": SignalType.task_design_correlation, "payload": payload}
