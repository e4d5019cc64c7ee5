"""The second lane: what waits for a heavier look, out of band, and why."""

from enum import StrEnum

from graph_schema.model.fields import EvidenceLayer, Key, Text, Timestamp, field
from graph_schema.model.record import Record
from graph_schema.model.relation import Relation


class ExtractionReason(StrEnum):
    """Why a run, an artifact or a design is worth a heavier look."""

    artifact_policy_requests_memory = "artifact_policy_requests_memory"
    output_exceeds_summary_threshold = "output_exceeds_summary_threshold"
    output_used = "output_used"
    user_asked_to_keep = "user_asked_to_keep"
    flagged_high_value = "flagged_high_value"
    final_work_product = "final_work_product"
    failure_or_learning_signal = "failure_or_learning_signal"
    design_session_edited = "design_session_edited"


class ExtractionState(StrEnum):
    """Where an entry of the queue stands."""

    queued = "queued"
    taken = "taken"
    done = "done"


class Extraction(Record):
    """A run, an artifact or a design session that waits to be looked at more closely, for one reason."""

    label = "Extraction"
    plural = "extraction_queue"
    prefix = "extr"
    layer = EvidenceLayer.memory
    colour = "#d4b483"
    natural_key = ("about_id", "reason")

    about_id: Key = field("The run, artifact or design session that waits.", indexed=True, authored=False)
    about_kind: Key = field("Whether it is a Run, an Artifact or a DesignSession.", filtered=True, authored=False)
    reason: ExtractionReason = field("The condition that it met.", filtered=True, authored=False)
    state: ExtractionState = field(
        "Whether somebody works on it.", default=ExtractionState.queued, filtered=True, authored=False
    )
    taken_by: Key | None = field("Id of the principal that took it last.", default=None, authored=False)
    taken_at: Timestamp | None = field("When it was taken last.", default=None, authored=False)
    settled_at: Timestamp | None = field("When it was done.", default=None, authored=False)
    result_note: Text | None = field("What came of it, in a sentence.", default=None, authored=False)


RELATIONS = (
    Relation(
        "EXTRACTS_FROM",
        ("Extraction",),
        ("Run", "Artifact", "DesignSession"),
        "extractions",
        "An entry of the queue, and the run, artifact or design session that waits.",
        EvidenceLayer.memory,
        inherits="tail",
        managed=True,
    ),
)
