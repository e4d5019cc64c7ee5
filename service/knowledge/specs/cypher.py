"""Sections of registered documents."""

from typing import LiteralString

from service.graph.visibility import visible

# All sections of a document, those that were put away among them.
OF_DOCUMENT: LiteralString = (
    """
MATCH (s:SpecSection {document_key: $document}) WHERE """
    + visible("s")
    + """
RETURN properties(s) AS section ORDER BY s.id
"""
)

# What is looked at: the sections that somebody may see, of one part of the system where that was asked for.
SECTIONS: LiteralString = (
    """
MATCH (s:SpecSection) WHERE """
    + visible("s")
    + """ AND s.lifecycle_state = 'active' AND ($owner IS NULL OR s.owner = $owner)
WITH s ORDER BY s.document_key, s.place, s.id LIMIT $most
RETURN collect(s {.id, .name, .document_key, .document_title, .owner, .anchor, .path, .body, .body_hash}) AS found
"""
)
