"""What task activity memory brings to the running service."""

from collections.abc import Coroutine
from typing import Any

from starlette.routing import BaseRoute

from service.access.turns import Turns
from service.capability import Factories, Services
from service.events import Events
from service.memory.artifact_search import ArtifactSearch
from service.memory.audit import AuditExports
from service.memory.audit.files import Shelf
from service.memory.audit.http import audit_routes
from service.memory.audit.tidy import keep_tidy
from service.memory.continuation import Continuation
from service.memory.extraction.commands import Extractions
from service.memory.history import TaskHistory
from service.memory.intake import check_policy
from service.memory.intake.preview import Previews
from service.memory.intents import LibraryIntents
from service.memory.lineage import Lineages
from service.memory.promotion import Promotions
from service.memory.questions import Questions
from service.memory.reporting.commands import Reporting
from service.memory.reporting.door import Door
from service.memory.reporting.http import reporting_routes
from service.memory.retention import Retentions
from service.memory.retention.settings import ages_of
from service.memory.run_changes import RunChanges
from service.memory.statistics import AssetUses, PresetsInOperation, TasksInOperation
from service.memory.storage import Storages
from service.memory.telemetry import Export, Telemetry
from service.memory.telemetry.http import telemetry_routes
from service.memory.views import Runs
from service.records import Hooks

SERVICES: Factories = {
    Reporting: lambda on: Reporting(on.ground.database, on.ground.registry, on.ground.changed),
    Continuation: lambda on: Continuation(on.ground.commands),
    Questions: lambda on: Questions(on.ground.database),
    Extractions: lambda on: Extractions(on.ground.commands),
    AuditExports: lambda on: AuditExports(on.ground.commands, on.ground.database, on.ground.settings.home),
    Runs: lambda on: Runs(on.ground.database),
    TaskHistory: lambda on: TaskHistory(on.ground.database),
    TasksInOperation: lambda on: TasksInOperation(on.ground.database),
    PresetsInOperation: lambda on: PresetsInOperation(on.ground.database),
    AssetUses: lambda on: AssetUses(on.ground.database),
    Lineages: lambda on: Lineages(on.ground.database, on.ground.registry),
    Previews: lambda on: Previews(on.ground.database),
    Promotions: lambda on: Promotions(on.ground.commands, on.ground.registry),
    LibraryIntents: lambda on: LibraryIntents(on.ground.commands, on.ground.registry),
    RunChanges: lambda on: RunChanges(on.ground.database, on.ground.registry, on[Events]),
    ArtifactSearch: lambda on: ArtifactSearch(on.ground.database, on.ground.embeddings, on.ground.registry),
    Retentions: lambda on: Retentions(on.ground.database, ages_of(on.ground.settings)),
    Storages: lambda on: Storages(on.ground.database, on.ground.registry),
    Telemetry: lambda on: Telemetry(on[Reporting], on.ground.metrics),
    Export: lambda on: Export(on.ground.database),
}
HOOKS = Hooks(checks={"Policy": check_policy})


def routes(services: Services, turns: Turns) -> list[BaseRoute]:
    door = Door(turns, services.ground.settings.max_body_bytes)
    return [
        *reporting_routes(services[Reporting], door),
        *telemetry_routes(services[Telemetry], services[Export], door),
        *audit_routes(services[AuditExports]),
    ]


def endless(services: Services) -> list[Coroutine[Any, Any, None]]:
    return [keep_tidy(services.ground.database, Shelf(services.ground.settings.home))]
