"""Statements of the library's commands."""

from typing import LiteralString

from service.graph.visibility import called, visible

# For each owner: its present graphs, and the snapshot of the same content for the same readers, if there is one. A
# snapshot of other readers is not looked at: that there is one is theirs to know.
KNOWN_GRAPHS: LiteralString = """
UNWIND $graphs AS one
RETURN one.owner AS owner,
  head(COLLECT {
    MATCH (same:GraphSnapshot {graph_hash: one.hash}) WHERE same.audience = one.audience
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

_CONTENT: LiteralString = (
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
    + _CONTENT
)

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
    + _CONTENT
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
    + _CONTENT
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
    + _CONTENT
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
  WHERE a.module_key IN keys AND a.activation_seq >= 0 AND """
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

GROUP_WORTH: LiteralString = (
    """
UNWIND $ids AS id
MATCH (g:TemplateGroup:Record {id: id}) WHERE """
    + visible("g")
    + """
RETURN id, properties(g) AS properties,
  COUNT {
    MATCH (g)-[:IN_GROUP|HAS_PRIMARY]-(t:Template)
    WHERE """
    + visible("t")
    + """ AND t.lifecycle_state <> 'archived'
    RETURN DISTINCT t
  } AS templates,
  COUNT { MATCH (g)-[:SHARES]->(s:Record) WHERE """
    + visible("s")
    + """ } AS shared,
  COUNT { MATCH (g)-[:REQUIRES|ALLOWS|DENIES]->(c:Capability) WHERE """
    + visible("c")
    + """ } AS capabilities
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

DESIGN_FACTS: LiteralString = (
    """
MATCH (owner:Record {id: $id})
RETURN EXISTS { MATCH (owner)-[:INSTANTIATES]->(t:Template) WHERE """
    + visible("t")
    + """ } AS from_template,
  EXISTS { MATCH (owner)<-[:LEARNED_FROM|DESIGNED_WITH]-(c:Case) WHERE """
    + visible("c")
    + """ } AS has_case
"""
)

KEPT_BY: LiteralString = (
    """
MATCH (e:Event {about: $id}) WHERE e.kind = 'matchdecision.created' AND """
    + visible("e")
    + """
RETURN e.principal_id AS principal_id LIMIT 1
"""
)

TASK_LINKS: LiteralString = """
MATCH (task:Task:Record {id: $id})
CALL (task) {
  MATCH (task)-[:INSTANTIATES]->(own:Template) WHERE own.follows_task_id = task.id
  SET own._lock = true REMOVE own._lock
}
RETURN COUNT { (task)-[:INSTANTIATES]->(:Template) } AS templates,
  COLLECT { MATCH (task)-[:HAS_GRAPH]->(one:GraphSnapshot) RETURN one.id ORDER BY one.id } AS graphs,
  COLLECT {
    MATCH (task)-[:HAS_BLUEPRINT]->(one:Blueprint) RETURN {id: one.id, hash: one.blueprint_hash} ORDER BY one.id
  } AS blueprints,
  head(COLLECT {
    MATCH (task)-[:INSTANTIATES]->(own:Template) WHERE own.follows_task_id = task.id
    RETURN {labels: labels(own), properties: properties(own),
      graphs: COLLECT { MATCH (own)-[:HAS_GRAPH]->(one:GraphSnapshot) RETURN one.id ORDER BY one.id },
      blueprints: COLLECT { MATCH (own)-[:HAS_BLUEPRINT]->(one:Blueprint) RETURN one.id ORDER BY one.id }}
  }) AS own
"""

# The blueprints of an asset, for its own sake; `seen` are those that the one who asks may know of.
OWN_BLUEPRINTS: LiteralString = (
    """
MATCH (:Record {id: $owner})-[:HAS_BLUEPRINT]->(b:Blueprint)
RETURN b.id AS id, b.blueprint_hash AS hash, """
    + visible("b")
    + """ AS seen ORDER BY b.id
"""
)

# Where a template stood before it was put away.
STATE_BEFORE: LiteralString = """
MATCH (:Template:Record {id: $id})-[:PREVIOUS*]->(former:Version) WHERE former.lifecycle_state <> 'archived'
RETURN former.lifecycle_state AS state ORDER BY former.version DESC LIMIT 1
"""

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
