"""Relations of signals."""

from graph_schema.learning.design_relations import DESIGN_RELATIONS
from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import End, Link, LinkModel, Relation

SEEN_ON = (
    *("Run", "Activation", "Artifact", "Feedback", "Fork", "FollowUp", "SuggestionFeedback", "InvocationSignal"),
    *("Task", "Template", "Preset", "Segment", "Blueprint", "GraphSnapshot", "Module", "ModuleType", "Pattern"),
    *("Goal", "Capability", "Policy", "InvocationDirective", "MatchDecision", "ModeDecision", "ContextPacket"),
    *("DesignSession", "DesignQuestion", "Statement", "EditTrace", "TaskReceipt"),
)
"""What a signal can be about."""


def relation(
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
    """A relation of the learning layer. The service keeps all of them, and most hand down access to their tails."""
    return Relation(
        type_, tails, heads, reverse, description, EvidenceLayer.learning, link, inherits, forward=forward, managed=True
    )


SIGNAL_RELATIONS = (
    relation("SEEN_ON", ("Signal",), SEEN_ON, "shown_by_signals", "A signal, and what it was seen on or is about."),
)

RELATIONS = (*SIGNAL_RELATIONS, *DESIGN_RELATIONS)
