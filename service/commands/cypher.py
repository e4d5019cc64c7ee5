"""The statements of every command: one that opens it, one that applies all its changes.

A command that looks at nothing first is opened by the statement that applies it.

What varies comes in one map. Neo4j plans a statement anew for each combination of its parameters' types and of its
lists' sizes; of a map it looks at neither, so that all commands share one plan.
"""

from typing import LiteralString

from service.graph.visibility import visible

_COMMAND: LiteralString = """
CREATE (command:Command {principal_id: $principal_id, command_id: $command_id, command: $opening.command,
  hash: $opening.hash, at: $opening.at})
"""

# The command's own node comes first: a second command with the same id waits here for the first, and is refused by
# the uniqueness of (principal_id, command_id) when that one has committed. Setting and removing a property takes the
# write lock before the state of a record that is to change is read. Of several records of one outside name the last is
# taken: what had the name first. Which of the names that the command may give belong only to something hidden is asked
# here as well: a command that found out by being refused would take longer for these than for free ones.
OPEN_COMMAND: LiteralString = (
    _COMMAND
    + """
WITH 1 AS opened
CALL () {
  UNWIND $opening.refs AS ref
  CALL (ref) {
    MATCH (n:Record {id: ref.id}) RETURN n
    UNION
    MATCH (n:Record {source: ref.source, source_key: ref.key}) WHERE n.realm IS NOT NULL RETURN n
  }
  WITH ref, n WHERE n.audience IN $opening.audiences
  FOREACH (_ IN CASE WHEN ref.lock OR n.stub THEN [1] ELSE [] END | SET n._lock = true REMOVE n._lock)
  WITH ref, n ORDER BY n.realm DESC
  RETURN collect({handle: ref.handle, labels: labels(n), properties: properties(n)}) AS found
}
CALL () {
  UNWIND $opening.names AS name
  MATCH (n:Record {source: name[0], source_key: name[1], realm: ''})
  WHERE NOT n.audience IN $opening.audiences AND NOT EXISTS {
    MATCH (other:Record {source: name[0], source_key: name[1]})
    WHERE other.realm IS NOT NULL AND other.audience IN $opening.audiences
  }
  RETURN collect(name) AS taken
}
RETURN found, taken
"""
)

_APPLY: LiteralString = """
SET command.result = $changes.result
WITH command
CALL () {
  UNWIND $changes.audiences AS one
  MERGE (a:Audience {audience: one.audience})
  ON CREATE SET a.data_class = one.data_class, a.rank = one.rank, a.matter_ids = one.matter_ids,
    a.principal_ids = one.principal_ids
}
CALL () {
  UNWIND $changes.creates AS one
  CREATE (n:$(one.labels)) SET n = one.properties
}
CALL () {
  UNWIND $changes.updates AS one
  MATCH (n:Record {id: one.id})
  OPTIONAL MATCH (n)-[before:PREVIOUS]->(older:Version)
  FOREACH (_ IN CASE WHEN one.keep THEN [1] ELSE [] END |
    CREATE (former:Version)
    SET former = properties(n), former.record_id = n.id, former.replaced_at = $changes.at
    REMOVE former.id
    CREATE (n)-[:PREVIOUS]->(former)
    FOREACH (last IN CASE WHEN older IS NULL THEN [] ELSE [older] END |
      DELETE before
      CREATE (former)-[:PREVIOUS]->(last)))
  SET n += one.properties
}
CALL () {
  UNWIND $changes.relabels AS one
  MATCH (n:Record {id: one.id})
  REMOVE n:$(one.remove)
  SET n:$(one.add)
}
CALL () {
  UNWIND $changes.unlinks AS one
  MATCH (tail:Record {id: one.tail})-[r:$(one.type)]->(:Record {id: one.head})
  CREATE (tail)-[:FORMER_LINK]->(former:Version)
  SET former = properties(r), former.record_id = one.tail, former.link_type = one.type, former.link_head = one.head,
    former.replaced_at = $changes.at
  DELETE r
}
CALL () {
  UNWIND $changes.removes AS id
  MATCH (n:Record {id: id})
  DETACH DELETE n
}
CALL () {
  UNWIND $changes.links AS one
  MATCH (tail:Record {id: one.tail})
  MATCH (head:Record {id: one.head})
  OPTIONAL MATCH (tail)-[old:$(one.type)]->(head)
  FOREACH (_ IN CASE WHEN old IS NULL OR properties(old) = one.properties THEN [] ELSE [1] END |
    CREATE (tail)-[:FORMER_LINK]->(former:Version)
    SET former = properties(old), former.record_id = one.tail, former.link_type = one.type,
      former.link_head = one.head, former.replaced_at = $changes.at)
  MERGE (tail)-[r:$(one.type)]->(head)
  SET r = one.properties
}
CALL () {
  UNWIND $changes.fans AS one
  MATCH (tail:Record {id: one.tail})
  UNWIND one.heads AS to
  MATCH (head:Record {id: to.id})
  CREATE (tail)-[r:$(one.type)]->(head)
  SET r = to.properties
}
CALL () {
  UNWIND $changes.events AS one
  CREATE (e:Event:Unnumbered) SET e = one
}
"""

