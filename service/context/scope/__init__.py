"""Scope envelopes: what a run is about, settled when it starts, each binding with its evidence."""

from service.context.scope.commands import Scopes
from service.context.scope.inputs import EmailEvidence, ScheduleEvidence, ScopeInput, TriggerEvidence
from service.context.scope.read import RunScope, RunScopes

__all__ = [
    "EmailEvidence",
    "RunScope",
    "RunScopes",
    "ScheduleEvidence",
    "ScopeInput",
    "Scopes",
    "TriggerEvidence",
]
