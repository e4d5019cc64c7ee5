"""The statements of leases. Each is a node `(:Lock {name})`."""

from typing import LiteralString

# Writing a property first takes the node's write lock, so that what is read next is what the last holder committed.
# The database's clock decides, and `realtime` because the statement may have waited for the lock.
TAKE_LEASE: LiteralString = """
MERGE (lock:Lock {name: $name})
SET lock.asked_at = datetime.realtime().epochMillis
WITH lock, datetime.realtime().epochMillis AS now
WHERE lock.owner IS NULL OR lock.expires_at < now
SET lock.owner = $owner, lock.expires_at = now + $milliseconds
RETURN lock.owner AS owner
"""

RENEW_LEASE: LiteralString = """
MATCH (lock:Lock {name: $name})
SET lock.asked_at = datetime.realtime().epochMillis
WITH lock WHERE lock.owner = $owner
SET lock.expires_at = datetime.realtime().epochMillis + $milliseconds
RETURN lock.owner AS owner
"""

RETURN_LEASE: LiteralString = """
MATCH (lock:Lock {name: $name})
SET lock.asked_at = datetime.realtime().epochMillis
WITH lock WHERE lock.owner = $owner
REMOVE lock.owner, lock.expires_at
"""

# Whoever waits for long looks first: a look is no write.
LEASE_HELD: LiteralString = """
OPTIONAL MATCH (lock:Lock {name: $name})
RETURN coalesce(lock.expires_at >= datetime.realtime().epochMillis, false) AS held
"""
