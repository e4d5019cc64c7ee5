"""What a run may leave behind: its memory policy, from its mode and what was set beside it."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from graph_schema.memory.words import (
    IntakeLevel,
    MemoryMode,
    OutputCapture,
    OutputClass,
    PromptCapture,
    RedactionMode,
    RetentionClass,
    WriteScope,
)
from graph_schema.model.fields import DataClass, EvidenceLayer, Key, Matters
from graph_schema.model.privacy import IN_MEMORY, ephemeral_keeps, incognito_keeps
from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from service.access.viewer import Viewer

LIST_LIMIT = 200
PRIVATE = (MemoryMode.memory_incognito, MemoryMode.full_ephemeral_test)
_LINKING = ("entity_linking_enabled", "goal_linking_enabled", "matter_linking_enabled")


class MatterRef(BaseModel, frozen=True, extra="forbid"):
    """A matter, as the system that keeps matters calls it."""

    source: Key = Field(description="The system that knows it.")
    key: Key = Field(description="What that system calls it.")


class RunPolicy(BaseModel):
    """How a run is remembered, and who may see it. Left out follows from the key's defaults, or from the mode."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory_mode: MemoryMode | None = Field(default=None, description="How much of the run is remembered.")
    data_class: DataClass | None = Field(default=None, description="How sensitive it is.")
    matter_ids: Matters | None = Field(default=None, description="The matters that it belongs to; may be empty.")
    matters: tuple[MatterRef, ...] | None = Field(
        default=None,
        max_length=LIST_LIMIT,
        description="The same by what their owner calls them, beside the ids or instead.",
    )
    artifact_default_level: IntakeLevel | None = Field(
        default=None, description="How far its artifacts go, if nothing else says."
    )
    capture_prompts: PromptCapture | None = Field(default=None, description="What is kept of its prompts.")
    capture_outputs: OutputCapture | None = Field(default=None, description="What is kept of its outputs.")
    memory_write_scope: WriteScope | None = Field(default=None, description="What of it may become memory.")
    entity_linking_enabled: bool | None = Field(default=None, description="Whether it is linked to entities.")
    goal_linking_enabled: bool | None = Field(default=None, description="Whether it is linked to goals.")
    matter_linking_enabled: bool | None = Field(default=None, description="Whether it is linked to its matters.")
    followup_session_linking_enabled: bool | None = Field(
        default=None, description="Whether later sessions are linked to it."
    )
    retention_class: RetentionClass | None = Field(default=None, description="How long it is kept.")
    user_can_retroactively_promote: bool | None = Field(
        default=None, description="Whether its artifacts may be promoted later."
    )

    def lacks(self) -> list[str]:
        """What a run cannot be without."""
        return [name for name in NEEDED if getattr(self, name) is None and not (name == "matter_ids" and self.matters)]

    def filled(self, known: Mapping[str, Any]) -> "RunPolicy":
        """With what is said elsewhere, where this says nothing."""
        more = {name: known[name] for name in self.lacks() if name in known}
        return RunPolicy.model_validate({**self.model_dump(exclude_none=True), **more}) if more else self


def lacking(policy: RunPolicy | None, viewer: Viewer) -> list[str]:
    """What would be missing for a new run: neither said nor among the key's defaults."""
    return (policy or RunPolicy()).filled(viewer.defaults.policy()).lacks()


NEEDED = ("memory_mode", "data_class", "matter_ids")


def _mode(
    prompts: PromptCapture, outputs: OutputCapture, scope: WriteScope, level: IntakeLevel, **more: Any
) -> dict[str, Any]:
    linking = dict.fromkeys((*_LINKING, "followup_session_linking_enabled"), True)
    return {
        "capture_prompts": prompts,
        "capture_outputs": outputs,
        "memory_write_scope": scope,
        "artifact_default_level": level,
        "retention_class": RetentionClass.standard,
        "user_can_retroactively_promote": True,
        **linking,
        **more,
    }


