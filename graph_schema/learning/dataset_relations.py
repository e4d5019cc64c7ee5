"""Relations of datasets: their cases, what those come from, and what was tried on them."""

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import End, Relation

DRAWN_FROM = (
    *("Run", "Activation", "Artifact", "Span", "Snapshot", "DesignSession", "AssessmentFinding", "MatchDecision"),
    *("Feedback", "Gate", "ContextPacket", "EditTrace", "Task", "Template"),
)
"""What a case can be drawn from."""
SHOWN_IN = ("Run", "Activation", "Artifact", "Snapshot", "GraphSnapshot", "Blueprint", "DesignSession")
"""What a try can be shown in."""

VALIDATING = ("EvalDataset", "EvalRun", "PromptEvaluation")
"""What a proposal can be tried by outside."""


def _relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    inherits: End = "tail",
) -> Relation:
    return Relation(type_, tails, heads, reverse, description, EvidenceLayer.learning, inherits=inherits, managed=True)


DATASET_RELATIONS = (
    _relation(
        "HAS_EXAMPLE", ("EvalDataset",), ("EvalExample",), "example_of", "A dataset, and a case of it.", inherits="both"
    ),
    _relation("DRAWN_FROM", ("EvalExample",), DRAWN_FROM, "examples_drawn", "A case, and what it comes from."),
    _relation("TRIES", ("EvalTrace",), ("EvalExample",), "tries", "A try, and the case that was tried."),
    _relation("TRACED_IN", ("EvalTrace",), SHOWN_IN, "eval_traces", "A try, and what shows it."),
    _relation("SCORES", ("EvalScore",), ("EvalTrace",), "scores", "A score, and the try that it is of."),
    _relation(
        "VALIDATED_BY", ("Proposal",), VALIDATING, "validates", "A proposal, and the dataset or evaluation behind it."
    ),
)
