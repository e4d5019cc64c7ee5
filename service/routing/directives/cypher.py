"""What is asked of the graph about invocation directives. One passes the firewall before anything is read of it.

What differs in size from request to request is in the map `asked`, so that a statement is planned once.
"""

from typing import LiteralString

from service.graph.visibility import visible

# All that is weighed, for the directives of the phrases in `phrases`: those that are active, and not limited to
# something that the request is not about.
_FACTS: LiteralString = (
    """
CALL (phrases) {
  UNWIND phrases AS proposed
  MATCH (proposed)-[:INVOKES]->(d:InvocationDirective)
  WITH DISTINCT d WHERE """
    + visible("d")
    + """ AND d.lifecycle_state = 'active'
    AND (NOT EXISTS { (d)-[:SCOPED_TO]->() } OR EXISTS {
      MATCH (d)-[:SCOPED_TO]->(thing:Record) WHERE thing.id IN $asked.entities AND """
    + visible("thing")
    + """
    })
  RETURN collect(d {
    .id, .name, .version, .description, .invocation_policy, .confirmation_policy, .task_agent_entrypoint,
    .authority_source, .confidence,
    phrases: COLLECT {
      MATCH (d)<-[:INVOKES|REPELS]-(p:Phrase) WHERE """
    + visible("p")
    + """
      RETURN p {
        .text, .phrase_kind, .spoken,
        similarity: CASE WHEN p.embedded_hash = p.text_hash AND p.embedding_model = $model
          THEN vector.similarity.cosine(p[$property], $vector) END
      } ORDER BY p.id
    },
    targets: COLLECT {
      MATCH (d)-[:TARGETS]->(t:Record)
      WHERE """
    + visible("t")
    + """ AND NOT t.lifecycle_state IN $hidden_states
      RETURN t {.id, .name, labels: labels(t)} ORDER BY t.name, t.id
    }
  }) AS found
}
"""
)

# What the request says word for word, by index; and what is nearest to it in meaning. How many phrases the index gave
# before the firewall tells the caller whether it had more to give.
MATCHED: LiteralString = (
    """
CALL () {
  UNWIND $asked.said AS said
  MATCH (p:Phrase {spoken: said})
  WHERE p:InvocationPhrase AND """
    + visible("p")
    + """ AND p.lifecycle_state = 'active'
  WITH p LIMIT $most
  RETURN collect(p) AS said
}
CALL () {
  CALL db.index.vector.queryNodes($vector_index, $depth, $vector) YIELD node
  RETURN collect(node) AS near
}
WITH said, size(near) AS proposed, [p IN near WHERE """
    + visible("p")
    + """ AND p.lifecycle_state = 'active'] AS near
WITH said + near[..$want] AS phrases, proposed, size(near) AS seen
"""
    + _FACTS
    + """
RETURN found, proposed, seen
"""
)

# The same from every directive that the viewer sees, for one of whose directives the index knows too much that is
# hidden, and for a graph without indexes.
SCAN: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (d:InvocationDirective {audience: audience})<-[:INVOKES]-(p:Phrase)
  WHERE d.lifecycle_state = 'active' AND p.audience = audience
  WITH p, p.spoken IN $asked.said AS said,
    CASE WHEN p.embedded_hash = p.text_hash AND p.embedding_model = $model
      THEN vector.similarity.cosine(p[$property], $vector) ELSE 0.0 END AS similarity
  ORDER BY said DESC, similarity DESC, p.id LIMIT $most
  RETURN collect(p) AS phrases
}
"""
    + _FACTS
    + """
RETURN found
"""
)