_SUMMARIES = (PromptCapture.redacted, OutputCapture.redacted_summary)
_REFERENCES = (PromptCapture.never, OutputCapture.reference_only)
_UNLINKED = dict.fromkeys((*_LINKING, "followup_session_linking_enabled"), False)

MODES: dict[MemoryMode, dict[str, Any]] = {
    MemoryMode.standard: _mode(*_SUMMARIES, WriteScope.task_run_plus_linked_artifacts, IntakeLevel.run_only),
    MemoryMode.reference_only: _mode(
        *_REFERENCES, WriteScope.task_run_plus_final_artifacts, IntakeLevel.doc72_reference
    ),
    MemoryMode.summary_reference: _mode(
        *_SUMMARIES, WriteScope.task_run_plus_linked_artifacts, IntakeLevel.doc72_summary_reference
    ),
    MemoryMode.summary_plus_learning: _mode(
        *_SUMMARIES, WriteScope.task_run_plus_learning_signals, IntakeLevel.doc72_summary_reference
    ),
    MemoryMode.memory_incognito: _mode(*_REFERENCES, WriteScope.none, IntakeLevel.run_only, **_UNLINKED),
    MemoryMode.full_ephemeral_test: _mode(
        *_REFERENCES,
        WriteScope.none,
        IntakeLevel.no_capture,
        **_UNLINKED,
        retention_class=RetentionClass.ephemeral,
        user_can_retroactively_promote=False,
    ),
}


def settled(policy: RunPolicy) -> dict[str, Any]:
    """The properties of a run under this policy. What a private mode promises, nothing beside it can take back."""
    if policy.memory_mode is None:
        raise AssertionError("a policy is filled before it is settled")
    given = policy.model_dump(mode="json", exclude_none=True)
    access = {"data_class": given.pop("data_class"), "matter_ids": sorted(set(given.pop("matter_ids")))}
    defaults = MODES[policy.memory_mode]
    if policy.memory_mode in PRIVATE:
        given = {name: value for name, value in given.items() if name in _STILL_FREE[policy.memory_mode]}
    plain = {name: str(value) if not isinstance(value, bool) else value for name, value in defaults.items()}
    return {**plain, **given, **access}


_STILL_FREE: dict[MemoryMode, tuple[str, ...]] = {
    MemoryMode.memory_incognito: (
        "memory_mode",
        "capture_prompts",
        "capture_outputs",
        "retention_class",
        "user_can_retroactively_promote",
    ),
    MemoryMode.full_ephemeral_test: ("memory_mode",),
}
ACCESS = ("data_class", "matter_ids")
POLICY_FIELDS = (*MODES[MemoryMode.standard], "memory_mode", *ACCESS)


def policy_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """The policy that a run was reported with. What it is about may have closed it further since."""
    own = {"data_class": run["own_data_class"], "matter_ids": run["own_matter_ids"]}
    return {**{name: run[name] for name in POLICY_FIELDS}, **own}


