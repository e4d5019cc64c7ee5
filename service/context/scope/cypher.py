"""What a scope is computed from, and how it is read. The viewer's audiences are on every node.

What varies comes in one map, `asked`: Neo4j plans a statement anew for other types and sizes of its parameters, and of
a map it looks at neither.
"""

from typing import LiteralString

from service.context.exclusion import kept_out
from service.graph.visibility import called, visible


def _facts(node: LiteralString) -> LiteralString:
    """What the rules know of a record."""
    return f"{node} {{.id, .name, .kind, .matter_ids, .data_class, labels: labels({node})}}"


def _usable(node: LiteralString) -> LiteralString:
    return visible(node) + f" AND NOT {node}.lifecycle_state IN $hidden_states"


# The run, what it belongs to, what was saved with that, and every record that the request names. Policies are read
# whoever asks: what holds for a run does not depend on who opened its scope.
_OWNERS: LiteralString = (
    """
CALL () {
  MATCH (run:Run:Record {id: $asked.run.id}) RETURN run
  UNION
  """
    + called("run", "$asked.run.source", "$asked.run.key", "Run")
    + """
}
WITH run WHERE """
    + visible("run")
    + """
WITH run, COLLECT { MATCH (run)-[:RUN_OF]->(t:Task) WHERE """
    + visible("t")
    + """ RETURN t } + COLLECT {
  """
    + called("t", "run.source", "run.working_task_key", "Task")
    + """ } AS tasks
WITH run, tasks,
  COLLECT { MATCH (run)-[:USED_TEMPLATE]->(t:Template) WHERE """
    + visible("t")
    + """ RETURN t }
  + COLLECT { UNWIND tasks AS task MATCH (task)-[:INSTANTIATES]->(t:Template) WHERE """
    + visible("t")
    + """ RETURN t }
  + COLLECT { """
    + called("t", "run.source", "run.working_template_key", "Template")
    + """ } AS templates
WITH run, tasks, templates,
  COLLECT { UNWIND tasks + templates AS owner MATCH (owner)-[:HAS_BLUEPRINT]->(b:Blueprint) WHERE """
    + visible("b")
    + """ RETURN DISTINCT b } AS blueprints,
  COLLECT { UNWIND tasks AS task MATCH (task)-[:HAS_GRAPH]->(g:GraphSnapshot)-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("g")
    + " AND "
    + visible("m")
    + """ RETURN DISTINCT m } AS modules
WITH run, tasks, templates, blueprints, modules, coalesce(run.task_key, run.working_task_key) AS task_key
WITH run, tasks, templates, blueprints, modules, task_key,
  [m IN modules WHERE m.module_key = $asked.trigger_module]
  + COLLECT {
    MATCH (m:Record {source: run.source, source_key: task_key + '/' + $asked.trigger_module})
    WHERE m.realm IS NOT NULL AND m:Module AND """
    + visible("m")
    + """ RETURN m } AS triggering
