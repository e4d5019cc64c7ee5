"""What a user keeps out of a run goes with all that is in it."""

from typing import LiteralString


def kept_out(node: LiteralString) -> LiteralString:
    """Whether a record is kept out: itself, or by the matter, the whole, the task, the run or the surface it is in.

    What the user named is `$asked.excluded`, a list of ids.
    """
    return """CASE WHEN size($asked.excluded) = 0 THEN false ELSE
    any(one IN coalesce(NODE.matter_ids, []) WHERE one IN $asked.excluded)
    OR coalesce(NODE.run_id IN $asked.excluded, false)
    OR EXISTS { MATCH (NODE)-[:PART_OF|RUN_OF*0..4]->(whole:Record) WHERE whole.id IN $asked.excluded }
    OR EXISTS { MATCH (NODE)-[:PART_OF*0..4]->(:Record)<-[:SHOWS|HAS_BLUEPRINT|HAS_CRITERION]-(whole:Record)
      WHERE whole.id IN $asked.excluded }
    OR EXISTS { MATCH (:Run:Record {id: NODE.run_id})-[:RUN_OF]->(whole:Task) WHERE whole.id IN $asked.excluded }
  END""".replace("NODE", node)
