"""What is asked of the graph about traces."""

from typing import LiteralString

from service.graph.visibility import visible

# What a kept decision or a trace had matched; of a decision, in the order of its ranks.
MATCHED: LiteralString = (
    """
MATCH (:Record {id: $id})-[link:RESTED_ON|MATCHED]->(one:Record)
WHERE (one:Template OR one:Preset OR one:InvocationDirective) AND """
    + visible("one")
    + """
RETURN labels(one) AS labels, properties(one) AS properties ORDER BY link.rank, one.id LIMIT $most
"""
)

# The template that a task or a run was made from.
USED: LiteralString = (
    """
CALL () {
  MATCH (:Task:Record {id: $task})-[:INSTANTIATES]->(template:Template) RETURN template
  UNION
  MATCH (:Run:Record {id: $run})-[:USED_TEMPLATE]->(template:Template) RETURN template
  UNION
  MATCH (:Run:Record {id: $run})-[:RUN_OF]->(:Task)-[:INSTANTIATES]->(template:Template) RETURN template
}
WITH template WHERE """
    + visible("template")
    + """
RETURN labels(template) AS labels, properties(template) AS properties ORDER BY template.id LIMIT 1
"""
)

# The latest traces of a class with the same verdict, by index: what each led to or had matched first, and whether a
# directive was learned from it already. What is sensitive supports nothing that lasts.
ALIKE: LiteralString = (
    """
MATCH (trace:InvocationTrace {context_class: $context_class, verdict: $verdict})
WHERE trace.responded_at <= $until AND trace.id <> $id AND """
    + visible("trace")
    + """ AND trace.data_class IN $classes
WITH trace ORDER BY trace.responded_at DESC, trace.id LIMIT $most
RETURN labels(trace) AS labels, properties(trace) AS properties,
  EXISTS { (trace)<-[:LEARNED_FROM]-(:InvocationDirective) } AS taught,
  EXISTS { (trace)-[:MATCHED]->(:InvocationDirective) } AS directed,
  head(COLLECT {
    CALL (trace) {
      MATCH (trace)-[:LED_TO]->(:Task)-[:INSTANTIATES]->(target:Template) RETURN target, 0 AS place
      UNION
      MATCH (trace)-[:LED_TO]->(:Run)-[:USED_TEMPLATE]->(target:Template) RETURN target, 1 AS place
      UNION
      MATCH (trace)-[:LED_TO]->(target:Task) RETURN target, 2 AS place
      UNION
      MATCH (trace)-[:MATCHED]->(target:Template) RETURN target, 3 AS place
    }
    WITH target, place WHERE """
    + visible("target")
    + """
    RETURN target.id ORDER BY place, target.id
  }) AS target
"""
)
