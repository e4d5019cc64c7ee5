"""The statements about principals and keys."""

from typing import LiteralString

# Everything that a request needs to know about its caller. The firewall's rule is spelled out here and nowhere else:
# clearance for the class, and all of the matters; what is named from too many matters is for
# its reporters and for administrators. An audience is
# written as its class, a bar and its matters in order. So what a member may see begins with a class and one of their
# matters, and is sought in the index: their cost grows with their matters, not with everybody's. What has too many
# matters to write them all has the first, and a hash.
_SEEN: LiteralString = """
  COLLECT {
    UNWIND classes AS class
    MATCH (a:Audience {audience: class + '|'})
    RETURN a.audience AS audience
    UNION
    UNWIND CASE WHEN principal.all_matters THEN classes ELSE [] END AS class
    MATCH (a:Audience)
    WHERE a.audience STARTS WITH class + '|'
    RETURN a.audience AS audience
    UNION
    UNWIND CASE WHEN principal.all_matters THEN [] ELSE classes END AS class
    UNWIND principal.matter_ids AS matter
    MATCH (a:Audience)
    WHERE a.audience STARTS WITH class + '|' + matter
      AND all(one IN a.matter_ids WHERE one IN principal.matter_ids)
    RETURN a.audience AS audience
    UNION
    MATCH (a:Audience)
    WHERE a.audience STARTS WITH 'stub|' AND (principal.id IN a.principal_ids OR administers)
    RETURN a.audience AS audience
  } AS audiences
"""

VIEWER_OF_KEY: LiteralString = (
    """
MATCH (key:Key {hash: $hash})-[:KEY_OF]->(principal:Principal)
WITH key, principal, [class IN keys($ranks) WHERE $ranks[class] <= $ranks[principal.clearance]] AS classes,
  'admin' IN key.scopes AND principal.kind <> 'agent' AS administers
WITH key, principal,"""
    + _SEEN
    + """RETURN key.id AS key_id, key.scopes AS scopes, key.purpose AS purpose,
  key {memory_mode: key.default_memory_mode, data_class: key.default_data_class, matter_ids: key.default_matter_ids,
    source: key.default_source} AS defaults,
  key.revoked_at AS revoked_at, key.expires_at AS expires_at, principal.disabled_at AS disabled_at,
  principal.id AS principal_id, principal.name AS name, principal.kind AS kind, principal.clearance AS clearance,
  principal.matter_ids AS matter_ids, principal.all_matters AS all_matters, audiences,
  COLLECT {
    UNWIND [one IN audiences WHERE one CONTAINS '#'] AS one
    MATCH (a:Audience {audience: one})
    RETURN [one, a.matter_ids]
  } AS hashed
"""
)

# The same for whom the service acts without a key of theirs: what they could read, and no more.
VIEWER_OF_PRINCIPAL: LiteralString = (
    """
MATCH (principal:Principal {id: $principal})
WITH principal, [class IN keys($ranks) WHERE $ranks[class] <= $ranks[principal.clearance]] AS classes,
  false AS administers
WITH principal,"""
    + _SEEN
    + """RETURN principal.disabled_at AS disabled_at, principal.id AS principal_id, principal.name AS name,
  principal.kind AS kind, principal.clearance AS clearance, principal.matter_ids AS matter_ids,
  principal.all_matters AS all_matters, audiences
"""
)

# Another process may have noted the same use already.
NOTE_USE: LiteralString = """
UNWIND $uses AS use
MATCH (key:Key {id: use.key_id})
WHERE key.last_used_at IS NULL OR key.last_used_at < use.not_since
SET key.last_used_at = use.at
"""

# Used by the command that creates a matter, in its own transaction: who opens a matter is a member of it. The lock is
# taken before the list is read, so that two matters opened at once are both kept.
ADD_MEMBERSHIP: LiteralString = """
MATCH (p:Principal {id: $principal_id})
SET p._lock = true
REMOVE p._lock
WITH p
WHERE NOT p.all_matters AND NOT $matter_id IN p.matter_ids
SET p.matter_ids = p.matter_ids + $matter_id
RETURN p.id AS id, p.version AS version
"""

