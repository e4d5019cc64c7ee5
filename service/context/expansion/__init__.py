"""Capabilities of a module: what its policies come to, what is mounted, and asking for more while it runs."""

from service.context.expansion.commands import Expansions, Wish
from service.context.expansion.finding import Finding
from service.context.expansion.policy import CapabilityPolicy, Standing, policy_in, read_policy, standing_of
from service.context.expansion.read import ModuleCapabilities, Mounted, MountedBy, MountedCapabilities
from service.context.expansion.rules import Result

__all__ = [
    "CapabilityPolicy",
    "Expansions",
    "Finding",
    "ModuleCapabilities",
    "Mounted",
    "MountedBy",
    "MountedCapabilities",
    "Result",
    "Standing",
    "Wish",
    "policy_in",
    "read_policy",
    "standing_of",
]
