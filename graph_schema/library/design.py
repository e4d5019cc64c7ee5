"""Design knowledge: shapes that work, what earlier tasks taught, and what the user has asked for."""

from graph_schema.library.assets import Phrased
from graph_schema.library.words import (
    ASSET_STATES,
    CASE_STATES,
    LEARNED_STATES,
    CaseGround,
    CrossModelApplicability,
    DirectiveKind,
    DirectiveSource,
    LessonAuthority,
    ModelClass,
    PatternKind,
    SourceKind,
)
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Texts, Timestamp, Words, field
from graph_schema.model.record import Record


class Pattern(Phrased):
    """A reusable shape of a process, or one to be avoided. It is no graph."""

    label = "Pattern"
    plural = "patterns"
    prefix = "pat"
    layer = EvidenceLayer.memory
    colour = "#67b7a1"
    carded = True
    saved = True
    ordered_by = ("name", "updated_at")
    states = ASSET_STATES

    pattern_kind: PatternKind = field("Whether to follow or to avoid it.", default=PatternKind.pattern, filtered=True)
    purpose: Text = field("What it is good for.", fulltext=True)
    task_types: Words = field("Types of task that it fits.", make=list)
    domain_tags: Words = field("Fields of work that it belongs to.", make=list)
    canonical_graph_shapes: Texts = field("The shapes that it takes.", make=list)
    instead: Text | None = field("What to do instead of an anti-pattern.", default=None)
    source_authority: SourceKind = field("Who or what says so.", default=SourceKind.architect_authored, filtered=True)
    model_class: ModelClass | None = field("Class of model that it was seen with.", default=None, filtered=True)
    cross_model_applicability: CrossModelApplicability = field(
        "Whether it holds for other classes of model.", default=CrossModelApplicability.requires_validation
    )


class Case(Phrased):
    """An earlier task, distilled: what was wanted, what was built, why, and what came of it."""

    label = "Case"
    plural = "cases"
    prefix = "case"
    layer = EvidenceLayer.learning
    colour = "#8f7fc7"
    carded = True
    saved = True
    ordered_by = ("name", "updated_at")
    states = CASE_STATES

    task_type: Key = field("What type of task it was.", filtered=True)
    domain: Key | None = field("Field of work.", default=None, filtered=True)
    context_class_key: Key | None = field("Class of context that it belongs to.", default=None, filtered=True)
    user_intent_summary: Text = field("What the user wanted.", fulltext=True)
    final_blueprint_summary: Text = field("What was built.", default="", fulltext=True)
    user_refinements: Texts = field("What the user changed on the way.", make=list)
    outcome_summary: Text = field("What came of it.", default="")
    active_because: CaseGround | None = field("The ground on which it may teach.", default=None, filtered=True)
    evidence_refs: Keys = field("Where the evidence for it is kept.", make=list)
    assessment_refs: Keys = field("Where assessments of it are kept.", make=list)


class Decision(Record):
    """One choice in the design of a task, with its reason."""

    label = "Decision"
    plural = "decisions"
    prefix = "dec"
    layer = EvidenceLayer.learning
    colour = "#b69ad6"
    saved = True
    states = LEARNED_STATES

    selected_design: Text = field("What was chosen.")
    because: Text = field("Why.")
    alternatives_considered: Texts = field("What else was thought of.", make=list)
    rejected_alternatives: Texts = field("What was turned down.", make=list)
    graph_region_ref: Key | None = field("The part of the graph that it is about.", default=None)
    expected_effect: Text = field("What it was to bring.", default="")
    actual_effect: Text | None = field("What it brought.", default=None)
    evidence_refs: Keys = field("Where the evidence for it is kept.", make=list)
    confidence: float = field("How sure its source is, from 0 to 1.", default=1.0, ge=0, le=1)


class Lesson(Record):
    """What an earlier task teaches about designing the next."""

    label = "Lesson"
    plural = "lessons"
    prefix = "les"
    layer = EvidenceLayer.learning
    colour = "#cfb8e6"
    saved = True
    states = LEARNED_STATES

    design_choice: Text = field("The choice that it is about.")
    module_or_graph_region_ref: Key | None = field("The part of the graph that it is about.", default=None)
    because: Text = field("Why it was made.")
    expected_effect: Text = field("What it was to bring.", default="")
    actual_effect: Text | None = field("What it brought.", default=None)
    when_to_reuse: Texts = field("When to do the same.", make=list)
    when_not_to_reuse: Texts = field("When not to.", make=list)
    authority_level: LessonAuthority = field("How much weight it has.", default=LessonAuthority.example, filtered=True)
    evidence_refs: Keys = field("Where the evidence for it is kept.", make=list)


class Directive(Record):
    """What the user has taught about choosing templates and presets."""

    label = "Directive"
    plural = "directives"
    prefix = "dir"
    phrased = True
    layer = EvidenceLayer.memory
    colour = "#e58fb1"
    saved = True
    states = LEARNED_STATES

    updated_at: Timestamp = field("When it was last changed.", indexed=True, authored=False)
    directive_kind: DirectiveKind = field("What it asks for.", filtered=True)
    phrase_or_condition: Text = field("The words, the type of task or the output that it holds for.", fulltext=True)
    directive_source: DirectiveSource = field(
        "Where it comes from.", default=DirectiveSource.user_taught, filtered=True
    )
    confidence: float = field("How sure its source is, from 0 to 1.", default=1.0, ge=0, le=1)
    rationale: Text | None = field("Why.", default=None)
