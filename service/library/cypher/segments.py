"""Segments: where they are taken from, what they hold, where they fit and how they are used."""

from typing import LiteralString

from service.graph.visibility import called, visible
from service.library.cypher.graphs import CONTENT

# What is inside of segments, as they were saved.
SEGMENT_GRAPHS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (segment:Segment:Record {id: id})-[:HAS_GRAPH]->(snapshot:GraphSnapshot)
WHERE """
    + visible("segment")
    + """ AND """
    + visible("snapshot")
    + """
WITH DISTINCT id, snapshot
RETURN id,
"""
    + CONTENT
)

# The graph that a segment is taken from: a snapshot itself, or the present one of a task or template. Others may have
# the same snapshot: the steps are those of the owner's own blueprint.
SEGMENT_SOURCE: LiteralString = (
    """
MATCH (owner:Record {id: $id}) WHERE """
    + visible("owner")
    + """
MATCH (owner)-[:HAS_GRAPH*0..1]->(snapshot:GraphSnapshot) WHERE """
    + visible("snapshot")
    + """
RETURN properties(snapshot) AS snapshot, CASE WHEN owner:GraphSnapshot THEN null ELSE owner.id END AS owner,
  COLLECT {
    MATCH (snapshot)-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("m")
    + """
    MATCH (m)-[:USES_PRESET*0..1]->(needy:Module|Preset)-[:REQUIRES]->(c:Capability)
    WHERE """
    + visible("needy")
    + """ AND """
    + visible("c")
    + """
    RETURN DISTINCT {module_key: m.module_key, id: c.id}
  } AS needs,
  COLLECT {
    MATCH (snapshot)-[:HAS_MODULE]->(m:Module)<-[:BOUND_TO]-(step:StepIntent)<-[:HAS_STEP]-(b:Blueprint)
    WHERE """
    + visible("m")
    + """ AND """
    + visible("step")
    + """
      AND (owner:GraphSnapshot OR EXISTS { (owner)-[:HAS_BLUEPRINT]->(b) })
    RETURN DISTINCT {module_key: m.module_key, id: step.id}
  } AS steps,
"""
    + CONTENT
)

# What a segment has from where it was last taken, for its own sake: all of it goes when it is taken anew. `derived` are
# needs of the modules that it was taken from; what else it requires, somebody has said.
TAKEN_BEFORE: LiteralString = (
    """
MATCH (segment:Segment:Record {id: $id})
RETURN
  COLLECT {
    MATCH (segment)-[r:TAKEN_FROM|SAVED_FROM|COVERS_STEP]->(other:Record)
    RETURN {type: type(r), id: other.id} ORDER BY other.id
  } AS links,
  COLLECT { MATCH (segment)-[:REQUIRES]->(c:Capability) RETURN c.id ORDER BY c.id } AS requires,
  COLLECT {
    MATCH (segment)-[:TAKEN_FROM]->(:GraphSnapshot)-[:HAS_MODULE]->(m:Module)-[:IN_SEGMENT]->(segment)
    MATCH (m)-[:USES_PRESET*0..1]->(:Module|Preset)-[:REQUIRES]->(c:Capability) WHERE """
    + visible("c")
    + """
    RETURN DISTINCT c.id
  } AS derived,
  COLLECT {
    MATCH (segment)-[:HAS_GRAPH]->(:GraphSnapshot)-[:HAS_MODULE]->(m:Module)
    RETURN m {.module_key, .module_type, .config, .disabled}
  } AS modules
"""
)

CAPABILITIES_CALLED: LiteralString = (
    """
UNWIND $keys AS key
MATCH (c:Capability:Record {source: $source, source_key: key})
WHERE c.realm IS NOT NULL AND """
    + visible("c")
    + """
RETURN key, c.id AS id ORDER BY c.realm DESC
"""
)

