"""The recent calls of tools, for one viewer: what was reported, and spans of runs that are calls and not reported."""

from typing import LiteralString

from service.graph.visibility import visible

# Of each audience the latest, in the order of an index, so that a tool with many calls, or a viewer who sees few of
# them, costs what is told. A span that somebody has reported the outcome of is that outcome.
_REPORTED: LiteralString = """
MATCH (call:ToolOutcome {tool_id: tool.id, audience: audience})
"""
_SPANS: LiteralString = """
MATCH (call:Span {tool_key: tool.source_key, audience: audience})
"""
_IS_CALL: LiteralString = (
    """
  AND call.status IN ['success', 'error'] AND EXISTS { MATCH (call)-[:CALLED]->(tool) }
  AND NOT EXISTS {
    MATCH (told:ToolOutcome {run_id: call.run_id, span_key: call.span_key}) WHERE """
    + visible("told")
    + """
  }
"""
)
_CORRECTIONS: LiteralString = (
    """
  COLLECT {
    MATCH (call)-[:ANSWERS]->(:Ask)<-[:CORRECTS]-(correction:UserCorrection) WHERE """
    + visible("correction")
    + """ RETURN correction {.id, .data_class, .matter_ids}
    UNION
    MATCH (:Run {id: call.run_id})<-[:BEGAN]-(:Ask)<-[:CORRECTS]-(correction:UserCorrection) WHERE """
    + visible("correction")
    + """ RETURN correction {.id, .data_class, .matter_ids}
  }
"""
)

_RECENT: LiteralString = (
    """
CALL (tool) {
  UNWIND $audiences AS audience
  CALL (tool, audience) {
"""
    + _REPORTED
    + """
    WHERE call.occurred_at > $since AND call.occurred_at <= $at
    RETURN call ORDER BY call.occurred_at DESC, call.source_key DESC LIMIT $most
  }
  WITH call ORDER BY call.occurred_at DESC, call.source_key DESC LIMIT $most
  RETURN collect(call {.id, .outcome_type, .method_key, .error_class, .boundary_axes, .said_axes, .suggested_split,
    .data_class, .matter_ids, at: call.occurred_at, key: call.source_key, corrections: """
    + _CORRECTIONS
    + """}) AS reported
}
CALL (tool) {
  UNWIND $audiences AS audience
  CALL (tool, audience) {
"""
    + _SPANS
    + """
    WHERE call.completed_at > $since AND call.completed_at <= $at
"""
    + _IS_CALL
    + """
    RETURN call ORDER BY call.completed_at DESC, call.span_key DESC LIMIT $most
  }
  WITH call ORDER BY call.completed_at DESC, call.span_key DESC LIMIT $most
  RETURN collect(call {.id, .status, .error_code, .error_message, .data_class, .matter_ids,
    method_key: call.tool_method,
    at: call.completed_at, key: call.span_key, corrections: """
    + _CORRECTIONS
    + """}) AS spans
}
"""
)

_LAST: LiteralString = (
    """
CALL (tool) {
  UNWIND $audiences AS audience
  CALL (tool, audience) {
"""
    + _REPORTED
    + """
    WHERE call.occurred_at <= $at
    RETURN call.occurred_at AS used ORDER BY call.occurred_at DESC LIMIT 1
    UNION ALL
"""
    + _SPANS
    + """
    WHERE call.completed_at <= $at
"""
    + _IS_CALL
    + """
    RETURN call.completed_at AS used ORDER BY call.completed_at DESC LIMIT 1
  }
  RETURN max(used) AS last_used_at
}
"""
)

CALLS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (tool:Tool {id: id})
WHERE """
    + visible("tool")
    + _RECENT
    + _LAST
    + """
RETURN tool {.id, .name, .created_at, .data_class, .matter_ids} AS tool, reported, spans, last_used_at
"""
)

# The tools that provide what a module is given, or what an asset requires.
PROVIDERS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (record:Record {id: id}) WHERE """
    + visible("record")
    + """
CALL (record) {
  WITH record WHERE record:Capability RETURN record AS capability
  UNION
  MATCH (record)-[:REQUIRES]->(capability:Capability) WHERE """
    + visible("capability")
    + """ RETURN capability
}
MATCH (capability)<-[:PROVIDES]-(tool:Tool)
WHERE """
    + visible("tool")
    + """ AND tool.lifecycle_state = 'active'
RETURN collect(DISTINCT {tool_id: tool.id, capability: capability.name}) AS provided
"""
)

# Tools in use, with what is recommended about each.
IN_USE: LiteralString = (
    """
MATCH (tool:Tool)
WHERE """
    + visible("tool")
    + """ AND tool.lifecycle_state = 'active'
WITH tool ORDER BY tool.updated_at DESC, tool.id LIMIT $most
RETURN tool.id AS id, COLLECT {
    MATCH (advice:Recommendation {tool_id: tool.id})
    WHERE """
    + visible("advice")
    + """ AND (advice.state = 'accepted' OR (advice.state = 'open' AND advice.expires_at > $at))
    RETURN advice.id ORDER BY advice.created_at DESC LIMIT 10
  } AS advice
"""
)
