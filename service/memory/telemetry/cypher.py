"""A run as it is told to others."""

from typing import LiteralString

from service.graph.visibility import visible

# What is of the class local_only never leaves this machine, whoever asks. A span that is only named is told too: its
# children name it as their parent.
RUN_TRACE: LiteralString = (
    """
MATCH (r:Record {id: $id})
WHERE r:Run AND """
    + visible("r")
    + """
RETURN properties(r) AS run,
  COLLECT {
    MATCH (r)-[:HAS_SPAN]->(s:Span)
    WHERE """
    + visible("s")
    + """ AND s.data_class <> 'local_only'
    RETURN properties(s) AS span ORDER BY s.started_at, s.span_key LIMIT $most
  } AS spans,
  COLLECT {
    MATCH (r)-[:ACTIVATED]->(a:Activation)
    WHERE """
    + visible("a")
    + """ AND a.data_class <> 'local_only'
    RETURN properties(a) AS step ORDER BY a.started_at, a.module_key, a.activation_seq LIMIT $most
  } AS steps
"""
)
