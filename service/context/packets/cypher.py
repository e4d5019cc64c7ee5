"""What packets read. Every record passes the firewall before anything of it is read.

What varies in size or type is in one map, `asked`, because Neo4j plans a statement anew for each size and type of its
other parameters.
"""

from typing import LiteralString

from service.context.expansion.cypher import CAPABILITY_POLICY
from service.graph.visibility import called, visible

# What was reported of a step's prompts, and of the calls that they were made for.
HOLDERS: LiteralString = """
MATCH (step:Activation {run_id: $run_id, module_key: $module_key, activation_seq: $activation_seq})
CALL (step) {
  MATCH (step)-[:UNDER]->(n:Snapshot {snapshot_kind: 'prompt'}) RETURN n
  UNION
  MATCH (step)<-[:IN]-(n:Span) WHERE n.span_kind IN $calls RETURN n
}
RETURN n.id AS id
"""

# All that is known about the module: its run, its scope, its policies, and the packet that it may have already. The
# policies are control: whoever asks, the same ones hold. All else passes the firewall.
SITUATION: LiteralString = (
    """
CALL () {
  MATCH (run:Record:Run {id: $run.id}) RETURN run
  UNION
  """
    + called("run", "$run.source", "$run.key", "Run")
    + """
}
WITH run WHERE """
    + visible("run")
    + """
OPTIONAL MATCH (step:Activation {run_id: run.id, module_key: $module_key, activation_seq: $activation_seq})
WHERE """
    + visible("step")
    + """
"""
    + CAPABILITY_POLICY
    + """
OPTIONAL MATCH (run)-[:HAS_SCOPE]->(env:ScopeEnvelope) WHERE """
    + visible("env")
    + """
OPTIONAL MATCH (run)-[:TRIGGERED_BY]->(trigger:Trigger) WHERE """
    + visible("trigger")
    + """
OPTIONAL MATCH (packet:ContextPacket {run_id: run.id, module_key: $module_key, activation_seq: $activation_seq})
WHERE """
    + visible("packet")
    + """
RETURN run {.id, .name, .source, .source_key, .status, .task_key, .task_name, .template_key, .data_class, .matter_ids,
    .memory_mode, .trigger_kind} AS run,
  env {.id, .task_type, .domains, .surface_context_policy, .broad_scope, .visibility_ceiling, .scope_matter_ids,
    .warnings} AS envelope,
  EXISTS { MATCH (env)-[:HELD_UNDER]->(:Snapshot) } AS has_policies,
  trigger {.id, .trigger_kind} AS trigger,
  step {.id, .module_type} AS step,
  packet {.id, .inputs_hash} AS packet,
  links, policies,
  COLLECT {
    MATCH (receipt:ExpansionReceipt {run_id: run.id})-[:ADDED]->(capability:Capability)
    WHERE receipt.module_key = $module_key AND receipt.activation_seq = $activation_seq
    RETURN DISTINCT capability.id
  } AS added,
  COLLECT {
    UNWIND ['*', run.task_key] AS task_key
    MATCH (policy:Policy {task_key: task_key}) WHERE policy.policy_kind IN ['context', 'artifact']
    RETURN [policy {.*}] + COLLECT { MATCH (policy)-[:PREVIOUS*1..]->(v:Version) RETURN v {.*, id: policy.id} }
  } AS settings,
  [one IN modules WHERE """
    + visible("one")
    + """ | one {.id, .module_type, .purpose, .config}] AS modules,
  [one IN assets WHERE """
    + visible("one")
    + """ |
    one {.id, .task_type, .domain_tags, .side_effect_classes, template: one:Template}] AS assets,
  COLLECT {
    UNWIND assets AS asset
    MATCH (asset)-[:HAS_BLUEPRINT]->(blueprint:Blueprint) WHERE """
    + visible("blueprint")
    + """
    RETURN DISTINCT blueprint.id
  } AS blueprints,
  COLLECT {
    UNWIND modules AS module
    MATCH (module)-[:USES_PRESET]->(preset:Preset) WHERE """
    + visible("preset")
    + """
    RETURN DISTINCT preset.id
  } AS presets,
  COLLECT {
    UNWIND [$module_type, step.module_type] + [module IN modules | module.module_type] AS type
    WITH DISTINCT type WHERE type IS NOT NULL
    MATCH (found:ModuleType {module_type: type}) WHERE """
    + visible("found")
    + """
    RETURN found {.id, .module_type, .model_facing, .side_effect_classes}
  } AS types,
  COLLECT {
    UNWIND $refs AS ref
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
    RETURN {ref: ref.ref, field: ref.field, id: n.id, name: n.name, data_class: n.data_class}
  } AS named
"""
)

