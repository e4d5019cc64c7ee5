"""Along which links access flows, as statements ask it. What the registry says of it comes as parameters."""

from typing import Any, LiteralString

from graph_schema.model.registry import Registry

PARTS_OF_RUNS: LiteralString = (
    "Activation|Span|Artifact|Delivery|Gate|Snapshot|Checkpoint|Session|Intervention|NativeEvent|Trigger|ScopeEnvelope"
    "|ContextPacket|ExpansionReceipt|Feedback|Thread|Consult|AuditExport|LibraryIntent|ToolOutcome|Signal|Assessment"
)
"""The labels of what belongs to a run, as `Registry.parts` has them."""

RECEIPTS = (
    *("INJECTED", "EXCLUDED", "COVERS", "DISCLOSES", "WEIGHED", "MEANT", "RESTED_ON"),
    *("ASSESSES", "EVIDENCED_BY", "WOULD_CHANGE", "SUPPORTED_BY", "COUNTERED_BY", "EXAMINED"),
)
"""Types of links that only tell that something was considered, handed out or judged: they name nothing. Otherwise
whoever sees everything would close what is open to others by having it looked at."""

_UNPLACED: LiteralString = "coalesce({node}.stub, false) AND {node}.run_id IS NULL AND NOT {node}:Run"


def unplaced(node: LiteralString) -> LiteralString:
    """Whether a record is only named so far: whose it is, is not known, and it hands nothing on."""
    return _UNPLACED.format(node=node)


def names(node: LiteralString) -> LiteralString:
    """Whether a link `r` names what is at its end. A receipt only tells that it was considered."""
    return "NOT type(r) IN $receipts AND " + unplaced(node)


def hands_down(end: LiteralString, tail: LiteralString) -> LiteralString:
    """Whether a link `r` hands down access to this end of it. Its type may be shared by relations of other tails."""
    return (
        "any(label IN labels("
        + tail
        + ") WHERE type(r) + ' ' + label IN $flows."
        + end
        + ") AND ($where[type(r)] IS NULL OR r[$where[type(r)][0]] = $where[type(r)][1])"
    )


def flows_of(registry: Registry) -> dict[str, Any]:
    """The parameters of `hands_down`, and the types of relations that lead to each end."""
    ends = {end: [one for one in registry.relations if one.inherits in (end, "both")] for end in ("tail", "head")}
    return {
        "types": {end: sorted({one.type for one in ones}) for end, ones in ends.items()},
        "flows": {
            end: [f"{one.type} {tail}" for one in ones for tail in registry.members(one.tails)]
            for end, ones in ends.items()
        },
        "receipts": list(RECEIPTS),
        "where": {one.type: list(one.inherits_where) for one in registry.relations if one.inherits_where},
    }
