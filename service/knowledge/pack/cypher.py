"""What packs are made from, and the packs themselves."""

from typing import LiteralString

from service.graph.visibility import visible

# What holds for everybody: of no matter, and of no class that some may not see. A pack tells the same to all.
SOURCES: LiteralString = (
    """
CALL () {
  MATCH (t:ModuleType) WHERE """
    + visible("t")
    + """ AND NOT t.stub AND t.lifecycle_state = 'active' AND t.matter_ids = []
    AND t.data_class IN ['public', 'internal']
  WITH t ORDER BY t.module_type, t.id
  RETURN collect(t {.id, .module_type, .name, .family, .purpose, .when_to_use, .when_not_to_use, .common_patterns,
    .common_mistakes, .side_effect_behavior, .side_effect_classes, .context_behavior, .chain_history_behavior,
    .session_behavior, .compatible_modules, .incompatible_patterns, .waits_for_person, .bounds_loops,
    .comparison_aware, .model_facing,
    ports: COLLECT {
      MATCH (t)-[:HAS_PORT]->(p:Port) WHERE """
    + visible("p")
    + """ AND p.lifecycle_state = 'active'
      RETURN p {.port_name, .direction, .port_kind, .required, .description, .place} ORDER BY p.place
    },
    fields: COLLECT {
      MATCH (t)-[:HAS_CONFIG_FIELD]->(f:ConfigField) WHERE """
    + visible("f")
    + """ AND f.lifecycle_state = 'active'
      RETURN f {.field_name, .config_kind, .required, .default_value, .choices, .minimum, .maximum, .description,
        .place} ORDER BY f.place
    }}) AS types
}
CALL () {
  MATCH (a:Template|Preset|Pattern|Capability|Case) WHERE """
    + visible("a")
    + """ AND NOT a.stub AND a.lifecycle_state IN ['active', 'candidate_update'] AND a.matter_ids = []
    AND a.data_class IN ['public', 'internal']
  WITH a, head([one IN labels(a) WHERE one <> 'Record']) AS kind ORDER BY kind, a.id
  RETURN collect(a {.id, .name, kind: kind, .description, .task_type, .domain_tags, .expected_inputs,
    .expected_outputs, .use_conditions, .non_use_conditions, .known_limitations, .module_type, .config_summary,
    .why_this_preset_exists, .purpose, .pattern_kind, .canonical_graph_shapes, .instead, .summary, .capability_kind,
    .side_effect_classes, .user_intent_summary, .final_blueprint_summary, .outcome_summary}) AS assets
}
RETURN types, assets
"""
)

KNOWN_CARDS: LiteralString = (
    """
UNWIND $hashes AS hash
MATCH (c:KnowledgeCard {content_hash: hash}) WHERE """
    + visible("c")
    + """
WITH hash, c ORDER BY c.id
RETURN hash, head(collect(c.id)) AS id
"""
)

# Packs that are in use. They are locked before they are read: two that are activated at once come one after the other.
IN_USE: LiteralString = """
MATCH (p:KnowledgePack) WHERE p.pack_state IN ['active', 'stale']
SET p._lock = true
REMOVE p._lock
RETURN properties(p) AS properties ORDER BY p.compiled_at DESC
"""

SAME_PACK: LiteralString = """
MATCH (p:KnowledgePack {pack_hash: $pack_hash}) RETURN properties(p) AS properties ORDER BY p.compiled_at DESC LIMIT 1
"""

ACTIVE: LiteralString = (
    """
MATCH (p:KnowledgePack) WHERE p.pack_state IN ['active', 'stale'] AND """
    + visible("p")
    + """
RETURN p {.*} AS pack, COLLECT {
  MATCH (p)-[:CONTAINS]->(c:KnowledgeCard) WHERE """
    + visible("c")
    + """ RETURN [c.source_ref, c.id] ORDER BY c.id
} AS cards ORDER BY p.compiled_at DESC LIMIT 1
"""
)
