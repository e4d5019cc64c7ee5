"""What is asked of the graph about prompts."""

from typing import LiteralString

from service.graph.visibility import visible

# What a prompt is said to live in: a module with its graph, a preset with what it may use, or an asset.
PLACE: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """ AND (n:Task OR n:Template OR n:Blueprint OR n:GraphSnapshot OR n:Module OR n:Preset OR n:Prompt OR n:Run)
RETURN n.id AS id, n:Run AS is_run,
  CASE WHEN n:Prompt THEN n {.surface, .text, .module_key} END AS prompt,
  head(COLLECT { MATCH (n)-[:PROMPTS]->(home:Record) WHERE """
    + visible("home")
    + """ RETURN home.id ORDER BY home.id LIMIT 1 }) AS home,
  CASE WHEN n:Module THEN n.module_key END AS module_key,
  head(COLLECT { MATCH (n)<-[:HAS_MODULE]-(g:GraphSnapshot) WHERE """
    + visible("g")
    + """ RETURN g.id ORDER BY g.created_at DESC, g.id LIMIT 1 }) AS graph,
  CASE WHEN n:Preset THEN n {.id, .config} END AS preset,
  COLLECT { MATCH (n)-[:REQUIRES|ALLOWS]->(c:Capability) WHERE n:Preset AND """
    + visible("c")
    + """ RETURN DISTINCT c.name ORDER BY c.name } AS capabilities
"""
)

# Candidates for a prompt that won a test before.
WINNERS: LiteralString = (
    """
MATCH (:Prompt:Record {id: $id})<-[:VARIES]-(c:PromptCandidate) WHERE """
    + visible("c")
    + """ AND c.tested_status IN ['candidate_winner', 'promoted']
RETURN properties(c) AS candidate ORDER BY c.updated_at DESC, c.id LIMIT 10
"""
)
