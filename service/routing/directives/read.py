"""Invocation directives for a request: proposed by what it says and by what it means, then weighed one by one."""

from collections.abc import Sequence
from typing import Any

from neo4j import exceptions as driver_errors

from embeddings import EmbeddingError, EmbeddingQueue
from graph_schema.model.record import HIDDEN_STATES
from graph_schema.output.ddl import vector_index, vector_property
from service.access.viewer import Viewer
from service.commands.errors import InputInvalid
from service.graph.database import Database, Row
from service.matching.calibration import calibration_for
from service.matching.request import LONGEST
from service.routing.directives import cypher
from service.routing.directives.rules import Asked, MatchedDirective, weighed
from service.search.candidates import NO_SUCH_INDEX, deeper
from service.search.errors import SearchModelUnavailable

WANT = 20
DEPTH = 60
MOST = 60
"""Phrases whose directives are weighed. More say the same."""


class Directives:
    def __init__(self, database: Database, queue: EmbeddingQueue) -> None:
        self._database = database
        self._queue = queue

    async def match(
        self, viewer: Viewer, text: str, *, entities: Sequence[str] = (), first: int = 10
    ) -> tuple[MatchedDirective, ...]:
        """The same for a text whose vector is not known yet."""
        if not text.strip():
            raise InputInvalid("text", "say in a sentence what is asked for")
        if len(text) > LONGEST:
            raise InputInvalid("text", f"has {len(text):,} characters; at most {LONGEST:,} are compared")
        if not 1 <= first <= MOST:
            raise InputInvalid("first", f"must be from 1 to {MOST}")
        try:
            vector = await self._queue.embed_query(text)
        except EmbeddingError as error:
            raise SearchModelUnavailable(error) from error
        return (await self.matched(viewer, text, vector, entities=entities))[:first]

    async def matched(
        self, viewer: Viewer, text: str, vector: Sequence[float], *, entities: Sequence[str] = ()
    ) -> tuple[MatchedDirective, ...]:
        """Those that are active, visible and may be meant, best first; what is ruled out by a condition comes last.

        `vector` is the text's. `entities`: ids of what the request is about; a directive that is limited to something
        holds only there.
        """
        asked = Asked(text)
        fitted = calibration_for(self._queue.embedder.key)
        return weighed(asked, await self._found(viewer, asked, vector, entities), fitted)

    async def _found(
        self, viewer: Viewer, asked: Asked, vector: Sequence[float], entities: Sequence[str]
    ) -> Sequence[Row]:
        model = self._queue.embedder.key
        shared: dict[str, Any] = {
            "asked": {"said": asked.said, "entities": list(entities)},
            "vector": vector,
            "model": model,
            "property": vector_property(model),
            "most": MOST,
            "hidden_states": list(HIDDEN_STATES),
            "audiences": viewer.audiences,
        }
        depth: int | None = DEPTH
        try:
            while depth is not None:
                [row] = await self._database.read(
                    cypher.MATCHED, **shared, vector_index=vector_index(LABEL, model), depth=depth, want=WANT
                )
                if row["proposed"] < depth or row["seen"] >= WANT:
                    return row["found"]
                depth = deeper(depth, row["seen"], WANT)
        except driver_errors.ClientError as error:
            if error.code != NO_SUCH_INDEX:
                raise
        [row] = await self._database.read(cypher.SCAN, **shared)
        return row["found"]


LABEL = "InvocationPhrase"
"""What phrases of invocation directives have as a second label: it has a vector index of its own."""
