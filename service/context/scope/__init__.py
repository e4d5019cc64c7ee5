"""Scope envelopes: what a run is about, settled when it starts, each binding with its evidence."""

from service.context.scope.commands import Scopes
from service.context.scope.inputs import (
    BroadBoundsInput,
    EmailEvidenceInput,
    RunScopeInput,
    ScheduleEvidenceInput,
    TriggerEvidenceInput,
)
from service.context.scope.read import RunScope, RunScopes
from service.context.scope.rules import BY_BLUEPRINT

__all__ = [
    "BY_BLUEPRINT",
    "BroadBoundsInput",
    "EmailEvidenceInput",
    "RunScope",
    "RunScopeInput",
    "RunScopes",
    "ScheduleEvidenceInput",
    "Scopes",
    "TriggerEvidenceInput",
]
