"""Blueprints: their parts, what they are measured by, and whose they are."""

from typing import LiteralString

from service.graph.visibility import called, visible

# The blueprints of an asset, for its own sake; `seen` are those that the one who asks may know of.
OWN_BLUEPRINTS: LiteralString = (
    """
MATCH (:Record {id: $owner})-[:HAS_BLUEPRINT]->(b:Blueprint)
RETURN b.id AS id, b.blueprint_hash AS hash, """
    + visible("b")
    + """ AS seen ORDER BY b.id
"""
)

# The blueprint that an asset has. It is locked before it is read: others may save it by its own name.
PRESENT_BLUEPRINT: LiteralString = (
    """
MATCH (:Record {id: $owner})-[:HAS_BLUEPRINT]->(b:Blueprint)
WHERE """
    + visible("b")
    + """ AND b.lifecycle_state <> 'archived'
WITH b ORDER BY b.updated_at DESC, b.id LIMIT 1
SET b._lock = true
REMOVE b._lock
RETURN labels(b) AS labels, properties(b) AS properties
"""
)

# Blueprints that were given the access of their asset get its new one. What they inherit is computed afterwards.
MOVE_BLUEPRINTS: LiteralString = """
MATCH (:Record {id: $owner})-[:HAS_BLUEPRINT]->(b:Blueprint)
WHERE b.own_data_class = $former.data_class AND b.own_matter_ids = $former.matter_ids
SET b.own_data_class = $present.data_class, b.own_matter_ids = $present.matter_ids
"""

# What blueprints are measured by: those of the owners, and those that are named. For their own sake: whoever changes a
# graph need not see the blueprint. `changed` are graphs that owners are about to have, `gained` and `lost` owners. They
# are locked before they are read, because what was read is written back: an owner may be moving them elsewhere.
BLUEPRINT_MEASURES: LiteralString = """
CALL () {
  UNWIND $changed AS one
  MATCH (:Record {id: one.owner})-[:HAS_BLUEPRINT]->(b:Blueprint) RETURN b
  UNION
  UNWIND $blueprints AS id
  MATCH (b:Blueprint:Record {id: id}) RETURN b
}
SET b._lock = true REMOVE b._lock
WITH b, COLLECT {
  CALL (b) {
    MATCH (b)<-[:HAS_BLUEPRINT]-(owner:Record) WHERE NOT owner.id IN $lost RETURN owner
    UNION
    UNWIND $gained AS id
    MATCH (owner:Record {id: id}) RETURN owner
  }
  RETURN owner
} AS owners
WHERE NOT b.stub
RETURN properties(b) AS blueprint,
  COUNT { MATCH (b)-[:HAS_CONTRACT]->(c:Contract) WHERE c.side = 'output' } AS outputs,
  COUNT { MATCH (b)-[:HAS_CONTRACT]->(c:Contract) WHERE c.side = 'input' } AS inputs,
  reduce(most = 0, one IN COLLECT {
    UNWIND owners AS owner RETURN COUNT { (owner)-[:HAS_GRAPH|HAD_GRAPH]->(:GraphSnapshot) }
  } | CASE WHEN one > most THEN one ELSE most END) AS graphs,
  COLLECT {
    UNWIND owners AS owner
    CALL (owner) {
      UNWIND [one IN $changed WHERE one.owner = owner.id | one.snapshot] AS id
      MATCH (g:GraphSnapshot:Record {id: id}) RETURN g
      UNION
      WITH owner WHERE NOT owner.id IN [one IN $changed | one.owner]
      MATCH (owner)-[:HAS_GRAPH]->(g:GraphSnapshot) RETURN g
    }
    WITH DISTINCT g
    MATCH (g)-[:HAS_MODULE]->(m:Module)
    RETURN m {.module_key, .module_type, .autonomy, .disabled, graph: g.id,
      family: head(COLLECT { MATCH (m)-[:OF_TYPE]->(type:ModuleType) RETURN type.family })}
  } AS modules
"""

