"""Statements of datasets: their cases, and what was given for them."""

from typing import LiteralString

from service.graph.visibility import visible

# The cases of a dataset. Whoever sees the dataset sees them.
EXAMPLES: LiteralString = (
    """
MATCH (d:EvalDataset {id: $id})-[:HAS_EXAMPLE]->(n:EvalExample) WHERE """
    + visible("d")
    + " AND "
    + visible("n")
    + """
WITH n ORDER BY n.position
RETURN collect(n {.id, .example_key, .input_ref, .input_hash, .input_summary, .expected, .expected_ref, .slice,
  .data_class, .matter_ids}) AS found
"""
)

# What was given to each candidate, with the hidden left out.
SCORED: LiteralString = (
    """
MATCH (d:EvalDataset {id: $id}) WHERE """
    + visible("d")
    + """
RETURN d {.id, .name, .example_count, .frozen_at, .input_fingerprint_hash} AS dataset, COLLECT {
  MATCH (d)-[:HAS_EXAMPLE]->(e:EvalExample)<-[:TRIES]-(t:EvalTrace)<-[:SCORES]-(s:EvalScore)
  WHERE """
    + visible("e")
    + " AND "
    + visible("t")
    + " AND "
    + visible("s")
    + """
  RETURN {candidate: t.candidate, example: e.example_key, slice: e.slice, kind: s.scorer_kind,
    score: s.score, verdict: s.verdict}
  ORDER BY t.candidate, e.example_key, s.id } AS scores
"""
)
