"""The tools that a builder may be told of, with their methods and what was accepted about them."""

from typing import LiteralString

from service.graph.visibility import visible

_TOLD: LiteralString = (
    """
RETURN tool {.id, .name, .summary, .stub} AS tool,
  COLLECT { MATCH (tool)<-[:METHOD_OF]-(method:ToolMethod)
    WHERE """
    + visible("method")
    + """ AND method.lifecycle_state = 'active'
    RETURN method {.name, .source_key, .purpose, .deliverable, .acceptance, .world} ORDER BY method.name LIMIT 20
  } AS methods,
  COLLECT { MATCH (advice:Recommendation {tool_id: tool.id, state: 'accepted'})
    WHERE """
    + visible("advice")
    + """
    RETURN advice {.id, .recommendation_kind, .method_key, .rationale} ORDER BY advice.decided_at DESC LIMIT 5
  } AS accepted
"""
)

NAMED: LiteralString = (
    """
UNWIND $ids AS id
MATCH (tool:Tool {id: id})
WHERE """
    + visible("tool")
    + """ AND tool.lifecycle_state = 'active'
"""
    + _TOLD
)

# Without a request: those that were changed last. With one, only those that were reported and never described: these
# have no card, and are found by the words of their names.
LISTED: LiteralString = (
    """
MATCH (tool:Tool)
WHERE """
    + visible("tool")
    + """ AND tool.lifecycle_state = 'active' AND (NOT $reported_only OR coalesce(tool.stub, false))
WITH tool ORDER BY tool.updated_at DESC, tool.id LIMIT $most
"""
    + _TOLD
)
