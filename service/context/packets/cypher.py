"""What packets read. Every record passes the firewall before anything of it is read.

What varies in size or type is in one map, `asked`, because Neo4j plans a statement anew for each size and type of its
other parameters.
"""

from typing import LiteralString

from service.context.comparison import NEAR
from service.context.exclusion import kept_out
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
# policies are control, and so is what the scope keeps out or confines itself to: whoever asks, the same hold. All else
# passes the firewall.
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
RETURN run {.id, .name, .source, .source_key, .status, .data_class, .matter_ids, .memory_mode, .trigger_kind,
    began_at: coalesce(run.started_at, run.created_at),
    task_key: coalesce(run.task_key, run.working_task_key),
    task_name: coalesce(run.task_name, head([one IN assets WHERE one:Task AND """
    + visible("one")
    + """ | one.name])),
    template_key: coalesce(run.template_key, run.working_template_key)} AS run,
  env {.id, .task_type, .domains, .surface_context_policy, .broad_scope, .broad_kinds, .broad_since, .broad_until,
    .visibility_ceiling, .scope_matter_ids, .warnings,
    excluded: COLLECT { MATCH (env)-[:EXCLUDES]->(x:Record) RETURN x.id },
    sources: COLLECT { MATCH (env)-[:BINDS {status: 'bound', role: 'source'}]->(x:Record) RETURN x.id },
    libraries: COLLECT { MATCH (env)-[:BINDS {status: 'bound'}]->(x:Library) WHERE """
    + visible("x")
    + """ RETURN x.id },
    reaches: COLLECT { MATCH (env)-[:REACHES]->(x:Record) RETURN {id: x.id, library: x:Library} }} AS envelope,
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
    UNWIND ['*', coalesce(run.task_key, run.working_task_key)] AS task_key
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
    RETURN {ref: ref.ref, field: ref.field, id: n.id, name: n.name, data_class: n.data_class, library: n:Library}
  } AS named
