"""The statements of sharing. What a link opens is found by the hash of its secret, and told as its sender sees it."""

from typing import LiteralString

from service.graph.visibility import visible

# The secret is the access: whoever has it needs no other. What is told is read as the sender, by other statements.
OF_LINK: LiteralString = """
MATCH (share:ShareCapsule {secret_hash: $hash})
RETURN labels(share) AS labels, share {.*, manifest: null} AS properties
"""

MANIFEST: LiteralString = """
MATCH (share:ShareCapsule {id: $share})
WHERE share.revoked_at IS NULL AND share.lifecycle_state = 'active' AND share.expires_at > $now
RETURN share.manifest AS manifest
"""

PRINCIPALS_NAMED: LiteralString = """
UNWIND $named AS named
CALL (named) {
  MATCH (p:Principal {id: named}) RETURN p.id AS id
  UNION
  MATCH (p:Principal {name: named}) RETURN p.id AS id
}
RETURN named, id
"""

OPENED_TODAY: LiteralString = """
MATCH (event:ShareEvent {share_id: $share, event_kind: $kind})
WHERE event.happened_at >= $since AND event.actor_id = $actor AND coalesce(event.target_ref, '') = $target
RETURN count(event) > 0 AS opened
"""

SUBJECTS: LiteralString = (
    """
MATCH (share:ShareCapsule)
WHERE share.id IN $ids AND """
    + visible("share")
    + """
RETURN share.id AS id, coalesce(share.shared_run_id, share.task_id) AS subject
"""
)

OWN_WORDS: LiteralString = (
    """
MATCH (share:ShareCapsule)
WHERE share.id IN $ids AND (share.shared_by = $principal OR $admin) AND """
    + visible("share")
    + """
RETURN share.id AS id, share.note AS note, share.recipients AS recipients, share.revoked_because AS revoked_because
"""
)

EMPTIED: LiteralString = (
    """
MATCH (share:ShareCapsule)
WHERE share.id IN $ids AND share.manifest IS NULL AND NOT share.share_mode IN $live AND """
    + visible("share")
    + """
RETURN share.id AS id
"""
)

# The shares that a proposal was made under. It is the shares that what became of it is told under, whoever asks.
PROPOSED_UNDER: LiteralString = """
MATCH (event:ShareEvent {target_ref: $proposal})-[:HAPPENED_UNDER]->(share:ShareCapsule)
WHERE event.event_kind = $kind
RETURN DISTINCT labels(share) AS labels, share {.*, manifest: null} AS properties
"""
