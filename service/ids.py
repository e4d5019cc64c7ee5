"""Identifiers: opaque, prefixed by the kind of record, and sortable by the time they were made."""

from ulid import ULID


def new_id(prefix: str) -> str:
    return f"{prefix}_{str(ULID()).lower()}"
