"""What is asked of the graph about edits of proposals."""

from typing import LiteralString

from service.graph.visibility import visible

# What a task or template has now: its graph, its blueprint, the template that it was made from.
SAVED: LiteralString = (
    """
MATCH (owner:Record {id: $owner}) WHERE """
    + visible("owner")
    + """
RETURN
  head(COLLECT { MATCH (owner)-[:HAS_GRAPH]->(g:GraphSnapshot) WHERE """
    + visible("g")
    + """ RETURN properties(g) ORDER BY g.id }) AS graph,
  head(COLLECT { MATCH (owner)-[:HAS_BLUEPRINT]->(b:Blueprint) WHERE """
    + visible("b")
    + """ RETURN properties(b) ORDER BY b.updated_at DESC, b.id }) AS blueprint,
  head(COLLECT { MATCH (owner)-[:INSTANTIATES]->(t:Template) WHERE """
    + visible("t")
    + """ RETURN t.id ORDER BY t.id }) AS template,
  head(COLLECT {
    MATCH (e:EditTrace)-[:MADE_IN]->(:DesignSession:Record {id: $session})
    WHERE e.proposed_graph_hash = $proposed AND """
    + visible("e")
    + """ AND EXISTS {
      MATCH (owner)-[:HAS_GRAPH]->(g:GraphSnapshot) WHERE g.graph_hash = e.final_graph_hash
    }
    RETURN e.id ORDER BY e.created_at DESC LIMIT 1
  }) AS traced
"""
)

# The blueprint as it stood when it was proposed; versions before the present one are kept beside it.
BLUEPRINT_THEN: LiteralString = (
    """
MATCH (b:Blueprint:Record {id: $id}) WHERE """
    + visible("b")
    + """
MATCH (b)-[:PREVIOUS*0..200]->(v) WHERE v.version = $version AND """
    + visible("v")
    + """
RETURN v.content AS content LIMIT 1
"""
)

# Records that lessons speak of: templates and presets by their ids.
SUBJECTS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id})
WHERE (n:Template OR n:Preset OR n:Capability OR n:Pattern OR n:MatchDecision OR n:ModeDecision) AND """
    + visible("n")
    + """
RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n.id
"""
)

# A trace with what it was drawn from, and the signals that it shows.
TRACE: LiteralString = (
    """
MATCH (e:EditTrace:Record {id: $id}) WHERE """
    + visible("e")
    + """
RETURN properties(e) AS trace,
  head(COLLECT { MATCH (e)-[:MADE_IN]->(s:DesignSession) WHERE """
    + visible("s")
    + """ RETURN s.id }) AS session,
  COLLECT { MATCH (e)-[:EDITED_FROM]->(n:Record) WHERE """
    + visible("n")
    + """ RETURN {id: n.id, kind: head([l IN labels(n) WHERE l <> 'Record'])} ORDER BY n.id } AS proposed,
  COLLECT { MATCH (e)-[:EDITED_TO]->(n:Record) WHERE """
    + visible("n")
    + """ RETURN {id: n.id, kind: head([l IN labels(n) WHERE l <> 'Record'])} ORDER BY n.id } AS saved,
  COLLECT { MATCH (e)<-[:SEEN_ON]-(g:Signal) WHERE """
    + visible("g")
    + """ RETURN g {.id, .signal_kind, .summary, .recommended_update_kind, .subject_key, .result}
    ORDER BY g.emitted_at, g.id } AS signals
"""
)
