"""What is asked of the graph about something that is examined."""

from typing import LiteralString

from service.graph.visibility import visible
from service.library.cypher.graphs import CONTENT

# A task, template, blueprint or graph, with the asset that it belongs to. A task that has no graph or blueprint of its
# own has those of its template.
SUBJECT: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """ AND (n:Task OR n:Template OR n:Blueprint OR n:GraphSnapshot)
OPTIONAL MATCH (of:Task|Template)-[:HAS_BLUEPRINT|HAS_GRAPH]->(n) WHERE """
    + visible("of")
    + """
WITH n, of ORDER BY of.updated_at DESC, of.id LIMIT 1
WITH n, CASE WHEN n:Task OR n:Template THEN n ELSE of END AS owner
OPTIONAL MATCH (owner)-[:INSTANTIATES]->(template:Template) WHERE """
    + visible("template")
    + """
WITH n, owner, template ORDER BY template.id LIMIT 1
WITH n, owner, CASE WHEN owner:Template THEN owner ELSE template END AS template
WITH n, owner, template,
  CASE WHEN n:GraphSnapshot THEN n ELSE head(COLLECT {
    UNWIND [owner, template] AS asset
    MATCH (asset)-[:HAS_GRAPH]->(g:GraphSnapshot) WHERE """
    + visible("g")
    + """
    RETURN g ORDER BY asset = owner DESC, g.created_at DESC LIMIT 1
  }) END AS snapshot,
  CASE WHEN n:Blueprint THEN n ELSE head(COLLECT {
    UNWIND [owner, template] AS asset
    MATCH (asset)-[:HAS_BLUEPRINT]->(b:Blueprint) WHERE """
    + visible("b")
    + """ AND b.lifecycle_state <> 'archived'
    RETURN b ORDER BY asset = owner DESC, b.updated_at DESC, b.id LIMIT 1
  }) END AS blueprint
RETURN n {.id, .name, .version, .audience, kind: head([one IN labels(n) WHERE one <> 'Record'])} AS subject,
  owner {.id, .name, .source, .source_key, .data_class, .matter_ids,
    kind: head([one IN labels(owner) WHERE one <> 'Record'])} AS owner,
  template {.id, .source, .source_key} AS template,
  snapshot {.id, .graph_hash} AS graph,
"""
    + CONTENT
    + """,
  blueprint {.id, .name, .version, .blueprint_hash, .output_stakes, .artifact_policy, .overall_complexity,
    goals: COUNT { MATCH (blueprint)-[:EXPRESSES_GOAL]->(goal:Goal) WHERE """
    + visible("goal")
    + """ },
    steps: COLLECT {
      MATCH (blueprint)-[r:HAS_STEP]->(s:StepIntent) WHERE """
    + visible("s")
    + """
      RETURN s {.step_key, .purpose, .expected_output_refs, .optional_capabilities, .artifact_policy_override,
        .suggested_module_type,
        modules: COLLECT { MATCH (s)-[:BOUND_TO]->(m:Module) WHERE """
    + visible("m")
    + """ RETURN DISTINCT m.module_key ORDER BY m.module_key }
      } ORDER BY r.order, s.id
    },
    contracts: COLLECT {
      MATCH (blueprint)-[r:HAS_CONTRACT]->(c:Contract) WHERE """
    + visible("c")
    + """ RETURN c {.side, .name, .kind, .required} ORDER BY r.order, c.id
    },
    side_effects: COLLECT {
      MATCH (blueprint)-[r:HAS_SIDE_EFFECT]->(e:SideEffect) WHERE """
    + visible("e")
    + """ RETURN e {.side_effect_class, .review_required} ORDER BY r.order, e.id
    },
    review_points: COLLECT {
      MATCH (blueprint)-[r:HAS_REVIEW_POINT]->(v:ReviewPoint) WHERE """
    + visible("v")
    + """ RETURN v {.statement, .before} ORDER BY r.order, v.id
    }
  } AS blueprint,
  COLLECT {
    MATCH (snapshot)-[:HAS_MODULE]->(m:Module)-[:USES_PRESET]->(preset:Preset)
    WHERE """
    + visible("m")
    + " AND "
    + visible("preset")
    + """
    RETURN {module: m.module_key, name: preset.name, expected_output_kinds: preset.expected_output_kinds}
    ORDER BY m.module_key
  } AS presets,
  COLLECT {
    UNWIND [owner, template, blueprint] AS asset
    MATCH (asset)-[:SCOPED_TO]->(library:Entity) WHERE library.kind = 'library' AND """
    + visible("library")
    + """ RETURN DISTINCT library.id ORDER BY library.id
  } AS libraries
"""
)

