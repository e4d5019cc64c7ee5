"""The statements of the event log. The lock of the log is the node `(:Lock {name: 'events'})`."""

from typing import LiteralString

from service.graph.visibility import visible

# Writing a property takes the node's lock and waits for whoever holds it. What is read afterwards in the same
# transaction is therefore complete: a transaction gives up its locks only when all that it changed can be seen.
TAKE_LOCK: LiteralString = """
MERGE (lock:Lock {name: 'events'})
ON CREATE SET lock.seq = 0, lock.floor = 0, lock.secret = $secret
SET lock.taken_at = $at
RETURN lock.seq AS seq, lock.floor AS floor, lock.secret AS secret, COUNT { MATCH (:Audience) } AS audiences
"""

WAITING: LiteralString = """
OPTIONAL MATCH (lock:Lock {name: 'events'})
RETURN lock.seq AS seq, EXISTS { MATCH (:Unnumbered) } AS waiting
"""

SEEN_UNNUMBERED: LiteralString = """
MATCH (e:Unnumbered)
WITH e LIMIT $batch
WITH e.about AS about, max(e.at) AS upto
RETURN collect([about, upto]) AS seen
"""

NUMBER_EVENTS: LiteralString = """
MATCH (e:Unnumbered)
WHERE e.at <= $upto[e.about]
WITH e ORDER BY e.at, e.about_version, e.event_id LIMIT $batch
WITH collect(e) AS ordered
MATCH (lock:Lock {name: 'events'})
SET lock.seq = $seq + size(ordered)
WITH ordered
UNWIND range(1, size(ordered)) AS place
WITH ordered[place - 1] AS e, place
SET e.seq = $seq + place
REMOVE e:Unnumbered
WITH count(e) AS numbered
RETURN numbered, COUNT { MATCH (:Audience) } AS audiences
"""

LOG_STATE: LiteralString = """
MATCH (lock:Lock {name: 'events'})
RETURN lock.floor AS floor, lock.secret AS secret
"""

# What an event says, for its reader: the second record is named only to those who may see it. Of principals and keys,
# which are no records, only administrators hear at all.
_SHOWN: LiteralString = (
    """e {.seq, .event_id, .kind, .at, .about, .about_kind, .about_version, .principal_id, .command_id,
    .changed, other: CASE WHEN e.other IS NULL OR e.audience = $administration THEN e.other
      ELSE head(COLLECT { MATCH (o:Record {id: e.other}) WHERE """
    + visible("o")
    + """ RETURN o.id }) END}"""
)

_OF_KIND: LiteralString = "($every_kind OR e.kind IN $kinds OR any(one IN $prefixes WHERE e.kind STARTS WITH one))"

# The floor is read after the events: what retention took away meanwhile is then known to be gone.
_AND_FLOOR: LiteralString = """
WITH events
MATCH (lock:Lock {name: 'events'})
RETURN events, lock.floor AS floor
"""

EVENTS_IN_ORDER: LiteralString = (
    """
CALL () {
  MATCH (e:Event)
  USING INDEX e:Event(seq)
  WHERE e.seq > $after AND e.seq <= $upto AND """
    + visible("e")
    + " AND "
    + _OF_KIND
    + """
  WITH e ORDER BY e.seq LIMIT $first
  RETURN collect("""
    + _SHOWN
    + """) AS events
}"""
    + _AND_FLOOR
)

EVENTS_BY_AUDIENCE: LiteralString = (
    """
CALL () {
  UNWIND $audiences AS audience
  CALL (audience) {
    MATCH (e:Event)
    USING INDEX e:Event(audience, seq)
    WHERE e.audience = audience AND e.seq > $after AND e.seq <= $upto AND """
    + _OF_KIND
    + """
    RETURN e ORDER BY e.audience, e.seq LIMIT $first
  }
  WITH e ORDER BY e.seq LIMIT $first
  RETURN collect("""
    + _SHOWN
    + """) AS events
}"""
    + _AND_FLOOR
)

_WANTED: LiteralString = "e.seq > $after AND e.seq <= $upto AND " + visible("e") + " AND " + _OF_KIND

# What happened to a part of a run happened in the run, too.
EVENTS_ABOUT: LiteralString = (
    """
CALL () {
  CALL () {
    MATCH (e:Event {about: $about})
    USING INDEX SEEK e:Event(about, seq)
    WHERE """
    + _WANTED
    + """
    RETURN e ORDER BY e.seq LIMIT $first
    UNION
    MATCH (e:Event {run_id: $about})
    USING INDEX SEEK e:Event(run_id, seq)
    WHERE """
    + _WANTED
    + """
    RETURN e ORDER BY e.seq LIMIT $first
  }
  WITH e ORDER BY e.seq LIMIT $first
  RETURN collect("""
    + _SHOWN
    + """) AS events
}"""
    + _AND_FLOOR
)

LAST_EXPIRED: LiteralString = """
MATCH (e:Event)
WHERE e.seq > $floor
WITH e ORDER BY e.seq LIMIT $batch
WITH e WHERE e.at < $cutoff
RETURN max(e.seq) AS last
"""

DELETE_EXPIRED: LiteralString = """
MATCH (lock:Lock {name: 'events'})
SET lock.floor = $last
WITH lock
MATCH (e:Event)
WHERE e.seq > $floor AND e.seq <= $last
DETACH DELETE e
RETURN count(*) AS deleted
"""

DELETE_EXPIRED_COMMANDS: LiteralString = """
MATCH (c:Command)
WHERE c.at < $cutoff
WITH c LIMIT $batch
DETACH DELETE c
RETURN count(*) AS deleted
"""
