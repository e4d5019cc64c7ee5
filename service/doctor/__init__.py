"""The doctor: compares a graph with the registry and lists what a person should look at."""

from service.doctor.examine import examine
from service.doctor.finding import CHECKS, Check, Finding, Severity

__all__ = ["CHECKS", "Check", "Finding", "Severity", "examine"]
