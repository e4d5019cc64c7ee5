"""The firewall: one predicate, used by every statement that reads records for somebody.

The viewer's audiences are always the parameter `audiences`.
"""

from typing import LiteralString

VISIBLE: LiteralString = "{node}.audience IN $audiences"
AUDIENCES: LiteralString = "UNWIND $audiences AS audience"
VISIBLE_TO_ONE: LiteralString = "{node}.audience = audience"
"""The predicate for one audience at a time, after `AUDIENCES`: it lets an index keep the order inside each."""


def called(node: LiteralString, source: LiteralString, key: LiteralString, kind: LiteralString = "") -> LiteralString:
    """Finds what an outside system calls so, for the viewer. Of several that they see, the first to have the name."""
    of_kind = " AND " + node + ":" + kind if kind else ""
    return (
        "MATCH ("
        + node
        + ":Record {source: "
        + source
        + ", source_key: "
        + key
        + "}) WHERE "
        + node
        + ".realm IS NOT NULL"
        + of_kind
        + " AND "
        + visible(node)
        + " RETURN "
        + node
        + " ORDER BY "
        + node
        + ".realm LIMIT 1"
    )


def visible(node: LiteralString) -> LiteralString:
    """The predicate on a variable of the statement."""
    return VISIBLE.format(node=node)
