"""A method that is saved under the key `tool/method` is tied to its tool."""

from typing import LiteralString

from service.commands import RecordRef, Work
from service.commands.work import State
from service.graph.visibility import called

# The tool of a method, and whether they are tied already.
TOOL_OF_METHOD: LiteralString = (
    """
CALL () {
"""
    + called("tool", "$source", "$key", "Tool")
    + """
}
RETURN labels(tool) AS labels, properties(tool) AS properties,
  EXISTS { MATCH (:ToolMethod {id: $method})-[:METHOD_OF]->(tool) } AS tied
"""
)


async def tie_method(work: Work, before: State | None, after: State) -> None:
    """To its tool, which becomes known by it where it was not."""
    if after.type.label != "ToolMethod" or (before and not before.properties.get("stub")):
        return
    source, key = after.properties.get("source"), str(after.properties.get("source_key", "")).rpartition("/")[0]
    if not source or not key:
        return
    row = await work.transaction.one(
        TOOL_OF_METHOD, source=source, key=key, method=after.id, audiences=work.viewer.audiences
    )
    if row is None:
        tool = work.need(RecordRef(kind="Tool", source=source, key=key), "source_key", ["Tool"])
    elif row["tied"]:
        return
    else:
        tool = State(work.registry.types["Tool"], tuple(row["labels"]), row["properties"])
    work.link(after, "METHOD_OF", tool)
