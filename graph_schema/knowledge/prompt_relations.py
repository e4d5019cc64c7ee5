"""Relations of prompts. What is said of a prompt is as closed as it, and it is as closed as where it lives."""

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import End, Relation

LIVES_IN = ("Task", "Template", "Blueprint", "GraphSnapshot", "Module", "Preset", "Run")


def _relation(
    type_: str, tail: str, heads: tuple[str, ...], reverse: str, description: str, *, inherits: End | None = "tail"
) -> Relation:
    return Relation(
        type_, (tail,), heads, reverse, description, EvidenceLayer.learning, inherits=inherits, managed=True
    )


PROMPT_RELATIONS = (
    _relation("PROMPTS", "Prompt", LIVES_IN, "prompted_by", "A prompt, and what it belongs to."),
    _relation(
        "CHECKS",
        "PromptAssessment",
        ("Prompt", *LIVES_IN),
        "prompt_assessments",
        "What the rules found, and the prompt or what that belongs to.",
    ),
    _relation("VARIES", "PromptCandidate", ("Prompt",), "candidates", "A candidate, and the prompt it could replace."),
    _relation("BUNDLES", "PromptBundle", ("PromptCandidate",), "bundled_in", "A bundle, and a candidate of it."),
    _relation("BUNDLED_FOR", "PromptBundle", ("Prompt",), "bundles", "A bundle, and the prompt that it is for."),
    _relation(
        "TESTS", "PromptEvaluation", ("Prompt",), "prompt_evaluations", "A test, and the prompt that it is about."
    ),
    _relation("TRIES", "PromptEvaluation", ("PromptCandidate",), "tried_in", "A test, and a candidate that it tries."),
)
