"""What is a part of what: it is erased with its whole, and a legal hold on either holds both.

A part names its run by a field (`OWNERS`) or hangs on its whole by a relation (`PART_OF`). Of several wholes a part of
`LAST_OF` goes with the last of them. A relation that hands down access but makes no part stands in `APART`, with why.
"""

from dataclasses import dataclass

from graph_schema.model.fields import Field, Kind
from graph_schema.model.privacy import is_free_text
from graph_schema.model.record import RecordType
from graph_schema.model.registry import Registry
from graph_schema.model.relation import End

OWNERS = ("run_id", "source_run_id", "parent_run_id")
"""Fields that hold the id of the run that a record is a part of."""

COMPACTED = ("Span", "Snapshot", "Checkpoint", "Session", "Intervention", "NativeEvent")
"""What goes with compaction, but for the snapshots that a delivery was made under: they are part of its receipt."""

PART_OF: dict[str, End] = {
    "PRODUCED": "head",
    "TAKES": "tail",
    "FROM": "tail",
    "CONFINED_TO": "tail",
    "HELD_IN": "tail",
    "ASKED_ABOUT": "tail",
    "GIVEN_IN": "tail",
    "EXTRACTS_FROM": "tail",
    "DECIDES": "tail",
    "INTENDS": "tail",
    "MERGED_INTO": "tail",
    "HAS_MODULE": "head",
    "HAS_STEP": "head",
    "HAS_CONTRACT": "head",
    "HAS_CRITERION": "head",
    "HAS_REVIEW_POINT": "head",
    "HAS_SIDE_EFFECT": "head",
    "HAD_PART": "head",
    "METHOD_OF": "tail",
    "OUTCOME_OF": "tail",
    "RECOMMENDED_FOR": "tail",
    "CORRECTS": "tail",
    "MADE_BY": "tail",
    "HEARD_IN": "tail",
    "RAISED_IN": "tail",
    "DECIDED_IN": "tail",
    "ASKED": "head",
    "NOTED": "head",
    "FOR": "tail",
    "MADE_IN": "tail",
    "HAS_CHANGE": "head",
    "REPLAYS": "tail",
    "HAS_CASE": "head",
    "FOUND": "head",
    "RECOMMENDS": "head",
    "REMARKS_ON": "tail",
    "HAS_EXAMPLE": "head",
    "TRIES": "tail",
    "SCORES": "tail",
    "HAS_PORT": "head",
    "HAS_CONFIG_FIELD": "head",
    "PROMPTS": "tail",
    "VARIES": "tail",
    "BUNDLED_FOR": "tail",
    "TESTS": "tail",
    "CHECKS": "tail",
    "HAPPENED_UNDER": "tail",
    "COMPARED": "head",
}
"""The end that is the part."""

LAST_OF: dict[str, End] = {
    "HAS_GRAPH": "head",
    "HAD_GRAPH": "head",
    "DRAFTED_GRAPH": "head",
    "DRAWN_AS": "head",
    "BECAME": "head",
}
"""The same for what several can share: a graph, or a work product that artifacts of several runs became."""

QUOTED_WHOLE = (
    *("COVERS", "WEIGHED", "RESTED_ON", "MEANT", "STEERED_BY", "LEARNED_FROM"),
    *("READ", "REDECIDES", "CHANGES", "WOULD_CHANGE", "EXAMINED"),
)
"""Their tails repeat what the heads say, all over: an audit's files, the answer of a match, a decision or a preflight,
what was taught for it, a directive that was learned from requests and that nobody has made their own yet, the trace of
a decision about attention, a case of a replay, a proposal of a change. They go when a head does."""

QUOTED = (
    *("INJECTED", "BECAUSE_OF", "CAME_FROM", "FEEDBACK_ON", "OF", "LED_TO", "POINTS_AT"),
    *("SEEN_ON", "SUPPORTED_BY", "COUNTERED_BY", "CONNECTS", "APPLIED", "DISCLOSES"),
    *("ASSESSES", "EVIDENCED_BY", "EVALUATED_GOAL", "DRAWN_FROM", "TRACED_IN", "VALIDATED_BY"),
)
"""Their tails may repeat in a sentence what the heads say. They stay, without their texts."""

BASIS = ("Task", "Template", "Blueprint", "Criterion", "Preset")
"""What the basis of a packet is made of, beside what comes in at its ports."""