CREATE_PRINCIPAL: LiteralString = """
MERGE (p:Principal {name: $name})
ON CREATE SET p += $properties
RETURN p.id = $properties.id AS created
"""

LOCK_PRINCIPAL: LiteralString = """
CALL () {
  MATCH (p:Principal {id: $principal}) RETURN p
  UNION
  MATCH (p:Principal {name: $principal}) RETURN p
}
SET p._lock = true
REMOVE p._lock
RETURN properties(p) AS principal
"""

# The former state stays reachable, as that of every record does.
SAVE_PRINCIPAL: LiteralString = """
MATCH (p:Principal {id: $id})
OPTIONAL MATCH (p)-[before:PREVIOUS]->(older:Version)
CREATE (former:Version)
SET former = properties(p), former.record_id = p.id, former.replaced_at = $at
REMOVE former.id
CREATE (p)-[:PREVIOUS]->(former)
FOREACH (last IN CASE WHEN older IS NULL THEN [] ELSE [older] END |
  DELETE before
  CREATE (former)-[:PREVIOUS]->(last))
SET p += $changes
"""

NAME_TAKEN: LiteralString = """
MATCH (p:Principal {name: $name})
RETURN p.id AS id
"""

SCOPES_HELD: LiteralString = """
MATCH (p:Principal {id: $id})<-[:KEY_OF]-(key:Key)
WHERE key.revoked_at IS NULL AND key.expires_at > $now
UNWIND key.scopes AS scope
RETURN collect(DISTINCT scope) AS scopes
"""

KNOWN_MATTERS: LiteralString = """
UNWIND $matter_ids AS id
MATCH (m:Record {id: id})
WHERE m:Matter
RETURN collect(id) AS known
"""

CREATE_KEY: LiteralString = """
MATCH (p:Principal {id: $principal_id})
CREATE (key:Key)-[:KEY_OF]->(p)
SET key = $properties
"""

LOCK_KEY: LiteralString = """
MATCH (key:Key {id: $id})-[:KEY_OF]->(p:Principal)
SET key._lock = true
REMOVE key._lock
RETURN properties(key) AS key, p.id AS principal_id, p.name AS principal
"""

LOCK_KEY_OF_HASH: LiteralString = """
MATCH (key:Key {hash: $hash})-[:KEY_OF]->(p:Principal)
SET key._lock = true
REMOVE key._lock
RETURN properties(key) AS key, p.id AS principal_id, p.name AS principal, p.disabled_at AS disabled_at
"""

REVOKE_KEY: LiteralString = """
MATCH (key:Key {id: $id})
SET key.revoked_at = $at, key.version = key.version + 1
"""

PRINCIPALS: LiteralString = """
MATCH (p:Principal)
WITH p ORDER BY p.name
RETURN collect(p {.id, .name, .kind, .clearance, .matter_ids, .all_matters, .created_at, .disabled_at, .version,
  live_keys: COUNT { (key:Key)-[:KEY_OF]->(p) WHERE key.revoked_at IS NULL AND key.expires_at > $now }}) AS principals
"""

KEYS: LiteralString = """
MATCH (key:Key)-[:KEY_OF]->(p:Principal)
WHERE ($principal IS NULL OR p.id = $principal OR p.name = $principal)
  AND ($dead OR (key.revoked_at IS NULL AND key.expires_at > $now AND p.disabled_at IS NULL))
WITH key, p ORDER BY key.created_at, key.id
RETURN collect(key {.id, .name, .hint, .scopes, .purpose, .created_at, .expires_at, .revoked_at, .last_used_at,
  .default_memory_mode, .default_data_class, .default_matter_ids, .default_source,
  principal_id: p.id, principal: p.name}) AS keys
"""
