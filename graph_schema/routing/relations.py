"""Relations of decisions, directives, traces, feedback and the Task Agent."""

from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import End, Link, LinkModel, Relation
from graph_schema.routing.decisions import RestedOn

ASSETS = ("Task", "Template", "Preset")
TOLD = ("InvocationTrace", "SuggestionFeedback")
PROPOSALS = ("Task", "Template", "Preset", "Segment", "Blueprint", "Pattern")
"""What an agent may make that is put to use later."""


def _relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    layer: EvidenceLayer = EvidenceLayer.memory,
    inherits: End | None = "tail",
    forward: str = "",
    managed: bool = True,
    link: LinkModel = Link,
) -> Relation:
    return Relation(type_, tails, heads, reverse, description, layer, link, inherits, forward=forward, managed=managed)


RELATIONS = (
    _relation(
        "RESTED_ON",
        ("ModeDecision",),
        ("Template", "Preset", "InvocationDirective"),
        "matched_in_decisions",
        "A decision, and what fits the request or is called by name in it.",
        link=RestedOn,
    ),
    _relation(
        "MEANT",
        ("ModeDecision",),
        ("Task", "Run", "Artifact"),
        "meant_in_decisions",
        "A decision, and the task, run or output that the request means.",
        link=RestedOn,
    ),
    _relation(
        "COMPARED",
        ("ModeDecision",),
        ("MatchDecision",),
        "compared_for_decision",
        "A decision, and the comparison with templates that it rests on, kept with it.",
        inherits="head",
    ),
    _relation(
        "TARGETS",
        ("InvocationDirective",),
        ASSETS,
        "targeted_by",
        "An invocation directive, and what it leads to.",
        inherits=None,
        managed=False,
    ),
    _relation(
        "DRAWS_ON",
        ("InvocationDirective",),
        ("Procedure", "Capability", "Goal", "Preference"),
        "drawn_on_by",
        "An invocation directive, and what else it speaks of.",
        inherits=None,
        managed=False,
    ),
    _relation(
        "LEARNED_FROM",
        ("InvocationDirective",),
        ("InvocationTrace",),
        "taught_directive",
        "A candidate, and a trace that it was learned from.",
        layer=EvidenceLayer.learning,
    ),
    _relation(
        "OF",
        TOLD,
        ("ModeDecision",),
        "responses",
        "A trace or feedback, and the decision that it is about.",
        forward="of_decision",
    ),
    _relation(
        "MATCHED",
        TOLD,
        ("Template", "Preset", "InvocationDirective"),
        "matched_in_responses",
        "A trace or feedback, and what had matched.",
    ),
    _relation(
        "LED_TO",
        ("InvocationTrace",),
        ("Task", "Run"),
        "came_of_request",
        "A trace, and the task or run that came of it.",
    ),
    _relation(
        "CONSULTED_IN",
        ("InvocationTrace",),
        ("Consult",),
        "consult_of_request",
        "A trace, and the consult of the Task Agent.",
        forward="task_agent_consult",
    ),
    _relation(
        "SIGNALS",
        ("InvocationSignal",),
        (*TOLD, "ModeDecision", "Template", "InvocationDirective"),
        "learning_signals",
        "A signal, and what it is drawn from or about.",
        layer=EvidenceLayer.learning,
    ),
    _relation(
        "COUNTED_IN",
        TOLD,
        ("SuggestionTally",),
        "counted",
        "A response, and the tally that it is counted in.",
        layer=EvidenceLayer.learning,
        inherits="head",
    ),
    _relation(
        "MADE_AFTER_FALLBACK",
        PROPOSALS,
        ("FallbackReceipt",),
        "marks_proposal",
        "A proposal that was made after another model stood in, and has to be validated once more.",
        layer=EvidenceLayer.run_truth,
        inherits=None,
    ),
)
