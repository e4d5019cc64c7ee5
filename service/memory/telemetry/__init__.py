"""OpenTelemetry in and out: traces become report events, and a run becomes a trace."""

from service.memory.telemetry.export import Export
from service.memory.telemetry.intake import Taken, Telemetry

__all__ = ["Export", "Taken", "Telemetry"]
