"""Statements of assessments: what is around a run that its own views do not hold."""

from typing import LiteralString

from service.graph.visibility import called, visible

_REMEMBERED: LiteralString = "NOT coalesce({run}.memory_mode, '') IN ['memory_incognito', 'full_ephemeral_test']"
"""Of other runs nothing is learned, and nothing of them stays in what is kept."""

# What a run's findings need beside its own facts: its template and graph, what is called as its snapshots say, uses of
# its outputs elsewhere, what people said, and how other runs of the task did.
BESIDE: LiteralString = (
    """
MATCH (run:Record {id: $run_id}) WHERE run:Run AND """
    + visible("run")
    + """
RETURN run.data_class AS data_class, run.memory_mode AS memory_mode,
  head(COLLECT { MATCH (run)-[:USED_TEMPLATE]->(n:Template) WHERE """
    + visible("n")
    + """ RETURN n {.id, .name, .lifecycle_state, .task_type, .default_output_archetypes,
      .memory_artifact_policy_summary, .known_limitations,
      bound: COLLECT { MATCH (n)-[link:REQUIRES|ALLOWS]->(c:Capability) WHERE """
    + visible("c")
    + """ RETURN [type(link), c.id] ORDER BY c.id }} ORDER BY n.id LIMIT 1 }) AS template,
  head(COLLECT { MATCH (run)-[:RUN_OF]->(n:Task) WHERE """
    + visible("n")
    + """ RETURN n {.id, .name, .task_type} ORDER BY n.id LIMIT 1 }) AS task,
  head(COLLECT { MATCH (run)-[:RUN_OF|USED_TEMPLATE]->(owner:Record)-[:HAS_GRAPH]->(n:GraphSnapshot) WHERE """
    + visible("owner")
    + " AND "
    + visible("n")
    + """ RETURN {id: n.id, owner: owner.id, version: n.version,
      modules: COLLECT { MATCH (n)-[:HAS_MODULE]->(m:Module) WHERE """
    + visible("m")
    + """ RETURN m {.id, .config, key: m.module_key, type: coalesce(m.module_type, '')} ORDER BY m.module_key },
      cables: COLLECT { MATCH (n)-[:HAS_MODULE]->(a:Module)-[c:CABLE]->(b:Module) WHERE """
    + visible("a")
    + " AND "
    + visible("b")
    + """ RETURN [a.module_key, b.module_key, c.from_port, c.to_port]
        ORDER BY a.module_key, b.module_key, c.from_port, c.to_port }}
      ORDER BY owner:Task DESC, n.id LIMIT 1 }) AS graph,
  head(COLLECT { MATCH (run)-[:RUN_OF|USED_TEMPLATE]->(owner:Record)-[:HAS_BLUEPRINT]->(n:Blueprint) WHERE """
    + visible("owner")
    + " AND "
    + visible("n")
    + """ RETURN n {.id, .artifact_policy, .authored_by} ORDER BY owner:Task DESC, n.id LIMIT 1 }) AS blueprint,
  head(COLLECT { MATCH (n:Pattern) WHERE n.lifecycle_state = 'active' AND toLower(n.name) STARTS WITH $second_pass
    AND """
    + visible("n")
    + """ RETURN n {.id, .name, .task_types, followed: EXISTS {
      MATCH (run)-[:RUN_OF|USED_TEMPLATE]->(owner:Record)-[:FOLLOWS_PATTERN|HAS_BLUEPRINT]->{1,2}(n) WHERE """
    + visible("owner")
    + """ }} ORDER BY n.id LIMIT 1 }) AS second_pass,
  COLLECT { MATCH (run)-[:RUN_OF]->(t:Task) WHERE NOT EXISTS { (run)-[:USED_TEMPLATE]->() } AND """
    + visible("t")
    + """ MATCH (n:Template {task_type: t.task_type}) WHERE n.lifecycle_state = 'active' AND """
    + visible("n")
    + """ RETURN n {.id, .name, key: n.id} ORDER BY n.id LIMIT 5 } AS passed_over,
  head(COLLECT { MATCH (run)-[:RUN_OF]->(:Task)<-[:LED_TO]-(n:DesignSession) WHERE n.outcome IS NOT NULL AND """
    + visible("n")
    + """ RETURN n {.id, .outcome, edits: COLLECT { MATCH (n)<-[:MADE_IN]-(e:EditTrace) WHERE """
    + visible("e")
    + """ RETURN [e.id, e.edit_count] ORDER BY e.id }} ORDER BY n.ended_at DESC, n.id LIMIT 1 }) AS designed,
  COLLECT { MATCH (n:LibraryIntent {run_id: run.id}) WHERE n.status IN ['failed', 'cancelled'] AND """
    + visible("n")
    + """ RETURN n {.id, .name, .status, .failure_code, artifact: n.artifact_id} ORDER BY n.id LIMIT $most
    } AS not_taken,
  COLLECT { MATCH (made:Artifact {run_id: run.id})<-[:DECIDES]-(n:IntakeReceipt) WHERE """
    + visible("made")
    + " AND "
    + visible("n")
    + """ RETURN {id: n.id, artifact: made.id, outcome: n.outcome, before: n.from_level, after: n.to_level}
      ORDER BY n.id LIMIT $most } AS decided,
  COLLECT { UNWIND $capabilities AS key
    CALL (run, key) { """
    + called("n", "run.source", "key", "Capability")
    + """ } RETURN n {.id, .name, key: key} } AS capabilities,
  COLLECT { UNWIND $presets AS key
    CALL (run, key) { """
    + called("n", "run.source", "key", "Preset")
    + """ } RETURN n {.id, .name, key: key} } AS presets,
  COLLECT { MATCH (made:Artifact {run_id: run.id})<-[:CONSUMED]-(user:Activation)
    WHERE user.run_id <> run.id AND """
    + visible("made")
    + " AND "
    + visible("user")
    + """ RETURN {artifact: made.id, by: user.id} ORDER BY made.id, user.id LIMIT $most } AS used_elsewhere,
  COLLECT { MATCH (made:Artifact {run_id: run.id})-[:DERIVED_FROM]->(n:Record)
    WHERE """
    + visible("made")
    + " AND "
    + visible("n")
    + """ RETURN {artifact: made.id, of: n.id, name: n.name, document: n:Entity}
      ORDER BY made.id, n.id LIMIT $most } AS derived,
  COLLECT { MATCH (n:Feedback {run_id: run.id}) WHERE """
    + visible("n")
    + """ RETURN n {.id, .feedback, .target_kind, .module_key, .activation_seq} ORDER BY n.id LIMIT $most } AS feedback,
  COLLECT { MATCH (run)<-[:BEGAN]-(ask:Ask)<-[:CORRECTS]-(n:UserCorrection) WHERE """
    + visible("ask")
    + " AND "
    + visible("n")
    + """ RETURN n {.id, .name} ORDER BY n.id LIMIT $most } AS corrections,
  COLLECT { MATCH (run)-[:RUN_OF]->(:Task)<-[:RUN_OF]-(n:Run) WHERE n.id <> run.id AND """
    + visible("n")
    + """ AND n.status IN ['completed', 'failed'] AND n.started_at < run.started_at AND """
    + _REMEMBERED.format(run="n")
    + """
      WITH n ORDER BY n.started_at DESC, n.id LIMIT $usual
      RETURN n {.id, .status, .cost_usd, .duration_ms} } AS usual
"""
)

