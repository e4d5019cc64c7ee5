"""Relations of design sessions, receipts and edits."""

from graph_schema.learning.design_words import ConsideredAs, SuggestionAnswer
from graph_schema.model.fields import EvidenceLayer, Text, Texts, Timestamp, field
from graph_schema.model.record import Properties
from graph_schema.model.relation import End, Link, LinkModel, Relation

LOOKED_AT = (
    *("Template", "Preset", "Pattern", "Case", "Blueprint", "Segment", "Goal", "Capability", "Directive"),
    *("Preference", "Restriction", "Memory", "Policy", "InvocationDirective", "ModuleType", "Lesson", "Task", "Run"),
    *("KnowledgeCard", "WrittenCard", "Procedure", "Entity"),
)
"""What a design can look up."""


class Considered(Properties):
    """How a record came into a design, and what the user made of it."""

    role: ConsideredAs = field("As what it was looked at.")
    rank: int = field("Its place among those, from 1.", default=1, ge=1)
    score: float | None = field("How well it fits, from 0 to 1.", default=None, ge=0, le=1)
    because: Text | None = field("Why it is here.", default=None)
    record_version: int | None = field("Its version when it was looked at.", default=None, ge=1)
    response: SuggestionAnswer | None = field("What the user made of it.", default=None)


class Drafted(Properties):
    """What was found in a proposal when it was made."""

    iteration: int = field("Which proposal of the session it is, from 1.", ge=1)
    drafted_at: Timestamp = field("When it was proposed.")
    errors: Texts = field("What is wrong with it: a code, and what it means.", make=list)
    warnings: Texts = field("What to look at: a code, and what it means.", make=list)
    rationale: Text | None = field("Why it is as it is.", default=None)
    drafted_version: int | None = field("Which version of the blueprint it is.", default=None, ge=1)


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
    layer: EvidenceLayer = EvidenceLayer.learning,
) -> Relation:
    return Relation(type_, tails, heads, reverse, description, layer, link, inherits, forward=forward, managed=True)


_SESSION, _RECEIPT, _EDIT = ("DesignSession",), ("TaskReceipt",), ("EditTrace",)

DESIGN_RELATIONS = (
    _relation(
        "CONSIDERED",
        _SESSION,
        LOOKED_AT,
        "considered_in",
        "A design, and what was looked at for it.",
        link=Considered,
        inherits=None,
    ),
    _relation(
        "ABOUT",
        ("DesignSession", "TaskReceipt"),
        ("Entity", "Goal"),
        "designed_about",
        "A design or a task's receipt, and what the work is about.",
        forward="about_work",
    ),
    _relation(
        "PREFLIGHTED", _SESSION, ("Preflight",), "preflight_of_design", "A design, and a preflight of what it proposed."
    ),
    _relation("SEARCHED", _SESSION, ("MatchDecision",), "searched_for", "A design, and its search for reuse."),
    _relation(
        "OF",
        ("DesignSession", "TaskReceipt"),
        ("ModeDecision",),
        "designs",
        "A design or a task's receipt, and the decision that led to it.",
        forward="of_decision",
    ),
    _relation("ADAPTS", _SESSION, ("Template",), "adapted_in", "A design, and the template that it adapts."),
    _relation("ASKED", _SESSION, ("DesignQuestion",), "asked_in", "A design, and a question of it.", inherits="head"),
    _relation(
        "NOTED", _SESSION, ("Statement",), "noted_in", "A design, and what the user said in it.", inherits="head"
    ),
    _relation(
        "BEARS_ON",
        ("Statement",),
        ("Template", "Preset", "Pattern", "Capability", "Goal"),
        "borne_on_by",
        "A statement, and what it speaks of by name.",
        inherits=None,
    ),
    _relation(
        "STATED_IN",
        ("Preference", "Directive"),
        ("Statement",),
        "made_into",
        "A preference or directive, and the statement that a person made it from.",
    ),
    _relation(
        "DRAFTED",
        _SESSION,
        ("Blueprint",),
        "drafted_in",
        "A design, and the blueprint that it proposes.",
        link=Drafted,
        inherits="head",
    ),
    _relation(
        "DRAFTED_GRAPH",
        _SESSION,
        ("GraphSnapshot",),
        "drafted_graph_in",
        "A design, and a graph that it proposes.",
        link=Drafted,
        inherits="head",
    ),
    _relation(
        "LED_TO",
        _SESSION,
        ("Task", "Template"),
        "came_of_design",
        "A design, and the task or template that came of it.",
    ),
    _relation(
        "FOR",
        _RECEIPT,
        ("Task", "Run"),
        "receipts",
        "A receipt, and the task or run that it is for.",
        forward="for_task",
        layer=EvidenceLayer.run_truth,
    ),
    _relation(
        "DESIGNED_IN",
        _RECEIPT,
        ("DesignSession",),
        "receipts_of_design",
        "A receipt, and the design session behind it.",
        layer=EvidenceLayer.run_truth,
    ),
    _relation(
        "SUGGESTS",
        _RECEIPT,
        ("InvocationDirective",),
        "suggested_by_receipt",
        "A receipt, and a directive that similar requests could follow.",
        inherits=None,
    ),
    _relation("MADE_IN", _EDIT, ("DesignSession",), "edit_traces", "Edits, and the design whose proposal they change."),
    _relation("EDITED_FROM", _EDIT, ("GraphSnapshot", "Blueprint"), "edited_in", "Edits, and what was proposed."),
    _relation("EDITED_TO", _EDIT, ("GraphSnapshot", "Blueprint"), "result_of_edits", "Edits, and what was saved."),
)
