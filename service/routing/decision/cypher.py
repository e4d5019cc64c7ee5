"""What a decision reads. A statement gives one row, and a record passes the firewall before anything of it is read."""

from typing import LiteralString

from service.graph.visibility import called, visible
from service.routing.agent.cypher import AGENT

_FIELDS: LiteralString = (
    """.id, .name, .version, .source, .source_key, .task_type, aliases: coalesce(n.aliases, []),
    kind: head([label IN labels(n) WHERE label IN ['Task', 'Template', 'Preset']]),
    recurring: coalesce(n.scheduled, false) OR coalesce(n.trigger_enabled, false),
    inputs: coalesce(n.expected_inputs, head(COLLECT { MATCH (n)-[:INSTANTIATES]->(made_from:Template) WHERE """
    + visible("made_from")
    + """
      RETURN made_from.expected_inputs ORDER BY made_from.id LIMIT 1 }), [])"""
)
_ASSET: LiteralString = "{" + _FIELDS + "}"

_LIVING: LiteralString = (
    visible("n") + " AND NOT n.lifecycle_state IN $hidden_states AND NOT coalesce(n.archived, false)"
)

_FACTS: LiteralString = (
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
    + """ AND (ref.kind IS NULL OR ref.kind IN labels(n))
    RETURN n {.id, .name, .version, .source, .source_key, .task_key, .status, .started_at, .task_type, place: ref.place}
  } AS facts
"""
)

# What was taught to be said for a template or a preset: by its own phrases, or by a directive that prefers it.
_TAUGHT: LiteralString = (
    """
CALL () {
  UNWIND $asked.said AS said
  MATCH (p:Phrase {spoken: said})-[:INVOKES]->(asset:Record)
  WHERE p.phrase_kind = 'trigger_phrase' AND p.lifecycle_state = 'active' AND """
    + visible("p")
    + """ AND """
    + visible("asset")
    + """
  CALL (asset) {
    WITH asset WHERE asset:Template OR asset:Preset RETURN asset AS n
    UNION
    WITH asset WHERE asset:Directive AND asset.lifecycle_state = 'active'
      AND asset.directive_kind = 'prefer_when_phrase'
    MATCH (asset)-[:STEERS]->(n:Record)
    RETURN n
  }
  WITH n, collect(DISTINCT p.text) AS phrases WHERE """
    + _LIVING
    + """
  WITH n, phrases ORDER BY n.id LIMIT 60
  RETURN collect(n {"""
    + _FIELDS
    + """, phrases: phrases}) AS taught
}
"""
)

# What the request may call by name, what its facts name, and what is known of the Task Agent. How many names the index
# proposed before the firewall tells the caller whether it had more to give.
NAMES: LiteralString = (
    """
CALL () {
  WITH $asked.lucene AS lucene WHERE lucene <> ''
  CALL db.index.fulltext.queryNodes($called_index, lucene, {limit: $depth}) YIELD node
  RETURN collect(node) AS proposed
}
"""
    + AGENT
    + _TAUGHT
    + """
WITH records, parts, taught, size(proposed) AS proposed, [n IN proposed WHERE """
    + _LIVING
    + """] AS seen
RETURN records, parts, taught, proposed, [n IN seen | n """
    + _ASSET
    + """] AS found,
"""
    + _FACTS
)

# The same from every visible name, for a viewer of whose names the index gives too few.
ALL_NAMES: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  CALL (audience) {
    MATCH (n:Task {audience: audience}) RETURN n
    UNION ALL
    MATCH (n:Template {audience: audience}) RETURN n
    UNION ALL
    MATCH (n:Preset {audience: audience}) RETURN n
  }
  WITH n WHERE """
    + _LIVING
    + """
  WITH n, toLower(reduce(all = n.name, one IN coalesce(n.aliases, []) | all + ' ' + one)) AS called
  WHERE any(word IN $asked.words WHERE called CONTAINS word)
  WITH n ORDER BY size([word IN $asked.words WHERE called CONTAINS word]) DESC, n.id LIMIT $most
  RETURN collect(n """
    + _ASSET
    + """) AS found
}
"""
    + AGENT
    + _TAUGHT
    + """
RETURN records, parts, taught, found,
"""
    + _FACTS
)

_RUN: LiteralString = (
    """{.id, .name, .version, .task_name, .task_key, .source, .status, .started_at,
    about: COLLECT { MATCH (run)-[:ABOUT]->(thing:Entity) WHERE """
    + visible("thing")
    + """
      RETURN thing.name ORDER BY thing.name LIMIT 20 },
    matters: COLLECT { MATCH (thing:Matter) WHERE thing.id IN run.matter_ids AND """
    + visible("thing")
    + """
      RETURN thing.name ORDER BY thing.name LIMIT 20 }}"""
)

# Runs and outputs whose own names have words of the request.
MADE: LiteralString = (
    """
