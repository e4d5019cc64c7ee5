"""What is asked of the graph about design sessions."""

from typing import LiteralString

from service.graph.visibility import called, visible

# Entities and goals that a request names whole, by their cards.
NAMED: LiteralString = (
    """
CALL () {
  UNWIND CASE WHEN size($queries) = 0 THEN [] ELSE [1] END AS asked
  CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
  UNWIND $queries AS query
  CALL db.index.fulltext.queryNodes($names_index, query, {limit: $depth}) YIELD node AS card
  WITH DISTINCT card WHERE card.describes_kind IN ['Entity', 'Goal'] AND """
    + visible("card")
    + """
  MATCH (card)-[:DESCRIBES]->(n:Record) WHERE """
    + visible("n")
    + """ AND NOT n.lifecycle_state IN $hidden_states
  RETURN collect({names: [n.name] + coalesce(n.aliases, []), keys: coalesce(n.keys, []),
    record: n {.id, .name, .matter_ids}}) AS exact
}
RETURN exact
"""
)

# What a caller says that the work is about.
GIVEN: LiteralString = (
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
RETURN ref.place AS place, n {.id, .name, .matter_ids} AS record ORDER BY place
"""
)

# What goals the things that the work is about have, and those that the templates on offer serve.
GOALS: LiteralString = (
    """
CALL () {
  UNWIND $about AS id
  MATCH (goal:Goal)-[:CONCERNS]->(:Record {id: id}) RETURN goal
  UNION
  UNWIND $templates AS id
  MATCH (:Template:Record {id: id})-[:SERVES_GOAL]->(goal:Goal) RETURN goal
  UNION
  UNWIND $templates AS id
  MATCH (:Template:Record {id: id})-[:HAS_BLUEPRINT]->(b:Blueprint)-[:EXPRESSES_GOAL]->(goal:Goal)
  WHERE """
    + visible("b")
    + """
  RETURN goal
}
WITH DISTINCT goal WHERE """
    + visible("goal")
    + """ AND NOT goal.lifecycle_state IN $hidden_states
RETURN goal.id AS id ORDER BY goal.name, goal.id LIMIT $most
"""
)

# What the best template is for.
TEMPLATE: LiteralString = (
    """
CALL () {
  MATCH (t:Template:Record {id: $id}) RETURN t
  UNION
  """
    + called("t", "$source", "$key", "Template")
    + """
}
WITH t WHERE """
    + visible("t")
    + """
RETURN t {.id, .name, .task_type, .domain_tags, .document_archetypes} AS template
"""
)

_LOOKED_AT: LiteralString = (
    """{.id, .name, .statement, .summary, .purpose, .task_type, .task_types, .domain_tags, .expected_inputs,
  .expected_outputs, .default_output_archetypes, .side_effect_classes, .memory_artifact_policy_summary,
  .goal_statement, .state, kind: head([l IN labels(n) WHERE l <> 'Record']),
  profile: CASE WHEN n:Template THEN head(COLLECT {
    MATCH (n)-[:HAS_BLUEPRINT]->(b:Blueprint) WHERE """
    + visible("b")
    + """
    RETURN b {.modules_count, .outcome_count, .source_dependency, .output_stakes, .autonomy_level, .overall_complexity}
  }) END}"""
)


# A session with all that hangs on it, as far as it may be seen.
SESSION: LiteralString = (
    """
MATCH (s:DesignSession:Record {id: $id}) WHERE """
    + visible("s")
    + """
RETURN properties(s) AS session, labels(s) AS labels,
  COLLECT {
    MATCH (s)-[link:CONSIDERED]->(n:Record) WHERE """
    + visible("n")
    + """
    RETURN link {.role, .rank, .score, .because, .record_version, .response, record: n """
    + _LOOKED_AT
    + """}
    ORDER BY link.role, link.rank, n.id
  } AS considered,
  COLLECT {
    MATCH (s)-[:ABOUT]->(n:Record) WHERE """
    + visible("n")
    + """
    RETURN n {.id, .name, entity_kind: n.kind, kind: head([l IN labels(n) WHERE l IN ['Entity', 'Goal']])}
    ORDER BY n.name, n.id
  } AS about,
  head(COLLECT { MATCH (s)-[:ADAPTS]->(n:Template) WHERE """
    + visible("n")
    + """ RETURN n """
    + _LOOKED_AT
    + """ }) AS adapts,
  head(COLLECT { MATCH (s)-[:SEARCHED]->(m:MatchDecision) WHERE """
    + visible("m")
    + """ RETURN m {.id, .outcome} }) AS match,
  head(COLLECT { MATCH (s)-[:OF]->(d:ModeDecision) WHERE """
    + visible("d")
    + """ RETURN d.id }) AS decision,
  COLLECT {
    MATCH (s)-[:ASKED]->(q:DesignQuestion) WHERE """
    + visible("q")
    + """ RETURN properties(q) ORDER BY q.created_at, q.id
  } AS questions,
  COLLECT {
    MATCH (s)-[:NOTED]->(n:Statement) WHERE """
    + visible("n")
    + """
    RETURN n {.*, goals: COLLECT { MATCH (n)-[:BEARS_ON]->(x:Goal) WHERE """
    + visible("x")
    + """ RETURN x.id ORDER BY x.id }, bears_on: COLLECT { MATCH (n)-[:BEARS_ON]->(x:Record) WHERE """
    + visible("x")
    + """ RETURN x.id ORDER BY x.id },
      made_into: COLLECT { MATCH (n)<-[:STATED_IN]-(x:Record) WHERE """
    + visible("x")
    + """ RETURN x.id ORDER BY x.id }}
    ORDER BY n.created_at, n.id
  } AS statements,
  COLLECT {
    MATCH (s)-[link:DRAFTED]->(b:Blueprint) WHERE """
    + visible("b")
    + """ RETURN b {.*, link: properties(link)} ORDER BY link.iteration DESC, b.id
  } AS blueprints,
  COLLECT {
    MATCH (s)-[link:DRAFTED_GRAPH]->(g:GraphSnapshot) WHERE """
    + visible("g")
    + """
    RETURN g {.id, .graph_hash, .module_count, .cable_count, link: properties(link), properties: properties(g)}
    ORDER BY link.iteration DESC, g.id
  } AS graphs,
  COLLECT {
    MATCH (s)-[:LED_TO]->(n:Record) WHERE """
    + visible("n")
    + """ RETURN n {.id, .name, kind: head([l IN labels(n) WHERE l IN ['Task', 'Template']])} ORDER BY n.id
  } AS saved,
  COLLECT {
    MATCH (s)<-[:MADE_IN]-(e:EditTrace) WHERE """
    + visible("e")
    + """ RETURN e.id ORDER BY e.created_at, e.id
  } AS edits,
  COLLECT {
    MATCH (s)<-[:DESIGNED_IN]-(r:TaskReceipt) WHERE """
    + visible("r")
    + """ RETURN r.id ORDER BY r.created_at, r.id
  } AS receipts,
  COLLECT {
    CALL (s) {
      MATCH (s)-[:PREFLIGHTED]->(p:Preflight) RETURN p
      UNION
      MATCH (s)-[:DRAFTED|DRAFTED_GRAPH]->(:Blueprint|GraphSnapshot)<-[:EXAMINED]-(p:Preflight) RETURN p
    }
    WITH DISTINCT p WHERE """
    + visible("p")
    + """ RETURN p.id ORDER BY p.examined_at DESC, p.id LIMIT $most
  } AS preflights,
  COLLECT {
    MATCH (s)-[:LED_TO]->(:Task)<-[:RUN_OF]-(run:Run) WHERE """
    + visible("run")
    + """ RETURN run.id ORDER BY run.started_at DESC, run.id LIMIT $most
  } AS runs,
  COLLECT {
    CALL (s) {
      MATCH (s)<-[:SEEN_ON]-(g:Signal) RETURN g
      UNION
      MATCH (s)<-[:MADE_IN]-(:EditTrace)<-[:SEEN_ON]-(g:Signal) RETURN g
    }
    WITH DISTINCT g WHERE """
    + visible("g")
    + """ RETURN g.id ORDER BY g.emitted_at, g.id LIMIT $most
  } AS signals
"""
)

# What a proposed graph is made of, with what the catalogue says of the types of its modules.
DRAFTED_MODULES: LiteralString = (
    """
MATCH (g:GraphSnapshot:Record {id: $id})-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("g")
    + """
OPTIONAL MATCH (m)-[:OF_TYPE]->(type:ModuleType) WHERE """
    + visible("type")
    + """
WITH m, head(collect(type)) AS type
RETURN m {.module_key, .module_type, .name, .purpose, .config, .autonomy, .disabled, graph: $id, family: type.family,
  side_effect_classes: coalesce(type.side_effect_classes, [])} AS module ORDER BY m.module_key
"""
)