"""
)

_SAVED: LiteralString = (
    """  COLLECT {
    UNWIND [[tasks, 'task'], [templates, 'template'], [blueprints, 'blueprint'], [triggering, 'module']] AS pair
    UNWIND pair[0] AS owner
    MATCH (owner)-[s:SCOPED_TO]->(x:Record) WHERE """
    + _usable("x")
    + """
    RETURN DISTINCT {part: pair[1], owner: owner.name, role: s.role, evidence: s.evidence, record: """
    + _facts("x")
    + """}
  } AS saved,
  COLLECT {
    UNWIND [[[run], 'run'], [templates, 'template'], [blueprints, 'blueprint']] AS pair
    UNWIND pair[0] AS owner
    MATCH (owner)-[:PURSUES|SERVES_GOAL|EXPRESSES_GOAL]->(x:Goal) WHERE """
    + _usable("x")
    + """
    RETURN DISTINCT {part: pair[1], owner: owner.name, record: """
    + _facts("x")
    + """}
  } AS goals,
  COLLECT {
    UNWIND modules AS owner
    MATCH (owner)-[:USES_PRESET]->(x:Preset) WHERE """
    + _usable("x")
    + """
    RETURN DISTINCT {part: 'task', owner: owner.name, record: """
    + _facts("x")
    + """}
  } AS presets,
  COLLECT { MATCH (run)-[:ABOUT]->(x:Entity) WHERE """
    + _usable("x")
    + " RETURN "
    + _facts("x")
    + " } AS about,"
)

_NAMED: LiteralString = (
    """
  COLLECT {
    UNWIND $asked.refs AS ref
    CALL (ref) {
      MATCH (n:Record {id: ref.id}) RETURN n
      UNION
      """
    + called("n", "ref.source", "ref.key")
    + """
    }
    WITH ref, n WHERE """
    + visible("n")
    + """
    RETURN {handle: ref.handle, archived: n.lifecycle_state IN $hidden_states, record: """
    + _facts("n")
    + """,
      carries: coalesce(n.carry_forward_scope_from_prior_run, false),
      leads_to: COLLECT {
        MATCH (n)-[:SHOWS|SCOPED_TO]->(x:Record) WHERE """
    + _usable("x")
    + " RETURN "
    + _facts("x")
    + """ ORDER BY x.id
      }}
  } AS named,
  COLLECT {
    WITH run, task_key WHERE $asked.carry AND task_key IS NOT NULL
    MATCH (e:ScopeEnvelope) WHERE e.task_key = task_key AND e.run_id <> run.id AND """
    + visible("e")
    + """
    MATCH (e)<-[:HAS_SCOPE]-(before:Run)
    WHERE before.source = run.source AND NOT before.memory_mode IN $asked.private AND """
    + visible("before")
    + """
    WITH e, before ORDER BY e.created_at DESC LIMIT 1
    MATCH (e)-[b:BINDS]->(x:Record) WHERE b.status = 'bound' AND NOT b.via IN $asked.of_surfaces AND """
    + _usable("x")
    + """
    RETURN {owner: before.name, role: b.role, record: """
    + _facts("x")
    + """}
  } AS prior,
  COLLECT {
    MATCH (p:Policy) WHERE p.task_key IN ['*', task_key] AND p.policy_kind = 'context'
    RETURN [p {.*}] + COLLECT { MATCH (p)-[:PREVIOUS*1..]->(v:Version) RETURN v {.*, id: p.id} }
  } AS policies
"""
)

GATHERED: LiteralString = (
    _OWNERS
    + """
CALL () {
  UNWIND CASE WHEN size($asked.queries) = 0 THEN [] ELSE [1] END AS asked
  CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
  UNWIND $asked.queries AS query
  CALL db.index.fulltext.queryNodes($names_index, query) YIELD node AS card
  WITH DISTINCT card WHERE card.describes_kind = 'Entity' AND """
    + _usable("card")
    + """
  MATCH (card)-[:DESCRIBES]->(x:Entity) WHERE """
    + visible("x")
    + """
  RETURN collect({names: [x.name] + coalesce(x.aliases, []), keys: coalesce(x.keys, []), record: """
    + _facts("x")
    + """}) AS exact
}
RETURN run {.*, task_key: task_key} AS run, exact,
  COLLECT { MATCH (run)-[:HAS_SCOPE]->(e:ScopeEnvelope)
    RETURN e {.id, .version, .request_hash, .warnings, seen: """
    + visible("e")
    + """} } AS existing,
  [t IN tasks | t {.id, .name, .task_type}] AS tasks,
  [t IN templates | t {.task_type, domains: t.domain_tags, record: """
    + _facts("t")
    + """}] AS templates,
  [b IN blueprints | b {.id, .name, .task_type, .domain, .broad_scope}] AS blueprints,
"""
    + _SAVED
    + _NAMED
)

# The same of a run that nobody has begun: what is saved with the task, template or blueprint that it would be of.
PLANNED: LiteralString = (
    """
CALL () {
  UNWIND $asked.owners AS id
  MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
  RETURN collect(n) AS owners
}
OPTIONAL MATCH (run:Run:Record {id: $asked.run})
WITH run, [n IN owners WHERE n:Task] AS tasks, [n IN owners WHERE n:Template] AS templates,
  [n IN owners WHERE n:Blueprint] AS blueprints, COLLECT {
    MATCH (:GraphSnapshot:Record {id: $asked.snapshot})-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("m")
    + """ RETURN m
  } AS modules
WITH run, tasks, templates, blueprints, modules, [m IN modules WHERE m.module_key IN $asked.triggers] AS triggering
RETURN
"""
    + _SAVED
    + """
  [t IN tasks | t {.id, .name, .task_type}] AS tasks,
  [t IN templates | t {.id, .task_type, domains: t.domain_tags, record: """
    + _facts("t")
    + """}] AS templates,
  [b IN blueprints | b {.id, .name, .task_type, .domain, .broad_scope}] AS blueprints,
  COLLECT {
    UNWIND modules AS module
    MATCH (module)-[:USES_PRESET]->(preset:Preset) WHERE """
    + visible("preset")
    + """
    RETURN {module: module.module_key, preset: preset.id} ORDER BY preset.id
  } AS made_from,
  COLLECT {
    UNWIND $asked.types AS type
    MATCH (found:ModuleType {module_type: type}) WHERE """
    + visible("found")
    + """
    RETURN found {.id, .module_type, .model_facing, .side_effect_classes} ORDER BY found.id
  } AS types
"""
)

PARTS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (s:Entity:Record {id: id}) WHERE """
    + visible("s")
    + """
RETURN collect({of: id, parts: COLLECT { MATCH (s)<-[:PART_OF]-(x:Entity) WHERE """
    + _usable("x")
    + " RETURN "
    + _facts("x")
    + """ ORDER BY x.id LIMIT $most }}) AS found
"""
)

# Those of some records that the user keeps out of the run.
KEPT_OUT: LiteralString = (
    """
UNWIND $asked.ids AS id
MATCH (x:Record {id: id}) WHERE """
    + visible("x")
    + " AND "
    + kept_out("x")
    + """
RETURN collect(id) AS ids
"""
)

FOUND: LiteralString = (
    """
UNWIND $ids AS id
MATCH (x:Record {id: id}) WHERE """
    + _usable("x")
    + """
RETURN collect("""
    + _facts("x")
    + """) AS found
"""
)

RUN_SCOPE: LiteralString = (
    """
CALL () {
  MATCH (run:Run:Record {id: $id}) RETURN run
  UNION
  """
    + called("run", "$source", "$key", "Run")
    + """
}
WITH run WHERE """
    + visible("run")
    + """
MATCH (run)-[:HAS_SCOPE]->(e:ScopeEnvelope) WHERE """
    + visible("e")
    + """
RETURN run {.id, .name} AS run, e {.*} AS envelope,
  head(COLLECT { MATCH (run)-[:RUN_OF]->(task:Task) WHERE """
    + visible("task")
    + """ RETURN task.id ORDER BY task.id LIMIT 1 }) AS task_id,
  head(COLLECT { MATCH (run)-[:UNDER]->(s:Snapshot {snapshot_kind: 'source_visibility'}) WHERE """
    + visible("s")
    + """ RETURN s.id ORDER BY s.taken_at DESC, s.id DESC LIMIT 1 }) AS source_visibility,
  head(COLLECT {
    MATCH (before:ScopeEnvelope {task_key: e.task_key})<-[:HAS_SCOPE]-(earlier:Run {source: run.source})
    WHERE before.created_at < e.created_at AND """
    + visible("before")
    + """ AND """
    + visible("earlier")
    + """
    RETURN before.id ORDER BY before.created_at DESC, before.id DESC LIMIT 1
  }) AS before,
  COLLECT { MATCH (e)-[b:BINDS]->(x:Record) WHERE """
    + visible("x")
    + """ RETURN {record: x {.id, .name, .kind, labels: labels(x)}, link: properties(b)} } AS bound,
  COLLECT { MATCH (e)-[:EXCLUDES]->(x:Record) WHERE """
    + visible("x")
    + """ RETURN x {.id, .name, .kind, labels: labels(x)} ORDER BY x.name, x.id } AS excluded,
  COLLECT { MATCH (e)-[:REACHES]->(x:Record) WHERE """
    + visible("x")
    + """ RETURN x {.id, .name, .kind, labels: labels(x)} ORDER BY x.name, x.id } AS reaches,
  COLLECT { MATCH (m:Entity:Record) WHERE m.id IN e.scope_matter_ids AND """
    + visible("m")
    + """ RETURN m {.id, .name, .kind, labels: labels(m)} ORDER BY m.name, m.id } AS matters,
  COLLECT { MATCH (e)-[:HELD_UNDER]->(s:Snapshot) WHERE """
    + visible("s")
    + """ RETURN s.id LIMIT 1 } AS snapshot,
  COLLECT { MATCH (run)-[:TRIGGERED_BY]->(t:Trigger) WHERE """
    + visible("t")
    + """
    RETURN t {.*, from: COLLECT { MATCH (t)-[:CAME_FROM]->(x:Record) WHERE """
    + visible("x")
    + """ RETURN x {.id, .name, .kind, .schedule_id, .recurrence_rule, .carry_forward_scope_from_prior_run,
      labels: labels(x)} ORDER BY x.id }} LIMIT 1 } AS trigger
"""
)
