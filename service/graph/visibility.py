"""The firewall: one predicate, used by every statement that reads records for somebody."""

from typing import LiteralString

VISIBLE: LiteralString = "{node}.audience IN $audiences"


def visible(node: LiteralString) -> LiteralString:
    """The predicate on a variable of the statement. The viewer's audiences are the parameter `audiences`."""
    return VISIBLE.format(node=node)
