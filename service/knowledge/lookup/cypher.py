"""What lookups ask of the graph."""

from typing import LiteralString

from service.graph.visibility import visible
from service.knowledge.pack.cypher import TYPE

# The newest profile and contract of the agent, for everybody: of no matter.
EDUCATION: LiteralString = (
    """
RETURN head(COLLECT {
  MATCH (p:EducationProfile {agent_id: $agent}) WHERE """
    + visible("p")
    + """ AND p.lifecycle_state = 'active' AND p.matter_ids = []
  RETURN properties(p) ORDER BY p.updated_at DESC, p.id LIMIT 1
}) AS profile, head(COLLECT {
  MATCH (c:CoreContract {agent_id: $agent}) WHERE """
    + visible("c")
    + """ AND c.lifecycle_state = 'active' AND c.matter_ids = []
  RETURN properties(c) ORDER BY c.updated_at DESC, c.id LIMIT 1
}) AS contract
"""
)

# The pack in use, with its cards of some families. Those of the library's assets are left to matching.
PACK_CARDS: LiteralString = (
    """
MATCH (p:KnowledgePack) WHERE p.pack_state IN ['active', 'stale'] AND """
    + visible("p")
    + """
WITH p ORDER BY p.compiled_at DESC LIMIT 1
RETURN p {.id, .pack_state, .blocking_drift} AS pack, COLLECT {
  MATCH (p)-[:CONTAINS]->(c:KnowledgeCard) WHERE """
    + visible("c")
    + """ AND c.family IN $families AND ($subjects IS NULL OR c.subject IN $subjects)
  RETURN c {.id, .family, .subject, .name, .body, .authority, .authority_level, .may_affect, .source_ref}
  ORDER BY c.family, c.subject, c.id LIMIT $most
} AS cards
"""
)

# Module types that are in use, with their parts. Of each type the entry that graphs are tied to.
LIVE_TYPES: LiteralString = (
    """
MATCH (t:ModuleType) WHERE """
    + visible("t")
    + """ AND NOT t.stub AND t.lifecycle_state = 'active' AND ($types IS NULL OR t.module_type IN $types)
WITH t ORDER BY t.module_type, t.id LIMIT $most
RETURN collect("""
    + TYPE
    + """) AS found
"""
)

LIVE_PATTERNS: LiteralString = (
    """
MATCH (a:Pattern) WHERE """
    + visible("a")
    + """ AND NOT a.stub AND a.lifecycle_state IN ['active', 'candidate_update']
  AND (a.pattern_kind = 'anti_pattern') = $anti
WITH a ORDER BY a.id LIMIT $most
RETURN collect(a {.id, .name, kind: 'Pattern', .purpose, .pattern_kind, .canonical_graph_shapes, .instead,
  .task_types, .domain_tags, .model_class, .cross_model_applicability}) AS found
"""
)

# What modules could be given the use of, with what was last reported of it.
LIVE_CAPABILITIES: LiteralString = (
    """
MATCH (a:Capability) WHERE """
    + visible("a")
    + """ AND NOT a.stub AND NOT a.lifecycle_state IN $hidden_states
WITH a ORDER BY a.id LIMIT $most
RETURN collect(a {.id, .name, kind: 'Capability', .summary, .capability_kind, .side_effect_classes, .state,
  .state_as_of}) AS found
"""
)
