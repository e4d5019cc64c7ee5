"""What is said about tools beside an answer, and refuses nothing."""

from enum import StrEnum


class ToolWarning(StrEnum):
    """Codes of it."""

    unreliable = "warning.capability_historically_unreliable"
    unused = "warning.capability_historically_unused"
    axis_unknown = "warning.boundary_axis_unknown"