# Every candidate with the ways in which it came to be one. What is bound, named, offered or shown is reached from the
# run; standing rules are sought by their audience, so that those of other matters are not even read. What is part of a
# bound source set is told by the set.
_WAYS: LiteralString = """
CALL () {
  MATCH (:ScopeEnvelope:Record {id: $asked.envelope})-[bound:BINDS]->(n:Record)
  WHERE coalesce(bound.role, '') <> 'source'
  RETURN n, {way: 'bound', via: bound.via, evidence: bound.evidence, status: bound.status, role: bound.role} AS way
  UNION ALL
  MATCH (:ScopeEnvelope:Record {id: $asked.envelope})-[:EXCLUDES]->(n:Record)
  RETURN n, {way: 'excluded'} AS way
  UNION ALL
  UNWIND $asked.named AS one
  MATCH (n:Record {id: one.id})
  RETURN n, {way: one.way} AS way
  UNION ALL
  UNWIND $asked.own AS id
  MATCH (n:Record {id: id})
  RETURN n, {way: 'own'} AS way
  UNION ALL
  UNWIND $asked.blueprints AS id
  MATCH (:Record {id: id})-[:HAS_CRITERION|EXPRESSES_GOAL|FOLLOWS_PATTERN]->(n:Record)
  RETURN n, {way: 'own'} AS way
  UNION ALL
  UNWIND $asked.capabilities AS id
  MATCH (n:Record {id: id})
  RETURN n, {way: 'capability'} AS way
  UNION ALL
  UNWIND $asked.scope_audiences AS audience
  CALL (audience) {
    MATCH (n:Restriction {audience: audience}) RETURN n
    UNION ALL
    MATCH (n:Preference {audience: audience}) RETURN n
    UNION ALL
    MATCH (n:Procedure {audience: audience}) RETURN n
    UNION ALL
    MATCH (n:Memory {audience: audience}) RETURN n
    UNION ALL
    MATCH (n:Agent {audience: audience}) RETURN n
    UNION ALL
    WITH audience WHERE $asked.automatic
    MATCH (n:Capability {audience: audience}) RETURN n
  }
  WITH n WHERE NOT n.stub
  RETURN n, {way: 'standing'} AS way
  UNION ALL
  UNWIND $audiences AS audience
  MATCH (n:SurfaceContext {audience: audience, open: true})
  RETURN n, {way: 'offered'} AS way
  UNION ALL
  UNWIND $audiences AS audience
  MATCH (surface:SurfaceContext {audience: audience, open: true})-[:SHOWS]->(n:Record)
  RETURN n, {way: 'shown',
    surface: CASE WHEN surface.audience IN $asked.told_audiences THEN surface.name ELSE 'another surface' END} AS way
  UNION ALL
  UNWIND $asked.scope_audiences AS audience
  CALL (audience) {
    MATCH (n:Run {audience: audience, task_key: $asked.task_key})
    WHERE n.started_at > ''
    RETURN n ORDER BY n.audience DESC, n.task_key DESC, n.started_at DESC LIMIT $asked.prior_runs + 1
    UNION
    MATCH (n:Run {audience: audience, template_key: $asked.template_key})
    WHERE n.started_at > ''
    RETURN n ORDER BY n.audience DESC, n.template_key DESC, n.started_at DESC LIMIT $asked.prior_runs + 1
  }
  WITH DISTINCT n WHERE n.id <> $asked.run_id
  ORDER BY n.started_at DESC, n.name, n.id LIMIT $asked.prior_runs
  CALL (n) {
    RETURN n AS found
    UNION
    MATCH (n)-[:ACTIVATED]->(:Activation)-[:PRODUCED]->(found:Artifact {output_class: 'final_output'})
    WHERE NOT n.memory_mode IN $asked.forgotten AND found.audience IN $asked.scope_audiences
    RETURN DISTINCT found ORDER BY found.name, found.id LIMIT $asked.prior_artifacts
  }
  RETURN found AS n, {way: 'own'} AS way
}
"""

