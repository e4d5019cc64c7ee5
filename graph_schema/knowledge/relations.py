"""Relations of the catalogue, of preflight and of the pack."""

from graph_schema.knowledge.prompt_relations import PROMPT_RELATIONS
from graph_schema.model.fields import EvidenceLayer
from graph_schema.model.relation import End, Relation

EXAMINED = ("Task", "Template", "Blueprint", "GraphSnapshot")


def _relation(
    type_: str,
    tails: tuple[str, ...],
    heads: tuple[str, ...],
    reverse: str,
    description: str,
    *,
    inherits: End | None,
    forward: str = "",
) -> Relation:
    return Relation(
        type_,
        tails,
        heads,
        reverse,
        description,
        EvidenceLayer.memory,
        inherits=inherits,
        forward=forward,
        managed=True,
    )


RELATIONS = (
    _relation("HAS_PORT", ("ModuleType",), ("Port",), "port_of", "A module type, and a port of it.", inherits="head"),
    _relation(
        "HAS_CONFIG_FIELD",
        ("ModuleType",),
        ("ConfigField",),
        "config_field_of",
        "A module type, and what can be set of it.",
        inherits="head",
    ),
    _relation(
        "EXAMINED",
        ("Preflight",),
        EXAMINED,
        "preflights",
        "A preflight, and what it examined.",
        inherits="tail",
    ),
    _relation(
        "CONTAINS",
        ("KnowledgePack",),
        ("KnowledgeCard",),
        "contained_in",
        "A knowledge pack, and a card of it.",
        inherits=None,
    ),
    _relation(
        "DRAWN_AS",
        ("KnowledgeCard",),
        ("GraphSnapshot",),
        "example_of",
        "A worked example, and its graph as it was saved.",
        inherits="head",
    ),
    _relation(
        "TAUGHT_BY",
        ("EvalRun",),
        ("KnowledgePack",),
        "eval_runs",
        "A run of the evaluation suite, and the pack that the agent was taught from.",
        inherits="tail",
    ),
    *PROMPT_RELATIONS,
)
