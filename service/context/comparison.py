"""Comparing records with a text, by words and by meaning: exactly, for each record that is considered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from embeddings import EmbeddingError, EmbeddingQueue
from graph_schema.output.ddl import text_vector_property, vector_property
from service.search import ranker
from service.search.errors import SearchModelUnavailable

NO_MODEL = "none"
"""In place of a model's name, where nothing was compared by meaning."""

# How near a card is to the text; null where its vector is behind what it says. Takes `card` and what `asked` gives.
NEAR: LiteralString = """CASE
    WHEN card IS NOT NULL AND card.embedded_hash = card.text_hash AND card.embedding_model = $asked.model
    THEN vector.similarity.cosine(coalesce(card[$asked.text_property], card[$asked.property]), $asked.vector) END"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The text as words, and as a vector of one model."""

    words: ranker.Asked
    vector: Sequence[float] | None
    model: str
    unrelated: float

    def asked(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "property": vector_property(self.model),
            "text_property": text_vector_property(self.model),
            "vector": self.vector,
        }

    def score(self, name: frozenset[str], text: frozenset[str], similarity: float | None) -> float:
        """The search's score of a record, for a search for the text; from the stems of its name and of all it says."""
        if not self.words.stems:
            return 0.0
        near = ranker.Near.of(similarity, self.unrelated)
        return round(min(1.0, ranker.plain_score(self.words, name, text, near)), 4)


async def comparison(queue: EmbeddingQueue | None, text: str) -> Comparison:
    """Without `queue`, for whoever has no model at hand, records are compared by their words alone."""
    words = ranker.asked(text)
    if queue is None or not words.stems:
        return Comparison(words, None, NO_MODEL, 0.0)
    try:
        vector = await queue.embed_query(text)
    except EmbeddingError as error:
        raise SearchModelUnavailable(error) from error
    return Comparison(words, vector, queue.embedder.key, queue.embedder.unrelated)