"""
)


def _forbidding(node: LiteralString) -> LiteralString:
    """Restrictions that forbid a record, or a whole that it is in, for work like this. What they are confined to is
    asked as the gate of scope asks it."""
    return f"""MATCH ({node})-[:PART_OF*0..3]->(:Record)<-[:APPLIES_TO {{polarity: 'forbid'}}]-(rule:Restriction)
    WHERE rule.audience IN $asked.forbidding AND NOT rule.lifecycle_state IN $asked.hidden_states
      AND (size(coalesce(rule.task_types, [])) = 0 OR coalesce($asked.task_type IN rule.task_types, false))
      AND (size(coalesce(rule.domains, [])) = 0 OR any(one IN rule.domains WHERE one IN $asked.domains))
      AND (size(coalesce(rule.trigger_kinds, [])) = 0 OR coalesce($asked.trigger_kind IN rule.trigger_kinds, false))"""


def _barred(node: LiteralString) -> LiteralString:
    """Whether a gate keeps a record out whatever leads to it: it is too closed, the user keeps it out, a restriction
    forbids it."""
    return f"(NOT {node}.data_class IN $asked.classes OR {kept_out(node)} OR EXISTS {{ {_forbidding(node)} }})"


# Runs that can tell this one something: they began and ended before it began, and are remembered.
_EARLIER: LiteralString = """n.started_at < $asked.began_at AND n.completed_at <= $asked.began_at
        AND n.status IN $asked.ended AND NOT n.memory_mode IN $asked.forgotten"""

# Every candidate with the ways in which it came to be one. What is bound, named, offered or shown is reached from the
# run; standing rules are sought by their audience, so that those of other matters are not even read. What is part of a
# bound source set is told by the set.
_WAYS: LiteralString = (
    """
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
  RETURN n, one {.way, .via, .evidence, .status, .role} AS way
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
  MATCH (:Trigger:Record {id: $asked.trigger})-[:CAME_FROM]->(n:Schedule)
  RETURN n, {way: 'own'} AS way
  UNION ALL
  MATCH (:ScopeEnvelope:Record {id: $asked.envelope})-[bound:BINDS {status: 'bound'}]->(:Entity {kind: 'source_set'})
    <-[:PART_OF]-(n:Entity)
  WHERE """
    + _barred("n")
    + """
  RETURN DISTINCT n, {way: 'bound', via: bound.via, evidence: 'Part of a source set in scope.', status: 'bound'} AS way
  UNION ALL
  CALL () {
    MATCH (:ScopeEnvelope:Record {id: $asked.envelope})-[:BINDS {status: 'bound'}]->(part:Entity)
    WHERE """
    + visible("part")
    + """
    RETURN part, 'A document of it is in scope.' AS evidence
    UNION
    UNWIND $asked.named AS one
    WITH one WHERE one.way IN ['named', 'bound']
    MATCH (part:Entity:Record {id: one.id})
    WHERE part.audience IN $asked.library_audiences
    RETURN part, CASE one.way WHEN 'named' THEN 'A document of it is an input of this module.'
      ELSE 'A document of it is in scope.' END AS evidence
  }
  MATCH (part)-[:PART_OF*1..3]->(n:Library)
  WHERE n.audience IN $asked.library_audiences AND NOT """
    + _barred("part")
    + """
  WITH n, min(evidence) AS evidence
  RETURN n, {way: 'bound', via: 'library_bound', evidence: evidence, status: 'bound'} AS way
  UNION ALL
  UNWIND $asked.libraries AS id
  MATCH (:Library:Record {id: id})<-[:PART_OF*1..3]-(n:Entity)
  WHERE n.audience IN $asked.library_audiences
  WITH DISTINCT n ORDER BY n.name, n.id LIMIT $asked.library_read
  OPTIONAL MATCH (card:Card)-[:DESCRIBES]->(n)
  WITH n, max("""
    + NEAR
    + """) AS near
  ORDER BY coalesce(near, 1.0) DESC, n.name, n.id LIMIT $asked.library_documents
  RETURN n, {way: 'library'} AS way
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
  CALL () {
    UNWIND $asked.scope_audiences AS audience
    CALL (audience) {
      MATCH (n:Run {audience: audience, task_key: $asked.task_key}) WHERE """
    + _EARLIER
    + """
      RETURN n ORDER BY n.audience DESC, n.task_key DESC, n.started_at DESC LIMIT $asked.prior_runs
      UNION
      MATCH (n:Run {audience: audience, template_key: $asked.template_key}) WHERE """
    + _EARLIER
    + """
      RETURN n ORDER BY n.audience DESC, n.template_key DESC, n.started_at DESC LIMIT $asked.prior_runs
    }
    WITH DISTINCT n ORDER BY n.started_at DESC, n.name, n.id LIMIT $asked.prior_runs
    RETURN n, 'own' AS way
    UNION ALL
    UNWIND $asked.matter_audiences AS audience
    CALL (audience) {
      MATCH (n:Run {audience: audience}) WHERE """
    + _EARLIER
    + """ AND NOT coalesce(n.task_key = $asked.task_key, false)
        AND NOT coalesce(n.template_key = $asked.template_key, false)
      RETURN n ORDER BY n.audience DESC, n.started_at DESC LIMIT $asked.prior_runs
    }
    WITH n ORDER BY n.started_at DESC, n.name, n.id LIMIT $asked.prior_runs
    RETURN n, 'of_matter' AS way
  }
  CALL (n) {
    RETURN n AS found
    UNION
    MATCH (n)-[:ACTIVATED]->(:Activation)-[:PRODUCED]->(found:Artifact {output_class: 'final_output'})
    WHERE found.audience IN $asked.scope_audiences
    RETURN DISTINCT found ORDER BY found.name, found.id LIMIT $asked.prior_artifacts
  }
  RETURN found AS n, {way: way} AS way
}
"""
)

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
  embedded: """
    + NEAR
    + """,
  linked: EXISTS { MATCH (n)-[:APPLIES_TO]->() },
  kept_out: """
    + kept_out("n")
    + """,
  in_library: CASE WHEN size($asked.libraries) = 0 THEN false ELSE EXISTS {
    MATCH (n)-[:PART_OF*1..3]->(whole:Library) WHERE whole.id IN $asked.libraries
  } END,
  touches: CASE WHEN size($asked.reaches) = 0 THEN false ELSE n.id IN $asked.reaches
    OR any(one IN coalesce(n.matter_ids, []) WHERE one IN $asked.reaches)
    OR EXISTS { MATCH (n)-[:ABOUT|PART_OF|SCOPED_TO|APPLIES_TO|INVOLVED_IN|MENTIONS]->(one:Entity)
      WHERE one.id IN $asked.reaches }
    OR EXISTS { MATCH (n)<-[:RUN_OF]-(:Run)-[:ABOUT]->(one:Entity) WHERE one.id IN $asked.reaches } END,
  carded: card IS NOT NULL,
  memory_mode: CASE WHEN n:Artifact AND n.run_id <> $asked.run_id AND coalesce(n.intake_rule, '') <> 'promotion'
    THEN head(COLLECT { MATCH (maker:Run:Record {id: n.run_id}) RETURN maker.memory_mode }) ELSE n.memory_mode END,
  applies: COLLECT {
    MATCH (n)-[:APPLIES_TO]->(target:Record) WHERE """
    + visible("target")
    + """
    RETURN [target.id,
      CASE WHEN target.audience IN $asked.told_audiences THEN target.name ELSE 'another record' END]
  },
  forbidden: COLLECT {
    """
    + _forbidding("n")
    + """
    WITH DISTINCT CASE WHEN rule.audience IN $asked.told_audiences THEN rule.name ELSE 'another rule' END AS name
    RETURN name ORDER BY name
  },
  parts: CASE WHEN n.kind = 'source_set' THEN COLLECT {
    MATCH (n)<-[:PART_OF]-(part:Entity)
    WHERE part.audience IN $asked.scope_audiences AND NOT part.lifecycle_state IN $asked.hidden_states
      AND NOT """
    + _barred("part")
    + """
    RETURN part {.id, .name, .page_count, .media_type, .storage_ref} ORDER BY part.name, part.id LIMIT $asked.parts_read
  } ELSE [] END,
  reviews: CASE WHEN n:Blueprint THEN COLLECT {
    MATCH (n)-[:HAS_REVIEW_POINT]->(point:ReviewPoint) WHERE """
    + visible("point")
    + """
    RETURN point.statement ORDER BY point.name, point.id LIMIT 20
  } ELSE [] END,
  members: CASE WHEN n:Library OR n:Matter OR n:Task THEN COUNT {
    MATCH (n)<-[:PART_OF|RUN_OF]-(member:Record) WHERE """
    + visible("member")
    + """ RETURN member LIMIT 10000
  } ELSE 0 END
}) AS found
"""
)