# A recommended change, with the finding that recommends it.
ACTION: LiteralString = (
    """
MATCH (a:AssessmentAction:Record {id: $id})<-[:RECOMMENDS]-(f:AssessmentFinding) WHERE """
    + visible("a")
    + " AND "
    + visible("f")
    + """
RETURN a {.proposal_kind, .target_id, .patch, .expected_effect} AS action, f {.id, .statement} AS finding
"""
)

# Prompts that live in these, in their graphs or in modules of them, with what was told of each.
PROMPTS: LiteralString = (
    """
UNWIND $homes AS id
MATCH (home:Record {id: id}) WHERE """
    + visible("home")
    + """
CALL (home) {
  MATCH (home)<-[:PROMPTS]-(p:Prompt) RETURN p
  UNION
  MATCH (home)-[:HAS_GRAPH]->(:GraphSnapshot)<-[:PROMPTS]-(p:Prompt) RETURN p
  UNION
  MATCH (home)-[:HAS_GRAPH]->(:GraphSnapshot)-[:HAS_MODULE]->(:Module)<-[:PROMPTS]-(p:Prompt) RETURN p
}
WITH p, home WHERE """
    + visible("p")
    + """
WITH p, home ORDER BY home.id
WITH p, head(collect(home)) AS home ORDER BY p.id LIMIT $most
CALL (p) {
  OPTIONAL MATCH (p)<-[:CHECKS]-(c:PromptAssessment) WHERE """
    + visible("c")
    + """
  WITH c ORDER BY c.assessed_at DESC, c.id LIMIT 1
  RETURN c
}
RETURN collect(p {.id, .name, .module_key, home: home.id, home_name: home.name, check: c.id, gaps: c.finding_kinds,
  failed: COLLECT { MATCH (p)<-[:SEEN_ON]-(s:Signal {result: 'downstream_parser_failed'}) WHERE """
    + visible("s")
    + """ RETURN s.id ORDER BY s.id LIMIT 20 },
  weak: COLLECT { MATCH (p)<-[:SEEN_ON]-(s:Signal {result: 'judge_found_prompt_weak'}) WHERE """
    + visible("s")
    + """ RETURN s.id ORDER BY s.id LIMIT 20 },
  won: COLLECT { MATCH (p)<-[:TESTS]-(e:PromptEvaluation {source_prompt_hash: p.prompt_text_hash})
    WHERE e.winner_id IS NOT NULL AND """
    + visible("e")
    + """ RETURN e.id ORDER BY e.id LIMIT 20 }
}) AS found
"""
)

