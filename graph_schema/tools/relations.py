"""Relations of tools, their outcomes, asks, corrections and recommendations."""

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import End, Relation

OBSERVED = ("ToolOutcome", "Span", "UserCorrection")
"""What speaks for or against something."""


def _relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    inherits: End | None = "tail",
    forward: str = "",
    layer: EvidenceLayer = EvidenceLayer.learning,
    managed: bool = True,
) -> Relation:
    return Relation(
        type_, tails, heads, reverse, description, layer, inherits=inherits, forward=forward, managed=managed
    )


RELATIONS = (
    _relation(
        "METHOD_OF",
        ("ToolMethod",),
        ("Tool",),
        "methods",
        "A method, and its tool.",
        layer=EvidenceLayer.memory,
    ),
    _relation(
        "PROVIDES",
        ("Tool",),
        ("Capability",),
        "provided_by",
        "A tool, and what modules are given the use of by it.",
        inherits=None,
        layer=EvidenceLayer.memory,
        managed=False,
    ),
    _relation(
        "CALLED",
        ("Span",),
        ("Tool",),
        "called_in",
        "A span that is a call of a tool.",
        inherits=None,
        forward="called_tool",
        layer=EvidenceLayer.memory,
    ),
    _relation(
        "OUTCOME_OF",
        ("ToolOutcome",),
        ("Tool", "ToolMethod"),
        "outcomes",
        "How a call ended, and the method, or the tool where no method was told.",
    ),
    _relation("ANSWERS", ("ToolOutcome",), ("Ask",), "answered_by", "A call, and what the user had asked for."),
    _relation("ASKED_IN", ("Ask",), ("AskSession",), "asks", "An ask, and its session.", inherits=None),
    _relation("BEGAN", ("Ask",), ("Run",), "begun_by_ask", "An ask, and the run that it set going."),
    _relation(
        "CORRECTS", ("UserCorrection",), ("Ask",), "corrected_by", "A correction, and the ask that was met badly."
    ),
    _relation("MADE_BY", ("UserCorrection",), ("Ask",), "makes_correction", "A correction, and the ask that makes it."),
    _relation(
        "RECOMMENDED_FOR",
        ("Recommendation",),
        ("Tool", "ToolMethod"),
        "recommendations",
        "Advice, and what it is about.",
    ),
    _relation(
        "SUPPORTED_BY", ("Recommendation",), OBSERVED, "supports_recommendation", "Advice, and what speaks for it."
    ),
    _relation(
        "COUNTERED_BY", ("Recommendation",), OBSERVED, "counters_recommendation", "Advice, and what speaks against it."
    ),
)
