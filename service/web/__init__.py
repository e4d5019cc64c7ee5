"""The HTTP shell around the API: application, health, metrics, start page."""

from service.web.app import create_app

__all__ = ["create_app"]