class Rules:
    """A run's policy as the fold asks it. It is asked several times for every event, so it remembers its answers."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values
        self.mode = MemoryMode(values["memory_mode"])
        self.is_ephemeral = self.mode is MemoryMode.full_ephemeral_test
        self._written: dict[str, bool] = {}
        self._tied: dict[tuple[str, str, str], bool] = {}
        self._left: dict[str, frozenset[str]] = {}

    def writes(self, registry: Registry, label: str) -> bool:
        """Whether records of this label are written for the run."""
        if label not in self._written:
            kind = registry.types[label]
            self._written[label] = bool(kind.receipt) if self.is_ephemeral else self._writes_layer(kind.layer)
        return self._written[label]

    def ties(self, registry: Registry, kind: str, tail: str | None, label: str | None) -> bool:
        """Whether links of this type from this tail are written for the run, with a record of this label at an end."""
        if tail is None or label is None:
            return True  # an id of no known kind: whoever looks it up will refuse it
        key = (kind, tail, label)
        if key not in self._tied:
            layers = {
                one.layer for one in registry.relations if one.type == kind and tail in registry.members(one.tails)
            }
            written = self.writes(registry, label) and self._links(label)
            self._tied[key] = written and all(self._writes_layer(layer) for layer in layers)
        return self._tied[key]

    def remembers_artifact(self, output_class: str | None) -> bool:
        """Whether an artifact that plays this part in the run may be tied to what the memory holds."""
        scope = self.values["memory_write_scope"]
        if scope == WriteScope.task_run_plus_final_artifacts:
            return output_class == OutputClass.final_output
        return scope not in {WriteScope.none, WriteScope.task_run_only}

    @property
    def reaches_memory(self) -> bool:
        """Whether any artifact of the run may go beyond it."""
        return self.values["memory_write_scope"] not in {WriteScope.none, WriteScope.task_run_only}

    @property
    def shares_costs(self) -> bool:
        """Whether what spans cost may be told by their steps and run: not where they are closed to readers of these."""
        closed = self.values["capture_outputs"] == OutputCapture.full_local_only
        return not self.is_ephemeral and (not closed or self.values["data_class"] == DataClass.local_only)

    def _writes_layer(self, layer: EvidenceLayer) -> bool:
        if layer is EvidenceLayer.run_truth:
            return not self.is_ephemeral
        if layer is EvidenceLayer.learning:
            return self.values["memory_write_scope"] == WriteScope.task_run_plus_learning_signals
        return self.values["memory_write_scope"] != WriteScope.none

    def _links(self, label: str) -> bool:
        """Whether the run is linked to records of this label that it did not make."""
        switch = {"Entity": "entity_linking_enabled", "Goal": "goal_linking_enabled"}.get(label)
        return switch is None or bool(self.values[switch])

    def kept(self, label: str, values: dict[str, Any], registry: Registry, *, promoted: bool = False) -> dict[str, Any]:
        """What is kept of an event's values for a record of this label. Promotion tells where something was kept."""
        if self.mode in PRIVATE:
            free = self._leaves(registry.types[label]) | (IN_MEMORY if promoted else frozenset[str]())
            values = {name: value for name, value in values.items() if name in free}
        if label == "Snapshot" and values.get("snapshot_kind") == "prompt":
            values = self._prompt(values)
        if self.values["capture_outputs"] == OutputCapture.reference_only:
            values = {name: value for name, value in values.items() if name not in _SUBSTANCE.get(label, ())}
        return values

    def _leaves(self, kind: RecordType) -> frozenset[str]:
        if kind.label not in self._left:
            self._left[kind.label] = ephemeral_keeps(kind) if self.is_ephemeral else incognito_keeps(kind)
        return self._left[kind.label]

    def own_class(self, label: str, values: dict[str, Any]) -> str | None:
        """The class that a record has beyond its run's: full content never leaves this machine."""
        prompts = label == "Snapshot" and values.get("snapshot_kind") == "prompt"
        capture = self.values["capture_prompts"] if prompts else self.values["capture_outputs"]
        full = capture == "full_local_only" and (prompts or label in {"Artifact", "Span"})
        return DataClass.local_only.value if full else None

    def _prompt(self, values: dict[str, Any]) -> dict[str, Any]:
        capture = self.values["capture_prompts"]
        unredacted = values.get("redaction_mode") in (None, RedactionMode.none)
        if capture == PromptCapture.full_local_only or (capture == PromptCapture.redacted and not unredacted):
            return values
        kept = {name: value for name, value in values.items() if name not in _PROMPT_TEXT}
        return {**kept, "redaction_mode": RedactionMode.hash_only.value}


_PROMPT_TEXT = (
    "prompt_text_ref",
    "system_instruction_ref",
    "module_instruction_ref",
    "dynamic_instruction_ref",
    "context_bundle_ref",
    "chain_history_projection_ref",
    "cil_layer_refs",
    "attached_file_refs",
    "storage_ref",
)
_SUBSTANCE = {
    "Run": ("workflow_summary", "quality_summary"),
    "Activation": ("input_summary", "output_summary"),
    "Span": ("summary",),
    "Artifact": ("summary", "key_points"),
    "WorkProduct": ("summary",),
}
