"""What a packet says of what matched."""

from typing import LiteralString

from service.graph.visibility import visible

DETAILS: LiteralString = (
    """
UNWIND $ids AS id
MATCH (n:Record {id: id}) WHERE """
    + visible("n")
    + """
RETURN collect(n {.id, description: coalesce(n.description, '')}) AS found
"""
)
