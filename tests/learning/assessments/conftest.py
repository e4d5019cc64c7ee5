"""The office of assessments: that of routing, with runs that are reported."""

from tests.routing.office import office

__all__ = ["office"]
