"""The health of tools: counted from recent outcomes when it is asked for, for who asks."""

from service.tools.health.read import ToolHealths
from service.tools.health.rules import ToolHealth

__all__ = ["ToolHealth", "ToolHealths"]
