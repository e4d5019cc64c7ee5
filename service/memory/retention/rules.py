"""How long runs are kept, and what stays of them. Plain functions and tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from graph_schema.memory.words import ArtifactState, IntakeLevel, OutputClass, RetentionClass
from service import clock
from service.memory.reporting.intake import rank

Values = Mapping[str, Any]

OPEN = "/open"
LEAST_OPEN_DAYS = 90
"""A run that never told its end is taken for ended when it began so long ago, or as long as its class says."""


@dataclass(frozen=True, slots=True)
class Ages:
    """Days that each class is kept; 0 means for ever."""

    days: Mapping[RetentionClass, int]

    def ranges(self, kept: RetentionClass, now: datetime) -> list[dict[str, str]]:
        """What `Run.due` lies between when a run of this class is due; nothing when it is kept for ever."""
        days = self.days[kept]
        if not days:
            return []
        longest = max(days, LEAST_OPEN_DAYS)
        return [
            _range(kept.value, now - timedelta(days=days)),
            _range(kept.value + OPEN, now - timedelta(days=longest)),
        ]

    def expiry(self, due: str) -> str | None:
        """When a run with this `due` is due, in time alone."""
        kept, _, since = due.partition(" ")
        days = self.days[RetentionClass(kept.removesuffix(OPEN))]
        if not days:
            return None
        return clock.stamp(clock.parse(since) + timedelta(days=max(days, LEAST_OPEN_DAYS) if OPEN in kept else days))


def _range(prefix: str, cutoff: datetime) -> dict[str, str]:
    return {"low": f"{prefix} ", "high": f"{prefix} {clock.stamp(cutoff)}", "cutoff": clock.stamp(cutoff)}


def due_of(run: Values) -> str | None:
    """A run's class with the time that its age counts from, as one value that an index orders."""
    if "compacted_at" in run:
        return None
    kept, ended, began = run["retention_class"], run.get("completed_at"), run.get("started_at")
    if run.get("status") in {"completed", "failed", "cancelled"} and ended:
        return f"{kept} {ended}"
    return f"{kept}{OPEN} {began}" if began else None


class RetentionStanding(StrEnum):
    """Where a run or an artifact stands with its retention."""

    kept = "kept"
    due = "due"
    held = "held"
    compacting = "compacting"
    compacted = "compacted"


INSIDE = (
    "HAS_SPAN",
    "CHILD_OF",
    "IN",
    "UNDER",
    "HAS_CHECKPOINT",
    "AFTER",
    "RAN_IN",
    "STEERED_BY",
    "HEARD",
    "MAPPED_TO",
)
"""Links that hold a run's parts together. Any other that leads to a part is somebody's evidence."""

# Dropped by compaction. What is not named here stays: identity, references to task, template and blueprint, what it
# cost, how it went and failed, a line on what each module did, deliveries and all lineage.
DROPPED: dict[str, tuple[str, ...]] = {
    "Run": ("trace_id", "graph_snapshot_ref", "key_config_snapshot_ref", "raw_run_ref", "stamps"),
    "Activation": (
        "think_level",
        "agent_ref",
        "input_summary",
        "input_bundle_ref",
        "output_bundle_ref",
        "detail_ref",
        "stamps",
    ),
    "Gate": ("question", "deadline_at", "decision_note", "stamps"),
    "Artifact": (
        "summary",
        "key_points",
        "storage_ref",
        "media_type",
        "size_bytes",
        "sender",
        "recipients",
        "thread_ref",
        "suggested_level",
        "suggested_by_id",
        "stamps",
    ),
}
REMEMBERED = tuple(level.value for level in IntakeLevel if rank(level) >= rank(IntakeLevel.doc72_reference))


def dropped(label: str) -> dict[str, None]:
    """The properties to take away, as a map that does it."""
    return dict.fromkeys(DROPPED[label])


def stays(artifact: Values) -> bool:
    """Whether compaction leaves an artifact whole: what is final, was promoted or became memory."""
    return (
        artifact.get("output_class") == OutputClass.final_output
        or artifact.get("artifact_state") == ArtifactState.promoted
        or artifact["intake_level"] in REMEMBERED
    )
