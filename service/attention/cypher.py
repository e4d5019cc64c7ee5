"""What is asked of the graph about a user: modes, their model, what waits for them."""

from typing import LiteralString

from service.graph.visibility import visible

MODE: LiteralString = (
    """
MATCH (mode:AttentionMode {owner_id: $owner, surface: $surface})
WHERE """
    + visible("mode")
    + """
SET mode._lock = true
REMOVE mode._lock
RETURN labels(mode) AS labels, properties(mode) AS properties
"""
)

# The user has answered: there may be room for something else.
LOOK_SOON: LiteralString = """
MATCH (session:Record {id: $session})
SET session.due_at = $at
"""

USER_MODEL: LiteralString = (
    """
MATCH (model:UserModel {owner_id: $owner})
WHERE """
    + visible("model")
    + """
RETURN model {.*} AS model,
  COLLECT {
    MATCH (model)-[told:TOLD_IN]->(e:AgentEvent) WHERE """
    + visible("e")
    + """
    RETURN told {.*, event_id: e.id} ORDER BY told.at DESC, e.event_id DESC LIMIT 200
  } AS told
"""
)

MODES_OF: LiteralString = (
    """
MATCH (mode:AttentionMode {owner_id: $owner})
WHERE mode.surface > '' AND mode.lifecycle_state = 'active' AND """
    + visible("mode")
    + """
RETURN collect([mode.surface, mode.mode]) AS modes
"""
)

DIRECTIVE: LiteralString = (
    """
MATCH (d:Record {id: $id})
WHERE d:AttentionDirective AND d.owner_id = $owner AND """
    + visible("d")
    + """
RETURN d {.*} AS directive
"""
)