# Runs that have ended, of tasks and templates whose blueprint asks for an assessment, and that have none yet.
TO_ASSESS: LiteralString = (
    """
MATCH (b:Blueprint {assess_runs: true}) WHERE """
    + visible("b")
    + """ AND b.lifecycle_state IN ['active', 'candidate_update']
CALL (b) {
  MATCH (b)<-[:HAS_BLUEPRINT]-(:Task|Template)<-[:RUN_OF|USED_TEMPLATE]-(run:Run) RETURN run
  UNION
  MATCH (b)<-[:HAS_BLUEPRINT]-(:Template)<-[:INSTANTIATES]-(:Task)<-[:RUN_OF]-(run:Run) RETURN run
}
WITH DISTINCT run WHERE run.status IN ['completed', 'failed'] AND """
    + visible("run")
    + " AND "
    + _REMEMBERED.format(run="run")
    + """ AND EXISTS { MATCH (run)-[:ACTIVATED]->(:Activation) }
  AND NOT EXISTS { MATCH (run)<-[:ASSESSES]-(a:Assessment {assessment_kind: 'run'}) WHERE """
    + visible("a")
    + """ }
RETURN run.id AS id ORDER BY run.completed_at, run.id LIMIT $most
"""
)

# The newest assessment of something, if it found the same by the same rules.
KNOWN: LiteralString = (
    """
MATCH (n:Record {id: $of})<-[:ASSESSES]-(a:Assessment) WHERE """
    + visible("n")
    + " AND "
    + visible("a")
    + """ AND a.assessment_kind = $kind
WITH a ORDER BY a.assessed_at DESC, a.id DESC LIMIT 1
WHERE a.evidence_hash = $hash AND a.rules = $rules
RETURN a.id AS id, a.version AS version
"""
)