# What holds for the modules, whoever asks: nothing of it is told but what it decides, and which kind of record says so.
CONTROL: LiteralString = """
CALL () {
  UNWIND $tasks AS task
  MATCH (p:Policy {task_key: task})
  RETURN collect({
    states: [p {.*}] + COLLECT { MATCH (p)-[:PREVIOUS*1..]->(v:Version) RETURN v {.*, id: p.id} },
    links: COLLECT {
      MATCH (p)-[said:REQUIRES|ALLOWS|DENIES]->(capability:Capability)
      RETURN {type: type(said), capability: capability.id, holder: p.id, kind: 'Policy'}
    },
    preferred: COLLECT { MATCH (p)-[:PREFERS]->(procedure:Procedure) RETURN procedure.id ORDER BY procedure.id }
  }) AS policies
}
CALL () {
  CALL () {
    MATCH (:GraphSnapshot:Record {id: $snapshot})-[:HAS_MODULE]->(holder:Module)
    RETURN holder, holder.module_key AS module
    UNION
    MATCH (:GraphSnapshot:Record {id: $snapshot})-[:HAS_MODULE]->(m:Module)-[:USES_PRESET]->(holder:Preset)
    RETURN holder, m.module_key AS module
    UNION
    MATCH (:Blueprint:Record {id: $blueprint})-[:HAS_STEP]->(holder:StepIntent)-[:BOUND_TO]->(m:Module)
    RETURN DISTINCT holder, m.module_key AS module
    UNION
    UNWIND $assets + [$blueprint] AS id
    MATCH (holder:Record {id: id}) RETURN holder, null AS module
    UNION
    UNWIND $assets AS id
    MATCH (:Record {id: id})-[:IN_GROUP]->(holder:TemplateGroup) RETURN holder, null AS module
  }
  MATCH (holder)-[said:REQUIRES|ALLOWS|DENIES]->(capability:Capability)
  RETURN collect({type: type(said), capability: capability.id, holder: holder.id, module: module,
    kind: head([label IN labels(holder) WHERE label <> 'Record'])}) AS links
}
RETURN policies, links
"""

CAPABILITIES: LiteralString = (
    """
CALL () {
  UNWIND $ids AS id
  MATCH (c:Capability:Record {id: id}) RETURN c
  UNION
  MATCH (c:Capability) WHERE size($words) > 0 AND """
    + visible("c")
    + """ AND c.created_at IS NOT NULL
    AND (toLower(c.name) IN $words OR toLower(coalesce(c.source_key, '')) IN $words)
  RETURN c
}
WITH c WHERE """
    + visible("c")
    + """
WITH c ORDER BY c.id
RETURN collect(c {.id, .name, key: c.source_key, .state, .lifecycle_state, .side_effect_classes, .source_key,
  .capability_kind, .mcp_server_ref, .connector_ref}) AS found
"""
)

_FIGURES: LiteralString = """
  RETURN {
    runs: count(run), costed: count(run.cost_usd), timed: count(run.duration_ms),
    p50_cost: percentileCont(run.cost_usd, 0.5), p90_cost: percentileCont(run.cost_usd, 0.9),
    p50_ms: percentileCont(run.duration_ms, 0.5), p90_ms: percentileCont(run.duration_ms, 0.9),
    failed: count(CASE run.status WHEN 'failed' THEN 1 END)
  } AS """

_ENDED: LiteralString = " AND run.status IN ['completed', 'failed'] AND run.source = one.source"

