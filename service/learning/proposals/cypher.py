"""Statements of proposals."""

from typing import LiteralString

from service.graph.visibility import visible

PROPOSAL: LiteralString = (
    """
MATCH (p:Proposal {id: $id}) WHERE """
    + visible("p")
    + """
RETURN properties(p) AS proposal,
  COLLECT { MATCH (p)-[:HAS_CHANGE]->(c:Change) WHERE """
    + visible("c")
    + """ RETURN c {.operation, .changed_field, .value, .before, .relation, .head_id, .risk, .sentence}
    ORDER BY c.position } AS steps,
  COLLECT { MATCH (p)<-[:REPLAYS]-(r:Replay) WHERE """
    + visible("r")
    + """ RETURN r {.*} ORDER BY r.replayed_at DESC LIMIT 1 } AS replays,
  COLLECT { MATCH (p)<-[:APPLIED]-(m:Promotion) WHERE """
    + visible("m")
    + """ RETURN m {.*} ORDER BY m.applied_at DESC LIMIT 1 } AS promotions
"""
)

# Which of these links a record has.
LINKED: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
UNWIND $pairs AS pair
MATCH (n)-[l]->(head:Record {id: pair[1]}) WHERE type(l) = pair[0] AND """
    + visible("head")
    + """
RETURN collect({type: pair[0], head: pair[1], properties: properties(l)}) AS links
"""
)

EVAL_RUN: LiteralString = (
    """
MATCH (r:EvalRun {id: $id}) WHERE """
    + visible("r")
    + """
RETURN r {.passed, .regressions, .met, .checks} AS run
"""
)

# Whether a test is completed, names its data, and was won by what a proposal would set, for the prompt that it changes.
PROMPT_TEST: LiteralString = (
    """
MATCH (e:PromptEvaluation:Record {id: $id})-[:TESTS]->(prompt:Prompt)<-[:CHANGES]-(p:Proposal:Record {id: $proposal})
WHERE """
    + visible("e")
    + """ AND """
    + visible("p")
    + """ AND """
    + visible("prompt")
    + """
MATCH (e)-[:TRIES]->(c:PromptCandidate) WHERE c.id = e.winner_id AND """
    + visible("c")
    + """
RETURN e.evaluation_state = 'completed' AND e.eval_dataset_ref IS NOT NULL AND EXISTS {
  MATCH (p)-[:HAS_CHANGE]->(s:Change)
  WHERE s.changed_field = 'prompt_text_hash' AND s.value = '"' + c.prompt_hash + '"'
} AS fits
"""
)

# The task or template that a preflight examined, itself or with its graph or blueprint.
EXAMINED: LiteralString = (
    """
MATCH (p:Preflight {id: $id})-[:EXAMINED]->(o:Task|Template) WHERE """
    + visible("p")
    + """ AND """
    + visible("o")
    + """
RETURN o.id AS id ORDER BY o:Task DESC, o.id LIMIT 1
"""
)

# The blueprint that a preflight looked at.
EXAMINED_BLUEPRINT: LiteralString = (
    """
MATCH (p:Preflight {id: $id})-[:EXAMINED]->(b:Blueprint) WHERE """
    + visible("p")
    + """ AND """
    + visible("b")
    + """
RETURN b.id AS id ORDER BY b.id LIMIT 1
"""
)

# The graph that a task or template has now.
GRAPH_OF: LiteralString = (
    """
MATCH (n:Record {id: $id})-[:HAS_GRAPH]->(g:GraphSnapshot) WHERE """
    + visible("n")
    + """ AND """
    + visible("g")
    + """
RETURN g.id AS id ORDER BY g.created_at DESC LIMIT 1
"""
)

# Steps of a record's blueprint that are done by modules of its graph, each with the module's key.
BOUND_STEPS: LiteralString = (
    """
MATCH (n:Record {id: $id})-[:HAS_GRAPH]->(g:GraphSnapshot)-[:HAS_MODULE]->(m:Module)<-[:BOUND_TO]-(step:StepIntent)
WHERE """
    + visible("n")
    + """ AND """
    + visible("g")
    + """ AND """
    + visible("m")
    + """ AND """
    + visible("step")
    + """ AND EXISTS { MATCH (step)<-[:HAS_STEP]-(:Blueprint)<-[:HAS_BLUEPRINT]-(n) }
RETURN m.module_key AS module, labels(step) AS labels, properties(step) AS step ORDER BY module, step.id
"""
)

# Which of these steps the record's blueprint still has.
STEPS_THERE: LiteralString = (
    """
MATCH (n:Record {id: $id})-[:HAS_BLUEPRINT]->(:Blueprint)-[:HAS_STEP]->(step:StepIntent)
WHERE step.id IN $ids AND """
    + visible("n")
    + """ AND """
    + visible("step")
    + """
RETURN collect(DISTINCT step.id) AS ids
"""
)

# Earlier proposals for the same record that are the same, or that say that no more of their kind are wanted.
EARLIER: LiteralString = (
    """
MATCH (e:Proposal {target_id: $target}) WHERE """
    + visible("e")
    + """ AND (e.idea_key = $idea OR e.never_again AND e.proposal_kind = $kind)
RETURN e.id AS id, e.idea_key AS idea, e.proposal_state AS state, e.never_again AS never_again,
  COLLECT { MATCH (e)-[:SUPPORTED_BY]->(s:Record) WHERE """
    + visible("s")
    + """ RETURN s.id } AS evidence
ORDER BY e.created_at DESC
"""
)
