"""What is asked of the graph about tests and promotion of prompts."""

from typing import LiteralString

from service.graph.visibility import visible

CANDIDATES: LiteralString = (
    """
MATCH (p:Prompt:Record {id: $id}) WHERE """
    + visible("p")
    + """
RETURN COLLECT { MATCH (p)<-[:VARIES]-(c:PromptCandidate) WHERE """
    + visible("c")
    + """ RETURN c.id } AS ids
"""
)

# A test with the prompt that it is about and the candidates that it tries.
TRIED: LiteralString = (
    """
MATCH (e:PromptEvaluation:Record {id: $id}) WHERE """
    + visible("e")
    + """
RETURN properties(e) AS evaluation,
  head(COLLECT { MATCH (e)-[:TESTS]->(p:Prompt) WHERE """
    + visible("p")
    + """ RETURN properties(p) }) AS prompt,
  COLLECT { MATCH (e)-[:TRIES]->(c:PromptCandidate) WHERE """
    + visible("c")
    + """ RETURN properties(c) ORDER BY c.id } AS candidates
"""
)

# The candidates for a prompt that have one of these texts.
BY_HASH: LiteralString = (
    """
MATCH (:Prompt:Record {id: $id})<-[:VARIES]-(c:PromptCandidate) WHERE c.prompt_hash IN $hashes AND """
    + visible("c")
    + """
RETURN properties(c) AS candidate ORDER BY c.id
"""
)
