"""Module types with their ports and fields."""

from typing import LiteralString

from service.graph.visibility import visible

# What a source has in its catalogue now, with all parts, those that were put away among them.
OF_SOURCE: LiteralString = (
    """
MATCH (t:ModuleType) WHERE t.source = $source AND """
    + visible("t")
    + """
RETURN t.module_type AS module_type, t {.*} AS type,
  COLLECT { MATCH (t)-[:HAS_PORT]->(p:Port) RETURN p {.*} ORDER BY p.id } AS ports,
  COLLECT { MATCH (t)-[:HAS_CONFIG_FIELD]->(f:ConfigField) RETURN f {.*} ORDER BY f.id } AS fields
"""
)

# Of each type the entry that graphs are tied to: a told one before a stub.
TYPES: LiteralString = (
    """
UNWIND $types AS type
CALL (type) {
  MATCH (t:ModuleType {module_type: type}) WHERE """
    + visible("t")
    + """ AND t.lifecycle_state = 'active' AND NOT t.stub
  RETURN t ORDER BY t.id LIMIT 1
}
RETURN collect(t {.id, .version, .module_type, .family, .purpose, .side_effect_classes, .model_facing,
  .waits_for_person, .bounds_loops, .comparison_aware,
  ports: COLLECT {
    MATCH (t)-[:HAS_PORT]->(p:Port) WHERE """
    + visible("p")
    + """ AND p.lifecycle_state = 'active'
    RETURN p {.port_name, .direction, .port_kind, .required, .place} ORDER BY p.place
  },
  fields: COLLECT {
    MATCH (t)-[:HAS_CONFIG_FIELD]->(f:ConfigField) WHERE """
    + visible("f")
    + """ AND f.lifecycle_state = 'active'
    RETURN f {.field_name, .config_kind, .required, .default_value, .choices, .minimum, .maximum, .description, .place}
    ORDER BY f.place
  }
}) AS found
"""
)
