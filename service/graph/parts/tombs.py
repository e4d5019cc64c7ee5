"""What a tombstone remembers of the name that the outside had for a record."""

import hashlib


def key_hash(source: str, key: str) -> str:
    """Enough to know the name when it comes again, and not enough to read it."""
    return hashlib.sha256(f"{source}\0{key}".encode()).hexdigest()
