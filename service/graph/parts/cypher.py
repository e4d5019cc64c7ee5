"""Statements about wholes and parts. Which relations make a part is a parameter; the registry says it."""

from typing import LiteralString

from service.graph.visibility import visible

OWNED: tuple[tuple[LiteralString, LiteralString], ...] = (
    *(("Activation", "run_id"), ("Span", "run_id"), ("Artifact", "run_id"), ("Delivery", "run_id")),
    *(("Gate", "run_id"), ("Snapshot", "run_id"), ("Checkpoint", "run_id"), ("Session", "run_id")),
    *(("Intervention", "run_id"), ("NativeEvent", "run_id"), ("Trigger", "run_id"), ("ScopeEnvelope", "run_id")),
    *(("ContextPacket", "run_id"), ("ExpansionReceipt", "run_id"), ("Feedback", "run_id"), ("Thread", "run_id")),
    *(("Fork", "parent_run_id"), ("FollowUp", "source_run_id"), ("Consult", "run_id"), ("AuditExport", "run_id")),
    *(("LibraryIntent", "run_id"), ("ToolOutcome", "run_id"), ("Signal", "run_id")),
    ("Assessment", "run_id"),
)
"""What names its run, and by which field; a test compares it with the registry."""

# By the index on the field that names the run: what an ephemeral run leaves has no links.
OWNED_PARTS: LiteralString = (
    """
UNWIND $runs AS run
CALL (run) {
"""
    + "\n  UNION ALL\n".join("  MATCH (n:" + label + " {" + field + ": run}) RETURN n" for label, field in OWNED)
    + """
}
RETURN collect(n.id) AS ids
"""
)

LINKED_PARTS: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (n)<-[:$any($tails)]-(part:Record) RETURN part
  UNION
  MATCH (n)-[:$any($heads)]->(part:Record) RETURN part
  UNION
  MATCH (n)-[:$any($shared)]->(part:Record)
  WHERE NOT EXISTS { MATCH (part)<-[:$any($shared)]-(other:Record) WHERE NOT other.id IN $known }
  RETURN part
  UNION
  MATCH (n)-[:INSTANTIATES]->(part:Template) WHERE n:Task AND part.follows_task_id = n.id RETURN part
}
WITH DISTINCT part WHERE NOT part:Tombstone
RETURN collect(part.id) AS ids
"""

WHOLES: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (n)-[:$any($tails)]->(whole:Record) RETURN whole
  UNION
  MATCH (n)<-[:$any($heads)]-(whole:Record) RETURN whole
  UNION
  MATCH (n)<-[:$any($shared)]-(whole:Record) RETURN whole
  UNION
  UNWIND [n.run_id, n.source_run_id, n.parent_run_id, n.follows_task_id] AS named
  MATCH (whole:Record {id: named}) RETURN whole
}
WITH DISTINCT whole WHERE NOT whole:Tombstone
RETURN collect(whole.id) AS ids
"""

# Where the holds are that keep any of these, with whether the viewer may see them.
HOLDS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id})
CALL (n) {
  MATCH (held:Record {id: n.id}) WHERE held.legal_hold RETURN held
  UNION
  UNWIND n.matter_ids AS matter
  MATCH (held:Record {id: matter}) WHERE held.legal_hold RETURN held
}
WITH DISTINCT held
RETURN held.id AS id, """
    + visible("held")
    + """ AS visible
ORDER BY id
"""
)


def held(node: LiteralString) -> LiteralString:
    """Whether a hold keeps a record for itself: on it, or on a matter of it."""
    return (
        "("
        + node
        + ".legal_hold OR any(m IN "
        + node
        + ".matter_ids WHERE EXISTS { MATCH (e:Record {id: m}) WHERE e.legal_hold }))"
    )


# Whether a hold keeps the run `r`, as `held`: on itself, on a part of it, or on a matter of either. A part of the same
# audience has the matters of its run, which are asked about once.
RUN_HELD: LiteralString = (
    """
CALL (r) {
  CALL (r) {
    RETURN r AS p
    UNION ALL
"""
    + "\n    UNION ALL\n".join("    MATCH (p:" + label + " {" + field + ": r.id}) RETURN p" for label, field in OWNED)
    + """
    UNION ALL
    MATCH (:Artifact {run_id: r.id})-[:BECAME|DECIDES|INTENDS|EXTRACTS_FROM|CONFINED_TO|TAKES]-(p:Record) RETURN p
    UNION ALL
    MATCH (:FollowUp {source_run_id: r.id})-[:PRODUCED]->(p:Record) RETURN p
    UNION ALL
    MATCH (:Thread {run_id: r.id})<-[:HELD_IN]-(p:Record) RETURN p
    UNION ALL
    MATCH (:Assessment {run_id: r.id})-[:FOUND|REMARKS_ON]-(p:Record) RETURN p
    UNION ALL
    MATCH (r)<-[:EXTRACTS_FROM|ASKED_ABOUT|CONFINED_TO|FOR|PROMPTS|CHECKS]-(p:Record) RETURN p
    UNION ALL
    MATCH (r)<-[:PROMPTS]-(:Prompt)<-[:VARIES|BUNDLED_FOR|TESTS|CHECKS]-(p:Record) RETURN p
  }
  WITH p, r WHERE p.legal_hold OR (p = r OR p.audience <> r.audience)
    AND any(m IN p.matter_ids WHERE EXISTS { MATCH (e:Record {id: m}) WHERE e.legal_hold })
  WITH p LIMIT 1
  RETURN count(p) > 0 AS held
}
"""
)
