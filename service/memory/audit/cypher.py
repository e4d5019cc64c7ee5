"""The statements of an audit export: the parts of a run, their links, and what these lead to."""

from typing import LiteralString

from service.graph.visibility import visible

# One line for each label whose records belong to a run; each is found by its index on run_id.
PARTS: LiteralString = (
    """
CALL () {
  MATCH (n:Activation {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Span {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Artifact {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Delivery {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Gate {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Snapshot {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Checkpoint {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Session {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Intervention {run_id: $run}) RETURN n
  UNION ALL MATCH (n:NativeEvent {run_id: $run}) RETURN n
  UNION ALL MATCH (n:LibraryIntent {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Thread {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Consult {run_id: $run}) RETURN n
  UNION ALL MATCH (n:Trigger {run_id: $run}) RETURN n
  UNION ALL MATCH (n:ScopeEnvelope {run_id: $run}) RETURN n
  UNION ALL MATCH (n:ContextPacket {run_id: $run}) RETURN n
  UNION ALL MATCH (n:ExpansionReceipt {run_id: $run}) RETURN n
}
WITH n WHERE """
    + visible("n")
    + """
WITH n LIMIT $most
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""
)

# What the parts lead to, and what says something about them later. What merely used them since is another run's story.
LINKS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
CALL (n) {
  MATCH (n)-[r]->(m:Record) WHERE """
    + visible("m")
    + """
  RETURN n.id AS tail, type(r) AS type, m.id AS head, properties(r) AS facts
  UNION ALL
  MATCH (n)<-[r:$any($incoming)]-(m:Record) WHERE """
    + visible("m")
    + """
  RETURN m.id AS tail, type(r) AS type, n.id AS head, properties(r) AS facts
}
WITH tail, type, head, facts LIMIT $most
RETURN collect([tail, type, head, facts]) AS found
"""
)

OTHERS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
RETURN collect({labels: labels(n), properties: properties(n)}) AS found
"""
)

# The graph that held when the run began, with its modules and cables: of the first owner that has one. One that was
# saved later is told only where there is no earlier one, and `later` says so.
GRAPH: LiteralString = (
    """
CALL () {
  UNWIND range(0, size($owners) - 1) AS place
  MATCH (owner:Record {id: $owners[place]})-[has:HAS_GRAPH|HAD_GRAPH]->(graph:GraphSnapshot)
  WHERE """
    + visible("graph")
    + """ AND coalesce(has.replaced_at > $started, true)
  WITH place, owner, has, graph, graph.created_at > $started AS later
  ORDER BY place, later, has.replaced_at, graph.id LIMIT 1
  RETURN owner, has, graph, later
}
CALL (graph) {
  MATCH (graph)-[:HAS_MODULE]->(module:Module) WHERE """
    + visible("module")
    + """
  RETURN collect(module) AS modules
}
CALL (graph, modules) {
  UNWIND modules AS module
  MATCH (other)-[r:HAS_MODULE|CABLE]->(module) WHERE other = graph OR other IN modules
  RETURN collect([other.id, type(r), module.id, properties(r)]) AS links
}
RETURN [one IN [graph] + modules | {labels: labels(one), properties: properties(one)}] AS records,
  [[owner.id, type(has), graph.id, properties(has)]] + links AS links,
  CASE WHEN later THEN [graph.id] ELSE [] END AS later
"""
)

# The blueprint as it stands, with its parts; `later` says that it was changed since the run began.
BLUEPRINT: LiteralString = (
    """
CALL () {
  UNWIND range(0, size($owners) - 1) AS place
  MATCH (owner:Record {id: $owners[place]})-[has:HAS_BLUEPRINT]->(blueprint:Blueprint)
  WHERE """
    + visible("blueprint")
    + """
  RETURN owner, has, blueprint ORDER BY place, blueprint.id LIMIT 1
}
CALL (blueprint) {
  MATCH (blueprint)-[:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]->(part:Record)
  WHERE """
    + visible("part")
    + """
  RETURN collect(DISTINCT part) AS parts
}
CALL (blueprint, parts) {
  UNWIND [blueprint] + parts AS one
  MATCH (one)-[r:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT|CHECKED_BY|BOUND_TO]->(to:Record)
  WHERE to IN parts OR to.id IN $modules
  RETURN collect([one.id, type(r), to.id, properties(r)]) AS links
}
RETURN [one IN [blueprint] + parts | {labels: labels(one), properties: properties(one)}] AS records,
  [[owner.id, type(has), blueprint.id, properties(has)]] + links AS links,
  CASE WHEN blueprint.updated_at > $started THEN [blueprint.id] ELSE [] END AS later
"""
)

EXPORT: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE n:AuditExport AND """
    + visible("n")
    + """
RETURN n {.id, .decision, .export_ref} AS export
"""
)

FATES: LiteralString = """
MATCH (n:Record) WHERE n.id IN $ids
RETURN [one IN collect(n) WHERE one:Tombstone | one.id] AS erased,
  [one IN collect(n) WHERE one:AuditExport | one.id] AS kept
"""
