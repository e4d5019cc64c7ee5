"""`python -m service.matching.evaluation.judge FILE [FAR_FILE]`: the figures of matching on a labelled set.

Requests go through `asked` and `decide` as in the service; only the loading of assets is done in memory.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from embeddings import Vectors
from service.matching.answer import MatchAnswer
from service.matching.assets import Asset
from service.matching.calibration import Calibration, calibration_for
from service.matching.decide import decide
from service.matching.errors import RequestInvalid, RequestTooLong
from service.matching.evaluation.evaluate import (
    MOST_REQUESTS,
    PHRASES,
    REFUSED,
    Build,
    Found,
    Match,
    card_of,
    read,
    report,
)
from service.matching.evaluation.vectors import VectorStore
from service.matching.likeness import Known
from service.matching.request import MatchRequest, asked

MODEL = "bge-small-en-v1.5"
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Library:
    """Templates in memory: each has a name, perhaps phrases, and their vectors."""

    def __init__(self, phrases: Mapping[str, Sequence[str]], store: VectorStore, fitted: Calibration) -> None:
        self._store = store
        self._fitted = fitted
        self._known: dict[str, Known] = {}
        for intent, given in phrases.items():
            texts = [card_of(intent), *given]
            self._known[intent] = Known(texts, store.of(texts))

    def answer(self, text: str) -> MatchAnswer:
        question = asked(MatchRequest(text), _NOW)
        vector = self._store.of([question.compared])[0]
        assets = [self._asset(intent, vector, question.stems) for intent in self._known]
        return decide(question, assets, self._fitted)

    def find(self, text: str) -> Found:
        try:
            answer = self.answer(text)
        except (RequestTooLong, RequestInvalid):
            return REFUSED
        first = answer.recommended[0] if answer.recommended else None
        if first is None and answer.losers:
            first = answer.losers[0].candidate
        return Found(first.asset.id if first else None, answer.confidence, answer.any_fits)

    def _asset(self, intent: str, vector: Vectors, stems: frozenset[str]) -> Asset:
        known = self._known[intent]
        return Asset(intent, "Template", card_of(intent), known.likeness(vector, stems))


def builder(store: VectorStore, fitted: Calibration) -> Build:
    def build(phrases: Mapping[str, Sequence[str]]) -> Match:
        library = Library(phrases, store, fitted)
        return lambda texts: [library.find(text) for text in texts]

    return build


def main(
    dataset: Annotated[Path, typer.Argument(help="Labelled requests, as JSON lines with split, intent and text.")],
    far: Annotated[Path | None, typer.Argument(help="Another set, whose requests fit nothing here.")] = None,
    *,
    model: Annotated[str, typer.Option(help="The embedding model.")] = MODEL,
    phrases: Annotated[int, typer.Option(help="How many training texts a template gets.")] = PHRASES,
    most: Annotated[int, typer.Option(help="How many requests are taken from each set.")] = MOST_REQUESTS,
    vectors: Annotated[Path | None, typer.Option(help="A folder to keep vectors in.")] = None,
) -> None:
    store = VectorStore(model, vectors)
    build = builder(store, calibration_for(store.key))
    found = report(read(dataset), read(far) if far else None, build, phrases, most)
    typer.echo("\n".join(found.lines()))


if __name__ == "__main__":
    typer.run(main)
