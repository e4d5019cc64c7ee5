"""The office of reports: that of routing."""

from tests.routing.office import office

__all__ = ["office"]
