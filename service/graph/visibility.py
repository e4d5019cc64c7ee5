"""The firewall: one predicate, used by every statement that reads records for somebody.

The viewer's audiences are always the parameter `audiences`.
"""

from typing import LiteralString

VISIBLE: LiteralString = "{node}.audience IN $audiences"
AUDIENCES: LiteralString = "UNWIND $audiences AS audience"
VISIBLE_TO_ONE: LiteralString = "{node}.audience = audience"
"""The predicate for one audience at a time, after `AUDIENCES`: it lets an index keep the order inside each."""


def visible(node: LiteralString) -> LiteralString:
    """The predicate on a variable of the statement."""
    return VISIBLE.format(node=node)
