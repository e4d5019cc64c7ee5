"""Bringing a graph to the shape that this version expects: the registry's schema, and numbered changes."""

from service.graph.migrations.errors import DatabaseNewer, IndexFailed, MigrationChanged, MigrationFailed
from service.graph.migrations.migrate import Applied, applied, migrate, pending
from service.graph.migrations.numbered import MIGRATIONS, Migration, Way

__all__ = [
    "MIGRATIONS",
    "Applied",
    "DatabaseNewer",
    "IndexFailed",
    "Migration",
    "MigrationChanged",
    "MigrationFailed",
    "Way",
    "applied",
    "migrate",
    "pending",
]
