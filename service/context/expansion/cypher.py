"""What is asked of the graph about the capabilities of a module in a run."""

from typing import LiteralString

from service.graph.visibility import called, visible

# For each `task`, the policies of capabilities with all their versions. It ends a subquery that names the tasks.
_POLICIES: LiteralString = """
  MATCH (p:Policy {task_key: task}) WHERE p.policy_kind = 'capability'
  RETURN collect({
    states: [p {.*}] + COLLECT { MATCH (p)-[:PREVIOUS*1..]->(v:Version) RETURN v {.*, id: p.id} },
    links: COLLECT {
      MATCH (p)-[said:REQUIRES|ALLOWS|DENIES]->(capability:Capability)
      RETURN {type: type(said), capability: capability.id, holder: p.id, kind: 'Policy'}
    },
    preferred: COLLECT { MATCH (p)-[:PREFERS]->(procedure:Procedure) RETURN procedure.id ORDER BY procedure.id }
  }) AS policies
}
"""


def _working(kind: LiteralString, key: LiteralString) -> LiteralString:
    """What an ephemeral run at work has instead of a link: the asset that its reporters call so."""
    return (
        "MATCH (asset:Record {source: run.source, source_key: run."
        + key
        + "}) WHERE asset:"
        + kind
        + " AND (asset.realm = '' OR asset.realm IN coalesce(run.reporters, []))\n"
        + "    WITH asset ORDER BY asset.realm DESC LIMIT 1"
    )


# For the control of what is mounted: whoever asks, the policies that hold are the same. So it is read without the
# firewall, and nobody is told more of it than the kind of record that speaks.
# Takes `run` and, where there is one, its activation `step`; needs $module_key.
CAPABILITY_POLICY: LiteralString = (
    """
CALL (run, step) {
  CALL (run) {
    MATCH (run)-[:RUN_OF]->(asset:Task) RETURN asset
    UNION
    MATCH (run)-[:RUN_OF]->(:Task)-[:INSTANTIATES]->(asset:Template) RETURN asset
    UNION
    MATCH (run)-[:USED_TEMPLATE]->(asset:Template) RETURN asset
    UNION
    """
    + _working("Task", "working_task_key")
    + """
    OPTIONAL MATCH (asset)-[:INSTANTIATES]->(template:Template)
    UNWIND [asset, template] AS found
    RETURN found AS asset
    UNION
    """
    + _working("Template", "working_template_key")
    + """
    RETURN asset
  }
  RETURN collect(DISTINCT asset) AS assets
}
CALL (assets, step) {
  CALL (assets, step) {
    MATCH (step)-[:OF_MODULE]->(module:Module) RETURN module
    UNION
    UNWIND assets AS asset
    MATCH (asset)-[:HAS_GRAPH]->(:GraphSnapshot)-[:HAS_MODULE]->(module:Module {module_key: $module_key}) RETURN module
  }
  RETURN collect(DISTINCT module) AS modules
}
CALL (run, assets, modules) {
  CALL (run, assets, modules) {
    UNWIND modules AS holder RETURN holder
    UNION
    UNWIND modules AS module
    MATCH (module)-[:USES_PRESET]->(holder:Preset) RETURN holder
    UNION
    UNWIND modules AS module
    MATCH (module)<-[:BOUND_TO]-(holder:StepIntent)
    WHERE all(matter IN coalesce(holder.matter_ids, []) WHERE matter IN run.matter_ids) RETURN holder
    UNION
    UNWIND assets AS holder RETURN holder
    UNION
    UNWIND assets AS asset
    MATCH (asset)-[:HAS_BLUEPRINT]->(holder:Blueprint) RETURN holder
    UNION
    UNWIND assets AS asset
    MATCH (asset)-[:IN_GROUP]->(holder:TemplateGroup) RETURN holder
  }
  MATCH (holder)-[said:REQUIRES|ALLOWS|DENIES]->(capability:Capability)
  RETURN collect({type: type(said), capability: capability.id, holder: holder.id,
    kind: head([label IN labels(holder) WHERE label <> 'Record'])}) AS links
}
CALL (run) {
  UNWIND ['*', coalesce(run.task_key, run.working_task_key)] AS task
"""
    + _POLICIES
)

# The policies alone, where there is no run yet whose task and modules could speak.
POLICIES_ALONE: LiteralString = (
    """
CALL () {
  UNWIND ['*'] AS task
"""
    + _POLICIES
    + """
RETURN [] AS links, policies
"""
)

