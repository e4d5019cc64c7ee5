"""What is asked of the graph when tools are evaluated."""

from typing import LiteralString

from service.graph.visibility import visible

# Tools in use, with what their methods work on.
TOOLS: LiteralString = (
    """
MATCH (tool:Tool)
WHERE """
    + visible("tool")
    + """ AND tool.lifecycle_state = 'active' AND ($id IS NULL OR tool.id = $id)
RETURN tool.id AS id,
  COLLECT { MATCH (tool)<-[:METHOD_OF]-(method:ToolMethod)
    WHERE """
    + visible("method")
    + """ AND method.world IS NOT NULL
    RETURN {key: method.source_key, name: method.name, world: method.world} } AS methods
ORDER BY id
"""
)

# What was recommended before about these tools; what is open is locked, so that no two change it at once.
KEPT: LiteralString = (
    """
UNWIND $ids AS id
MATCH (kept:Recommendation {tool_id: id})
WHERE """
    + visible("kept")
    + """
SET kept._lock = true REMOVE kept._lock
RETURN labels(kept) AS labels, properties(kept) AS properties
"""
)