# Tasks with what a portfolio asks of them. Of their runs only the last few are looked at, each sought in the index that
# ends with the start: so it takes the same however many there were before.
_TASK: LiteralString = (
    """
CALL (task) {
  UNWIND $audiences AS audience
  CALL (audience, task) {
    MATCH (run:Run {audience: audience, task_key: task.source_key})
    WHERE run.started_at IS NOT NULL AND run.source = task.source AND """
    + _REMEMBERED.format(run="run")
    + """
    RETURN run ORDER BY run.audience DESC, run.task_key DESC, run.started_at DESC LIMIT $recent
  }
  WITH run ORDER BY run.started_at DESC, run.id LIMIT $recent
  RETURN collect(run) AS runs
}
CALL (runs) {
  UNWIND runs AS run
  MATCH (a:Assessment {run_id: run.id})-[:FOUND]->(f:AssessmentFinding {tone: 'problem'}) WHERE """
    + visible("a")
    + " AND "
    + visible("f")
    + """
  WITH f.rule AS rule, coalesce(f.better, f.statement) AS better, collect(DISTINCT run.id) AS of, collect(f.id) AS ids
  WITH rule, better, of, ids ORDER BY size(of) DESC, rule, better
  WHERE size(of) > 1
  RETURN collect({rule: rule, better: better, of: of, found: ids})[..5] AS recurring
}
WITH task {
  .id, .name, .audience, .task_type, .reusable, .scheduled, .trigger_enabled, .archived, .graph_hash, .created_at,
  .lifecycle_state, .stub,
  runs: [run IN runs | run {.id, .name, .status, .started_at}],
  blueprint: head(COLLECT { MATCH (task)-[:HAS_BLUEPRINT]->(n:Blueprint) WHERE """
    + visible("n")
    + """ RETURN n {.id, .assessment_plan, criteria: COUNT { MATCH (n)-[:HAS_CRITERION]->(c:Criterion) WHERE """
    + visible("c")
    + """ }, goals: COUNT { MATCH (n)-[:EXPRESSES_GOAL]->(g:Goal) WHERE """
    + visible("g")
    + """ }} ORDER BY n.id LIMIT 1 }),
  goals: COLLECT { UNWIND runs AS run
    MATCH (run)<-[:ASSESSES]-(a:Assessment {assessment_kind: 'run'})-[told:EVALUATED_GOAL]->(n:Goal) WHERE """
    + visible("a")
    + " AND "
    + visible("n")
    + """ RETURN {id: n.id, name: n.name, effect: told.effect, run: run.id, assessment: a.id}
    ORDER BY a.assessed_at DESC, a.id LIMIT 50 },
  template: head(COLLECT { MATCH (task)-[:INSTANTIATES]->(n:Template) WHERE """
    + visible("n")
    + """ RETURN n {.id, .name, .lifecycle_state} ORDER BY n.id LIMIT 1 }),
  lacking: COLLECT {
    MATCH (task)-[:INSTANTIATES|HAS_GRAPH|HAS_BLUEPRINT]->(owner:Record)-[:HAS_MODULE|HAS_STEP]->{0,1}(needy:Record)
      -[:REQUIRES]->(n:Capability)
    WHERE n.state IN ['down', 'authorisation_missing'] AND """
    + visible("owner")
    + " AND "
    + visible("needy")
    + " AND "
    + visible("n")
    + """ RETURN DISTINCT n {.id, .name, .state} ORDER BY n.id LIMIT 20 },
  judged: EXISTS { UNWIND runs AS run MATCH (n:Artifact {run_id: run.id})
    WHERE (n.score IS NOT NULL OR n.verdict IS NOT NULL OR n.artifact_kind IN ['judge_result', 'red_team_report'])
      AND """
    + visible("n")
    + """ },
  left: COLLECT { UNWIND runs AS run MATCH (n:Artifact {run_id: run.id, output_class: 'final_output'})
    WHERE NOT n.intake_level IN $saved AND NOT EXISTS { (n)-[:BECAME]->() } AND """
    + visible("n")
    + """ RETURN n {.id, .name} ORDER BY n.id LIMIT 20 },
  taken: COLLECT { UNWIND runs AS run MATCH (n:Artifact {run_id: run.id})
    WHERE n.opened_count + n.cited_count + n.bookmarked_count >= $often AND """
    + visible("n")
    + """ RETURN n {.id, .name} ORDER BY n.id LIMIT 20 },
  recurring: recurring
} AS told
RETURN collect(told) AS found
"""
)

