"""Scope envelopes: what a run is about, settled when it starts, each binding with its evidence."""

from service.context.scope.commands import Scopes
from service.context.scope.inputs import EmailEvidenceInput, RunScopeInput, ScheduleEvidenceInput, TriggerEvidenceInput
from service.context.scope.read import RunScope, RunScopes

__all__ = [
    "EmailEvidenceInput",
    "RunScope",
    "RunScopeInput",
    "RunScopes",
    "ScheduleEvidenceInput",
    "Scopes",
    "TriggerEvidenceInput",
]
