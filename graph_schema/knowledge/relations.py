"""Relations of the catalogue and of preflight."""

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
)