# Runs that ended, of the same graph, of the same task, of the same template: each counted for itself.
ESTIMATES: LiteralString = (
    """
CALL () {
  MATCH (snapshot:GraphSnapshot {graph_hash: $graph_hash})-[:HAS_MODULE]->(m:Module)<-[:OF_MODULE]-(step:Activation)
  WHERE """
    + visible("snapshot")
    + " AND "
    + visible("m")
    + " AND "
    + visible("step")
    + """
  WITH DISTINCT step.run_id AS id LIMIT $most
  MATCH (run:Run:Record {id: id}) WHERE """
    + visible("run")
    + """ AND run.status IN ['completed', 'failed']
"""
    + _FIGURES
    + """graph
}
CALL () {
  UNWIND $task AS one
  UNWIND $audiences AS audience
  MATCH (run:Run {audience: audience, task_key: one.key}) WHERE run.started_at IS NOT NULL"""
    + _ENDED
    + _FIGURES
    + """task
}
CALL () {
  UNWIND $template AS one
  UNWIND $audiences AS audience
  MATCH (run:Run {audience: audience, template_key: one.key}) WHERE run.started_at IS NOT NULL"""
    + _ENDED
    + _FIGURES
    + """template
}
RETURN graph, task, template
"""
)

# The latest runs of the task, or of the template where it has none.
RECENT_RUNS: LiteralString = """
CALL () {
  UNWIND $task AS one
  UNWIND $audiences AS audience
  CALL (one, audience) {
    MATCH (run:Run {audience: audience, task_key: one.key}) WHERE run.started_at IS NOT NULL AND run.source = one.source
    RETURN run ORDER BY run.audience DESC, run.task_key DESC, run.started_at DESC LIMIT $most
  }
  RETURN run.id AS id, run.started_at AS at, 1 AS rank
  UNION
  UNWIND $template AS one
  UNWIND $audiences AS audience
  CALL (one, audience) {
    MATCH (run:Run {audience: audience, template_key: one.key})
    WHERE run.started_at IS NOT NULL AND run.source = one.source
    RETURN run ORDER BY run.audience DESC, run.template_key DESC, run.started_at DESC LIMIT $most
  }
  RETURN run.id AS id, run.started_at AS at, 2 AS rank
}
WITH id, at, min(rank) AS rank ORDER BY rank, at DESC LIMIT $most
RETURN collect(id) AS ids
"""