# What the gates and the text need of each candidate. A receipt names other records only where all who see the run may
# see them. A card stands in for long texts; its vector is compared here.
CANDIDATES: LiteralString = (
    _WAYS
    + """
WITH n, collect(way) AS ways
WHERE """
    + visible("n")
    + """ AND NOT coalesce(n.lifecycle_state, 'active') IN $asked.hidden_states
OPTIONAL MATCH (card:Card)-[:DESCRIBES]->(n)
WITH n, ways, head(collect(card)) AS card
RETURN collect({
  labels: labels(n), ways: ways,
  properties: properties(n),
  embedded: CASE WHEN card IS NOT NULL AND card.embedded_hash = card.text_hash AND card.embedding_model = $asked.model
    THEN vector.similarity.cosine(coalesce(card[$asked.text_property], card[$asked.property]), $asked.vector) END,
  linked: EXISTS { MATCH (n)-[:APPLIES_TO]->() },
  applies: COLLECT {
    MATCH (n)-[:APPLIES_TO]->(target:Record) WHERE """
    + visible("target")
    + """
    RETURN [target.id,
      CASE WHEN target.audience IN $asked.told_audiences THEN target.name ELSE 'another record' END]
  },
  forbidden: COLLECT {
    MATCH (n)<-[:APPLIES_TO {polarity: 'forbid'}]-(rule:Restriction)
    WHERE rule.audience IN $asked.scope_audiences AND NOT rule.lifecycle_state IN $asked.hidden_states
    WITH CASE WHEN rule.audience IN $asked.told_audiences THEN rule.name ELSE 'another rule' END AS name
    RETURN name ORDER BY name
  },
  parts: CASE WHEN n.kind = 'source_set' THEN COLLECT {
    MATCH (n)<-[:PART_OF]-(part:Entity)
    WHERE part.audience IN $asked.scope_audiences AND part.data_class IN $asked.classes
      AND NOT part.lifecycle_state IN $asked.hidden_states
      AND NOT EXISTS { MATCH (:ScopeEnvelope:Record {id: $asked.envelope})-[:EXCLUDES]->(part) }
    RETURN part {.id, .name, .page_count, .media_type, .storage_ref} ORDER BY part.name, part.id LIMIT 200
  } ELSE [] END,
  members: CASE WHEN n:Library OR n:Matter OR n:Task THEN COUNT {
    MATCH (n)<-[:PART_OF|RUN_OF]-(member:Record) WHERE """
    + visible("member")
    + """ RETURN member LIMIT 10000
  } ELSE 0 END
}) AS found
"""
)


# A stored packet as one reader may see it: receipts of what they may see, and a count of the rest.
STORED: LiteralString = (
    """
MATCH (packet:ContextPacket:Record {id: $id})
WHERE """
    + visible("packet")
    + """
RETURN packet {.*} AS packet,
  COLLECT {
    MATCH (packet)-[receipt:INJECTED]->(n:Record) WHERE """
    + visible("n")
    + """
    RETURN receipt {.*, id: n.id, labels: labels(n), name: n.name} ORDER BY receipt.rank
  } AS injected,
  COLLECT {
    MATCH (packet)-[receipt:EXCLUDED]->(n:Record) WHERE """
    + visible("n")
    + """
    RETURN receipt {.*, id: n.id, labels: labels(n), name: n.name}
  } AS excluded,
  COUNT { MATCH (packet)-[:INJECTED|EXCLUDED]->(n:Record) WHERE NOT """
    + visible("n")
    + """ } AS withheld
"""
)
