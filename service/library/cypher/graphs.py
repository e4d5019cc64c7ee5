"""Graphs: their snapshots, modules and cables, and what modules are tied to."""

from typing import LiteralString

from service.graph.visibility import visible

# For each owner: its present graphs, and the snapshot of the same content for the same readers, if there is one. A
# snapshot of other readers is not looked at: that there is one is theirs to know. Nor is a draft or a worked
# example: whose it becomes must not follow who may read the session that it was proposed in, or the pack.
KNOWN_GRAPHS: LiteralString = """
UNWIND $graphs AS one
RETURN one.owner AS owner,
  head(COLLECT {
    MATCH (same:GraphSnapshot {graph_hash: one.hash})
    WHERE same.audience = one.audience AND NOT EXISTS { (same)<-[:DRAFTED_GRAPH|DRAWN_AS]-() }
    RETURN properties(same) ORDER BY same.id LIMIT 1
  }) AS same,
  COLLECT {
    MATCH (:Record {id: one.owner})-[:HAS_GRAPH]->(present:GraphSnapshot) RETURN properties(present)
  } AS present
"""

PRESENT_EXTRA: LiteralString = """
MATCH (:Record {id: $owner})-[:HAS_GRAPH]->(present:GraphSnapshot) WHERE present.extra IS NOT NULL
RETURN present.extra AS extra LIMIT 1
"""

KNOWN_TYPES: LiteralString = (
    """
UNWIND $types AS type
MATCH (known:ModuleType {module_type: type}) WHERE """
    + visible("known")
    + """
WITH type, known ORDER BY known.stub, known.id
RETURN type, collect({id: known.id, audience: known.audience, stub: known.stub}) AS known
"""
)

# Cables are made here and not as links of the command: two modules may have several between them.
CREATE_GRAPHS: LiteralString = """
CALL () {
  UNWIND $types AS one
  CREATE (n:ModuleType:Record) SET n = one
}
UNWIND $graphs AS graph
CREATE (snapshot:GraphSnapshot:Record) SET snapshot = graph.snapshot
WITH graph, snapshot
CALL (graph, snapshot) {
  UNWIND graph.modules AS one
  CREATE (snapshot)-[:HAS_MODULE]->(n:Module:Record) SET n = one.properties
  WITH n, one
  MATCH (type:ModuleType:Record {id: one.type_id})
  CREATE (n)-[:OF_TYPE]->(type)
}
CALL (graph) {
  UNWIND graph.cables AS one
  MATCH (tail:Record {id: one.tail})
  MATCH (head:Record {id: one.head})
  CREATE (tail)-[r:CABLE]->(head) SET r = one.properties
}
"""

CONTENT: LiteralString = (
    """
  snapshot {.settings, .extra} AS whole,
  COLLECT {
    MATCH (snapshot)-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("m")
    + """
    RETURN m {.module_key, .name, .module_type, .purpose, .config, .autonomy, .input_ports, .output_ports, .disabled}
    ORDER BY m.module_key
  } AS modules,
  COLLECT {
    MATCH (snapshot)-[:HAS_MODULE]->(tail:Module)-[r:CABLE]->(head:Module)
    WHERE """
    + visible("tail")
    + """ AND """
    + visible("head")
    + """
    RETURN r {.*, tail: tail.module_key, head: head.module_key} ORDER BY r.cable_id
  } AS cables
"""
)

# What a snapshot holds, as it was saved.
GRAPHS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (snapshot:GraphSnapshot:Record {id: id}) WHERE """
    + visible("snapshot")
    + """
RETURN id,
"""
    + CONTENT
)

# The modules of graphs with their ties, for the graphs' own sake: nothing of it is told to anybody, and a tie to what
# the one who saves does not see stays.
TIED_MODULES: LiteralString = """
UNWIND $ids AS id
RETURN DISTINCT id, COLLECT {
  MATCH (:GraphSnapshot:Record {id: id})-[:HAS_MODULE]->(m:Module)
  RETURN m {.id, .module_key, .module_type, .config_hash,
    presets: COLLECT { MATCH (m)-[:USES_PRESET]->(preset:Preset) RETURN preset.id ORDER BY preset.id },
    segments: COLLECT {
      MATCH (m)-[r:IN_SEGMENT]->(segment:Segment)
      RETURN r {.segment_module_key, .placement, segment: segment.id} ORDER BY segment.id
    },
    cables: COLLECT { MATCH (m)-[r:CABLE]->(head:Module) RETURN r {.from_port, .to_port, head: head.module_key} }
  }
} AS modules
"""

# What others say of the modules of graphs that owners have had until now. As above, nothing of it is told to anybody
# who does not see the step. `elsewhere`: another owner of the step's blueprint still has that graph.
MODULE_BONDS: LiteralString = (
    """
UNWIND $graphs AS one
MATCH (owner:Record {id: one.owner})
MATCH (snapshot:GraphSnapshot:Record {id: one.former})-[:HAS_MODULE]->(m:Module)
WITH owner, snapshot, m,
  COLLECT {
    MATCH (m)-[r:REQUIRES|ALLOWS|DENIES|SCOPED_TO]->(other:Record)
    RETURN {type: type(r), head: other.id, properties: properties(r)} ORDER BY type(r), other.id
  } AS own,
  COLLECT { MATCH (m)<-[:DECIDED_ABOUT]-(other:Record) RETURN other.id ORDER BY other.id } AS decided,
  COLLECT {
    MATCH (m)<-[:BOUND_TO]-(step:StepIntent)<-[:HAS_STEP]-(b:Blueprint)<-[:HAS_BLUEPRINT]-(owner)
    RETURN {id: step.id, seen: """
    + visible("step")
    + """, elsewhere: EXISTS {
      MATCH (b)<-[:HAS_BLUEPRINT]-(another:Record)-[:HAS_GRAPH]->(snapshot) WHERE NOT another.id IN $leaving
    }} ORDER BY step.id
  } AS steps
WHERE size(own) + size(decided) + size(steps) > 0
RETURN owner.id AS owner, m.id AS id, m.module_key AS module_key, own, decided, steps,
  EXISTS { MATCH (snapshot)<-[:HAS_GRAPH]-(another:Record) WHERE NOT another.id IN $leaving } AS shared
"""
)

# Graphs that an owner shares with others: access is about to part them, but for those that go `together`.
SHARED_GRAPHS: LiteralString = """
MATCH (:Record {id: $owner})-[r:HAS_GRAPH|HAD_GRAPH]->(snapshot:GraphSnapshot)
WHERE EXISTS {
  MATCH (snapshot)<-[:HAS_GRAPH|HAD_GRAPH]-(other:Record) WHERE other.id <> $owner AND NOT other.id IN $together
}
RETURN type(r) AS type, properties(snapshot) AS snapshot
"""
