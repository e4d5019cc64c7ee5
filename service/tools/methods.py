"""A method that is saved under the key `tool/method` is tied to its tool."""

from typing import LiteralString

from service.commands import Work
from service.commands.work import State
from service.graph.visibility import called

# The tool of a method, unless they are tied already.
TOOL_OF_METHOD: LiteralString = (
    """
CALL () {
"""
    + called("tool", "$source", "$key", "Tool")
    + """
}
WITH tool WHERE NOT EXISTS { MATCH (:ToolMethod {id: $method})-[:METHOD_OF]->(tool) }
RETURN labels(tool) AS labels, properties(tool) AS properties
"""
)


async def tie_method(work: Work, before: State | None, after: State) -> None:
    if after.type.label != "ToolMethod" or (before and not before.properties.get("stub")):
        return
    source, key = after.properties.get("source"), str(after.properties.get("source_key", ""))
    tool_key, slash, _ = key.rpartition("/")
    if not source or not slash:
        return
    row = await work.transaction.one(
        TOOL_OF_METHOD, source=source, key=tool_key, method=after.id, audiences=work.viewer.audiences
    )
    if row:
        work.link(after, "METHOD_OF", State(work.registry.types["Tool"], tuple(row["labels"]), row["properties"]))
