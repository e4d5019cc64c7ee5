"""What packs are made from, and the packs themselves."""

from typing import LiteralString

from service.graph.visibility import visible

# A module type `t` in use, with its parts.
TYPE: LiteralString = (
    """t {.id, .module_type, .name, .family, .purpose, .when_to_use, .when_not_to_use, .common_patterns,
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
    RETURN f {.field_name, .config_kind, .required, .default_value, .choices, .minimum, .maximum, .description, .place}
    ORDER BY f.place
  }}"""
)
# What holds for everybody: of no matter, and of no class that some may not see. A pack tells the same to all.
_TYPES: LiteralString = (
    """
CALL () {
  MATCH (t:ModuleType) WHERE """
    + visible("t")
    + """ AND NOT t.stub AND t.lifecycle_state = 'active' AND t.matter_ids = []
    AND t.data_class IN ['public', 'internal']
  WITH t ORDER BY t.module_type, t.id
  RETURN collect("""
    + TYPE
    + """) AS types
}
"""
)
_DOCUMENTS: LiteralString = (
    """
CALL () {
  MATCH (s:SpecSection) WHERE """
    + visible("s")
    + """ AND s.lifecycle_state = 'active' AND s.matter_ids = [] AND s.data_class IN ['public', 'internal']
  WITH s ORDER BY s.document_key, s.place, s.id
  WITH s.document_key AS document, collect(s.body_hash) AS hashes
  RETURN collect([document, hashes]) AS documents
}
"""
)
# Of two about the same the later one speaks.
_WRITTEN: LiteralString = (
    """
CALL () {
  MATCH (w:WrittenCard) WHERE """
    + visible("w")
    + """ AND w.lifecycle_state IN ['active', 'candidate_update'] AND w.matter_ids = []
    AND w.data_class IN ['public', 'internal']
  WITH w ORDER BY w.created_at, w.id
  RETURN collect(w {.family, .subject, .name, .body, .level}) AS written
}
"""
)
_ASSETS: LiteralString = (
    """
  MATCH (a:Template|Preset|Pattern|Capability|Case|Lesson) WHERE """
    + visible("a")
    + """ AND NOT a.stub AND a.lifecycle_state IN ['active', 'candidate_update'] AND a.matter_ids = []
    AND a.data_class IN ['public', 'internal']
"""
)
_ASSET: LiteralString = """a {.id, .version, .name, kind: head([one IN labels(a) WHERE one <> 'Record']), .description,
    .task_type, .domain_tags, .expected_inputs, .expected_outputs, .use_conditions, .non_use_conditions,
    .known_limitations, .module_type, .config_summary, .why_this_preset_exists, .purpose, .pattern_kind,
    .canonical_graph_shapes, .instead, .summary, .capability_kind, .side_effect_classes, .user_intent_summary,
    .final_blueprint_summary, .outcome_summary, .design_choice, .because, .actual_effect, .when_to_reuse,
    .when_not_to_reuse}"""

SOURCES: LiteralString = (
    _TYPES
    + _DOCUMENTS
    + _WRITTEN
    + """
CALL () {
"""
    + _ASSETS
    + """
  WITH a ORDER BY a.id
  RETURN collect("""
    + _ASSET
    + """) AS assets
}
RETURN types, documents, written, assets
"""
)

# The same, with the versions of assets alone: what has the version that a card was made from needs no second look.
SOURCE_VERSIONS: LiteralString = (
    _TYPES
    + _DOCUMENTS
    + _WRITTEN
    + """
CALL () {
"""
    + _ASSETS
    + """
  RETURN collect([a.id, head([one IN labels(a) WHERE one <> 'Record']), a.version]) AS versions
}
RETURN types, documents, written, versions
"""
)

SOURCE_ASSETS: LiteralString = (
    _ASSETS
    + """ AND a.id IN $ids
WITH a ORDER BY a.id
RETURN collect("""
    + _ASSET
    + """) AS assets
"""
)

KNOWN_CARDS: LiteralString = (
    """
UNWIND $hashes AS hash
MATCH (c:KnowledgeCard {content_hash: hash}) WHERE """
    + visible("c")
    + """
WITH hash, c ORDER BY c.id
WITH hash, head(collect(c)) AS c
RETURN hash, c.id AS id,
  CASE WHEN hash IN $drawn AND NOT EXISTS { MATCH (c)-[:DRAWN_AS]->() } THEN properties(c) END AS undrawn
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

# The pack that is named, else the one in use; what its cards were made from, and the latest run of each suite by an
# agent that was taught it.
PACK: LiteralString = (
    """
MATCH (p:KnowledgePack) WHERE (p.id = $id OR $id IS NULL AND p.pack_state IN ['active', 'stale']) AND """
    + visible("p")
    + """
WITH p ORDER BY p.compiled_at DESC LIMIT 1
RETURN p {.*} AS pack, COLLECT {
  MATCH (p)-[:CONTAINS]->(c:KnowledgeCard) WHERE """
    + visible("c")
    + """ RETURN [c.source_ref, c.id, c.source_hash, c.source_version] ORDER BY c.id
} AS cards, COLLECT {
  MATCH (r:EvalRun {pack_hash: p.pack_hash}) WHERE """
    + visible("r")
    + """
  WITH r ORDER BY r.submitted_at DESC, r.id DESC
  WITH r.suite AS suite, collect(r)[0] AS r
  RETURN r {.id, .suite, .passed, .regressions} ORDER BY suite
} AS runs
"""
)

# The latest run of each suite by an agent that was taught a pack.
LATEST_RUNS: LiteralString = (
    """
MATCH (r:EvalRun {pack_hash: $pack_hash}) WHERE """
    + visible("r")
    + """
WITH r ORDER BY r.submitted_at DESC, r.id DESC
WITH r.suite AS suite, collect(r)[0] AS r
RETURN r {.id, .suite, .passed, .regressions} AS run ORDER BY suite
"""
)

# Whether something that packs are made from was changed after a place in the log.
TOUCHED: LiteralString = """
MATCH (e:Event) WHERE e.seq > $after AND e.about_kind IN $kinds
RETURN count(e) AS touched
"""

# What is told of a pack on the command line, to whoever has just compiled or activated it.
TOLD: LiteralString = """
MATCH (p:KnowledgePack {id: $id})
RETURN p {.id, state: p.pack_state, .decision, .reason, readiness: p.readiness_state, cards: p.card_count} AS pack
"""
