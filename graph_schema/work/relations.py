"""Relations of the work itself."""

from typing import Annotated

from pydantic import AfterValidator

from graph_schema.model.fields import EvidenceLayer, Key, Text, Timestamp, field
from graph_schema.model.record import Properties
from graph_schema.model.relation import Relation

STANDING = ("Preference", "Restriction", "Procedure", "Memory")


POLARITIES = ("prefer", "avoid", "require", "forbid")


def _known_polarity(value: str) -> str:
    if value not in POLARITIES:
        raise ValueError(f"{value!r} is none of {', '.join(POLARITIES)}")
    return value


Polarity = Annotated[Key, AfterValidator(_known_polarity)]


class Held(Properties):
    """A fact that can stop being true."""

    valid_from: Timestamp | None = field("Since when it holds.", default=None)
    valid_to: Timestamp | None = field("Until when it held.", default=None)


class Role(Held):
    """Someone's part in something."""

    role: Key | None = field("The part, in a word or two.", default=None)


class Scope(Properties):
    """How a standing rule bears on something."""

    polarity: Polarity = field("prefer, avoid, require or forbid.", default="prefer")


class Merge(Properties):
    """Why two entities were found to be one."""

    reason: Text | None = field("Why they are the same.", default=None)


RELATIONS = (
    Relation(
        "PART_OF",
        ("Entity",),
        ("Entity",),
        "has_part",
        "A part, and the whole that contains it.",
        EvidenceLayer.memory,
        Held,
    ),
    Relation(
        "INVOLVED_IN",
        ("Entity",),
        ("Entity",),
        "involves",
        "Who takes part in a matter or project, and as what.",
        EvidenceLayer.memory,
        Role,
    ),
    Relation(
        "MENTIONS",
        ("Entity",),
        ("Entity",),
        "mentioned_in",
        "A document or conversation, and what it speaks of.",
        EvidenceLayer.memory,
    ),
    Relation(
        "MERGED_INTO",
        ("Entity",),
        ("Entity",),
        "merged_from",
        "A duplicate, and the entity that it turned out to be.",
        EvidenceLayer.memory,
        Merge,
        managed=True,
    ),
    Relation("CONCERNS", ("Goal",), ("Entity",), "has_goal", "A goal, and what it is about.", EvidenceLayer.memory),
    Relation(
        "SUPPORTS", ("Goal",), ("Goal",), "supported_by", "A goal that helps to reach another.", EvidenceLayer.memory
    ),
    Relation(
        "CONSTRAINS_GOAL",
        ("Preference",),
        ("Goal",),
        "constrained_by",
        "A preference, and the goal that it bounds.",
        EvidenceLayer.memory,
    ),
    Relation(
        "APPLIES_TO",
        STANDING,
        ("Entity", "Capability", "Template", "Preset", "Pattern", "ModuleType"),
        "has_standing",
        "A standing rule, and what it bears on.",
        EvidenceLayer.memory,
        Scope,
    ),
    Relation(
        "USES",
        ("Procedure",),
        ("Capability",),
        "used_by",
        "A procedure, and a capability that it needs.",
        EvidenceLayer.memory,
    ),
)
