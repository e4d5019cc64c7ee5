"""Blueprints: what a task is for and why its graph is as it is, apart from how it is executed."""

from graph_schema.library.words import (
    ASSET_STATES,
    AuthoredBy,
    AutonomyLevel,
    Complexity,
    ContractSide,
    OutputStakes,
    SourceDependency,
)
from graph_schema.memory.words import IntakeLevel
from graph_schema.model.fields import EvidenceLayer, Key, Keys, LongText, Opaque, Text, Texts, Words, field
from graph_schema.model.record import Record


class Blueprint(Record):
    """The intent behind a task or template: its goal, what goes in and comes out, its steps and criteria."""

    label = "Blueprint"
    plural = "blueprints"
    prefix = "bp"
    layer = EvidenceLayer.memory
    colour = "#7fb6d5"
    carded = True
    ordered_by = ("name",)
    states = ASSET_STATES

    description: Text | None = field("What it describes.", default=None, fulltext=True)
    business_or_personal_goal: Text = field("What the task is to achieve.", fulltext=True)
    task_type: Key = field("What type of task it is.", filtered=True)
    domain: Key | None = field("Field of work.", default=None, filtered=True)
    document_archetypes: Words = field("Kinds of document that it is about.", make=list, fulltext=True)
    model_strategy: Text | None = field("Which models are used for what.", default=None)
    artifact_policy: IntakeLevel | None = field("What is kept of its outputs, unless a step says more.", default=None)
    telemetry_policy: Text | None = field("What is recorded of its runs.", default=None)
    assessment_plan: Text | None = field("How its results are judged.", default=None)
    assess_runs: bool = field("Whether each of its runs is assessed once it has ended.", default=False)
    security_profile_ref: Key | None = field("Where its security profile is kept.", default=None)
    retention_policy_ref: Key | None = field("Where its retention policy is kept.", default=None)
    blueprint_version: Key = field("The author's own name for this version.", default="1")
    authored_by: AuthoredBy = field("Whose hand it is of.", default=AuthoredBy.user)
    broad_scope: bool = field("Whether the task is meant to reach across matters.", default=False)
    output_stakes: OutputStakes = field(
        "What is at stake with its outputs.", default=OutputStakes.internal_advisory, filtered=True
    )
    autonomy_level: AutonomyLevel = field(
        "How much its modules do without being asked.", default=AutonomyLevel.manual, authored=False
    )
    blueprint_hash: Key | None = field("Hash of the blueprint and its parts.", default=None, authored=False)
    current_graph_version: int | None = field(
        "Which graph of its task or template it goes with: 1 is the first, and each other graph counts on.",
        default=None,
        authored=False,
        ge=1,
    )
    modules_count: int = field("Modules of its graph.", default=0, authored=False, ge=0)
    outcome_count: int = field("Outputs that it promises.", default=0, authored=False, ge=0)
    source_dependency: SourceDependency = field(
        "On how many sources it depends.", default=SourceDependency.self_contained, authored=False
    )
    overall_complexity: Complexity = field(
        "How much there is to it: its highest axis.", default=Complexity.simple, authored=False, filtered=True
    )
    diff: LongText | None = field("How it differs from the version before, as JSON.", default=None, authored=False)
    content: Opaque | None = field(
        "All that its author says, with its parts, as JSON: any two versions can be compared.",
        default=None,
        hidden=True,
    )


class Part(Record):
    """What the parts of a blueprint share: they are saved with it, and go with it."""

    layer = EvidenceLayer.memory


class StepIntent(Part):
    """One step of a blueprint: what it is for, and why it is there."""

    label = "StepIntent"
    plural = "step_intents"
    prefix = "step"
    colour = "#a6cfe2"

    step_key: Key = field("What the blueprint calls the step.")
    purpose: Text = field("What the step is for.", fulltext=True)
    why_it_exists: Text | None = field("Why the step is there at all.", default=None)
    expected_input_refs: Words = field("What it takes, by name of the contract.", make=list)
    expected_output_refs: Words = field("What it makes, by name of the contract.", make=list)
    suggested_module_type: Key | None = field("Type of module that would do it.", default=None, filtered=True)
    optional_capabilities: Words = field(
        "Capabilities that would help, in words; ALLOWS links those it may use.", make=list
    )
    artifact_policy_override: IntakeLevel | None = field("What is kept of its outputs.", default=None)
    design_rationale: Text | None = field("Why it is done like this.", default=None)
    alternatives_considered: Texts = field("What else was thought of.", make=list)


class Contract(Part):
    """What a blueprint takes or makes."""

    label = "Contract"
    plural = "contracts"
    prefix = "ctr"
    colour = "#b9dfd3"

    side: ContractSide = field("Whether it goes in or comes out.", filtered=True)
    kind: Key = field("What kind of thing it is.", filtered=True)
    description: Text | None = field("What it must be like.", default=None)
    required: bool = field("Whether the task cannot do without it.", default=True)
    archetype: Key | None = field("The shape that it has.", default=None)


class Criterion(Part):
    """What a result is judged by."""

    label = "Criterion"
    plural = "criteria"
    prefix = "crit"
    colour = "#d5e8a8"

    statement: Text = field("What must be true of the result.")
    weight: float | None = field("How much it counts.", default=None, ge=0)


class ReviewPoint(Part):
    """Where a person looks before the task goes on."""

    label = "ReviewPoint"
    plural = "review_points"
    prefix = "rev"
    colour = "#f5dd9d"

    statement: Text = field("What the person decides.")
    before: Key | None = field("The step that waits for it.", default=None)


class SideEffect(Part):
    """What a task does to the outside world."""

    label = "SideEffect"
    plural = "side_effects"
    prefix = "side"
    colour = "#f0a58f"

    side_effect_class: Key = field("What class of side effect it is.", filtered=True)
    description: Text | None = field("What it does, to what.", default=None)
    review_required: bool = field("Whether a person must have agreed before.", default=True)
    evidence_refs: Keys = field("Where the evidence for it is kept.", make=list)