TASKS: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (task:Task {audience: audience})
  WHERE NOT coalesce(task.archived, false) AND task.lifecycle_state <> 'archived'
  RETURN task ORDER BY task.id LIMIT $most
}
WITH task ORDER BY task.id LIMIT $most
"""
    + _TASK
)

TASKS_NAMED: LiteralString = (
    """
UNWIND $ids AS id
MATCH (task:Record {id: id}) WHERE task:Task AND """
    + visible("task")
    + """
WITH DISTINCT task ORDER BY task.id
"""
    + _TASK
)

# Templates and presets, with when they were last used: the newest run or step alone is sought.
LIBRARY: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (n:Template|Preset {audience: audience}) WHERE n.lifecycle_state <> 'archived' AND NOT n.stub
  RETURN n ORDER BY n.id LIMIT $most
}
WITH n ORDER BY n.id LIMIT $most
CALL (n) {
  UNWIND $audiences AS audience
  CALL (audience, n) {
    MATCH (run:Run {audience: audience, template_key: n.source_key})
    WHERE n:Template AND run.started_at IS NOT NULL AND run.source = n.source AND """
    + _REMEMBERED.format(run="run")
    + """
    RETURN run ORDER BY run.audience DESC, run.template_key DESC, run.started_at DESC LIMIT $recent
  }
  WITH run ORDER BY run.started_at DESC, run.id LIMIT $recent
  RETURN collect(run {.id, .status, .started_at}) AS runs
}
RETURN collect(n {
  .id, .name, .audience, .task_type, .graph_hash, .lifecycle_state, .created_at, .updated_at, .config_hash,
  kind: CASE WHEN n:Template THEN 'Template' ELSE 'Preset' END, runs: runs,
  used: EXISTS { MATCH (n)<-[:USED_PRESET|USES_PRESET|INSTANTIATES|USED_TEMPLATE]-(user:Record) WHERE """
    + visible("user")
    + """ },
  blueprint: EXISTS { MATCH (n)-[:HAS_BLUEPRINT]->(b:Blueprint) WHERE """
    + visible("b")
    + """ },
  judged: n.evaluation_plan_summary IS NOT NULL
}) AS found
"""
)

# Directives on suggestions that are in use, with what they lead to and what people answered in their class.
INVOCATION: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (n:InvocationDirective {audience: audience}) WHERE n.lifecycle_state = 'active'
  RETURN n ORDER BY n.id LIMIT $most
}
RETURN collect(n {
  .id, .name, .audience, .context_class, .invocation_policy,
  lost: COLLECT { MATCH (n)-[:TARGETS]->(t:Record) WHERE t.lifecycle_state IN $hidden AND """
    + visible("t")
    + """ RETURN t {.id, .name, .lifecycle_state} ORDER BY t.id },
  refused: COLLECT { MATCH (f:SuggestionFeedback {context_class_key: n.context_class})
    WHERE f.user_response = 'rejected' AND """
    + visible("f")
    + """ RETURN f.id ORDER BY f.given_at DESC, f.id LIMIT 20 },
  accepted: COUNT { MATCH (f:SuggestionFeedback {context_class_key: n.context_class})
    WHERE f.user_response = 'accepted' AND """
    + visible("f")
    + """ }
}) AS found
"""
)