# What was only read is locked at the very end, for no longer than the commit takes, and must still be for the same
# readers: what was made from it took its access over.
APPLY_CHANGES: LiteralString = (
    """
MATCH (command:Command {principal_id: $principal_id, command_id: $command_id})
"""
    + _APPLY
    + """
CALL () {
  UNWIND $changes.seen AS one
  OPTIONAL MATCH (n:Record {id: one.id})
  SET n._lock = true
  REMOVE n._lock
  WITH one, n WHERE n IS NULL OR n.audience <> one.audience
  RETURN count(*) AS moved
}
RETURN moved
"""
)

OPEN_AND_APPLY: LiteralString = _COMMAND + _APPLY + "RETURN 0 AS moved"

# Whether a name is taken by something that the caller sees.
NAMES_SEEN: LiteralString = (
    """
UNWIND $names AS name
MATCH (n:Record {source: name[0], source_key: name[1]}) WHERE n.realm IS NOT NULL AND """
    + visible("n")
    + """
RETURN count(n) AS seen
"""
)

# What an agent's command would change, as it stands: who proposed it, and what it belongs to.
TOUCHED: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
RETURN n.id AS id, labels(n) AS labels, properties(n) AS properties,
  COLLECT {
    CALL (n) {
      MATCH (n)<-[:HAS_BLUEPRINT|HAS_GRAPH|IN_GROUP]-(owner:Record) RETURN owner
      UNION
      MATCH (n)<-[:HAS_MODULE]-(:GraphSnapshot)<-[:HAS_GRAPH]-(owner:Record) RETURN owner
      UNION
      MATCH (n)<-[:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]-(owner:Blueprint) RETURN owner
      UNION
      MATCH (n)<-[:HAS_STEP|HAS_CONTRACT|HAS_CRITERION|HAS_REVIEW_POINT|HAS_SIDE_EFFECT]-(:Blueprint)
        <-[:HAS_BLUEPRINT]-(owner:Record)
      RETURN owner
    }
    RETURN DISTINCT owner.id
  } AS owners,
  coalesce(head(COLLECT {
    MATCH (e:Event {about: n.id}) WHERE e.kind ENDS WITH '.created' OR 'stub' IN e.changed
    RETURN e.principal_id ORDER BY e.at DESC LIMIT 1
  }), head(COLLECT { MATCH (card:Card)-[:DESCRIBES]->(n) RETURN card.author_id })) AS author
"""

# Who may see these records, and whether they must be kept as they are: by themselves, by their run, by a matter.
ACCESS_OF: LiteralString = """
UNWIND $ids AS id
MATCH (n:Record {id: id})
RETURN n.id AS id, labels(n) AS labels, n.version AS version, n.data_class AS data_class, n.matter_ids AS matter_ids,
  coalesce(n.stub, false) AND n.run_id IS NULL AND NOT n:Run AS unplaced,
  coalesce(n.legal_hold, false)
    OR EXISTS { MATCH (run:Record {id: n.run_id}) WHERE run.legal_hold }
    OR EXISTS { UNWIND n.matter_ids AS matter MATCH (m:Record {id: matter}) WHERE m.legal_hold } AS held
"""

# Every event that is not one of the changes of a command: of reports, of retention, of what was opened to more people.
CREATE_EVENTS: LiteralString = """
UNWIND $rows AS row
CREATE (e:Event:Unnumbered) SET e = row
"""

FIRST_RESULT: LiteralString = """
MATCH (command:Command {principal_id: $principal_id, command_id: $command_id})
RETURN command.command AS command, command.hash AS hash, command.result AS result
"""
