"""The statement of an extraction bundle."""

from typing import LiteralString

from service.graph.visibility import visible

# A source with what belongs to it, the signals that it gave, and all that was drawn from these.
BUNDLE: LiteralString = (
    """
MATCH (n:Record {id: $id}) WHERE """
    + visible("n")
    + """
CALL (n) {
  RETURN n AS of
  UNION
  MATCH (n)-[:LED_TO]->(of:Task|Template) RETURN of
  UNION
  MATCH (n)<-[:MADE_IN]-(of:EditTrace) RETURN of
  UNION
  MATCH (n:Task|Template)<-[:LED_TO]-(of:DesignSession) RETURN of
  UNION
  MATCH (n:Task|Template)<-[:LED_TO]-(:DesignSession)<-[:MADE_IN]-(of:EditTrace) RETURN of
  UNION
  MATCH (n:Run)<-[:ASSESSES]-(of:Assessment) RETURN of
  UNION
  MATCH (n:AssessorNote)-[:REMARKS_ON]->(of:Assessment) RETURN of
  UNION
  MATCH (n:Assessment)-[:ASSESSES]->(of:Run|Task) RETURN of
}
WITH n, of WHERE """
    + visible("of")
    + """
WITH n, collect(DISTINCT of) AS sources
WITH n, sources, COLLECT {
  UNWIND sources AS of
  CALL (of) {
    MATCH (of)<-[:SEEN_ON]-(s:Signal) RETURN s
  }
  WITH DISTINCT s WHERE """
    + visible("s")
    + """ RETURN s ORDER BY s.emitted_at, s.id LIMIT $most
} AS signals
RETURN labels(n) AS labels, [s IN signals | s.id] AS signals,
  COLLECT {
    UNWIND sources AS of
    MATCH (of)<-[:LEARNED_FROM|DESIGNED_WITH]-(c:Case) WHERE """
    + visible("c")
    + """
    WITH DISTINCT c RETURN c {.id, .lifecycle_state} ORDER BY c.id LIMIT $most
  } AS cases,
  COLLECT {
    UNWIND signals AS s
    MATCH (s)-[:SEEN_ON]->(p:Pattern) WHERE """
    + visible("p")
    + """ RETURN DISTINCT p.id ORDER BY p.id LIMIT $most
  } AS patterns,
  COLLECT {
    UNWIND sources AS of
    MATCH (of)-[:NOTED]->(x:Statement) WHERE """
    + visible("x")
    + """ WITH DISTINCT x RETURN x {.id, .lifecycle_state, .statement_kind} ORDER BY x.id LIMIT $most
  } AS statements,
  COLLECT {
    UNWIND sources AS of
    CALL (of) {
      MATCH (of)-[:ABOUT|EVALUATED_GOAL|ADVANCED_GOAL|PURSUES]->(g:Goal) RETURN g
      UNION
      MATCH (of)-[:HAS_BLUEPRINT|DRAFTED]->(b:Blueprint)-[:EXPRESSES_GOAL]->(g:Goal) WHERE """
    + visible("b")
    + """ RETURN g
      UNION
      MATCH (of)-[:NOTED]->(x:Statement)-[:BEARS_ON]->(g:Goal) WHERE """
    + visible("x")
    + """ RETURN g
    }
    WITH DISTINCT g WHERE """
    + visible("g")
    + """ RETURN g.id ORDER BY g.id LIMIT $most
  } AS goals,
  COLLECT {
    CALL (n, sources, signals) {
      RETURN n AS p
      UNION
      UNWIND signals + sources AS e
      MATCH (e)<-[:SUPPORTED_BY]-(p:Proposal) RETURN p
      UNION
      UNWIND sources AS of
      MATCH (of:Assessment)-[:FOUND]->(f:AssessmentFinding)-[:SUGGESTS]->(p:Proposal) WHERE """
    + visible("f")
    + """ RETURN p
    }
    WITH DISTINCT p WHERE p:Proposal AND """
    + visible("p")
    + """
    RETURN p {.id, .target_kind, .proposal_state, .support_count, .counter_count} ORDER BY p.id LIMIT $most
  } AS proposals
"""
)
