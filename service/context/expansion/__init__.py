"""Capabilities of a module: what its policies come to, what is mounted, and asking for more while it runs."""

from service.context.expansion.answer import ExpansionOutcome, outcome_of
from service.context.expansion.commands import ExpandCapabilitiesInput, Expansions
from service.context.expansion.finding import Finding
from service.context.expansion.policy import CapabilityPolicy, Standing, policy_in, read_policy, standing_of
from service.context.expansion.read import ModuleCapabilities, MountedCapabilities

__all__ = [
    "CapabilityPolicy",
    "ExpandCapabilitiesInput",
    "ExpansionOutcome",
    "Expansions",
    "Finding",
    "ModuleCapabilities",
    "MountedCapabilities",
    "Standing",
    "outcome_of",
    "policy_in",
    "read_policy",
    "standing_of",
]