CALL db.index.fulltext.queryNodes($text_index, $lucene, {limit: $depth}) YIELD node AS n
WITH n WHERE (n:Run OR n:Artifact) AND """
    + visible("n")
    + """ AND NOT coalesce(n.artifact_state, '') IN $hidden_states
WITH n LIMIT $most
RETURN collect(n {.id, .name, .version, .task_name, .status, .started_at, .produced_at, .run_id,
  kind: CASE WHEN n:Run THEN 'Run' ELSE 'Artifact' END,
  run: head(COLLECT { MATCH (run:Run {id: n.run_id}) WHERE """
    + visible("run")
    + """ RETURN run {.id, .name, .task_name, .status, .started_at} })}) AS found
"""
)

# Runs that a question may mean: of the tasks and templates that it names, about the entities that it names, and
# those whose own name has its words. Of each the latest.
RUNS: LiteralString = (
    """
CALL () {
  UNWIND $asked.tasks AS task
  UNWIND $audiences AS audience
  CALL (task, audience) {
    MATCH (run:Run {audience: audience, task_key: task.key})
    WHERE run.source = task.source AND run.started_at >= ''
    RETURN run ORDER BY run.audience DESC, run.task_key DESC, run.started_at DESC LIMIT $each
  }
  RETURN collect(run) AS of_tasks
}
CALL () {
  UNWIND $asked.templates AS template
  UNWIND $audiences AS audience
  CALL (template, audience) {
    MATCH (run:Run {audience: audience, template_key: template.key})
    WHERE run.source = template.source AND run.started_at >= ''
    RETURN run ORDER BY run.audience DESC, run.template_key DESC, run.started_at DESC LIMIT $each
  }
  RETURN collect(run) AS of_templates
}
CALL () {
  UNWIND $asked.queries AS query
  CALL db.index.fulltext.queryNodes($names_index, query, {limit: $depth}) YIELD node AS card
  WITH DISTINCT card WHERE card.describes_kind = 'Entity' AND """
    + visible("card")
    + """
  MATCH (card)-[:DESCRIBES]->(entity:Entity) WHERE """
    + visible("entity")
    + """
  RETURN collect(DISTINCT entity) AS called
}
CALL (called) {
  UNWIND called + COLLECT { UNWIND $asked.entities AS id MATCH (e:Record {id: id}) WHERE """
    + visible("e")
    + """ RETURN e } AS entity
  CALL (entity) {
    MATCH (entity)<-[:ABOUT]-(run:Run) WHERE """
    + visible("run")
    + """ RETURN run ORDER BY run.started_at DESC LIMIT $each
  }
  RETURN collect(run) AS about
}
CALL (called) {
  UNWIND [e IN called WHERE e:Matter | e.id] AS matter
  UNWIND $audiences AS audience
  MATCH (a:Audience {audience: audience}) WHERE matter IN a.matter_ids
  CALL (audience) {
    MATCH (run:Run {audience: audience}) WHERE run.started_at >= ''
    RETURN run ORDER BY run.audience DESC, run.started_at DESC LIMIT $each
  }
  RETURN collect(run) AS of_matters
}
CALL () {
  WITH $asked.lucene AS lucene WHERE lucene <> ''
  CALL db.index.fulltext.queryNodes($text_index, lucene, {limit: $depth}) YIELD node
  WITH node WHERE node:Run AND """
    + visible("node")
    + """
  WITH node LIMIT $most
  RETURN collect(node) AS worded
}
CALL (of_tasks, of_templates, about, of_matters, worded) {
  UNWIND of_tasks + of_templates + about + of_matters + worded AS run
  WITH DISTINCT run
  WITH run ORDER BY run.started_at DESC, run.id LIMIT $most
  RETURN collect(run """
    + _RUN
    + """) AS runs
}
RETURN runs, [e IN called | e {.id, .name, .aliases}] AS entities
"""
)

# What a run has made, the final outputs first.
OUTPUTS: LiteralString = (
    """
MATCH (n:Artifact {run_id: $run_id})
WHERE """
    + visible("n")
    + """ AND NOT coalesce(n.artifact_state, '') IN $hidden_states
WITH n ORDER BY n.output_class = 'final_output' DESC, n.produced_at DESC, n.id LIMIT $most
RETURN collect(n {.id, .name, .version, .summary, .output_class, .artifact_kind}) AS outputs
"""
)

# What a template is for that is called by name. Of one that matching weighed it is known.
ABOUT: LiteralString = (
    """
MATCH (n:Template:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN n.task_type AS task_type, n.document_archetypes AS document_archetypes, n.domain_tags AS domain_tags,
  n.expected_outputs AS expected_outputs
"""
)

KEPT: LiteralString = (
    """
MATCH (n:ModeDecision:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN n {.*} AS kept
"""
)
