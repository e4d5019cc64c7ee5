"""What is asked of the graph about the Task Agent."""

from typing import LiteralString

from service.graph.visibility import visible

# The newest of each record that says something of the agent, and what was last reported of its parts. A part of a
# statement: a request is decided by it, too.
AGENT: LiteralString = (
    """
CALL () {
  CALL () {
    MATCH (one:SystemAgent {agent_id: $agent}) WHERE """
    + visible("one")
    + """ AND one.lifecycle_state = 'active' RETURN one
    UNION
    MATCH (one:AgentCapability {capability_id: $capability}) WHERE """
    + visible("one")
    + """ AND one.lifecycle_state = 'active' RETURN one
    UNION
    MATCH (one:AgentProfile {agent_id: $agent}) WHERE """
    + visible("one")
    + """ AND one.lifecycle_state = 'active' RETURN one
    UNION
    MATCH (one:SubagentPolicy {agent_id: $agent}) WHERE """
    + visible("one")
    + """ AND one.lifecycle_state = 'active' RETURN one
  }
  WITH one ORDER BY one.updated_at DESC, one.id
  RETURN collect({labels: labels(one), properties: properties(one)}) AS records
}
CALL () {
  MATCH (part:Record {source: $agent}) WHERE part.source_key IN $parts AND part.realm IS NOT NULL AND part:Capability
    AND """
    + visible("part")
    + """ AND part.state IS NOT NULL AND NOT part.lifecycle_state IN $hidden_states
  WITH part ORDER BY part.source_key, part.realm
  RETURN collect(part {.source_key, .state, .state_as_of}) AS parts
}
"""
)

NOW: LiteralString = (
    AGENT
    + """
RETURN records, parts
"""
)

# What the same agent has told lately of models that stood in, by index.
RECEIPTS: LiteralString = """
MATCH (receipt:FallbackReceipt {recorded_by: $principal})
WHERE receipt.created_at > $since AND receipt.output_requires_extra_validation
RETURN labels(receipt) AS labels, properties(receipt) AS properties ORDER BY receipt.created_at DESC LIMIT 5
"""
