"""Assessments: what was found about a run, a task or all tasks, each finding with what shows it."""

from graph_schema.learning.assessment_words import (
    ActionKind,
    AssessmentKind,
    FindingKind,
    FindingSeverity,
    FindingTone,
    PortfolioIssue,
    PortfolioScope,
)
from graph_schema.learning.proposal_words import ProposalKind
from graph_schema.model.fields import EvidenceLayer, Key, LongText, Text, Texts, Timestamp, field
from graph_schema.model.record import Record


class Assessment(Record):
    """What rules found about a run, a task or several tasks. The same evidence gives the same findings."""

    label = "Assessment"
    plural = "assessments"
    prefix = "asm"
    layer = EvidenceLayer.learning
    colour = "#4f9d8e"

    assessment_kind: AssessmentKind = field("What was assessed.", filtered=True, authored=False)
    run_id: Key | None = field(
        "The run that was assessed; it goes with that.", default=None, indexed=True, authored=False
    )
    task_id: Key | None = field("The task of it, or that was assessed.", default=None, filtered=True, authored=False)
    template_id: Key | None = field("The template that it was made from.", default=None, filtered=True, authored=False)
    blueprint_id: Key | None = field("The blueprint behind it.", default=None, authored=False)
    graph_version: int | None = field("Version of the graph that was looked at.", default=None, authored=False)
    task_scope: PortfolioScope | None = field("Of several tasks: which ones.", default=None, authored=False)
    outcome_summary: Text = field("What came of it, in sentences.", authored=False)
    quality_score: float | None = field(
        "From 1, less what the problems weigh; absent where nothing had ended.",
        default=None,
        authored=False,
        ge=0,
        le=1,
    )
    finding_count: int = field("Findings.", authored=False, ge=0)
    strength_count: int = field("Of these, what went well.", authored=False, ge=0)
    problem_count: int = field("Of these, what did not.", authored=False, ge=0)
    looked_at: int = field("Records that were looked at.", default=0, authored=False, ge=0)
    missing: Texts = field("What it had to do without, a sentence each.", make=list, authored=False)
    rules: Key = field("Name and version of the set of rules.", filtered=True, authored=False)
    evidence_hash: Key = field("Hash of all findings with their evidence.", hidden=True)
    assessed_at: Timestamp = field("When.", ordered=True, authored=False)
    assessed_by: Key | None = field("Principal that asked for it.", default=None, authored=False)


class AssessmentFinding(Record):
    """One thing that a rule found, with what shows it and what would be better."""

    label = "AssessmentFinding"
    plural = "assessment_findings"
    prefix = "afnd"
    layer = EvidenceLayer.learning
    colour = "#86c5b9"

    position: int = field("Its place in the assessment, from 1.", authored=False, ge=1)
    finding_kind: FindingKind = field("What it is about.", filtered=True, authored=False)
    portfolio_issue: PortfolioIssue | None = field("Of several tasks: what it is.", default=None, filtered=True)
    tone: FindingTone = field("Whether it speaks for it or against it.", filtered=True, authored=False)
    severity: FindingSeverity = field("How much it weighs.", filtered=True, authored=False)
    rule: Key = field("Name and version of the rule that found it.", filtered=True, authored=False)
    statement: Text = field("What was found, in a sentence.", authored=False)
    better: Text | None = field("What would be better.", default=None, authored=False)
    code: Key | None = field("Code of a warning that it stands for.", default=None, authored=False)
    module_key: Key | None = field("The module that it is about.", default=None, authored=False)
    activation_seq: int | None = field("Which activation of it.", default=None, ge=1, authored=False)


class AssessmentAction(Record):
    """A change that a finding recommends, ready to be proposed. Nothing of it holds by itself."""

    label = "AssessmentAction"
    plural = "assessment_actions"
    prefix = "aact"
    layer = EvidenceLayer.learning
    colour = "#6fb5a7"

    position: int = field("Its place in the assessment, from 1.", authored=False, ge=1)
    action_kind: ActionKind = field("What kind of change it is.", filtered=True, authored=False)
    statement: Text = field("What would change, in a sentence.", authored=False)
    proposal_kind: ProposalKind = field("As what it is proposed.", filtered=True, authored=False)
    target_id: Key = field("The record that it would change.", authored=False)
    target_kind: Key = field("The type of that record.", filtered=True, authored=False)
    patch: LongText = field("Its steps, as proposals take them, as JSON.", authored=False)
    expected_effect: Text | None = field("What it is hoped to bring about.", default=None, authored=False)


class AssessorNote(Record):
    """What an assessor outside said of an assessment, in its own words. No finding is made of it."""

    label = "AssessorNote"
    plural = "assessor_notes"
    prefix = "anot"
    layer = EvidenceLayer.learning
    colour = "#b9ddd6"

    assessor: Key = field("Who or what says so.", filtered=True, authored=False)
    model_ref: Key | None = field("Model that wrote it, if one did.", default=None, authored=False)
    text: LongText = field("What it says.", authored=False)
    written_at: Timestamp = field("When it was written.", ordered=True, authored=False)
    attached_by: Key | None = field("Principal that attached it.", default=None, authored=False)
