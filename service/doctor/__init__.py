"""The doctor: compares a graph with the registry, lists what a person should look at, and mends what follows."""

from service.doctor.examine import examine
from service.doctor.finding import CHECKS, Check, Finding, Severity
from service.doctor.mend import MENDED, Mended, Mender

__all__ = ["CHECKS", "MENDED", "Check", "Finding", "Mended", "Mender", "Severity", "examine"]
