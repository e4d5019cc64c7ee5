"""How far an artifact goes beyond its run: the first rule that speaks decides, and is remembered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graph_schema.memory.policies import IncognitoOverride
from graph_schema.memory.words import (
    ArtifactKind,
    CaptureMode,
    Endpoint,
    IntakeLevel,
    IntakeRule,
    MemoryMode,
    OutputClass,
)
from service.memory.intake.endpoints import usual
from service.memory.intake.policies import NONE, Holding, State, may_be_named
from service.memory.reporting.policy import MODES, Rules

_ORDER = {level: rank for rank, level in enumerate(IntakeLevel)}

MESSAGES = frozenset({ArtifactKind.email, ArtifactKind.text_message})
_EVIDENCE = frozenset({ArtifactKind.judge_result, ArtifactKind.experiment_bundle})
SUBSTANTIAL = frozenset({ArtifactKind.document, ArtifactKind.work_product})
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
class Voice:
    """What one place of the chain says, and the policy that says it, if it is one."""

    level: IntakeLevel
    rule: IntakeRule
    asked: IntakeLevel | None = None
    policy: State | None = None


@dataclass(frozen=True, slots=True)
class Intake:
    level: IntakeLevel
    rule: IntakeRule
    suggested: IntakeLevel | None = None
    policy: State | None = None
    suggested_by: State | None = None
    endpoint: Endpoint | None = None

    def values(self, run: State) -> dict[str, Any]:
        """As the artifact stores it. A policy is named where all who see the run may see it."""
        policy = self.policy if self.policy and may_be_named(self.policy, run) else None
        asking = self.suggested_by if self.suggested_by and may_be_named(self.suggested_by, run) else None
        return {
            "intake_level": self.level.value,
            "intake_rule": self.rule.value,
            "intake_policy_id": policy["id"] if policy else None,
            "intake_policy_version": policy["version"] if policy else None,
            "endpoint": self.endpoint.value if self.endpoint else None,
            "suggested_level": self.suggested.value if self.suggested else None,
            "suggested_by_id": asking["id"] if asking else None,
            "review_required": self.suggested is not None,
        }


def rank(level: IntakeLevel) -> int:
    """Orders levels from what leaves nothing to what goes furthest."""
    return _ORDER[level]


def decide(rules: Rules, event: Mapping[str, Any], holding: Holding = NONE) -> Intake:
    """The level of an artifact with these reported values, in a run under these rules, while these policies hold."""
    if rules.mode is MemoryMode.full_ephemeral_test:
        return Intake(IntakeLevel.no_capture, IntakeRule.ephemeral)
    voice = next(voices(rules, event, holding))
    if rules.mode is MemoryMode.memory_incognito and _ORDER[voice.level] >= _ORDER[IntakeLevel.run_only]:
        return _incognito(holding)
    if _ORDER[voice.level] > _ORDER[IntakeLevel.run_only] and not rules.reaches_memory:
        # The run's memory policy stands above the policies of artifacts.
        return Intake(IntakeLevel.run_only, IntakeRule.memory_policy)
    suggested, asking = _suggestion(event, holding, voice)
    if suggested is not None and suggested == voice.level:
        return Intake(IntakeLevel.run_only, voice.rule, suggested, voice.policy, asking)
    endpoint = _endpoint(voice)
    return Intake(voice.level, voice.rule, suggested, voice.policy, asking, endpoint)


def _incognito(holding: Holding) -> Intake:
    override = holding.first("incognito_override")
    if override is not None and override.said == IncognitoOverride.suppress_all_optional_memory:
        return Intake(IntakeLevel.no_capture, IntakeRule.incognito, policy=override.policy)
    return Intake(IntakeLevel.run_only, IntakeRule.incognito)


def _suggestion(event: Mapping[str, Any], holding: Holding, voice: Voice) -> tuple[IntakeLevel | None, State | None]:
    """The level that a person is asked about, and the policy that asks. It may be the one that was decided."""
    stated, policy = event.get("review_above_level"), holding.first("user_review_required_above_level")
    above = stated or (policy.said if policy else None)
    if above is not None and _ORDER[voice.level] > _ORDER[IntakeLevel(above)]:
        return voice.level, policy.policy if policy and not stated else None
    wary = holding.first("review_required")
    if wary is not None and wary.said and _ORDER[voice.level] > _ORDER[IntakeLevel.run_only]:
        return voice.level, wary.policy
    for one in holding.candidates(review=True) if voice.level is not IntakeLevel.no_capture else ():
        if _ORDER[IntakeLevel(one["suggested_level"])] > _ORDER[voice.level]:
            return IntakeLevel(one["suggested_level"]), one
    return voice.asked, None


def _endpoint(voice: Voice) -> Endpoint | None:
    named = voice.policy.get("endpoint") if voice.policy else None
    if named is not None and voice.level is IntakeLevel.doc25_document_ingestion:
        return Endpoint(named)
    return usual(voice.level)


def voices(rules: Rules, event: Mapping[str, Any], holding: Holding = NONE) -> Iterator[Voice]:
    """All that speaks for an artifact, the strongest first. Of one place the executor is heard before the policies."""
    for name, rule in STATED:
        if rule is IntakeRule.output_class:
            for one in holding.candidates(review=False):
                yield Voice(IntakeLevel(one["suggested_level"]), IntakeRule.candidate_rule, policy=one)
        if event.get(name) is not None:
            yield from _heard(rule, event[name], None)
        for saying in holding.says(rule):
            yield from _heard(rule, saying.said, saying.policy)
    chosen = IntakeLevel(rules.values["artifact_default_level"])
    # The standard mode keeps with the run whatever nothing else speaks for; so there the recommended defaults speak.
    if rules.mode is not MemoryMode.standard or chosen != MODES[MemoryMode.standard]["artifact_default_level"]:
        yield Voice(chosen, IntakeRule.memory_policy)
    level, asked = _recommended(event, high_value=holding.marks_high_value())
    yield Voice(level, IntakeRule.recommended_default, asked)


def _heard(rule: IntakeRule, said: str, policy: State | None) -> Iterator[Voice]:
    if rule is not IntakeRule.capture_mode:
        yield Voice(IntakeLevel(said), rule, policy=policy)
    elif CaptureMode(said) in _CAPTURED:
        asks = CaptureMode(said) is CaptureMode.ask_each_time
        yield Voice(_CAPTURED[CaptureMode(said)], rule, IntakeLevel.doc72_summary_reference if asks else None, policy)


def _recommended(event: Mapping[str, Any], *, high_value: bool) -> tuple[IntakeLevel, IntakeLevel | None]:
    kind, part = event.get("artifact_kind"), event.get("output_class")
    if kind in _EVIDENCE:
        return IntakeLevel.run_only, None
    if part in _FETCHED:
        return IntakeLevel.doc25_document_ingestion, None
    if part == OutputClass.final_output and kind in SUBSTANTIAL:
        return IntakeLevel.doc72_summary_reference, IntakeLevel.doc25_work_product_ingestion
    if part == OutputClass.final_output:
        return IntakeLevel.doc72_summary_reference, None
    if event.get("high_value_candidate") or high_value:
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
