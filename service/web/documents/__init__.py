"""The documentation of this clone, as pages: grouped as the README groups it, with a search over its own index."""

from service.web.documents.library import document_names
from service.web.documents.routes import document_routes

__all__ = ["document_names", "document_routes"]
