"""The API explorer: GraphiQL from its WebJars, on our own address, with examples on the sample world."""

from service.web.explorer.routes import EXPLORER, explorer_routes

__all__ = ["EXPLORER", "explorer_routes"]
