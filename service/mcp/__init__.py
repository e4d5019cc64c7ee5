"""The agent's door: the API as tools, resources and prompts of the Model Context Protocol."""

from service.mcp.mount import MCP, MCP_FULL, mcp_routes

__all__ = ["MCP", "MCP_FULL", "mcp_routes"]
