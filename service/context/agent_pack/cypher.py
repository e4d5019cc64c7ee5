"""What an agent is told about the work, the rules and the capabilities around a request."""

from typing import LiteralString

from service.context.comparison import NEAR
from service.context.expansion.cypher import CAPABILITY_POLICY
from service.graph.visibility import called, visible

_CARD: LiteralString = "{.id, .name, .kind, .matter_ids, label: head([l IN labels(n) WHERE l <> 'Record'])}"

# What a run is about: what its scope binds, else what its executor said.
OF_RUN: LiteralString = (
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
OPTIONAL MATCH (run)-[:HAS_SCOPE]->(scope:ScopeEnvelope) WHERE """
    + visible("scope")
    + """
RETURN run {.id, .source, .matter_ids, .memory_mode, .data_class, began_at: coalesce(run.started_at, run.created_at),
    task_key: coalesce(run.task_key, run.working_task_key)} AS run,
  run.matter_ids + coalesce(scope.scope_matter_ids, []) AS matters, scope.task_type AS task_type,
  coalesce(scope.domains, []) AS domains, run.trigger_kind AS trigger_kind,
  COLLECT {
    CALL (run, scope) {
      MATCH (scope)-[bound:BINDS]->(n:Record) WHERE bound.status = 'bound' RETURN n
      UNION
      MATCH (run)-[:ABOUT|PURSUES]->(n:Record) RETURN n
    }
    WITH DISTINCT n WHERE """
    + visible("n")
    + """
    RETURN n """
    + _CARD
    + """ ORDER BY n.id LIMIT $most
  } AS things
"""
)

NAMED: LiteralString = (
    """
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
RETURN collect(n """
    + _CARD
    + """) AS things, collect(ref.place) AS found
"""
)

# Standing rules, by audience: those of other matters are not read. What a rule is confined to is only compared: one
# that is confined to something hidden must not be taken for one that holds everywhere.
RULES: LiteralString = (
    """
CALL () {
  MATCH (n:Memory) WHERE """
    + visible("n")
    + """ AND n.created_at IS NOT NULL AND n.memory_kind = 'directive' RETURN n
  UNION ALL
  MATCH (n:Preference) WHERE """
    + visible("n")
    + """ AND n.created_at IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Restriction) WHERE """
    + visible("n")
    + """ AND n.created_at IS NOT NULL RETURN n
}
WITH n WHERE n.lifecycle_state IN $asked.states
OPTIONAL MATCH (card:Card)-[:DESCRIBES]->(n)
WITH n, head(collect(card)) AS card ORDER BY n.name, n.id
RETURN collect(n {.id, .name, .statement, .task_types, .domains, .trigger_kinds, .global, .matter_ids,
  label: head([l IN labels(n) WHERE l <> 'Record']), near: """
    + NEAR
    + """,
  applies_to: COLLECT { MATCH (n)-[:APPLIES_TO]->(to:Record) RETURN to.id }}) AS rules
"""
)

CAPABILITIES: LiteralString = (
    """
MATCH (n:Capability) WHERE """
    + visible("n")
    + """ AND n.created_at IS NOT NULL AND n.lifecycle_state IN $asked.states
OPTIONAL MATCH (card:Card)-[:DESCRIBES]->(n)
WITH n, head(collect(card)) AS card ORDER BY n.name, n.id
RETURN collect(n {.id, .name, .summary, .state, .capability_kind, .source_key, .mcp_server_ref, .connector_ref,
  .side_effect_classes, near: """
    + NEAR
    + """,
  wanted: EXISTS { MATCH (n)<-[:REQUIRES|ALLOWS]-(asset:Record) WHERE asset.id IN $asked.matched }}) AS capabilities
"""
)

# What the task of a run says of capabilities, whatever the module.
POLICY_OF_RUN: LiteralString = (
    """
MATCH (run:Run:Record {id: $run_id}) WHERE """
    + visible("run")
    + """
OPTIONAL MATCH (step:Activation {run_id: $run_id, module_key: $module_key, activation_seq: 0})
WHERE """
    + visible("step")
    + """
"""
    + CAPABILITY_POLICY
    + """
RETURN links, policies
"""
)

# Earlier runs with what they left, without those that are not to be remembered.
PRIOR: LiteralString = (
    """
UNWIND $ids AS id
MATCH (run:Run:Record {id: id}) WHERE """
    + visible("run")
    + """ AND NOT run.memory_mode IN $private AND run.completed_at <= $began_at
WITH run LIMIT $most
RETURN collect(run {.id, .name, .status, .started_at, .quality_summary, products: COLLECT {
  MATCH (run)-[:ACTIVATED]->(step:Activation)-[:PRODUCED]->(made:Artifact)-[:BECAME]->(n:WorkProduct)
  WHERE """
    + visible("step")
    + " AND "
    + visible("made")
    + " AND "
    + visible("n")
    + """
  RETURN DISTINCT n """
    + _CARD
    + """ ORDER BY n.id LIMIT $most
}}) AS runs
"""
)

DIRECTIVES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Directive:Record {id: id}) WHERE """
    + visible("n")
    + """
WITH n ORDER BY n.confidence DESC, n.id
RETURN collect(n {.id, .name, .directive_kind, .phrase_or_condition, .rationale, .confidence}) AS directives
"""
)
