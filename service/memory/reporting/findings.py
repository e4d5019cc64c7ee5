"""What the records of a run lack, as codes of the specification. Pure: it looks at a story that was loaded."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from service.commands.work import State
    from service.memory.audit.load import Story


class FindingCode(StrEnum):
    """What may be missing."""

    prompt_snapshot_missing = "validation.prompt_snapshot_required_missing"
    capability_unavailable = "validation.capability_required_unavailable"
    delivery_record_missing = "validation.task_delivery_record_missing_for_delivered_output"
    output_link_missing = "warning.module_output_link_missing"
    final_output_not_saved = "warning.final_output_not_saved_as_work_product"
    intermediate_likely_valuable = "warning.intermediate_output_likely_high_value"
    gate_recommended = "warning.human_gate_recommended_before_side_effect"


@dataclass(frozen=True, slots=True)
class Finding:
    code: FindingCode
    record_id: str


_SENT = frozenset({"email", "imessage", "chat", "webhook", "calendar"})
_SUBSTANTIAL = frozenset({"document", "work_product"})


def findings(story: "Story") -> Iterator[Finding]:
    """What is kept as `full_local_only` may be hidden from whoever asks: of that nothing is said to be missing."""
    run = story.run.properties
    if run["capture_prompts"] == "redacted":
        yield from _prompts(story)
    yield from _capabilities(story)
    if run["capture_outputs"] != "full_local_only" and run["memory_mode"] != "full_ephemeral_test":
        yield from _outputs(story)
        yield from _deliveries(story)


def _prompts(story: "Story") -> Iterator[Finding]:
    """A step that called a model, of which no prompt is kept though the policy keeps prompts."""
    kept = {_step(one) for one in story.of("Snapshot") if one.properties.get("snapshot_kind") == "prompt"}
    called = {_step(one) for one in story.of("Span") if one.properties.get("span_kind") == "llm_call"}
    for one in story.of("Activation"):
        if _step(one) not in kept and ("model_ref" in one.properties or _step(one) in called):
            yield Finding(FindingCode.prompt_snapshot_missing, one.id)


def _capabilities(story: "Story") -> Iterator[Finding]:
    for one in story.of("Snapshot"):
        values = one.properties
        if {*values.get("required_capabilities", ())} - {*values.get("mounted_capabilities", ())}:
            yield Finding(FindingCode.capability_unavailable, one.id)


def _outputs(story: "Story") -> Iterator[Finding]:
    made, became = story.linked("PRODUCED"), story.linked("BECAME")
    for one in story.of("Activation"):
        values = one.properties
        told = values.get("output_summary") or values.get("output_bundle_ref")
        if values["status"] == "success" and told and one.id not in made:
            yield Finding(FindingCode.output_link_missing, one.id)
    for one in story.of("Artifact"):
        if one.properties.get("run_id") == story.run.id:
            yield from _output(story, one, saved=one.id in became)


def _output(story: "Story", artifact: "State", *, saved: bool) -> Iterator[Finding]:
    values, part = artifact.properties, artifact.properties.get("output_class")
    done = story.run.properties["status"] == "completed"
    if part == "final_output" and values.get("artifact_kind") in _SUBSTANTIAL and done and not saved:
        yield Finding(FindingCode.final_output_not_saved, artifact.id)
    used = sum(values.get(name, 0) for name in ("opened_count", "bookmarked_count", "cited_count"))
    if part == "intermediate_output" and values["intake_level"] == "run_only" and used:
        yield Finding(FindingCode.intermediate_likely_valuable, artifact.id)
    if part == "sent_message" and artifact.id not in story.linked("DELIVERED_BY"):
        yield Finding(FindingCode.delivery_record_missing, artifact.id)


def _deliveries(story: "Story") -> Iterator[Finding]:
    recorded = {_step(one) for one in story.of("Delivery")}
    for one in story.of("Span"):
        values = one.properties
        delivered = values.get("span_kind") == "output_delivery" and values["status"] == "success"
        if delivered and _step(one) not in recorded:
            yield Finding(FindingCode.delivery_record_missing, one.id)
    for one in story.of("Delivery"):
        values = one.properties
        sent = values.get("delivery_kind") in _SENT and values["status"] == "delivered"
        if sent and "policy_approval_ref" not in values and not story.of("Gate"):
            yield Finding(FindingCode.gate_recommended, one.id)


def _step(state: "State") -> tuple[Any, Any]:
    return state.properties.get("module_key"), state.properties.get("activation_seq")
