"""Which events queue what, and for which reason. Each event is judged by itself, so that order does not matter."""

from collections.abc import Iterator, Mapping
from typing import Any

from graph_schema.memory.extraction import ExtractionReason as Reason
from graph_schema.memory.words import ArtifactKind, IntakeLevel, OutputClass

SUMMARY_BYTES = 20_000
"""What is larger cannot be summarised in passing."""

RUN = "run"
MAIN = "main"
"""The record that the event is about."""

_ORDER = {level: rank for rank, level in enumerate(IntakeLevel)}
_USES = frozenset({"artifact_opened", "artifact_bookmarked", "artifact_cited"})
_SIGNALS = frozenset({"run_failed", "intervention"})


def conditions(kind: str, given: Mapping[str, Any], level: str | None) -> Iterator[tuple[str, Reason]]:
    """What an event of this kind queues, apart from the artifacts that it says were used."""
    if kind in _SIGNALS:
        yield RUN, Reason.failure_or_learning_signal
    if kind in _USES:
        yield MAIN, Reason.output_used
    if kind == "artifact_promoted":
        yield MAIN, Reason.user_asked_to_keep
        if "work_product_key" in given:
            yield RUN, Reason.final_work_product
    if level is not None and _ORDER[IntakeLevel(level)] >= _ORDER[IntakeLevel.doc72_reference]:
        yield MAIN, Reason.artifact_policy_requests_memory
    if kind == "artifact_produced":
        yield from _produced(given)


def _produced(given: Mapping[str, Any]) -> Iterator[tuple[str, Reason]]:
    if given.get("size_bytes", 0) > SUMMARY_BYTES:
        yield MAIN, Reason.output_exceeds_summary_threshold
    if given.get("high_value_candidate"):
        yield MAIN, Reason.flagged_high_value
    final = given.get("output_class") == OutputClass.final_output
    if final and given["artifact_kind"] == ArtifactKind.work_product:
        yield RUN, Reason.final_work_product