# A blueprint as it stands: its parts, what they lead to, its needs and goals, and who has it. Its owners get its hash:
# they are locked before they are read.
BLUEPRINT: LiteralString = (
    """
CALL () {
  MATCH (:Blueprint:Record {id: $id})<-[:HAS_BLUEPRINT]-(owner:Record) WHERE """
    + visible("owner")
    + """
  SET owner._lock = true REMOVE owner._lock
}
OPTIONAL MATCH (b:Blueprint:Record {id: $id}) WHERE """
    + visible("b")
    + """
RETURN
  COLLECT {
    MATCH (b)-[r:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]->(part:Record)
    WHERE """
    + visible("part")
    + """
    RETURN {type: type(r), order: r.order, labels: labels(part), properties: properties(part),
      links: COLLECT {
        MATCH (part)-[link:REQUIRES|ALLOWS|DENIES|SERVES_GOAL|CHECKED_BY|BOUND_TO]->(other:Record)
        WHERE """
    + visible("other")
    + """
        RETURN {type: type(link), id: other.id, key: coalesce(other.module_key, other.statement)} ORDER BY other.id
      }} ORDER BY type(r), r.order
  } AS parts,
  COLLECT {
    MATCH (b)-[link:REQUIRES|ALLOWS|DENIES|EXPRESSES_GOAL]->(other:Record) WHERE """
    + visible("other")
    + """
    RETURN {type: type(link), id: other.id} ORDER BY other.id
  } AS links,
  COLLECT {
    MATCH (b)<-[:HAS_BLUEPRINT]-(owner:Record)
    WHERE """
    + visible("owner")
    + """ AND ($owner IS NULL OR owner.id <> $owner)
    RETURN {labels: labels(owner), properties: properties(owner)} ORDER BY owner.id
  } AS owners,
  COLLECT {
    MATCH (:Record {id: $owner})-[:HAS_BLUEPRINT]->(other:Blueprint)
    WHERE """
    + visible("other")
    + """ AND ($id IS NULL OR other.id <> $id)
    RETURN other.id ORDER BY other.id
  } AS replaced,
  reduce(most = 0, one IN COLLECT {
    CALL (b) {
      MATCH (owner:Record {id: $owner}) RETURN owner
      UNION
      MATCH (b)<-[:HAS_BLUEPRINT]-(owner:Record) RETURN owner
    }
    RETURN COUNT { (owner)-[:HAS_GRAPH|HAD_GRAPH]->(:GraphSnapshot) }
  } | CASE WHEN one > most THEN one ELSE most END) AS graphs,
  EXISTS {
    MATCH (b)<-[:HAS_BLUEPRINT*0..1]-(of:Record)<-[:LEARNED_FROM|DESIGNED_WITH]-(c:Case)
    WHERE """
    + visible("of")
    + """ AND """
    + visible("c")
    + """
  } AS has_case,
  COLLECT {
    CALL (b) {
      MATCH (owner:Record {id: $owner}) RETURN owner
      UNION
      MATCH (b)<-[:HAS_BLUEPRINT]-(owner:Record) RETURN owner
    }
    MATCH (owner)-[:HAS_GRAPH]->(g:GraphSnapshot)-[:HAS_MODULE]->(m:Module)
    WHERE """
    + visible("owner")
    + """ AND """
    + visible("m")
    + """
    WITH DISTINCT g, m ORDER BY m.module_key
    RETURN m {.id, .module_key, .module_type, .autonomy, .disabled, graph: g.id,
      family: head(COLLECT { MATCH (m)-[:OF_TYPE]->(type:ModuleType) RETURN type.family })}
  } AS modules
"""
)

# A blueprint with its states, newest first: of each, who could see it; of the one that is asked for, what it says.
BLUEPRINT_STATES: LiteralString = (
    """
CALL () {
  MATCH (b:Blueprint:Record {id: $id}) RETURN b
  UNION
  """
    + called("b", "$source", "$key", "Blueprint")
    + """
}
WITH b WHERE """
    + visible("b")
    + """
RETURN b.id AS id, COLLECT {
  CALL (b) {
    RETURN b AS state
    UNION
    MATCH (b)-[:PREVIOUS]->(:Version)-[:PREVIOUS*0..]->(state:Version) RETURN state
  }
  WITH state, state.version = coalesce($version, b.version) AS asked
  RETURN state {.version, .data_class, .matter_ids, content: CASE WHEN asked THEN state.content END,
    diff: CASE WHEN asked THEN state.diff END} ORDER BY state.version DESC LIMIT $most
} AS states
"""
)

SEEN: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
RETURN collect(n.id) AS ids
"""
)
