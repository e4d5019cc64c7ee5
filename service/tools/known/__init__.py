"""What a builder of tools is told of those that there are, within a budget of tokens."""

from service.tools.known.read import ToolShelf

__all__ = ["ToolShelf"]