# What modules did in these runs: with capabilities, with what they made, with checkpoints; and their last packets.
PAST: LiteralString = (
    """
CALL () {
  UNWIND $ids AS id
  MATCH (a:Activation {run_id: id}) WHERE """
    + visible("a")
    + """ AND a.module_key IN $modules
  WITH a.module_key AS module_key, count(DISTINCT a.run_id) AS runs, collect(a) AS steps,
    count(CASE a.status WHEN 'failed' THEN 1 END) AS failed
  CALL (steps) {
    UNWIND steps AS step
    MATCH (step)-[u:USED]->(c:Capability) WHERE """
    + visible("c")
    + """
    WITH c.id AS capability, sum(coalesce(u.calls, 0)) AS calls, sum(coalesce(u.errors, 0)) AS errors
    ORDER BY capability
    RETURN collect({capability: capability, calls: calls, errors: errors}) AS used
  }
  WITH module_key, runs, steps, failed, used ORDER BY module_key
  RETURN collect({module_key: module_key, runs: runs, steps: size(steps), failed: failed, used: used}) AS used
}
CALL () {
  UNWIND $ids AS id
  MATCH (art:Artifact {run_id: id}) WHERE """
    + visible("art")
    + """ AND art.module_key IN $modules AND art.output_class = 'intermediate_output'
  WITH art.module_key AS module_key, art,
    art.opened_count + art.bookmarked_count + art.cited_count > 0
      OR EXISTS { MATCH (art)<-[:CONSUMED]-(other:Activation) WHERE other.run_id <> art.run_id AND """
    + visible("other")
    + """ } AS used
  WITH module_key, count(art) AS made, sum(CASE WHEN used THEN 1 ELSE 0 END) AS used
  ORDER BY module_key
  RETURN collect({module_key: module_key, made: made, used: used}) AS outputs
}
CALL () {
  UNWIND $ids AS id
  MATCH (art:Artifact {run_id: id})<-[:EVALUATES]-(said:Artifact) WHERE """
    + visible("art")
    + " AND "
    + visible("said")
    + """ AND art.module_key IN $modules
  WITH art.module_key AS module_key, said ORDER BY said.created_at DESC, said.id
  WITH module_key, collect(DISTINCT said) AS told
  WITH module_key, told, reduce(sum = 0.0, one IN told | sum + coalesce(one.score, 0.0)) AS sum,
    size([one IN told WHERE one.score IS NOT NULL]) AS scored
  ORDER BY module_key
  RETURN collect({module_key: module_key, test: 'evaluation', times: size(told),
    score: CASE WHEN scored > 0 THEN sum / scored END,
    says: head([one IN told WHERE one.verdict IS NOT NULL | one.verdict])}) AS evaluated
}
CALL () {
  MATCH (:GraphSnapshot:Record {id: $snapshot})-[:HAS_MODULE]->(m:Module)<-[:PROMPTS]-(p:Prompt)
    <-[:TESTS]-(t:PromptEvaluation)
  WHERE """
    + visible("m")
    + " AND "
    + visible("p")
    + " AND "
    + visible("t")
    + """
  WITH m.module_key AS module_key, t ORDER BY t.created_at DESC, t.id
  WITH module_key, collect(DISTINCT t) AS some ORDER BY module_key
  RETURN collect({module_key: module_key, test: 'prompt_test', times: size(some), record_id: some[0].id,
    says: coalesce(some[0].recommendation, some[0].evaluation_state)}) AS prompt_tests
}
CALL () {
  UNWIND $ids AS id
  MATCH (k:Checkpoint {run_id: id}) WHERE """
    + visible("k")
    + """
  WITH k.module_key AS module_key, count(*) AS times ORDER BY module_key
  RETURN collect({module_key: module_key, times: times}) AS checkpoints
}
CALL () {
  UNWIND $ids AS id
  MATCH (packet:ContextPacket {run_id: id}) WHERE """
    + visible("packet")
    + """ AND packet.module_key IN $modules
  WITH packet ORDER BY packet.created_at DESC
  WITH packet.module_key AS module_key, collect(packet)[0] AS last
  CALL (last) {
    MATCH (last)-[r:INJECTED]->(item:Record) WHERE """
    + visible("item")
    + """
    WITH r.layer AS layer, count(item) AS items ORDER BY layer
    RETURN collect({layer: layer, count: items}) AS injected
  }
  CALL (last) {
    MATCH (last)-[r:EXCLUDED]->(item:Record) WHERE """
    + visible("item")
    + """
    WITH r.reason AS reason, count(item) AS items ORDER BY reason
    RETURN collect({reason: reason, count: items}) AS excluded
  }
  WITH module_key, last, injected, excluded ORDER BY module_key
  RETURN collect(last {.id, .module_key, .run_id, .injection_profile, .actual_tokens,
    injected: injected, excluded: excluded}) AS packets
}
RETURN used, outputs, evaluated, prompt_tests, checkpoints, packets
"""
)

KEPT: LiteralString = (
    """
MATCH (n:Preflight:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN n {.*} AS kept, head(COLLECT {
  MATCH (n)-[:EXAMINED]->(of:Record) WHERE """
    + visible("of")
    + """ RETURN of.id ORDER BY of.id LIMIT 1
}) AS of
"""
)

# What is asked before an agent saves a graph: the profile that holds, the pack in use, and the latest examination of a
# graph of the same content.
GATE: LiteralString = (
    """
RETURN head(COLLECT {
  MATCH (e:EducationProfile {agent_id: $agent}) WHERE """
    + visible("e")
    + """ AND e.lifecycle_state = 'active' AND e.matter_ids = []
  RETURN properties(e) ORDER BY e.updated_at DESC, e.id LIMIT 1
}) AS profile, head(COLLECT {
  MATCH (k:KnowledgePack) WHERE k.pack_state IN ['active', 'stale'] AND """
    + visible("k")
    + """
  RETURN k {.id, .blocking_drift} ORDER BY k.compiled_at DESC LIMIT 1
}) AS pack, head(COLLECT {
  MATCH (p:Preflight {graph_hash: $hash}) WHERE """
    + visible("p")
    + """
  RETURN p {.id, .status, .blocking_codes} ORDER BY p.examined_at DESC, p.id DESC LIMIT 1
}) AS preflight
"""
)
