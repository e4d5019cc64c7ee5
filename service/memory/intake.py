"""How far an artifact goes beyond its run: the first rule that speaks decides, and is remembered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.run_words import (
    ArtifactKind,
    CaptureMode,
    IntakeLevel,
    IntakeRule,
    MemoryMode,
    OutputClass,
)
from service.memory.policy import MODES, Rules

_ORDER = {level: rank for rank, level in enumerate(IntakeLevel)}
MESSAGES = frozenset({ArtifactKind.email, ArtifactKind.text_message})
_EVIDENCE = frozenset({ArtifactKind.judge_result, ArtifactKind.experiment_bundle})
_SUBSTANTIAL = frozenset({ArtifactKind.document, ArtifactKind.work_product})
_FETCHED = frozenset({OutputClass.downloaded_document, OutputClass.received_attachment})

_CAPTURED = {
    CaptureMode.never_capture: IntakeLevel.no_capture,
    CaptureMode.keep_with_run: IntakeLevel.run_only,
    CaptureMode.make_findable: IntakeLevel.doc72_reference,
    CaptureMode.make_findable_with_summary: IntakeLevel.doc72_summary_reference,
    CaptureMode.process_documents: IntakeLevel.doc25_document_ingestion,
    CaptureMode.save_work_product: IntakeLevel.doc25_work_product_ingestion,
    CaptureMode.add_to_library: IntakeLevel.doc73_library_ingestion,
    CaptureMode.ask_each_time: IntakeLevel.run_only,
}

STATED = (
    ("module_port_level", IntakeRule.module_port),
    ("task_port_level", IntakeRule.task_port),
    ("capture_mode", IntakeRule.capture_mode),
    ("step_intent_level", IntakeRule.step_intent),
    ("output_class_level", IntakeRule.output_class),
    ("task_level", IntakeRule.task),
)
"""What the executor may say about an artifact, the strongest first."""


@dataclass(frozen=True, slots=True)
class Intake:
    level: IntakeLevel
    rule: IntakeRule
    suggested: IntakeLevel | None = None

    def values(self) -> dict[str, Any]:
        return {
            "intake_level": self.level.value,
            "intake_rule": self.rule.value,
            "suggested_level": self.suggested.value if self.suggested else None,
            "review_required": self.suggested is not None,
        }


def decide(rules: Rules, event: Mapping[str, Any]) -> Intake:
    """The level of an artifact with these reported values, in a run under these rules."""
    if rules.mode is MemoryMode.full_ephemeral_test:
        return Intake(IntakeLevel.no_capture, IntakeRule.ephemeral)
    level, rule, asked = next(_speaking(rules, event))
    if rules.mode is MemoryMode.memory_incognito and _ORDER[level] >= _ORDER[IntakeLevel.run_only]:
        return Intake(IntakeLevel.run_only, IntakeRule.incognito)
    above = event.get("review_above_level")
    if above is not None and _ORDER[level] > _ORDER[IntakeLevel(above)]:
        return Intake(IntakeLevel.run_only, rule, level)
    return Intake(level, rule, asked)


def _speaking(rules: Rules, event: Mapping[str, Any]) -> Iterator[tuple[IntakeLevel, IntakeRule, IntakeLevel | None]]:
    for name, rule in STATED:
        said = event.get(name)
        if said is None:
            continue
        if name != "capture_mode":
            yield IntakeLevel(said), rule, None
        elif CaptureMode(said) in _CAPTURED:
            asks = CaptureMode(said) is CaptureMode.ask_each_time
            yield _CAPTURED[CaptureMode(said)], rule, IntakeLevel.doc72_summary_reference if asks else None
    chosen = IntakeLevel(rules.values["artifact_default_level"])
    # The standard mode keeps with the run whatever nothing else speaks for; so there the recommended defaults speak.
    if rules.mode is not MemoryMode.standard or chosen != MODES[MemoryMode.standard]["artifact_default_level"]:
        yield chosen, IntakeRule.memory_policy, None
    level, asked = _recommended(event)
    yield level, IntakeRule.recommended_default, asked


def _recommended(event: Mapping[str, Any]) -> tuple[IntakeLevel, IntakeLevel | None]:
    kind, part = event.get("artifact_kind"), event.get("output_class")
    if kind in _EVIDENCE:
        return IntakeLevel.run_only, None
    if part in _FETCHED:
        return IntakeLevel.doc25_document_ingestion, None
    if part == OutputClass.final_output and kind in _SUBSTANTIAL:
        return IntakeLevel.doc72_summary_reference, IntakeLevel.doc25_work_product_ingestion
    if part == OutputClass.final_output:
        return IntakeLevel.doc72_summary_reference, None
    if event.get("high_value_candidate"):
        return IntakeLevel.run_only, IntakeLevel.doc72_summary_reference
    return IntakeLevel.run_only, None


def kept_of(values: dict[str, Any], level: IntakeLevel) -> dict[str, Any]:
    """What an artifact keeps at its level: nothing but a receipt below the run, no body of a mere message."""
    if level is IntakeLevel.no_capture:
        return {name: value for name, value in values.items() if name in _RECEIPT}
    if values.get("artifact_kind") in MESSAGES and _ORDER[level] < _ORDER[IntakeLevel.doc72_summary_reference]:
        return {name: value for name, value in values.items() if name not in {"summary", "key_points"}}
    return values


_RECEIPT = frozenset(
    {"artifact_kind", "output_class", "port_name", "produced_at", "module_key", "activation_seq", "content_hash"}
)