APART: dict[str, str] = {
    "WOULD_CHANGE": "a recommended change belongs to its finding",
    "DESCRIBES": "a card is made from its record, and made anew with it",
    "INVOKES": "a phrase is made from its record",
    "REPELS": "a phrase is made from its record",
    "HAS_BLUEPRINT": "a blueprint is saved for itself, and several may have it",
    "TAKEN_FROM": "a segment is saved for itself",
    "WEIGHED": "a match is somebody's question",
    "RESTED_ON": "a decision is somebody's question",
    "MEANT": "a decision is somebody's question",
    "STEERED_BY": "an intervention names its run",
    "ABOUT": "a run is no part of what it is about",
    "BINDS": "a scope names its run",
    "EVALUATES": "evidence belongs to the run that made it",
    "CREATED_BY": "the run of a fork is a run for itself",
    "FORKED_FROM": "the run of a fork is a run for itself",
    "FEEDBACK_ON": "feedback stays, without its texts",
    "HAS_SCOPE": "a scope names its run",
    "DERIVED_FROM": "what was made from something is no part of it",
    "DELIVERED_BY": "a delivery belongs to the run that made it",
    "FOLLOWS": "a follow-up names its run; a conversation is saved for itself",
    "CONTINUES": "a follow-up names its run",
    "PROPOSED": "a follow-up names its run",
    "CONSULTED": "a consult belongs to what was asked about",
    "COVERS": "an export belongs to its run",
    "WITHIN": "a packet names its run",
    "LEARNED_FROM": "a directive that was approved is somebody's own word",
    "OF": "a trace or feedback is kept without its decision",
    "MATCHED": "a trace is kept without what had matched",
    "LED_TO": "a trace stays, without its texts",
    "CONSULTED_IN": "a trace is kept without its consult",
    "SIGNALS": "a signal is kept without what it was drawn from",
    "COUNTED_IN": "a tally only counts",
    "ANSWERS": "an outcome is one of its tool",
    "BEGAN": "an ask is somebody's question",
    "POINTS_AT": "what points at something stays, without its texts",
    "READ": "a decision belongs to its session",
    "EMITTED": "a decision belongs to its session",
    "BECAUSE_OF": "a receipt names its run; a directive belongs to its session",
    "SEARCHED": "a design is kept without its search",
    "PREFLIGHTED": "a preflight is somebody's question",
    "ADAPTS": "a design is no part of what it adapts",
    "STATED_IN": "a preference that was accepted is somebody's own word",
    "DRAFTED": "a blueprint is saved for itself",
    "DESIGNED_IN": "a receipt belongs to its task",
    "EDITED_FROM": "edits belong to their design",
    "EDITED_TO": "edits belong to their design",
    "BUNDLES": "a bundle is a part of its prompt",
    "TRIES": "a test is a part of its prompt",
    "CHANGES": "a proposal is somebody's word about its target",
    "CONNECTS": "a proposal stays, without its texts",
    "SUPPORTED_BY": "a proposal stays, without its texts; advice is about its tool",
    "COUNTERED_BY": "a proposal stays, without its texts; advice is about its tool",
    "APPLIED": "the ledger stays, without its texts",
    "REDECIDES": "a case goes when its decision does",
    "SEEN_ON": "a signal names its run; without one it stays, without its texts",
    "DRAWN_FROM": "a case belongs to its dataset",
    "TRACED_IN": "a try belongs to its case",
    "VALIDATED_BY": "a proposal is kept without its dataset",
    "ASSESSES": "an assessment names its run; one of a task is somebody's question",
    "EVIDENCED_BY": "a finding goes with its assessment",
    "EVALUATED_GOAL": "an assessment stays, without its texts",
    "EXAMINED": "a preflight is somebody's question",
    "DISCLOSES": "a share stays as its receipt, and tells nothing any more",
    "TAUGHT_BY": "a run of the suite tells how an agent did",
}


@dataclass(frozen=True, slots=True)
class Parts:
    """The relations that make parts, by the end that is the part; as statements take them."""

    tails: tuple[str, ...]
    heads: tuple[str, ...]
    shared: tuple[str, ...]


PARTS = Parts(
    tails=tuple(name for name, end in PART_OF.items() if end == "tail"),
    heads=tuple(name for name, end in PART_OF.items() if end == "head"),
    shared=tuple(LAST_OF),
)


def owned(registry: Registry) -> list[tuple[str, str]]:
    """Labels of what names its run, each with the field that does."""
    found = ((one.label, next((name for name in OWNERS if name in one.fields), "")) for one in registry.types.values())
    return [(label, field) for label, field in found if field]


ERASED = "It was erased."


def blank_link(registry: Registry, type_: str) -> dict[str, str | None]:
    """What is left of the words on a link of this type when one of its ends was erased."""
    fields = (one for relation in registry.relations if relation.type == type_ for one in relation.fields.values())
    return {one.name: ERASED if one.required else None for one in fields if one.kind is Kind.string}


def blank_texts(kind: RecordType) -> dict[str, str | list[str] | None]:
    """The texts of a record that may repeat what another says, as they are when that was erased."""
    return {name: _blank(one) for name, one in kind.fields.items() if is_free_text(one)}


def _blank(one: Field) -> str | list[str] | None:
    if one.many:
        return []
    return ERASED if one.required else None
