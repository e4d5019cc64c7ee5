"""What a preflight tells: its sections, and what they are made of."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from graph_schema.context.words import Binding, ContextLayer, ExclusionReason, Profile
from graph_schema.knowledge.words import PreflightStatus
from graph_schema.memory.words import CheckpointStrategy, MemoryMode
from service.context.packets.planned import MOST_TOLD
from service.knowledge.preflight.artifacts import PreflightArtifact
from service.knowledge.preflight.capabilities import PreflightCapability, Readiness
from service.knowledge.preflight.issues import PreflightFix, PreflightIssue
from service.knowledge.preflight.simulate import Simulation
from service.views import Id, Linked, Time


class EstimateBasis(StrEnum):
    """Which runs an estimate rests on."""

    graph = "graph"
    task = "task"
    template = "template"
    unknown = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightValidation:
    """Whether the graph can be run, and does what its blueprint says."""

    valid: Annotated[bool, "Whether nothing must be mended first."]
    modules: Annotated[int, "Modules of the graph."]
    cables: Annotated[int, "Cables of the graph."]
    checks: Annotated[int, "Checks that were made."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightInput:
    """An input that the blueprint asks for."""

    name: Annotated[str, "What the blueprint calls it."]
    kind: Annotated[str, "What kind of thing it is."]
    required: Annotated[bool, "Whether the task cannot do without it."]
    readiness: Annotated[Readiness, "Whether it is there."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedWord:
    """How often something was so: a layer of a packet, or a reason why something was kept out."""

    word: Annotated[str, "The layer, or the reason."]
    count: Annotated[int, "How many, of those that you may see."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightItem:
    """Something that a module would be given."""

    record_id: Annotated[Id, "The record."]
    name: Annotated[str, "What people call it."]
    kind: Annotated[str, "Type of the record."]
    layer: Annotated[ContextLayer, "The layer that it would be in."]
    tokens: Annotated[int, "Tokens that it would take."]
    why: Annotated[str, "Why it would be in."]
    record: ClassVar = Linked("record_id", "The record, as it is now.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightExclusion:
    """Something that would be kept from a module."""

    record_id: Annotated[Id, "The record."]
    name: Annotated[str, "What people call it."]
    kind: Annotated[str, "Type of the record."]
    reason: Annotated[ExclusionReason, "Why, as a word."]
    why: Annotated[str, "Why, in a sentence."]
    record: ClassVar = Linked("record_id", "The record, as it is now.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightContext:
    """What a module would be given in a run that began now, by the gates of context: what comes in at its ports, and
    what a user would pick for the run, is not known yet."""

    module_key: Annotated[str, "The module."]
    applicable: Annotated[bool, "Whether it gets a packet at all."]
    profile: Annotated[Profile, "Which profile it has by default."]
    explanation: Annotated[str, "Why."]
    layers: Annotated[tuple[ContextLayer, ...], "Layers that it may have at most."]
    binding: Annotated[Binding | None, "The strongest of the bindings of what it would be given."]
    tokens: Annotated[int | None, "Tokens that its packet would take."]
    max_tokens: Annotated[int | None, "Tokens that it may take."]
    injected: Annotated[tuple[CountedWord, ...], "What it would hold, by layer."]
    excluded: Annotated[tuple[CountedWord, ...], "What would be kept out of it, by reason."]
    items: Annotated[
        tuple[PreflightItem, ...], f"What it would hold, the first {MOST_TOLD}. A kept preflight has the counts alone."
    ]
    kept_out: Annotated[
        tuple[PreflightExclusion, ...],
        f"What would be kept out, the first {MOST_TOLD}. A kept preflight has the counts alone.",
    ]
    notices: Annotated[tuple[str, ...], "Codes of what a reader of the packet would be told."]
    packet_id: Annotated[Id | None, "Its packet of the latest run that had one. Null when there is none."]
    packet_tokens: Annotated[int | None, "Tokens of that packet."]
    packet: ClassVar = Linked("packet_id", "That packet.", "ContextPacket")


class ModuleTest(StrEnum):
    """By what a module was tried."""

    earlier_runs = "earlier_runs"
    evaluation = "evaluation"
    prompt_test = "prompt_test"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleTestResult:
    """What is known of how a module does: from running it, from what judges said of what it made, from tests of its
    prompt. Nothing is run for a preflight."""

    module_key: Annotated[str, "The module."]
    test: Annotated[ModuleTest, "By what it was tried."]
    times: Annotated[int, "How often."]
    failed: Annotated[int | None, "How often that failed; null where that is not told."] = None
    score: Annotated[float | None, "What judges gave on average, where they gave numbers."] = None
    says: Annotated[str | None, "The latest verdict, or what the latest test of its prompt recommends."] = None
    record_id: Annotated[Id | None, "The latest test, where it is a record."] = None
    record: ClassVar = Linked("record_id", "The latest test, as it is now.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightEffect:
    """What a module does to the outside world."""

    module_key: Annotated[str, "The module."]
    side_effect_class: Annotated[str, "What class of side effect it is."]
    declared: Annotated[bool, "Whether the blueprint declares it."]
    review_required: Annotated[bool, "Whether the blueprint requires a person's word before."]
    reviewed: Annotated[bool, "Whether every way to it passes a person."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightEstimate:
    """What something usually is, by earlier runs."""

    basis: Annotated[EstimateBasis, "Which runs it rests on; unknown when there are none."]
    runs: Annotated[int, "How many runs it rests on."]
    p50: Annotated[float | None, "Half of them had at most so much."]
    p90: Annotated[float | None, "Nine of ten had at most so much."]
    limit: Annotated[float | None, "What it may be at most, where somebody says."]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointCoverage:
    """From where a run could go on after a crash."""

    strategy: Annotated[CheckpointStrategy | None, "What the graph's settings say; null when they are silent."]
    idempotency_required: Annotated[bool, "Whether the settings ask for an idempotency key of each side effect."]
    runs: Annotated[int, "Earlier runs that were looked at."]
    modules: Annotated[tuple[str, ...], "Modules with a checkpoint in one of them."]
    uncovered_effects: Annotated[
        tuple[str, ...], "Modules with a side effect that have none, nor any module that feeds them."
    ]
    gates: Annotated[tuple[str, ...], "Modules where a run waits for a person."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightReport:
    """One report before anything runs."""

    status: Annotated[PreflightStatus, "What it comes to."]
    record_id: Annotated[Id | None, "What was examined; null for a graph that is not saved."]
    name: Annotated[str, "What people call it."]
    graph_hash: Annotated[str | None, "Hash of the graph that was examined."]
    blueprint_id: Annotated[Id | None, "The blueprint that it was held against."]
    blueprint_hash: Annotated[str | None, "Hash of that blueprint."]
    memory_mode: Annotated[MemoryMode, "How much of the run would be remembered."]
    ready: Annotated[tuple[str, ...], "What is in order, in sentences."]
    static_validation: Annotated[PreflightValidation, "Whether the graph can be run."]
    input_readiness: Annotated[tuple[PreflightInput, ...], "What goes in."]
    capability_readiness: Annotated[tuple[PreflightCapability, ...], "What modules may use, and whether they can."]
    context_preview: Annotated[tuple[PreflightContext, ...], "What modules may know."]
    policy_and_side_effects: Annotated[tuple[PreflightEffect, ...], "What is done to the outside world."]
    artifact_intake_preview: Annotated[tuple[PreflightArtifact, ...], "How far outputs go."]
    cost_estimate: Annotated[PreflightEstimate, "What a run costs, in dollars."]
    duration_estimate: Annotated[PreflightEstimate, "How long a run takes, in milliseconds."]
    checkpoint_coverage: Annotated[CheckpointCoverage, "From where a run could go on."]
    test_results: Annotated[
        tuple[ModuleTestResult, ...], "How modules did when they were tried: in up to 50 earlier runs, and in tests."
    ]
    simulation: Annotated[Simulation | None, "A dry walk of the graph, on all of its starts."]
    blocking_issues: Annotated[tuple[PreflightIssue, ...], "What must be mended first."]
    warnings: Annotated[tuple[PreflightIssue, ...], "What to look at."]
    rules: Annotated[str, "Name and version of the rules that examined it."]
    generated_at: Annotated[Time, "When."]
    record: ClassVar = Linked("record_id", "What was examined, as it is now.")

    @property
    def recommended_fixes(self) -> Annotated[tuple[PreflightFix, ...], "All fixes of the issues, in their order."]:
        found = (one.fix for one in (*self.blocking_issues, *self.warnings))
        return tuple(dict.fromkeys(one for one in found if one is not None))

    @property
    def text(self) -> Annotated[str, "The report in plain words."]:
        lines = [f"Preflight result: {self.status}"]
        for title, told in (
            ("Ready", self.ready),
            ("Blocking", [one.message for one in self.blocking_issues]),
            ("Warnings", [one.message for one in self.warnings]),
            ("Recommended fixes", [f"[{one.title}]" for one in self.recommended_fixes]),
        ):
            lines += [f"{title}:", *(f"- {one}" for one in told)] if told else []
        return "\n".join(lines)