# A graph with what is said of capabilities there: by its owner, the owner's blueprint, the template that it was made
# from, and the groups of that. A snapshot by itself says nothing of them.
GRAPH_TO_CHECK: LiteralString = (
    """
CALL () {
  MATCH (owner:Record {id: $id}) RETURN owner
  UNION
  """
    + called("owner", "$source", "$key")
    + """
}
WITH owner WHERE """
    + visible("owner")
    + """ AND any(label IN labels(owner) WHERE label IN $kinds)
MATCH (owner)-[:HAS_GRAPH*0..1]->(snapshot:GraphSnapshot) WHERE """
    + visible("snapshot")
    + """
RETURN owner {.required_input_ports, .exposed_output_ports} AS owner,
  COLLECT {
    MATCH (owner)-[:INSTANTIATES*0..1]->(asset:Record) WHERE """
    + visible("asset")
    + """
    MATCH (asset)-[:HAS_BLUEPRINT|IN_GROUP*0..1]->(needy:Record) WHERE """
    + visible("needy")
    + """
    MATCH (needy)-[r:REQUIRES|ALLOWS|DENIES]->(c:Capability) WHERE """
    + visible("c")
    + """
    RETURN DISTINCT {type: type(r), name: c.name, state: c.state}
  } AS owner_needs,
"""
    + CONTENT
)

SAME_SHAPE: LiteralString = (
    """
MATCH (other:Segment {structure_hash: $shape})
WHERE """
    + visible("other")
    + """ AND other.id <> $id AND other.lifecycle_state <> 'archived'
WITH other ORDER BY other.id LIMIT 20
RETURN collect(other.id) AS found
"""
)

# How segments are used: tasks and templates that have them in their graph, and what their modules did in the latest
# `recent` runs of each. Executors know modules by key, so a run counts when it activated one of the keys; runs of a
# graph that is no longer there count until it was replaced.
SEGMENT_USAGE: LiteralString = (
    """
UNWIND $ids AS id
MATCH (s:Segment:Record {id: id}) WHERE """
    + visible("s")
    + """
CALL (s) {
  MATCH (s)<-[:IN_SEGMENT]-(m:Module)<-[:HAS_MODULE]-(g:GraphSnapshot)<-[has:HAS_GRAPH|HAD_GRAPH]-(owner:Task|Template)
  WHERE """
    + visible("m")
    + """ AND """
    + visible("g")
    + """ AND """
    + visible("owner")
    + """
  WITH owner, collect(DISTINCT m.module_key) AS keys, max(coalesce(has.replaced_at, $latest)) AS until
  CALL (owner, keys, until) {
    UNWIND $audiences AS audience
    CALL (audience, owner, until) {
      WITH * WHERE owner:Task
      MATCH (run:Run {audience: audience, task_key: owner.source_key})
      USING INDEX SEEK run:Run(audience, task_key, started_at)
      WHERE run.started_at < until AND run.source = owner.source
      RETURN run ORDER BY run.audience DESC, run.task_key DESC, run.started_at DESC LIMIT $recent
      UNION
      WITH * WHERE owner:Template
      MATCH (run:Run {audience: audience, template_key: owner.source_key})
      USING INDEX SEEK run:Run(audience, template_key, started_at)
      WHERE run.started_at < until AND run.source = owner.source
      RETURN run ORDER BY run.audience DESC, run.template_key DESC, run.started_at DESC LIMIT $recent
    }
    WITH run, keys ORDER BY run.started_at DESC, run.id DESC LIMIT $recent
    RETURN collect({run: run, keys: keys}) AS runs
  }
  RETURN count(CASE WHEN until = $latest AND owner.lifecycle_state <> 'archived' THEN 1 END) AS usage_count,
    collect(runs) AS all_runs
}
CALL (all_runs) {
  UNWIND all_runs AS runs
  UNWIND runs AS one
  UNWIND one.keys AS key
  WITH one.run AS run, collect(DISTINCT key) AS keys
  MATCH (a:Activation {run_id: run.id})
  USING INDEX SEEK a:Activation(run_id, module_key, activation_seq)
  WHERE a.module_key IN keys AND a.activation_seq >= 1 AND """
    + visible("a")
    + """
  WITH run, sum(a.duration_ms) AS worked_ms, count(a.duration_ms) AS timed, sum(a.cost_usd) AS spent,
    count(a.cost_usd) AS priced
  RETURN count(run) AS run_count, max(run.started_at) AS last_used_at,
    round(avg(CASE WHEN timed > 0 THEN worked_ms END)) AS avg_duration_ms,
    round(avg(CASE WHEN priced > 0 THEN spent END), 6) AS avg_cost_usd
}
RETURN id, {usage_count: usage_count, run_count: run_count, last_used_at: last_used_at,
  avg_duration_ms: avg_duration_ms, avg_cost_usd: avg_cost_usd} AS usage
"""
)
