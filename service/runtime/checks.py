"""What must hold for the service to do its work, one check for each thing that can be missing."""

from typing import LiteralString

from embeddings import EmbeddingQueue
from graph_schema.model.registry import Registry
from service.graph.database import Database
from service.graph.local import LocalNeo4j
from service.graph.migrations import pending
from service.graph.migrations.schema import shown_indexes
from service.observe.health import Check, Finding

ANSWER: LiteralString = "RETURN 1 AS one"


def checks_of(
    database: Database, registry: Registry, embeddings: EmbeddingQueue, local: LocalNeo4j | None
) -> dict[str, Check]:
    embedder, second = embeddings.embedder, embeddings.second

    async def database_answers() -> Finding:
        await database.read(ANSWER)
        return Finding(True, "answers")

    async def migrations() -> Finding:
        left = await pending(database, registry, embedder_key=embedder.key, dimensions=embedder.dimensions)
        return Finding(not left, f"{len(left)} not applied" if left else "all applied", {"pending": left})

    async def indexes() -> Finding:
        states = {name: row["state"] for name, row in (await shown_indexes(database)).items()}
        waiting = {name: state.lower() for name, state in states.items() if state != "ONLINE"}
        return Finding(not waiting, f"{len(waiting)} not online" if waiting else "all online", {"waiting": waiting})

    async def model() -> Finding:
        return Finding(
            True,
            "loaded",
            {"name": embedder.name, "version": embedder.version, "second": second.embedder.name if second else None},
        )

    checks: dict[str, Check] = {
        "database": database_answers,
        "migrations": migrations,
        "indexes": indexes,
        "model": model,
    }
    return {**checks, "local_server": _local_server(local)} if local else checks


def _local_server(local: LocalNeo4j) -> Check:
    async def check() -> Finding:
        return Finding(local.state == "running", local.state, {"restarts": local.restarts})

    return check