# Capabilities that a blueprint cannot do without, as they are now.
NEEDED: LiteralString = (
    """
UNWIND $ids AS id
MATCH (c:Capability:Record {id: id}) WHERE """
    + visible("c")
    + """
RETURN c.id AS id, c.name AS name, c.state AS state, coalesce(c.side_effect_classes, []) AS side_effect_classes
ORDER BY c.id
"""
)

# What became of questions about each slot, in a class of context and for a type of task. What is sensitive teaches
# nothing beyond its own session.
QUESTION_COUNTS: LiteralString = (
    """
CALL () {
  MATCH (q:DesignQuestion {context_class_key: $context_class}) WHERE """
    + visible("q")
    + """ AND q.data_class IN $classes AND q.asked RETURN q, 'class' AS of
  UNION ALL
  MATCH (q:DesignQuestion {task_type: $task_type}) WHERE """
    + visible("q")
    + """ AND q.data_class IN $classes AND q.asked AND q.context_class_key <> $context_class
  RETURN q, 'type' AS of
}
WITH q, of,
  CASE WHEN q.verdict = 'helpful' THEN true WHEN q.verdict = 'annoying' THEN false ELSE q.changed_design END AS useful
WITH of, q.slot AS slot, count(q) AS asked,
  sum(CASE WHEN useful THEN 1 ELSE 0 END) AS useful, sum(CASE WHEN useful = false THEN 1 ELSE 0 END) AS useless,
  sum(CASE WHEN q.verdict = 'helpful' THEN 1 ELSE 0 END) AS helpful,
  sum(CASE WHEN q.verdict = 'annoying' THEN 1 ELSE 0 END) AS annoying,
  sum(CASE WHEN q.changed_design THEN 1 ELSE 0 END) AS changed,
  [one IN collect(CASE WHEN useful THEN q.text END) WHERE one <> ''][..3] AS examples
RETURN of, slot, asked, useful, useless, helpful, annoying, changed, examples ORDER BY of, slot
"""
)

# A statement's names, and what it was made into already.
STATED: LiteralString = (
    """
MATCH (n:Statement:Record {id: $id}) WHERE """
    + visible("n")
    + """
RETURN COLLECT { MATCH (n)<-[:STATED_IN]-(x:Record) RETURN x.id } AS made_into,
  COLLECT {
    MATCH (n)-[:BEARS_ON]->(x:Record) WHERE """
    + visible("x")
    + """
    RETURN {kind: head([l IN labels(x) WHERE l <> 'Record']), labels: labels(x), properties: properties(x)}
    ORDER BY x.id
  } AS bears_on
"""
)
