"""The pages for people: a folder a page, whose data is the answer to the one GraphQL document in it."""

from service.web.pages.engine.routes import page_routes

__all__ = ["page_routes"]