# What is known of capabilities, and of each whether it could be used when the run began. A state may have been reported
# since: then its former ones are looked through.
_CAPABILITIES: LiteralString = (
    """
  COLLECT {
    UNWIND ids AS id
    MATCH (c:Capability:Record {id: id}) WHERE """
    + visible("c")
    + """
    RETURN c {.id, .name, .state, .lifecycle_state, .side_effect_classes, .data_class, .matter_ids, .source_key,
      .capability_kind, .mcp_server_ref, .connector_ref,
      state_at_start: CASE WHEN c.state_as_of <= since THEN c.state ELSE head(COLLECT {
        MATCH (c)-[:PREVIOUS*1..]->(v:Version) WHERE v.state_as_of <= since
        RETURN v.state ORDER BY v.state_generation DESC, v.state_as_of DESC LIMIT 1
      }) END} ORDER BY c.id
  } AS capabilities
"""
)

# A module at work in a run, with its capability policy and what came of earlier wishes. What was added and which gates
# stand is control too, and read as such; what is told of capabilities is what the viewer may see.
MODULE_IN_RUN: LiteralString = (
    """
MATCH (run:Run:Record {id: $run_id}) WHERE """
    + visible("run")
    + """
OPTIONAL MATCH (step:Activation {run_id: $run_id, module_key: $module_key, activation_seq: $activation_seq})
WHERE """
    + visible("step")
    + CAPABILITY_POLICY
    + """
CALL () {
  MATCH (receipt:ExpansionReceipt {run_id: $run_id})-[:ADDED]->(capability:Capability)
  WHERE receipt.module_key = $module_key AND receipt.activation_seq = $activation_seq
  RETURN collect(DISTINCT capability.id) AS added
}
WITH run, step, modules, links, policies, added, coalesce(run.started_at, run.created_at) AS since,
  head(COLLECT {
    MATCH (packet:ContextPacket {run_id: $run_id, module_key: $module_key, activation_seq: $activation_seq})
    WHERE """
    + visible("packet")
    + """
    RETURN packet.packet_generation_id
  }) AS packet_generation_id,
  $wanted + added + [one IN links | one.capability]
    + reduce(found = [], one IN policies | found + [link IN one.links | link.capability]) AS named
UNWIND CASE WHEN named = [] THEN [null] ELSE named END AS id
WITH run, step, modules, links, policies, added, since, packet_generation_id, collect(DISTINCT id) AS ids
RETURN run {.*, task_key: coalesce(run.task_key, run.working_task_key)} AS run, step {.*} AS step, links, policies,
  added, packet_generation_id,
  size(modules) > 0 OR step IS NOT NULL AS known,
  coalesce(step.module_type, head([one IN modules WHERE one.module_type IS NOT NULL | one.module_type])) AS module_type,
  COLLECT {
    UNWIND $gates AS asked
    MATCH (g:Gate {run_id: $run_id, gate_key: asked.gate_key})
    RETURN {capability: asked.capability, id: g.id, gate_key: g.gate_key, status: g.status}
  } AS gates,
  COLLECT {
    UNWIND policies AS one
    UNWIND one.preferred AS procedure
    MATCH (n:Procedure:Record {id: procedure}) WHERE """
    + visible("n")
    + """
    RETURN DISTINCT n.id
  } AS procedures,
"""
    + _CAPABILITIES
)

_RUN_NAMED: LiteralString = (
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
)

RUN_ID: LiteralString = (
    _RUN_NAMED
    + """
RETURN run.id AS id
"""
)

# The matters that a run is about: its own, and those of its scope.
MATTERS_OF_RUN: LiteralString = (
    _RUN_NAMED
    + """
RETURN run.id AS id, run.matter_ids + reduce(all = [], one IN COLLECT {
  MATCH (run)-[:HAS_SCOPE]->(scope:ScopeEnvelope) WHERE """
    + visible("scope")
    + """
  RETURN scope.scope_matter_ids
} | all + one) AS matters
"""
)

# Sought by audience, so that what belongs to other matters is not even read.
CAPABILITY_NAMES: LiteralString = (
    """
MATCH (c:Capability) WHERE """
    + visible("c")
    + """ AND c.created_at IS NOT NULL AND c.lifecycle_state = 'active'
RETURN collect(c {.id, .name, key: c.source_key}) AS found
"""
)
