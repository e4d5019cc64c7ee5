"""What the search for artifacts reads. An artifact passes the firewall before anything of it is read."""

from typing import LiteralString

from service.graph.visibility import called, visible

# What takes part, as a predicate on `artifact`. A list that is null lets everything pass.
_PASSES: LiteralString = (
    visible("artifact")
    + """ AND NOT artifact.artifact_state IN $hidden_states
    AND ($kinds IS NULL OR artifact.artifact_kind IN $kinds)
    AND ($levels IS NULL OR artifact.intake_level IN $levels)
    AND coalesce(artifact.produced_at, '') >= $from AND coalesce(artifact.produced_at, '') < $before"""
)

# The nearest of `artifacts` by their words, with what the ranker needs of them.
_NEAREST: LiteralString = """
CALL (artifacts) {
  UNWIND artifacts AS artifact
  WITH DISTINCT artifact, toLower(artifact.name + ' ' + coalesce(artifact.summary, '')) AS text
  WITH artifact, size([word IN $words WHERE text CONTAINS word]) AS shared,
    CASE WHEN artifact.id = $id OR toLower(artifact.name) = $phrase THEN $most WHEN text CONTAINS $phrase THEN 1
      ELSE 0 END AS named
  ORDER BY named + shared DESC, artifact.id LIMIT $most
  RETURN collect(artifact {.id, .name, .summary, .intake_level}) AS found
}
"""

# The full-text index proposes before the firewall; how many it proposed tells whether it had more to give.
PROPOSED: LiteralString = (
    """
CALL () {
  CALL db.index.fulltext.queryNodes($text_index, $lucene, {limit: $depth}) YIELD node
  RETURN collect(node) AS proposed
}
OPTIONAL MATCH (exact:Record {id: $id})
WITH size(proposed) AS proposed, proposed + CASE WHEN exact IS NULL THEN [] ELSE [exact] END AS nodes
WITH proposed, [artifact IN nodes WHERE artifact:Artifact AND """
    + _PASSES
    + """] AS artifacts
"""
    + _NEAREST
    + """
RETURN proposed, size(artifacts) AS visible, found
"""
)

# Every artifact of these runs.
OF_RUNS: LiteralString = (
    """
CALL () {
  UNWIND $runs AS run_id
  MATCH (artifact:Artifact {run_id: run_id})
  WHERE """
    + _PASSES
    + """
  RETURN collect(artifact) AS artifacts
}
"""
    + _NEAREST
    + """
RETURN size(artifacts) AS visible, found
"""
)

# Every artifact that the viewer may see: where the index cannot know what that is.
OF_AUDIENCES: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  MATCH (artifact:Artifact {audience: audience})
  WHERE artifact.created_at IS NOT NULL AND """
    + _PASSES
    + """
  RETURN collect(artifact) AS artifacts
}
"""
    + _NEAREST
    + """
RETURN size(artifacts) AS visible, found
"""
)

# What passes the filters, the newest first. It is told whether there is more than was asked for.
_NEWEST: LiteralString = """
ORDER BY coalesce(artifact.produced_at, '') DESC, artifact.id DESC LIMIT $most + 1
RETURN collect(artifact {.id, .name}) AS found
"""

NEWEST_OF_RUNS: LiteralString = (
    """
UNWIND $runs AS run_id
MATCH (artifact:Artifact {run_id: run_id})
WHERE """
    + _PASSES
    + """
WITH artifact"""
    + _NEWEST
)

# Of each audience the newest, by its index; then the newest of these.
NEWEST: LiteralString = (
    """
UNWIND $audiences AS one
CALL (one) {
  MATCH (artifact:Artifact {audience: one})
  WHERE artifact.produced_at IS NOT NULL AND """
    + _PASSES
    + """
  RETURN artifact ORDER BY artifact.produced_at DESC LIMIT $most + 1
}
WITH artifact"""
    + _NEWEST
)

ANY_ARTIFACT: LiteralString = """
UNWIND $audiences AS audience
CALL (audience) {
  MATCH (artifact:Artifact {audience: audience}) WHERE artifact.created_at IS NOT NULL RETURN 1 AS one LIMIT 1
}
RETURN count(*) > 0 AS there
"""

RUNS_NAMED: LiteralString = (
    """
UNWIND $refs AS ref
CALL (ref) {
  MATCH (n:Record {id: ref.id}) RETURN n
  UNION
  """
    + called("n", "ref.source", "ref.key")
    + """
}
WITH n WHERE n:Run AND """
    + visible("n")
    + """
RETURN collect(DISTINCT n.id) AS found
"""
)