def _latest(label: LiteralString, at: LiteralString = "created_at") -> LiteralString:
    return f"""    WITH audience WHERE '{label}' IN $asked.kinds
    MATCH (n:{label} {{audience: audience}}) WHERE n.{at} > ''
    RETURN n ORDER BY n.audience DESC, n.{at} DESC LIMIT $asked.most
"""


_CREATED: tuple[LiteralString, ...] = (
    "Memory",
    "Task",
    "Template",
    "WorkProduct",
    "Artifact",
    "Preset",
    "Pattern",
    "Entity",
)
_LATEST: LiteralString = "    UNION ALL\n".join([*map(_latest, _CREATED), _latest("Run", "started_at")])

# What a broad scope declares to look at, the latest first: what it names, what hangs on that, what belongs to the
# matters among it. Of libraries only those that it names; of runs only those that are over and remembered.
_TIME: LiteralString = "coalesce(n.started_at, n.produced_at, n.created_at)"
DECLARED: LiteralString = (
    """
CALL () {
  UNWIND $asked.reaches AS id
  MATCH (n:Record {id: id}) RETURN n
  UNION
  UNWIND $asked.reaches AS id
  MATCH (:Entity:Record {id: id})<-[:ABOUT|PART_OF|SCOPED_TO|APPLIES_TO|INVOLVED_IN|MENTIONS]-(n:Record) RETURN n
  UNION
  UNWIND $asked.reaches AS id
  MATCH (:Entity:Record {id: id})<-[:ABOUT]-(:Run)-[:RUN_OF]->(n:Task) RETURN n
  UNION
  UNWIND $asked.declared_audiences AS audience
  CALL (audience) {
"""
    + _LATEST
    + """
  }
  RETURN n
}
WITH DISTINCT n, """
    + _TIME
    + """ AS at
WHERE """
    + visible("n")
    + """ AND NOT coalesce(n.stub, false) AND any(one IN labels(n) WHERE one IN $asked.kinds)
  AND at >= $asked.since AND at < $asked.until AND NOT coalesce(n.lifecycle_state, 'active') IN $asked.hidden_states
  AND (NOT n:Library OR n.id IN $asked.reaches) AND n.id <> $asked.run_id
  AND (NOT n:Run OR ("""
    + _EARLIER
    + """))
WITH n, at ORDER BY at DESC, n.name, n.id LIMIT $asked.most
RETURN collect(n.id) AS ids
"""
)

# A stored packet as one reader may see it: receipts of what they may see, and a count of the rest.
# Names of records that this reader may not see, and that receipts of a packet may tell beside their own: what a rule
# applies to, what forbids something, where it is shown. Records are moved after a packet was made, and renamed.
HIDDEN_NAMES: LiteralString = (
    """COLLECT {
    CALL (packet) {
      MATCH (packet)-[:INJECTED|EXCLUDED]->(hidden:Record) RETURN hidden
      UNION
      MATCH (packet)-[:INJECTED|EXCLUDED]->(:Record)-[:APPLIES_TO]->(hidden:Record) RETURN hidden
      UNION
      MATCH (packet)-[:INJECTED|EXCLUDED]->(:Record)<-[:SHOWS]-(hidden:SurfaceContext) RETURN hidden
    }
    WITH DISTINCT hidden WHERE NOT """
    + visible("hidden")
    + """
    MATCH (hidden)-[:PREVIOUS*0..]->(state)
    RETURN DISTINCT state.name
  }"""
)

STORED: LiteralString = (
    """
MATCH (packet:ContextPacket:Record {id: $id})
WHERE """
    + visible("packet")
    + """
RETURN packet {.*} AS packet,
  """
    + HIDDEN_NAMES
    + """ AS hidden_names,
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
