"""Relations of assessments: what they are of, what they found, and what shows it."""

from graph_schema.learning.assessment_words import ObservedEffect
from graph_schema.model.fields import EvidenceLayer, Text, field
from graph_schema.model.record import Properties
from graph_schema.model.relation import End, Link, LinkModel, Relation

ASSESSED = ("Run", "Task", "Template", "Preset", "InvocationDirective")
"""What an assessment can be of."""

AIMED_AT = ("Template", "Preset", "Pattern", "Task", "Blueprint", "InvocationDirective")
"""What an assessment can recommend to change."""

SHOWS = (
    *("Run", "Activation", "Span", "Artifact", "Delivery", "Gate", "Snapshot", "NativeEvent", "Fork", "FollowUp"),
    *("ContextPacket", "Feedback", "UserCorrection", "Task", "Template", "Preset", "Blueprint", "GraphSnapshot"),
    *("StepIntent", "Contract", "Criterion", "ReviewPoint", "SideEffect", "Module", "Policy", "Capability", "Goal"),
    *("Entity", "WorkProduct", "MatchDecision", "SuggestionFeedback", "InvocationDirective", "Intervention"),
    *("LibraryIntent", "IntakeReceipt", "Pattern", "DesignSession", "EditTrace"),
    *("Assessment", "AssessmentFinding", "Prompt", "PromptAssessment", "PromptEvaluation", "Signal"),
)
"""What can show a finding."""


class Effected(Properties):
    """What became of a goal, by an assessment."""

    effect: ObservedEffect = field("What became of it.")
    because: Text = field("How that is known.")


def _relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    inherits: End | None = "tail",
    forward: str = "",
    link: LinkModel = Link,
) -> Relation:
    layer = EvidenceLayer.learning
    return Relation(type_, tails, heads, reverse, description, layer, link, inherits, forward=forward, managed=True)


ASSESSMENT_RELATIONS = (
    # An action tells of its finding and of what it would change, and is as closed as both.
    _relation(
        "RECOMMENDS",
        ("AssessmentFinding",),
        ("AssessmentAction",),
        "recommended_by",
        "A finding, and a change that it recommends.",
        inherits="both",
    ),
    _relation(
        "WOULD_CHANGE",
        ("AssessmentAction",),
        AIMED_AT,
        "recommended_actions",
        "A recommended change, and what it would change.",
    ),
    _relation(
        "PROPOSED_AS",
        ("AssessmentAction",),
        ("Proposal",),
        "proposed_from",
        "A recommended change, and the proposal that was made of it.",
        inherits=None,
    ),
    _relation("ASSESSES", ("Assessment",), ASSESSED, "assessments", "An assessment, and what was looked at."),
    # What a finding tells of the whole is as closed as that; what an assessment counts is as closed as its findings.
    _relation(
        "FOUND",
        ("Assessment",),
        ("AssessmentFinding",),
        "found_by",
        "An assessment, and a finding of it.",
        inherits="both",
    ),
    _relation("EVIDENCED_BY", ("AssessmentFinding",), SHOWS, "evidence_of", "A finding, and what shows it."),
    _relation(
        "SUGGESTS",
        ("AssessmentFinding",),
        ("Proposal",),
        "suggested_by_finding",
        "A finding, and the change that it suggests.",
        inherits=None,
    ),
    _relation(
        "EVALUATED_GOAL",
        ("Assessment",),
        ("Goal",),
        "evaluated_by_assessment",
        "An assessment, and a goal whose state it tells.",
        link=Effected,
    ),
    _relation("REMARKS_ON", ("AssessorNote",), ("Assessment",), "remarks", "A text from outside, and what it is on."),
)
