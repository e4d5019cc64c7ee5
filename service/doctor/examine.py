"""All checks, one after another. Each reads in batches or aggregates inside the database."""

from collections.abc import Callable

from embeddings import Embedder
from graph_schema.model.registry import Registry
from graph_schema.output.ddl import embedded_labels
from graph_schema.registry import REGISTRY
from service.doctor import cypher
from service.doctor.finding import Finding, Tally
from service.doctor.records import Model, check_records, remains
from service.doctor.relations import check_relations
from service.doctor.schema import check_schema
from service.graph.database import Database
from service.graph.migrations.migrate import find, plan_for
from service.graph.migrations.numbered import MIGRATIONS


def _silent(_text: str) -> None:
    return None


async def examine(
    database: Database,
    registry: Registry = REGISTRY,
    *,
    embedder_key: str | None = None,
    dimensions: int | None = None,
    second: Embedder | None = None,
    progress: Callable[[str], None] = _silent,
) -> list[Finding]:
    """Compare the graph with the registry. Without an embedder's key the vectors are not judged."""
    tally = Tally()
    plan = plan_for(registry, embedder_key, dimensions, MIGRATIONS)
    found = await find(database)
    plan.refuse_newer(found)
    progress("examining indexes")
    await check_schema(database, registry, plan, found, tally)
    beside = Model(second.key, second.dimensions) if second else None
    model = Model(embedder_key, dimensions, beside) if embedder_key and dimensions else None
    await check_records(database, registry, model, tally, progress)
    progress("examining relationships")
    await check_relations(database, registry, tally)
    progress("examining labels, audiences, events and former states")
    await _check_labels(database, registry, tally)
    await _check_audiences(database, tally)
    await _check_history(database, registry, tally)
    return tally.findings()


async def _check_labels(database: Database, registry: Registry, tally: Tally) -> None:
    labels = [label for one in registry.types.values() for label in (one.label, *one.second_labels)]
    for row in await database.examine(cypher.LABELS_WITHOUT_RECORD, labels=labels):
        tally.add_many("label_without_record", ":".join(sorted(row["labels"])), row["count"], row["samples"])


async def _check_audiences(database: Database, tally: Tally) -> None:
    for row in await database.examine(cypher.UNLISTED_AUDIENCES):
        tally.add_many("audience_unlisted", row["audience"], row["count"], row["samples"])


async def _check_history(database: Database, registry: Registry, tally: Tally) -> None:
    [events] = await database.examine(cypher.DANGLING_EVENTS)
    tally.add_many("event_dangling", "Event.about", events["count"], events["samples"])
    # What is made from reports counts its events as versions; their order of arrival is nothing to keep.
    reported = [one.prefix for one in registry.types.values() if one.reported]
    [unreachable] = await database.examine(cypher.UNREACHABLE_VERSIONS, reported=reported)
    tally.add_many("version_chain", "unreachable", unreachable["count"], unreachable["samples"])
    # A card shares its record's version and has no history of its own: it is made from the record.
    without = [*embedded_labels(registry), *remains(registry)]
    [lost] = await database.examine(cypher.MISSING_VERSIONS, without_history=without, reported=reported)
    tally.add_many("version_chain", "former state lost", lost["count"], lost["samples"])
