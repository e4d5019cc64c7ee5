"""What lineage reads. A statement gives one row; a record passes the firewall before anything of it is read."""

from typing import LiteralString

from graph_schema.memory.lineage import FLOWS
from service.graph.visibility import called, visible
from service.memory.carried import carried

_FROM_HEAD: LiteralString = "|".join([one.type for one in FLOWS if one.upstream == "head"])
_FROM_TAIL: LiteralString = "|".join([one.type for one in FLOWS if one.upstream == "tail"])

START: LiteralString = (
    """
CALL () {
  MATCH (n:Record {id: $id}) RETURN n
  UNION
  """
    + called("n", "$source", "$key")
    + """
}
WITH n WHERE """
    + visible("n")
    + """
RETURN labels(n) AS labels, [n.id, n.name, n.kind, n.erased_kind, n.status, n.conflicting] AS facts,
  [n.run_id, n.module_key, n.activation_seq, coalesce(n.produced_at, n.started_at), n.source_key] AS told_by
"""
)

# The neighbours of a level, as one group for each record, relation and kind: all of a small group, and of a large one
# how many there are and the first of them. No more than `most` neighbours of a record are looked at in either way.
_GROUPED: LiteralString = """
WITH id, type, labels(m) AS labels, m, port ORDER BY m.id
WITH id, type, labels, collect(m) AS found, collect(coalesce(port, '')) AS ports
WITH id, type, labels, size(found) AS count, ports,
  CASE WHEN size(found) > $group_over THEN found[..$samples] ELSE found END AS found
RETURN collect([
  id, type, labels, count, [m IN found | [m.id, m.name, m.kind, m.erased_kind, m.status, m.conflicting]],
  ports[..size(found)]
]) AS groups
"""


def _near(out: LiteralString, back: LiteralString, told: LiteralString) -> LiteralString:
    """The records one step from `n`, by relations that lead out and by relations that lead back, up to a limit each."""
    real = f"(type(r) <> 'DELIVERED_BY' OR {carried('startNode(r)', 'endNode(r)')})"
    return f"""CALL (n) {{
  MATCH (n)-[r:{out}]->(m:Record)
  WHERE type(r) IN $types AND {visible("m")} AND {real}
  RETURN m, type(r) AS type, r.{told} AS {told} LIMIT $most
  UNION ALL
  MATCH (n)<-[r:{back}]-(m:Record)
  WHERE type(r) IN $types AND {visible("m")} AND {real}
  RETURN m, type(r) AS type, r.{told} AS {told} LIMIT $most
}}"""


UPSTREAM: LiteralString = (
    f"""
UNWIND $ids AS id
MATCH (n:Record {{id: id}}) WHERE {visible("n")}
{_near(_FROM_HEAD, _FROM_TAIL, "port")}
"""
    + _GROUPED
)

DOWNSTREAM: LiteralString = (
    f"""
UNWIND $ids AS id
MATCH (n:Record {{id: id}}) WHERE {visible("n")}
{_near(_FROM_TAIL, _FROM_HEAD, "port")}
"""
    + _GROUPED
)

# What records came from, for one chain that is told: with all that says which of several a person would name. Of many
# by one relation the latest are looked at.
SOURCES: LiteralString = f"""
UNWIND $ids AS id
MATCH (n:Record {{id: id}}) WHERE {visible("n")}
{_near(_FROM_HEAD, _FROM_TAIL, "named")}
WITH id, type, m, named, coalesce(m.produced_at, m.started_at, '') AS at ORDER BY at DESC, m.name, m.source_key
WITH id, type, collect([
  labels(m), [m.id, m.name, m.kind, m.erased_kind, m.status, m.conflicting],
  [m.run_id, m.module_key, m.activation_seq, at, m.source_key], named
]) AS found
RETURN collect([id, type, size(found), found[..$few]]) AS sources
"""

# Of several things that something was made from: which of them others came from, and which are earlier versions of it.
VERSIONS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
RETURN collect([
  id,
  EXISTS { MATCH (n)<-[:DERIVED_FROM|PREVIOUS]-(later:Record) WHERE later.id IN $ids AND """
    + visible("later")
    + """ }
    OR EXISTS {
      MATCH (n)<-[:CONSUMED]-(step:Activation)-[:PRODUCED]->(later:Record)
      WHERE later.id IN $ids AND later.id <> id AND """
    + visible("step")
    + """ AND """
    + visible("later")
    + """
    },
  EXISTS {
    MATCH (n)<-[:PREVIOUS]-(product:WorkProduct)<-[:BECAME]-(of:Record {id: $of}) WHERE """
    + visible("product")
    + """
  } OR EXISTS {
    MATCH (n)-[:BECAME]->(former:WorkProduct)<-[:PREVIOUS]-(product:WorkProduct)<-[:BECAME]-(of:Record {id: $of})
    WHERE """
    + visible("former")
    + """ AND """
    + visible("product")
    + """
  }
]) AS versions
"""
)

DELIVERIES: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE n:Delivery AND """
    + visible("n")
    + """
WITH n, COLLECT {
  MATCH (n)-[:TO]->(who:Record) WHERE """
    + visible("who")
    + """ RETURN who.name ORDER BY who.name
} AS known
ORDER BY coalesce(n.delivered_at, n.created_at), n.id
RETURN collect(n {
  .id, .name, .delivery_kind, .status, .delivered_at, .delivered_to, .destination_summary, .conflicting, known: known
}) AS deliveries
"""
)
